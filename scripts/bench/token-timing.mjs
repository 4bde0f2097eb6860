#!/usr/bin/env node
/**
 * Whether the time of a refusal tells anything about the token that was refused. Every presented token, whatever it is, is
 * hashed (SHA-256), looked up by its hash and compared in constant time: a guess that shares 42 of 43 characters with a real
 * token has a hash that shares nothing with the real one's, so neither the index nor the comparison can tell them apart.
 * What remains to be seen is that no class takes a shorter way; that is measured here, over a real database.
 *
 *   node scripts/bench/token-timing.mjs [requests a class, default 10000]     (after: npm run build)
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';

const load = (path) => import(new URL(`../../dist/${path}.js`, import.meta.url));
const requests = Number(process.argv[2] ?? 10_000);
const WARM_UP = 500;
const RATIO_MAX = 1.05;

const [{ Store }, { useBearerAuth }, { useErrorEnvelope }, { silentLogger: logger }, { newTokenSecret }] =
  await Promise.all(['store/store', 'api/auth', 'api/error-envelope', 'core/logger', 'core/ids'].map(load));
const folder = mkdtempSync(join(tmpdir(), 'nidaa-bench-token-'));
const store = await Store.open({ dataFolder: folder, logger });
const app = Fastify();
try {
  const { id } = await store.accounts.create('bench');
  const real = await store.tokens.create(id, 'in force');
  const revoked = await store.tokens.create(id, 'revoked');
  await store.tokens.revoke(revoked.token.id);
  const prefix = real.token.prefix;
  const lastChanged = real.secret.slice(0, -1) + (real.secret.endsWith('a') ? 'b' : 'a');
  useErrorEnvelope(app);
  useBearerAuth(app, (token) => store.tokens.authenticate(token));
  app.get('/', async () => ({}));
  await app.ready();

  /** What is presented, made anew each time where it may differ. */
  const classes = {
    missing: () => undefined,
    'malformed (no scheme)': () => prefix + newTokenSecret(),
    'malformed (a word)': () => 'Bearer nonsense',
    'malformed (12,000 characters)': () => `Bearer ${'x'.repeat(12_000)}`,
    unknown: () => `Bearer ${prefix}${newTokenSecret()}`,
    'one character from a real one': () => `Bearer ${lastChanged}`,
    revoked: () => `Bearer ${revoked.secret}`,
  };
  const names = Object.keys(classes);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  const answers = new Set();
  for (let i = -WARM_UP; i < requests; i += 1) {
    for (const name of shuffled(names)) {
      const authorization = classes[name]();
      const before = performance.now();
      const answer = await app.inject({ url: '/', headers: authorization === undefined ? {} : { authorization } });
      if (i >= 0) times[name].push(performance.now() - before);
      answers.add(`${answer.statusCode} ${createHash('sha1').update(answer.body).digest('hex')}`);
    }
  }
  const medians = names.map((name) => [name, median(times[name])]);
  const lowest = Math.min(...medians.map(([, ms]) => ms));
  for (const [name, ms] of medians) {
    console.log(`${name.padEnd(32)} median ${(ms * 1000).toFixed(0).padStart(5)} us   x ${(ms / lowest).toFixed(3)}`);
  }
  const worst = Math.max(...medians.map(([, ms]) => ms)) / lowest;
  const verdict = worst <= RATIO_MAX ? 'within' : 'OUTSIDE';
  console.log(`${requests} each, interleaved: medians ${verdict} 5 %; ${answers.size} kind(s) of answer (1 is right)`);
} finally {
  await app.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}

function shuffled(list) {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [copy[i], copy[j]] = [copy[j], copy[i]];
  }
  return copy;
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1];
}
