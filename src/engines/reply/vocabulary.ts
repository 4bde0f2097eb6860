import { lazily } from '../../core/lazily.ts';
import { isListed, isWeak, LISTED_WORDS, term } from '../../language/lexicon/lexicon.ts';
import { similarity, soundOf } from '../../language/similarity.ts';

/** Words of one utterance that are looked up among the known ones. */
const MAX_REPAIRS = 30;
const FUZZY_FLOOR = 0.74;
/** One letter of a short English word makes another word: `Nile` is not `nice`. */
const FUZZY_FLOOR_SHORT = 0.8;
/** Words that only sound alike: worth less than a misspelling. */
const SOUND_LIKENESS = 0.72;
const NEAR_SOUND_LIKENESS = 0.6;
/** How alike the spelling of what sounds the same, or nearly, must be. */
const ENGLISH_LIKENESS = { same: 0.5, near: 0.7 };
const ARABIC_LIKENESS = { same: 0.66, near: 0.75 };
const JOINED_LIKENESS = { same: 0.6, near: 0.75 };
/** What sounds the same goes before what is spelt a little more alike. */
const SOUND_LEAD = 0.12;
const MIN_SOUND = 3;
const MIN_REPAIRED = 4;
const MIN_REPAIRED_ARABIC = 3;
const MIN_JOINED = 5;
const MIN_SOUNDED = 6;
/** Longer unknown words are words of their own, not pieces of one. */
const MAX_PIECE = 5;
const MIN_HALF = 3;
/** What a word put together or taken apart costs in trust, as a share of one word. */
const JOINT_COST = 0.3;
const MAX_LOSS = 0.4;
/** Looked-up words that are remembered; forgotten all at once. */
const MAX_REMEMBERED = 2_000;
const LOSS_SHARE = 0.7;
/** A short word must begin alike: `sick` is no `pick`. */
const SHORT = 5;

/** Words by how they sound, and the sounds by how they begin. */
class Sounds {
  readonly #bySound = new Map<string, string[]>();
  readonly #byFirst = new Map<string, string[]>();

  add(word: string): void {
    const sound = soundOf(word);
    if (sound.length < MIN_SOUND) return;
    const alike = this.#bySound.get(sound);
    if (alike) {
      alike.push(word);
      return;
    }
    this.#bySound.set(sound, [word]);
    const first = this.#byFirst.get(sound[0]!);
    if (first) first.push(sound);
    else this.#byFirst.set(sound[0]!, [sound]);
  }
  of(sound: string): readonly string[] {
    return this.#bySound.get(sound) ?? [];
  }
  /** The sounds that begin as `sound` does. */
  beside(sound: string): readonly string[] {
    return this.#byFirst.get(sound[0]!) ?? [];
  }
}

/** Those of the general lexicon, the same for all agents: listened to once. */
const listedSounds = lazily(() => soundsOf(LISTED_WORDS));

function soundsOf(words: Iterable<string>): Sounds {
  const sounds = new Sounds();
  for (const word of words) sounds.add(word);
  return sounds;
}

interface Nearest {
  readonly word: string;
  readonly likeness: number;
}
export interface Repaired {
  readonly words: readonly string[];
  /** 1 when every word was known; falls with every repair. */
  readonly trust: number;
}

/** Words that were learnt, as they are kept. */
export interface LearntWords {
  readonly words: Set<string>;
  readonly terms: Set<string>;
}

/** The words an agent's sentences hold, and how misheard and misspelt ones are led back to them. */
export class Vocabulary {
  readonly #words: Set<string>;
  readonly #terms: Set<string>;
  readonly #byLength: string[][] = [];
  #sounds: Sounds | undefined; // of the words, once they are asked for
  readonly #found = new Map<string, Nearest | undefined>();

  constructor(readonly learnt: LearntWords = nothingLearnt()) {
    this.#words = learnt.words;
    this.#terms = learnt.terms;
    for (const word of learnt.words) this.#measure(word);
  }

  learn(word: string): void {
    if (this.#words.has(word)) return;
    this.#found.clear();
    this.#words.add(word);
    this.#terms.add(term(word));
    this.#measure(word);
    this.#sounds = undefined;
  }

  #measure(word: string): void {
    const bucket = this.#byLength[word.length];
    if (bucket) bucket.push(word);
    else this.#byLength[word.length] = [word];
  }

  /** The words with misspelt, misheard, split and joined ones replaced by the nearest known. */
  repair(said: readonly string[]): Repaired {
    let lost = 0;
    let lookUps = 0;
    const words: string[] = [];
    for (let i = 0; i < said.length; i += 1) {
      const word = this.#squeezed(said[i]!);
      const joint = this.#jointAt(said, i, 3) ?? this.#jointAt(said, i, 2);
      if (joint) {
        words.push(joint.word);
        lost += JOINT_COST;
        i += joint.pieces - 1;
        continue;
      }
      if (
        word.length < (/^[a-z]/.test(word) ? MIN_REPAIRED : MIN_REPAIRED_ARABIC) ||
        this.#isKnown(word) ||
        isListed(word) ||
        lookUps >= MAX_REPAIRS
      ) {
        words.push(word);
        continue;
      }
      lookUps += 1;
      const halves = this.#halves(word);
      const nearest = halves ? undefined : this.#nearest(word);
      lost += halves ? JOINT_COST : nearest ? 1 - nearest.likeness : 0;
      words.push(...(halves ?? [nearest?.word ?? word]));
    }
    return { words, trust: 1 - Math.min(MAX_LOSS, (lost / Math.max(1, said.length)) * LOSS_SHARE) };
  }

