import { type Static, Type } from '@sinclair/typebox';
import { Problems } from './problems.ts';
import { YamlFile } from './yaml-file.ts';

const cents = Type.Integer({ minimum: 0, maximum: 100_000, expected: 'whole cents' });

/** The price list. Every price is written out: a price that nobody set must not be charged. */
export const PricesSchema = Type.Object({
  replyCents: cents,
  privacyCents: cents,
  askCents: cents,
  transcribeMinuteCents: cents,
  liveMinuteCents: cents,
  speechCentsPer1000: Type.Object({ 'sada-1': cents, 'nabra-1': cents }),
});

export type PriceList = Readonly<Static<typeof PricesSchema>>;

/** @throws OperatorError that lists every problem. */
export function loadPrices(path: string, cwd = process.cwd()): PriceList {
  const problems = new Problems(cwd);
  const prices = new YamlFile(path, problems).read(PricesSchema);
  problems.throwIfAny();
  return prices!;
}
