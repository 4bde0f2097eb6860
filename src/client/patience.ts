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
    const code = CERTIFICATE_FAULT.test(why) ? 'untrusted_certificate' : 'unreachable';
    const what =
      code === 'unreachable' ? 'The service cannot be reached' : 'The certificate of the service is not believed';
    return new ServiceError({ code, message: `${what}: ${why}.`, cause: error });
  }
}

class Impatience extends Error {}

/** Codes of TLS on Node (`X509_V_ERR_...` without the beginning); a browser does not say why. */
const CERTIFICATE_FAULT = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ISSUER/;
