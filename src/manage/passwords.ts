import { randomBytes } from 'node:crypto';
import { CodecThread } from '../audio/codecs/codec-thread.ts';
import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import { workerUrl } from '../core/worker-url.ts';
import type { PasswordAnswer, PasswordRequest } from './password-worker.ts';

/** What argon2id takes (RFC 9106 §3.1), and what is compared where nobody is called so, so that it takes as long. */
export interface PasswordCost {
  readonly memoryKib: number;
  readonly passes: number;
  readonly nobodys: string; // of the same cost, and of a password that nobody knows
}

/** Waiting for the thread; each takes 60 ms of a processor. */
const OWED_MAX = 8;
const ANSWER_MS_MAX = 30_000;
const HEAP_MB_MAX = 64;
/** The thread goes when nobody signs in: it holds 20 MB. */
const IDLE_MS = 60_000;
/** As OWASP has it for argon2id: 19 MiB, two passes. */
export const OWASP_COST: PasswordCost = {
  ...{ memoryKib: 19_456, passes: 2 },
  nobodys: '$argon2id$v=19$m=19456,t=2,p=1$JCThvVJuRwbr/OZcLO6Ekg$ybxliwOyCe4g0YDXUvB4wbEv9x+gfC9L0jmDIR3FJ7c',
};

/** The same characters, however they were typed (RFC 8265 §4.2.2). */
const folded = (password: string): string => password.normalize('NFC');

/** Passwords as argon2id (RFC 9106), in a thread of their own: calls go on beside it. */
export class Passwords {
  readonly #thread: CodecThread;
  #idle: object | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly cost = OWASP_COST,
  ) {
    const url = workerUrl(import.meta.url, './password-worker');
    this.#thread = new CodecThread({ url, clock, answerMs: ANSWER_MS_MAX, heapMbMax: HEAP_MB_MAX });
  }

  /** @returns the hash with its salt and cost, as a PHC string. @throws ServiceError `unavailable`. */
  hash(password: string): Promise<string> {
    const { memoryKib, passes } = this.cost;
    return this.#ask({ password: folded(password), salt: randomBytes(16), memoryKib, passes }) as Promise<string>;
  }

  /** Takes as long where there is no hash. @throws ServiceError `unavailable`. */
  async matches(password: string, hash: string | null | undefined): Promise<boolean> {
    const matches = await this.#ask({ password: folded(password), hash: hash ?? this.cost.nobodys });
    return matches === true && typeof hash === 'string';
  }

  async close(): Promise<void> {
    this.clock.clearTimer(this.#idle);
    await this.#thread.close();
  }

  async #ask(request: PasswordRequest): Promise<PasswordAnswer> {
    if (this.#thread.owed >= OWED_MAX) throw new ServiceError('unavailable');
    this.clock.clearTimer(this.#idle);
    try {
      return (await this.#thread.ask(request)) as PasswordAnswer;
    } catch (cause) {
      throw new ServiceError('unavailable', '', { cause });
    } finally {
      this.clock.clearTimer(this.#idle);
      this.#idle = this.clock.setTimer(IDLE_MS, () => {
        if (this.#thread.owed === 0) this.#thread.recycle();
      });
    }
  }
}
