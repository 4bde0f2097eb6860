import type { Span } from '../core/trace.ts';

/** Values of `SpanKind` and of `Status.StatusCode` in opentelemetry/proto/trace/v1/trace.proto. */
const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS = { unset: 0, error: 2 } as const;
const NANOSECONDS_PER_MS = 1_000_000n;

/** Who sends: the service, its version and the node. */
export interface TelemetryResource {
  readonly name: string;
  readonly version: string;
  readonly node: string;
}

/**
 * An `ExportTraceServiceRequest` in JSON: ids as hexadecimal text, enumerations as numbers, integers of 64 bits as text.
 * @see OTLP 1.x, "JSON Protobuf Encoding"
 */
export function exportRequest(spans: readonly Span[], { name, version, node }: TelemetryResource) {
  const resource = { 'service.name': name, 'service.version': version, 'service.instance.id': node };
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name, version }, spans: spans.map(spanJson) }],
      },
    ],
  };
}

function spanJson({ context, parentSpanId, name, kind, startMs, endMs, attributes, failed = false }: Span) {
  return {
    ...{ traceId: context.traceId, spanId: context.spanId, ...(parentSpanId !== undefined && { parentSpanId }) },
    ...{ name, kind: KINDS[kind], startTimeUnixNano: nanoseconds(startMs), endTimeUnixNano: nanoseconds(endMs) },
    ...{ attributes: attributesOf(attributes), status: { code: failed ? STATUS.error : STATUS.unset } },
  };
}

function attributesOf(attributes: Span['attributes']) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

/** A double has no room for nanoseconds since 1970: they are made of whole milliseconds and the rest. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * NANOSECONDS_PER_MS + BigInt(Math.round((ms - whole) * Number(NANOSECONDS_PER_MS))));
}
