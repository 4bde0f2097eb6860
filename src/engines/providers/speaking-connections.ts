import type { Clock, Timer } from '../../core/clock.ts';
import { ChatFailure } from '../openai/chat-failure.ts';
import { TimeLimit } from '../openai/time-limit.ts';
import type { Sound } from './sound-queue.ts';

/** Nothing came for so long in the middle of a sentence: its caller hears silence. */
const STALL_MS = 3_000;
/** Connections that wait for a next sentence, and how long. */
const IDLE_MAX = 4;
const IDLE_MS = 20_000;

/** One connection to a service that speaks: one sentence at a time, as many as wanted one after the other. */
export interface SpeakingConnection<Sentence> {
  /** Another sentence can be said over it. */
  readonly usable: boolean;
  /** Told when it ends while nobody says anything over it. */
  onLost: () => void;
  /** The sound of a sentence, as it comes. @throws ChatFailure. Whoever leaves it early has to destroy the connection. */
  say(sentence: Sentence): AsyncIterable<Sound>;
  /** Ends it at once, whatever it was saying; who waits for sound is told. Idempotent. */
  destroy(): void;
  close(): void;
}

interface Idle<Sentence> {
  readonly address: string;
  readonly connection: SpeakingConnection<Sentence>;
  readonly sinceMs: number;
}

/** Connections to a service that speaks, kept from one sentence to the next. */
export class SpeakingConnections<Sentence> {
  readonly #idle: Idle<Sentence>[] = []; // used last, last
  readonly #busy = new Set<SpeakingConnection<Sentence>>();
  #sweep: Timer | undefined;
  #closed = false;

  /** @param connect - makes one more; those to the same address are as good as each other. */
  constructor(
    private readonly clock: Clock,
    private readonly connect: (address: string) => SpeakingConnection<Sentence>,
  ) {}

  /** Makes one where there is none at all. */
  warmUp(address: string): void {
    if (this.#idle.length === 0 && this.#busy.size === 0) this.#keep(address, this.connect(address));
  }

  /**
   * The sound of a sentence, over a connection that was kept or a new one. One that was kept and has died meanwhile is worth another,
   * as long as nothing was heard.
   *
   * @throws ChatFailure.
   */
  async *say(address: string, sentence: Sentence, signal: AbortSignal): AsyncGenerator<Sound> {
    const kept = this.#take(address);
    if (kept) {
      let heard = false;
      try {
        for await (const sound of this.#sound(address, kept, sentence, signal)) {
          heard ||= sound.bytes.length > 0;
          yield sound;
        }
        return;
      } catch (error) {
        if (heard || signal.aborted || !(error instanceof ChatFailure) || error.kind !== 'cut') throw error;
      }
    }
    yield* this.#sound(address, this.connect(address), sentence, signal);
  }

  close(): void {
    this.#closed = true;
    this.clock.clearTimer(this.#sweep);
    for (const { connection } of this.#idle.splice(0)) connection.close();
    for (const connection of [...this.#busy]) connection.destroy();
  }

  async *#sound(
    address: string,
    connection: SpeakingConnection<Sentence>,
    sentence: Sentence,
    signal: AbortSignal,
  ): AsyncGenerator<Sound> {
    const limit = new TimeLimit<'stalled'>(this.clock, signal);
    const onAbort = (): void => connection.destroy();
    limit.signal.addEventListener('abort', onAbort, { once: true });
    this.#busy.add(connection);
    let complete = false;
    try {
      limit.start('stalled', STALL_MS);
      for await (const sound of connection.say(sentence)) {
        limit.stop('stalled'); // whoever takes the samples may be slow
        yield sound;
        limit.start('stalled', STALL_MS);
      }
      complete = true;
    } catch (error) {
      throw limit.expired ? new ChatFailure('first-token-timeout', 'no sound for too long') : error;
    } finally {
      limit.signal.removeEventListener('abort', onAbort);
      limit.close();
      this.#busy.delete(connection);
      if (complete && connection.usable && !this.#closed && !signal.aborted) this.#keep(address, connection);
      else connection.destroy();
    }
  }

  #take(address: string): SpeakingConnection<Sentence> | undefined {
    const at = this.#idle.findLastIndex((entry) => entry.address === address && entry.connection.usable);
    return at < 0 ? undefined : this.#idle.splice(at, 1)[0]?.connection;
  }

  #keep(address: string, connection: SpeakingConnection<Sentence>): void {
    const entry = { address, connection, sinceMs: this.clock.nowMs() };
    connection.onLost = () => {
      const at = this.#idle.indexOf(entry);
      if (at >= 0) this.#idle.splice(at, 1);
    };
    this.#idle.push(entry);
    while (this.#idle.length > IDLE_MAX) this.#idle.shift()?.connection.close();
    this.#sweep ??= this.clock.setTimer(IDLE_MS, () => this.#sweepIdle());
  }

  #sweepIdle(): void {
    this.#sweep = undefined;
    const nowMs = this.clock.nowMs();
    while (this.#idle[0] && nowMs - this.#idle[0].sinceMs >= IDLE_MS) this.#idle.shift()!.connection.close();
    if (this.#idle.length > 0) this.#sweep = this.clock.setTimer(IDLE_MS, () => this.#sweepIdle());
  }
}
