import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLACEHOLDERS_MAX, PrivacyBoundary } from '../../../../src/engines/text/redact/reversible.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { runs } from '../../../support/property-runs.ts';
import { nationalId } from './identifiers.ts';

const ID = nationalId('0011223');

describe('PrivacyBoundary', () => {
  it('numbers placeholders by kind and gives the same value the same one', () => {
    const boundary = new PrivacyBoundary();
    const first = boundary.protect(`جوالي 0540002468 وهويتي ${ID}`);
    expect(first).toEqual({ text: 'جوالي [Phone Number 1] وهويتي [National ID 1]', verdict: 'redact', removed: 2 });
    expect(boundary.protect('أو 0550007777 أو 0540002468').text).toBe('أو [Phone Number 2] أو [Phone Number 1]');
  });

  it.each([
    ['as given', 'أكلمك على [Phone Number 1]', 'أكلمك على 0540002468'],
    ['twice', '[Phone Number 1] or [Phone Number 1]', '0540002468 or 0540002468'],
    ['other capitals', '[phone number 1]', '0540002468'],
    ['Arabic-Indic number', '[Phone Number ١]', '0540002468'],
    ['spaces', '[ Phone Number 1 ]', '0540002468'],
    ['Persian number', '[PHONE NUMBER ۱]', '0540002468'],
    ['lost space', 'call [PhoneNumber1] now', 'call 0540002468 now'],
    ['underscores', '[phone_number_1]', '0540002468'],
    ['a number sign', '[Phone Number #1]', '0540002468'],
    ['a leading zero', '[Phone Number 01]', '0540002468'],
    ['name in Arabic', 'على [رقم الجوال ١]', 'على 0540002468'],
    ['name in Arabic with its number', 'على [رقم الهاتف رقم 1]', 'على [رقم الهاتف رقم 1]'],
    ['escaped for Markdown', 'على \\[Phone Number 1\\].', 'على 0540002468.'],
    ['bold', '**[Phone Number 1]**', '**0540002468**'],
    ['other brackets', '【Phone Number 1】 {Phone Number 1}', '0540002468 0540002468'],
    ['marks of direction', '[\u200fPhone Number 1\u200e]', '0540002468'],
    ['brackets in brackets', '[[Phone Number 1]]', '[0540002468]'],
    ['without brackets', 'Phone Number 1', 'Phone Number 1'],
    ['too long a number', '[Phone Number 10001]', '[Phone Number 10001]'],
    ['never given out', '[Phone Number 9] [Email 1] [Nothing 1]', '[Phone Number 9] [Email 1] [Nothing 1]'],
    ['without number', '[Phone Number]', '[Phone Number]'],
  ])('restores: %s', (_name, answer, restored) => {
    const boundary = new PrivacyBoundary();
    boundary.protect('جوالي 0540002468');
    expect(boundary.restore(answer)).toBe(restored);
  });

  it('leaves alone what is only flagged', () => {
    const boundary = new PrivacyBoundary();
    expect(boundary.protect('I live in Riyadh').text).toBe('I live in Riyadh');
    expect(boundary.protect('I live in Riyadh').verdict).toBe('redact');
    expect(boundary.protect('the weather is good').verdict).toBe('allow');
  });

  it('does not put `$&` of a value through a pattern', () => {
    const boundary = new PrivacyBoundary();
    const { text } = boundary.protect('password: $&a1$`b');
    expect(text).toBe('password: [Credential 1]');
    expect(boundary.restore(text)).toBe('password: $&a1$`b');
  });

  it('holds a bounded number of values and still takes the rest out', () => {
    const boundary = new PrivacyBoundary({ charsMax: 1_000_000 });
    const ids = Array.from({ length: PLACEHOLDERS_MAX + 5 }, (_, at) => nationalId(String(at).padStart(7, '0')));
    const { text, removed } = boundary.protect(ids.join('\n'));
    expect(removed).toBe(ids.length);
    expect(boundary.size).toBe(PLACEHOLDERS_MAX);
    expect(text).toMatch(/\[National ID\]$/);
    for (const id of ids) expect(text).not.toContain(id);
    boundary.clear();
    expect(boundary.size).toBe(0);
    expect(boundary.restore('[National ID 1]')).toBe('[National ID 1]');
  });

  it('cuts what was not looked at', () => {
    expect(new PrivacyBoundary({ charsMax: 3 }).protect('😀😀😀😀').text).toBe('😀😀😀');
  });

  it('restores a stream however it is cut', () => {
    const boundary = new PrivacyBoundary();
    boundary.protect(`جوالي 0540002468 وهويتي ${ID}`);
    const answer = 'تمام [Phone Number 1]، [ثم] هوية \\[رقم الهوية ١\\] 😀[[national id 1] {x} \\[[';
    expect(boundary.restore(answer)).toBe(`تمام 0540002468، [ثم] هوية ${ID} 😀[${ID} {x} \\[[`);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
        const stream = boundary.createRestorer();
        let said = '';
        let at = 0;
        for (let turn = 0; at < answer.length; turn += 1) {
          const size = sizes[turn % sizes.length]!;
          said += stream.push(answer.slice(at, at + size));
          at += size;
        }
        expect(said + stream.end()).toBe(boundary.restore(answer));
      }),
    );
  });

  it('keeps what a caller types as a placeholder apart from the values', () => {
    const boundary = new PrivacyBoundary();
    boundary.protect('جوالي 0540002468');
    for (const typed of [
      '[Phone Number 1]',
      '[phone number ١]',
      '[رقم الجوال 1]',
      '[Phone Number 2]',
      '[Quoted Text 1]',
    ]) {
      const said = boundary.protect(`اقرأ لي ${typed}`);
      expect(said.verdict).toBe('allow');
      expect(said.text).toMatch(/^اقرأ لي \[Quoted Text \d\]$/);
      expect(boundary.restore(said.text)).toBe(`اقرأ لي ${typed}`);
    }
  });

  it('gives the same text back, whatever is in it', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'جوالي',
        'my password is',
        'اسمي',
        '[Phone Number 1]',
        '[رقم الهوية 1]',
        '[Salary 5000]',
        'راتبي',
        '😀',
        '\\[',
      ),
      fc.constantFrom(ID, '0540002468', 'a.b@example.com', 'محمد العتيبي', '5000 ريال', 'SA0380000000608010167519'),
      fc.string({ unit: anyCharacter, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('[', ']', '1', '٢', ' ', '5', '0', 'Email'), maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.constantFrom(' ', '', '\n'), (parts, by) => {
        const boundary = new PrivacyBoundary();
        const text = parts.join(by);
        expect(boundary.restore(boundary.protect(text).text)).toBe(text);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('does not hold back text after a bracket that is no placeholder', () => {
    const stream = new PrivacyBoundary().createRestorer();
    expect(stream.push('see [')).toBe('see ');
    expect(stream.push('a very long remark that nobody ever closes again')).toBe(
      '[a very long remark that nobody ever closes again',
    );
  });
});
