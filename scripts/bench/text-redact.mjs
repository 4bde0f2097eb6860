#!/usr/bin/env node
/**
 * How much of the labelled set the redactor finds, by kind, with what it misses and what it takes wrongly; sentences a second;
 * and CPU milliseconds for 50 and 100 kB of hostile text.
 *
 *   node scripts/bench/text-redact.mjs [labelled.jsonl]        needs `npm run build`
 */
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
const HOSTILE = [
  'a',
  '<',
  ';',
  '1',
  ' ',
  'ـ',
  '1٢۳',
  '1 ',
  '٠ ٥ ',
  'واحد ',
  'sa12 ',
  'هوية ',
  'id ',
  'اسمي محمد ',
  'my salary ',
  'a@',
  '[',
  '1.',
  '1,',
  'eyJaaaaaaaaa.',
  'شارع 1 ',
  'sk-',
  '****',
  'محمد بن ',
  '-----BEGIN PRIVATE KEY-----',
  'password is ',
  ':',
  '1:2',
  'a1:b2:',
  '\n',
  'السكري ',
  '+9665',
  '05-',
  'صفر خمسمية وخمسة ',
  'double five ',
  'عبدالله وفهد ',
  'أنا ',
  'Sara and ',
  'customer: ',
  'كلمة المرور ل',
  '\u202a',
  '\u200f1',
  'a1',
  'ﷺ',
  '😀',
  'name,phone\nاحمد,1\n',
  '[10:42] a: ',
  'يا لمار، ',
  'المريض محمد ',
  'Naseer called ',
  'witness, Ruwaida, ',
  'a1a1 as password ',
  'in my account 1000 ',
  'they pay me 9000 a month ',
  'ألف ريال ',
  'i live in al ',
  'أنا في مسجد ',
  'ألم في ',
  'code? 1234. ',
  'twenty ',
  'متهم ب',
  'ينتمي اب اب ',
  '12 Al St ',
  'accused of a b c ',
  'متهم في ',
];
for (const unit of HOSTILE) {
  big.redact(fillBytes(unit, 20_000));
  const half = cpuMs(() => big.redact(fillBytes(unit, 50_000)));
  const full = cpuMs(() => big.redact(fillBytes(unit, 100_000)));
  console.log(
    `  hostile ${JSON.stringify(unit).padEnd(32)} 50 kB ${half.toFixed(1).padStart(7)} ms, 100 kB ${full.toFixed(1).padStart(7)} ms`,
  );
}
