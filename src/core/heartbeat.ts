/** A proxy in between forgets a connection that is silent; most wait a minute or more. */
const PING_MS = 20_000;
/** A peer that left so many pings in a row unanswered is not there any more. */
const MISSED_MAX = 2;

/**
 * When to ping the client of one socket, and when it counts as gone. Only pongs are answers: audio that still comes in
 * says nothing about whether anybody takes the transcripts.
 */
export class Heartbeat {
  #unanswered = 0;
  constructor(private pingedMs: number) {}

  /** A pong came, or none can be expected: one that was sent may lie behind audio that we do not read yet. */
  answered(): void {
    this.#unanswered = 0;
  }

  /** What is to be done now; to be asked every second or so. */
  due(nowMs: number): 'ping' | 'lost' | undefined {
    if (nowMs - this.pingedMs < PING_MS) return undefined;
    this.pingedMs = nowMs;
    if (this.#unanswered >= MISSED_MAX) return 'lost';
    this.#unanswered += 1;
    return 'ping';
  }
}
