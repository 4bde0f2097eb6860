// Fits the weights of src/engines/document/retrieval/weights.ts:
// `npm run build && node scripts/bench/documents-fit.mjs [-v] [--write] [SQUAD.json ...]`.
// RANK orders the candidates of one question (softmax over them); ANSWERS tells whether the first one answers at all
// (logistic). Figures are from cross-validation by document, six parts; `questions-unseen*.jsonl` are never fitted on.
// Of files in the format of SQuAD (articles with questions; test/fixtures/documents/README.md names those that were used) every other
// article is fitted on, the rest is judged. What such questions ask is put to the article without its paragraph as well, which cannot answer.
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
/** There are as many public articles as of all our own; a question that their paragraph is kept from counts as one that is asked. */
const PUBLIC_WEIGHT = 0.4;
const SQUADS = process.argv.slice(2).filter((one) => one.endsWith('.json'));
const BREAKS = EVIDENCE.indexOf('breaks');
const LEAD = EVIDENCE.indexOf('lead');
const SIZE = EVIDENCE.length;

const language = (text) => (/[\u0621-\u064a]/.test(text) ? 'ar' : 'en');
const documents = new Map();

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/** Rows of a file in the format of SQuAD: each article one document. */
async function publicRows(file) {
  const rows = [];
  const group = file.split('/').at(-1);
  const add = async (name, paragraphs) => {
    const text = paragraphs.map(({ context }) => oneLine(context)).join('\n\n');
    documents.set(name, (await extractDocument(new TextEncoder().encode(text), 'text/plain', 'article.txt')).lines);
  };
  for (const [at, { paragraphs }] of JSON.parse(readFileSync(file, 'utf8')).data.entries()) {
    const row = { document: `${group} ${at}`, file: group, weight: PUBLIC_WEIGHT, public: true, held: at % 2 === 1 };
    await add(row.document, paragraphs);
    for (const [index, { qas }] of paragraphs.entries()) {
      rows.push(
        ...qas.map(({ question, answers }) => ({ ...row, question, answers: answers.map((one) => oneLine(one.text)) })),
      );
      if (paragraphs.length < 2) continue;
      const less = `${row.document} less ${index}`;
      await add(less, paragraphs.toSpliced(index, 1));
      const asked = qas.filter((_, one) => one % 2 === 0);
      rows.push(...asked.map(({ question }) => ({ ...row, document: less, question, answers: [], absent: true })));
    }
  }
  return rows;
}

async function load() {
  const rows = [];
  for (const file of readdirSync(FOLDER).filter((name) => /^questions.*\.jsonl$/.test(name))) {
    for (const line of readFileSync(new URL(file, FOLDER), 'utf8').trim().split('\n')) {
      const { answer, ...read } = JSON.parse(line);
      const weight = REWORDED.test(file) ? REWORDED_WEIGHT : 1;
      const row = {
        ...read,
        answers: answer === undefined ? [] : [answer],
        file,
        weight,
        held: file.includes('unseen'),
      };
      if (!documents.has(row.document)) {
        const bytes = new Uint8Array(readFileSync(new URL(row.document, FOLDER)));
        documents.set(row.document, (await extractDocument(bytes, '', row.document)).lines);
      }
      rows.push(row);
    }
  }
  for (const file of SQUADS) rows.push(...(await publicRows(file)));
  return [...rows, ...offTopic(rows)].map((row) => ({ ...row, candidates: candidatesOf(row) }));
}

/** Every question put to two documents that cannot answer it. */
function offTopic(rows) {
  const ofRow = new Map(rows.map((row) => [row.document, row]));
  const names = [...documents.keys()].filter((name) => !/ less \d+$/.test(name));
  const mayStandFor = (row, name) => {
    const other = ofRow.get(name);
    if (name === row.document || language(documents.get(name).text) !== language(row.question)) return false;
    return row.public ? other.file === row.file && other.held === row.held : !other.public;
  };
  let turn = 0;
  return rows
    .filter((row) => !row.absent)
    .flatMap((row) => {
      const others = names.filter((name) => mayStandFor(row, name));
      return (row.public ? [0] : [0, 5]).map((step) => {
        const document = others[(turn++ * 7 + step) % others.length];
        return { ...row, document, answers: [], absent: true, off: true, weight: OFF_TOPIC_WEIGHT * row.weight };
      });
    });
}

function candidatesOf({ document, question, answers }) {
  const { blocks, candidates } = findCandidates(documents.get(document), analyseQuestion(question));
  return candidates.map((one) => ({
    evidence: one.evidence.map((value, at) => (at === LEAD ? 0 : value)), // known once they are ranked
    block: one.block,
    quote: blocks.lines.text.slice(one.sentence.start, one.sentence.end),
    right: answers.some((answer) => oneLine(quoteOf(blocks, one.block, one.sentence)).includes(answer)),
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
  const whole = useful.reduce((sum, { weight }) => sum + weight, 0);
  const prior = Float64Array.from(EVIDENCE, (name) => RANK_PRIOR[name] ?? 0);
  return descend(SIZE, RANK_FIT, prior, (weights, gradient) => {
    for (const { candidates, weight } of useful) {
      const ranks = candidates.map((one) => dot(weights, one.evidence));
      const highest = Math.max(...ranks);
      const odds = ranks.map((rank) => Math.exp(rank - highest));
      const all = odds.reduce((sum, one) => sum + one, 0);
      const right = odds.reduce((sum, one, i) => sum + (candidates[i].right ? one : 0), 0) || 1e-12;
      for (const [i, { evidence, right: is }] of candidates.entries()) {
        const error = (weight * (odds[i] / all - (is ? odds[i] / right : 0))) / whole;
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
  const whole = samples.reduce((sum, { weight }) => sum + weight, 0);
  const prior = Float64Array.from(EVIDENCE, (name) => PRIOR[name] ?? 0);
  return descend(SIZE + 1, ANSWERS_FIT, prior, (weights, gradient) => {
    for (const { evidence, right, weight } of samples) {
      const error = ((sigmoid(dot(weights, evidence) + weights[SIZE]) - (right ? 1 : 0)) * weight) / whole;
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
    `${what.padEnd(8)} ${score.toFixed(2)} ${row.document}: ${row.question} ${row.answers.join(' | ')}\n   => ${best?.quote}`,
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
const fitted = rows.filter((row) => !row.held);
const own = [...documents.keys()].filter((name) => !rows.some((row) => row.public && row.document === name));
const crossed = [];
for (let part = 0; part < PARTS; part += 1) {
  const held = new Set(own.filter((_, at) => at % PARTS === part));
  const known = fitted.filter((row) => !held.has(row.document));
  const rank = fitRank(known);
  const answers = fitAnswers(known, rank);
  const judge = (row) => (row.public ? part === 0 && row.held : held.has(row.document));
  crossed.push(...rows.filter(judge).map((row) => judged(row, rank, answers)));
}
for (const group of ['round', 'articles', 'unseen', ...SQUADS.map((file) => file.split('/').at(-1))]) {
  print(
    group,
    crossed.filter(({ row }) => row.file.includes(group)),
  );
}

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
