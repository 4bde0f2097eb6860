import type { PauseNote, VoiceNote } from '../core/turn-details.ts';
import type { ReplyRequest } from '../engines/reply/contract.ts';

/** A final that has not come so long after the flush is excused. */
const EXCUSE_AFTER_MS = 1_200;
/**
 * After that it is waited for so long. On a machine that does much else recognition takes seconds: waiting for what was said is
 * better than asking for it again.
 */
export const FINAL_WAIT_MS = EXCUSE_AFTER_MS + 5_000;
/** More words than that, of which nothing was settled, were another sentence. */
const GUESS_WORDS_MAX = 3;
/** A word of a sentence that was only begun takes no longer than that; of speech that is not understood far fewer words are guessed. */
const GUESS_WORD_MS = 700;
/** A listening noise over the agent's last words still counts as an answer for this long. */
const ASIDE_MS = 1500;

/** A caller turn as recorded; times on the monotonic clock. */
export interface CallerTurnRecord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly spoken: boolean; // keys and silence have no end of speech to measure from
  readonly endpointMs: number; // when the pause was judged long enough
  readonly finalMs?: number; // when its transcript was settled
  /** How its pauses were judged, and that of its end. */
  readonly pauses?: readonly PauseNote[];
  readonly pause?: () => PauseNote;
  readonly voice?: VoiceNote;
}

/** The caller's turn while it is being spoken: stretches of speech, their finals, and when it counts as over. */
export class CallerTurn {
  interim = '';
  /** It began while the agent was speaking. */
  overAgent = false;
  #stretchFrom = 0; // finals before it belong to earlier stretches
  #stretchMs = 0; // when it began
  #finals: { text: string; confidence: number; language: string | undefined }[] = [];
  #startMs: number | undefined;
  #endMs = 0;
  #finalMs: number | undefined;
  #endpointMs: number | undefined;
  #excused = false;
  #guess = ''; // the last interim of a stretch that ended without words
  #aside: { text: string; confidence: number; atMs: number } | undefined;
  #missed: { readonly startMs: number; readonly endMs: number } | undefined;

  get text(): string {
    return this.#finals.map((final) => final.text).join(' ');
  }
  /** The weakest of its parts. */
  get confidence(): number {
    return this.#finals.length === 0 ? 1 : Math.min(...this.#finals.map((final) => final.confidence));
  }
  /** Of its last words, where the recogniser knows. */
  get language(): string | undefined {
    return this.#finals.findLast(({ language }) => language !== undefined)?.language;
  }
  /** The end of its latest stretch. */
  get endMs(): number {
    return this.#endMs;
  }
  get speechMs(): number {
    return this.#startMs === undefined ? 0 : Math.max(0, this.#endMs - this.#startMs);
  }
  /** `resumed`: the last stretch goes on, what was recognised of it so far comes again. */
  speechStarted(atMs: number, resumed = false): void {
    this.#startMs ??= atMs;
    this.#endpointMs = undefined;
    this.#missed = undefined;
    if (resumed) {
      this.#finals.length = this.#stretchFrom;
      return;
    }
    this.#stretchFrom = this.#finals.length;
    this.#stretchMs = atMs;
  }
  speechEnded(atMs: number): void {
    this.#endMs = atMs;
  }
  heard(text: string, confidence: number, atMs: number, language?: string): void {
    this.#finalMs = atMs;
    this.#guess = text.trim() === '' && this.#isLikely(this.interim) ? this.interim : '';
    this.interim = '';
    if (text.trim() === '') return;
    this.#finals.push({ text: text.trim(), confidence, language });
    if (this.#startMs !== undefined || !this.#missed) return;
    this.#startMs = this.#missed.startMs;
    this.#endMs = this.#missed.endMs;
  }

  /** Keeps a listening noise for `takeAside`. */
  setAside(text: string, confidence: number, atMs: number): void {
    this.interim = '';
    this.#aside = text === '' ? undefined : { text, confidence, atMs };
    this.#startMs = this.#finals.length === 0 ? undefined : this.#startMs;
  }
  takeAside(nowMs: number): { text: string; confidence: number; atMs: number } | undefined {
    const aside = this.#aside;
    this.#aside = undefined;
    return aside && nowMs - aside.atMs <= ASIDE_MS ? aside : undefined;
  }

  /** What was recognised so far, interim words included. */
  get textSoFar(): string {
    return `${this.text} ${this.interim}`.trim();
  }
  /**
   * The last few words of a stretch that was settled as nothing. A recogniser of sentences settles on nothing where one was only
   * begun: then a guess is better than none.
   */
  get guess(): string {
    return this.#guess;
  }
  #isLikely(guess: string): boolean {
    const words = guess.split(' ').length;
    return words <= GUESS_WORDS_MAX && this.#endMs - this.#stretchMs <= words * GUESS_WORD_MS;
  }
  /** Notes when the pause was judged long enough. @returns what the final that is still to come is worth now. */
  waitForFinal(nowMs: number): 'wait' | 'excuse' | 'late' {
    this.#endpointMs ??= nowMs;
    const waitedMs = nowMs - this.#endpointMs;
    if (waitedMs >= FINAL_WAIT_MS) return 'late';
    if (waitedMs < EXCUSE_AFTER_MS || this.#excused) return 'wait';
    this.#excused = true;
    return 'excuse';
  }

  /** The turn as it stands, for the record and for measuring. */
  snapshot(input: ReplyRequest['input'], nowMs: number): CallerTurnRecord {
    const heard = this.#startMs !== undefined && input !== 'silence';
    return {
      text: input === 'silence' ? '' : this.text,
      startMs: heard ? this.#startMs! : nowMs,
      endMs: heard ? this.#endMs : nowMs,
      spoken: heard && input === 'speech',
      // In the order of cause and effect: the final of an earlier stretch is no final of what was said after it.
      endpointMs: Math.max(this.#endpointMs ?? nowMs, heard ? this.#endMs : 0),
      ...(this.#finalMs !== undefined && { finalMs: Math.max(this.#finalMs, heard ? this.#endMs : 0) }),
    };
  }
  /** The turn was thought complete and is not: what was said stays. */
  reopen(): void {
    this.#finalMs = undefined;
    this.#endpointMs = undefined;
  }
  /** Its words did not come. Where they do after all, they were said then. */
  miss(): void {
    const { endMs } = this;
    const startMs = this.#startMs;
    this.reset();
    if (startMs !== undefined) this.#missed = { startMs, endMs };
  }
  reset(): void {
    this.#missed = undefined;
    this.interim = '';
    this.overAgent = false;
    this.#excused = false;
    this.#guess = '';
    this.#finals = [];
    this.#stretchFrom = 0;
    this.#startMs = undefined;
    this.#finalMs = undefined;
    this.#endpointMs = undefined;
  }
}
