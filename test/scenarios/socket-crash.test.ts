import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_PRICES, liveCents } from '../../src/billing/prices.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { sphinxInstalled } from '../../src/engines/stt/model-folder.ts';
import { Store } from '../../src/store/store.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { moneyFaults } from '../support/postgres-store.ts';
import { LONG } from '../support/property-runs.ts';
import { LIVES, SocketLife } from '../support/socket-life.ts';
import { until } from '../support/until.ts';

/** SOCKET_KILLS=100 SOCKET_KILL_SEED=7 for more of them, or for the same ones again. */
const KILLS = Number(process.env['SOCKET_KILLS'] ?? (LONG ? 12 : 4));
const SEED = Number(process.env['SOCKET_KILL_SEED'] ?? Math.floor(Math.random() * 1e6));
const SOCKETS_A_KILL = 10;
const LIFE_MS_MAX = 4_000;
const MINUTE_MS = 60_000;
const MINUTE_CENTS = DEFAULT_PRICES.liveMinuteCents;

/** Numbers in [0, 1) that come again with the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface SessionRow {
  readonly id: string;
  readonly checkpoint_ms: number;
  readonly end_reason: string | null;
  readonly cost_cents: number;
  readonly bookings: number; // ledger rows of it
  readonly booked_cents: number;
}

const ready = sphinxInstalled();
if (!ready)
  console.warn('\n!!! THE PRICE OF INTERRUPTED LIVE TRANSCRIPTIONS IS NOT TESTED: pocketsphinx not installed !!!\n');

describe.skipIf(!ready)(`kill -9 under live transcriptions, seed ${SEED}`, () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nidaa-kill-'));
  const random = randomFrom(SEED);
  const lives: SocketLife[] = [];
  let gateway: Gateway;
  let token: string;

  const start = async (): Promise<void> => {
    // Free ports of the system: dozens of starts on ports that were looked for would meet another program some day.
    gateway = await startGateway({
      dataDir,
      env: { NIDAA_LOG_LEVEL: 'warn', NIDAA_SIP_PORT: '0', NIDAA_HTTP_PORT: '0' },
    });
  };
  beforeAll(async () => {
    await start();
    token = gateway.token; // shown once, at the first start
  }, 120_000);
  afterAll(async () => {
    for (const life of lives) await life.end();
    await gateway?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const store = await Store.open({ dataFolder: dataDir, logger: silentLogger, attach: true });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
  const sessions = (store: Store): Promise<SessionRow[]> =>
    store.pool
      .query(
        `SELECT s.id, s.checkpoint_ms, s.end_reason, s.cost_cents::int,
          count(l.seq)::int AS bookings, coalesce(-sum(l.cents), 0)::int AS booked_cents
        FROM sessions s LEFT JOIN ledger l ON l.id = s.id OR l.id LIKE s.id || '/%' GROUP BY s.id ORDER BY s.started_at`,
      )
      .then(({ rows }) => rows as SessionRow[]);

  /** Sockets in every moment of their lives, then SIGKILL after `killMs`. */
  async function killAfter(killMs: number): Promise<void> {
    const running = Array.from({ length: SOCKETS_A_KILL }, async (_, i) => {
      await sleep(random() * killMs);
      lives.push(new SocketLife({ api: gateway.api, token }, LIVES[i % LIVES.length]!, random() * killMs));
    });
    await sleep(killMs);
    await gateway.stop('SIGKILL');
    await Promise.all(running);
    for (const life of lives) await life.end();
  }

  /** Audio that is sent ahead is heard at twice its speed: half a minute until the second minute is noted. */
  async function secondMinuteBegins(): Promise<void> {
    lives.push(new SocketLife({ api: gateway.api, token }, 'sends-ahead', 0));
    await withStore(async (store) => {
      for (let i = 0; i < 120; i += 1) {
        if ((await sessions(store)).some((row) => row.checkpoint_ms > MINUTE_MS)) return;
        await sleep(500);
      }
      throw new Error(`no second minute began: ${JSON.stringify(await sessions(store))} ${gateway.log()}`);
    });
  }

  /** One that ends before any kill: its client is told a price, which no restart may change. */
  async function oneIsTold(): Promise<void> {
    const life = new SocketLife({ api: gateway.api, token }, 'stops', 500);
    lives.push(life);
    await until(() => life.done, 'a client is told its price', 60_000);
  }

  async function check(): Promise<SessionRow[]> {
    return withStore(async (store) => {
      const rows = await sessions(store);
      expect(await moneyFaults(store)).toEqual([]);
      const { rows: open } = await store.pool.query("SELECT id FROM charges WHERE state = 'reserved'");
      expect(open).toEqual([]); // nothing pending
      const { rows: spent } = await store.pool.query(
        "SELECT -sum(cents)::int AS cents FROM ledger WHERE kind <> 'topup'",
      );
      expect(spent[0]!.cents ?? 0).toBe(rows.reduce((sum, row) => sum + row.cost_cents, 0));
      for (const row of rows) {
        expect(row.end_reason, row.id).not.toBeNull();
        expect(row.bookings, row.id).toBe(row.cost_cents > 0 ? 1 : 0);
        expect(row.booked_cents, row.id).toBe(row.cost_cents);
        expect(row.cost_cents, row.id).toBe(liveCents(DEFAULT_PRICES, row.checkpoint_ms));
      }
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const { sessionId, life, sentCents, done } of lives) {
        if (sessionId === undefined) continue; // its client never heard of it
        const cents = byId.get(sessionId)?.cost_cents;
        const name = `${life} ${sessionId}`;
        expect(cents, name).toBeDefined();
        expect(cents, name).toBeLessThanOrEqual(sentCents);
        if (done)
          expect(cents, name).toBe(done.cost_cents); // what a client was told is what it pays
        else if (life !== 'sends-ahead') expect(sentCents - cents!, name).toBeLessThanOrEqual(MINUTE_CENTS);
      }
      return rows;
    });
  }

  it(
    `${KILLS} times: every session is billed once, for its started minutes`,
    async () => {
      for (let i = 0; i < KILLS; i += 1) {
        if (i === 0) await Promise.all([oneIsTold(), secondMinuteBegins()]);
        await killAfter(200 + random() * LIFE_MS_MAX);
        await start();
        await check();
      }
      const rows = await check();
      const interrupted = rows.filter((row) => row.end_reason === 'interrupted');
      const priced = (cents: number) => interrupted.filter((row) => row.cost_cents === cents).length;
      const told = lives.filter((life) => life.done).length;
      console.info(
        `${KILLS} kills, seed ${SEED}: ${rows.length} sessions, ${interrupted.length} interrupted ` +
          `(${priced(0)} x 0, ${priced(MINUTE_CENTS)} x ${MINUTE_CENTS}, ${priced(2 * MINUTE_CENTS)} x ${2 * MINUTE_CENTS} cents), ${told} told their price`,
      );
      expect(priced(MINUTE_CENTS)).toBeGreaterThan(0);
      expect(priced(2 * MINUTE_CENTS)).toBeGreaterThan(0);
      expect(told).toBeGreaterThan(0);

      await gateway.stop('SIGKILL');
      await start();
      expect(await check()).toEqual(rows); // a start settles nothing twice
    },
    (120 + KILLS * 60) * 1000,
  );
});
