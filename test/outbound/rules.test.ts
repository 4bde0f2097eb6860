import { describe, expect, it } from 'vitest';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import { ATTEMPTS_MAX, type Attempt, afterAttempt } from '../../src/outbound/attempt-outcome.ts';
import { nextCallingTime, startOfDay } from '../../src/outbound/calling-hours.ts';
import { canonicalNumber, dialTarget } from '../../src/outbound/dialled-number.ts';
import { Pacer } from '../../src/outbound/pacer.ts';
import { timeZoneOf } from '../../src/outbound/time-zones.ts';

describe('a number', () => {
  it.each([
    ['+966501234567', '+966501234567'],
    [' +966 50-123 (4567) ', '+966501234567'],
    ['٠٠٩٦٦٥٠١٢٣٤٥٦٧', '+966501234567'],
    ['۰۵۰۱۲۳۴۵۶۷', '+966501234567'],
    ['\u202a0501234567\u202c', '+966501234567'],
    ['1000', '1000'],
    ['920000000', '920000000'],
    ['+1', undefined],
    ['+9665012345678901', undefined],
    ['1', undefined],
    ['0501234567;ext=1', undefined],
    ['ahmed', undefined],
    ['', undefined],
  ])('%s is %s', (written, number) => {
    expect(canonicalNumber(written, '966')).toBe(number);
  });

  it.each([
    ['tel:+966501234567;phone-context=x', { target: '+966501234567', number: '+966501234567' }],
    ['sip:+966501234567@carrier.example', { target: 'sip:+966501234567@carrier.example', number: '+966501234567' }],
    ['sip:%2B966501234567@carrier.example', { target: 'sip:%2B966501234567@carrier.example', number: '+966501234567' }],
    ['sip:bob@example.com', { target: 'sip:bob@example.com', number: undefined }],
    ['sip:%zz@example.com', { target: 'sip:%zz@example.com', number: undefined }],
    ['phone:reception', { target: 'phone:reception', number: undefined }],
    ['sip:bob@example.com\r\nX: y', undefined],
    ['tel:', undefined],
    [`sip:${'a'.repeat(300)}@b`, undefined],
  ])('%s is called as %o', (written, target) => {
    expect(dialTarget(written, '966')).toEqual(target);
  });

  it.each([
    ['+966501234567', 'Asia/Riyadh'],
    ['+12025550100', 'America/New_York'],
    ['+201001234567', 'Africa/Cairo'],
    ['+2119', 'Africa/Juba'],
    ['+999', undefined],
  ])('%s lives in %s', (number, zone) => {
    expect(timeZoneOf(number)).toBe(zone);
  });
});

describe('calling hours', () => {
  const hours = { from: '09:00', to: '21:00', days: ['sun', 'mon', 'tue', 'wed', 'thu'] };
  it.each([
    ['open', '2026-11-26T06:00:00Z', 'Asia/Riyadh', '2026-11-26T06:00:00Z'],
    ['a second before the end', '2026-11-26T17:59:59Z', 'Asia/Riyadh', '2026-11-26T17:59:59Z'],
    ['early', '2026-11-26T05:59:30Z', 'Asia/Riyadh', '2026-11-26T06:00:00Z'],
    [
      'late on a Thursday: the weekend is over on Sunday',
      '2026-11-26T18:00:00Z',
      'Asia/Riyadh',
      '2026-11-29T06:00:00Z',
    ],
    ['the same moment elsewhere', '2026-11-26T06:00:00Z', 'America/New_York', '2026-11-26T14:00:00Z'],
    ['the clock goes forward in the night', '2026-03-08T05:00:00Z', 'America/New_York', '2026-03-08T13:00:00Z'],
    ['the clock goes back in the night', '2026-11-01T04:30:00Z', 'America/New_York', '2026-11-01T14:00:00Z'],
  ])('%s', (_name, at, zone, next) => {
    expect(nextCallingTime(new Date(at), zone, hours)).toEqual(new Date(next));
  });

  it('of no day never come', () => {
    expect(nextCallingTime(new Date(), 'Asia/Riyadh', { ...hours, days: [] })).toBeUndefined();
    expect(nextCallingTime(new Date(), 'Asia/Riyadh', { ...hours, from: '21:00' })).toBeUndefined();
  });

  it.each([
    ['2026-11-26T10:15:00Z', 'Asia/Riyadh', '2026-11-25T21:00:00Z'],
    ['2026-03-08T20:00:00Z', 'America/New_York', '2026-03-08T05:00:00Z'],
    ['2026-11-01T20:00:00Z', 'America/New_York', '2026-11-01T04:00:00Z'],
  ])('the day of %s in %s began at %s', (at, zone, began) => {
    expect(startOfDay(new Date(at), zone)).toEqual(new Date(began));
  });
});

