import type { SrfSendOptions } from './drachtio.ts';

const KEY_MS = 160;
/** Keys that may wait for the INFO in front of them. */
export const INFO_KEYS_MAX = 64;

/** Sends keys by INFO (`application/dtmf-relay`), one after the answer to the one before, so that they come in their order. */
export class InfoKeys {
  #waiting = '';
  #sending = false;

  /** @param send - one INFO; resolves with its answer or without, and never rejects. */
  constructor(private readonly send: (info: Required<SrfSendOptions>) => Promise<unknown>) {}

  /** What is no key is left out, and what is one too many. */
  press(digits: string): void {
    this.#waiting = (this.#waiting + digits.toUpperCase().replace(/[^0-9*#A-D]/g, '')).slice(0, INFO_KEYS_MAX);
    if (!this.#sending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    for (let key = this.#next(); key !== ''; key = this.#next()) {
      const body = `Signal=${key}\r\nDuration=${KEY_MS}\r\n`;
      await this.send({ headers: { 'Content-Type': 'application/dtmf-relay' }, body });
    }
    this.#sending = false;
  }

  #next(): string {
    const key = this.#waiting.slice(0, 1);
    this.#waiting = this.#waiting.slice(1);
    return key;
  }
}
