import { describe, expect, it } from 'vitest';
import {
  BREAKER_TRANSITIONS,
  type BreakerEvent,
  type BreakerState,
  CircuitBreaker,
  nextBreakerState,
} from '../../src/engines/circuit-breaker.ts';
import { FakeClock } from '../support/fake-clock.ts';

const EVENTS: readonly BreakerEvent[] = ['success', 'failure', 'trip', 'cooled', 'rest'];
const EXPECTED: Record<BreakerState, Record<BreakerEvent, BreakerState>> = {
  closed: { success: 'closed', failure: 'closed', trip: 'open', cooled: 'closed', rest: 'open' },
  open: { success: 'open', failure: 'open', trip: 'open', cooled: 'half-open', rest: 'open' },
  'half-open': { success: 'closed', failure: 'open', trip: 'half-open', cooled: 'half-open', rest: 'open' },
};

describe('nextBreakerState', () => {
  for (const state of Object.keys(BREAKER_TRANSITIONS) as BreakerState[]) {
    it.each(EVENTS)(`${state}, %s`, (event) => {
      expect(nextBreakerState(state, event)).toBe(EXPECTED[state][event]);
    });
  }
});

describe('CircuitBreaker', () => {
  const make = () => {
    const clock = new FakeClock();
    return { clock, breaker: new CircuitBreaker({ failures: 3, cooldownMs: 1000 }, clock) };
  };
  const run = (breaker: CircuitBreaker, ...outcomes: ('success' | 'failure' | 'unknown')[]): void => {
    for (const outcome of outcomes) breaker.admit()?.(outcome);
  };

  it.each([
    { name: 'failures below the threshold', outcomes: ['failure', 'failure'], state: 'closed' },
    {
      name: 'a success in between',
      outcomes: ['failure', 'failure', 'success', 'failure', 'failure'],
      state: 'closed',
    },
    { name: 'a barge-in in between', outcomes: ['failure', 'failure', 'unknown', 'failure'], state: 'open' },
    { name: 'failures in a row', outcomes: ['success', 'failure', 'failure', 'failure'], state: 'open' },
  ] as const)('$name', ({ outcomes, state }) => {
    const { breaker } = make();
    run(breaker, ...outcomes);
    expect(breaker.state).toBe(state);
    expect(breaker.refuses).toBe(state === 'open');
  });

  it('lets one call try after the pause, and no other until it is back', () => {
    const { clock, breaker } = make();
    run(breaker, 'failure', 'failure', 'failure');
    clock.advance(999);
    expect(breaker.admit()).toBeUndefined();
    clock.advance(1);
    const trial = breaker.admit();
    expect(trial).toBeDefined();
    expect(breaker.admit()).toBeUndefined();
    trial?.('unknown'); // barge-in: the next one tries
    const second = breaker.admit();
    second?.('failure');
    expect(breaker.state).toBe('open');
    clock.advance(1000);
    breaker.admit()?.('success');
    expect(breaker.state).toBe('closed');
    run(breaker, 'failure', 'failure');
    expect(breaker.state).toBe('closed');
  });

  it('does not believe calls that began before it opened', () => {
    const { clock, breaker } = make();
    const early = [breaker.admit(), breaker.admit()];
    run(breaker, 'failure', 'failure', 'failure');
    early[0]?.('success');
    expect(breaker.state).toBe('open');
    clock.advance(1000);
    expect(breaker.state).toBe('half-open');
    early[1]?.('failure');
    expect(breaker.state).toBe('half-open');
  });

  it('counts a permit once', () => {
    const { breaker } = make();
    const permit = breaker.admit();
    for (let i = 0; i < 5; i += 1) permit?.('failure');
    expect(breaker.state).toBe('closed');
  });
});
