import type { Flow } from './flow.ts';

/** Bytes of answers for each byte received: the 2xx of an ordinary INVITE is repeated as RFC 3261 §13.3.1.4 says for 12 to 20 s. */
const ANSWERS_RATIO = 9;
/** With everything else, which is the BYE that ends a call without an ACK. */
const TOTAL_RATIO = 10;
const RESPONSE_START = Buffer.from('SIP/2.0 ');

/**
 * A UDP source that nobody knows to be there: whoever forged its address wants us to fill its line. What is sent to it stays
 * in proportion to what came from it (the idea of RFC 9000 §8.1); what is over that is not repeated, as if a datagram were lost. A caller
 * that hears nothing repeats its INVITE, and is answered for that.
 */
export class UnprovenFlow implements Flow {
  #receivedBytes: number;
  #sentBytes = 0;
  #last: Buffer | undefined;

  /**
   * @param isProven - asked for each message: the limit ends with the first sign that the source hears us.
   * @param onWithheld - a message was not sent.
   */
  constructor(
    private readonly flow: Flow,
    receivedBytes: number,
    private readonly isProven: () => boolean,
    private readonly onWithheld: () => void,
  ) {
    this.#receivedBytes = receivedBytes;
  }

  get transport(): Flow['transport'] {
    return this.flow.transport;
  }
  get remoteAddress(): string {
    return this.flow.remoteAddress;
  }
  get remotePort(): number {
    return this.flow.remotePort;
  }
  get localAddress(): string {
    return this.flow.localAddress;
  }
  get localPort(): number {
    return this.flow.localPort;
  }
  get reliable(): boolean {
    return this.flow.reliable;
  }
  get closed(): boolean {
    return this.flow.closed;
  }
  get unproven(): boolean {
    return !this.isProven();
  }

  received(bytes: number): void {
    this.#receivedBytes += bytes;
  }

  send(message: Buffer, onError?: (reason: string) => void): void {
    const isAnswer = message.subarray(0, RESPONSE_START.length).equals(RESPONSE_START);
    const allowed = (isAnswer ? ANSWERS_RATIO : TOTAL_RATIO) * this.#receivedBytes;
    // What is new goes out once whatever came before it: the end of a call is few bytes and worth them.
    const repeated = this.#last?.equals(message) === true;
    if (repeated && this.#sentBytes + message.length > allowed && this.unproven) return this.onWithheld();
    this.#last = message;
    this.#sentBytes += message.length;
    this.flow.send(message, onError);
  }
}
