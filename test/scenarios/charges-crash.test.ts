import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../src/core/logger.ts';
import { Store } from '../../src/store/store.ts';
import { type Answer, ChargeClient } from '../support/charge-clients.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { moneyFaults } from '../support/postgres-store.ts';

/** `CHARGE_KILLS=200 npx vitest run --config test/vitest.config.ts test/scenarios/charges-crash.test.ts` for the long run. */
const KILLS = Number(process.env.CHARGE_KILLS ?? 10);
const ANSWERS_MAX = 60; // before a kill: by what was served and not by the clock, so a busy machine changes nothing
const KILL_DELAY_MS_MAX = 15;
const RICH_CENTS = 10_000_000;
const POOR_CENTS = 40; // for each round: used up before it ends
const REPORT_EVERY = 20;

const ACCOUNTS = [
  { name: 'rich', keyed: true, clients: 4 },
  { name: 'poor', keyed: true, clients: 3 },
  { name: 'keyless', keyed: false, clients: 2 },
] as const;
type Name = (typeof ACCOUNTS)[number]['name'];
interface Party {
  readonly name: Name;
  readonly keyed: boolean;
  readonly accountId: string;
  readonly clients: readonly ChargeClient[];
}

/** Cut off without a key: nobody will ever know from outside. */
const LOST: Answer = { status: 0, code: undefined, costCents: 0, bodySha256: '', isReplay: false };

