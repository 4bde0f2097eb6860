import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { silentLogger } from '../../src/core/logger.ts';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { readPostmasterPid } from '../../src/store/postmaster-pid.ts';
import { Store } from '../../src/store/store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { moneyFaults } from '../support/postgres-store.ts';
import { loud, quiet, SocketClient, sendAudio } from '../support/socket-rig.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };

/** The database server of a data folder and the processes it made. */
function databaseProcesses(dataDir: string): number[] {
  const { pid } = readPostmasterPid(realpathSync(join(dataDir, 'postgres', 'data')))!;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).map(Number);
  return [pid, ...children];
}

const ready = sphinxInstalled();
if (!ready) console.warn('\n!!! OUTAGES UNDER LIVE TRANSCRIPTIONS ARE NOT TESTED: pocketsphinx not installed !!!\n');

describe.skipIf(!ready)('live transcription while the gateway loses its database, and when it is stopped', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-outage-'));
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({ dataDir, env: { NIDAA_SIP_PORT: '0', NIDAA_HTTP_PORT: '0' } });
  }, 120_000);
  afterAll(async () => {
    await gateway?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const connect = (): SocketClient =>
    new SocketClient(
      new WebSocket(`${gateway.api.replace('http', 'ws')}/v1/transcribe/ws`, {
        headers: { authorization: `Bearer ${gateway.token}` },
        perMessageDeflate: false,
      }),
    );
  /** Opened, with a sound and a pause heard. @returns the client and the id of its session. */
  async function speaking(): Promise<{ client: SocketClient; id: string }> {
    const client = connect();
    await vi.waitFor(() => expect(client.of('authenticated')).toHaveLength(1), PATIENCE);
    client.send({ type: 'start', language: 'en-US', sample_rate: 8000 });
    await vi.waitFor(() => expect(client.of('opened')).toHaveLength(1), PATIENCE);
    sendAudio(client, loud(300));
    sendAudio(client, quiet(700));
    return { client, id: client.of('authenticated')[0]!['session_id'] as string };
  }
  async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await Store.open({ dataFolder: dataDir, logger: silentLogger, attach: true });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
  /** Waits until the first audio of a session is noted. */
  const begun = (id: string): Promise<void> =>
    withStore((store) =>
      vi.waitFor(async () => {
        const { rows } = await store.pool.query('SELECT 1 FROM sessions WHERE id = $1 AND checkpoint_ms > 0', [id]);
        expect(rows).toHaveLength(1);
      }, PATIENCE),
    );
  /** What the books say about a session, once it has ended there. */
  const booked = (id: string): Promise<unknown> =>
    withStore(async (store) => {
      const row = await vi.waitFor(async () => {
        const { rows } = await store.pool.query(
          `SELECT s.end_reason AS reason, s.cost_cents::int AS cents, -l.cents::int AS booked,
            (SELECT count(*)::int FROM ledger WHERE id = s.id) AS bookings, c.state
          FROM sessions s JOIN charges c ON c.id = s.id LEFT JOIN ledger l ON l.id = s.id
          WHERE s.id = $1 AND s.ended_at IS NOT NULL`,
          [id],
        );
        expect(rows).toHaveLength(1);
        return rows[0] as object;
      }, PATIENCE);
      expect(await moneyFaults(store)).toEqual([]);
      return row;
    });

  it('a database that hangs: who speaks goes on and is told the price, who comes is refused, and it is booked later', async () => {
    const { client, id } = await speaking();
    const stopped = databaseProcesses(dataDir);
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    try {
      sendAudio(client, loud(300));
      client.send({ type: 'stop' });
      await vi.waitFor(() => expect(client.closed?.code).toBe(1000), PATIENCE);
      expect(client.of('done')).toMatchObject([{ seconds: 1.3, cost_cents: 3 }]);
      const late = connect();
      await vi.waitFor(() => expect(late.refused ?? late.closed).toBeDefined(), PATIENCE);
      expect(late.refused?.status ?? late.closed?.code).toBeOneOf([503, 4503]);
      expect(JSON.stringify(late.frames) + (late.refused?.body ?? '')).toContain('"unavailable"');
    } finally {
      for (const pid of stopped) process.kill(pid, 'SIGCONT');
    }
    expect(await booked(id)).toEqual({ reason: 'stop', cents: 3, booked: 3, bookings: 1, state: 'settled' });
    const after = await speaking();
    after.client.send({ type: 'stop' });
    await vi.waitFor(() => expect(after.client.closed?.code).toBe(1000), PATIENCE);
  }, 300_000);

  it('SIGTERM: the session is told that the service restarts, and is booked; the gateway exits with 0', async () => {
    const { client, id } = await speaking();
    await begun(id);
    const exit = gateway.stop('SIGTERM');
    await vi.waitFor(() => expect(client.closed).toEqual({ code: 1012, reason: 'shutting_down' }), PATIENCE);
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', error: { code: 'shutting_down' } });
    expect(await exit).toBe(0);
    expect(await booked(id)).toEqual({ reason: 'shutting_down', cents: 3, booked: 3, bookings: 1, state: 'settled' });
  }, 300_000);
});
