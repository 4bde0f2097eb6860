#!/usr/bin/env node
/**
 * Ten thousand calls over eight whole gateways and one PostgreSQL, by SIP and without audio: each gateway is a process with all that is
 * shipped, but its media plane carries nothing. Calls come until all are up, each puts its agent on hold by a re-INVITE, they stay while
 * their minutes fall due and their session timers are refreshed, and hang up; one gateway is killed in the middle (SIGKILL), and started
 * again when others have closed its calls.
 * Usage: node scripts/bench/signalling.mjs [--calls 10000] [--nodes 8] [--rate 50] [--hold 120] [--session 180] [--idle 90] [--no-kill]
 *   rate: calls a second; hold: seconds from the last call to the first that hangs up; session: of the session timer, which gateways
 *   refresh at half of it; idle: seconds from the last call to the last look at memory
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from './latency/gateway-process.mjs';
import { checkRecords, checkSums } from './scale/books.mjs';
import { FleetNode } from './scale/fleet.mjs';
import { processTree } from './whole/processors.mjs';

const dist = (path) => import(new URL(`../../dist/${path}.js`, import.meta.url));
const [{ Store }, { loadAgents }, { loadConfig }, { loadVoices }, { silentLogger: logger }] = await Promise.all(
  ['store/store', 'config/agents', 'config/load', 'config/voices', 'core/logger'].map(dist),
);
const GATEWAY = new URL('scale/gateway.mjs', import.meta.url);
const CALLERS = new URL('scale/callers.mjs', import.meta.url);

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    nodes: { type: 'string', default: '8' },
    rate: { type: 'string', default: '50' },
    hold: { type: 'string', default: '120' },
    session: { type: 'string', default: '180' },
    idle: { type: 'string', default: '90' },
    'no-kill': { type: 'boolean', default: false },
  },
});
const [CALLS, NODES, RATE, HOLD_S, SESSION_S, IDLE_S] = ['calls', 'nodes', 'rate', 'hold', 'session', 'idle'].map(
  (name) => Number(values[name]),
);
const ACCOUNTS = 100;
const ROWS = 10;
const CREDIT_CENTS = 1_000_000_000;
/** Calls that never end are found by then. */
const LEFT_MS_MAX = 120_000;
const CLOSED_MS_MAX = 300_000;
const LOOK_EVERY_MS = 250;
const SETTLE_MS = 30_000;
const AGENT = `number: "9999"
name: Bench
language: en-US
voice: emma
model: sada-1
status: live
greeting: { en: Good day. }
`;

const folder = mkdtempSync(join(tmpdir(), 'nidaa-bench-signalling-'));
const store = await Store.open({ dataFolder: folder, logger });
const { host, port, user, database } = store.connection;
const databaseUrl = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
const nodes = [];
let callers;
let killed;
const reports = () => Promise.all(nodes.map((node) => node.ask('report')));
try {
  const numbers = await makeAgents();
  for (let n = 0; n < NODES; n += 1) nodes.push(await gatewayNode(n));
  await Promise.all(nodes.map((node) => node.start()));
  const settings = { ports: nodes.map((node) => node.sipPort), numbers, sessionSeconds: SESSION_S };
  callers = new FleetNode(folder, settings, 'callers', CALLERS);
  await callers.start();
  console.log(
    `${NODES} gateways without media, one PostgreSQL; ${cpus().length} processors, load ${loadavg()[0].toFixed(0)}, ` +
      `Node ${process.versions.node} (times are of this moment, processor time is not)`,
  );
  const before = await rest();
  await grow();
  await hold();
  const { up } = await progress(() => true);
  showEach(before, await memory(`with ${up} up`), up);
  if (!values['no-kill']) await killOne(nodes[3 % NODES]);
  await sleep((HOLD_S * 1_000) / 2);
  await leave();
  await sleep(IDLE_S * 1_000);
  await memory(`${IDLE_S} s after the last call`);
  await report();
} finally {
  await Promise.all([callers, ...nodes].map((node) => node?.kill()));
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

/** As many accounts, each with an agent that says one sentence and a number. */
async function makeAgents() {
  const place = join(folder, 'agents');
  mkdirSync(place);
  writeFileSync(join(place, 'bench.yaml'), AGENT);
  const [{ definition }] = loadAgents(place, loadVoices(loadConfig({ env: {} }).paths.voicesFile));
  const numbers = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { id } = await store.accounts.create(`bench ${n}`);
    await store.charges.topup(`bench/${id}`, id, CREDIT_CENTS, 'topup', 'bench');
    const agent = await store.agents.create(id, definition, 'live');
    const number = String(9_000 + n);
    await store.numbers.assign(number, id, agent.id);
    numbers.push(number);
  }
  return numbers;
}

