import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ChargeJournal } from '../../src/billing/charge-journal.ts';
import { silentLogger } from '../../src/core/logger.ts';

describe('a journal that forgets what was applied', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-test-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has no file left of it, keeps what was not, and goes on', async () => {
    const journal = new ChargeJournal<string>(folder, silentLogger);
    const [first, second] = [journal.append('said'), journal.append('keyed')];
    journal.applied(first);
    journal.forgetApplied();
    expect(readdirSync(folder).length).toBe(1);
    journal.applied(second);
    journal.forgetApplied();
    expect(readdirSync(folder)).toEqual([]);
    journal.append('more');
    await journal.flush();
    journal.forgetApplied();
    expect(new ChargeJournal<string>(folder, silentLogger).found.map(({ fact }) => fact)).toEqual(['more']);
    await journal.close();
  });

  it('lets what was known so far go as soon as it is applied, however much comes behind it', async () => {
    const journal = new ChargeJournal<string>(folder, silentLogger);
    const first = journal.append('said');
    const last = journal.turnOver();
    expect([last, journal.isGone(last)]).toEqual([first, false]);
    journal.append('of somebody else');
    journal.applied(first);
    expect([journal.isGone(last), readdirSync(folder).length]).toEqual([true, 1]);
    await journal.flush();
    expect(new ChargeJournal<string>(folder, silentLogger).found.map(({ fact }) => fact)).toEqual(['of somebody else']);
    await journal.close();
  });
});
