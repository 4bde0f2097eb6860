import { ServiceError } from './service-error.ts';

/** A time limit and the caller's own signal as one signal, and the meaning of what was thrown under it. */
export class Patience {
  readonly #limit = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #onAbort = (): void => this.#limit.abort(this.outer?.reason);

  constructor(
    private readonly ms: number,
    private readonly outer: AbortSignal | undefined,
  ) {
    if (outer?.aborted) this.#onAbort();
    outer?.addEventListener('abort', this.#onAbort, { once: true });
    this.renew();
  }

  get signal(): AbortSignal {
    return this.#limit.signal;
  }

  /** Waits the whole time once more. */
  renew(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#limit.abort(new Impatience()), this.ms);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.outer?.removeEventListener('abort', this.#onAbort);
  }

  /** What to throw for `error`: what the caller aborted with, a ServiceError for the network, else itself. */
  meaningOf(error: unknown): unknown {
    if (this.outer?.aborted) return this.outer.reason;
    if (this.signal.reason instanceof Impatience) {
      return new ServiceError({ code: 'client_timeout', message: `No answer within ${this.ms} ms.`, cause: error });
    }
    if (!(error instanceof TypeError)) return error; // fetch throws TypeErrors for everything on the network
    const { cause } = error as { cause?: { code?: string; message?: string } };
    const why = cause?.code ?? cause?.message ?? error.message;
    return new ServiceError({ code: 'unreachable', message: `The service cannot be reached: ${why}.`, cause: error });
  }
}

class Impatience extends Error {}
