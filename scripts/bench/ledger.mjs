#!/usr/bin/env node
/**
 * Paid operations a second of the ledger over a real PostgreSQL with fsync, without HTTP: `held` reserves and settles (two
 * bookings), `at once` charges (one). Beside it, what the disk does in the same run.
 * Usage: node scripts/bench/ledger.mjs [seconds per case, default 3]
 */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const dist = (path) => import(new URL(`../../dist/${path}.js`, import.meta.url));
const [{ Store }, { Billing }, { createMetrics }, { silentLogger: logger }, { newId }] = await Promise.all(
  ['store/store', 'billing/billing', 'core/metrics', 'core/logger', 'core/ids'].map(dist),
);

const seconds = Number(process.argv[2] ?? 3);
const ACCOUNTS = 64;
const folder = mkdtempSync(join(tmpdir(), 'nidaa-bench-ledger-'));
console.log(`one 4 kB write and fdatasync: ${syncsPerSecond().toFixed(0)}/s`);
const store = await Store.open({ dataFolder: folder, logger });
const billing = await Billing.open({ store, dataFolder: folder, logger, metrics: createMetrics() });
const { ledger } = billing;
try {
  const accounts = [];
  for (let n = 0; n < ACCOUNTS; n += 1) {
    const { id } = await store.accounts.create(`bench ${n}`);
    await ledger.topup(`bench/${id}`, id, 1_000_000_000);
    accounts.push(id);
  }
  const charge = (accountId, id = newId('chg')) => ({ id, accountId, cents: 4, owner: id, kind: 'ask' });
  const held = async (accountId) => {
    const one = charge(accountId);
    if ((await ledger.reserve(one)) !== 'reserved') throw new Error('not reserved');
    if ((await ledger.settle(one.id, 4)) !== 4) throw new Error('not settled');
  };
  const atOnce = async (accountId) => {
    if ((await ledger.charge(charge(accountId))).outcome !== 'settled') throw new Error('not charged');
  };
  for (const [name, operation] of [
    ['held', held],
    ['at once', atOnce],
  ]) {
    for (const count of [1, ACCOUNTS]) {
      for (const clients of [1, 16, 64, 256]) {
        const result = await run((n) => operation(accounts[n % count]), clients);
        const title = `${name}, ${count} account${count > 1 ? 's' : ''}, ${clients} clients`;
        console.log(
          `${title.padEnd(34)} ${result.perSecond.toFixed(0).padStart(6)}/s  p50 ${result.p50.toFixed(1)} ms  p99 ` +
            `${result.p99.toFixed(1)} ms  ${result.cores.toFixed(2)} cores of node`,
        );
      }
    }
  }
  const { rows } = await store.pool.query(`SELECT count(*)::int AS wrong FROM accounts a
    WHERE reserved_cents <> 0 OR balance_cents <> (SELECT sum(cents) FROM ledger WHERE account_id = a.id)`);
  console.log(`accounts whose balance is not the sum of their ledger: ${rows[0].wrong}`);
} finally {
  await billing.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Keeps `clients` operations under way for the time, the n-th client always on the n-th account. */
async function run(operation, clients) {
  const times = [];
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const endMs = startMs + seconds * 1000;
  const client = async (n) => {
    for (let sentMs = performance.now(); sentMs < endMs; ) {
      await operation(n);
      const nowMs = performance.now();
      times.push(nowMs - sentMs);
      sentMs = nowMs;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, n) => client(n)));
  const tookMs = performance.now() - startMs;
  const used = process.cpuUsage(cpu);
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(times.length * share)];
  return {
    ...{ perSecond: (times.length * 1000) / tookMs, p50: at(0.5), p99: at(0.99) },
    cores: (used.user + used.system) / 1000 / tookMs,
  };
}

function syncsPerSecond() {
  const fd = openSync(join(folder, 'sync'), 'w');
  const page = Buffer.alloc(4096, 1);
  const startMs = performance.now();
  let count = 0;
  for (; performance.now() - startMs < 500; count += 1) {
    writeSync(fd, page);
    fdatasyncSync(fd);
  }
  closeSync(fd);
  return count * 2;
}
