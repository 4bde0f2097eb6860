#!/usr/bin/env node
/**
 * What the product asks of a database with many calls: fills a real PostgreSQL (the embedded one in a temporary folder, or an empty
 * one that DATABASE_URL names, as superuser; a filled one is only asked), asks each question, and has EXPLAIN (ANALYZE, BUFFERS) tell of every statement of it
 * which tables it read from end to end.
 * Usage: node scripts/bench/big-store.mjs [calls, default 20000] [--keep FOLDER: left there, and found again] [--month: its oldest month goes]
 *   [--erase: somebody is erased] [--turns N] [--charges N: of a call]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eraseSomebody } from './store/erase.mjs';
import { BIG, fill, USUAL } from './store/fill.mjs';
import { removeMonth } from './store/month.mjs';

const dist = (path) => import(new URL(`../../dist/${path}.js`, import.meta.url));
const [{ Store }, { Bookings }, { silentLogger: logger }, { forgetOld }, { newId }] = await Promise.all(
  ['store/store', 'billing/bookings', 'core/logger', 'jobs/retention', 'core/ids'].map(dist),
);

const args = process.argv.slice(2);
const isMonth = args.includes('--month') && args.splice(args.indexOf('--month'), 1).length > 0;
const isErased = args.includes('--erase') && args.splice(args.indexOf('--erase'), 1).length > 0;
const kept = args.includes('--keep') ? args.splice(args.indexOf('--keep'), 2)[1] : undefined;
const each = { ...USUAL };
for (const what of Object.keys(each))
  if (args.includes(`--${what}`)) each[what] = Number(args.splice(args.indexOf(`--${what}`), 2)[1]);
const calls = Number(args[0] ?? 20_000);
const ROUNDS = 20;
/** A table of fewer rows is read from end to end rightly. */
const SMALL_ROWS = 5_000;
/** Of a part by month: the table or index whose part it is. */
const WHOLE = 'coalesce(pg_partition_root(oid), oid)::regclass::text';

const folder = kept ?? mkdtempSync(join(tmpdir(), 'nidaa-bench-store-'));
const { DATABASE_URL: databaseUrl } = process.env;
const store = await Store.open({ dataFolder: folder, logger, ...(databaseUrl && { databaseUrl }) });
const bookings = new Bookings(store.bookings);
try {
  const { rows } = await store.pool.query('SELECT FROM calls LIMIT 1');
  if (rows.length === 0) await filled();
  await sizes();
  await ask();
  if (isErased) await eraseSomebody(store, BIG, (await store.calls.list({ accountId: BIG, limit: 1 }))[0].from);
  if (isMonth) await removeMonth(store, forgetOld);
} finally {
  await store.close();
  if (kept === undefined) rmSync(folder, { recursive: true, force: true });
}

