import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { runNidaa } from '../support/command-line.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { moneyFaults } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 200_000 });

const NUMBER = '0507654321';

/** Somebody calls, is understood, recorded and charged; then nothing of them is anywhere. */
describe.skipIf(!EVERY_TEST || !hasCommand('espeak-ng') || !sphinxInstalled())('a caller who is erased', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway?.dispose());

  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runNidaa(gateway.env as Record<string, string>, ['--json', ...args]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  /** All that this gateway has of its own: every row of every schema, and every file but those of PostgreSQL. */
  async function everything(): Promise<string> {
    const rows = await withStore(gateway, async ({ pool }) => {
      const { rows: tables } = await pool.query<{ name: string }>(
        `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
          WHERE table_schema IN ('public', 'bullmq') AND table_type = 'BASE TABLE'`,
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const { rows: all } = await pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
        found.push(...all.map(({ row }) => row));
      }
      return found;
    });
    const textOf = (path: string): string => {
      try {
        return readFileSync(path, 'latin1');
      } catch {
        return ''; // gone since it was listed
      }
    };
    const files = readdirSync(gateway.dataDir, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && !one.parentPath.startsWith(join(gateway.dataDir, 'postgres')))
      .map((one) => `${one.name} ${textOf(join(one.parentPath, one.name))}`);
    return [...rows, ...files, Buffer.from(gateway.log()).toString('latin1')].join('\n');
  }

  it('is in no row and no file any more, and what it cost is', async () => {
    const atFirst = await everything();
    const call = [
      'call',
      gateway.sip,
      '--from',
      NUMBER,
      '--say',
      'track my order',
      '--keys',
      '4521',
      '--seconds',
      '20',
    ];
    const { sip_call_id } = await run(...call);
    const record = await until(
      () =>
        withStore(gateway, async ({ calls }) => {
          const found = await calls.get(String(sip_call_id));
          return found?.call.recordingState === 'ready' && found;
        }),
      'the record of the call is written',
      60_000,
    );
    const { id, costCents } = record.call;
    // What agents and their files say themselves is no trace of anybody.
    const said = record.turns.map(({ text }) => text).filter((text) => text.length > 3 && !atFirst.includes(text));
    const canaries = ['507654321', ...said];
    expect(said, JSON.stringify(record.turns.map(({ text }) => text))).not.toEqual([]);
    const before = await everything();
    for (const one of canaries) expect(before, one).toContain(one);
    const balance = await withStore(
      gateway,
      async ({ pool }) => (await pool.query('SELECT sum(balance_cents) FROM accounts')).rows,
    );

    const file = join(gateway.dataDir, '..', `person-${id}.tar`);
    const exported = await run('export', '+966507654321', file);
    expect(exported).toMatchObject({ calls: 1, recordings: [{ call: id, state: 'here' }] });
    expect(await run('erase', '+966 50 765 4321', '--dry-run')).toMatchObject({ found: { calls: 1, recordings: 1 } });
    expect(await run('erase', '+966 50 765 4321')).toMatchObject({
      found: { calls: 1 },
      waits: { calls: [], recordings: [] },
    });
    expect(existsSync(join(gateway.dataDir, `recordings/${id}.wav`))).toBe(false);
    let left: string[] = [];
    const isClean = async (): Promise<boolean> => {
      const now = await everything();
      left = canaries
        .filter((one) => now.includes(one))
        .map((one) => now.slice(now.indexOf(one) - 200, now.indexOf(one) + 100));
      return left.length === 0;
    };
    // The journal of charges on the disk goes with the next round of the gateway.
    await until(isClean, 'nothing of them is left', 150_000).catch(() => expect(left).toEqual([]));
    await withStore(gateway, async (store) => {
      expect(await moneyFaults(store)).toEqual([]);
      expect((await store.pool.query('SELECT sum(balance_cents) FROM accounts')).rows).toEqual(balance);
      expect((await store.calls.get(id))?.call).toMatchObject({ from: '', to: '', costCents });
    });
  });
});
