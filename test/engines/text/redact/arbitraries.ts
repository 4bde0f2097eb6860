import fc from 'fast-check';
import { card, iqama, nationalId, saudiIban } from './identifiers.ts';

/** Arbitrary values of the property tests. */

/** Exactly `length` digits. */
export function digits(length: number): fc.Arbitrary<string> {
  return fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((all) => all.join(''));
}

/** An identifier that its check digits prove: ID, Iqama, card or IBAN. */
export const identifier: fc.Arbitrary<string> = fc.oneof(
  digits(7).map(nationalId),
  digits(7).map(iqama),
  digits(14).map(card),
  digits(20).map(saudiIban),
);
