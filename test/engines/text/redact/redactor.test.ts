import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRedactor, cutText } from '../../../../src/engines/text/redact/redactor.ts';
import { expectEveryRow, rowsBy } from '../../../support/labelled-rows.ts';
import { someOf } from '../../../support/property-runs.ts';
import { ARABIC_INDIC, card, digitsOf, iqama, nationalId, PERSIAN, saudiIban } from './identifiers.ts';

interface LabelledText {
  readonly id: string;
  readonly lang: 'ar' | 'en' | 'mixed';
  readonly text: string;
  readonly spans: readonly { readonly kind: string; readonly text: string; readonly match: 'exact' | 'overlap' }[];
  readonly keep: readonly string[];
  readonly clean: boolean;
  readonly verdict?: 'allow' | 'redact' | 'block';
}

const cases = readFileSync(new URL('../../../fixtures/text/redact.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): LabelledText => JSON.parse(line));
const redactor = createRedactor();
const ID = nationalId('0123456');
const IQAMA = iqama('0123456');
const CARD = card('00000000000042');
const IBAN = saudiIban('80000000608010167519');

/** All of the digits, or at least half of the words. */
function isFound(span: LabelledText['spans'][number], value: string): boolean {
  const digits = digitsOf(span.text);
  if (span.match === 'exact' && digits.length >= 3) return digitsOf(value).includes(digits);
  const wanted = wordsOf(span.text);
  const got = new Set(wordsOf(value));
  return 2 * wanted.filter((word) => got.has(word)).length >= wanted.length;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}@.]+/u)
    .filter((word) => word !== '');
}

describe('redactor, labelled texts', () => {
  const label = ({ id, text }: LabelledText): string => `${id} ${text}`;
  const dirty = someOf(
    cases.filter(({ clean }) => !clean),
    3,
  );
  const kindOf = ({ spans }: LabelledText): string => spans[0]?.kind ?? 'nothing, but what may stay';

  it.each(rowsBy(dirty, kindOf))('finds $name', ({ rows }) => {
    expectEveryRow(rows, label, ({ text, spans, keep, verdict: expected }) => {
      const { redacted, findings, verdict } = redactor.redact(text);
      for (const span of spans) {
        const found = findings.filter(({ value }) => isFound(span, value));
        expect(found.map(({ kind }) => kind)).toContain(span.kind);
        expect(redacted).not.toContain(span.text);
      }
      for (const kept of keep) expect(redacted).toContain(kept);
      if (spans.length > 0) expect(verdict).not.toBe('allow');
      if (expected !== undefined) expect(verdict).toBe(expected);
    });
  });

  it.each(
    rowsBy(
      someOf(
        cases.filter(({ clean }) => clean),
        3,
      ),
      ({ lang }) => lang,
    ),
  )('leaves clean texts alone, $name', ({ rows }) => {
    expectEveryRow(rows, label, ({ text }) => {
      expect(redactor.redact(text)).toEqual({ redacted: text, findings: [], verdict: 'allow' });
    });
  });
});

describe('redactor, spellings of strong identifiers', () => {
  const spellings: readonly (readonly [string, (digits: string) => string])[] = [
    ['plain', (digits) => digits],
    ['Arabic-Indic', ARABIC_INDIC],
    ['Persian', PERSIAN],
    ['groups of four', (digits) => digits.replace(/(.{4})(?=.)/g, '$1 ')],
    ['dashes', (digits) => digits.replace(/(.{3})(?=.)/g, '$1-')],
    ['dots', (digits) => digits.replace(/(.{3})(?=.)/g, '$1.')],
    ['one by one', (digits) => digits.split('').join(' ')],
    ['no-break spaces', (digits) => digits.replace(/(.{3})(?=.)/g, '$1\u00a0')],
    ['zero width spaces', (digits) => digits.split('').join('\u200b')],
    ['tatweel', (digits) => digits.split('').join('ـ')],
    ['isolates', (digits) => `\u2066${digits}\u2069`],
    ['mixed digits', (digits) => PERSIAN(digits.slice(0, 4)) + ARABIC_INDIC(digits.slice(4, 7)) + digits.slice(7)],
  ];
  const strong = [
    ['National ID', ID],
    ['Iqama', IQAMA],
    ['Card Number', CARD],
    ['IBAN', IBAN],
  ] as const;
  it.each(spellings.flatMap(([name, spell]) => strong.map(([kind, value]) => ({ name, kind, text: spell(value) }))))(
    '$kind, $name',
    ({ kind, text }) => {
      for (const around of [text, `hello ${text} thanks`, `مرحبا ${text} شكرا`, `(${text}).`]) {
        const { redacted, findings } = redactor.redact(around);
        expect(findings.map((finding) => finding.kind)).toEqual([kind]);
        expect(digitsOf(redacted).length).toBeLessThanOrEqual(4);
      }
    },
  );
});

