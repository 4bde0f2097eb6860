import type { Clock, Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { CallEnd } from './call-end.ts';

/**
 * What a call may hold, in the order in which it is given back, and how long giving it back may take before the rest goes
 * on without it. Every limit is longer than what the part itself allows.
 */
export const CLOSE_STEP_LIMITS_MS = {
  timers: 1_000,
  ticker: 1_000,
  conversation: 1_000,
  bridge: 1_000,
  // A 200 without an ACK is waited for before its dialog may be ended (RFC 3261 §15), then the BYE has to be answered.
  signalling: 45_000,
  // Of whoever was dialled into the call: as above, and at the same time.
  secondSignalling: 45_000,
  media: 5_000,
  secondMedia: 5_000,
  record: 5_000,
  order: 5_000, // by which it was made
  metrics: 1_000,
  summary: 1_000,
  registry: 1_000,
} as const;

export type CloseStep = keyof typeof CLOSE_STEP_LIMITS_MS;

/** What goes with a step: of two people, the one who is left hears at once that the other, who may answer no BYE, has gone. */
const TOGETHER_WITH: Partial<Record<CloseStep, CloseStep>> = { signalling: 'secondSignalling', media: 'secondMedia' };

/** Gives one part back. May throw, reject or never settle: the others are given back all the same. */
export type GiveBack = (end: CallEnd) => unknown;

/**
 * The one way a call ends, refused or answered: whatever it came to hold is given back, each part once, in the order of
 * the table above, one after the other but for what goes together. A step that throws or rejects is reported; one that
 * hangs is reported and left behind.
 */
export class ClosePath {
  readonly #held = new Map<CloseStep, GiveBack>();
  #end: CallEnd | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Why the call ends, once that is decided. */
  get end(): CallEnd | undefined {
    return this.#end;
  }

  /** The call holds this from now on, in place of an earlier part of that name. After the end it is given back at once. */
  holds(step: CloseStep, giveBack: GiveBack): void {
    if (this.#end) void this.#take(step, giveBack, this.#end);
    else this.#held.set(step, giveBack);
  }

  /** Gives one part back while the call goes on, as its end would. Never rejects. */
  async release(step: CloseStep, end: CallEnd): Promise<void> {
    const giveBack = this.#held.get(step);
    this.#held.delete(step);
    if (giveBack) await this.#take(step, giveBack, end);
  }

  /** The first reason given stands; every later call waits for the same end. Never rejects. */
  close(end: CallEnd): Promise<void> {
    this.#end ??= end;
    this.#closing ??= this.#close(this.#end);
    return this.#closing;
  }

  async #close(end: CallEnd): Promise<void> {
    for (const step of Object.keys(CLOSE_STEP_LIMITS_MS) as CloseStep[]) {
      const other = TOGETHER_WITH[step];
      await Promise.all([this.release(step, end), other && this.release(other, end)]);
    }
  }

  async #take(step: CloseStep, giveBack: GiveBack, end: CallEnd): Promise<void> {
    let timer: Timer | undefined;
    try {
      const work = giveBack(end);
      if (!(work instanceof Promise)) return;
      const late = new Promise<'late'>((resolve) => {
        timer = this.clock.setTimer(CLOSE_STEP_LIMITS_MS[step], () => resolve('late'));
      });
      if ((await Promise.race([work, late])) !== 'late') return;
      this.logger.error({ step, limitMs: CLOSE_STEP_LIMITS_MS[step] }, 'a step of closing a call hangs');
    } catch (error) {
      this.logger.error({ step, error: errorText(error) }, 'a step of closing a call failed');
    } finally {
      this.clock.clearTimer(timer);
    }
  }
}
