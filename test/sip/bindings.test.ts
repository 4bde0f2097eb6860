import { describe, expect, it } from 'vitest';
import { type Binding, type BindingRequest, bind, contactsHeader } from '../../src/sip/bindings.ts';
import { parseContacts } from '../../src/sip/contact-header.ts';

const limits = { contactsMax: 3, minSeconds: 60, maxSeconds: 3_600, defaultSeconds: 600 };
const request = (contact: string, parts: Partial<BindingRequest> = {}): BindingRequest => ({
  contacts: parseContacts(contact) ?? [],
  ...{ expires: undefined, callId: 'c1', cseq: 1, flow: 'sip:192.0.2.7:5070', path: [], userAgent: 'phone' },
  ...{ outbound: true, ...parts },
});
const bound = (all: readonly Binding[], one: BindingRequest, nowMs = 0): readonly Binding[] => {
  const found = bind(all, one, limits, nowMs);
  if ('status' in found) throw new Error(`refused ${found.status}`);
  return found;
};
const uris = (all: readonly Binding[]) => all.map(({ uri }) => uri);

describe('a contact', () => {
  it.each([
    { contact: '<sip:a@h>', expires: undefined, seconds: 600 },
    { contact: '<sip:a@h>', expires: '120', seconds: 120 },
    { contact: '<sip:a@h>;expires=90', expires: '120', seconds: 90 },
    { contact: '<sip:a@h>;expires=soon', expires: '120', seconds: 120 },
    { contact: '<sip:a@h>;expires=99999', expires: undefined, seconds: 3_600 },
    { contact: '<sip:a@h>', expires: '60', seconds: 60 },
  ])('$contact with Expires $expires is good for $seconds s', ({ contact, expires, seconds }) => {
    const [binding] = bound([], request(contact, { expires }), 5_000);
    expect(binding?.expiresMs).toBe(5_000 + 1_000 * seconds);
  });

  it.each([
    {
      name: 'too short',
      one: request('<sip:a@h>;expires=59'),
      reply: { status: 423, headers: { 'Min-Expires': '60' } },
    },
    { name: 'all, without Expires 0', one: request('*', { expires: '60' }), reply: { status: 400 } },
    { name: 'all, without Expires', one: request('*'), reply: { status: 400 } },
    { name: 'four', one: request('<sip:a@h>,<sip:b@h>,<sip:c@h>,<sip:d@h>'), reply: { status: 403 } },
    { name: 'one of two too short', one: request('<sip:a@h>,<sip:b@h>;expires=1'), reply: { status: 423 } },
  ])('is refused: $name', ({ one, reply }) => {
    expect(bind([], one, limits, 0)).toMatchObject(reply);
  });
});

describe('a phone', () => {
  const first = bound([], request('<sip:a@h>'));

  it('refreshes, adds, removes', () => {
    const two = bound(first, request('<sip:b@h>', { cseq: 2 }));
    expect(uris(two)).toEqual(['sip:b@h', 'sip:a@h']);
    const fresh = bound(two, request('<SIP:a@H>', { cseq: 3, flow: 'sip:192.0.2.8:5070' }), 10);
    expect(fresh.map(({ uri, flow }) => `${uri} ${flow}`)).toEqual([
      'SIP:a@H sip:192.0.2.8:5070',
      'sip:b@h sip:192.0.2.7:5070',
    ]);
    expect(uris(bound(fresh, request('<sip:b@h>;expires=0', { cseq: 4 }), 20))).toEqual(['SIP:a@H']);
    expect(bound(fresh, request('*', { cseq: 4, expires: '0' }), 20)).toEqual([]);
  });

  it.each([1, 0])('is not led astray by CSeq %i after 1 of the same Call-ID', (cseq) => {
    expect(bind(first, request('<sip:a@h>;expires=0', { cseq }), limits, 0)).toMatchObject({ status: 400 });
    expect(bind(first, request('*', { cseq, expires: '0' }), limits, 0)).toMatchObject({ status: 400 });
    expect(uris(bound(first, request('<sip:a@h>', { cseq, callId: 'after a restart' })))).toEqual(['sip:a@h']);
    expect(uris(bound(first, request('<sip:b@h>', { cseq })))).toEqual(['sip:b@h', 'sip:a@h']);
  });

  it('loses the contact that it refreshed longest ago to a fourth', () => {
    let all: readonly Binding[] = [];
    for (const [index, user] of ['a', 'b', 'c', 'd'].entries()) {
      all = bound(all, request(`<sip:${user}@h>`, { cseq: index + 1 }));
    }
    expect(uris(all)).toEqual(['sip:d@h', 'sip:c@h', 'sip:b@h']);
  });

  it('has contacts no longer than their time', () => {
    expect(uris(bound(first, request('<sip:b@h>', { cseq: 2 }), 600_000))).toEqual(['sip:b@h']);
    expect(contactsHeader(first, 600_000)).toBe('');
    expect(contactsHeader(first, 599_001)).toBe('<sip:a@h>;expires=1');
  });

  it('that says which device it is replaces its contact of another port', () => {
    const device = '+sip.instance="<urn:uuid:1>"';
    const before = bound([], request(`<sip:a@h:1>;${device};q=0.3`));
    const after = bound(before, request(`<sip:a@h:2>;${device};q=0.3`, { callId: 'c2' }));
    expect(uris(after)).toEqual(['sip:a@h:2']);
    expect(contactsHeader(after, 0)).toBe('<sip:a@h:2>;+sip.instance="<urn:uuid:1>";q=0.3;expires=600');
    const flows = bound(after, request(`<sip:a@h:3>;${device};reg-id=1,<sip:a@h:4>;${device};reg-id=2`, { cseq: 9 }));
    expect(uris(flows)).toEqual(['sip:a@h:4', 'sip:a@h:3', 'sip:a@h:2']);
    const plain = bound([], request(`<sip:a@h:3>;${device};reg-id=1`, { outbound: false }));
    expect(plain[0]?.parameters).toBe(';+sip.instance="<urn:uuid:1>"');
  });

  it('cannot write what it likes into our answer', () => {
    const [binding] = bound([], request('<sip:a@h>;+sip.instance="x\\"\\\\;y";reg-id=1;z\r\nX'));
    expect(binding?.parameters).toBe(';+sip.instance="xy";reg-id=1');
  });
});
