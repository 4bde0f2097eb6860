// Fits src/engines/reply/sureness-weights.ts: `npm run build && nice -n 19 node scripts/bench/reply-fit.mjs [--write]`.
// A logistic regression on the first guess for every labelled first sentence that is taken for a wish: the first
// sets of test/engines/reply/unseen, and of the rounds in fixtures/ the two that others wrote, which count less since examples were
// written after them. Printed: the log loss, and how often right is surer than wrong (AUC), of every set left out of the fit.
import { readFileSync, writeFileSync } from 'node:fs';
import { hear, takeTurn } from '../../dist/engines/reply/dialogue.js';
import { initialState } from '../../dist/engines/reply/dialogue-state.js';
import { EVIDENCE, evidenceOf } from '../../dist/engines/reply/sureness.js';
import { openGuesses, SURE } from '../../dist/engines/reply/understanding.js';
import { SUNDAY_AT_TEN, shippedAgent } from './shipped-agent.mjs';

const AGENTS = ['delivery-en', 'clinic-ar'];
const TESTS = new URL('../../test/engines/reply/', import.meta.url);
const WEIGHTS = new URL('../../src/engines/reply/sureness-weights.ts', import.meta.url);
/** Read and fitted on already. A set that is not named here stays one that nothing was fitted on. */
const SETS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'];
const ROUNDS = ['8', '9'];
const ROUND_WEIGHT = 0.3;
/** Talk that is for nobody: a third of the rounds, and one call in ten. */
const IDLE_WEIGHT = 0.2;
const RIDGE = 5;
const STEPS = 30;
const SIZE = EVIDENCE.length + 1;

const read = (path) => readFileSync(new URL(path, TESTS), 'utf8').split('\n');

function readingOf(id) {
  if (id.startsWith('knowledge:')) return 'question';
  if (id === 'stock:human' || id === 'intent:human') return 'human';
  return id.startsWith('intent:') ? id.slice('intent:'.length) : 'none';
}

function* rowsOf(name, agent) {
  for (const file of SETS.map((set) => `${name}-${set}.jsonl`)) {
    for (const row of read(`unseen/${file}`).filter(Boolean).map(JSON.parse)) {
      if (row.kind !== 'first') continue;
      const right = new Set([...row.right, ...(row.then ?? [])]);
      yield { set: file, text: row.text, weight: 1, isRight: (id) => right.has(readingOf(id)) };
    }
  }
  const table = read(`fixtures/utterances-${name}.tsv`).map((line) => line.split('\t'));
  const asked = new Map(table.filter(([key]) => key.startsWith('@')).map(([key, text]) => [`?${key.slice(1)}`, text]));
  const idsOf = (meaning) => {
    if (!meaning.startsWith('?'))
      return [agent.meaning(`intent:${meaning}`) ? `intent:${meaning}` : `stock:${meaning}`];
    const index = agent.definition.knowledge.findIndex(({ question }) =>
      [...(question.ar ?? []), ...(question.en ?? [])].includes(asked.get(meaning)),
    );
    return [`knowledge:${index}`];
  };
  // What is for nobody is the same in every round: no example was ever written after it.
  for (const [round, , meaning, text] of table.filter(([key]) => /^\d/.test(key))) {
    if (!ROUNDS.includes(round) && meaning !== 'none') continue;
    const ids = meaning.split('|').flatMap(idsOf);
    const weight = meaning === 'none' ? IDLE_WEIGHT : ROUND_WEIGHT;
    yield {
      set: ROUNDS.includes(round) ? `round ${round}` : 'off topic',
      text,
      weight,
      isRight: (id) => ids.includes(id),
    };
  }
}

/** The evidence for the first guess, and whether it is right. */
function samplesOf(name) {
  const agent = shippedAgent(name);
  const start = initialState(agent.language);
  return [...rowsOf(name, agent)].flatMap(({ set, text, weight, isRight }) => {
    const heard = hear(agent, start, text, SUNDAY_AT_TEN);
    const guesses = openGuesses(heard.guesses);
    if (guesses.length === 0 || takeTurn(agent, start, text, SUNDAY_AT_TEN, undefined, heard).trace[0].rule !== 'wish')
      return [];
    const evidence = evidenceOf(guesses);
    return [{ set, weight, right: isRight(guesses[0].id), x: [1, ...EVIDENCE.map((key) => evidence[key])] }];
  });
}

