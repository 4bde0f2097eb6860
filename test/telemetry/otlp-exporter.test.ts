import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { childContext, type Span } from '../../src/core/trace.ts';
import { OtlpExporter, SPANS_MAX } from '../../src/telemetry/otlp-exporter.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { OtlpCollector } from '../support/otlp-collector.ts';
import { until } from '../support/until.ts';

const span = (more: Partial<Span> = {}): Span => ({
  context: childContext(undefined),
  ...{ name: 'call', kind: 'server', startMs: 1_764_000_000_000.25, endMs: 1_764_000_001_000, attributes: {} },
  ...more,
});

let collector: OtlpCollector;
let clock: FakeClock;
let metrics: ReturnType<typeof createMetrics>;
let exporter: OtlpExporter;
beforeEach(async () => {
  collector = await OtlpCollector.start();
  clock = new FakeClock();
  metrics = createMetrics();
  exporter = exporterTo(collector.url);
});
afterEach(async () => {
  await Promise.all([exporter.close(), clock.advanceAsync(20_000, 1_000)]);
  await collector.close();
});

function exporterTo(url: string): OtlpExporter {
  const resource = { name: 'nidaa', version: '1.2.3', node: 'node-a' };
  return new OtlpExporter({ url, resource, clock, logger: silentLogger, metrics });
}

async function counted(): Promise<Record<string, number>> {
  const { values } = await metrics.traceSpans.get();
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
}

describe('spans for a collector', () => {
  it('go together, with all that they have, as the protocol writes it', async () => {
    const call = span({ attributes: { text: 'a', flag: true, whole: 3, part: 0.5 } });
    const turn = span({ context: childContext(call.context), parentSpanId: call.context.spanId, failed: true });
    exporter.take(call);
    exporter.take(turn);
    expect(collector.batches).toEqual([]);
    clock.advance(2_000);
    await until(() => collector.spans.length === 2, 'the spans come');
    expect(collector.faults).toEqual([]);
    expect(collector.resource).toEqual({
      ...{ 'service.name': 'nidaa', 'service.version': '1.2.3', 'service.instance.id': 'node-a' },
    });
    expect(collector.spans).toMatchObject([
      {
        ...{ traceId: call.context.traceId, spanId: call.context.spanId, name: 'call', kind: 2, status: { code: 0 } },
        ...{ startTimeUnixNano: '1764000000000250000', endTimeUnixNano: '1764000001000000000' },
        attributes: { text: 'a', flag: true, whole: '3', part: 0.5 },
      },
      { traceId: call.context.traceId, parentSpanId: call.context.spanId, status: { code: 2 } },
    ]);
    await until(async () => (await counted())['exported'] === 2, 'they are counted');
  });

  it('leave at once where many have gathered, and in pieces', async () => {
    for (let n = 0; n < 1_000; n += 1) exporter.take(span());
    await until(() => collector.spans.length === 1_000, 'the spans come');
    expect(Math.max(...collector.batches)).toBe(512);
  });

  it('that nobody has recorded stay here', async () => {
    exporter.take(span({ context: childContext(undefined, false) }));
    clock.advance(10_000);
    exporter.take(span());
    clock.advance(2_000);
    await until(() => collector.spans.length === 1, 'the other one comes');
    expect(await counted()).not.toHaveProperty('dropped');
  });

  it.each([429, 502, 503, 504])('are sent again after %i', async (status) => {
    collector.statuses.push(status);
    exporter.take(span());
    await clock.advanceAsync(2_000, 500);
    await until(async () => {
      await clock.advanceAsync(200, 100);
      return collector.spans.length === 1;
    }, 'the span comes');
    await until(async () => (await counted())['exported'] === 1, 'it is counted');
  });

  it('that are refused are not sent again', async () => {
    collector.statuses.push(400);
    exporter.take(span());
    clock.advance(2_000);
    await until(async () => (await counted())['failed'] === 1, 'the span is given up');
    await clock.advanceAsync(30_000, 1_000);
    expect(collector.spans).toEqual([]);
  });

  it('of a collector that is away are given up after some tries, and too many are dropped; nobody waits', async () => {
    await collector.close();
    for (let n = 0; n < SPANS_MAX + 1_000; n += 1) exporter.take(span());
    const { dropped = 0 } = await counted();
    expect(dropped).toBeGreaterThan(0);
    expect(dropped).toBeLessThanOrEqual(1_000);
    await until(async () => {
      await clock.advanceAsync(5_000, 1_000);
      const { failed = 0, dropped: lost = 0 } = await counted();
      return failed + lost === SPANS_MAX + 1_000;
    }, 'all are given up');
    collector = await OtlpCollector.start();
  });
});
