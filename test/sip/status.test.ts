import { describe, expect, it } from 'vitest';
import { type CallEndReason, callEnd } from '../../src/call/call-end.ts';
import {
  byeHeadersOf,
  END_ROWS,
  endOfBye,
  endOfRefusal,
  headerText,
  parseReason,
  refusalOf,
  refusalOfOffer,
  statedReason,
} from '../../src/sip/status.ts';

const reasons = Object.keys(END_ROWS) as CallEndReason[];

describe('refusals', () => {
  it.each<[CallEndReason, number, boolean]>([
    ['no-such-number', 404, false],
    ['agent-not-live', 480, false],
    ['no-credit', 402, false],
    ['no-codec', 488, false],
    ['bad-offer', 488, false],
    ['busy', 503, true],
    ['draining', 503, true],
    ['no-engine', 503, true],
    ['store-unavailable', 503, true],
    ['shutdown', 503, true],
    ['not-allowed', 403, false],
    ['cancelled', 487, false],
  ])('%s is %i, Retry-After %s', (reason, status, retryAfter) => {
    const refusal = refusalOf(callEnd('gateway', reason));
    expect(refusal.status).toBe(status);
    expect('Retry-After' in refusal.headers).toBe(retryAfter);
    expect(refusal.headers['Warning']).toMatch(/^3\d\d nidaa "[ -~]+"$/);
    expect(refusal.headers['Reason']).toMatch(/^Q\.850;cause=\d+;text="[ -~]+"$/);
  });

  it.each(reasons)('%s survives the way there and back', (reason) => {
    const { status, headers } = refusalOf(callEnd('gateway', reason));
    expect(endOfRefusal(status, 'x', headers['Reason']).reason).toBe(reason);
  });

  it('every reason has its own status and cause, and its own text', () => {
    const rows = Object.values(END_ROWS);
    expect(new Set(rows.map((row) => `${row.status} ${row.cause}`)).size).toBe(rows.length);
    expect(new Set(rows.map((row) => row.text)).size).toBe(rows.length);
  });

  it.each([
    { kind: 'malformed', warning: 399, status: 400, reason: 'bad-offer' },
    { kind: 'unacceptable', warning: 330, status: 488, reason: 'bad-offer' },
    { kind: 'no-codec', warning: 305, status: 488, reason: 'no-codec' },
  ] as const)('an offer refused as $kind is $status', ({ kind, warning, status, reason }) => {
    const refusal = refusalOfOffer({ kind, warning, text: 'why' });
    expect(refusal.status).toBe(status);
    expect(refusal.headers['Warning']).toBe(`${warning} nidaa "why"`);
    expect(refusal.end.reason).toBe(reason);
    expect(endOfRefusal(status, '', refusal.headers['Reason']).reason).toBe(reason);
  });

  it.each<[number, string | undefined, CallEndReason]>([
    [486, undefined, 'busy'],
    [600, undefined, 'busy'],
    [404, undefined, 'no-such-number'],
    [404, 'Q.850;cause=1;text="Unallocated"', 'no-such-number'],
    [407, undefined, 'not-allowed'],
    [488, undefined, 'no-codec'],
    [503, undefined, 'busy'],
    [500, undefined, 'signalling-lost'],
    [503, 'SIP;cause=200, Q.850;cause=41', 'draining'],
    [499, undefined, 'not-allowed'],
    [699, '\u0000;;;""', 'not-allowed'],
  ])('%i with %s from elsewhere is %s', (status, header, reason) => {
    expect(endOfRefusal(status, 'Phrase', header)).toMatchObject({
      party: 'network',
      reason,
      detail: `${status} Phrase`,
    });
  });
});

describe('BYE', () => {
  it.each(reasons)('%s has a Reason that reads back', (reason) => {
    const header = byeHeadersOf(callEnd('agent', reason))['Reason'] ?? '';
    expect(parseReason(header)).toEqual({ q850Cause: END_ROWS[reason].cause, text: END_ROWS[reason].text });
    const { detail } = endOfBye(header, false);
    // Of a caller who hung up it would say nothing that the reason does not.
    if (reason === 'caller-hangup') expect(detail).toBeUndefined();
    else expect(statedReason(detail)).toBe(reason);
  });

  it.each([undefined, '', 'Normal', 'the call reached its maximum length'])('%s states no reason of ours', (text) => {
    expect(statedReason(text)).toBeUndefined();
  });

  it.each([
    { header: undefined, unsolicited: false, end: { party: 'caller', reason: 'caller-hangup' } },
    {
      header: 'Q.850;cause=16;text="Normal"',
      unsolicited: false,
      end: { party: 'caller', reason: 'caller-hangup', detail: 'Normal' },
    },
    { header: 'SIP;cause=200;text="ACK timeout"', unsolicited: true, end: { party: 'network', reason: 'ack-timeout' } },
    {
      header: 'SIP;cause=200;text="Session timer expired"',
      unsolicited: true,
      end: { party: 'network', reason: 'session-expired' },
    },
    {
      header: 'SIP;cause=200;text="ACK-BYE due to cancel race condition"',
      unsolicited: true,
      end: { party: 'caller', reason: 'cancelled' },
    },
    {
      header: 'SIP;cause=200;text="CANCEL after 200 OK"',
      unsolicited: true,
      end: { party: 'caller', reason: 'cancelled' },
    },
    {
      header: 'SIP;cause=200;text="something new"',
      unsolicited: true,
      end: { party: 'network', reason: 'signalling-lost', detail: 'something new' },
    },
    { header: undefined, unsolicited: true, end: { party: 'network', reason: 'signalling-lost' } },
    // A caller cannot dress up as the signalling layer.
    {
      header: 'SIP;cause=200;text="ACK timeout"',
      unsolicited: false,
      end: { party: 'caller', reason: 'caller-hangup' },
    },
  ])('$header (unsolicited $unsolicited)', ({ header, unsolicited, end }) => {
    expect(endOfBye(header, unsolicited)).toMatchObject(end);
  });
});

it('header text is printable ASCII without quotes, and short', () => {
  expect(headerText('a"b\\c\r\nInjected: x\u0000ن')).toBe('a b c Injected: x');
  expect(headerText('x'.repeat(1000)).length).toBe(160);
});
