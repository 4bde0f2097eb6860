import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv } from 'ajv';

/** A span as it came, its attributes as a plain object. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly attributes: Readonly<Record<string, unknown>>;
}
interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ReceivedSpan, 'attributes'> & { readonly attributes: readonly KeyValue[] })[];
    }[];
  }[];
}

const object = (properties: Readonly<Record<string, unknown>>, optional: readonly string[] = []) => ({
  type: 'object',
  ...{ properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) },
  additionalProperties: false,
});
const list = (items: unknown) => ({ type: 'array', items });
const text = (pattern: string) => ({ type: 'string', pattern });
const id = (digits: number) => text(`^(?!0+$)[0-9a-f]{${digits}}$`);
const attributes = list(
  object({
    key: text('^[a-z][a-z0-9_.]*$'),
    value: {
      oneOf: [
        object({ stringValue: { type: 'string' } }),
        object({ boolValue: { type: 'boolean' } }),
        object({ intValue: text('^-?\\d+$') }),
        object({ doubleValue: { type: 'number' } }),
      ],
    },
  }),
);
const time = text('^[1-9]\\d{18}$'); // nanoseconds, from 2001 to 2286
/** `ExportTraceServiceRequest` of opentelemetry/proto/collector/trace/v1, as far as it is sent here, in its JSON encoding. */
const REQUEST = object({
  resourceSpans: list(
    object({
      resource: object({ attributes }),
      scopeSpans: list(
        object({
          scope: object({ name: { type: 'string' }, version: { type: 'string' } }),
          spans: list(
            object(
              {
                ...{ traceId: id(32), spanId: id(16), parentSpanId: id(16), name: { type: 'string', minLength: 1 } },
                ...{ kind: { enum: [1, 2, 3, 4, 5] }, startTimeUnixNano: time, endTimeUnixNano: time, attributes },
                status: object({ code: { enum: [0, 1, 2] } }),
              },
              ['parentSpanId'],
            ),
          ),
        }),
      ),
    }),
  ),
});
const isRequest = new Ajv({ strict: false }).compile<ExportRequest>(REQUEST);

const plain = (pairs: readonly KeyValue[]): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector of traces on the loopback. It takes what the protocol has, and nothing else. */
export class OtlpCollector {
  readonly spans: ReceivedSpan[] = [];
  readonly batches: number[] = []; // how many spans each request had
  resource: Readonly<Record<string, unknown>> = {};
  body = ''; // all that was taken
  /** Why requests were refused. */
  readonly faults: string[] = [];
  /** What the next requests are answered; 200 behind them. */
  readonly statuses: number[] = [];
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const status = this.statuses.shift() ?? this.#take(`${request.method} ${request.url}`, request.headers, body);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });

  static async start(): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #take(line: string, headers: Readonly<Record<string, unknown>>, body: string): number {
    const request = JSON.parse(body) as unknown;
    const fault =
      line !== 'POST /v1/traces'
        ? line
        : headers['content-type'] !== 'application/json'
          ? 'content-type'
          : isRequest(request)
            ? undefined
            : JSON.stringify(isRequest.errors);
    if (fault !== undefined) {
      this.faults.push(fault);
      return 400;
    }
    this.body += body;
    const before = this.spans.length;
    for (const { resource, scopeSpans } of (request as ExportRequest).resourceSpans) {
      this.resource = plain(resource.attributes);
      for (const { spans } of scopeSpans) {
        this.spans.push(...spans.map((span) => ({ ...span, attributes: plain(span.attributes) })));
      }
    }
    this.batches.push(this.spans.length - before);
    return 200;
  }
}
