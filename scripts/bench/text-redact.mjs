#!/usr/bin/env node
/**
 * How much of the labelled set the redactor finds, by kind, with what it misses and what it takes wrongly; sentences a second;
 * and CPU milliseconds for 50 and 100 kB of hostile text.
 *
 *   node scripts/bench/text-redact.mjs [labelled.jsonl]        needs `npm run build`
 */
import { readFileSync } from 'node:fs';
import { createRedactor } from '../../dist/engines/text/redact/redactor.js';
import { cpuMs, fillBytes, readCases, redactionLines, scoreRedaction } from './scoring.mjs';

const file = process.argv[2] ?? new URL('../../test/fixtures/text/redact.jsonl', import.meta.url);
const cases = readCases(file);
const redactor = createRedactor();

for (const line of redactionLines(scoreRedaction(cases, redactor, console.log))) console.log(line);

for (let round = 0; round < 40; round += 1) for (const { text } of cases) redactor.redact(text);
const rounds = 40;
const ms = cpuMs(() => {
  for (let round = 0; round < rounds; round += 1) for (const { text } of cases) redactor.redact(text);
});
console.log(`${Math.round((1000 * rounds * cases.length) / ms)} texts a second of CPU`);

const big = createRedactor({ charsMax: 1_000_000 });
const HOSTILE = JSON.parse(
  readFileSync(new URL('../../test/fixtures/text/hostile-units.json', import.meta.url), 'utf8'),
);
for (const unit of HOSTILE) {
  big.redact(fillBytes(unit, 20_000));
  const half = cpuMs(() => big.redact(fillBytes(unit, 50_000)));
  const full = cpuMs(() => big.redact(fillBytes(unit, 100_000)));
  console.log(
    `  hostile ${JSON.stringify(unit).padEnd(32)} 50 kB ${half.toFixed(1).padStart(7)} ms, 100 kB ${full.toFixed(1).padStart(7)} ms`,
  );
}
