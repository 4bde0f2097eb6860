import { describe, expect, it } from 'vitest';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import { PHRASES } from '../../src/call/phrases.ts';
import { causeOfEnd, causeOfRefer, PHRASE_OF_CAUSE, type TransferCause } from '../../src/call/transfer-outcome.ts';

describe('why a person did not take a call', () => {
  it.each<[CallEnd, TransferCause]>([
    [callEnd('network', 'busy', '486 Busy Here'), 'busy'],
    [callEnd('network', 'busy', '600 Busy Everywhere'), 'busy'],
    [callEnd('gateway', 'busy', 'no second port: no-ports'), 'failed'], // ours, and nobody's line
    [callEnd('network', 'no-answer', '480 Temporarily Unavailable'), 'no-answer'],
    [callEnd('network', 'not-allowed', '603 Decline'), 'declined'],
    [callEnd('network', 'not-allowed', '403 Forbidden'), 'unreachable'],
    [callEnd('gateway', 'not-allowed', 'no trunk'), 'unreachable'],
    [callEnd('network', 'no-such-number', '404 Not Found'), 'unreachable'],
    [callEnd('callee', 'callee-hangup'), 'hung-up'],
    [callEnd('network', 'signalling-lost'), 'failed'],
    [callEnd('gateway', 'internal'), 'failed'],
  ])('after %j: %s', (end, cause) => {
    expect(causeOfEnd(end)).toBe(cause);
  });

  it.each<[number, TransferCause]>([
    ...[486, 600].map((status): [number, TransferCause] => [status, 'busy']),
    ...[408, 480, 487].map((status): [number, TransferCause] => [status, 'no-answer']),
    ...[403, 404, 410, 484, 604].map((status): [number, TransferCause] => [status, 'unreachable']),
    [603, 'declined'],
    ...[0, 481, 488, 500, 503].map((status): [number, TransferCause] => [status, 'failed']),
  ])('after a REFER that ended with %i: %s', (status, cause) => {
    expect(causeOfRefer({ ok: false, status, reason: '' })).toBe(cause);
  });

  it('is said in both languages', () => {
    const { 'came-back': back, ...sorry } = PHRASE_OF_CAUSE; // whose own wish it was
    expect(back).toBe('personLeft');
    for (const phrase of Object.values(sorry)) {
      expect(PHRASES[phrase].en).toMatch(/^Sorry, .+\.$/);
      expect(PHRASES[phrase].ar).toMatch(/^عذرًا، .+\.$/);
    }
  });
});
