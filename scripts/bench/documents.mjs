// Quality and speed of the embedded document reader: `npm run build && node scripts/bench/documents.mjs [-v]`.
// Quality: the labelled questions of test/fixtures/documents; the quote ranked first must hold the answer, and questions
// that the document cannot answer must be refused. Speed: 8 MB of text and awkward files through the real thread.
import { readdirSync, readFileSync } from 'node:fs';
import { systemClock } from '../../dist/core/clock.js';
import { silentLogger } from '../../dist/core/logger.js';
import { extractDocument } from '../../dist/engines/document/extract/extract.js';
import { answerFrom, findCandidates } from '../../dist/engines/document/retrieval/answer.js';
import { PassageIndex } from '../../dist/engines/document/retrieval/passage-index.js';
import { analyseQuestion } from '../../dist/engines/document/retrieval/question.js';
import { DocumentScan, TermMatcher } from '../../dist/engines/document/retrieval/scan.js';
import { createDocumentReader } from '../../dist/engines/document/retrieval-reader.js';

const FOLDER = new URL('../../test/fixtures/documents/', import.meta.url);
const verbose = process.argv.includes('-v');
const language = (text) => (/[\u0621-\u064a]/.test(text) ? 'ar' : 'en');
const percent = (part, all) => (all === 0 ? '-' : `${((100 * part) / all).toFixed(1)} %`);

async function load(names) {
  const documents = new Map();
  for (const name of names) {
    documents.set(name, await extractDocument(new Uint8Array(readFileSync(new URL(name, FOLDER))), '', name));
  }
  return documents;
}

function count(rows, documents, show) {
  const table = { right: 0, answerable: 0, missed: 0, wrong: 0, refused: 0, absent: 0 };
  for (const row of rows) {
    const { quotes, answered } = answerFrom(documents.get(row.document).lines, row.question);
    if (row.absent) {
      table.absent += 1;
      if (!answered) table.refused += 1;
      else if (show) console.log(`  answered  ${row.document}: ${row.question} => ${quotes[0]}`);
      continue;
    }
    table.answerable += 1;
    if (quotes[0]?.includes(row.answer)) table.right += 1;
    else {
      table[answered ? 'wrong' : 'missed'] += 1;
      if (show)
        console.log(`  ${answered ? 'wrong   ' : 'missed  '}  ${row.document}: ${row.question} => ${quotes[0] ?? '-'}`);
    }
  }
  return table;
}

function print(name, table) {
  console.log(
    name.padEnd(34),
    `right at rank 1 ${percent(table.right, table.answerable)} of ${table.answerable}`.padEnd(36),
    `missed ${table.missed}, wrong ${table.wrong}`.padEnd(22),
    `refused ${percent(table.refused, table.absent)} of ${table.absent}`,
  );
}

