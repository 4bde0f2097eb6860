import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Billing } from '../../src/billing/billing.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { Store } from '../../src/store/store.ts';
import { runUntilKilled } from '../support/crash-child.ts';
import { moneyFaults, openTestStore, type SharedTestStore, temporaryFolder } from '../support/postgres-store.ts';
import { LONG } from '../support/property-runs.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 }); // a real database, on a machine that may be busy

const ROUNDS = LONG ? 12 : 2;
const CALLS = 8; // at once in the gateway that is killed
const LINES_MAX = 150; // reported by a gateway before it is killed: some calls end, most are cut
const TURN_CENTS = 3;
const MINUTE_CENTS = 3;

/** A gateway without telephony: calls that never end until it is killed, sessions, and paid requests, as fast as they go. */
const GATEWAY = `
  const [folder, url, accountId, dist] = process.argv.slice(1);
  const { writeSync } = await import('node:fs');
  const { Store } = await import(dist + 'store/store.js');
  const { Billing } = await import(dist + 'billing/billing.js');
  const { silentLogger: logger } = await import(dist + 'core/logger.js');
  const { createMetrics } = await import(dist + 'core/metrics.js');
  const { newId } = await import(dist + 'core/ids.js');
  const say = (line) => writeSync(1, line + '\\n');
  const store = await Store.open({ dataFolder: folder, databaseUrl: url, logger });
  const billing = await Billing.open({ store, dataFolder: folder, logger, metrics: createMetrics() });
  const book = billing.callBook;
  const charge = { reply: true, characters: 10, model: 'sada-1' };
  const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 6));
  say('ready');
  async function talk() {
    const id = newId('call');
    const begun = await book.begin({ id, sipCallId: id, accountId, agentId: 'agt_x', agentVersion: 1,
      agentName: 'a', direction: 'inbound', from: '1', to: '2', startedAt: new Date() });
    if (begun !== 'ok') return say('refused');
    say('begun ' + id);
    await pause();
    book.answered(id, new Date());
    say('minute ' + id + ' 0');
    for (let index = 0; index < 8; index += 1) {
      await pause();
      book.turn(id, { index, role: 'agent', text: 'x', startedMs: index, heardMs: 1, charge });
      say('turn ' + id + ' ' + index);
      if (index % 4 === 3) {
        const minute = (index + 1) / 4;
        await book.startMinute(id, minute);
        say('minute ' + id + ' ' + minute);
      }
    }
    await book.finish(id, { endedAt: new Date(), answered: true, talkMs: 1, end: { party: 'caller', reason: 'caller-hangup' }, dtmf: '' });
    say('finished ' + id);
  }
  async function socket() {
    const id = newId('ts');
    await billing.sessionBook.begin(id, accountId);
    for (let ms = 1; ms < 200_000; ms += 30_000) {
      await pause();
      await billing.sessionBook.checkpoint(id, ms);
      say('checkpoint ' + id + ' ' + ms);
    }
    say('ended ' + id + ' ' + billing.sessionBook.end(id, 200_000, 'stop'));
  }
  async function request() {
    const id = newId('req');
    await billing.ledger.pay({ id, accountId, cents: 4, owner: id, kind: 'ask' }, async () => { await pause(); return { value: 1 }; });
    say('paid ' + id);
  }
  const forever = async (work) => { for (;;) await work(); };
  for (let n = 0; n < ${CALLS}; n += 1) void forever(talk);
  void forever(socket);
  void forever(request);
`;

describe('kill -9 of the gateway', () => {
  let test: SharedTestStore;
  let folder: string;
  beforeAll(async () => {
    test = await openTestStore();
    folder = temporaryFolder();
  });
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`at ${ROUNDS} random moments: everything is closed and booked exactly once`, async () => {
    const url = test.databaseUrl;
    const store = await Store.open({ dataFolder: folder, databaseUrl: url, logger: silentLogger });
    const accountId = (await store.accounts.create('crash')).id;
    const credit = 10_000_000;
    await store.charges.topup('credit', accountId, credit, 'topup', '');
    const dist = new URL('../../dist/', import.meta.url).href;
    const said: string[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const lines = await runUntilKilled(
        GATEWAY,
        [folder, url, accountId, dist],
        1 + Math.floor(Math.random() * LINES_MAX),
      );
      said.push(...lines.map((line) => line.split(' ')));
    }
    const billing = await Billing.open({ store, dataFolder: folder, logger: silentLogger, metrics: createMetrics() });
    await billing.drained(10_000);

    expect(await moneyFaults(store)).toEqual([]);
    const open = await store.pool.query(`SELECT (SELECT count(*) FROM calls WHERE ended_at IS NULL)::int AS calls,
      (SELECT count(*) FROM sessions WHERE ended_at IS NULL)::int AS sessions,
      (SELECT count(*) FROM charges WHERE state = 'reserved')::int AS charges`);
    expect(open.rows[0]).toEqual({ calls: 0, sessions: 0, charges: 0 });

    // Whatever the gateway had reported is booked, with its price.
    const { rows } = await store.pool.query<{ id: string; cents: string }>(
      `SELECT id, settled_cents AS cents FROM charges WHERE state = 'settled'`,
    );
    const booked = new Map(rows.map((row) => [row.id, Number(row.cents)]));
    const count = (word: string): number => said.filter((words) => words[0] === word).length;
    expect(count('turn')).toBeGreaterThan(ROUNDS);
    expect(count('refused')).toBe(0);
    for (const [word, id, rest] of said) {
      if (word === 'turn') expect(booked.get(`${id}/turn/${rest}`)).toBe(TURN_CENTS);
      if (word === 'minute') expect(booked.get(`${id}/minute/${rest}`)).toBe(MINUTE_CENTS);
      if (word === 'ended') expect(booked.get(id!)).toBe(Number(rest));
      if (word === 'checkpoint') expect(booked.get(id!)).toBeGreaterThanOrEqual(Math.ceil(Number(rest) / 60_000) * 3);
      if (word === 'paid') expect(booked.get(id!)).toBe(4);
    }
    // And no more than that, but for what each killed gateway was just doing: one step a call, session and request.
    const reported = count('turn') + count('minute') + count('paid');
    const others = [...booked.keys()].filter((id) => !id.startsWith('ts_')).length - reported;
    expect(others).toBeGreaterThanOrEqual(0);
    expect(others).toBeLessThanOrEqual(ROUNDS * (CALLS + 1));

    // A call's own record agrees with what was booked for it.
    const wrong = await store.pool.query(`SELECT c.id FROM calls c
      WHERE c.cost_cents <> (SELECT coalesce(sum(settled_cents), 0) FROM charges WHERE owner = c.id)`);
    expect(wrong.rows).toEqual([]);
    await billing.close();
    await store.close();
  });
});
