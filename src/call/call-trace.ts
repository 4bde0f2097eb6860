import type { CallSummary } from '../billing/contract.ts';
import type { Clock } from '../core/clock.ts';
import { childContext, parseTraceparent, type Span, type SpanSink, type TraceContext } from '../core/trace.ts';
import type { SpokenTurn } from './turn-log.ts';

export interface CallTracing {
  readonly sink: SpanSink;
  /** Whether calls in go on with the trace that their INVITE names. */
  readonly joinsCallers: boolean;
  /** Of calls that begin a trace, the part that is recorded, 0..1. */
  readonly share: number;
}

/** The variable that `traceparent` and `X-Traceparent` of an INVITE become. */
const TRACEPARENT = 'traceparent';

type Attributes = Span['attributes'];
type Stage = readonly [name: string, fromMs: number | undefined, toMs: number | undefined];

/** What one call tells of itself as spans: call > turn > stages. Spans are made when what they tell of is over. */
export class CallTrace {
  /** Of the call's span, for whoever is asked on its behalf. */
  readonly context: TraceContext;
  readonly #parent: TraceContext | undefined;
  readonly #startMs: number; // monotonic
  readonly #unixMs: number; // to be added to a monotonic time

  constructor(
    private readonly tracing: CallTracing,
    private readonly clock: Clock,
    private readonly attributes: Attributes,
    variables: Readonly<Record<string, string>> = {},
  ) {
    this.#startMs = clock.nowMs();
    this.#unixMs = clock.utc().getTime() - this.#startMs;
    this.#parent = tracing.joinsCallers ? parseTraceparent(variables[TRACEPARENT]) : undefined;
    this.context = childContext(this.#parent, Math.random() < tracing.share);
  }

  /** What the agent said, and what it took: from the end of the caller's speech to the last sound of the answer. */
  turn({ times, heardMs, reply, aside, cutAtMs, tools = [] }: SpokenTurn): void {
    if (!this.context.sampled) return;
    const { endpointMs, speechEndMs, finalMs, firstTextMs, firstAudioMs, firstPacketMs } = times;
    const startMs = speechEndMs ?? endpointMs;
    const playedMs = firstPacketMs === undefined ? undefined : firstPacketMs + heardMs;
    const turn = this.#span(this.context, 'turn', startMs, playedMs ?? firstAudioMs ?? startMs, {
      ...{ 'nidaa.turn.reply': reply, 'nidaa.turn.aside': aside, 'nidaa.turn.interrupted': cutAtMs !== undefined },
    });
    const stages: readonly Stage[] = [
      ['recognition', speechEndMs, finalMs],
      ['endpointing', speechEndMs, speechEndMs === undefined ? undefined : endpointMs],
      ['reply', endpointMs, firstTextMs],
      ['speech', firstTextMs, firstAudioMs],
      ['playout', firstPacketMs, playedMs],
    ];
    for (const [name, fromMs, toMs] of stages) {
      if (fromMs !== undefined && toMs !== undefined) this.#span(turn, name, fromMs, toMs);
    }
    for (const { tool, outcome, startMs: fromMs, endMs } of tools) {
      const attributes = { 'nidaa.tool': tool, 'nidaa.tool.outcome': outcome };
      this.#span(turn, 'tool', fromMs, endMs, attributes, { kind: 'client', failed: outcome !== 'ok' });
    }
  }

  /** The call is over. */
  end({ answered, end: { party, reason } }: CallSummary): void {
    if (!this.context.sampled) return;
    this.tracing.sink({
      ...{ context: this.context, ...(this.#parent && { parentSpanId: this.#parent.spanId }), name: 'call' },
      ...{ kind: 'server', ...this.#time(this.#startMs, this.clock.nowMs()) },
      attributes: {
        ...this.attributes,
        'nidaa.call.answered': answered,
        'nidaa.end.party': party,
        'nidaa.end.reason': reason,
      },
      failed: party === 'gateway' && reason === 'internal',
    });
  }

  #span(
    parent: TraceContext,
    name: string,
    fromMs: number,
    toMs: number,
    attributes: Attributes = {},
    { kind = 'internal', failed = false }: Partial<Pick<Span, 'kind' | 'failed'>> = {},
  ): TraceContext {
    const context = childContext(parent);
    const time = this.#time(fromMs, toMs);
    this.tracing.sink({ context, parentSpanId: parent.spanId, name, kind, ...time, attributes, failed });
    return context;
  }

  #time(fromMs: number, toMs: number): { readonly startMs: number; readonly endMs: number } {
    return { startMs: this.#unixMs + fromMs, endMs: this.#unixMs + Math.max(fromMs, toMs) };
  }
}
