#!/usr/bin/env node
/**
 * What each test file takes, in seconds of processor: its own, and those of the gateways, browsers and phones that it starts and waits for.
 * What two files share (the gateway, the PostgreSQL of a run) is in neither. Files are told with the dearest first.
 *
 *   node scripts/bench/suite-cost.mjs [argument of vitest, such as test/media]...     (after: npm run build)
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'nidaa-suite-cost-'));
const costs = join(folder, 'costs.jsonl');
const vitest = ['run', '--retry=0', '--config', 'test/vitest.config.ts', '--reporter=dot', ...process.argv.slice(2)];
const { status } = spawnSync(join(ROOT, 'node_modules/.bin/vitest'), vitest, {
  ...{ cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
  env: { ...process.env, NIDAA_BUILD_DONE: '1', NIDAA_TEST_COSTS: costs },
});
const rows = readFileSync(costs, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true, force: true });
for (const { path, seconds } of rows.sort((one, other) => other.seconds - one.seconds))
  console.log(`${seconds.toFixed(2).padStart(8)}  ${path}`);
console.log(
  `${rows
    .reduce((total, { seconds }) => total + seconds, 0)
    .toFixed(0)
    .padStart(8)}  ${rows.length} files`,
);
process.exitCode = status ?? 1;
