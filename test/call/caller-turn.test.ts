import { expect, it } from 'vitest';
import { CallerTurn, FINAL_WAIT_MS } from '../../src/call/caller-turn.ts';

it('waits for the final of a recogniser that is slow, and not for ever', () => {
  const turn = new CallerTurn();
  expect(FINAL_WAIT_MS).toBeGreaterThanOrEqual(5_000); // measured beside a full processor: up to 4 s
  expect(turn.waitedForFinal(1_000)).toBe(false);
  expect(turn.waitedForFinal(1_000 + FINAL_WAIT_MS - 1)).toBe(false);
  expect(turn.waitedForFinal(1_000 + FINAL_WAIT_MS)).toBe(true);
});
