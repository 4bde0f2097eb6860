#!/usr/bin/env node
/**
 * Ten thousand calls' records and money over eight gateways and one PostgreSQL, without media: real store, leases, journals, call books and
 * exchange of limits, each gateway a process. First one account begins a thousand calls in a second; then calls come until all of
 * them are up at once, one gateway is killed in the middle (SIGKILL), noticed by the others, and started again.
 * Usage: node scripts/bench/scale.mjs [--calls 10000] [--nodes 8] [--hot 1000] [--life 100] [--months 0] [--no-kill]
 *   months: so many before this one have their tables (src/store/months.md)
 *   life: seconds that stand for a call of three minutes with twelve turns; as many calls begin in a second as make all be up at once
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checkBooks } from './scale/books.mjs';
import { FleetNode } from './scale/fleet.mjs';
import { makeMonths } from './store/months.mjs';
import { processTree } from './whole/processors.mjs';

const dist = (path) => import(new URL(`../../dist/${path}.js`, import.meta.url));
const [{ Store }, { Billing }, { createMetrics }, { silentLogger: logger }] = await Promise.all(
  ['store/store', 'billing/billing', 'core/metrics', 'core/logger'].map(dist),
);

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    nodes: { type: 'string', default: '8' },
    hot: { type: 'string', default: '1000' },
    life: { type: 'string', default: '100' },
    months: { type: 'string', default: '0' },
    'no-kill': { type: 'boolean', default: false },
  },
});
const [CALLS, NODES, HOT, LIFE_S] = [values.calls, values.nodes, values.hot, values.life].map(Number);
const SHAPE = { minutes: 3, turns: 12 };
const ACCOUNTS = 100;
const LEASE_SECONDS = 30; // as shipped
/** Three minutes within one: turns come three times as often as callers speak. */
const HOT_LIFE_MS = 60_000;
const CREDIT_CENTS = 1_000_000_000;

const folder = mkdtempSync(join(tmpdir(), 'nidaa-bench-scale-'));
const store = await Store.open({ dataFolder: folder, logger });
const { host, port, user, database } = store.connection;
const databaseUrl = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
const nodes = [];
try {
  const accounts = await makeAccounts();
  await makeMonths(store.pool, Number(values.months));
  for (let n = 0; n < NODES; n += 1) {
    nodes.push(
      new FleetNode(folder, { databaseUrl, leaseSeconds: LEASE_SECONDS, accounts, shape: SHAPE }, `node-${n}`),
    );
  }
  await Promise.all(nodes.map((node) => node.start()));
  console.log(
    `${NODES} gateways, one PostgreSQL; ${cpus().length} processors, load ${loadavg()[0].toFixed(0)} (times are of this moment, processor time is not)`,
  );
  if (HOT > 0) await hotAccount(accounts.ids[0]);
  if (CALLS > 0) await crowd(accounts.ids);
  await Promise.all(nodes.map((node) => node.ask('close')));
  report(
    await checkBooks(
      store.pool,
      nodes.map(({ dataFolder }) => dataFolder),
    ),
  );
} finally {
  for (const node of nodes) await node.kill();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

async function makeAccounts() {
  const metrics = createMetrics();
  const billing = await Billing.open({ store, dataFolder: folder, logger, metrics });
  const ids = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { id } = await store.accounts.create(`bench ${n}`);
    await billing.ledger.topup(`bench/${id}`, id, CREDIT_CENTS);
    ids.push(id);
  }
  await billing.close();
  return { ids, agentId: 'agent_bench' };
}

/** The numbers of `count` calls, dealt out to the gateways. */
function spread(prefix, count) {
  return nodes.map((_, n) =>
    Array.from({ length: count }, (_, at) => `${prefix}_${at}`).filter((_, at) => at % nodes.length === n),
  );
}

/** One account, all its calls within a second and all their minutes at the same moments: the worst that one account can do. */
async function hotAccount(id) {
  const before = await spent();
  const lifeMs = HOT_LIFE_MS;
  await Promise.all(
    spread('hot', HOT).map((ids, n) =>
      nodes[n].ask('calls', { ids, accountOf: ids.map(() => id), withinMs: 1_000, lifeMs }),
    ),
  );
  const reports = await Promise.all(nodes.map((node) => node.ask('report')));
  console.log(`\none account, ${HOT} calls begun within a second over ${NODES} gateways`);
  showWaits(reports);
  showCost(before, await spent(), HOT);
}

async function crowd(accountIds) {
  const before = await spent();
  const victim = nodes[3 % nodes.length];
  console.log(
    `\n${CALLS} calls of ${ACCOUNTS} accounts, ${(CALLS / LIFE_S).toFixed(0)} begin in a second, all up after ${LIFE_S} s`,
  );
  const all = Promise.all(
    spread('crowd', CALLS).map((ids, n) =>
      nodes[n].ask('calls', {
        ids,
        accountOf: ids.map((_, at) => accountIds[at % accountIds.length]),
        ...{ withinMs: LIFE_S * 1_000, lifeMs: LIFE_S * 1_000 },
      }),
    ),
  );
  await sleep(LIFE_S * 1_000);
  const counts = await Promise.all(nodes.map((node) => node.ask('live')));
  console.log(`  at once: ${counts.reduce((sum, count) => sum + count, 0)}`);
  if (!values['no-kill']) await killOne(victim);
  await all;
  const reports = await Promise.all(nodes.map((node) => node.ask('report')));
  showWaits(reports);
  showCost(before, await spent(), CALLS);
}

