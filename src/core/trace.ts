import { randomBytes } from 'node:crypto';

/** Where a span stands: what others need to hang theirs below it (W3C Trace Context §3.2). */
export interface TraceContext {
  readonly traceId: string; // 32 hexadecimal digits, not all zero
  readonly spanId: string; // 16, not all zero
  /** Whether whoever began the trace has it recorded. */
  readonly sampled: boolean;
}

/** One piece of work and its time. Attributes have few values, and nothing of what a caller says, keys or is. */
export interface Span {
  readonly context: TraceContext;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  readonly startMs: number; // Unix time, fractional
  readonly endMs: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly failed?: boolean;
}
/** Takes a finished span. Never throws, and keeps nobody waiting. */
export type SpanSink = (span: Span) => void;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Reads a `traceparent`; undefined where it is none (W3C Trace Context §3.2.2). */
export function parseTraceparent(text: string | undefined): TraceContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(text?.trim() ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

export const traceparentOf = ({ traceId, spanId, sampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** Below `parent`, or the first of a trace of its own. */
export function childContext(parent: TraceContext | undefined, sampled = true): TraceContext {
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    sampled: parent?.sampled ?? sampled,
  };
}