  /** `اغييير` -> `اغير`: letters drawn out, in writing or by a recogniser. */
  #squeezed(word: string): string {
    if (this.#words.has(word) || isListed(word)) return word;
    const squeezed = word.replace(/(\p{L})\1+/gu, '$1');
    return this.#words.has(squeezed) || isListed(squeezed) ? squeezed : word.replace(/(\p{L})\1{2,}/gu, '$1');
  }

  #isKnown(word: string): boolean {
    return this.#terms.has(term(word)) || isWeak(word);
  }

  #jointAt(
    said: readonly string[],
    at: number,
    pieces: number,
  ): { readonly word: string; readonly pieces: number } | undefined {
    const word = at + pieces <= said.length ? this.#joined(said.slice(at, at + pieces)) : undefined;
    return word === undefined ? undefined : { word, pieces };
  }

  /** `can sell` -> `cancel`, `a veil able` -> `available`: a word that the recogniser cut, one piece of it unknown. */
  #joined(pieces: readonly string[]): string | undefined {
    const joined = pieces.join('');
    if (pieces.every((piece) => this.#isKnown(piece))) return undefined;
    if (pieces.some((piece) => !this.#isKnown(piece) && piece.length > MAX_PIECE)) return undefined;
    if (joined.length >= MIN_JOINED && this.#words.has(joined)) return joined;
    if (joined.length < MIN_SOUNDED || pieces.every((piece) => isListed(piece))) return undefined;
    return this.#soundAlike(joined, JOINED_LIKENESS)?.word;
  }

  /** `حجزموعد` -> `حجز موعد`: two known words said in one breath. */
  #halves(word: string): [string, string] | undefined {
    for (let cut = MIN_HALF; cut <= word.length - MIN_HALF; cut += 1) {
      const halves: [string, string] = [word.slice(0, cut), word.slice(cut)];
      if (this.#words.has(halves[0]) && this.#words.has(halves[1])) return halves;
    }
    return undefined;
  }

  #nearest(word: string): Nearest | undefined {
    if (this.#found.has(word)) return this.#found.get(word);
    const found = this.#lookUp(word);
    if (this.#found.size >= MAX_REMEMBERED) this.#found.clear();
    this.#found.set(word, found);
    return found;
  }

  #lookUp(word: string): Nearest | undefined {
    let best: { word: string; likeness: number } | undefined;
    const floor = word.length < SHORT ? FUZZY_FLOOR_SHORT : FUZZY_FLOOR;
    for (let length = Math.max(3, word.length - 2); length <= word.length + 2; length += 1) {
      for (const candidate of this.#byLength[length] ?? []) {
        if (candidate[0] !== word[0] && (word.length <= SHORT || candidate.at(-1) !== word.at(-1))) continue;
        const likeness = similarity(word, candidate);
        if (likeness >= floor && (!best || likeness > best.likeness)) best = { word: candidate, likeness };
      }
    }
    const alike = this.#soundAlike(word, /^[a-z]/.test(word) ? ENGLISH_LIKENESS : ARABIC_LIKENESS);
    return best && alike && similarity(word, alike.word) >= best.likeness - SOUND_LEAD ? alike : (best ?? alike);
  }

  /** The known word that sounds the same, or nearly, and is spelt not too differently. */
  #soundAlike(word: string, least: { readonly same: number; readonly near: number }): Nearest | undefined {
    const sound = soundOf(word);
    if (sound.length < MIN_SOUND) return undefined;
    const same = mostAlike(word, this.#soundingAs(sound), least.same);
    if (same !== undefined) return { word: same, likeness: SOUND_LIKENESS };
    // `ship men`: the end of a word is what is lost most easily.
    const others = new Set([...this.#own.beside(sound), ...listedSounds().beside(sound)]);
    const near = [...others].flatMap((other) => (isCutShort(sound, other) ? this.#soundingAs(other) : []));
    const found = mostAlike(word, near, least.near);
    return found === undefined ? undefined : { word: found, likeness: NEAR_SOUND_LIKENESS };
  }

  get #own(): Sounds {
    this.#sounds ??= soundsOf([...this.#words].filter((word) => !isWeak(word)));
    return this.#sounds;
  }

  /** The agent's own words first; those of the general lexicon are listened for too. */
  #soundingAs(sound: string): string[] {
    return [
      ...this.#own.of(sound),
      ...listedSounds()
        .of(sound)
        .filter((word) => !this.#words.has(word)),
    ];
  }
}

function nothingLearnt(): LearntWords {
  return { words: new Set(), terms: new Set() };
}

function isCutShort(sound: string, other: string): boolean {
  if (Math.min(sound.length, other.length) <= MIN_SOUND) return false;
  return Math.abs(sound.length - other.length) === 1 && (other.startsWith(sound) || sound.startsWith(other));
}

function mostAlike(word: string, candidates: readonly string[], least: number): string | undefined {
  let best: string | undefined;
  let most = least;
  for (const candidate of candidates) {
    const likeness = similarity(word, candidate);
    if (likeness >= most && (best === undefined || likeness > most)) {
      best = candidate;
      most = likeness;
    }
  }
  return best;
}
