import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ChargeJournal } from '../../src/billing/charge-journal.ts';
import { APART_MS, JournalApplier } from '../../src/billing/journal-applier.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { FakeClock } from '../support/fake-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A database that takes everything at once, but for what `refuses` says. */
function setup(refuses: (attempt: number) => Error | undefined = () => undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-applier-'));
  folders.push(folder);
  const clock = new FakeClock();
  const sent: string[] = [];
  const applier = new JournalApplier<number>({
    journal: new ChargeJournal<number>(folder, silentLogger),
    isUrgent: (fact) => fact >= 1_000,
    write: async (facts) => {
      sent.push(`begin ${facts.join(' ')}`);
      const refusal = refuses(sent.length);
      if (refusal) throw refusal;
    },
    committed: () => {},
    rejectedFile: join(folder, 'rejected.jsonl'),
    ...{ logger: silentLogger, clock, metrics: createMetrics() },
  });
  const begun = (): string[] => sent;
  const pass = (ms: number): Promise<void> => clock.advanceAsync(ms, 10);
  return { applier, begun, pass };
}

describe('facts of many calls', () => {
  it('are written together: the first at once, then what has gathered', async () => {
    const { applier, begun, pass } = setup();
    for (let fact = 1; fact <= 5; fact += 1) {
      applier.add(fact);
      await pass(20);
    }
    await pass(1);
    expect(begun()).toEqual(['begin 1', 'begin 2 3 4 5']);
    await pass(APART_MS);
    applier.add(6);
    await pass(1);
    expect(begun()).toHaveLength(3);
    await applier.close(0);
  });

  it('are not waited for by a full batch, by who closes, and by who waits until all is written', async () => {
    const { applier, begun, pass } = setup();
    for (let fact = 1; fact <= 65; fact += 1) applier.add(fact);
    await pass(1);
    expect(begun().map((text) => text.split(' ').length - 1)).toEqual([1, 64]);
    applier.add(66);
    await pass(10);
    expect(begun()).toHaveLength(2);
    expect(await applier.drained(1_000)).toBe(true);
    expect(begun().at(-1)).toBe('begin 66');
    applier.add(67);
    await pass(10);
    await applier.close(1_000);
    expect(begun().at(-1)).toBe('begin 67');
  });

  it('are written at once with one of a request', async () => {
    const { applier, begun, pass } = setup();
    applier.add(1);
    await pass(1);
    applier.add(2);
    await pass(10);
    applier.add(1_000);
    await pass(1);
    applier.add(3);
    await pass(10);
    expect(begun()).toEqual(['begin 1', 'begin 2 1000']);
    await applier.close(0);
  });

  it('say how long the oldest of them has waited for a database that is away', async () => {
    let isAway = true;
    const { applier, pass } = setup(() => (isAway ? new Error('connect ECONNREFUSED') : undefined));
    expect(applier.oldestPendingMs).toBe(0);
    applier.add(1);
    await pass(5_000);
    applier.add(2);
    await pass(5_000);
    expect(applier.oldestPendingMs).toBe(10_000);
    isAway = false;
    await pass(5_000);
    expect([applier.pending, applier.oldestPendingMs]).toEqual([0, 0]);
    await applier.close(0);
  });

  it('are not waited for where a transaction is to be run again', async () => {
    const { applier, begun, pass } = setup((attempt) =>
      attempt === 1 ? Object.assign(new Error('deadlock detected'), { code: '40P01' }) : undefined,
    );
    applier.add(1);
    await pass(1);
    expect(begun()).toEqual(['begin 1', 'begin 1']);
    await applier.close(0);
  });
});
