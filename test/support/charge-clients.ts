import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** One paid request as a client remembers it, over all its attempts. */
export interface Order {
  readonly path: string;
  readonly body: object;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | undefined;
  /** The first whole answer; undefined while every attempt was cut off. */
  answer: Answer | undefined;
}

export interface Answer {
  readonly status: number;
  readonly code: string | undefined; // of an error
  readonly costCents: number;
  readonly bodySha256: string;
  readonly isReplay: boolean;
}

const TRIES_MAX = 40;
const RETRY_MS = 250;
const BUSY = new Set(['unavailable', 'rate_limited', 'idempotency_in_progress']);

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)]!;
const words = (): string => Array.from({ length: 1 + Math.floor(Math.random() * 30) }, () => 'hello').join(' ');

/** A paid request of any kind, booked at once or held first, with an answer that is short or streamed. */
function newOrder(agentId: string, keyed: boolean): Order {
  const key = keyed ? randomUUID() : undefined;
  const make = (path: string, body: object, headers: Readonly<Record<string, string>> = {}): Order => ({
    ...{ path, body, headers, key, answer: undefined },
  });
  return pick([
    () => make('/v1/privacy/redact', { text: words() }),
    () => make('/v1/privacy/redact', { text: words() }),
    () => make(`/v1/agents/${agentId}/reply`, { text: words(), audio: false }),
    () => make('/v1/speech', { text: words(), format: 'mulaw', voice: 'emma' }),
    () => make('/v1/speech/stream', { text: words(), format: 'mulaw', voice: 'emma' }),
    () => make('/v1/speech/stream', { text: words(), voice: 'emma' }, { accept: 'text/event-stream' }),
  ])();
}

/** In the place of the status of a stream that began and then told that it failed. */
const FAILED_ON_THE_WAY = 599;

function failedEvent(response: Response, bytes: Buffer): { readonly code: string } | undefined {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return undefined;
  const data = /^event: error\ndata: (.*)$/m.exec(bytes.toString())?.[1];
  return data === undefined ? undefined : JSON.parse(data).error;
}

export interface ChargeClientOptions {
  readonly token: string;
  readonly agentId: string;
  /** Sends an Idempotency-Key, and repeats it until it has an answer. */
  readonly keyed: boolean;
  readonly onAnswer: () => void;
  /** Between an answer and the next request; default none. */
  readonly pauseMs?: number;
}

/** Sends paid requests one after the other and remembers what it saw. */
export class ChargeClient {
  readonly orders: Order[] = [];
  /** What may not be: an answer that differs from an earlier one of the same key. */
  readonly faults: string[] = [];
  /** Repetitions that were told the first attempt still runs. */
  stillRunning = 0;
  #repeatFrom = 0;

  constructor(private readonly options: ChargeClientOptions) {}

  /** Until `signal` is aborted, which is when the gateway is killed; or, with a count, that many requests. */
  async work(api: string, signal: AbortSignal, count = Number.POSITIVE_INFINITY): Promise<void> {
    for (let n = 0; n < count && !signal.aborted; n += 1) {
      const order = newOrder(this.options.agentId, this.options.keyed);
      this.orders.push(order);
      order.answer = await this.#send(api, order);
      if (order.answer) this.options.onAnswer();
      await sleep(order.answer ? (this.options.pauseMs ?? 0) : 5); // Without an answer the gateway is gone: `signal` follows.
    }
  }

  /** Repeats every key since the last time: the cut off ones until they have an answer, the answered ones to compare. */
  async repeat(api: string): Promise<void> {
    const orders = this.orders.slice(this.#repeatFrom);
    this.#repeatFrom = this.orders.length;
    for (const order of orders) if (order.key !== undefined) await this.#repeatOne(api, order);
  }

  /** One request beside the others, as it comes. */
  ask(api: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return fetch(api + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.options.token}`, ...headers },
      body: JSON.stringify(body),
    });
  }

  async #repeatOne(api: string, order: Order): Promise<void> {
    for (let attempt = 0; attempt < TRIES_MAX; attempt += 1) {
      const again = await this.#send(api, order);
      if (again && !BUSY.has(again.code ?? '')) return this.#compare(order, again);
      if (again?.code === 'idempotency_in_progress') this.stillRunning += 1;
      await sleep(RETRY_MS);
    }
    this.faults.push(`${order.path}: no answer after ${TRIES_MAX} attempts`);
  }

  #compare(order: Order, again: Answer): void {
    const first = order.answer;
    const isFinal = first !== undefined && first.status === 200;
    order.answer = isFinal ? first : again; // A failure leaves the key free: the repetition is the one that counts.
    if (!isFinal) return;
    const { status, costCents, bodySha256, isReplay } = again;
    const same = status === 200 && costCents === first.costCents && bodySha256 === first.bodySha256 && isReplay;
    if (!same) this.faults.push(`${order.path}: ${JSON.stringify(first)} became ${JSON.stringify(again)}`);
  }

  /** @returns undefined when the connection broke before the whole answer was there. */
  async #send(api: string, { path, body, headers, key }: Order): Promise<Answer | undefined> {
    try {
      const keyed = key === undefined ? headers : { ...headers, 'idempotency-key': key };
      const response = await this.ask(api, path, body, keyed);
      const bytes = Buffer.from(await response.arrayBuffer());
      const error = response.ok ? failedEvent(response, bytes) : JSON.parse(bytes.toString()).error;
      return {
        status: response.ok && error ? FAILED_ON_THE_WAY : response.status,
        code: error?.code,
        costCents: error ? 0 : Number(response.headers.get('x-service-cost-cents') ?? 0),
        bodySha256: createHash('sha256').update(bytes).digest('hex'),
        isReplay: response.headers.has('idempotent-replayed'),
      };
    } catch {
      return undefined;
    }
  }
}
