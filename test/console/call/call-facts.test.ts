import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { costGroups, costOf } from '../../../src/console/pages/call/cost.ts';
import { END_REASONS, endGrade } from '../../../src/console/pages/call/ends.ts';
import { liveTurnOf, withLive } from '../../../src/console/pages/call/live-turns.ts';
import { labelIn, outcomeGrade, RESULTS } from '../../../src/console/pages/call/outcome.ts';
import { mosGrade, qualityOf, qualityStrip } from '../../../src/console/pages/call/quality.ts';
import { CALL_RESULTS } from '../../../src/core/call-result.ts';

describe('ends of calls', () => {
  it('are those of the gateway, each with words in both languages', () => {
    const source = readFileSync(new URL('../../../src/call/call-end.ts', import.meta.url), 'utf8');
    const [, union = ''] = /export type CallEndReason =\n(.*?)\n\n/s.exec(source) ?? [];
    const reasons = [...union.matchAll(/^\s*\| '([\w-]+)'/gm)].map(([, reason]) => reason!);
    expect(reasons.length).toBeGreaterThan(20);
    expect([...END_REASONS].sort()).toEqual(reasons.sort());
    for (const language of ['en', 'ar']) {
      const file = new URL(`../../../src/console/i18n/locales/${language}/call.json`, import.meta.url);
      const { ends } = JSON.parse(readFileSync(file, 'utf8')) as { ends: Record<string, string> };
      expect(Object.keys(ends).sort()).toEqual(reasons.sort());
    }
  });

  it('are faults where they are not known', () => {
    expect(endGrade('agent-hangup')).toBe('good');
    expect(endGrade('caller-hangup')).toBe('quiet');
    expect(endGrade('no-answer')).toBe('slow');
    expect(endGrade('media-failed')).toBe('bad');
    expect(endGrade('something-new')).toBe('bad');
  });
});

describe('turns of a call that goes on', () => {
  const data = { index: 3, role: 'caller', text: 'hello', started_ms: 10, heard_ms: 20, latency_ms: null };

  it('are added to those on record, which know more and stay', () => {
    const recorded = [{ ...liveTurnOf(data)!, index: 2, stages: {} }];
    const told = [liveTurnOf({ ...data, index: 2, text: 'less' })!, liveTurnOf(data)!];
    expect(withLive(recorded, told).map(({ index, text }) => [index, text])).toEqual([
      [2, 'hello'],
      [3, 'hello'],
    ]);
  });

  it.each([{ role: 'robot' }, { index: '3' }, { text: undefined }, { started_ms: null }])(
    'are not what else may come: %o',
    (wrong) => {
      expect(liveTurnOf({ ...data, ...wrong })).toBeUndefined();
    },
  );
});

describe('quality', () => {
  it('is not there where nothing was measured', () => {
    expect(qualityOf(null)).toBeUndefined();
    expect(qualityOf({ codec: 'PCMU' })).toBeUndefined();
  });

  it('is read from what was measured', () => {
    const told = { mos: 4.1, lossPercent: 1.5, jitterMs: 7, packetsReceived: 10, packetsSent: 12, codec: 'none' };
    expect(qualityOf(told)).toMatchObject({ mos: 4.1, lossPercent: 1.5, packets: { received: 10, sent: 12 } });
    expect(qualityOf(told)?.outer).toBeUndefined();
    const outer = { outerMos: 3.2, outerLossPercent: 4, outerJitterMs: 9 };
    expect(qualityOf({ ...told, ...outer })?.outer).toEqual({
      mos: 3.2,
      lossPercent: 4,
      jitterMs: 9,
      roundTripMs: undefined,
    });
    expect(qualityOf(told)?.codec).toBeUndefined();
  });

  it.each([
    [4.4, 'good'],
    [4.0, 'slow'],
    [3.5, 'bad'],
  ] as const)('MOS %f is %s', (mos, grade) => {
    expect(mosGrade(mos)).toBe(grade);
  });
});

describe('quality over time', () => {
  const told = {
    ...{ from_ms: 0, every_ms: 5_000, mos: [4.5, 2.75, null, 1], loss_percent: [0, 10, null, 50] },
    jitter_ms: [1, 2, null, 3],
  };

  it('is a line of MOS, broken where nothing came, and bars of what was lost', () => {
    const strip = qualityStrip(told);
    expect(strip?.lines).toEqual([
      [
        [0.125, 0],
        [0.375, 0.5],
      ],
      [[0.875, 1]],
    ]);
    expect(strip?.losses).toEqual([
      { x: 0.25, width: 0.25, height: 0.5, percent: 10 },
      { x: 0.75, width: 0.25, height: 1, percent: 50 },
    ]);
    expect(strip).toMatchObject({ worst: { mos: 1, atMs: 15_000 }, untilMs: 20_000 });
  });

  it('is not drawn of less than two stretches, or of silence', () => {
    expect(qualityStrip(null)).toBeUndefined();
    expect(qualityStrip({ ...told, mos: [4.5] })).toBeUndefined();
    expect(qualityStrip({ ...told, mos: [null, null] })).toBeUndefined();
  });
});

it('costs of a kind stand in one line, the dearest first', () => {
  const lines = [
    { kind: 'call-minute', cents: 3 },
    { kind: 'call-turn', cents: 2 },
    { kind: 'call-turn', cents: 5 },
  ];
  expect(costGroups(lines)).toEqual([
    { kind: 'call-turn', count: 2, cents: 7 },
    { kind: 'call-minute', count: 1, cents: 3 },
  ]);
});

it('costs of a call that goes on are those so far', () => {
  const call = {
    cost_cents: 9,
    cost_lines: [
      { kind: 'call-minute', cents: 3 },
      { kind: 'call-turn', cents: 2 },
    ],
  };
  expect(costOf({ ...call, ended_at: null })).toBe(5);
  expect(costOf({ ...call, ended_at: '2026-01-01T00:00:00Z' })).toBe(9);
});

describe('what a call came to', () => {
  it('is called as its agent calls it, in the language of the reader where there is one', () => {
    const labels = { ar: 'إلغاء', en: 'Cancelled' };
    expect([
      labelIn(labels, 'ar'),
      labelIn(labels, 'en'),
      labelIn({ en: 'Cancelled' }, 'ar'),
      labelIn(null, 'en'),
    ]).toEqual([...['إلغاء', 'Cancelled', 'Cancelled', undefined]]);
  });

  it('is good or bad by what it is, and neither where an author has named it', () => {
    expect(['done', 'transferred', 'hung-up', 'failed', 'cancelled'].map(outcomeGrade)).toEqual([
      ...['good', 'quiet', 'slow', 'bad', 'quiet'],
    ]);
    expect([...RESULTS].sort()).toEqual([...CALL_RESULTS].sort());
  });
});
