/**
 * One gateway of `npm run bench:scale` without its media: store, lease, journal and call book of its own, and calls that do to them what
 * real ones do. Told by messages what to do; what it was promised (a fact in the journal, a minute in the database) it writes to a file
 * at once, so that whoever kills it can ask for it.
 */
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const dist = (path) => import(new URL(`../../../dist/${path}.js`, import.meta.url));
const [{ Store }, { Billing }, { createMetrics }, { createLogger }, { boardInPostgres }, { EXCHANGE_MS, FRESH_MS }] =
  await Promise.all(
    ['store/store', 'billing/billing', 'core/metrics', 'core/logger', 'store/use-boards', 'core/shared-use'].map(dist),
  );

/** What goes wrong is to be seen. */
const logger = createLogger({ level: 'error', redactPersonal: true });
const { databaseUrl, dataFolder, leaseSeconds, accounts, shape } = JSON.parse(process.env.SCALE_NODE);
const awake = setInterval(() => undefined, 60_000); // while it waits for the database alone
const store = await Store.open({ databaseUrl, dataFolder, logger });
const lease = { leaseSeconds, whenTaken: 'refuse' };
const billing = await Billing.open({ store, dataFolder, logger, metrics: createMetrics(), lease });
const { callBook } = billing;
const board = boardInPostgres(store.pool, () => store.gateways.id);
const told = openSync(join(dataFolder, 'told'), 'a');
const tell = (chargeId, cents) => writeSync(told, `${chargeId} ${cents}\n`);
const LIVE_MINUTE_CENTS = 3;
/** What is on disk alone when the calls are over has to come in before the books are looked at. */
const DRAIN_MS_MAX = 600_000;
const CHARACTERS = 120; // of an answer
const REPLY_CENTS = 2 + 2; // the reply, and so many characters of `nabra-1`

const waits = { begin: [], minute: [], finish: [] };
const failed = {};
let live = 0;

const held = new Map();
const exchange = setInterval(() => {
  board.exchange({ held: Object.fromEntries(held), taken: {} }, FRESH_MS).catch(() => count('exchange'));
}, EXCHANGE_MS);

function count(what) {
  failed[what] = (failed[what] ?? 0) + 1;
}

async function timed(kind, work) {
  const startMs = performance.now();
  const result = await work;
  waits[kind].push(performance.now() - startMs);
  return result;
}

const after = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** A call as the reception and its conversation run it: `lifeMs` stands for the minutes of `shape`. */
async function call(id, account, lifeMs) {
  const { minutes, turns } = shape;
  const start = {
    ...{
      id,
      sipCallId: `${id}@bench`,
      direction: 'inbound',
      accountId: account,
      agentId: accounts.agentId,
      agentVersion: 1,
    },
    ...{ agentName: 'bench', from: '', to: '', startedAt: new Date() },
  };
  const outcome = await timed('begin', callBook.begin(start));
  if (outcome !== 'ok') return count(outcome);
  live += 1;
  held.set(account, (held.get(account) ?? 0) + 1);
  callBook.answered(id, new Date());
  tell(`${id}/minute/0`, LIVE_MINUTE_CENTS);
  const startMs = performance.now();
  const events = [
    ...Array.from({ length: minutes - 1 }, (_, n) => ({ at: (n + 1) / minutes, minute: n + 1 })),
    ...Array.from({ length: turns }, (_, n) => ({ at: (n + 0.5) / turns, turn: n })),
  ].sort((a, b) => a.at - b.at);
  for (const { at, minute, turn } of events) {
    await after(startMs + at * lifeMs - performance.now());
    if (minute !== undefined) {
      const result = await timed('minute', callBook.startMinute(id, minute));
      if (result === 'ok') tell(`${id}/minute/${minute}`, LIVE_MINUTE_CENTS);
      else count(`minute ${result}`);
      continue;
    }
    const isAgent = turn % 2 === 1;
    callBook.turn(id, {
      ...{ index: turn, role: isAgent ? 'agent' : 'caller', text: 'x'.repeat(isAgent ? CHARACTERS : 30) },
      ...{ startedMs: Math.round(at * minutes * 60_000), heardMs: 2_000 },
      ...(isAgent && { charge: { reply: true, characters: CHARACTERS, model: 'nabra-1' } }),
    });
    if (isAgent) tell(`${id}/turn/${turn}`, REPLY_CENTS);
  }
  await after(startMs + lifeMs - performance.now());
  const summary = {
    ...{ endedAt: new Date(), answered: true, talkMs: minutes * 60_000 - 1, dtmf: '' },
    end: { party: 'caller', reason: 'caller-hangup' },
  };
  await timed('finish', callBook.finish(id, summary));
  live -= 1;
  held.set(account, held.get(account) - 1);
}

const COMMANDS = {
  /** Calls `ids`, begun evenly within `withinMs`. */
  calls: async ({ ids, accountOf, withinMs, lifeMs }) => {
    const all = ids.map(async (id, n) => {
      await after((n / ids.length) * withinMs);
      await call(id, accountOf[n], lifeMs);
    });
    await Promise.all(all);
  },
  report: async () => {
    await billing.drained(DRAIN_MS_MAX);
    const { rejected, torn, unwritten } = billing.health;
    const report = { waits: { ...waits }, failed, faults: rejected + torn + unwritten };
    for (const kind of Object.keys(waits)) waits[kind] = [];
    return { ...report, rssMb: process.memoryUsage.rss() / 2 ** 20, pending: billing.pending };
  },
  live: async () => live,
  cpu: async () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  close: async () => {
    clearInterval(exchange);
    await billing.close();
    await store.close();
  },
};

process.on('message', async ({ command, number, ...more }) => {
  const result = await COMMANDS[command](more).catch((error) => ({ error: String(error?.stack ?? error) }));
  process.send({ number, result });
  if (command === 'close') process.disconnect();
});
process.on('disconnect', () => process.exit(0)); // Whoever began us is gone.
clearInterval(awake);
process.send({ ready: true });
