import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../../src/core/agent.ts';
import { createNormalizer } from '../../../../src/engines/text/normalize/speakable-normalizer.ts';
import { expectEveryRow, rowsBy } from '../../../support/labelled-rows.ts';
import { EVERY_TEST, someOf } from '../../../support/property-runs.ts';

interface Labelled {
  readonly language: Language;
  readonly class: string;
  readonly input: string;
  readonly accept: readonly string[];
  /** Nominative and oblique are both right, or the context leaves it open: only gender and value count. */
  readonly anyCase?: boolean;
}

const SETS = ['ar', 'en'] as const;
const normalizer = createNormalizer();

function read(language: Language): readonly Labelled[] {
  const file = new URL(`../../../fixtures/text/normalize-${language}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Labelled);
}

/** One spelling for what is heard the same: punctuation, case, diacritics, hamza seats. Gender, case and value count. */
function heard(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\u064b-\u0652\u0670\u0640]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/['’]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** The oblique forms for the nominative ones: عشرون عشرين, ساعتان ساعتين, مئتا مئتي. */
function withoutCase(words: string): string {
  return words.replace(/[\u0621-\u064a]+/g, (word) =>
    word.replace(/(?:ون|ان)$/, 'ين').replace(/(مئت|الف|مليون|مليار|اثن|اثنت)ا$/, '$1ي'),
  );
}

describe.each(SETS)('labelled sentences, %s', (language) => {
  const cases = read(language);

  it('has at least 150 sentences in every class of the design', () => {
    expect(cases.length).toBeGreaterThanOrEqual(150);
    const classes = new Set(cases.map((one) => one.class));
    for (const name of [
      'cardinal',
      'money',
      'percent',
      'decimal',
      'fraction',
      'date',
      'year',
      'time',
      'phone',
      'code',
    ]) {
      expect(classes).toContain(name);
    }
    for (const name of [
      'ordinal',
      'measure',
      'range',
      'score',
      'roman',
      'abbrev',
      'acronym',
      'electronic',
      'flight',
      'symbol',
    ]) {
      expect(classes).toContain(name);
    }
  });

  it.each(rowsBy(cases, (row) => row.class))('reads every sentence of the class $name', ({ rows }) => {
    expectEveryRow(
      rows,
      ({ input }) => input,
      ({ input, accept, anyCase }) => {
        const { normalized } = normalizer.normalize(input, language);
        const compared = (text: string): string => (anyCase === true ? withoutCase(heard(text)) : heard(text));
        expect(accept.map(compared), normalized).toContain(compared(normalized));
      },
    );
  });
});

describe.runIf(EVERY_TEST)('labelled sentences in other spellings', () => {
  const arabic = someOf(
    read('ar').filter(({ input }) => !/[A-Za-z]/.test(input)),
    6,
  );
  /** Every test has what is said of the sentences themselves. */
  const known = new Map<string, string>();
  const spoken = (text: string): string => normalizer.normalize(text, 'ar').normalized;
  const plain = (text: string): string => {
    const said = known.get(text) ?? spoken(text);
    known.set(text, said);
    return said;
  };
  /** One comparison for all: so many single ones take longer than what they compare. */
  const expectAlike = (one: (input: string) => string, other: (input: string) => string): void => {
    const rows = (read: (input: string) => string) => arabic.map(({ input }) => ({ input, read: read(input) }));
    expect(rows(one)).toEqual(rows(other));
  };

  it('are read the same with Arabic-Indic digits', () => {
    const indic = (text: string): string => text.replace(/\d/g, (digit) => String.fromCharCode(0x660 + Number(digit)));
    expectAlike((input) => spoken(indic(input)), plain);
  });

  it('are read the same without hamzas on alif', () => {
    const bare = (text: string): string => text.replace(/[أإآ]/g, 'ا');
    expectAlike(
      (input) => bare(spoken(bare(input))),
      (input) => bare(plain(input)),
    );
  });

  it.each([
    ['', '.'],
    ['', '؟'],
    ['«', '»'],
    ['"', '"'],
    ['نود إبلاغكم: ', '، شكراً لكم.'],
    ['عزيزي العميل ', ''],
    ['أهلاً بك، ', ' وشكراً'],
    ['', ' يا غالي'],
    ['', ' إن شاء الله'],
    ['', ' عندكم'],
  ])('are read the same between «%s» and «%s»', (before, after) => {
    const words = (text: string): string => withoutCase(heard(text));
    expectAlike(
      (input) => words(spoken(before + input + after)),
      (input) => words(before + plain(input) + after),
    );
  });

  it.each([
    'رقم الهوية 1012345678',
    'رمز التحقق 4521',
    'اتصل على 920001122',
    'موعدك يوم الأحد 15/11/2025م',
    'الدوام من 9 ص إلى 5 م',
    'الساعة 10:15 ص',
    'نتيجة المباراة 3-1',
    'ضغط الدم 120/80',
    'طول الأنبوب 6 م',
    'صدر النظام سنة 1446هـ',
    'المكتب في الدور 3',
    'السعر 45 ر.س',
  ])('do not depend on the sentence before them: %s.', (before) => {
    const words = (text: string): string => withoutCase(heard(text));
    expectAlike(
      (input) => words(spoken(`${before}. ${input}`)),
      (input) => words(`${plain(before)}. ${plain(input)}`),
    );
  });
});
