import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  bookedFor,
  checkClosed,
  databaseProcesses,
  openParty,
  ordersOf,
  type Party,
  seenBy,
  topup,
  UNLIMITED,
  withStore,
} from '../support/charge-books.ts';
import type { Answer, ChargeClient } from '../support/charge-clients.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { LONG } from '../support/property-runs.ts';

/** `CHARGE_KILLS=200 npx vitest run --config test/vitest.config.ts test/scenarios/charges-crash.test.ts` for the long run. */
const KILLS = Number(process.env.CHARGE_KILLS ?? (LONG ? 10 : 5));
const ANSWERS_MAX = 60; // before a kill: by what was served and not by the clock, so a busy machine changes nothing
const KILL_DELAY_MS_MAX = 15;
const POOR_CENTS = 6; // for each round: used up before it ends
const REPORT_EVERY = 20;

const PARTIES = [
  { name: 'rich', keyed: true, clients: 4, cents: 10_000_000 },
  { name: 'poor', keyed: true, clients: 3, cents: 0 },
  { name: 'keyless', keyed: false, clients: 2, cents: 10_000_000 },
] as const;
type Name = (typeof PARTIES)[number]['name'];

/** Cut off without a key: nobody will ever know from outside. */
const LOST: Answer = { status: 0, code: undefined, costCents: 0, bodySha256: '', isReplay: false };

const parties: Party[] = [];
const party = (name: Name): Party => parties.find((one) => one.name === name)!;
let answers = 0;
let dataDir: string;
let gateway: Gateway | undefined;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nidaa-charges-'));
  writeFileSync(join(dataDir, 'nidaa.yaml'), UNLIMITED);
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

it(
  `kill -9 at ${KILLS} random moments: every paid request is billed exactly once`,
  async () => {
    gateway = await start();
    const onAnswer = (): void => {
      answers += 1;
    };
    await withStore(dataDir, async (store) => {
      for (const one of PARTIES) parties.push(await openParty(store, one, onAnswer));
    });
    const everybody = parties.flatMap(({ clients }) => clients);
    const cut = { requests: 0, databases: 0 };
    for (let round = 1; round <= KILLS; round += 1) {
      await withStore(dataDir, (store) => topup(store, party('poor').accountId, POOR_CENTS));
      const withDatabase = round % 3 === 0;
      await workUntilKilled(everybody, withDatabase);
      cut.databases += withDatabase ? 1 : 0;
      cut.requests += parties.flatMap(ordersOf).filter((order) => order.answer === undefined).length;

      gateway = await start();
      await withStore(dataDir, checkClosed);
      await Promise.all(everybody.map((client) => client.repeat(gateway!.api)));
      expect(everybody.flatMap((client) => client.faults)).toEqual([]);
      for (const order of ordersOf(party('keyless'))) order.answer ??= LOST;
      if (round % REPORT_EVERY === 0) console.log(`${round} kills, ${answers} answers, ${cut.requests} cut off`);
    }
    await gateway.stop();
    gateway = await start();
    await withStore(dataDir, checkClosed);
    for (const one of parties) await checkBilled(one);
    console.log(
      `${KILLS} kills, ${cut.databases} with the database; ${answers} answers, ${cut.requests} requests cut off`,
    );
    expect(cut.requests).toBeGreaterThan(0);
    // The keys of a dead gateway are free when the next one is ready.
    expect(everybody.map((client) => client.stillRunning)).toEqual(everybody.map(() => 0));
    const codes = ordersOf(party('poor')).map((order) => order.answer?.code);
    expect(codes).toContain('insufficient_credit');
  },
  60_000 + KILLS * 20_000,
);

async function workUntilKilled(everybody: readonly ChargeClient[], withDatabase: boolean): Promise<void> {
  const killed = new AbortController();
  const working = everybody.map((client) => client.work(gateway!.api, killed.signal));
  const until = answers + 1 + Math.floor(Math.random() * ANSWERS_MAX);
  while (answers < until) await sleep(1);
  await sleep(Math.random() * KILL_DELAY_MS_MAX);
  const stopped = gateway!.stop('SIGKILL');
  if (withDatabase) process.kill(databaseProcesses(dataDir)[0]!, 'SIGKILL');
  killed.abort();
  await Promise.all([...working, stopped]);
}

async function checkBilled(one: Party): Promise<void> {
  const seen = seenBy(one);
  const booked = await withStore(dataDir, (store) => bookedFor(store, one));
  console.log(`${one.name}: ${seen.count} answers for ${seen.cents} cents, ${booked.count} for ${booked.cents} booked`);
  expect(seen.count).toBeGreaterThan(0);
  if (one.keyed) expect(booked).toEqual(seen);
  // Without a key a client cannot ask again: what it saw is billed, what was cut off at most once.
  const lost = ordersOf(one).filter((order) => order.answer === LOST);
  expect(booked.count).toBeGreaterThanOrEqual(seen.count);
  expect(booked.cents).toBeGreaterThanOrEqual(seen.cents);
  expect(booked.count).toBeLessThanOrEqual(seen.count + lost.length);
}
