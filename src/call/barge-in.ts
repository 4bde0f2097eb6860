import type { Agent } from '../core/agent.ts';
import { BACKCHANNELS, MISHEARD_BACKCHANNELS, STOP_WORDS, WEAK_WORDS } from '../core/backchannels.ts';
import type { SttHints } from '../engines/stt/contract.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import { foldWords } from './folded-words.ts';
import { SHORT_ANSWERS } from './sentence-ends.ts';

export interface BargeInInput {
  readonly speechMs: number; // how long the caller has been speaking over the agent
  readonly text: string; // recognised of it so far; '' when nothing yet
  readonly settled: string; // what of it did not change any more
  readonly unchangedMs: number; // how long the whole of it has not changed
  readonly final: boolean; // all of it is settled
  readonly confidence: number; // 0..1, of a final
  readonly voice: OverlapVoice;
}

/** Whose voice is heard over the agent's, as far as its level tells. */
export type OverlapVoice =
  | 'callers' // as loud as the caller is known to speak: if it lasts, it interrupts without words, too
  | 'somebodys' // close to the telephone: it takes a word, or what may be one
  | 'doubted' // it was a noise before, or may be several: words that are settled count
  | 'pausing' // at this moment there is none: the same
  | 'unknown' // nobody's yet: it has not lasted long enough to tell one person from several, and the caller was not heard before
  | 'distant'; // softer than the caller, or several at once: only a sentence that was recognised counts

export type BargeInVerdict =
  | 'interrupt' // stop the agent now
  | 'wait' // not enough to tell
  | 'ignore'; // settled, and only a listening noise

const fold = (text: string): string => foldWords(text).join(' ');

/** The listening noises of a call: the usual ones, the operator's and the agent's. */
export function backchannelsOf({ definition }: Agent, settings: Pick<ConversationSettings, 'backchannels'>): string[] {
  const own = definition.backchannels;
  return [...BACKCHANNELS.en, ...BACKCHANNELS.ar, ...settings.backchannels, ...(own?.en ?? []), ...(own?.ar ?? [])];
}

/** What may be said, listening noises included: a recogniser that knows only sentences makes sentences of them. */
export function withBackchannels(hints: SttHints, backchannels: readonly string[]): SttHints {
  const key = backchannels.join('|');
  const known = joined.get(hints.phrases);
  if (known?.key === key) return { ...hints, phrases: known.phrases };
  const phrases = [...new Set([...hints.phrases, ...backchannels])];
  joined.set(hints.phrases, { key, phrases });
  return { ...hints, phrases };
}

/** The same list for the same lists: who recognises can tell that it has them. */
const joined = new WeakMap<readonly string[], { readonly key: string; readonly phrases: readonly string[] }>();

const STOP: ReadonlySet<string> = new Set([...STOP_WORDS.en, ...STOP_WORDS.ar].map(fold));
const ANSWERS: ReadonlySet<string> = new Set([...SHORT_ANSWERS.en, ...SHORT_ANSWERS.ar].map(fold));
const WEAK: ReadonlySet<string> = new Set([...WEAK_WORDS.en, ...WEAK_WORDS.ar].map(fold));

/** Tells listening noises ("uh-huh", "طيب") from words that mean to interrupt. */
export class BargeInPolicy {
  readonly #backchannels: ReadonlySet<string>;
  /** Words of the longest. */
  readonly #longest: number;
  constructor(
    readonly settings: Pick<ConversationSettings, 'bargeInMs' | 'bargeInWords'>,
    backchannels: readonly string[],
  ) {
    const misheard = [...MISHEARD_BACKCHANNELS.en, ...MISHEARD_BACKCHANNELS.ar];
    this.#backchannels = new Set([...backchannels, ...misheard].map(fold));
    this.#longest = Math.max(...[...this.#backchannels].map((each) => each.split(' ').length));
  }