async function filled() {
  const began = performance.now();
  await fill(store.pool, calls, each, (made) =>
    process.stderr.write(`${made}, ${((performance.now() - began) / 1000).toFixed(0)} s\n`),
  );
  while ((await store.usage.sumUp()) > 0); // as the caretaker does
  console.log(
    `${calls} calls, ${calls * each.turns} turns, ${calls * each.charges} charges and bookings, filled in ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
}

async function sizes() {
  const { rows } =
    await store.pool.query(`SELECT ${WHOLE} AS name, sum(pg_relation_size(oid)) AS own, sum(pg_indexes_size(oid)) AS indexes,
    sum(greatest(reltuples, 0))::bigint AS rows
    FROM pg_class WHERE ${WHOLE} IN ('calls', 'turns', 'charges', 'ledger') AND relkind = 'r' GROUP BY 1 ORDER BY 1`);
  const mb = (bytes) => `${(Number(bytes) / 1e6).toFixed(0)} MB`.padStart(9);
  console.log('\ntable           rows      rows in   indexes');
  for (const { name, rows: count, own, indexes } of rows)
    console.log(`${name.padEnd(9)} ${String(count).padStart(10)} ${mb(own)} ${mb(indexes)}`);
  const { rows: each } =
    await store.pool.query(`SELECT ${WHOLE} AS name, sum(pg_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'i'
      AND oid IN (SELECT indexrelid FROM pg_index
        WHERE coalesce(pg_partition_root(indrelid), indrelid)::regclass::text IN ('calls', 'turns', 'charges', 'ledger'))
    GROUP BY 1 ORDER BY 2 DESC LIMIT 20`);
  console.log(`\nindexes: ${each.map(({ name, bytes }) => `${name} ${mb(bytes).trim()}`).join(', ')}\n`);
}

async function ask() {
  const one = (await store.calls.list({ accountId: BIG, limit: 1 }))[0];
  const deep = { startedAt: new Date(Date.now() - 300 * 86_400_000), id: 'call_z' };
  const now = { accountId: BIG, now: new Date(), timeZone: 'Asia/Riyadh' };
  const month = { from: new Date(Date.now() - 30 * 86_400_000), to: new Date(), timeZone: 'Asia/Riyadh' };
  const days = { recordingsDays: 0, transcriptsDays: 400, callsDays: 400, ordersDays: 0, refusalsDays: 0 };
  const list = (query) => () => store.calls.list({ accountId: BIG, ...query });
  const questions = {
    'calls: first page': list({}),
    'calls: first page, all accounts': () => store.calls.list(),
    'calls: deep page': list({ before: deep }),
    'calls: of an agent': list({ agentId: 'agt_bench1' }),
    'calls: of an agent that has none': list({ agentId: 'agt_none' }),
    'calls: by reason, rare': list({ endReason: 'engine-failed' }),
    'calls: by reason that none has': list({ endReason: 'transfer-failed' }),
    'calls: by number': list({ number: one.from }),
    'calls: by beginning of a number': list({ from: one.from.slice(0, 12) }),
    'calls: a day': list({
      since: new Date(Date.now() - 86_400_000 * 100),
      until: new Date(Date.now() - 86_400_000 * 99),
    }),
    'calls: talked for long (none)': list({ talkMsMin: 600_000 }),
    'calls: with a recording (none)': list({ hasRecording: true }),
    'calls: words, rare': list({ words: '4711' }),
    'calls: words, frequent': list({ words: 'order' }),
    'one call': () => store.calls.get(one.id),
    'one call of another account': () => store.calls.get(one.id, 'acc_bench2'),
    'calls that go on': () => store.overview.living(BIG),
    'overview: seven days': () => store.overview.days(now),
    'overview: last day': () => store.overview.recent(now),
    'overview: spent': () => store.overview.spent(now),
    'overview: faults': () => store.overview.faulty(BIG, 5),
    'overview: set up': () => store.overview.setUp(BIG),
    'usage of a month': () => store.usage.of(BIG, month),
    'retention: nothing is old': () => store.retention.oldCalls(days, 200),
    'retention: much is old': () => store.retention.oldCalls({ ...days, transcriptsDays: 200 }, 200),
    'recovery: who is fenced': () => store.gateways.fenced(true),
    'recovery: open calls': () => store.gateways.openCalls('gw_bench'),
    'recovery: open charges': () => store.gateways.openCharges('gw_bench'),
    'recovery: recount': () => store.gateways.recount('gw_bench'),
    charge: () =>
      bookings.on(store.pool, [
        {
          type: 'charge',
          charge: { id: newId('chg'), accountId: BIG, owner: 'bench', kind: 'ask', cents: 1 },
        },
      ]),
    'charges of a call': () => store.charges.linesOf(one.id),
  };
  console.log(
    'question                               p50 ms   max ms   pages read  of them from disk   read from end to end',
  );
  for (const [name, question] of Object.entries(questions)) await measured(name, question);
}

async function measured(name, question) {
  const plan = { pages: 0, disk: 0, scanned: new Set() };
  const { query: original, connect } = store.pool;
  // Explained before it is asked: what is written only as it was read would be refused afterwards.
  const told =
    (on, query) =>
    async (...asked) => {
      const { text = asked[0], values = asked[1] } = typeof asked[0] === 'string' ? {} : asked[0];
      if (/^(?!BEGIN|COMMIT)/.test(text)) await explain(await connect.call(store.pool), { text, values }, plan);
      return query.apply(on, asked);
    };
  try {
    store.pool.query = told(store.pool, original);
    // Of a question that is a transaction; the pool's own questions ask for a connection with a callback.
    store.pool.connect = async (...callback) => {
      if (callback.length > 0) return connect.apply(store.pool, callback);
      const client = await connect.call(store.pool);
      return { query: told(client, client.query), release: (error) => client.release(error) };
    };
    await question();
    store.pool.query = original;
    store.pool.connect = connect;
    const times = [];
    for (let n = 0; n < ROUNDS && times.reduce((sum, ms) => sum + ms, 0) < 10_000; n += 1) {
      const began = performance.now();
      await question();
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    const figures = [times[times.length >> 1], times.at(-1)].map((ms) => ms.toFixed(1).padStart(8));
    const read = [plan.pages, plan.disk].map((count) => String(count).padStart(12));
    console.log(`${name.padEnd(36)} ${figures.join(' ')} ${read.join('     ')}       ${[...plan.scanned].join(', ')}`);
  } catch (error) {
    console.log(`${name.padEnd(36)} FAILED: ${error.message}`);
  } finally {
    store.pool.query = original;
    store.pool.connect = connect;
  }
}

/** In a transaction that is rolled back: some questions write. */
async function explain(client, { text, values }, plan) {
  try {
    await client.query("BEGIN; SET LOCAL lock_timeout = '5s'");
    const { rows } = await client.query({ text: `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values });
    const root = rows[0]['QUERY PLAN'][0].Plan;
    plan.pages += root['Shared Hit Blocks'] + root['Shared Read Blocks'];
    plan.disk += root['Shared Read Blocks'];
    walk(root, plan.scanned);
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
    client.release();
  }
}

function walk(node, scanned) {
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
  const thrown = (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1);
  if (node['Node Type'] === 'Seq Scan' && rows > SMALL_ROWS)
    scanned.add(`${node['Relation Name']} (${Math.round(rows)} rows)`);
  else if (thrown > SMALL_ROWS)
    scanned.add(`${node['Index Name'] ?? node['Relation Name']}: ${Math.round(thrown)} rows thrown away`);
  for (const child of node.Plans ?? []) walk(child, scanned);
}