/** Newton's method; all but the bias are held near zero by `RIDGE`, each in units of its deviation. */
function fitted(samples) {
  const mean = new Float64Array(SIZE);
  const deviation = new Float64Array(SIZE).fill(1);
  for (let k = 1; k < SIZE; k += 1) {
    mean[k] = samples.reduce((sum, { x }) => sum + x[k], 0) / samples.length;
    deviation[k] = Math.sqrt(samples.reduce((sum, { x }) => sum + (x[k] - mean[k]) ** 2, 0) / samples.length) || 1;
  }
  const scaled = samples.map((one) => ({ ...one, x: one.x.map((value, k) => (value - mean[k]) / deviation[k]) }));
  const weights = new Float64Array(SIZE);
  for (let step = 0; step < STEPS; step += 1) {
    // The gradient is the last column of the system.
    const system = Array.from({ length: SIZE }, (_, k) => {
      const row = new Float64Array(SIZE + 1);
      row[k] = k === 0 ? 1e-6 : RIDGE;
      row[SIZE] = k === 0 ? 0 : RIDGE * weights[k];
      return row;
    });
    for (const { x, right, weight } of scaled) {
      const odds = sigmoid(dot(weights, x));
      for (let k = 0; k < SIZE; k += 1) {
        system[k][SIZE] += weight * (odds - right) * x[k];
        for (let j = 0; j < SIZE; j += 1) system[k][j] += weight * odds * (1 - odds) * x[k] * x[j];
      }
    }
    solve(system).forEach((move, k) => {
      weights[k] -= move;
    });
  }
  const own = weights.map((weight, k) => weight / deviation[k]);
  own[0] = weights[0] - own.reduce((sum, weight, k) => (k === 0 ? 0 : sum + weight * mean[k]), 0);
  return own;
}

/** Gauss-Jordan; the matrix is positive definite, so no row is exchanged. */
function solve(system) {
  for (let k = 0; k < SIZE; k += 1) {
    const pivot = system[k][k];
    system[k] = system[k].map((value) => value / pivot);
    for (let j = 0; j < SIZE; j += 1) {
      if (j === k) continue;
      const factor = system[j][k];
      system[j] = system[j].map((value, at) => value - factor * system[k][at]);
    }
  }
  return system.map((row) => row[SIZE]);
}

function dot(weights, x) {
  return x.reduce((sum, value, k) => sum + weights[k] * value, 0);
}

function sigmoid(sum) {
  return 1 / (1 + Math.exp(-sum));
}

function figures(weights, samples) {
  const odds = samples.map(({ x, right }) => ({ right, sure: sigmoid(dot(weights, x)) }));
  const loss = odds.reduce((sum, { right, sure }) => sum - Math.log(right ? sure : 1 - sure), 0) / odds.length;
  const pairs = odds.filter(({ right }) => right).flatMap((a) => odds.filter(({ right }) => !right).map((b) => [a, b]));
  const auc = pairs.filter(([a, b]) => a.sure > b.sure).length / pairs.length;
  const taken = odds.filter(({ sure }) => sure >= SURE);
  const share = `${taken.length} taken, ${taken.filter(({ right }) => !right).length} of them wrong`;
  return `${samples.length} guesses, ${share}, log loss ${loss.toFixed(3)}, AUC ${auc.toFixed(3)}`;
}

const samples = AGENTS.flatMap(samplesOf);
for (const set of new Set(samples.map((one) => one.set))) {
  const own = samples.filter((one) => one.set === set);
  console.log(`${set} left out: ${figures(fitted(samples.filter((one) => one.set !== set)), own)}`);
}
const weights = fitted(samples);
console.log(`all, as fitted: ${figures(weights, samples)}`);
const rows = ['bias', ...EVIDENCE].map((name, k) => `  ${name}: ${Number(weights[k].toFixed(3))},`);
console.log(rows.join('\n'));
if (process.argv.includes('--write')) {
  const text = readFileSync(WEIGHTS, 'utf8').replace(/= \{\n[^}]*\};/, `= {\n${rows.join('\n')}\n};`);
  writeFileSync(WEIGHTS, text);
}
