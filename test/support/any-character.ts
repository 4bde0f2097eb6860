import fc from 'fast-check';

const SURROGATES_FROM = 0xd800;
const SURROGATES = 0x800;
const CHARACTERS = 0x110000 - SURROGATES;

const characterAt = (index: number): string =>
  String.fromCodePoint(index < SURROGATES_FROM ? index : index + SURROGATES);

function indexOf(value: unknown): number {
  const point = typeof value === 'string' ? value.codePointAt(0) : undefined;
  const index = point === undefined || point < SURROGATES_FROM ? point : point - SURROGATES;
  if (index === undefined || characterAt(index) !== value) throw new Error('not one character');
  return index;
}

/** Every character there is, as `unit: 'binary'` of `fc.string`, which takes 85 MB and most of a second to list them all. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(CHARACTERS - 1).map(characterAt, indexOf);
