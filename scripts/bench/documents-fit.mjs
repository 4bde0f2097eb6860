// Fits the weights of src/engines/document/retrieval/weights.ts: `npm run build && node scripts/bench/documents-fit.mjs [--write]`.
// RANK orders the candidates of one question (softmax over them); ANSWERS tells whether the first one answers at all
// (logistic). Figures are from cross-validation by document, six parts; `questions-unseen*.jsonl` are never fitted on.
// Synonyms and rules are written by hand and are not part of it: only questions written afterwards are truly unseen.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extractDocument } from '../../dist/engines/document/extract/extract.js';
import { findCandidates } from '../../dist/engines/document/retrieval/answer.js';
import { EVIDENCE } from '../../dist/engines/document/retrieval/evidence.js';
import { analyseQuestion } from '../../dist/engines/document/retrieval/question.js';
import { quoteOf } from '../../dist/engines/document/retrieval/quotes.js';
import { BROKEN, leadOf } from '../../dist/engines/document/retrieval/ranking.js';

const FOLDER = new URL('../../test/fixtures/documents/', import.meta.url);
const WEIGHTS = new URL('../../src/engines/document/retrieval/weights.ts', import.meta.url);
const PARTS = 6;
const RANK_FIT = { steps: 400, rate: 0.3, decay: 0.01 };
const ANSWERS_FIT = { steps: 2_500, rate: 0.1, decay: 0.0003 };
/** What rules are sure of is not unlearnt from few examples. */
const PRIOR = { asked: 3, breaks: -3, requiredAbsent: -2, notCounted: -2, noMeasure: -2 };
const RANK_PRIOR = { noMeasure: -2, breaks: -1.5, notCounted: -0.5, lacks: -0.5, noFigure: -0.5 };
const OFF_TOPIC_WEIGHT = 0.2;
/** Questions in hardly a word of the document's are rarer than the others. */
const REWORDED_WEIGHT = 0.5;
const REWORDED = /round-[1-4]/;
const BREAKS = EVIDENCE.indexOf('breaks');
const LEAD = EVIDENCE.indexOf('lead');
const SIZE = EVIDENCE.length;

const language = (text) => (/[\u0621-\u064a]/.test(text) ? 'ar' : 'en');
const documents = new Map();

async function load() {
  const rows = [];
  for (const file of readdirSync(FOLDER).filter((name) => /^questions.*\.jsonl$/.test(name))) {
    for (const line of readFileSync(new URL(file, FOLDER), 'utf8').trim().split('\n')) {
      const row = { ...JSON.parse(line), file, weight: REWORDED.test(file) ? REWORDED_WEIGHT : 1 };
      if (!documents.has(row.document)) {
        const bytes = new Uint8Array(readFileSync(new URL(row.document, FOLDER)));
        documents.set(row.document, (await extractDocument(bytes, '', row.document)).lines);
      }
      rows.push(row);
    }
  }
  return [...rows, ...offTopic(rows)].map((row) => ({ ...row, candidates: candidatesOf(row) }));
}

/** Every question put to two documents that cannot answer it. */
function offTopic(rows) {
  const names = [...documents.keys()];
  let turn = 0;
  return rows
    .filter((row) => !row.absent)
    .flatMap((row) => {
      const others = names.filter(
        (name) => name !== row.document && language(documents.get(name).text) === language(row.question),
      );
      return [0, 5].map((step) => {
        const document = others[(turn++ * 7 + step) % others.length];
        return { ...row, document, answer: undefined, absent: true, off: true, weight: OFF_TOPIC_WEIGHT * row.weight };
      });
    });
}

function candidatesOf({ document, question, answer, absent }) {
  const { blocks, candidates } = findCandidates(documents.get(document), analyseQuestion(question));
  return candidates.map((one) => ({
    evidence: one.evidence.map((value, at) => (at === LEAD ? 0 : value)), // known once they are ranked
    block: one.block,
    quote: blocks.lines.text.slice(one.sentence.start, one.sentence.end),
    right: !absent && quoteOf(blocks, one.block, one.sentence).includes(answer),
  }));
}

function dot(weights, evidence) {
  let sum = 0;
  for (let i = 0; i < SIZE; i += 1) sum += weights[i] * evidence[i];
  return sum;
}

