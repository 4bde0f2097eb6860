import { describe, expect, it } from 'vitest';
import { QualityLog, type QualityReading, STRETCH_MS, STRETCHES_MAX } from '../../src/media/worker/quality-log.ts';
import { configure, portOf, SlotRig } from '../support/slot-rig.ts';

const GOOD = { jitterMs: 2.04, delayMs: 40 };
/** Looks as often as a call does: twice a second. */
function look(log: QualityLog, fromMs: number, toMs: number, reading: (nowMs: number) => QualityReading): void {
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += 500) log.look(nowMs, () => reading(nowMs));
}
/** 50 packets a second, of which `missing` of each second do not come. */
const steady =
  (missing: number, more: Partial<QualityReading> = {}) =>
  (nowMs: number): QualityReading => ({
    ...{ ...GOOD, expected: nowMs / 20, missing: (nowMs / 1_000) * missing },
    ...more,
  });

describe('the quality of a call over time', () => {
  it('is that of each stretch, and not of all before it', () => {
    const log = new QualityLog();
    look(log, 1_000, 6_000, steady(0));
    look(log, 6_500, 11_000, (nowMs) => ({ ...steady(0)(nowMs), missing: (nowMs - 6_000) / 100, jitterMs: 30 })); // a fifth
    look(log, 11_500, 16_000, (nowMs) => ({ ...steady(0)(nowMs), missing: 50 }));
    expect(log.timeline()).toEqual({
      ...{ fromMs: 1_000, everyMs: STRETCH_MS },
      ...{ lossPercent: [0, 20, 0], jitterMs: [2, 30, 2], mos: [4.39, expect.any(Number), 4.39] },
    });
    expect(log.timeline()!.mos[1]).toBeLessThan(3);
  });

  it('has nothing for a stretch in which nothing came, nor for a call shorter than one', () => {
    const log = new QualityLog();
    expect(log.timeline()).toBeUndefined();
    look(log, 0, 4_500, steady(0));
    expect(log.timeline()).toBeUndefined();
    look(log, 5_000, 10_000, () => ({ ...GOOD, expected: 250, missing: 0 }));
    expect(log.timeline()).toMatchObject({ lossPercent: [0, null], mos: [expect.any(Number), null] });
    log.look(25_000, () => ({ ...GOOD, expected: 300, missing: 0 })); // the thread stood still
    expect(log.timeline()!.lossPercent).toEqual([0, null, 0, null, null]);
  });

  it('survives a sender that begins anew', () => {
    const log = new QualityLog();
    look(log, 0, 5_000, steady(1));
    look(log, 5_500, 10_000, () => ({ ...GOOD, expected: 3, missing: 0 }));
    look(log, 10_500, 15_000, () => ({ ...GOOD, expected: 100, missing: 90_000 }));
    expect(log.timeline()!.lossPercent).toEqual([2, null, 100]);
  });

  it('takes no more room however long the call is, and forgets no bad stretch', () => {
    const log = new QualityLog();
    const bad = 1_800_000;
    const hours = 10 * 3_600_000;
    look(log, 0, hours, (nowMs) => ({ ...steady(0)(nowMs), missing: nowMs > bad ? 100 : 0 }));
    const { everyMs, lossPercent, mos } = log.timeline()!;
    expect(lossPercent.length).toBeLessThan(STRETCHES_MAX);
    expect(lossPercent.length * everyMs).toBeGreaterThan(hours - 2 * everyMs);
    expect(lossPercent.indexOf(40)).toBe(Math.floor(bad / everyMs));
    expect(Math.min(...(mos as number[]))).toBeLessThan(3);
  });
});

it('a call tells it when it ends, and not before', async () => {
  const rig = new SlotRig();
  const slot = await rig.open(1);
  slot.receive(configure(1));
  const peer = rig.sockets.get(portOf(1))!;
  for (let n = 0; n < 600; n += 1) {
    peer.hz = n > 300 && n % 5 === 0 ? undefined : 440; // each fifth packet is lost
    rig.round(n);
  }
  slot.receive({ type: 'stats', call: 1 });
  expect(rig.of('stats')[0]!.stats).not.toHaveProperty('timeline');
  slot.close();
  const { timeline } = rig.of('closed')[0]!.ending;
  expect(timeline).toMatchObject({ everyMs: STRETCH_MS });
  expect(timeline!.lossPercent[0]).toBe(0);
  expect(timeline!.lossPercent[1]).toBeGreaterThan(15);
});
