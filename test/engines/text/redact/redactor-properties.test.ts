import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, findSensitive } from '../../../../src/engines/text/redact/redactor.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { runs, someOf } from '../../../support/property-runs.ts';
import { identifier } from './arbitraries.ts';
import { ARABIC_INDIC, digitsOf, PERSIAN } from './identifiers.ts';

const redactor = createRedactor();

const script = fc.constantFrom((text: string) => text, ARABIC_INDIC, PERSIAN);
const separator = fc.constantFrom('', ' ', '-', ' - ', '\u00a0', '\u200b', '\u200f', 'ـ', '_', '–');
/** Groups of three or four, or digit by digit: how people write. */
const grouping = fc.constantFrom(1, 3, 4, 40);
const WORDS =
  'مرحبا يا خدمة العملاء أبغى أستفسر عن الموضوع hello there I would like to ask, please شكرا! نعم؟ (okay) الآن 😀 …'.split(
    ' ',
  );
const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 });

function grouped(value: string, size: number, by: string): string {
  return value.match(new RegExp(`.{1,${size}}`, 'g'))!.join(by);
}

describe('redactor, any text', () => {
  it.each([
    ['binary', fc.string({ unit: anyCharacter, maxLength: 200 })],
    ['grapheme', fc.string({ unit: 'grapheme', maxLength: 200 })],
    [
      'of its own vocabulary',
      fc
        .array(
          fc.constantFrom(
            ...(
              'هويتي id رقم جوالي my salary is راتبي ريال SAR 05 0540002468 1 12/03/1990 born ' +
              '[National ID] ****1234 اسمي محمد بن password: @ gmail dot com شارع حي مبنى 1234 12345 صفر خمسة double five ، . \n - / : sk- SA IBAN سري للغاية'
            ).split(' '),
          ),
          { maxLength: 40 },
        )
        .map((all) => all.join(' ')),
    ],
  ])('%s: never throws, and every value stands in the text', (_name, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { redacted, findings, verdict } = redactor.redact(text);
        for (const { value, kind, action, why } of findings) {
          expect(value).not.toBe('');
          expect(text).toContain(value);
          expect(why).not.toBe('');
          if (action === 'redact') expect(redacted).toContain(`[${kind}]`);
        }
        expect(verdict === 'allow').toBe(findings.length === 0);
        if (verdict === 'allow') expect(redacted).toBe(text);
        let end = 0;
        for (const found of findSensitive(text).found) {
          expect(found.start).toBeGreaterThanOrEqual(end);
          expect(found.end).toBeGreaterThan(found.start);
          end = found.end;
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('takes every strong identifier out, wherever it stands and however it is written', () => {
    fc.assert(
      fc.property(words, words, identifier, grouping, separator, script, (before, after, value, size, by, spell) => {
        const written = spell(grouped(value, size, by));
        const text = [...before, written, ...after].join(' ');
        const { redacted, findings } = redactor.redact(text);
        expect(digitsOf(redacted)).not.toContain(digitsOf(value));
        expect(findings.some((finding) => digitsOf(finding.value) === digitsOf(value))).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('takes several out of one text', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(identifier, words), { minLength: 2, maxLength: 6 }), (parts) => {
        const text = parts.map(([value, around]) => `${around.join(' ')} و ${value}`).join(' ثم ');
        const { redacted } = redactor.redact(text);
        for (const [value] of parts) expect(digitsOf(redacted)).not.toContain(digitsOf(value));
      }),
    );
  });

  it('keeps its own placeholders when it reads them again', () => {
    fc.assert(
      fc.property(words, identifier, words, (before, value, after) => {
        const once = redactor.redact([...before, value, ...after].join(' ')).redacted;
        expect(redactor.redact(once).redacted).toBe(once);
      }),
    );
  });
});

/** Short pieces that were, or might be, slow in great number; the bench times the same. */
const HOSTILE = JSON.parse(
  readFileSync(new URL('../../../fixtures/text/hostile-units.json', import.meta.url), 'utf8'),
) as string[];

describe('redactor, work', () => {
  const fill = (unit: string, chars: number): string => unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);
  it.each(
    someOf(
      HOSTILE.map((unit) => ({ unit })),
      4,
    ),
  )('doubles with the text: $unit', ({ unit }) => {
    const chars = runs(50_000);
    const half = findSensitive(fill(unit, chars)).reading.steps;
    const whole = findSensitive(fill(unit, 2 * chars)).reading.steps;
    expect(whole).toBeLessThanOrEqual(2.05 * half + 100);
    expect(whole).toBeLessThanOrEqual(60 * 2 * chars);
  });
});
