import { expect, it } from 'vitest';
import { CallerTurn, FINAL_WAIT_MS } from '../../src/call/caller-turn.ts';

it('excuses a final that is late, once, and waits for what a busy machine takes', () => {
  const turn = new CallerTurn();
  expect(FINAL_WAIT_MS).toBeGreaterThanOrEqual(6_200); // measured beside a full processor: up to 4 s
  const steps = [0, 1_199, 1_200, 1_220, FINAL_WAIT_MS - 1, FINAL_WAIT_MS];
  expect(steps.map((ms) => turn.waitForFinal(1_000 + ms))).toEqual(['wait', 'wait', 'excuse', 'wait', 'wait', 'late']);
  turn.reset();
  expect(turn.waitForFinal(9_000)).toBe('wait');
  expect(turn.waitForFinal(10_200)).toBe('excuse');
});

it('is recorded in the order of cause and effect, a sound after its words included', () => {
  const turn = new CallerTurn();
  turn.speechStarted(1_000);
  turn.speechEnded(2_000);
  turn.waitForFinal(2_300);
  turn.heard('where is my order', 0.9, 2_200);
  turn.speechStarted(2_400, false);
  turn.speechEnded(2_700);
  const { endMs, finalMs, endpointMs } = turn.snapshot('speech', 2_900);
  expect([endMs, finalMs, endpointMs]).toEqual([2_700, 2_700, 2_900]);
});

it.each([
  { name: 'a few words that were settled as nothing', interim: 'I want to', final: '', guess: 'I want to' },
  { name: 'not those that are too few for what was said', interim: 'what', final: '', guess: '' },
  { name: 'not many', interim: 'I am calling about where is my', final: '', guess: '' },
  { name: 'nor those that were settled otherwise', interim: 'I want two', final: 'I want to', guess: '' },
])('has for its pause $name', ({ interim, final, guess }) => {
  const turn = new CallerTurn();
  turn.speechStarted(1_000);
  turn.interim = interim;
  turn.speechEnded(2_000);
  turn.heard(final, 0.5, 2_100);
  expect([turn.guess, turn.textSoFar]).toEqual([guess, final]);
});
