import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DocumentLines } from '../../../src/engines/document/document-lines.ts';
import { extractDocument } from '../../../src/engines/document/extract/extract.ts';
import { answerFrom } from '../../../src/engines/document/retrieval/answer.ts';
import { folded } from '../../../src/engines/document/retrieval/quotes.ts';
import { EVERY_TEST, runs } from '../../support/property-runs.ts';

const FIXTURES = new URL('../../fixtures/documents/', import.meta.url);
const NOT_IN_IT = {
  en: 'The document does not contain the answer to this question.',
  ar: 'لا يحتوي المستند على إجابة لهذا السؤال.',
};

interface Labelled {
  readonly document: string;
  readonly question: string;
  readonly answer?: string; // words of the line that answers
  readonly absent?: true;
}
const labelled = (file: string): Labelled[] =>
  readFileSync(new URL(file, FIXTURES), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Labelled);

async function read(file: Uint8Array, mimeType: string, filename?: string): Promise<DocumentLines> {
  const extracted = await extractDocument(file, mimeType, filename);
  if (!extracted.ok) throw new Error(extracted.why);
  return extracted.lines;
}
const ask = async (text: string, question: string, mimeType = 'text/plain') =>
  answerFrom(await read(new Uint8Array(Buffer.from(text)), mimeType), question);

/** Many questions are about the same document. */
const documents = new Map<string, { readonly lines: DocumentLines; readonly text: string }>();

/** Shares measured when this was written less a margin: a change that costs quality shows. */
const SETS = [
  { file: 'questions.jsonl', right: 0.92, refused: 0.83 }, // about policies, contracts and price lists
  { file: 'questions-general.jsonl', right: 0.92, refused: 0.88 }, // encyclopedia and leaflets
  { file: 'questions-paraphrased.jsonl', right: 0.87, refused: 0.7 }, // in other words than the document's
  { file: 'questions-unseen.jsonl', right: 0.88, refused: 0.88 }, // nothing was tuned or fitted on these
  { file: 'questions-round-1.jsonl', right: 0.81, refused: 0.8 }, // rounds 1 to 4: hardly a word of the document's
  { file: 'questions-round-2.jsonl', right: 0.75, refused: 0.74 },
  { file: 'questions-round-3.jsonl', right: 0.69, refused: 0.78 },
  { file: 'questions-round-4.jsonl', right: 0.7, refused: 0.61 },
  { file: 'questions-round-5.jsonl', right: 0.91, refused: 0.64 }, // rounds 5 and 6: worded as people ask about an article
  { file: 'questions-round-6.jsonl', right: 0.9, refused: 0.82 },
  { file: 'questions-articles-1.jsonl', right: 0.9, refused: 0.45 }, // long lines; many absent ones name things of the text
  { file: 'questions-articles-2.jsonl', right: 0.68, refused: 0.85 },
  { file: 'questions-articles-3.jsonl', right: 0.76, refused: 0.83 },
  { file: 'questions-articles-4.jsonl', right: 0.8, refused: 0.88 },
  { file: 'questions-articles-5.jsonl', right: 0.84, refused: 0.86 },
  { file: 'questions-unseen-2.jsonl', right: 0.92, refused: 0.45 }, // as the first articles, never fitted on
  { file: 'questions-unseen-3.jsonl', right: 0.84, refused: 0.7 }, // articles and leaflets, first run after the last change
  { file: 'questions-callers.jsonl', right: 0.1, refused: 0.85 }, // as callers ask: hardly a word of the document's, dialect; never fitted on
];
/** Every sixth where the run is short. */
const sets = SETS.filter((_, at) => EVERY_TEST || at % 6 === 0);

describe.each(sets)('$file', ({ file, right, refused }) => {
  const rows = labelled(file);
  let asked: { readonly row: Labelled; readonly said: ReturnType<typeof answerFrom> }[] = [];
  beforeAll(async () => {
    for (const name of new Set(rows.map((row) => row.document))) {
      if (documents.has(name)) continue;
      const lines = await read(new Uint8Array(readFileSync(new URL(name, FIXTURES))), '', name);
      documents.set(name, { lines, text: folded(lines.text) });
    }
    asked = rows.map((row) => ({ row, said: answerFrom(documents.get(row.document)!.lines, row.question) }));
  });

  it(`quotes the right line first for ${right * 100} %`, () => {
    const answerable = asked.filter(({ row }) => row.answer !== undefined);
    const hits = answerable.filter(({ row, said }) => said.quotes[0]?.includes(row.answer!));
    expect(hits.length / answerable.length).toBeGreaterThanOrEqual(right);
  });

  it(`says so for ${refused * 100} % of what the document lacks`, () => {
    const absent = asked.filter(({ row }) => row.absent);
    const silent = absent.filter(({ said }) => !said.answered);
    expect(silent.length / absent.length).toBeGreaterThanOrEqual(refused);
  });

  it('every label stands in its document', () => {
    for (const { document, answer } of rows) {
      if (answer !== undefined) expect(documents.get(document)!.text).toContain(answer);
    }
  });

  it('quotes stand in the document, are few and short; nothing is quoted without an answer', () => {
    for (const { row, said } of asked) {
      const { answer, quotes, answered } = said;
      expect(quotes.length > 0).toBe(answered);
      expect(quotes.length).toBeLessThanOrEqual(10);
      expect(answer).not.toBe('');
      if (!answered) expect(Object.values(NOT_IN_IT)).toContain(answer);
      for (const quote of quotes) {
        expect(quote.length).toBeLessThanOrEqual(500);
        expect(documents.get(row.document)!.text).toContain(quote);
      }
    }
  });
});

