import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeStates, type StateMachine, type Transition } from '../../../src/engines/stt/state-merging.ts';

const step = (from: number, to: number, token: string, weight = 1): Transition => ({ from, to, weight, token });

/** Of every sentence of at most `wordsMax` words the weight of its best way. */
function bestWays({ states, transitions }: StateMachine, wordsMax: number): Map<string, number> {
  const found = new Map<string, number>();
  let reached = new Map([['', new Map([[0, 1]])]]);
  const better = (at: Map<number, number>, state: number, weight: number): boolean => {
    if ((at.get(state) ?? 0) >= weight) return false;
    at.set(state, weight);
    return true;
  };
  for (let words = 0; words <= wordsMax; words += 1) {
    const next = new Map<string, Map<number, number>>();
    for (const [sentence, at] of reached) {
      for (let round = 0; round < states; round += 1) {
        let changed = false;
        for (const { from, to, weight, token } of transitions) {
          if (token === '') changed = better(at, to, (at.get(from) ?? 0) * weight) || changed;
        }
        if (!changed) break;
      }
      const end = at.get(1);
      if (end !== undefined) found.set(sentence, Number(end.toPrecision(9)));
      for (const { from, to, weight, token } of transitions) {
        const here = at.get(from);
        if (token === '' || here === undefined) continue;
        const longer = `${sentence} ${token}`;
        const there = next.get(longer) ?? new Map<number, number>();
        next.set(longer, there);
        better(there, to, here * weight);
      }
    }
    reached = next;
  }
  return found;
}

describe('mergeStates', () => {
  it('joins common beginnings and common ends', () => {
    const machine: StateMachine = {
      states: 8,
      transitions: [
        ...[step(0, 2, 'where'), step(2, 3, 'is'), step(3, 4, 'my'), step(4, 1, 'order')],
        ...[step(0, 5, 'where'), step(5, 6, 'was'), step(6, 7, 'my'), step(7, 1, 'order')],
      ],
    };
    const merged = mergeStates(machine);
    expect(merged.transitions).toHaveLength(5);
    expect(merged.states).toBe(5);
    expect(bestWays(merged, 4)).toEqual(bestWays(machine, 4));
  });

  it.each([
    { name: 'weights', transitions: [step(0, 2, 'a', 0.5), step(0, 3, 'a', 0.1), step(2, 1, 'b'), step(3, 1, 'c')] },
    {
      name: 'words that go on differently',
      transitions: [step(0, 2, 'a'), step(0, 3, 'b'), step(2, 1, 'x'), step(3, 1, 'y')],
    },
    {
      name: 'loops of different words',
      transitions: [step(0, 2, ''), step(0, 3, ''), step(2, 2, 'a'), step(3, 3, 'b'), step(2, 1, 'x'), step(3, 1, 'x')],
    },
  ])('keeps apart what differs: $name', ({ transitions }) => {
    expect(mergeStates({ states: 4, transitions }).transitions).toHaveLength(transitions.length);
  });

  it('keeps every sentence and the weight of its best way', () => {
    const state = fc.integer({ min: 0, max: 7 });
    const transition = fc.record({
      from: state,
      to: state,
      weight: fc.constantFrom(1, 0.5, 0.1),
      token: fc.constantFrom('a', 'b', 'c', ''),
    });
    fc.assert(
      fc.property(fc.array(transition, { maxLength: 24 }), (transitions) => {
        const machine = { states: 8, transitions };
        const merged = mergeStates(machine);
        expect(merged.transitions.length).toBeLessThanOrEqual(transitions.length);
        expect(bestWays(merged, 4)).toEqual(bestWays(machine, 4));
      }),
      { numRuns: 300, seed: 20 },
    );
  });
});
