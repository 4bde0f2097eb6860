import { BoundedQueue } from '../core/bounded-queue.ts';
import { type Clock, delay, type Timer, timeoutSignal } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { Span } from '../core/trace.ts';
import { exportRequest, type TelemetryResource } from './otlp-json.ts';

export interface OtlpExporterOptions {
  /** Of the collector, such as `http://127.0.0.1:4318`: `/v1/traces` goes behind it. */
  readonly url: string;
  readonly resource: TelemetryResource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'traceSpans'>;
}

/** Spans that wait, about 1 kB each. Above it the newest are dropped and counted: calls go on. */
export const SPANS_MAX = 8_192;
const BATCH_MAX = 512;
const EVERY_MS = 2_000;
const ANSWER_MS_MAX = 10_000;
const TRIES_MAX = 3;
const WAIT_MS = 1_000; // doubled with each try
const CLOSE_MS_MAX = 3_000;
/** Of a collector that is away, told this often. */
const COMPLAINT_EVERY_MS = 60_000;
/** Worth another try (OTLP 1.x, "Failures"). */
const RETRYABLE: readonly number[] = [429, 502, 503, 504];

/** Sends spans to a collector over OTLP/HTTP as JSON: in batches, one request at a time, and never on the way of a call. */
export class OtlpExporter {
  readonly #waiting = new BoundedQueue<Span>(SPANS_MAX);
  readonly #url: string;
  readonly #closing = new AbortController();
  #timer: Timer | undefined;
  #sending: Promise<void> | undefined;
  #complainedMs = Number.NEGATIVE_INFINITY;
  #closed: Promise<void> | undefined;

  constructor(private readonly options: OtlpExporterOptions) {
    this.#url = `${options.url.replace(/\/+$/, '')}/v1/traces`;
  }

  readonly take = (span: Span): void => {
    if (!span.context.sampled) return;
    if (this.#closed || !this.#waiting.push(span)) return this.#count('dropped', 1);
    if (this.#waiting.length >= BATCH_MAX) this.#send();
    else this.#timer ??= this.options.clock.setTimer(EVERY_MS, () => this.#send());
  };

  /** Sends what waits, for a few seconds at most; the rest is dropped and counted. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const { clock } = this.options;
    this.#send();
    const sent = new AbortController();
    void this.#sending?.finally(() => sent.abort());
    if (this.#sending) await delay(clock, CLOSE_MS_MAX, sent.signal);
    this.#closing.abort();
    await this.#sending;
    this.#count('dropped', this.#waiting.length);
    this.#waiting.clear();
  }

  #send(): void {
    this.options.clock.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Never rejects. */
  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#closing.signal.aborted) {
      const batch: Span[] = [];
      while (batch.length < BATCH_MAX) {
        const span = this.#waiting.shift();
        if (!span) break;
        batch.push(span);
      }
      this.#count(await this.#sendBatch(batch), batch.length);
    }
  }

  async #sendBatch(batch: readonly Span[]): Promise<'exported' | 'failed'> {
    const body = JSON.stringify(exportRequest(batch, this.options.resource));
    const { clock } = this.options;
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#post(body);
      if (outcome === 'taken') return 'exported';
      if (outcome === 'refused' || tries >= TRIES_MAX || this.#closing.signal.aborted) return 'failed';
      await delay(clock, WAIT_MS * 2 ** (tries - 1), this.#closing.signal);
    }
  }

  async #post(body: string): Promise<'taken' | 'refused' | 'again'> {
    const timeout = timeoutSignal(this.options.clock, ANSWER_MS_MAX);
    try {
      const response = await fetch(this.#url, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body, redirect: 'error' },
        signal: AbortSignal.any([timeout.signal, this.#closing.signal]),
      });
      await response.body?.cancel();
      if (response.ok) return 'taken';
      this.#complain(`status ${response.status}`);
      return RETRYABLE.includes(response.status) ? 'again' : 'refused';
    } catch (error) {
      this.#complain(errorText(error));
      return 'again';
    } finally {
      timeout.cancel();
    }
  }

  #count(outcome: 'exported' | 'failed' | 'dropped', spans: number): void {
    if (spans > 0) this.options.metrics.traceSpans.inc({ outcome }, spans);
  }

  #complain(error: string): void {
    const nowMs = this.options.clock.nowMs();
    if (this.#closing.signal.aborted || nowMs - this.#complainedMs < COMPLAINT_EVERY_MS) return;
    this.#complainedMs = nowMs;
    this.options.logger.warn({ error }, 'traces were not taken by their collector');
  }
}
