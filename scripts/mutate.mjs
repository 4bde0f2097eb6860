// Puts one fault at a time into a copy of the tree and runs the tests that must notice it.
//   npm run mutate            every fault of test/mutations
//   npm run mutate -- media   those of the lists or files whose name contains the word
// Ends with 1 when a fault survives, a row is stale, or a named test is red without any fault.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COPIED = ['src', 'test', 'config', 'scripts', 'dist', 'package.json', 'tsconfig.json', 'README.md', 'docker'];
/** A fault that makes a test wait for ever is noticed too, in this time. */
const RUN_MS_MAX = 300_000;

const words = process.argv.slice(2);
const rows = readdirSync(join(ROOT, 'test/mutations'))
  .filter((name) => name.endsWith('.json'))
  .flatMap((name) =>
    JSON.parse(readFileSync(join(ROOT, 'test/mutations', name), 'utf8')).map((row) => ({ ...row, list: name })),
  )
  .filter((row) => words.length === 0 || words.some((word) => row.list.includes(word) || row.file.includes(word)));
if (rows.length === 0) {
  console.error('error: no row is called so');
  process.exit(1);
}

const copy = mkdtempSync(join(tmpdir(), 'nidaa-mutate-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true, preserveTimestamps: true });
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));

/** What the tests say: `failed` (a test is red), `passed`, or `broken` (no test ran: the file does not load). */
function verdictOf(tests, changed = '') {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const runner = join(copy, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=json', `--outputFile.json=${report}`];
  const args = ['run', '--config', 'test/vitest.config.ts', '--retry=0', '--bail=1', '--maxWorkers=1', ...reporters];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [runner, ...args, ...tests], {
      ...{ cwd: copy, stdio: 'ignore', detached: true },
      env: {
        ...process.env,
        NIDAA_TEST_EVERY: '1',
        ...(!changed.startsWith('src/console/') && { NIDAA_BUILD: 'gateway' }),
      },
    });
    const end = setTimeout(() => {
      process.kill(-child.pid, 'SIGKILL');
      resolve('failed');
    }, RUN_MS_MAX);
    child.once('exit', (code) => {
      clearTimeout(end);
      if (code === 0) return resolve('passed');
      try {
        resolve(JSON.parse(readFileSync(report, 'utf8')).numFailedTests > 0 ? 'failed' : 'broken');
      } catch {
        resolve('broken');
      }
    });
  });
}

const complaints = [];
let caught = 0;
const complain = (row, what) => {
  complaints.push(`${what}: ${row.file}\n    - ${row.text}\n    + ${row.replacement}\n    ${row.tests.join(' ')}`);
  console.log(`  ${what}`);
};

const named = [...new Set(rows.flatMap((row) => row.tests))].sort();
console.log(`${rows.length} faults, ${named.length} test files, first without a fault`);
const red = new Set();
for (const test of named) {
  if ((await verdictOf([test])) === 'passed') continue;
  red.add(test);
  complaints.push(`red without any fault: ${test}`);
  console.log(`  red without any fault: ${test}`);
}
for (const [index, row] of rows.entries()) {
  console.log(`${index + 1}/${rows.length} ${row.file}: ${row.text.trim().split('\n')[0].slice(0, 90)}`);
  const file = join(copy, row.file);
  const original = readFileSync(file, 'utf8');
  if (original.split(row.text).length !== 2) {
    complain(row, 'stale, its text is not there exactly once');
    continue;
  }
  writeFileSync(
    file,
    original.replace(row.text, () => row.replacement),
  );
  const verdict = await verdictOf(row.tests, row.file);
  writeFileSync(file, original);
  if (verdict === 'passed') complain(row, 'SURVIVED');
  if (verdict === 'broken') complain(row, 'no test could run with it');
  if (verdict === 'failed') caught += 1;
}
console.log(`mutations: ${caught} caught, ${complaints.length} to look at`);
for (const complaint of complaints) console.log(`- ${complaint}`);
process.exit(complaints.length === 0 ? 0 : 1);
