import { readFileSync } from 'node:fs';
import { Counter, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { watchProcess } from '../../../src/core/metrics/process-metrics.ts';
import { CountFollower, createMetrics } from '../../../src/core/metrics.ts';

interface Described {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labelNames: readonly string[];
}

/** What Prometheus wants of names: base units, and a counter is told by its ending. */
const OTHER_UNITS = /_(?:ms|milliseconds|minutes|hours|kb|mb|kilobytes|megabytes|percent)(?:_|$)/;

const described = createMetrics().registry.getMetricsAsArray() as unknown as readonly Described[];
const table = readFileSync(new URL('../../../src/core/metrics/README.md', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'));

describe('the table of metrics', () => {
  it('has each metric with its kind, its labels and what it says, and no other', () => {
    const rows = described.map(
      ({ name, type, labelNames, help }) =>
        `| \`${name}\` | ${type} | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    );
    expect(table).toEqual(rows);
  });
});

describe.each(described)('$name', ({ name, type, help, labelNames }) => {
  it('is named as Prometheus wants it', () => {
    expect(name).toMatch(/^(?:nidaa|process|nodejs)_[a-z0-9]+(?:_[a-z0-9]+)*$/);
    expect(name).not.toMatch(OTHER_UNITS);
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name).not.toMatch(/_(?:count|sum|bucket)$/);
    expect(help.length).toBeGreaterThan(10);
  });

  it('has labels of few values, none of a person or a call', () => {
    expect(labelNames.length).toBeLessThanOrEqual(3);
    const told = labelNames.filter((label) =>
      /call|account|from|^to$|number|phone|address|peer|token|(?:^|_)id$/i.test(label),
    );
    expect(told).toEqual([]);
  });
});

describe('a count that somebody else keeps', () => {
  const counts = async (totals: readonly number[]): Promise<number> => {
    const counter = new Counter({ name: 'counted_total', help: 'for this test', registers: [new Registry()] });
    const follower = new CountFollower();
    for (const total of totals) follower.follow(counter, {}, total);
    return (await counter.get()).values[0]!.value;
  };

  it.each([
    { name: 'rises', totals: [2, 5], counted: 5 },
    { name: 'stands', totals: [3, 3, 3], counted: 3 },
    { name: 'begins again', totals: [7, 2, 4], counted: 11 },
    { name: 'begins again at nothing', totals: [7, 0, 1], counted: 8 },
  ])('$name', async ({ totals, counted }) => {
    expect(await counts(totals)).toBe(counted);
  });
});

describe('the process', () => {
  it('tells what it uses, and how the event loop and the heap fare', async () => {
    const metrics = createMetrics();
    const watch = watchProcess(metrics);
    try {
      watch.read();
      const text = await metrics.registry.metrics();
      for (const name of [
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'nodejs_heap_size_used_bytes',
      ]) {
        expect(Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])).toBeGreaterThan(0);
      }
      expect(Number(/^process_open_fds (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(2);
      expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    } finally {
      watch.close();
    }
  });
});
