import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Runs the projects of `test/vitest.config.ts` in lanes. Whole calls in real time go on beside all the rest: they mostly wait, and
 * the rest stands behind them whenever they do not. What loads the machine follows alone.
 *
 * Leaves the reports of all lanes as one in `.cache/tests.json`. Exit code: of the first lane that failed, else 0.
 */
const BESIDE = [
  { lane: 0, projects: ['calls'] },
  // A third of the weight of the calls. Not less: what they wait for would not come in time beside another busy program.
  { lane: 1, projects: ['gateways', 'parts'], nice: 5 },
];
const AFTERWARDS = { lane: 0, projects: ['alone'] };
const reportOf = ({ projects }) => `.cache/tests-${projects[0]}.json`;

// A signal reaches the runners too, for they are of our group: they end their tests, and then we end.
let signalled = 0;
process.on('SIGINT', () => {
  signalled = 130;
});
process.on('SIGTERM', () => {
  signalled = 143;
});

/** @returns the exit code of its runner. */
function run(one) {
  const args = ['run', '--config', 'test/vitest.config.ts', ...one.projects.flatMap((name) => ['--project', name])];
  args.push('--reporter=default', '--reporter=./test/support/debt-reporter.ts', '--reporter=json');
  args.push(`--outputFile.json=${reportOf(one)}`);
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const env = { ...process.env, ...colours, NIDAA_TEST_LANE: String(one.lane) };
  const child = spawn('node_modules/.bin/vitest', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  if (one.nice !== undefined) setPriority(child.pid, one.nice);
  for (const name of ['stdout', 'stderr']) forwardLines(child[name], process[name]);
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Whole lines only: two runners write to one terminal. */
function forwardLines(from, to) {
  let rest = '';
  from.setEncoding('utf8').on('data', (text) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) to.write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  from.once('end', () => rest && to.write(`${rest}\n`));
}

/** One report of all lanes: their counts added up, their files one after the other. */
function joined(reports) {
  const all = { success: true, testResults: [] };
  for (const report of reports) {
    for (const [key, value] of Object.entries(report)) {
      if (/^num[A-Z]/.test(key)) all[key] = (all[key] ?? 0) + value;
    }
    all.success &&= report.success;
    all.testResults.push(...report.testResults);
  }
  return all;
}

const codes = await Promise.all(BESIDE.map(run));
const lanes = [...BESIDE];
if (signalled === 0) {
  codes.push(await run(AFTERWARDS));
  lanes.push(AFTERWARDS);
}
if (signalled !== 0) process.exit(signalled);
const reports = lanes.map((one) => JSON.parse(readFileSync(reportOf(one), 'utf8')));
writeFileSync('.cache/tests.json', JSON.stringify(joined(reports)));
process.exit(codes.find((code) => code !== 0) ?? 0);
