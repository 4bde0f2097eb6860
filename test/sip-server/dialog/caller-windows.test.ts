import { describe, expect, it } from 'vitest';
import { CallerWindows, callerLimits } from '../../../src/sip-server/dialog/caller-windows.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const A = '198.51.100.1';
function windows(unacknowledgedMax: number, more: object = {}, trusted?: (address: string) => boolean) {
  const clock = new FakeClock();
  const callers = new CallerWindows({ ...callerLimits(unacknowledgedMax), ...more }, clock, trusted);
  /** As many calls as are admitted, at most this many, each answered at once. */
  const enter = (address: string, count: number) => {
    const tickets = [];
    for (let i = 0; i < count && callers.admits(address); i += 1) {
      const ticket = callers.enter(address);
      ticket.answered();
      tickets.push(ticket);
    }
    return tickets;
  };
  /** As many as are admitted while none is answered. */
  const burst = (address: string): number => {
    let count = 0;
    for (; count < 10_000 && callers.admits(address); count += 1) callers.enter(address);
    return count;
  };
  return { clock, callers, enter, burst };
}

describe('calls of one source that wait for its ACK', () => {
  it('a stranger gets the first few and no more', () => {
    const { callers, enter } = windows(5);
    expect(enter(A, 100)).toHaveLength(5);
    expect(callers.counters.refused).toBe(1);
  });

  it('those we have not answered wait for us: twice as many', () => {
    const { enter, burst } = windows(5);
    expect(burst(A)).toBe(10);
    const known = '203.0.113.9';
    enter(known, 1)[0]!.acknowledged();
    expect(burst(known)).toBe(12);
  });

  it.each(['acknowledged', 'left', 'silent'] as const)('one that is %s makes room for another, once', (end) => {
    const { enter } = windows(5);
    const [first] = enter(A, 5);
    first![end]();
    first![end]();
    first!.left();
    expect(enter(A, 100)).toHaveLength(end === 'acknowledged' ? 2 : 1);
  });

  it('each ACK is worth one more at once, up to a maximum', () => {
    const { enter } = windows(2, { provenMax: 6 });
    for (let i = 0; i < 10; i += 1) enter(A, 1)[0]!.acknowledged();
    expect(enter(A, 100)).toHaveLength(6);
  });

  it('a call that was never acknowledged takes the window and the proof back', () => {
    const { callers, enter } = windows(2);
    for (let i = 0; i < 10; i += 1) enter(A, 1)[0]!.acknowledged();
    expect(callers.isProven(A)).toBe(true);
    enter(A, 1)[0]!.silent();
    expect([callers.isProven(A), enter(A, 100).length]).toEqual([false, 2]);
  });

  it('while a 2xx has waited for more than T2, there are no more than at first', () => {
    const { clock, enter } = windows(2);
    for (let i = 0; i < 10; i += 1) enter(A, 1)[0]!.acknowledged();
    const [late] = enter(A, 1);
    late!.answered();
    clock.advance(4_000);
    const [more] = enter(A, 1);
    expect(more).toBeDefined();
    clock.advance(1);
    expect(enter(A, 1)).toEqual([]);
    late!.acknowledged();
    expect(enter(A, 1)).toHaveLength(1);
  });

  it('strangers together are bounded, which those who proved themselves do not feel', () => {
    const { enter } = windows(5, { unprovenTotalMax: 8 });
    enter('203.0.113.9', 1)[0]!.acknowledged();
    const forged = Array.from({ length: 50 }, (_, i) => enter(`10.0.0.${i}`, 5).length);
    expect(forged.reduce((a, b) => a + b)).toBe(8);
    expect(enter('203.0.113.9', 3)).toHaveLength(3);
  });

  it('a proof lasts ten minutes', () => {
    const { clock, callers } = windows(5);
    callers.prove(A);
    clock.advance(599_999);
    expect(callers.isProven(A)).toBe(true);
    clock.advance(1);
    expect(callers.isProven(A)).toBe(false);
  });

  it('who is trusted is not counted', () => {
    const { callers, enter } = windows(1, {}, (address) => address === A);
    expect([enter(A, 500).length, callers.isProven(A), callers.isProven('10.0.0.1')]).toEqual([500, true, false]);
  });

  it('remembers a bounded number of sources, never forgetting an open call', () => {
    const { callers, enter } = windows(5, { sourcesMax: 10, unprovenTotalMax: 1_000 });
    const [open] = enter(A, 1);
    for (let i = 0; i < 1_000; i += 1) enter(`10.1.${i >> 8}.${i & 255}`, 1)[0]!.left();
    expect(callers.sources).toBeLessThanOrEqual(11);
    expect(enter(A, 100)).toHaveLength(4);
    open!.left();
  });
});
