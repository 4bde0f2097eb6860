#!/usr/bin/env node
/**
 * Which of the scripted replies' rules, cues and patterns the labelled sets need: each is taken away alone, and the first sentences
 * and conversations of all kept sets are played again.
 *
 *   node scripts/bench/ablate.mjs [PART...] [--firsts] [--sets=21,22]      needs `npm run build`; about ten minutes of processor
 *
 * Taken away: every row of a list of rules or patterns, every table of cues as a whole; only those whose file and name hold a PART
 * where some are named. `--firsts` leaves the conversations out. Prints what each was needed for: rows that were better with it and
 * rows that are better without; last those that no row needs. A closed class of words that no set needs is no reason to take it out.
 * NIDAA_CONSTANT=understanding.js:SURE=0.8 has one number be another, for a table of thresholds.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { register } from 'node:module';

register('./dialogue/told-tables.mjs', import.meta.url);
const { takeTurn } = await import('../../dist/engines/reply/dialogue.js');
const { initialState } = await import('../../dist/engines/reply/dialogue-state.js');
const { IntentMatcher } = await import('../../dist/engines/reply/intent-matcher.js');
const { SimulatedCaller } = await import('./dialogue/simulated-caller.mjs');
const { labelIn, verdictOf } = await import('./dialogue/verdicts.mjs');
const { SUNDAY_AT_TEN, shippedAgent } = await import('./shipped-agent.mjs');

const args = process.argv.slice(2);
const parts = args.filter((arg) => !arg.startsWith('--'));
const onlyFirsts = args.includes('--firsts');
const sets = args
  .find((arg) => arg.startsWith('--sets='))
  ?.slice('--sets='.length)
  .split(',');
const UNSEEN = new URL('../../test/engines/reply/unseen/', import.meta.url);
/** How good an outcome is. */
const WORTH = { right: 3, 'asked back': 2, nothing: 1, 'asked wrongly': 1, wrong: 0 };

rememberRanks();
const callers = ['delivery-en', 'clinic-ar'].map((name) => ({ agent: shippedAgent(name), rows: rowsOf(name) }));

/** What words may mean is asked again and again, and nothing that is taken away changes it. */
function rememberRanks() {
  const { rank } = IntentMatcher.prototype;
  const known = new WeakMap();
  IntentMatcher.prototype.rank = function remembered(words, without, limit) {
    if (!known.has(this)) known.set(this, new Map());
    const own = known.get(this);
    const key = `${words.join(' ')}|${without}|${limit}`;
    if (!own.has(key)) own.set(key, rank.call(this, words, without, limit));
    return own.get(key);
  };
}

function rowsOf(name) {
  const files = readdirSync(UNSEEN).filter((file) => file.startsWith(name));
  const wanted = files.filter((file) => !sets || sets.includes(/(\d+)\.jsonl$/.exec(file)[1]));
  return wanted.flatMap((file) =>
    readFileSync(new URL(file, UNSEEN), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => ({ ...JSON.parse(line), set: file.replace('.jsonl', '') }))
      .filter(({ kind }) => kind === 'first' || !onlyFirsts),
  );
}

/** Of every row what it is worth, 3 at most, in the order of the rows; a row that throws is worth nothing. */
function worths() {
  return callers.flatMap(({ agent, rows }) => {
    const start = initialState(agent.language);
    const turn = (state, text) => takeTurn(agent, state, text, SUNDAY_AT_TEN);
    const judge = (row) => {
      if (row.kind === 'first') return WORTH[verdictOf(row, turn(start, row.text))];
      return new SimulatedCaller(row).talk(start, turn, labelIn(agent)).ok ? WORTH.right : 0;
    };
    return rows.map((row) => {
      try {
        return judge(row);
      } catch {
        return 0;
      }
    });
  });
}

/** Every table, and of lists of rules and patterns every row: what takes it away, and what puts it back. */
function* removals() {
  for (const { name, table } of globalThis.toldTables) {
    if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue;
    if (table instanceof Map || table instanceof Set) {
      const held = [...table];
      const put = table instanceof Map ? ([key, value]) => table.set(key, value) : (one) => table.add(one);
      yield { name, take: () => table.clear(), putBack: () => held.forEach(put) };
    } else if (Array.isArray(table) && !Object.isFrozen(table)) {
      for (const [at, row] of [...table].entries()) {
        const label = row?.name ?? row?.of ?? (row instanceof RegExp ? String(row).slice(0, 60) : at);
        const putBack = () => table.splice(at, 0, row);
        yield { name: `${name} [${label}]`, take: () => table.splice(at, 1), putBack };
      }
    }
  }
}

const rows = callers.flatMap((one) => one.rows);
const before = worths();
const share = (of, kind) => {
  const own = rows.flatMap((row, i) => (row.kind === kind ? [before[i]] : []));
  return `${own.filter((worth) => worth === of).length} of ${own.length}`;
};
const asked = rows.filter((row, i) => row.kind === 'first' && before[i] === WORTH['asked back']).length;
console.log(
  `first sentences right ${share(WORTH.right, 'first')}, wrong ${share(WORTH.wrong, 'first')}, asked back ${asked}` +
    (onlyFirsts ? '' : `; conversations ${share(WORTH.right, 'dialogue')}`),
);
if (args.includes('--only-count')) process.exit(0);

const unneeded = [];
for (const { name, take, putBack } of removals()) {
  take();
  const after = worths();
  putBack();
  const worse = after.filter((worth, i) => worth < before[i]).length;
  const better = after.filter((worth, i) => worth > before[i]).length;
  if (worse + better === 0) unneeded.push(name);
  else console.log(`needed by ${worse}, better without ${better}: ${name}`);
}
console.log(`\nno row needs (${unneeded.length}):\n${unneeded.join('\n')}`);
