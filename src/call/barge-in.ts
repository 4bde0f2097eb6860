import type { Agent } from '../core/agent.ts';
import { BACKCHANNELS, MISHEARD_BACKCHANNELS, STOP_WORDS, WEAK_WORDS } from '../core/backchannels.ts';
import type { SttHints } from '../engines/stt/contract.ts';
import type { ConversationSettings } from './conversation-settings.ts';
import { foldWords } from './folded-words.ts';

export interface BargeInInput {
  readonly speechMs: number; // how long the caller has been speaking over the agent
  readonly text: string; // recognised of it so far; '' when nothing yet
  readonly settled: string; // what of it did not change any more
  readonly final: boolean; // all of it is settled
  readonly confidence: number; // 0..1, of a final
  readonly byVoice: boolean; // voice that lasts interrupts without words, too
}

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
  return { ...hints, phrases: [...new Set([...hints.phrases, ...backchannels])] };
}

const STOP: ReadonlySet<string> = new Set([...STOP_WORDS.en, ...STOP_WORDS.ar].map(fold));
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

  judge({ speechMs, text, settled, final, confidence, byVoice }: BargeInInput): BargeInVerdict {
    const said = this.#meant(final ? text : settled);
    const stops = said > 0 && foldWords(final ? text : settled).some((word) => STOP.has(word));
    // A noise, a sound in which nothing was recognised, or one too short to interrupt by itself of which a guess was made.
    if (final) return stops || (said > 0 && confidence >= UNSURE) ? 'interrupt' : 'ignore';
    if (said >= this.settings.bargeInWords) return 'interrupt';
    if (stops) return 'interrupt';
    if (this.isBackchannel(text)) return 'wait';
    return byVoice && speechMs >= this.settings.bargeInMs ? 'interrupt' : 'wait';
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
/** Interims that stayed as they are for so long are taken as settled. */
const SETTLED_MS = 120;

/** The caller's voice over the agent's: since when, and what it is worth. */
export class Overlap {
  #sinceMs: number | undefined;
  #trusted = true; // voice without words
  #interim = { text: '', settled: '', atMs: 0 };
  constructor(private readonly policy: BargeInPolicy) {}

  begin(atMs: number): void {
    this.#sinceMs = atMs;
    this.#interim = { text: '', settled: '', atMs };
  }
  end(): void {
    this.#sinceMs = undefined;
  }
  /** An interruption turned out: `words` or nothing. Where it was noise once, it is again: then only words interrupt. */
  learn(words: boolean): void {
    this.#trusted = words;
  }
  /** @param loud - somebody speaks at this moment, and into this telephone. */
  judge(
    nowMs: number,
    text: string,
    { final, confidence = 0, loud }: { final: boolean; confidence?: number; loud: boolean },
  ): BargeInVerdict {
    const speechMs = this.#sinceMs === undefined ? 0 : nowMs - this.#sinceMs;
    const byVoice = this.#trusted && loud;
    const settled = this.#settled(nowMs, text);
    const verdict = this.policy.judge({ speechMs, text, settled, final, confidence, byVoice });
    if (verdict === 'ignore') this.end();
    return verdict;
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
