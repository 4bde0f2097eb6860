/** One step of a finite-state grammar. Two states are special everywhere: 0 is where a sentence begins, 1 where it ends. */
export interface Transition {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
  readonly token: string; // '' moves without a word
}
export interface StateMachine {
  readonly states: number;
  readonly transitions: readonly Transition[];
}

const START = 0;
const FINAL = 1;

/**
 * The same machine with fewer states: those that go on alike are one, and so are those that were come to alike, until
 * neither finds any more. Every sentence keeps its ways and their weights. Phrases of one agent share their beginnings and
 * ends, so a decoder compiled of the result takes little more than half the memory and half the time to listen.
 */
export function mergeStates(machine: StateMachine): StateMachine {
  let merged = machine;
  for (;;) {
    const before = merged.transitions.length;
    merged = mergeAlike(merged, 'from', 'to', FINAL);
    merged = mergeAlike(merged, 'to', 'from', START);
    if (merged.transitions.length >= before) return merged;
  }
}

type End = 'from' | 'to';

/** Merges states whose transitions at their `own` end say the same and lead to merged states; `apart` is like no other. */
function mergeAlike({ states, transitions }: StateMachine, own: End, other: End, apart: number): StateMachine {
  const labels = new Map<string, number>();
  const steps: { readonly label: number; readonly other: number }[][] = Array.from({ length: states }, () => []);
  for (const transition of transitions) {
    const label = numberOf(labels, `${transition.weight} ${transition.token}`);
    steps[transition[own]]?.push({ label, other: transition[other] });
  }
  let classes = Array.from({ length: states }, (_, state) => Number(state === apart));
  let count = 0;
  // Finer with every round, so an unchanged number of classes means unchanged classes.
  for (;;) {
    const signatures = new Map<string, number>();
    const finer = steps.map((of, state) => {
      const seen = new Set(of.map((step) => step.label * states + (classes[step.other] ?? 0)));
      return numberOf(signatures, `${classes[state]}:${[...seen].sort((a, b) => a - b).join()}`);
    });
    if (signatures.size === count) return quotient(transitions, classes, count);
    classes = finer;
    count = signatures.size;
  }
}

/** One state for each class; those of the start and of the end keep their numbers. */
function quotient(transitions: readonly Transition[], classes: readonly number[], count: number): StateMachine {
  const numbers = new Map<string, number>();
  for (const state of [START, FINAL]) numberOf(numbers, String(classes[state]));
  const stateOf = (state: number): number => numberOf(numbers, String(classes[state]));
  const kept = new Map<string, Transition>();
  for (const { from, to, weight, token } of transitions) {
    const step = { from: stateOf(from), to: stateOf(to), weight, token };
    kept.set(`${step.from} ${step.to} ${weight} ${token}`, step);
  }
  return { states: count, transitions: [...kept.values()] };
}

/** The number of `key`, counted from 0 as keys are first met. */
function numberOf(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key) ?? numbers.size;
  numbers.set(key, known);
  return known;
}
