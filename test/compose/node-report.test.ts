import { describe, expect, it } from 'vitest';
import { NodeReport } from '../../src/compose/node-report.ts';
import { ServiceState } from '../../src/compose/service-state.ts';
import { silentLogger } from '../../src/core/logger.ts';
import type { NodeFacts } from '../../src/store/gateways.ts';
import { FakeClock } from '../support/fake-clock.ts';

const LEAD_MS = 5_000;
const REPORT_MS = 2_000;

async function rig() {
  const clock = new FakeClock();
  const service = new ServiceState(clock, async () => ({}));
  await service.open();
  const told: NodeFacts[] = [];
  const wish = { drain: false, isAway: false };
  const gateways = {
    tell: async (facts: NodeFacts): Promise<boolean> => {
      if (wish.isAway) throw new Error('the database is away');
      told.push(facts);
      return wish.drain;
    },
  };
  const registry = { size: 3, paused: false };
  const facts = () => ({ version: '1', sip: '127.0.0.1:5060', api: 'http://127.0.0.1:8080', capacity: 400 });
  const report = new NodeReport({ gateways, service, registry, facts, leadMs: LEAD_MS, clock, logger: silentLogger });
  const close = (): void => {
    report.close();
    service.close();
    expect(clock.pending).toBe(0);
  };
  return { clock, service, told, wish, registry, close };
}

describe('a gateway that is to be empty', () => {
  it('says so at once, refuses calls after the lead time, and serves again when it is wanted', async () => {
    const { clock, service, told, wish, registry, close } = await rig();
    await clock.advanceAsync(REPORT_MS);
    expect(told.at(-1)).toMatchObject({ phase: 'serving', calls: 3, capacity: 400 });
    wish.drain = true;
    await clock.advanceAsync(REPORT_MS);
    expect([service.part.state, service.away?.reason, registry.paused]).toEqual(['down', 'draining', false]);
    await clock.advanceAsync(LEAD_MS + REPORT_MS);
    expect([registry.paused, told.at(-1)?.phase]).toEqual([true, 'draining']);
    wish.drain = false;
    await clock.advanceAsync(REPORT_MS);
    expect([service.part.state, service.away, registry.paused]).toEqual(['ok', undefined, false]);
    close();
  });

  it('stays so while the database is away', async () => {
    const { clock, wish, registry, close } = await rig();
    wish.drain = true;
    await clock.advanceAsync(LEAD_MS + 2 * REPORT_MS);
    wish.isAway = true;
    await clock.advanceAsync(10 * REPORT_MS);
    expect(registry.paused).toBe(true);
    close();
  });
});
