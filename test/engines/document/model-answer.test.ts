import { describe, expect, it } from 'vitest';
import { extractDocument } from '../../../src/engines/document/extract/extract.ts';
import { believedAnswer, modelQuestion } from '../../../src/engines/document/model-answer.ts';

const extracted = await extractDocument(
  new Uint8Array(
    Buffer.from('Fees\n\nThe zebra fee is 1,250 riyals\nand is paid at the desk.\nThe tiger fee is 30 riyals.'),
  ),
  'text/plain',
);
if (!extracted.ok) throw new Error(extracted.why);
const { lines } = extracted;
const claim = (answer: string, quotes: readonly string[], answered = true) => ({ answer, quotes, answered });

describe('a model is believed', () => {
  it.each([
    ['on a line', 'It costs 1250 riyals.', ['The zebra fee is 1,250 riyals'], ['The zebra fee is 1,250 riyals']],
    ['across lines, whatever the white space', 'At the desk.', ['riyals  and is\npaid'], ['riyals and is paid']],
    [
      'on what is left when one quote is made up',
      '30',
      ['The lion is free.', 'The tiger fee is 30 riyals.'],
      ['The tiger fee is 30 riyals.'],
    ],
    ['in Arabic digits', 'الرسوم ١٬٢٥٠ ريالاً', ['The zebra fee is 1,250 riyals'], ['The zebra fee is 1,250 riyals']],
    [
      'with a number of the question',
      'Yes, for 2 zebras.',
      ['The zebra fee is 1,250 riyals'],
      ['The zebra fee is 1,250 riyals'],
    ],
  ])('%s', (_, answer, quotes, kept) => {
    expect(believedAnswer(lines, 'What is the fee for 2 zebras?', claim(answer, quotes))).toEqual({
      answer,
      quotes: kept,
      answered: true,
    });
  });
});

describe('a model is not believed', () => {
  it.each([
    ['without a quote', claim('It costs 1250 riyals.', [])],
    ['with made-up quotes only', claim('It costs 1250 riyals.', ['The zebra fee is 1,300 riyals'])],
    ['with a number that no quote holds', claim('It costs 999 riyals.', ['The zebra fee is 1,250 riyals'])],
    ['with an empty answer', claim(' ', ['The zebra fee is 1,250 riyals'])],
    ['when it gives up itself', claim('I do not know.', ['The zebra fee is 1,250 riyals'], false)],
  ])('%s', (_, claimed) => {
    expect(believedAnswer(lines, 'What is the zebra fee?', claimed)).toEqual({
      answer: 'The document does not contain the answer to this question.',
      quotes: [],
      answered: false,
    });
  });
});

it('a model gets the best passages under their headings, and no more than it may', () => {
  const all = modelQuestion(lines, 'What is the zebra fee?');
  expect(all).toMatchObject({ language: 'en', question: 'What is the zebra fee?' });
  expect(all.passages).toContain('The zebra fee is 1,250 riyals');
  expect(modelQuestion(lines, 'What is the zebra fee?', 35).passages).toEqual([
    'Fees',
    'The zebra fee is 1,250 riyals',
  ]);
});
