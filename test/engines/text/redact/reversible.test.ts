import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLACEHOLDERS_MAX, PrivacyBoundary } from '../../../../src/engines/text/redact/reversible.ts';
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
    const answer = 'تمام [Phone Number 1]، [ثم] هوية [National ID 1][';
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (sizes) => {
        const stream = boundary.restorer();
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

  it('does not hold back text after a bracket that is no placeholder', () => {
    const stream = new PrivacyBoundary().restorer();
    expect(stream.push('see [')).toBe('see ');
    expect(stream.push('a very long remark that nobody ever closes again')).toBe(
      '[a very long remark that nobody ever closes again',
    );
  });
});
