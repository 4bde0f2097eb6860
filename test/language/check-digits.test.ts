import { describe, expect, it } from 'vitest';
import { isCardRange, passesLuhn, passesMod97 } from '../../src/language/check-digits.ts';
import { card, iqama, nationalId, saudiIban } from '../engines/text/redact/identifiers.ts';

describe('passesLuhn', () => {
  it.each([
    ['4111111111111111', true],
    ['4111111111111112', false],
    ['378282246310005', true],
    ['79927398713', true],
    ['79927398710', false],
    ['', false],
  ])('%s -> %s', (digits, right) => expect(passesLuhn(digits)).toBe(right));

  it('finds every single wrong digit', () => {
    const right = nationalId('1234567');
    for (let at = 0; at < right.length; at += 1) {
      for (let digit = 0; digit < 10; digit += 1) {
        const changed = right.slice(0, at) + digit + right.slice(at + 1);
        expect(passesLuhn(changed)).toBe(changed === right);
      }
    }
  });

  it('agrees with the identifiers of the tests', () => {
    for (const made of [nationalId('0000000'), iqama('7654321'), card('00000000000000')])
      expect(passesLuhn(made)).toBe(true);
  });
});

describe('passesMod97', () => {
  it.each([
    ['sa0380000000608010167519', true],
    ['sa0380000000608010167518', false],
    ['sa8030000000608010167519', false],
    ['sa0280000000608010167519', false], // remainder 0
    ['gb82west12345698765432', true],
    ['de89370400440532013000', true],
    ['sa03', false],
    ['sa03-0000', false],
  ])('%s -> %s', (iban, right) => expect(passesMod97(iban)).toBe(right));

  it('takes letters in the account', () => {
    expect(passesMod97(saudiIban('80ABCDEFGH1234567890').toLowerCase())).toBe(true);
  });
});

describe('isCardRange', () => {
  it.each([
    ['4111111111111111', true],
    ['5555555555554444', true],
    ['2223003122003222', true],
    ['5888450000000000', true], // mada
    ['9682010000000000', true], // mada
    ['378282246310005', true],
    ['1111111111111111', false],
    ['7777777777777777', false],
    ['41111111111111', false],
  ])('%s -> %s', (digits, right) => expect(isCardRange(digits)).toBe(right));
});