/** Killed while all its calls are up; the others close them, then it comes back with what its journal has. */
async function killOne(node) {
  const open = async () =>
    (
      await store.pool.query(`SELECT count(*)::int AS n FROM calls c WHERE ended_at IS NULL AND gateway LIKE $1`, [
        `gw_${prefixOf(node)}%`,
      ])
    ).rows[0].n;
  await node.kill();
  const killedMs = performance.now();
  const left = await open();
  while ((await open()) > 0) {
    if (performance.now() - killedMs > 300_000) throw new Error('nobody closed the calls of the one that was killed');
    await sleep(200);
  }
  const closedS = (performance.now() - killedMs) / 1_000;
  await node.start();
  console.log(
    `  ${node.name} killed with ${left} calls; all closed after ${closedS.toFixed(1)} s with a lease of ${LEASE_SECONDS} s; started again`,
  );
}

function prefixOf({ dataFolder }) {
  return readFileSync(join(dataFolder, 'node-id'), 'utf8').slice(0, 8);
}

/** Of the database: processor time, commits, what it wrote. */
async function spent() {
  const { rows } = await store.pool.query(`SELECT (SELECT wal_bytes::float8 FROM pg_stat_wal) AS wal,
    (SELECT sum(xact_commit)::float8 FROM pg_stat_database) AS commits, pg_database_size(current_database())::float8 AS size`);
  const database = processTree(process.pid).filter(({ program }) => program === 'postgres');
  const ms = database.reduce((sum, { own, reaped }) => sum + (own + reaped) * 10, 0);
  const reports = await Promise.all(nodes.map((node) => node.ask('cpu')));
  return {
    ...rows[0],
    databaseMs: ms,
    nodesMs: reports.reduce((sum, one) => sum + (one ?? 0), 0),
    atMs: performance.now(),
  };
}

function showWaits(reports) {
  for (const kind of ['begin', 'minute', 'finish']) {
    const times = reports.flatMap((one) => one.waits[kind]).sort((a, b) => a - b);
    const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(1);
    console.log(
      `  ${kind.padEnd(7)} ${String(times.length).padStart(6)}  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  most ${at(1)} ms`,
    );
  }
  const failed = {};
  const complaints = {};
  for (const [what, count] of reports.flatMap((one) => Object.entries(one.failed)))
    failed[what] = (failed[what] ?? 0) + count;
  if (Object.keys(failed).length > 0) console.log(`  not served: ${JSON.stringify(failed)}`);
  for (const [what, count] of nodes.flatMap(({ complaints }) => [...complaints])) {
    complaints[what] = (complaints[what] ?? 0) + count;
  }
  for (const [what, count] of Object.entries(complaints)) console.log(`  logged ${count} times: ${what}`);
  for (const { complaints: said } of nodes) said.clear();
  const faults = reports.reduce((sum, one) => sum + one.faults, 0);
  if (faults > 0) console.log(`  facts rejected, torn or unwritten: ${faults}`);
  const pending = reports.reduce((sum, one) => sum + one.pending, 0);
  if (pending > 0) console.log(`  facts that are on disk alone: ${pending}`);
}

function showCost(before, now, calls) {
  const each = (value) => (value * 1_000) / calls;
  const seconds = (now.atMs - before.atMs) / 1_000;
  console.log(
    `  for 1,000 calls: database ${(each(now.databaseMs - before.databaseMs) / 1_000).toFixed(1)} s of processor, ` +
      `${(each(now.wal - before.wal) / 2 ** 20).toFixed(0)} MB of WAL, ${(each(now.size - before.size) / 2 ** 20).toFixed(1)} MB kept; ` +
      `gateways ${(each(now.nodesMs - before.nodesMs) / 1_000).toFixed(1)} s of processor; ${((now.commits - before.commits) / seconds).toFixed(0)} commits/s`,
  );
}

function report(books) {
  const { told, missing, bookedTwice, otherPrice, toldTwice, untold, interrupted, openCalls, openCharges } = books;
  const { accountsWrong, ledgerCents, balanceCents } = books;
  console.log(
    `\nthe books: ${told} charges promised, ${missing} missing, ${bookedTwice} booked twice, ${otherPrice} at another price\n` +
      `  ${untold} booked that the killed gateway had not noted yet; ${interrupted} calls interrupted\n` +
      `  open: ${openCalls} calls, ${openCharges} holds\n` +
      `  accounts whose balance is not the sum of their ledger: ${accountsWrong}; ledger ${ledgerCents}, balances ${balanceCents} cents`,
  );
  const wrong = [missing, bookedTwice, otherPrice, toldTwice, openCalls, openCharges, accountsWrong];
  if (wrong.some((count) => count > 0) || ledgerCents !== balanceCents) process.exitCode = 1;
}