async function gatewayNode(n) {
  const sipPort = await freePort(12_000 + 400 * n);
  const file = join(folder, `node-${n}.yaml`);
  const lines = [
    `sip: { port: ${sipPort}, transports: [udp], allowedSources: [127.0.0.1/32] }`,
    'http: { port: 0 }',
    'metrics: { port: 0 }',
    `media: { callsPerWorker: ${Math.ceil((2 * CALLS) / NODES)}, recording: false }`,
    `conversation: { maxCallsPerAccount: ${CALLS}, noInputMs: 120000, maxNoInputs: 20 }`,
    'engines: { stt: { en: none, ar: none } }',
    'store: { connections: 13 }', // the embedded server takes 120 in all
    'shutdown: { drainSeconds: 5 }',
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const env = { NIDAA_CONFIG: file, NIDAA_DATA_DIR: join(folder, `node-${n}`), DATABASE_URL: databaseUrl };
  return Object.assign(new FleetNode(folder, { env }, `node-${n}`, GATEWAY), { sipPort });
}

async function memory(when) {
  const all = await reports();
  const range = (of) => `${Math.min(...all.map(of)).toFixed(0)} to ${Math.max(...all.map(of)).toFixed(0)} MB`;
  console.log(`memory of a gateway ${when}: ${range(({ rssMb }) => rssMb)}, heap ${range(({ heapMb }) => heapMb)}`);
  const sum = (of) => all.reduce((so, one) => so + of(one), 0);
  return { rssMb: sum(({ rssMb }) => rssMb), heapMb: sum(({ heapMb }) => heapMb) };
}

function showEach(before, peak, up) {
  const each = (of) => `${((1_024 * (peak[of] - before[of])) / up).toFixed(0)} kB`;
  console.log(`  a call: ${each('rssMb')} resident, ${each('heapMb')} of it heap`);
}

/** Of all gateways, of the database and of the callers, and how late the loops of gateways were. */
async function spent() {
  const all = await reports();
  const database = processTree(process.pid).filter(({ program }) => program === 'postgres');
  return {
    nodesMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    databaseMs: database.reduce((sum, { own, reaped }) => sum + (own + reaped) * 10, 0),
    loopP99Ms: Math.max(...all.map(({ loopP99Ms }) => loopP99Ms)),
    loopMaxMs: Math.max(...all.map(({ loopMaxMs }) => loopMaxMs)),
    atMs: performance.now(),
  };
}

/** What they took since then, of a core. */
function showSpent(what, last, now) {
  const percent = (of, among = 1) => `${((100 * (now[of] - last[of])) / (now.atMs - last.atMs) / among).toFixed(1)} %`;
  console.log(
    `  ${what}: a gateway ${percent('nodesMs', NODES)} of a core, database ${percent('databaseMs')}; ` +
      `loops late p99 ${now.loopP99Ms.toFixed(0)} ms, most ${now.loopMaxMs.toFixed(0)} ms`,
  );
}

/** What a start has left behind goes, and what gateways do by themselves is known. */
async function rest() {
  const last = await spent();
  await sleep(SETTLE_MS);
  showSpent('nobody calls', last, await spent());
  return memory('before the first call');
}

/** Calls come: what they take, for each tenth of them, and when all are through how long each tenth took to be set up. */
async function grow() {
  const rowCalls = Math.ceil(CALLS / ROWS);
  console.log(`\n${CALLS} calls of ${ACCOUNTS} accounts, ${RATE} a second`);
  const dialled = callers.ask('dial', { count: CALLS, perSecond: RATE });
  let last = await spent();
  for (let wanted = rowCalls; wanted < CALLS + rowCalls; wanted += rowCalls) {
    const now = await progress(
      ({ placed, dialling }) => placed >= Math.min(wanted, CALLS) && (placed < CALLS || dialling === 0),
    );
    const next = await spent();
    showSpent(`${String(now.up).padStart(6)} up`, last, next);
    last = next;
  }
  await dialled;
  console.log('set-up, INVITE to 200, of calls in the order they came');
  for (let first = 0; first < CALLS; first += rowCalls) {
    const { p50, p95, p99, most } = await callers.ask('progress', { first, count: rowCalls });
    const [a, b, c, d] = [p50, p95, p99, most].map((ms) => ms?.toFixed(0) ?? '-');
    console.log(`  from ${String(first + 1).padStart(5)} on: p50 ${a} ms, p95 ${b}, p99 ${c}, most ${d}`);
  }
}

async function progress(isEnough) {
  for (;;) {
    const now = await callers.ask('progress', { first: 0, count: CALLS });
    if (isEnough(now)) return now;
    await sleep(LOOK_EVERY_MS);
  }
}

async function hold() {
  const last = await spent();
  await sleep((HOLD_S * 1_000) / 2);
  showSpent(`${(await progress(() => true)).up} stay`, last, await spent());
}

/** Killed while its calls are up; the others close them, then it comes back. */
async function killOne(node) {
  const prefix = readFileSync(join(node.dataFolder, 'node-id'), 'utf8').slice(0, 8);
  const text = 'SELECT count(*)::int AS n FROM calls WHERE ended_at IS NULL AND gateway LIKE $1';
  const open = async () => (await store.pool.query(text, [`gw_${prefix}%`])).rows[0].n;
  killed = node;
  await node.kill();
  const killedMs = performance.now();
  await callers.ask('abandon', { port: node.sipPort });
  const theirs = await open();
  while ((await open()) > 0) {
    if (performance.now() - killedMs > CLOSED_MS_MAX)
      throw new Error('nobody closed the calls of the one that was killed');
    await sleep(LOOK_EVERY_MS);
  }
  const closedS = (performance.now() - killedMs) / 1_000;
  await node.start();
  console.log(`${node.name} killed with ${theirs} calls; all closed after ${closedS.toFixed(1)} s, started again`);
}

async function leave() {
  const last = await spent();
  await callers.ask('hangUp', { perSecond: 2 * RATE });
  await ended();
  showSpent('all hang up', last, await spent());
  await callers.ask('probe', { perSecond: 4 * RATE, port: killed?.sipPort });
  await ended();
}

/** Until no caller waits for an answer any more. */
async function ended() {
  const startMs = performance.now();
  while ((await callers.ask('left')) > 0) {
    if (performance.now() - startMs > LEFT_MS_MAX) throw new Error('calls do not end');
    await sleep(LOOK_EVERY_MS);
  }
}

async function report() {
  const { ends, counts, loopP99Ms } = await callers.ask('ends');
  const told = (all) =>
    Object.entries(all)
      .map(([what, count]) => `${count} ${what}`)
      .join(', ');
  console.log(
    `\ncalls: ${told(ends)}\nmessages to the callers: ${told(counts)}; their own loop late p99 ${loopP99Ms.toFixed(0)} ms`,
  );
  for (const { name, complaints } of nodes) {
    for (const [what, count] of complaints) console.log(`  ${name} logged ${count} times: ${what}`);
  }
  const active = (await Promise.all(nodes.map((node) => node.ask('counts')))).map((one) => one.active);
  const records = await checkRecords(store.pool, await callers.ask('calls'));
  const sums = await checkSums(store.pool);
  console.log(
    `the books: ${records.answered} calls answered, ${records.withoutRecord} without a record, ${records.twice} with two; ` +
      `${sums.interrupted} interrupted; ${records.charges} charges, ${records.minutes} of them minutes\n` +
      `  calls with other minutes than they lasted ${records.otherMinutes}, of another price than their charges ${records.otherPrice}, ` +
      `charges without just one entry ${records.wrongEntries}\n` +
      `  open: ${sums.openCalls} calls, ${sums.openCharges} holds; live in gateways ${active.join(' ')}\n` +
      `  accounts whose balance is not the sum of their ledger: ${sums.accountsWrong}; ledger ${sums.ledgerCents}, balances ${sums.balanceCents} cents`,
  );
  const { withoutRecord, twice, otherMinutes, otherPrice, wrongEntries } = records;
  const wrong = [
    withoutRecord,
    twice,
    otherMinutes,
    otherPrice,
    wrongEntries,
    sums.openCalls,
    sums.openCharges,
    sums.accountsWrong,
  ];
  const left = Object.entries(counts).some(([what]) => what.startsWith('dialog asked') && !what.endsWith('481'));
  if (left || wrong.some((count) => count > 0) || sums.ledgerCents !== sums.balanceCents) process.exitCode = 1;
}