describe('redactor, numbers that are read out', () => {
  it.each([
    ['a filler', 'my number is zero five five um one two three four five six seven', 'my number is ****4567'],
    ['a word that takes time', 'رقمي صفر خمسة خمسة يعني واحد اثنين ثلاثة أربعة خمسة ستة سبعة', 'رقمي ****4567'],
    [
      'all of it once more',
      'it is zero five five no sorry zero five five one two three four five six seven',
      'it is ****4567',
    ],
    [
      'the last digit in its place',
      'it is zero five five one two four sorry three three four five six seven',
      'it is ****4567',
    ],
    [
      'several turns, and the other side says it again',
      'Caller: zero five five. Agent: zero five five. Caller: one two three. Agent: ok. Caller: four five six seven',
      'Caller: ****4567',
    ],
    [
      'what comes behind it is not its own',
      'zero five five one two three four five six seven okay one more',
      '****4567 okay one more',
    ],
    [
      'remarks between its pieces, which stay',
      'my mobile is zero five five three four eight hold on my pen one nine two six thank you',
      'my mobile is [Phone Number] hold on my pen [Phone Number] thank you',
    ],
    [
      'begun anew',
      'رقم الهوية واحد صفر خمسة خمسة اصبر مهب كذا واحد صفر خمسة اربعة هيه صفر تسعة ستة اثنين تسعة صفر',
      'رقم الهوية [National ID] اصبر مهب كذا [National ID] هيه [National ID]',
    ],
    [
      'amounts one after the other',
      'دفعت خمسمية وبعدها ثلاثمية وبعدها ميتين',
      'دفعت خمسمية وبعدها ثلاثمية وبعدها ميتين',
    ],
    ['a short secret number', 'الرقم السري سبعة اه ثلاثة واحد', 'الرقم السري [Credential]'],
    ['several words', 'my password is blue horse seven', 'my password is [Credential]'],
    ['no password', 'my password is not working today', 'my password is not working today'],
  ])('%s', (_, text, redacted) => expect(redactor.redact(text).redacted).toBe(redacted));
});

describe('redactor, report', () => {
  it.each([
    { text: `رقم الهوية ${ID}`, redacted: 'رقم الهوية [National ID]', action: 'redact', verdict: 'redact' },
    { text: `IBAN ${IBAN}`, redacted: `IBAN ****${IBAN.slice(-4)}`, action: 'mask', verdict: 'redact' },
    { text: 'جوالي ٠٥٤٠٠٠٢٤٦٨', redacted: 'جوالي ****2468', action: 'mask', verdict: 'redact' },
    { text: 'call 0540002468', redacted: 'call ****2468', action: 'mask', verdict: 'redact' },
    { text: `card ${CARD}`, redacted: `card ****${CARD.slice(-4)}`, action: 'mask', verdict: 'redact' },
    { text: 'I live in Riyadh', redacted: 'I live in Riyadh', action: 'flag', verdict: 'redact' },
    { text: 'my PIN is 3391', redacted: 'my PIN is [Credential]', action: 'redact', verdict: 'block' },
    { text: 'TOP SECRET report', redacted: '[Government Secret] report', action: 'redact', verdict: 'block' },
    { text: 'عندي سكري', redacted: 'عندي [Health]', action: 'redact', verdict: 'redact' },
    { text: `رقم الطلب ${ID}`, redacted: `رقم الطلب ${ID}`, action: 'flag', verdict: 'redact' },
  ] as const)('$text', ({ text, redacted, action, verdict }) => {
    const report = redactor.redact(text);
    expect(report.redacted).toBe(redacted);
    expect(report.verdict).toBe(verdict);
    expect(report.findings.map((finding) => finding.action)).toEqual([action]);
  });

  it('blocks health data beside an identifier that could only be flagged', () => {
    expect(redactor.redact(`عندي سكري ورقم الطلب ${ID}`).verdict).toBe('block');
    expect(redactor.redact('عندي سكري وأنا ساكن في الرياض').verdict).toBe('redact');
  });

  it.each([
    [`رقم الهوية ${ID}`, /نظام حماية البيانات الشخصية/],
    [`my id is ${ID}`, /^PDPL personal data/],
    ['I have diabetes', /^PDPL sensitive data/],
    ['عندي سكري', /بيانات حساسة/],
    ['my salary is SAR 9,000', /SAMA customer data/],
    ['راتبي 9000 ريال', /البنك المركزي/],
    ['TOP SECRET report', /NDMO/],
  ])('says why in the language of the text: %s', (text, why) => {
    expect(redactor.redact(text).findings[0]?.why).toMatch(why);
  });

  it('lists findings by position, each once', () => {
    const { redacted, findings } = redactor.redact(`0540002468 id ${ID} and again 0540002468`);
    expect(findings.map(({ kind }) => kind)).toEqual(['Phone Number', 'National ID']);
    expect(redacted).toBe('****2468 id [National ID] and again ****2468');
  });

  it('gives placeholders only when masks are off', () => {
    expect(createRedactor({ masks: false }).redact('call 0540002468').redacted).toBe('call [Phone Number]');
  });

  it('leaves what was taken out alone', () => {
    const once = redactor.redact(`هويتي ${ID} جوالي 0540002468 رمز التحقق 4821 وبطاقتي ${CARD}`);
    expect(redactor.redact(once.redacted)).toEqual({ redacted: once.redacted, findings: [], verdict: 'allow' });
  });

  it('does not take an identifier inside brackets or after stars for a placeholder', () => {
    expect(redactor.redact(`[National ID ${ID}]`).redacted).not.toContain(ID);
    expect(redactor.redact(`****${ID}`).redacted).not.toContain(ID);
  });

  it('looks at 6,000 characters and lets no more leave', () => {
    const { redacted, findings } = redactor.redact(`${'😀'.repeat(5_989)} ${ID}${ID}`);
    expect(findings.map(({ value }) => value)).toEqual([ID]);
    expect([...redacted]).toHaveLength(5_990 + '[National ID]'.length);
    expect(redacted.isWellFormed()).toBe(true);
  });

  it('has nothing to say about nothing', () => {
    for (const text of ['', ' ', '\u0000', '[]', '****', '\ud800']) {
      expect(redactor.redact(text)).toEqual({ redacted: text, findings: [], verdict: 'allow' });
    }
  });
});

describe('cutText', () => {
  it.each([
    ['abc', 2, 'ab'],
    ['a😀b', 2, 'a😀'],
    ['😀😀', 1, '😀'],
    ['abc', 5, 'abc'],
    ['abc', 0, ''],
  ])('%s to %i', (text, chars, cut) => expect(cutText(text, chars)).toBe(cut));
});
