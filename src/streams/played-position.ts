import { FRAME_MS } from '../audio/pcm.ts';

/** A far end that plays later than this is not waited for: what was sent counts as played. */
export const LAG_MS_MAX = 2_000;
/** Frames between two marks while speech goes on: a fifth of a second. */
const MARK_EVERY_FRAMES = 10;
/** A far end that has answered none for so long knows none. */
export const UNANSWERED_MS_MAX = 5_000;
/** Marks out at once: more than ever are in `LAG_MS_MAX`. */
const MARKS_OUT_MAX = 2 * Math.ceil(LAG_MS_MAX / (MARK_EVERY_FRAMES * FRAME_MS));
const MARK_NAME = /^nidaa-(\d{1,15})$/;

interface Frame {
  readonly end: number; // position after its last sample
  readonly atMs: number; // when it has sounded, were the far end here
}
interface Mark extends Frame {
  readonly number: number;
}

/**
 * How much of what was sent the far end has played. It plays later than it was sent: the way there, and what it keeps in
 * store. Marks that it sends back when it comes to them tell how much later; without any, what was sent counts as
 * played at the moment at which it should sound. Positions are samples; what was cleared counts no more.
 */
export class PlayedPosition {
  #sent = 0;
  #played = 0;
  #frames: Frame[] = []; // sent and not known to be played: those of LAG_MS_MAX at most
  #marks: Mark[] = []; // that have not come back
  #nextMark = 1;
  #framesSinceMark = MARK_EVERY_FRAMES; // the first frame is marked: the lag is known early
  #lagMs = 0;
  #answers: 'unknown' | 'yes' | 'no' = 'unknown';

  get sent(): number {
    return this.#sent;
  }
  /** How much later than sent it is heard, as far as that is known. */
  get lagMs(): number {
    return this.#lagMs;
  }

  /**
   * A frame was sent.
   * @param atMs - when its last sample should sound.
   * @param last - nothing waits behind it.
   * @returns the mark to be sent behind it, or undefined.
   */
  frameSent(samples: number, atMs: number, last: boolean): string | undefined {
    this.#sent += samples;
    const frame = { end: this.#sent, atMs };
    this.#frames.push(frame);
    this.#framesSinceMark += 1;
    const due = last || this.#framesSinceMark >= MARK_EVERY_FRAMES;
    if (!due || this.#answers === 'no') return undefined;
    const [oldest] = this.#marks;
    if (this.#answers === 'unknown' && oldest && atMs - oldest.atMs > UNANSWERED_MS_MAX) {
      this.#answers = 'no';
      this.#marks = [];
    }
    if (this.#answers === 'no' || this.#marks.length >= MARKS_OUT_MAX) return undefined;
    const number = this.#nextMark;
    this.#nextMark += 1;
    this.#framesSinceMark = 0;
    this.#marks.push({ ...frame, number });
    return `nidaa-${number}`;
  }

  /** The far end came to a mark. Others than ours, and those of what was cleared, mean nothing. */
  marked(name: string, nowMs: number): void {
    const number = Number(MARK_NAME.exec(name)?.[1]);
    const mark = this.#marks.find((one) => one.number === number);
    if (!mark) return;
    this.#answers = 'yes';
    this.#lagMs = Math.min(LAG_MS_MAX, Math.max(0, nowMs - mark.atMs));
    this.#marks = this.#marks.filter((one) => one.number > number);
    this.playedAt(nowMs);
  }

  /** Never goes back. */
  playedAt(nowMs: number): number {
    const [oldest] = this.#marks;
    const overdueMs = this.#answers === 'yes' && oldest ? Math.min(LAG_MS_MAX, nowMs - oldest.atMs + 1) : 0;
    const soundedMs = nowMs - Math.max(this.#lagMs, overdueMs);
    while (this.#frames[0] && this.#frames[0].atMs <= soundedMs) {
      this.#played = (this.#frames.shift() as Frame).end;
    }
    return this.#played;
  }

  /** What the far end has not played, it will not play. @returns samples dropped. */
  clear(nowMs: number): number {
    const dropped = this.#sent - this.playedAt(nowMs);
    this.#sent = this.#played;
    this.#frames = [];
    this.#marks = [];
    this.#framesSinceMark = MARK_EVERY_FRAMES;
    return dropped;
  }
}
