import { describe, expect, it } from 'vitest';
import type { PartState } from '../../src/api/routes/health.ts';
import { drainMsOf, ServiceState } from '../../src/compose/service-state.ts';
import { FakeClock } from '../support/fake-clock.ts';

const LEAD_MS = 10_000;
const LOOK_MS = 2_000;

function rig() {
  const clock = new FakeClock();
  const parts: Record<string, PartState> = {};
  const state = new ServiceState(clock, async () => ({ ...parts }));
  return { clock, parts, state };
}

describe('whether calls should come', () => {
  it('not before everything is introduced', async () => {
    const { state } = rig();
    expect([state.part.state, state.closed?.reason, state.away?.reason]).toEqual(['down', 'no-engine', 'no-engine']);
    await state.open();
    expect([state.part.state, state.closed, state.away]).toEqual(['ok', undefined, undefined]);
    state.close();
  });

  it.each([
    { part: 'database', reason: 'store-unavailable' },
    { part: 'node', reason: 'store-unavailable' },
    { part: 'media', reason: 'no-engine' },
    { part: 'edge', reason: 'no-engine' },
    { part: 'synthesis', reason: 'no-engine' },
    { part: 'reply', reason: 'no-engine' },
    { part: 'metrics', reason: undefined },
  ])('without $part: $reason is told, and no more when it is back', async ({ part, reason }) => {
    const { clock, parts, state } = rig();
    await state.open();
    parts[part] = { state: 'down' };
    await clock.advanceAsync(LOOK_MS);
    expect([state.away?.reason, state.closed]).toEqual([reason, undefined]);
    parts[part] = { state: 'degraded' };
    await clock.advanceAsync(LOOK_MS);
    expect(state.away).toBeUndefined();
    state.close();
  });

  it('elsewhere at once when it leaves, and here for the lead time yet; a second wish ends that', async () => {
    for (const hurries of [false, true]) {
      const { clock, state } = rig();
      await state.open();
      let over = false;
      void state.leave(LEAD_MS).then(() => {
        over = true;
      });
      expect([state.part.state, state.away?.reason, state.closed]).toEqual(['down', 'draining', undefined]);
      await clock.advanceAsync(LEAD_MS - 100, 100);
      expect(over).toBe(false);
      if (hurries) state.hurry(() => undefined);
      await clock.advanceAsync(hurries ? 10 : 100);
      expect(over).toBe(true);
      state.close();
      expect(clock.pending).toBe(0);
    }
  });

  it.each([
    { drainSeconds: 60 as const, ms: 60_000 },
    { drainSeconds: 'longest-call' as const, ms: 3_600_000 },
  ])('live calls may go on for $drainSeconds', ({ drainSeconds, ms }) => {
    const conversation = { maxCallSeconds: 3_600 } as Parameters<typeof drainMsOf>[0]['conversation'];
    expect(drainMsOf({ shutdown: { leadSeconds: 0, drainSeconds }, conversation })).toBe(ms);
  });
});
