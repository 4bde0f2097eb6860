#!/usr/bin/env node
/**
 * How much of the labelled set the coverage checker flags for the right reason, with what it misses; sentences a second; and
 * CPU milliseconds for 50 and 100 kB of hostile text.
 *
 *   node scripts/bench/text-coverage.mjs [labelled.jsonl]        needs `npm run build`
 */
import { createCoverageChecker } from '../../dist/engines/text/coverage/coverage-checker.js';
import { cpuMs, fill, percent, readCases } from './scoring.mjs';

const file = process.argv[2] ?? new URL('../../test/fixtures/text/coverage.jsonl', import.meta.url);
const cases = readCases(file);
const checker = createCoverageChecker();
const NAMES = { latin_in_arabic: 'latin_word' };

const reasons = new Map();
const sums = { wanted: 0, right: 0, others: 0, wrong: 0 };
for (const { id, text, flag, no_flag: unflagged } of cases) {
  const { flagged } = checker.check(text);
  for (const { token, reasons: allowed } of flag) {
    const hit = flagged.find((one) => one.token === token) ?? flagged.find((one) => one.token.includes(token));
    const right = hit !== undefined && allowed.some((reason) => (NAMES[reason] ?? reason) === hit.reason);
    const row = reasons.get(allowed[0]) ?? { wanted: 0, right: 0 };
    reasons.set(allowed[0], row);
    row.wanted += 1;
    sums.wanted += 1;
    if (right) {
      row.right += 1;
      sums.right += 1;
    } else console.log(`MISS ${id} «${token}» ${allowed.join()} got ${hit?.reason ?? '-'} in: ${text}`);
  }
  const extra = flagged.filter(
    (one) => !flag.some(({ token }) => one.token.includes(token) || token.includes(one.token)),
  );
  sums.others += unflagged.length;
  sums.wrong += extra.length;
  for (const { token, reason } of extra) console.log(`FALSE ${id} «${token}» ${reason} in: ${text}`);
}
console.log(
  `${cases.length} texts, ${sums.wanted} tokens to flag: right reason ${percent(sums.right, sums.wanted)}; wrongly ` +
    `flagged ${sums.wrong} beside ${sums.others} that must not be`,
);
for (const [reason, row] of [...reasons].sort()) console.log(`  ${reason.padEnd(16)} ${row.right}/${row.wanted}`);

for (let round = 0; round < 40; round += 1) for (const { text } of cases) checker.check(text);
const rounds = 100;
const ms = cpuMs(() => {
  for (let round = 0; round < rounds; round += 1) for (const { text } of cases) checker.check(text);
});
console.log(`${Math.round((1000 * rounds * cases.length) / ms)} texts a second of CPU`);

for (const unit of [
  'a',
  '<',
  ';',
  '1',
  ' ',
  'ـ',
  '1٢۳',
  '1 ',
  'A-',
  'A1-',
  'a.',
  'a@',
  '..',
  '😀',
  'OTP ',
  'الـ',
  '1a',
  '-',
]) {
  checker.check(fill(unit, 20_000));
  const half = cpuMs(() => checker.check(fill(unit, 50_000)));
  const full = cpuMs(() => checker.check(fill(unit, 100_000)));
  console.log(
    `  hostile ${JSON.stringify(unit).padEnd(10)} 50 kB ${half.toFixed(1).padStart(7)} ms, 100 kB ${full.toFixed(1).padStart(7)} ms`,
  );
}
