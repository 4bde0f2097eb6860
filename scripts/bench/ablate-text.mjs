#!/usr/bin/env node
/**
 * Which rules, patterns and words of the text engines the labelled rows need: each is taken away alone, and the rows in which it
 * decides something are read again.
 *
 *   node scripts/bench/ablate-text.mjs [PART...] [--kinds=rule,row,alternative,word] [--most=300] [--json=FILE]      needs `npm run build:gateway`
 *
 * Taken away: every condition of an `if`, operand, branch and reader of a chain (never so; always so; nothing found), every row of a
 * list, every alternative of a pattern, where asked every word of a table; of files whose name holds a PART where some are named,
 * with `--most` only what decides something in no more rows than that (the rest takes an hour of processor).
 * What guards a length, a place or `undefined` stays. Judged by the labelled sets, and by sentences that nobody wrote for these rules
 * (what callers say to agents, questions about documents), of which the outcome must stay what it is. Prints what no row needs, with
 * the number of rows in which it did something; then what is better without.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { readCases, scoreRedaction } from './scoring.mjs';
import { Ablation } from './text/ablation.mjs';

globalThis.ablation = new Ablation();
register('./text/told-rules.mjs', import.meta.url);
const { createRedactor } = await import('../../dist/engines/text/redact/redactor.js');
const { createNormalizer } = await import('../../dist/engines/text/normalize/speakable-normalizer.js');
const { createCoverageChecker } = await import('../../dist/engines/text/coverage/coverage-checker.js');
const { isRead } = await import('./text/readings.mjs');

const args = process.argv.slice(2);
const partsAsked = args.filter((arg) => !arg.startsWith('--'));
const most = Number(args.find((arg) => arg.startsWith('--most='))?.slice('--most='.length) ?? Infinity);
const kinds = args
  .find((arg) => arg.startsWith('--kinds='))
  ?.slice('--kinds='.length)
  .split(',') ?? ['rule', 'row', 'alternative'];
const json = args.find((arg) => arg.startsWith('--json='))?.slice('--json='.length);
const TEST = new URL('../../test/', import.meta.url);

const redactor = createRedactor();
const normalizer = createNormalizer();
const checker = createCoverageChecker();
const rows = [...redactRows(), ...normalizeRows(), ...coverageRows()];
const isLabelled = rows.map(({ unseen }) => !unseen);

function* redactRows() {
  const judge = (one) => () => {
    const { sums } = scoreRedaction([one], redactor);
    return sums.right === sums.spans && sums.left + sums.lost === 0 && sums.clean === sums.quiet ? 'right' : 'wrong';
  };
  for (const one of readCases(new URL('fixtures/text/redact.jsonl', TEST)))
    yield { text: one.text, outcome: judge(one) };
  for (const text of sentences()) yield { text, unseen: true, outcome: () => JSON.stringify(redactor.redact(text)) };
}

function* normalizeRows() {
  for (const name of ['ar', 'en']) {
    for (const one of readCases(new URL(`fixtures/text/normalize-${name}.jsonl`, TEST))) {
      yield { text: one.input, outcome: () => (isRead(one, normalizer) ? 'right' : 'wrong') };
    }
  }
  for (const text of sentences()) yield { text, unseen: true, outcome: () => normalizer.normalize(text).normalized };
}

function* coverageRows() {
  for (const { text, flag } of readCases(new URL('fixtures/text/coverage.jsonl', TEST))) {
    const outcome = () => {
      const { flagged } = checker.check(text);
      const isRight = ({ token, reasons }, at) =>
        flagged[at].token.includes(token) && reasons.includes(flagged[at].reason);
      return flagged.length === flag.length && flag.every(isRight) ? 'right' : 'wrong';
    };
    yield { text, outcome };
  }
}

/** What callers say to agents, and ask about documents. */
function sentences() {
  const files = (folder, kind) =>
    readdirSync(new URL(folder, TEST))
      .filter((file) => kind.test(file))
      .map((file) => `${folder}${file}`);
  const said = files('engines/reply/unseen/', /\.jsonl$/).flatMap((file) =>
    readCases(new URL(file, TEST)).flatMap(({ text, opening, answers }) =>
      [text, opening, Object.values(answers ?? {})].flat(3),
    ),
  );
  const asked = files('fixtures/documents/', /^questions.*\.jsonl$/).flatMap((file) =>
    readCases(new URL(file, TEST)).map(({ question }) => question),
  );
  return [...new Set([...said, ...asked])].filter((one) => typeof one === 'string');
}

function outcomeOf(row, noted) {
  globalThis.ablation.begin(noted);
  try {
    return rows[row].outcome();
  } catch (error) {
    return `fails: ${error.message}`;
  }
}

const before = rows.map((_, row) => outcomeOf(row, row));
const everyRow = rows.map((_, row) => row);
const right = before.filter((one, row) => isLabelled[row] && one === 'right').length;
console.log(`${rows.length} rows; labelled right ${right} of ${isLabelled.filter(Boolean).length}`);

/** More of these make no difference. */
const NEEDS_MAX = 5;
const told = [];
for (const { name, kind, rows: own = everyRow, take, putBack } of [...globalThis.ablation.parts()]) {
  if (partsAsked.length > 0 && !partsAsked.some((part) => name.includes(part))) continue;
  if (!kinds.includes(kind)) continue;
  if (own.length > most) continue;
  let worse = 0;
  let better = 0;
  take();
  for (const row of own) {
    const after = outcomeOf(row);
    if (after === before[row]) continue;
    if (after === 'right') better += 1;
    else worse += 1;
    if (worse >= NEEDS_MAX) break;
  }
  putBack();
  told.push({ name, kind, rows: own.length, worse, better });
}
if (json) writeFileSync(json, JSON.stringify(told, null, 1));
for (const kind of ['rule', 'row', 'alternative', 'word']) {
  const own = told.filter((one) => one.kind === kind);
  if (own.length === 0) continue;
  const unneeded = own.filter(({ worse, better }) => worse + better === 0);
  console.log(
    `\n${kind}: ${own.length}; needed by one row ${own.filter(({ worse }) => worse === 1).length}; by none ${unneeded.length}`,
  );
  for (const { name, rows: count } of unneeded)
    console.log(`  ${name} (${kind === 'row' ? 'every row' : `${count} rows`})`);
}
const hurting = told.filter(({ worse, better }) => better > worse);
console.log(`\nbetter without: ${hurting.length}\n${hurting.map(({ name }) => `  ${name}`).join('\n')}`);
