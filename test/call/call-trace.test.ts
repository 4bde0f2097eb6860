import { describe, expect, it } from 'vitest';
import { CallTrace } from '../../src/call/call-trace.ts';
import type { SpokenTurn } from '../../src/call/turn-log.ts';
import { parseTraceparent, type Span } from '../../src/core/trace.ts';
import { FakeClock } from '../support/fake-clock.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

function setup({ joinsCallers = false, share = 1, traceparent = TRACEPARENT } = {}) {
  const clock = new FakeClock();
  const spans: Span[] = [];
  const tracing = { sink: (span: Span) => void spans.push(span), joinsCallers, share };
  const originMs = clock.utc().getTime() - clock.nowMs();
  const trace = new CallTrace(tracing, clock, { 'nidaa.call.direction': 'inbound' }, { traceparent });
  const end = (): void =>
    trace.end({
      endedAt: clock.utc(),
      answered: true,
      talkMs: 0,
      end: { party: 'caller', reason: 'caller-hangup' },
      dtmf: '',
    });
  return { clock, spans, trace, end, originMs };
}

const TURN: SpokenTurn = {
  ...{ text: 'four five two one', heardMs: 900, characters: 17, reply: true, aside: false },
  times: { speechEndMs: 100, finalMs: 250, endpointMs: 600, firstTextMs: 700, firstAudioMs: 800, firstPacketMs: 820 },
  tools: [{ tool: 'GET http://shop/', outcome: 'timeout', startMs: 610, endMs: 690 }],
};

describe('a call as spans', () => {
  it('has its turns below it, and below those what took the time', () => {
    const { clock, spans, trace, end, originMs } = setup();
    trace.turn(TURN);
    clock.advance(5_000);
    end();
    const byName = new Map(spans.map((span) => [span.name, span]));
    const [call, turn] = [byName.get('call')!, byName.get('turn')!];
    expect(call.parentSpanId).toBeUndefined();
    expect(turn.parentSpanId).toBe(call.context.spanId);
    expect(new Set(spans.map(({ context }) => context.traceId)).size).toBe(1);
    const below = spans.filter(({ parentSpanId }) => parentSpanId === turn.context.spanId);
    expect(below.map(({ name, startMs, endMs }) => [name, startMs - originMs, endMs - originMs])).toEqual([
      ['recognition', 100, 250],
      ['endpointing', 100, 600],
      ['reply', 600, 700],
      ['speech', 700, 800],
      ['playout', 820, 1_720],
      ['tool', 610, 690],
    ]);
    expect([turn.startMs - originMs, turn.endMs - originMs]).toEqual([100, 1_720]);
    expect(call.endMs - call.startMs).toBe(5_000);
    expect(call.attributes).toMatchObject({ 'nidaa.call.answered': true, 'nidaa.end.reason': 'caller-hangup' });
    expect(byName.get('tool')).toMatchObject({ kind: 'client', failed: true });
    expect(JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]))).not.toContain('four');
  });

  it('has no stages that did not happen', () => {
    const { spans, trace } = setup();
    trace.turn({ ...TURN, times: { endpointMs: 10, firstAudioMs: 20 }, tools: [] });
    expect(spans.map(({ name, startMs, endMs }) => [name, endMs - startMs])).toEqual([['turn', 10]]);
  });

  it('goes on with the trace of its caller where that is wanted, recorded as that is', () => {
    const parent = parseTraceparent(TRACEPARENT)!;
    const joined = setup({ joinsCallers: true });
    joined.end();
    expect(joined.spans).toMatchObject([{ context: { traceId: parent.traceId }, parentSpanId: parent.spanId }]);
    const apart = setup();
    expect(apart.trace.context.traceId).not.toBe(parent.traceId);
    const unrecorded = setup({ joinsCallers: true, traceparent: TRACEPARENT.replace(/01$/, '00') });
    unrecorded.trace.turn(TURN);
    unrecorded.end();
    expect(unrecorded.spans).toEqual([]);
    expect(setup({ joinsCallers: true, traceparent: 'nonsense' }).trace.context.sampled).toBe(true);
  });

  it('is recorded as often as is wanted', () => {
    expect(setup({ share: 0 }).trace.context.sampled).toBe(false);
  });
});
