#!/usr/bin/env node
/**
 * How much of the labelled set the redactor finds, by kind, with what it misses and what it takes wrongly; sentences a second;
 * and CPU milliseconds for 50 and 100 kB of hostile text.
 *
 *   node scripts/bench/text-redact.mjs [labelled.jsonl]        needs `npm run build`
 */
import { readFileSync } from 'node:fs';
import { createRedactor } from '../../dist/engines/text/redact/redactor.js';

const file = process.argv[2] ?? new URL('../../test/fixtures/text/redact.jsonl', import.meta.url);
const cases = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
const redactor = createRedactor();

const latin = (text) =>
  text.replace(/[٠-٩]/g, (d) => d.charCodeAt(0) - 0x660).replace(/[۰-۹]/g, (d) => d.charCodeAt(0) - 0x6f0);
const digits = (text) => latin(text).replace(/[^0-9]/g, '');
const words = (text) =>
  new Set(
    latin(text)
      .toLowerCase()
      .split(/[^\p{L}\p{N}@.]+/u)
      .filter(Boolean),
  );
const share = (wanted, got) => {
  const all = words(wanted);
  const has = words(got);
  return [...all].filter((word) => has.has(word)).length / Math.max(1, all.size);
};
const hits = (span, value) =>
  span.match === 'exact' && digits(span.text).length >= 3
    ? digits(value).includes(digits(span.text))
    : share(span.text, value) >= 0.5;
const left = (span, redacted) =>
  span.match === 'exact' && digits(span.text).length >= 3
    ? digits(redacted.replace(/[\s\-‐–]/g, '')).includes(digits(span.text))
    : redacted.includes(span.text);

const kinds = new Map();
const sums = { spans: 0, found: 0, right: 0, leaked: 0, keep: 0, lost: 0, clean: 0, quiet: 0, extra: 0 };
for (const { id, text, spans, keep, clean } of cases) {
  const { redacted, findings } = redactor.redact(text);
  for (const span of spans) {
    const near = findings.filter(({ value }) => hits(span, value));
    const right = near.some(({ kind }) => kind === span.kind);
    const row = kinds.get(span.kind) ?? { spans: 0, found: 0, right: 0 };
    kinds.set(span.kind, row);
    for (const of of [row, sums]) {
      of.spans += 1;
      if (near.length > 0) of.found += 1;
      if (right) of.right += 1;
    }
    if (left(span, redacted)) sums.leaked += 1;
    if (!right)
      console.log(
        `MISS ${id} ${span.kind} «${span.text}» got ${near.map(({ kind }) => kind).join() || '-'} in: ${text}`,
      );
  }
  for (const kept of keep) {
    sums.keep += 1;
    if (latin(redacted).includes(latin(kept))) continue;
    sums.lost += 1;
    console.log(`LOST ${id} «${kept}» -> ${redacted}`);
  }
  if (!clean) continue;
  sums.clean += 1;
  sums.extra += findings.length;
  if (findings.length === 0) sums.quiet += 1;
  else console.log(`FALSE ${id} ${findings.map(({ kind, value }) => `${kind} «${value}»`).join()} in: ${text}`);
}
const percent = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
console.log(
  `${cases.length} texts, ${sums.spans} spans: found ${percent(sums.found, sums.spans)}, right kind ${percent(sums.right, sums.spans)}, left in ${percent(sums.leaked, sums.spans)}`,
);
console.log(
  `must keep ${sums.keep}: lost ${percent(sums.lost, sums.keep)}; clean texts ${sums.clean}: without finding ${percent(sums.quiet, sums.clean)} (${sums.extra} false findings)`,
);
for (const [kind, row] of [...kinds].sort())
  console.log(`  ${kind.padEnd(26)} found ${row.found}/${row.spans} kind ${row.right}`);

const cpuMs = (run) => {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
for (let round = 0; round < 40; round += 1) for (const { text } of cases) redactor.redact(text);
const rounds = 40;
const ms = cpuMs(() => {
  for (let round = 0; round < rounds; round += 1) for (const { text } of cases) redactor.redact(text);
});
console.log(`${Math.round((1000 * rounds * cases.length) / ms)} texts a second of CPU`);

const big = createRedactor({ charsMax: 1_000_000 });
const fill = (unit, chars) => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);
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
];
for (const unit of HOSTILE) {
  big.redact(fill(unit, 20_000));
  const half = cpuMs(() => big.redact(fill(unit, 50_000)));
  const full = cpuMs(() => big.redact(fill(unit, 100_000)));
  console.log(
    `  hostile ${JSON.stringify(unit).padEnd(32)} 50 kB ${half.toFixed(1).padStart(7)} ms, 100 kB ${full.toFixed(1).padStart(7)} ms`,
  );
}