describe('the answer', () => {
  it.each([
    ['the sentence', 'We open at nine. The fee is 20 riyals.', 'What is the fee?', 'The fee is 20 riyals.'],
    [
      'without the mark of a list',
      '- The fee is 20 riyals.\n- Closed on Friday.',
      'What is the fee?',
      'The fee is 20 riyals.',
    ],
    [
      'what stands below its question',
      'Q: When do you open?\nA: At nine in the morning.',
      'When do you open?',
      'At nine in the morning.',
    ],
    [
      'a list below what announces it',
      'You need these documents:\n- passport\n- two photos',
      'Which documents do I need?',
      'You need these documents: passport; two photos',
    ],
    [
      'across lines that the page cut',
      [
        'The committee of the society meets in the old town hall, and it is the secretary',
        'who keeps the minutes of every meeting that the committee holds in the town hall',
        'of the city, and who sends them to the members of the society within five days so',
        'that nobody can say that the minutes of the meeting were not known to the members.',
      ].join('\n'),
      'Who keeps the minutes of the meeting?',
      /secretary who keeps the minutes/,
    ],
    ['in Arabic', 'نفتح الساعة التاسعة. رسوم الكشف 150 ريالاً.', 'كم رسوم الكشف؟', 'رسوم الكشف 150 ريالاً.'],
    ['by dialect words', 'يقع الفرع في حي الملقا.', 'وين الفرع؟', 'يقع الفرع في حي الملقا.'],
    [
      'by another form of the word',
      'ويوزع المشرف الماء بين المزارعين.',
      'من يقوم بتوزيع الماء؟',
      'ويوزع المشرف الماء بين المزارعين.',
    ],
    [
      'of a question wrapped in politeness',
      'The fee is 20 riyals.',
      'Hello, could you please tell me what the fee is, according to the document?',
      'The fee is 20 riyals.',
    ],
  ])('%s', async (_, text, question, answer) => {
    const said = await ask(text, question);
    expect(said.answered).toBe(true);
    if (typeof answer === 'string') expect(said.answer).toBe(answer);
    else expect(said.answer).toMatch(answer);
  });

  it.each([
    [
      'FAQ sheet',
      'question,answer\nWhen do you open?,At nine\nWhat is the fee?,"20 riyals, tax included"',
      'text/csv',
      'What is the fee?',
      '20 riyals, tax included',
    ],
    [
      'price list',
      '[{"name": "Express", "price": 45}, {"name": "Standard", "price": 25}]',
      'application/json',
      'What is the price of express?',
      'Express, price: 45',
    ],
    [
      'table',
      '| Card | Fee |\n|---|---|\n| Gold | 400 SAR |\n| Silver | 100 SAR |',
      'text/markdown',
      'What is the fee for the gold card?',
      'Gold | 400 SAR',
    ],
  ])('%s', async (_, text, mimeType, question, answer) => {
    expect(await ask(text, question, mimeType)).toMatchObject({ answered: true, answer });
  });

  it('quotes the line, not only the sentence', async () => {
    const line = 'The fee is 20 riyals. It is paid at the desk.';
    expect((await ask(`First line.\n${line}`, 'What is the fee?')).quotes).toEqual([line]);
  });

  it('quotes as much of an overlong line as fits, in whole sentences, and answers with the one', async () => {
    const filler = 'Nothing of interest is said in this part of the text. ';
    const line = `${filler.repeat(20)}The zebra fee is 20 riyals. ${filler.repeat(20)}`;
    const { answer, quotes } = await ask(line, 'What is the zebra fee?');
    expect(answer).toBe('The zebra fee is 20 riyals.');
    expect(quotes).toHaveLength(1);
    expect(quotes[0]).toContain('The zebra fee is 20 riyals.');
    expect(quotes[0]).toMatch(/^[NT].*\.$/);
    expect(quotes[0]!.length).toBeGreaterThan(400);
    expect(quotes[0]!.length).toBeLessThanOrEqual(500);
  });
});

describe('what the document lacks', () => {
  const text =
    'The clinic opens at nine. Dr Hanan Saleh treats children. Cleaning teeth costs 250 riyals. Visitors may not smoke.';
  it.each([
    ['another subject', 'How do I renew my passport?'],
    ['an address of another kind', 'What is the email address of the clinic?'],
    ['a price of another thing', 'How much does whitening cost?'],
    ['a person of another role', 'Who is the director of the clinic?'],
    ['a name it does not know', 'When does Dr Faisal treat patients?'],
    ['nothing to look for', 'what is it?'],
    ['no words at all', '؟؟؟'],
  ])('%s', async (_, question) => {
    const said = await ask(text, question);
    expect(said).toEqual({ answered: false, quotes: [], answer: NOT_IN_IT[/[ء-ي]/.test(question) ? 'ar' : 'en'] });
  });

  it('is said in the language of the question', async () => {
    expect((await ask(text, 'كم سعر تأجير السيارة؟')).answer).toBe(NOT_IN_IT.ar);
    expect((await ask('رسوم الكشف 150 ريالاً.', 'How much is the car?')).answer).toBe(NOT_IN_IT.en);
  });
});

it('any question to any text: quotes stand in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      async (text, question) => {
        const extracted = await extractDocument(new Uint8Array(Buffer.from(`zebra fee\n${text}`)), 'text/plain');
        if (!extracted.ok) return;
        const { quotes, answered } = answerFrom(extracted.lines, `${question} zebra`);
        expect(quotes.length > 0).toBe(answered);
        for (const quote of quotes) expect(folded(extracted.lines.text)).toContain(quote);
      },
    ),
    { numRuns: runs(200) },
  );
});