async function quality() {
  for (const file of readdirSync(FOLDER).filter((name) => /^questions.*\.jsonl$/.test(name))) {
    const rows = readFileSync(new URL(file, FOLDER), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const documents = await load(new Set(rows.map((row) => row.document)));
    for (const one of ['ar', 'en']) {
      print(
        `${file} ${one}`,
        count(
          rows.filter((row) => language(row.question) === one),
          documents,
          verbose,
        ),
      );
    }
    // The same questions put to every other document of their language: none of them can be answered there.
    const elsewhere = rows
      .filter((row) => !row.absent)
      .flatMap((row) =>
        [...documents.keys()]
          .filter(
            (name) => name !== row.document && language(documents.get(name).lines.text) === language(row.question),
          )
          .map((name) => ({ document: name, question: row.question, absent: true })),
      );
    print(`${file} of other documents`, count(elsewhere, documents, false));
  }
}

/** Whether the first paragraph holds the answer: by MiniSearch alone, and with the evidence weighed on top. */
async function ranking() {
  const rows = readdirSync(FOLDER)
    .filter((name) => /^questions.*\.jsonl$/.test(name))
    .flatMap((file) =>
      readFileSync(new URL(file, FOLDER), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    .filter((row) => !row.absent);
  const documents = await load(new Set(rows.map((row) => row.document)));
  let alone = 0;
  let weighed = 0;
  for (const { document, question, answer } of rows) {
    const asked = analyseQuestion(question);
    const { blocks, candidates } = findCandidates(documents.get(document).lines, asked);
    const holds = (block) => block !== undefined && blocks.text(block).replace(/\s+/g, ' ').includes(answer);
    const passages = new DocumentScan(blocks, new TermMatcher(asked.terms)).promising(Number.POSITIVE_INFINITY);
    if (holds(new PassageIndex(blocks, passages, asked.terms).find(asked.terms, 1)[0])) alone += 1;
    if (holds(candidates[0]?.block)) weighed += 1;
  }
  const share = (many) => percent(many, rows.length);
  console.log(`first paragraph of ${rows.length}: MiniSearch alone ${share(alone)}, weighed ${share(weighed)}`);
}

function repeated(name, extra, bytes) {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');
  const parts = [];
  for (let size = 0, i = 0; size < bytes; i += 1) {
    parts.push(text.replace(/\d+/g, () => String(1000 + ((i * 7919) % 9000))));
    size += Buffer.byteLength(parts.at(-1));
  }
  parts.splice(parts.length >> 1, 0, extra);
  return Buffer.from(parts.join('\n\n'));
}

async function speed() {
  const reader = createDocumentReader({ clock: systemClock, logger: silentLogger });
  const never = new AbortController().signal;
  const needle = 'The Bluewater submarine was launched in 1961 by Admiral Okafor.';
  const nadel = 'أطلقت الغواصة الزرقاء عام 1961 بقيادة الأدميرال ناصر.';
  const cases = [
    ['first question, thread starts', 'clinic-ar.txt', undefined, 'كم سعر تنظيف الأسنان؟'],
    ['small text', 'clinic-ar.txt', undefined, 'كم سعر تنظيف الأسنان؟'],
    ['first PDF', 'school-en.pdf', undefined, 'Who founded the school?'],
    ['PDF with turned lam-alef', 'returns-ar.pdf', undefined, 'كم خصم الطلاب؟'],
    ['Word', 'rental-ar.docx', undefined, 'من هو المؤجر؟'],
    [
      '8 MB English',
      'text/plain',
      repeated('observatory-en.txt', needle, 8_300_000),
      'Who launched the Bluewater submarine?',
    ],
    ['8 MB Arabic', 'text/plain', repeated('work-rules-ar.txt', nadel, 8_300_000), 'متى أطلقت الغواصة الزرقاء؟'],
    ['8 MB, one sentence mark in two', 'text/plain', Buffer.from('. '.repeat(4_000_000)), 'where is it written?'],
    ['5 MB of different words', 'text/plain', words(900_000), 'what is w5z written for?'],
    ['300,000 rows', 'text/csv', rows(300_000), 'What is the price of item 777?'],
    [
      '8 MB of stray < in HTML',
      'text/html',
      Buffer.from(`<p>${needle}</p>${'< '.repeat(4_000_000)}`),
      'Who launched it?',
    ],
    ['100,000 JSON records', 'application/json', records(100_000), 'What is the price of item 777?'],
  ];
  for (const [name, source, made, question] of cases) {
    const file = made ?? readFileSync(new URL(source, FOLDER));
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 10);
    const start = performance.now();
    const answer = await reader
      .ask({ file, mimeType: made ? source : '', filename: made ? undefined : source, question }, never)
      .catch((error) => error.code);
    clearInterval(watch);
    console.log(
      name.padEnd(32),
      `${Math.round(performance.now() - start)} ms`.padStart(8),
      `+${Math.round((peak - before) / 1e6)} MB`.padStart(8),
      answer.quotes?.[0]?.slice(0, 70) ?? (answer.answered === false ? '(not answered)' : answer),
    );
  }
  reader.close();
}

function words(many) {
  return Buffer.from(Array.from({ length: many }, (_, i) => `w${i.toString(36)}${i % 12 ? ' ' : '.\n'}`).join(''));
}
function rows(many) {
  return Buffer.from(
    `name,price,city\n${Array.from({ length: many }, (_, i) => `item ${i},${i * 3},Riyadh`).join('\n')}`,
  );
}
function records(many) {
  return Buffer.from(JSON.stringify(Array.from({ length: many }, (_, i) => ({ name: `item ${i}`, price: i * 3 }))));
}

await quality();
await ranking();
await speed();
