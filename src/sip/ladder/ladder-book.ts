import type { Clock, Timer } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { LadderRecord, TracedMessage } from '../../core/sip-ladder.ts';
import { keptMessage } from './kept-message.ts';
import { Ladder } from './ladder.ts';

/** Calls that are followed at once; the one that began first is written as it is when there are more. */
export const LADDERS_MAX = 5_000;
/** Of all of them together. */
const CHARACTERS_MAX = 64 * 1024 * 1024;
/** Calls that begin in a second, of which more than these are not followed: a flood is not read. */
export const BEGUN_PER_SECOND = 200;
/** A call is written when it is over and so long nothing more came of it: a BYE may be repeated, a challenge answered. */
export const SETTLE_MS = 1_500;
/** A call of which nothing is heard for longer than the longest of session timers. */
const FORGOTTEN_MS = 26 * 3_600_000;
const SWEEP_EVERY_MS = 500;
/** Refused calls cost their caller nothing: of a flood so many a second are kept. */
export const UNANSWERED_PER_SECOND = 10;
export const UNANSWERED_BURST = 50;
/** Call-IDs that are known before their INVITE is told of. */
const OWNERS_MAX = 1_000;
const INVITE = Buffer.from('INVITE ');
const CALL_ID = Buffer.from('\r\nCall-ID:');
/** Records in one statement. */
const WRITE_MAX = 100;

export interface LadderBookDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keep: (ladders: readonly LadderRecord[]) => Promise<void>;
}

interface Followed {
  readonly ladder: Ladder;
  heardMs: number;
}

/** Follows the messages of every call by its Call-ID, from its INVITE to a moment after its end, and has them kept. */
export class LadderBook {
  readonly counters = { kept: 0, skipped: 0, failed: 0 };
  readonly #calls = new Map<string, Followed>(); // in the order in which they began
  readonly #owners = new Map<string, string>(); // Call-ID -> our call, until its INVITE is told of
  readonly #ended: LadderRecord[] = [];
  #characters = 0;
  #begun = { second: 0, calls: 0 };
  #unanswered = { left: UNANSWERED_BURST, atMs: 0 };
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;
  #closed = false;

  constructor(private readonly deps: LadderBookDeps) {}

  /** For whoever sees the messages; see `SipTrace`. */
  readonly trace = ({ direction, peer, bytes }: TracedMessage): void => {
    if (this.#closed || !this.#mayMatter(bytes)) return;
    const message = keptMessage(bytes);
    if (!message) return;
    const { clock } = this.deps;
    let call = this.#calls.get(message.callId);
    if (!call) {
      if (!message.begins) return;
      this.#begun.calls += 1;
      call = { ladder: new Ladder(message.callId, clock.utc(), direction === 'in'), heardMs: 0 };
      this.#calls.set(message.callId, call);
      call.ladder.callId = this.#owners.get(message.callId);
      this.#owners.delete(message.callId);
    }
    const before = call.ladder.characters;
    call.ladder.add(message, direction, peer, clock.utc());
    call.heardMs = clock.nowMs();
    this.#characters += call.ladder.characters - before;
    while (this.#calls.size > LADDERS_MAX || this.#characters > CHARACTERS_MAX) {
      this.#end(this.#calls.keys().next().value as string);
    }
    this.#timer ??= clock.setTimer(SWEEP_EVERY_MS, () => this.#sweep());
  };

  /** The messages of that Call-ID are part of a call of ours that began with another. */
  belongs(sipCallId: string, callId: string): void {
    const call = this.#calls.get(sipCallId);
    if (call) call.ladder.callId = callId;
    else if (this.#owners.size < OWNERS_MAX) this.#owners.set(sipCallId, callId);
  }

  /** Calls followed now. */
  get size(): number {
    return this.#calls.size;
  }

  /** Writes all that is known. Idempotent; never rejects. */
  async close(): Promise<void> {
    this.#closed = true;
    this.deps.clock.clearTimer(this.#timer);
    for (const id of [...this.#calls.keys()]) this.#end(id);
    await this.#writing;
    await this.#write();
  }

  /** At a glance, for a message costs fifty times as much to be read: of a call that is followed, or one that begins. */
  #mayMatter(bytes: Buffer): boolean {
    const at = bytes.indexOf(CALL_ID);
    const from = at + CALL_ID.length;
    if (at >= 0 && this.#calls.has(bytes.toString('utf8', from, bytes.indexOf('\r', from)).trim())) return true;
    const isInvite = bytes.subarray(0, INVITE.length).equals(INVITE);
    if (!isInvite) return at < 0; // the Call-ID is written otherwise: to be read
    const second = Math.floor(this.deps.clock.nowMs() / 1_000);
    if (second !== this.#begun.second) this.#begun = { second, calls: 0 };
    if (this.#begun.calls < BEGUN_PER_SECOND) return true;
    this.counters.skipped += 1;
    return false;
  }

  #sweep(): void {
    const { clock } = this.deps;
    const nowMs = clock.nowMs();
    for (const [id, { ladder, heardMs }] of this.#calls) {
      if (nowMs - heardMs >= (ladder.over ? SETTLE_MS : FORGOTTEN_MS)) this.#end(id);
    }
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    const more = this.#calls.size > 0 || this.#ended.length > 0;
    this.#timer = more ? clock.setTimer(SWEEP_EVERY_MS, () => this.#sweep()) : undefined;
  }

  #end(id: string): void {
    const call = this.#calls.get(id);
    if (!call) return;
    this.#calls.delete(id);
    this.#characters -= call.ladder.characters;
    const record = call.ladder.record();
    const hasRoom = this.#ended.length < LADDERS_MAX;
    if (hasRoom && (record.answered || this.#mayKeepUnanswered())) this.#ended.push(record);
    else this.counters.skipped += 1;
  }

  #mayKeepUnanswered(): boolean {
    const nowMs = this.deps.clock.nowMs();
    const { left, atMs } = this.#unanswered;
    const now = Math.min(UNANSWERED_BURST, left + ((nowMs - atMs) * UNANSWERED_PER_SECOND) / 1_000);
    this.#unanswered = { left: now < 1 ? now : now - 1, atMs: nowMs };
    return now >= 1;
  }

  /** What the database does not take is not tried again: it is a help for people, and no record of money. */
  async #write(): Promise<void> {
    while (this.#ended.length > 0) {
      const batch = this.#ended.splice(0, WRITE_MAX);
      try {
        await this.deps.keep(batch);
        this.counters.kept += batch.length;
      } catch (error) {
        this.counters.failed += batch.length;
        this.deps.logger.warn({ ladders: batch.length, error: errorText(error) }, 'SIP ladders were not kept');
      }
    }
  }
}
