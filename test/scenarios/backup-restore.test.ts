import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { hasCommand } from '../support/caller-voice.ts';
import { runNidaa } from '../support/command-line.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { moneyFaults } from '../support/postgres-store.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 100_000 });

interface Written {
  readonly facts: {
    readonly tables: Record<string, { readonly rows: number }>;
    readonly money: { readonly ledger: number };
  };
  readonly bytes: number;
}

/** A whole installation through its commands, with calls before and after. */
describe.skipIf(!EVERY_TEST || !hasCommand('espeak-ng'))('backup, restore and move', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-test-'));
  chmodSync(folder, 0o755);
  const ends: (() => Promise<unknown> | undefined)[] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
    rmSync(folder, { recursive: true, force: true });
  });

  let gateway: Gateway;
  const dataDir = join(folder, 'data');
  const start = async (databaseUrl?: string): Promise<void> => {
    gateway = await startGateway({ dataDir, ...(databaseUrl !== undefined && { databaseUrl }) });
    ends.push(() => gateway.stop());
  };
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runNidaa({ NIDAA_DATA_DIR: dataDir, ...env }, args);
  const done = async <T>(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<T> => {
    const { code, stdout, stderr } = await run(['--json', ...args], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as T;
  };
  /** A call that is recorded and charged. @returns its id. */
  const call = async (): Promise<string> => {
    const port = gateway.sipPort;
    const steps = ['--from', '0501234567', '--pause', '800', '--keys', '1', '--seconds', '5'];
    const { sip_call_id } = await done<{ sip_call_id: string }>(['call', `sip:1000@127.0.0.1:${port}`, ...steps], {
      ...(gateway.env as Record<string, string>),
    });
    return until(
      () =>
        withStore(gateway, async (store) => {
          const found = await store.calls.get(sip_call_id);
          return found?.call.recordingState === 'ready' && found.call.id;
        }),
      'the record of the call is written',
      60_000,
    ) as Promise<string>;
  };
  const held = () =>
    withStore(gateway, async (store) => {
      expect(await moneyFaults(store)).toEqual([]);
      const { rows } = await store.pool.query<{ id: string; balance: string }>(
        'SELECT id, balance_cents AS balance FROM accounts ORDER BY id',
      );
      return rows;
    });
  const recordings = (): Map<string, string> =>
    new Map(
      readdirSync(join(dataDir, 'recordings'))
        .sort()
        .map((name) => [name, readFileSync(join(dataDir, 'recordings', name)).toString('base64')]),
    );

  it('has everything back after the data folder was lost, and the next call is taken', async () => {
    await start();
    await call();
    const file = join(folder, 'running.tar');
    await done<Written>(['backup', file]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [balances, sound] = [await held(), recordings()];
    expect(sound.size).toBeGreaterThan(1);
    const refused = await run(['restore', file, '--replace']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The gateway runs on')]);
    await gateway.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
    await done<Written>(['restore', file]);
    expect(recordings()).toEqual(sound);
    await start();
    expect(await held()).toEqual(balances);
    await call();
    await withStore(gateway, async (store) => expect((await store.calls.list()).length).toBe(2));
    const again = await run(['restore', file]);
    expect(again.code).toBe(1);
  });

  it('loses nothing of before when a restore is killed', async () => {
    await gateway.stop();
    const file = join(folder, 'stopped.tar');
    const { facts } = await done<Written>(['backup', file]);
    // Killed at several moments of its work: what was there is there, and a later one goes through.
    for (const afterMs of [300, 900, 1_500, 2_500]) {
      const script = `timeout --foreground -s KILL ${afterMs / 1_000} node scripts/run.mjs cli/nidaa restore "$1" --replace >/dev/null 2>&1`;
      spawnSync('bash', ['-c', script, 'bash', file], { env: { ...process.env, NIDAA_DATA_DIR: dataDir } });
      const probe = join(folder, `probe-${afterMs}.tar`);
      const seen = await done<Written>(['backup', probe]);
      expect(seen.facts.money).toEqual(facts.money);
      expect(seen.facts.tables['calls']).toEqual(facts.tables['calls']);
    }
    await done<Written>(['restore', file, '--replace']);
    await start();
    await call();
  });

  it('goes to a PostgreSQL elsewhere and back from there', async () => {
    const server = await PostgresServer.start(['host all all 127.0.0.1/32 scram-sha-256']);
    ends.push(() => server.dispose());
    await server.admin(`CREATE ROLE gate LOGIN PASSWORD 'geheim'`);
    await server.admin('CREATE DATABASE gate OWNER gate');
    const url = `postgresql://gate:geheim@127.0.0.1:${server.port}/gate`;
    const running = await run(['move', '--to', url]);
    expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('Stop it first')]);
    const balances = await held();
    await gateway.stop();
    const moved = await done<{ money: { ledger: number } }>(['move', '--to', url]);
    expect(moved.money.ledger).toBeGreaterThan(0);
    rmSync(join(dataDir, 'postgres'), { recursive: true, force: true });
    await start(url);
    expect(await held()).toEqual(balances);
    await call();
    const file = join(folder, 'outside.tar');
    const { facts } = await done<Written>(['backup', file], { DATABASE_URL: url });
    const after = await held();
    await gateway.stop();
    const sound = recordings();
    rmSync(dataDir, { recursive: true, force: true });
    const kept = await run(['restore', file], { DATABASE_URL: url });
    expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining('give --replace')]);
    const restored = await done<Written>(['restore', file, '--replace'], { DATABASE_URL: url });
    expect(restored.facts).toEqual(facts);
    await start(url);
    expect(await held()).toEqual(after);
    expect(recordings()).toEqual(sound);
    await call();
  });
});
