import { isListed, isWeak, term } from './lexicon.ts';
import { similarity, soundOf } from './similarity.ts';

/** Words of one utterance that are looked up among the known ones. */
const MAX_REPAIRS = 30;
const FUZZY_FLOOR = 0.74;
/** One letter of a short English word makes another word: `Nile` is not `nice`. */
const FUZZY_FLOOR_SHORT = 0.8;
/** Words that only sound alike: worth less than a misspelling. */
const SOUND_LIKENESS = 0.72;
const MIN_SOUND = 3;
const MIN_REPAIRED = 4;
const MIN_JOINED = 5;
const MIN_HALF = 3;
/** What a word put together or taken apart costs in trust, as a share of one word. */
const JOINT_COST = 0.3;
const MAX_LOSS = 0.4;
/** Looked-up words that are remembered; forgotten all at once. */
const MAX_REMEMBERED = 2_000;
const LOSS_SHARE = 0.7;
/** A short word must begin alike: `sick` is no `pick`. */
const SHORT = 5;

interface Nearest {
  readonly word: string;
  readonly likeness: number;
}
export interface Repaired {
  readonly words: readonly string[];
  /** 1 when every word was known; falls with every repair. */
  readonly trust: number;
}

/** The words an agent's sentences hold, and how misheard and misspelt ones are led back to them. */
export class Vocabulary {
  readonly #words = new Set<string>();
  readonly #terms = new Set<string>();
  readonly #byLength: string[][] = [];
  readonly #bySound = new Map<string, string>();
  readonly #found = new Map<string, Nearest | undefined>();

  learn(word: string): void {
    if (this.#words.has(word)) return;
    this.#found.clear();
    this.#words.add(word);
    this.#terms.add(term(word));
    const bucket = this.#byLength[word.length] ?? [];
    bucket.push(word);
    this.#byLength[word.length] = bucket;
    const sound = soundOf(word);
    if (sound.length >= MIN_SOUND && !isWeak(word) && !this.#bySound.has(sound)) this.#bySound.set(sound, word);
  }

  /** The words with misspelt, misheard, split and joined ones replaced by the nearest known. */
  repair(said: readonly string[]): Repaired {
    let lost = 0;
    let lookUps = 0;
    const words: string[] = [];
    for (let i = 0; i < said.length; i += 1) {
      const word = this.#squeezed(said[i]!);
      const joined = i + 1 < said.length ? this.#joined(word, said[i + 1]!) : undefined;
      if (joined !== undefined) {
        words.push(joined);
        lost += JOINT_COST;
        i += 1;
        continue;
      }
      if (word.length < MIN_REPAIRED || this.#isKnown(word) || isListed(word) || lookUps >= MAX_REPAIRS) {
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
    return this.#words.has(squeezed) ? squeezed : word.replace(/(\p{L})\1{2,}/gu, '$1');
  }

  #isKnown(word: string): boolean {
    return this.#terms.has(term(word)) || isWeak(word);
  }

  /** `can sell` -> `cancel`, `or der` -> `order`: a word that the recogniser cut in two, one half of it unknown. */
  #joined(first: string, second: string): string | undefined {
    if (this.#isKnown(first) && this.#isKnown(second)) return undefined;
    if (!this.#isKnown(first) && !isWeak(first) && first.length > 4) return undefined;
    const joined = first + second;
    if (joined.length < MIN_JOINED) return undefined;
    if (this.#words.has(joined)) return joined;
    if (isListed(first) && isListed(second)) return undefined;
    const sound = soundOf(joined);
    return sound.length >= MIN_SOUND ? this.#bySound.get(sound) : undefined;
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
    const floor = word.length < SHORT && /^[a-z]/.test(word) ? FUZZY_FLOOR_SHORT : FUZZY_FLOOR;
    for (let length = Math.max(3, word.length - 2); length <= word.length + 2; length += 1) {
      for (const candidate of this.#byLength[length] ?? []) {
        if (candidate[0] !== word[0] && (word.length <= SHORT || candidate.at(-1) !== word.at(-1))) continue;
        const likeness = similarity(word, candidate);
        if (likeness >= floor && (!best || likeness > best.likeness)) best = { word: candidate, likeness };
      }
    }
    if (best) return best;
    const alike = this.#bySound.get(soundOf(word));
    return alike === undefined ? undefined : { word: alike, likeness: SOUND_LIKENESS };
  }
}
