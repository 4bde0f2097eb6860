import { describe, expect, it } from 'vitest';
import { nextOrderState, ORDER_TRANSITIONS, type OrderEvent, statesBefore } from '../../src/outbound/order-state.ts';

/** What every event leads to, from queued, dialling, ringing, answered and ended. */
const EXPECTED: Record<OrderEvent, readonly (string | undefined)[]> = {
  dial: ['dialling', undefined, undefined, undefined, undefined],
  ring: [undefined, 'ringing', undefined, undefined, undefined],
  answer: [undefined, 'answered', 'answered', undefined, undefined],
  hold: [undefined, 'queued', undefined, undefined, undefined],
  retry: [undefined, 'queued', 'queued', undefined, undefined],
  fail: [undefined, 'ended', 'ended', undefined, undefined],
  refuse: ['ended', 'ended', undefined, undefined, undefined],
  expire: ['ended', undefined, undefined, undefined, undefined],
  cancel: ['ended', 'ended', 'ended', 'ended', undefined],
  hangup: [undefined, undefined, undefined, 'ended', undefined],
  interrupt: [undefined, 'ended', 'ended', 'ended', undefined],
};
const STATES = ['queued', 'dialling', 'ringing', 'answered', 'ended'] as const;

describe('the states of an order', () => {
  it('are all there', () => {
    expect(Object.keys(ORDER_TRANSITIONS)).toEqual(STATES);
  });

  it.each(Object.entries(EXPECTED))('%s', (event, after) => {
    expect(STATES.map((state) => nextOrderState(state, event as OrderEvent))).toEqual(after);
    expect(statesBefore(event as OrderEvent)).toEqual(STATES.filter((_, i) => after[i] !== undefined));
  });
});
