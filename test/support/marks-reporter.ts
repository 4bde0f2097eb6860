import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, release } from 'node:os';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { ROOT } from './gateway.ts';
import { MARK_ROWS, MEASURED_FILE, type Measured, rowOfTest } from './mark-rows.ts';
import { aligned, marksTable, type RowTest } from './marks-table.ts';

const TABLE_FILE = join(ROOT, '.cache/marks.txt');
const WHY_LENGTH_MAX = 160;

/** Prints the table of `npm run test:hostile`, and fails the run for what its tests alone would not tell: a row that did not run. */
export default class MarksReporter implements Reporter {
  readonly #startMs = Date.now();

  onInit(): void {
    rmSync(MEASURED_FILE, { force: true });
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()].flatMap(rowTest));
    const whole = process.env['NIDAA_TEST_HOSTILE_WHOLE'] === '1';
    const { lines, isKept } = marksTable(MARK_ROWS, measured(), tests, whole);
    const minutes = ((Date.now() - this.#startMs) / 60_000).toFixed(0);
    const [cpu] = cpus();
    const machine = `${cpus().length} cores, ${cpu?.model.trim()}, Linux ${release()}, Node ${process.version}, ${minutes} min`;
    const text = `\n${aligned(lines)}\n${machine}\n${isKept ? 'every mark is kept' : 'NOT EVERY MARK IS KEPT'}\n`;
    mkdirSync(join(ROOT, '.cache'), { recursive: true });
    writeFileSync(TABLE_FILE, text);
    process.stdout.write(`${text}written to ${TABLE_FILE}\n`);
    if (!isKept) process.exitCode = 1;
  }
}

function rowTest(test: TestCase): RowTest[] {
  const row = rowOfTest(test.fullName);
  if (row === undefined) return [];
  const result = test.result();
  const why = result.state === 'skipped' ? result.note : result.errors?.[0]?.message;
  const state = result.state === 'pending' ? 'skipped' : result.state;
  return [{ row, state, ...(why && { why: why.replace(/\s+/g, ' ').slice(0, WHY_LENGTH_MAX) }) }];
}

function measured(): Measured[] {
  if (!existsSync(MEASURED_FILE)) return [];
  return readFileSync(MEASURED_FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured);
}
