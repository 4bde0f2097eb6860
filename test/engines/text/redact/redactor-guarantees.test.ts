import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, cutText, findSensitive } from '../../../../src/engines/text/redact/redactor.ts';
import { PrivacyBoundary } from '../../../../src/engines/text/redact/reversible.ts';
import { passesLuhn, passesMod97 } from '../../../../src/language/check-digits.ts';
import { runs } from '../../../support/property-runs.ts';
import { digits, identifier } from './arbitraries.ts';
import { ARABIC_INDIC, digitsOf, iqama, nationalId, PERSIAN } from './identifiers.ts';

const redactor = createRedactor();
const written = fc.tuple(
  identifier,
  fc.constantFrom(
    (text: string) => text,
    ARABIC_INDIC,
    PERSIAN,
    (text: string) => `\u2066${text}\u2069`,
  ),
  fc.constantFrom('', '(', '"', ':', '*', '\u200f', '#'),
  fc.constantFrom('', ')', '"', '.', '،', '؟', '*', '\u200e', ';'),
);

/** Words the recognisers know: labels, triggers, names, numbers, marks. */
const VOCABULARY = (
  'هويتي id رقم جوالي الطلب order تذكرة ticket شحنة فاتورة invoice بطاقة card إقامة iqama آيبان IBAN رمز code كلمة المرور ' +
  'password راتبي salary ريال SAR 9,000 اسمي محمد العتيبي بن my name is Sara Al Harbi عندي سكري diabetes ساكن في حي ' +
  'العليا شارع 12 مبنى born 12/03/1990 مواليد 1988 لوحة ا ب ج 1234 plate ABD 0540002468 920001234 صفر خمسة خمسة double ' +
  'five ، . : ؟ / - و and 😀 [National ID] [Phone Number 2] ****1234 a@b.co 10.0.0.1 what is the code ? they pay me on ' +
  'the contract قضية تزوير أنا في مسجد ألم ظهري my account'
).split(' ');
const vocabulary = fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 14 });

/** Every stretch of digits and capitals of a text that is an identifier by its check digits and stands alone. */
function strongIn(text: string): string[] {
  const plain = text.replace(/[\u200b-\u200f\u2066-\u2069]/g, '').replace(/[٠-٩۰-۹]/g, digitsOf);
  const ids = plain.match(/(?<![0-9A-Za-z])[12][0-9]{9}(?![0-9A-Za-z])/g) ?? [];
  const cards = plain.match(/(?<![0-9A-Za-z])4[0-9]{15}(?![0-9A-Za-z])/g) ?? [];
  const ibans = plain.match(/(?<![0-9A-Za-z])SA[0-9A-Z]{22}(?![0-9A-Za-z])/g) ?? [];
  return [
    ...ids.filter(passesLuhn),
    ...cards.filter(passesLuhn),
    ...ibans.filter((iban) => passesMod97(iban.toLowerCase())),
  ];
}

const DIALECTS = [
  'صفر واحد اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة',
  'زيرو واحد ثنين ثلاث أربع خمس ست سبع ثمان تسع',
  'صفر وحدة اتنين تلاتة اربعة خمسه سته سبعه تمانية تسعه',
  'zero one two three four five six seven eight nine',
  'oh one two three four five six seven eight niner',
].map((words) => words.split(' '));

describe('redactor, guarantees', () => {
  it('leaves no strong identifier without saying so, among all the words it knows', () => {
    fc.assert(
      fc.property(vocabulary, written, vocabulary, (before, [value, spell, open, close], after) => {
        const text = [...before, `${open}${spell(value)}${close}`, ...after].join(' ');
        const { redacted, findings } = redactor.redact(text);
        const flagged = findings.filter(({ action }) => action === 'flag').map((finding) => digitsOf(finding.value));
        // A flagged stretch may hold more than the number: what stands after it can pass as its end.
        const isSaid = (strong: string): boolean => flagged.some((said) => said.includes(digitsOf(strong)));
        expect(strongIn(redacted).filter((strong) => !isSaid(strong))).toEqual([]);
      }),
      { numRuns: runs(1_500) },
    );
  });

  it.each(DIALECTS.map((words) => ({ words, first: words.slice(0, 3).join(' ') })))(
    'hears identifiers read out digit by digit: $first',
    ({ words }) => {
      const spoken = fc.oneof(
        digits(7).map(nationalId),
        digits(7).map(iqama),
        digits(7).map((rest) => `050${rest}`),
      );
      const by = fc.constantFrom(' ', ', ', '، ', ' - ');
      fc.assert(
        fc.property(spoken, by, fc.constantFrom('', 'الرقم', 'my number is', 'طيب سجل'), (value, gap, before) => {
          const said = [...value].map((digit) => words[Number(digit)]!).join(gap);
          const { redacted } = redactor.redact(`${before} ${said} شكرا`);
          expect(redacted).not.toContain(said);
          expect(redacted.trim().startsWith(before)).toBe(true);
        }),
        { numRuns: runs(150) },
      );
    },
  );

  it('gives stretches in order, apart from each other, that rebuild the text', () => {
    const plain = createRedactor({ masks: false });
    fc.assert(
      fc.property(vocabulary, fc.constantFrom(' ', '', '\n', '\u200f'), (words, by) => {
        const text = words.join(by);
        let at = 0;
        let built = '';
        for (const { start, end, kind, flagged } of findSensitive(text).found) {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          built += text.slice(at, start) + (flagged === true ? text.slice(start, end) : `[${kind}]`);
          at = end;
        }
        expect(built + text.slice(at)).toBe(plain.redact(text).redacted);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('changes nothing more the second time', () => {
    fc.assert(
      fc.property(vocabulary, written, vocabulary, (before, [value, spell], after) => {
        const once = redactor.redact([...before, spell(value), ...after].join(' ')).redacted;
        expect(redactor.redact(once).redacted).toBe(once);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('cuts at the limit between characters, never inside one', () => {
    const unit = fc.constantFrom('😀', 'a', 'ع', '1', '𝟏', ' ');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 0, max: 60 }), (text, charsMax) => {
        const cut = cutText(text, charsMax);
        expect(cut.isWellFormed()).toBe(true);
        expect([...cut]).toEqual([...text].slice(0, charsMax));
        expect(createRedactor({ charsMax }).redact(text).redacted.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('PrivacyBoundary, guarantees', () => {
  it('lets nothing strong leave and gives everything back', () => {
    fc.assert(
      fc.property(vocabulary, written, vocabulary, (before, [value, spell, open, close], after) => {
        const boundary = new PrivacyBoundary();
        const text = [...before, `${open}${spell(value)}${close}`, ...after].join(' ');
        const flagged = redactor.redact(text).findings.some(({ action }) => action === 'flag');
        const { text: sent } = boundary.protect(text);
        if (!flagged) expect(strongIn(sent)).toEqual([]);
        expect(boundary.restore(sent)).toBe(text);
        const stream = boundary.createRestorer();
        expect([...sent].map((character) => stream.push(character)).join('') + stream.end()).toBe(text);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