/** Adam; `slope` adds the gradient of the loss at `weights`. */
function descend(size, { steps, rate, decay }, prior, slope) {
  const weights = new Float64Array(size);
  const mean = new Float64Array(size);
  const square = new Float64Array(size);
  for (let step = 1; step <= steps; step += 1) {
    const gradient = new Float64Array(size);
    slope(weights, gradient);
    const pace = step > steps * 0.7 ? rate / 5 : rate;
    for (let i = 0; i < size; i += 1) {
      const g = gradient[i] + (i < SIZE ? decay * (weights[i] - prior[i]) : 0);
      mean[i] = 0.9 * mean[i] + 0.1 * g;
      square[i] = 0.999 * square[i] + 0.001 * g * g;
      weights[i] -= (pace * (mean[i] / (1 - 0.9 ** step))) / (Math.sqrt(square[i] / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return weights;
}

function fitRank(rows) {
  const useful = rows.filter(({ candidates }) => new Set(candidates.map((one) => one.right)).size === 2);
  const prior = Float64Array.from(EVIDENCE, (name) => RANK_PRIOR[name] ?? 0);
  return descend(SIZE, RANK_FIT, prior, (weights, gradient) => {
    for (const { candidates } of useful) {
      const ranks = candidates.map((one) => dot(weights, one.evidence));
      const highest = Math.max(...ranks);
      const odds = ranks.map((rank) => Math.exp(rank - highest));
      const all = odds.reduce((sum, one) => sum + one, 0);
      const right = odds.reduce((sum, one, i) => sum + (candidates[i].right ? one : 0), 0) || 1e-12;
      for (const [i, { evidence, right: is }] of candidates.entries()) {
        const error = (odds[i] / all - (is ? odds[i] / right : 0)) / useful.length;
        for (let k = 0; k < SIZE; k += 1) gradient[k] += error * evidence[k];
      }
    }
  });
}

function first({ candidates }, rank) {
  const ranked = candidates.map((one) => ({ one, rank: dot(rank, one.evidence) })).sort((a, b) => b.rank - a.rank);
  if (ranked.length === 0) return undefined;
  const [best] = ranked;
  const second = ranked.find(({ one }) => one.block !== best.one.block);
  const evidence = Float64Array.from(best.one.evidence);
  evidence[LEAD] = leadOf(best.rank, second?.rank);
  return { ...best.one, evidence };
}

function fitAnswers(rows, rank) {
  const samples = rows.map((row) => ({ ...first(row, rank), weight: row.weight })).filter((one) => one.evidence);
  const prior = Float64Array.from(EVIDENCE, (name) => PRIOR[name] ?? 0);
  return descend(SIZE + 1, ANSWERS_FIT, prior, (weights, gradient) => {
    for (const { evidence, right, weight } of samples) {
      const error = ((sigmoid(dot(weights, evidence) + weights[SIZE]) - (right ? 1 : 0)) * weight) / samples.length;
      for (let k = 0; k < SIZE; k += 1) gradient[k] += error * evidence[k];
      gradient[SIZE] += error;
    }
  });
}

function sigmoid(x) {
  return 1 / (1 + Math.exp(-x));
}

function judged(row, rank, answers) {
  const best = first(row, rank);
  const score = best ? sigmoid(dot(answers, best.evidence) + answers[SIZE]) : 0;
  return { row, best, right: best?.right ?? false, score: best?.evidence[BREAKS] === 1 ? score * BROKEN : score };
}

function print(name, judgements) {
  const share = (list, test) => `${((100 * list.filter(test).length) / (list.length || 1)).toFixed(1)}`;
  const answerable = judgements.filter(({ row }) => !row.absent);
  const absent = judgements.filter(({ row }) => row.absent && !row.off);
  const off = judgements.filter(({ row }) => row.off);
  console.log(`${name}: ${answerable.length} answerable, ${share(answerable, (one) => one.right)} % right at rank 1`);
  for (const from of [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]) {
    console.log(
      `  said from ${from}:`,
      `right ${share(answerable, (one) => one.right && one.score >= from)} %`,
      `wrong ${share(answerable, (one) => !one.right && one.score >= from)} %`,
      `refused ${share(absent, (one) => one.score < from)} %, off topic ${share(off, (one) => one.score < from)} %`,
    );
  }
}

/** A question misjudged from 0.5, with its evidence. */
function explain({ row, best, right, score }) {
  if (row.off || (row.absent ? score < 0.5 : right && score >= 0.5)) return;
  const what = row.absent ? 'answered' : right ? 'missed' : 'wrong';
  const evidence = [...EVIDENCE].map((name, at) => [name, best?.evidence[at] ?? 0]).filter(([, value]) => value !== 0);
  console.log(
    `${what.padEnd(8)} ${score.toFixed(2)} ${row.document}: ${row.question} ${row.answer ?? ''}\n   => ${best?.quote}`,
  );
  console.log(`   ${evidence.map(([name, value]) => `${name} ${value.toFixed(2)}`).join(', ')}`);
}

function table(weights) {
  return [...EVIDENCE]
    .map((name, at) => [name, Number(weights[at].toFixed(2))])
    .filter(([, weight]) => weight !== 0)
    .map(([name, weight]) => `  ${name}: ${weight},`)
    .join('\n');
}

const rows = await load();
const fitted = rows.filter((row) => !row.file.includes('unseen'));
const names = [...documents.keys()];
const crossed = [];
for (let part = 0; part < PARTS; part += 1) {
  const held = new Set(names.filter((_, at) => at % PARTS === part));
  const rank = fitRank(fitted.filter((row) => !held.has(row.document)));
  const answers = fitAnswers(
    fitted.filter((row) => !held.has(row.document)),
    rank,
  );
  crossed.push(...rows.filter((row) => held.has(row.document)).map((row) => judged(row, rank, answers)));
}
print('all', crossed);
print(
  'rounds',
  crossed.filter(({ row }) => row.file.includes('round')),
);
print(
  'articles',
  crossed.filter(({ row }) => row.file.includes('articles')),
);
print(
  'unseen',
  crossed.filter(({ row }) => row.file.includes('unseen')),
);

if (process.argv.includes('-v')) for (const one of crossed) explain(one);

if (process.argv.includes('--write')) {
  const rank = fitRank(fitted);
  const answers = fitAnswers(fitted, rank);
  writeFileSync(
    WEIGHTS,
    `import type { EvidenceName } from './evidence.ts';

type Weights = Readonly<Partial<Record<EvidenceName, number>>>;

/** What orders the candidates of one question. Fitted by scripts/bench/documents-fit.mjs: change the evidence, not these. */
export const RANK: Weights = {
${table(rank)}
};

/** What tells whether the first candidate answers at all (logistic). Fitted likewise, on what \`RANK\` puts first. */
export const ANSWERS: Weights & { readonly bias: number } = {
  bias: ${Number(answers[SIZE].toFixed(2))},
${table(answers)}
};
`,
  );
}