const parties: Party[] = [];
const party = (name: Name): Party => parties.find((one) => one.name === name)!;
let answers = 0;
let dataDir: string;
let gateway: Gateway | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nidaa-charges-'));
  writeFileSync(join(dataDir, 'nidaa.yaml'), 'api:\n  requestsPerMinute: 1000000\n  requestBurst: 100000\n');
});
afterEach(async () => {
  await gateway?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** So many starts meet, once in a while, a port that another program has taken just before. */
async function start(tries = 5): Promise<Gateway> {
  try {
    return await startGateway({ dataDir, env: { NIDAA_CONFIG: join(dataDir, 'nidaa.yaml') } });
  } catch (error) {
    if (tries === 1 || !String(error).includes('EADDRINUSE')) throw error;
    return start(tries - 1);
  }
}

async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await Store.open({ dataFolder: dataDir, logger: silentLogger, attach: true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The gateway's own database server, which outlives a killed gateway. */
function killDatabase(): void {
  const pid = Number(readFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(pid, 'SIGKILL');
}

it(
  `kill -9 at ${KILLS} random moments: every paid request is billed exactly once`,
  async () => {
    gateway = await start();
    await withStore(openAccounts);
    const everybody = parties.flatMap((party) => party.clients);
    const cut = { requests: 0, databases: 0 };
    for (let round = 1; round <= KILLS; round += 1) {
      await withStore((store) => topup(store, party('poor').accountId, POOR_CENTS));
      const withDatabase = round % 3 === 0;
      await workUntilKilled(everybody, withDatabase);
      cut.databases += withDatabase ? 1 : 0;
      cut.requests += everybody.flatMap((one) => one.orders).filter((order) => order.answer === undefined).length;

      gateway = await start();
      await withStore(checkClosed);
      await Promise.all(everybody.map((client) => client.repeat(gateway!.api)));
      expect(everybody.flatMap((client) => client.faults)).toEqual([]);
      for (const { orders } of party('keyless').clients) for (const order of orders) order.answer ??= LOST;
      if (round % REPORT_EVERY === 0) console.log(`${round} kills, ${answers} answers, ${cut.requests} cut off`);
    }
    await gateway.stop();
    gateway = await start();
    await withStore(checkClosed);
    await withStore(checkBilled);
    console.log(
      `${KILLS} kills, ${cut.databases} with the database; ${answers} answers, ${cut.requests} requests cut off`,
    );
    expect(cut.requests).toBeGreaterThan(0);
    // The keys of a dead gateway are free when the next one is ready.
    expect(everybody.map((client) => client.stillRunning)).toEqual(everybody.map(() => 0));
    const codes = party('poor').clients.flatMap(({ orders }) => orders.map((order) => order.answer?.code));
    expect(codes).toContain('insufficient_credit');
  },
  60_000 + KILLS * 20_000,
);

async function openAccounts(store: Store): Promise<void> {
  for (const { name, keyed, clients: count } of ACCOUNTS) {
    const { id: accountId } = await store.accounts.create(name);
    const greeting = { en: 'Hello.' };
    const definition = { name: 'Crash', language: 'en-US', voice: 'emma', model: 'sada-1', greeting } as const;
    const { id: agentId } = await store.agents.create(accountId, definition, 'live');
    const { secret: token } = await store.tokens.create(accountId, 'test');
    const onAnswer = (): void => {
      answers += 1;
    };
    const clients = Array.from({ length: count }, () => new ChargeClient({ token, agentId, keyed, onAnswer }));
    parties.push({ name, keyed, accountId, clients });
    if (name !== 'poor') await topup(store, accountId, RICH_CENTS);
  }
}

async function workUntilKilled(everybody: readonly ChargeClient[], withDatabase: boolean): Promise<void> {
  const killed = new AbortController();
  const working = everybody.map((client) => client.work(gateway!.api, killed.signal));
  const until = answers + 1 + Math.floor(Math.random() * ANSWERS_MAX);
  while (answers < until) await sleep(1);
  await sleep(Math.random() * KILL_DELAY_MS_MAX);
  const stopped = gateway!.stop('SIGKILL');
  if (withDatabase) killDatabase();
  killed.abort();
  await Promise.all([...working, stopped]);
}

/** Whatever was under way is over: nothing is held, and every balance is the sum of its ledger. */
async function checkClosed(store: Store): Promise<void> {
  expect(await moneyFaults(store)).toEqual([]);
  const { rows } = await store.pool.query(`SELECT id FROM charges WHERE state = 'reserved'`);
  expect(rows).toEqual([]);
}

async function checkBilled(store: Store): Promise<void> {
  const twice = `SELECT owner FROM charges WHERE state = 'settled' GROUP BY owner HAVING count(*) > 1`;
  expect((await store.pool.query(twice)).rows).toEqual([]);
  for (const { name, keyed, accountId, clients } of parties) {
    const orders = clients.flatMap((client) => client.orders);
    const paid = orders.filter((order) => order.answer?.status === 200);
    const lost = orders.filter((order) => order.answer === LOST);
    const cents = paid.reduce((sum, order) => sum + order.answer!.costCents, 0);
    const booked = await bookedFor(store, accountId);
    console.log(`${name}: ${paid.length} answers for ${cents} cents seen, ${booked.count} for ${booked.cents} booked`);
    expect(paid.length).toBeGreaterThan(0);
    if (keyed) expect(booked).toEqual({ count: paid.length, cents });
    // Without a key a client cannot ask again: what it saw is billed, what was cut off at most once.
    expect(booked.count).toBeGreaterThanOrEqual(paid.length);
    expect(booked.cents).toBeGreaterThanOrEqual(cents);
    expect(booked.count).toBeLessThanOrEqual(paid.length + lost.length);
  }
}

let topups = 0;
async function topup(store: Store, accountId: string, cents: number): Promise<void> {
  topups += 1;
  expect(await store.charges.topup(`topup-${topups}`, accountId, cents, 'topup', '')).toBe('done');
}

async function bookedFor(store: Store, accountId: string): Promise<{ count: number; cents: number }> {
  const { rows } = await store.pool.query(
    `SELECT count(*)::int AS count, coalesce(-sum(cents), 0)::int AS cents FROM ledger WHERE account_id = $1 AND kind <> 'topup'`,
    [accountId],
  );
  return rows[0];
}
