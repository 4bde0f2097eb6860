/** What a sentence does beside meaning something. */
interface Manner {
  readonly negated: boolean;
  readonly asks: boolean;
}

/**
 * What is left of a match between a sentence that denies or asks and one that does not: `I do not want it` is not meant
 * where nothing is denied, nor `a cleaning` where its price is asked. `lost`: only the example does it.
 */
const NEGATION = { lost: 0.7, added: 0.95 };
const QUESTION = { lost: 0.88, added: 0.85 };

function agreementOf(said: boolean, example: boolean, cost: { readonly lost: number; readonly added: number }): number {
  if (said === example) return 1;
  return said ? cost.added : cost.lost;
}

/** How well a sentence of each kind agrees with an example of each. */
const AGREEMENTS = [0, 1, 2, 3].map((said) =>
  [0, 1, 2, 3].map(
    (one) =>
      agreementOf((said & 1) > 0, (one & 1) > 0, NEGATION) * agreementOf((said & 2) > 0, (one & 2) > 0, QUESTION),
  ),
);

/** How well a sentence agrees with an example, by the kind of the example. */
export function agreementsOf(said: Manner): readonly number[] {
  return AGREEMENTS[kindOf(said)]!;
}

/** Whether a sentence denies and asks, as a number of two bits. */
export function kindOf({ negated, asks }: Manner): number {
  return (negated ? 1 : 0) + (asks ? 2 : 0);
}
