import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

/** Clock ticks of `/proc`, which every Linux that Node runs on counts in hundredths (proc(5)). */
const TICKS_PER_S = 100;

/** Seconds of processor of this process and of every child that it has waited for, theirs included. */
function processorSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) / TICKS_PER_S;
}

/** Loaded before each file, so that its hook is the last of all: what a test file took, with the gateways that it started and stopped. */
const before = processorSeconds();
afterAll(() => {
  const path = expect.getState().testPath?.replace(/^.*\/test\//, '') ?? '';
  const seconds = Math.round((processorSeconds() - before) * 100) / 100;
  appendFileSync(process.env['NIDAA_TEST_COSTS'] ?? '', `${JSON.stringify({ path, seconds })}\n`);
});