describe('after an attempt', () => {
  it.each(['signalling-lost', 'certificate-refused', 'internal'] as const)(
    '%s is a failure that may pass',
    (reason) => {
      const attempt = { end: callEnd('network', reason), left: true, answered: false, cancelled: false, number: 1 };
      expect(afterAttempt(attempt, { busy: [], noAnswer: [], failed: [5] })).toEqual({
        event: 'retry',
        waitSeconds: 5,
      });
    },
  );

  const policy = { busy: [10, 20], noAnswer: [30], failed: [] };
  const network = (reason: CallEnd['reason']): CallEnd => callEnd('network', reason);
  const outcomeOf = (end: CallEnd, facts: Partial<Attempt> = {}) =>
    afterAttempt({ end, left: true, answered: false, cancelled: false, number: 1, ...facts }, policy);

  it.each([
    ['busy', outcomeOf(network('busy')), { event: 'retry', waitSeconds: 10 }],
    ['busy again', outcomeOf(network('busy'), { number: 2 }), { event: 'retry', waitSeconds: 20 }],
    ['busy once too often', outcomeOf(network('busy'), { number: 3 }), { event: 'fail' }],
    ['nobody answers', outcomeOf(network('no-answer')), { event: 'retry', waitSeconds: 30 }],
    ['a failure, and no policy for it', outcomeOf(network('signalling-lost')), { event: 'fail' }],
    ['declined', outcomeOf(network('not-allowed')), { event: 'fail' }],
    ['no such number', outcomeOf(network('no-such-number')), { event: 'fail' }],
    ['answered', outcomeOf(callEnd('callee', 'callee-hangup'), { answered: true }), { event: 'hangup' }],
    ['answered, and the network ends it', outcomeOf(network('busy'), { answered: true }), { event: 'hangup' }],
    ['cancelled', outcomeOf(network('busy'), { cancelled: true }), { event: 'cancel' }],
    [
      'no line of ours, nothing left',
      outcomeOf(callEnd('gateway', 'busy'), { left: false }),
      { event: 'hold', waitSeconds: 1 },
    ],
    [
      'going down, nothing left',
      outcomeOf(callEnd('gateway', 'shutdown'), { left: false }),
      { event: 'hold', waitSeconds: 1 },
    ],
    ['going down, it rang', outcomeOf(callEnd('gateway', 'shutdown')), { event: 'fail' }],
    ['no credit', outcomeOf(callEnd('gateway', 'no-credit'), { left: false }), { event: 'refuse' }],
  ])('%s', (_name, outcome, expected) => {
    expect(outcome).toEqual(expected);
  });

  it('nobody is called for ever', () => {
    const often = { busy: Array.from({ length: 50 }, () => 1), noAnswer: [], failed: [] };
    const facts = { end: network('busy'), left: true, answered: false, cancelled: false, number: ATTEMPTS_MAX };
    expect(afterAttempt(facts, often)).toEqual({ event: 'fail' });
  });
});

describe('the pace', () => {
  it('lets no second have more calls than its limit, however late they come', () => {
    const pacer = new Pacer();
    const leftMs: number[] = [];
    let nowMs = 1000;
    for (let call = 0; call < 200; call += 1) {
      nowMs = Math.max(nowMs + (call % 7 === 0 ? 333 : 0), pacer.nextMs('trunk', 5));
      pacer.take('trunk', nowMs);
      leftMs.push(nowMs);
    }
    const most = Math.max(...leftMs.map((from) => leftMs.filter((at) => at >= from && at < from + 1000).length));
    expect(most).toBe(5);
    expect(pacer.nextMs('another', 5)).toBe(Number.NEGATIVE_INFINITY);
  });
});
