const PING = Buffer.from('\r\n\r\n');
const CR = 0x0d;
const LF = 0x0a;

export interface KeepAliveLimits {
  /** Longest silence before a ping; between this and four fifths of it, so that many connections do not ping at once. */
  readonly keepAliveMs: number;
  readonly pongMs: number;
}

/**
 * Pings on a connection that we opened (RFC 5626 §4.4.1): it stays open through NAT, and a dead peer is noticed before a call
 * needs it. Not every server answers: one that has answered once is held to it, the others are only pinged.
 */
export class KeepAlive {
  readonly #everyMs: number;
  #pingedMs: number | undefined; // the ping that is not answered
  #lastPingMs = Number.NEGATIVE_INFINITY;
  #answers = false;

  /** @param lot - 0 <= x < 1. */
  constructor(
    private readonly limits: KeepAliveLimits,
    lot: number,
  ) {
    this.#everyMs = limits.keepAliveMs * (0.8 + 0.2 * lot);
  }

  /** The peer answers pings: silence otherwise means nothing. */
  get answered(): boolean {
    return this.#answers;
  }

  /**
   * Something came.
   * @returns it without the pong; empty when that was all. A ping of the peer's is left in it.
   */
  receive(chunk: Buffer, midMessage: boolean): Buffer {
    const awaited = this.#pingedMs !== undefined;
    this.#pingedMs = undefined;
    if (!awaited || midMessage) return chunk;
    let lineEnds = 0;
    while (chunk[2 * lineEnds] === CR && chunk[2 * lineEnds + 1] === LF) lineEnds += 1;
    if (lineEnds % 2 === 0) return chunk; // a ping is two line ends, and a pong is one
    this.#answers = true;
    return chunk.subarray(2);
  }

  /**
   * What is to be done now.
   * @param activeMs - when anything else was last sent or received.
   */
  due(nowMs: number, activeMs: number): Buffer | 'dead' | undefined {
    if (this.#pingedMs !== undefined) {
      if (nowMs - this.#pingedMs < this.limits.pongMs) return undefined;
      this.#pingedMs = undefined;
      if (this.#answers) return 'dead';
    }
    if (nowMs - Math.max(activeMs, this.#lastPingMs) < this.#everyMs) return undefined;
    this.#pingedMs = nowMs;
    this.#lastPingMs = nowMs;
    return PING;
  }
}
