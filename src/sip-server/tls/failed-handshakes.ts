import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';

/** A scanner that fails a thousand times a second is a line now and then. */
const LOG_EVERY_MS = 10_000;

/**
 * Tells why peers do not get as far as SIP over TLS: a phone that does not believe our certificate shows nowhere else. The code
 * is that of OpenSSL, such as `ERR_SSL_TLSV1_ALERT_UNKNOWN_CA`.
 */
export class FailedHandshakes {
  #untold = 0;
  #toldMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  note(source: string, code: string): void {
    const nowMs = this.clock.nowMs();
    if (nowMs - this.#toldMs < LOG_EVERY_MS) {
      this.#untold += 1;
      return;
    }
    this.logger.info({ code, others: this.#untold, pii: { source } }, 'a TLS handshake failed');
    this.#toldMs = nowMs;
    this.#untold = 0;
  }
}
