#!/usr/bin/env node
/**
 * The normaliser against labelled sentences, and its speed.
 *
 *   node scripts/bench/text-normalize.mjs [--set file.jsonl ...] [--seconds 2] [--hostile]
 *
 * Needs `npm run build`. A set is JSON lines `{id, language, class, input, accept[]}`; the default is the repository's own,
 * which the normaliser was written against, so its figure says nothing about unseen text. Right means: equal to one of
 * `accept` but for letter case, punctuation, diacritics and the spelling variants folded below. `--hostile` adds the CPU time
 * of texts of 100,000 characters, one pattern each, the best of three runs.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createNormalizer } from '../../dist/engines/text/normalize/speakable-normalizer.js';
import { isRead } from './text/readings.mjs';

const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true },
    seconds: { type: 'string', default: '2' },
    hostile: { type: 'boolean', default: false },
  },
});
const fixtures = fileURLToPath(new URL('../../test/fixtures/text/', import.meta.url));
const sets = values.set ?? [`${fixtures}normalize-ar.jsonl`, `${fixtures}normalize-en.jsonl`];
const normalizer = createNormalizer();

for (const file of sets) {
  const cases = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const classes = new Map();
  const misses = [];
  let digitsLeft = 0;
  let unstable = 0;
  for (const one of cases) {
    const { language, class: name, input, accept } = one;
    const { normalized } = normalizer.normalize(input, language);
    const right = isRead(one, normalizer);
    const row = classes.get(name) ?? { right: 0, all: 0 };
    classes.set(name, { right: row.right + (right ? 1 : 0), all: row.all + 1 });
    if (!right) misses.push({ name, input, normalized, wanted: accept[0] });
    if (/\p{Nd}/u.test(normalized)) digitsLeft += 1;
    if (normalizer.normalize(normalized, language).normalized !== normalized) unstable += 1;
  }
  const right = cases.length - misses.length;
  console.log(
    `${file.split('/').pop()}: ${right}/${cases.length} (${percent(right, cases.length)}), digits left ${digitsLeft}, unstable ${unstable}`,
  );
  for (const [name, row] of [...classes].sort()) console.log(`  ${name.padEnd(12)} ${row.right}/${row.all}`);
  for (const miss of misses)
    console.log(`  MISS ${miss.name} | ${miss.input} | ${miss.normalized} | want ${miss.wanted}`);
  throughput(cases);
}
if (values.hostile) hostile();

function percent(part, whole) {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

/** Sentences a second of CPU time, so that other programs on the machine do not count. */
function throughput(cases) {
  const limitUs = Number(values.seconds) * 1e6;
  for (const { input, language } of cases) normalizer.normalize(input, language);
  const before = process.cpuUsage();
  let done = 0;
  let usedUs = 0;
  while (usedUs < limitUs) {
    for (const { input, language } of cases) normalizer.normalize(input, language);
    done += cases.length;
    const { user, system } = process.cpuUsage(before);
    usedUs = user + system;
  }
  const characters = cases.reduce((sum, { input }) => sum + input.length, 0) / cases.length;
  console.log(
    `  ${Math.round(done / (usedUs / 1e6))} sentences a CPU second, ${characters.toFixed(0)} characters each on average`,
  );
}

function cpuMs(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function hostile() {
  const patterns = [
    '1',
    ' ',
    'ـ',
    '(',
    '٣',
    '1,',
    '1.',
    '1-',
    '1/',
    '+1',
    'a',
    'A ',
    'a@',
    'A1-',
    'م.',
    'م5',
    '5 5 ',
    'ر.س ',
    '%5',
    '½',
    'َ',
    'a\u0301',
    '5-6 ',
    'Ⅷ',
    'SV 1 ',
    '#1 ',
    '$5 ',
    'أ.د. ',
    'noon-',
    'ab-',
    '1:2',
    "Nov '",
  ];
  for (const pattern of patterns) {
    const text = pattern.repeat(Math.ceil(100_000 / pattern.length));
    const best = Math.min(...[1, 2, 3].map(() => cpuMs(() => normalizer.normalize(text))));
    console.log(`  100,000 characters of ${JSON.stringify(pattern).padEnd(10)} ${best.toFixed(0)} ms`);
  }
}