  /** True for one or more listening noises and nothing else: "okay okay", "نعم طيب". */
  isBackchannel(text: string): boolean {
    const words = foldWords(text);
    if (words.length === 0) return false;
    for (let at = 0; at < words.length; ) {
      let length = Math.min(this.#longest, words.length - at);
      while (length > 0 && !this.#backchannels.has(words.slice(at, at + length).join(' '))) length -= 1;
      if (length === 0) return false;
      at += length;
    }
    return true;
  }

  judge({ speechMs, text, settled, unchangedMs, final, confidence, voice }: BargeInInput): BargeInVerdict {
    const { bargeInMs, bargeInWords } = this.settings;
    const said = this.#meant(final ? text : settled);
    const stop = said > 0 ? foldWords(final ? text : settled).filter((word) => STOP.has(word)) : [];
    const stops = stop.length > 0;
    // A noise, a sound in which nothing was recognised, or one too short to interrupt by itself of which a guess was made.
    if (final) return (stops && voice !== 'distant') || (said > 0 && confidence >= UNSURE) ? 'interrupt' : 'ignore';
    const late = speechMs >= bargeInMs + WORD_WAIT_MS;
    const judged = late ? 'ignore' : 'wait';
    if (voice === 'distant') return judged;
    // A short answer is what the first syllable of several people is taken for; "stop" is not.
    if (voice === 'unknown') return stop.some((word) => !ANSWERS.has(word)) ? 'interrupt' : judged;
    if (said >= bargeInWords || stops) return 'interrupt';
    if (voice === 'pausing' || this.isBackchannel(text)) return 'wait';
    const kept = unchangedMs >= GUESS_KEPT_MS;
    const lasts = speechMs >= bargeInMs;
    const guessed = this.#meant(text) > 0 ? kept || lasts : kept && lasts && this.#beside(text) >= bargeInWords;
    if (guessed && voice !== 'doubted' && speechMs >= bargeInMs - GUESS_MS) return 'interrupt';
    if (lasts && voice === 'callers' && text === '') return 'interrupt';
    return late && voice === 'callers' ? 'interrupt' : judged;
  }

  /** Words beside the listening noises, however weak. */
  #beside(text: string): number {
    return this.isBackchannel(text) ? 0 : foldWords(text).filter((word) => !this.#backchannels.has(word)).length;
  }

  /** Words beside the listening noises, weak ones half; none where all of them are such as a recogniser puts into noises. */
  #meant(text: string): number {
    const words = foldWords(text);
    if (this.isBackchannel(text) || words.every((word) => WEAK.has(word) || this.#backchannels.has(word))) return 0;
    const meant = words.filter((word) => !this.#backchannels.has(word));
    return meant.reduce((sum, word) => sum + (WEAK.has(word) ? 0.5 : 1), 0);
  }
}

/** Words of less confidence are a guess. */
const UNSURE = 0.5;
/** A voice with a guess is believed so much earlier than one without. */
const GUESS_MS = 100;
/** unless it came just now: the next one may be another. */
const GUESS_KEPT_MS = 80;
/** So much later than a voice alone would count the first guess must be there. */
const WORD_WAIT_MS = 200;
/** Two sounds with less between them are one. */
const SAME_SOUND_MS = 400;
/** Interims that stayed as they are for so long are taken as settled. */
const SETTLED_MS = 120;

/** Voices that count for less than a doubted one already. */
const NEVER_DOUBTED: ReadonlySet<OverlapVoice> = new Set(['distant', 'pausing', 'unknown']);

/** What is heard of a voice over the agent's. */
export interface OverlapHeard {
  readonly final: boolean;
  readonly confidence?: number; // of a final
  readonly voice: OverlapVoice;
}

/** The caller's voice over the agent's: since when, and what it is worth. */
export class Overlap {
  #sinceMs: number | undefined;
  #asideMs: number | undefined; // since when the one lasted of which nothing was recognised
  #aside = ''; // what was made of it
  #trusted = true; // voice without words
  #interim = { text: '', settled: '', atMs: 0 };
  constructor(private readonly policy: BargeInPolicy) {}

  /** @param beforeMs - when the sound before it ended: one word can be two sounds. @returns false where it goes on with that. */
  begin(atMs: number, beforeMs = Number.NEGATIVE_INFINITY): boolean {
    const another = this.#asideMs === undefined || atMs - beforeMs > SAME_SOUND_MS;
    this.#sinceMs = another ? atMs : this.#asideMs;
    this.#interim = { text: '', settled: '', atMs };
    this.#aside = '';
    return another;
  }
  end(): void {
    this.#sinceMs = undefined;
    this.#asideMs = undefined;
    this.#aside = '';
  }
  /** How long it lasts. */
  speechMs(nowMs: number): number {
    return this.#sinceMs === undefined ? 0 : nowMs - this.#sinceMs;
  }
  /** An interruption turned out: `words` or nothing. Where it was noise once, it is again: then only words interrupt. */
  learn(words: boolean): void {
    this.#trusted = words;
  }
  judge(nowMs: number, text: string, heard: OverlapHeard): BargeInVerdict {
    const verdict = this.#verdict(nowMs, text, heard);
    if (verdict === 'ignore') this.setAside(heard.final ? '' : text);
    return verdict;
  }
  /** The same where nothing is decided yet but an interruption. */
  interrupts(nowMs: number, text: string, heard: OverlapHeard): boolean {
    return this.#verdict(nowMs, text, heard) === 'interrupt';
  }

  /** It may still become words: those after `text`. */
  setAside(text: string): void {
    this.#asideMs = this.#sinceMs ?? this.#asideMs;
    this.#sinceMs = undefined;
    this.#aside = text;
  }

  #verdict(nowMs: number, text: string, { final, confidence = 0, voice }: OverlapHeard): BargeInVerdict {
    const trusted = this.#trusted || NEVER_DOUBTED.has(voice) ? voice : 'doubted';
    const since = !final && this.#aside !== '' && text.startsWith(this.#aside) ? text.slice(this.#aside.length) : text;
    const settled = this.#settled(nowMs, since);
    const unchangedMs = nowMs - this.#interim.atMs;
    const speechMs = this.speechMs(nowMs);
    return this.policy.judge({ speechMs, text: since, settled, unchangedMs, final, confidence, voice: trusted });
  }

  /** The last words of an interim are a guess: what two of them in a row begin with is not, nor what stays. */
  #settled(nowMs: number, text: string): string {
    const before = this.#interim;
    if (text !== before.text) this.#interim = { text, settled: commonStart(before.text, text), atMs: nowMs };
    return nowMs - this.#interim.atMs >= SETTLED_MS ? text : this.#interim.settled;
  }
}

function commonStart(one: string, other: string): string {
  const words = one.split(' ');
  const same = other.split(' ');
  const count = same.findIndex((word, i) => word !== words[i]);
  return (count < 0 ? same : same.slice(0, count)).join(' ');
}
