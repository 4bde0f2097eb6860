import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';

/**
 * Ways in from the event loop, and inner steps that must not take each other along:
 * - `datagram`, `stream`: bytes from a UDP or connected peer, before they are a message
 * - `message`: one SIP message · `command`: one frame of an application · `timer`: one timer's callback
 * - `lookup`: the end of a name query or connection attempt · `socket`: any other event of a socket
 * - `step`: one of several independent steps, such as hanging up every call of an application that went away
 */
export const FAULT_ENTRIES = ['datagram', 'stream', 'message', 'command', 'timer', 'lookup', 'socket', 'step'] as const;
export type FaultEntry = (typeof FAULT_ENTRIES)[number];

/** Places in the code of which a fault is logged; each once, so that a fault a message cannot fill the disk. */
const PLACES_MAX = 100;
const FRAMES_LOGGED = 4;

/**
 * Stops a throw where it came in: it ends the one message, command, timer or connection it happened in, is counted, and
 * is logged once for each place in the code. No handler of a socket, timer or promise in the SIP server runs without it.
 */
export class FaultBarrier {
  readonly counters = Object.fromEntries(FAULT_ENTRIES.map((entry) => [entry, 0])) as Record<FaultEntry, number>;
  /** The clock with every callback behind the barrier. */
  readonly clock: Clock;
  readonly #places = new Set<string>();

  constructor(
    clock: Clock,
    private readonly logger: Logger,
  ) {
    this.clock = {
      nowMs: () => clock.nowMs(),
      utc: () => clock.utc(),
      setTimer: (delayMs, callback) => clock.setTimer(delayMs, () => this.run('timer', callback)),
      clearTimer: (timer) => clock.clearTimer(timer),
    };
  }

  /** Runs `work`; after a throw `onFault` ends what it happened in (answers 500, closes the connection). Never throws. */
  run(entry: FaultEntry, work: () => void, onFault?: () => void): void {
    try {
      work();
    } catch (error) {
      this.#note(entry, error);
      if (onFault) this.run('step', onFault);
    }
  }

  /** `work` as an event handler behind the barrier. */
  handler<Args extends unknown[]>(
    entry: FaultEntry,
    work: (...args: Args) => void,
    onFault?: (...args: Args) => void,
  ): (...args: Args) => void {
    return (...args) => {
      this.run(entry, () => work(...args), onFault && (() => onFault(...args)));
    };
  }

  /** Uses what a promise brings; its rejection is a fault too: those that may fail in service say so by their value. */
  when<T>(promise: Promise<T>, use: (value: T) => void, onFault?: () => void): void {
    promise.then(
      (value) => this.run('lookup', () => use(value), onFault),
      (error: unknown) => {
        this.#note('lookup', error);
        if (onFault) this.run('step', onFault);
      },
    );
  }

  #note(entry: FaultEntry, error: unknown): void {
    this.counters[entry] += 1;
    const at = framesOf(error);
    const place = `${entry} ${at[0] ?? ''}`;
    if (this.#places.has(place) || this.#places.size >= PLACES_MAX) return;
    this.#places.add(place);
    const name = error instanceof Error ? error.name : typeof error;
    // The text of an error may quote the message it was found in.
    const pii = { error: error instanceof Error ? error.message : String(error) };
    try {
      this.logger.error({ entry, fault: name, at, pii }, 'internal fault: what it happened in was given up');
    } catch {
      // A log that cannot be written must not become the next fault; the counter has it.
    }
  }
}

/** Where it was thrown, innermost first, without the text. */
function framesOf(error: unknown): readonly string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return frames.slice(0, FRAMES_LOGGED).map((line) => line.trim());
}
