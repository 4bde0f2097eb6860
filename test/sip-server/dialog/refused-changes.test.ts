import { beforeEach, describe, expect, it } from 'vitest';
import { tagOf } from '../../../src/sip-server/message/name-addr.ts';
import { header } from '../../../src/sip-server/message/sip-message.ts';
import { type FakeApp, type FakePeer, OFFER, phoneAnswer, phoneRequest, SipRig } from '../../support/sip-rig.ts';

let rig: SipRig;
let app: FakeApp;
let phone: FakePeer;
let toTag: string;

beforeEach(() => {
  rig = new SipRig({ settings: { serverName: '', sessionTimers: { sessionSeconds: 90, minSeconds: 90 } } });
  app = rig.apps[0]!;
  phone = rig.peer();
  const headers = ['Supported: timer', 'Session-Expires: 90;refresher=uas'];
  phone.deliver(phoneRequest('INVITE', { body: OFFER, headers }));
  app.answer(app.last, 200, [], OFFER);
  toTag = tagOf(header(phone.take().at(-1)!, 'To') ?? '') ?? '';
  phone.deliver(phoneRequest('ACK', { toTag }));
  app.take();
});

const DIALOG = 'call-1;from-tag=phone';
const ELSEWHERE = '<sip:elsewhere@198.51.100.1:5060>';
const inside = (method: string, body = '', lines = ''): string =>
  app.command(`sip||${DIALOG}`, `${method} sip:placeholder SIP/2.0\r\n${lines}\r\n${body}`);
const target = (): string => {
  phone.take();
  inside('INFO');
  const info = phone.take()[0]!;
  return info.kind === 'request' ? info.uri : '';
};
const changed = (text: string): string => OFFER.replace('4000', text);

describe('a request inside the dialog moves the remote target only when it gets a 2xx (RFC 3261 §12.2.2)', () => {
  it.each([
    { method: 'INVITE', status: 200, moves: true },
    { method: 'INVITE', status: 488, moves: false },
    { method: 'INVITE', status: 491, moves: false },
    { method: 'INVITE', status: 500, moves: false },
    { method: 'UPDATE', status: 200, moves: true },
    { method: 'UPDATE', status: 488, moves: false },
    { method: 'NOTIFY', status: 200, moves: true },
    { method: 'NOTIFY', status: 481, moves: false },
    { method: 'INFO', status: 200, moves: false },
    { method: 'OPTIONS', status: 200, moves: false },
  ])('$method answered $status: $moves', ({ method, status, moves }) => {
    const body = method === 'INVITE' || method === 'UPDATE' ? OFFER : '';
    phone.deliver(phoneRequest(method, { toTag, cseq: 2, body, contact: ELSEWHERE }));
    const frame = app.take()[0]!;
    expect(target()).toBe('sip:phone@198.51.100.1:5060'); // not before the answer
    app.answer(frame, status, [], status === 200 ? body : '');
    expect(target()).toBe(moves ? 'sip:elsewhere@198.51.100.1:5060' : 'sip:phone@198.51.100.1:5060');
  });

  it('nor does one that the server refuses itself', () => {
    const small = ['Supported: timer', 'Session-Expires: 60'];
    for (const [cseq, method] of ['INVITE', 'UPDATE'].entries()) {
      phone.deliver(phoneRequest(method, { toTag, cseq: cseq + 2, contact: ELSEWHERE, headers: small }));
    }
    expect(phone.takeBriefs()).toEqual(['422 INVITE', '422 UPDATE']);
    expect(target()).toBe('sip:phone@198.51.100.1:5060');
  });

  it.each([
    { method: 'INVITE', body: OFFER },
    { method: 'UPDATE', body: OFFER },
  ])('our own $method that is refused moves nothing either', ({ method, body }) => {
    inside(method, body);
    phone.deliver(phoneAnswer(phone.take()[0]!, 488, { headers: [`Contact: ${ELSEWHERE}`] }));
    expect(target()).toBe('sip:phone@198.51.100.1:5060');
  });
});

describe('what our refresh offers is what was last agreed', () => {
  const refreshed = (): string => {
    phone.take();
    rig.clock.advance(45_000);
    return (phone.take()[0]?.body ?? '').toString();
  };

  it('not what a refused re-INVITE was told on the way', () => {
    phone.deliver(phoneRequest('INVITE', { toTag, cseq: 2, body: OFFER, headers: ['Supported: 100rel'] }));
    const frame = app.take()[0]!;
    app.answer(frame, 183, ['Contact: <sip:other@localhost>'], changed('4444'));
    app.answer(frame, 488);
    phone.take();
    rig.clock.advance(45_000);
    const refresh = phone.take().find((m) => m.kind === 'request')!;
    expect([refresh.body.toString(), header(refresh, 'Contact')]).toEqual([OFFER, '<sip:192.0.2.1:5060>']);
  });

  it.each([
    { name: 'a re-INVITE we answered', answered: 200, body: changed('4002') },
    { name: 'not one we refused', answered: 488, body: OFFER },
  ])('$name', ({ answered, body }) => {
    phone.deliver(
      phoneRequest('INVITE', {
        toTag,
        cseq: 2,
        body: OFFER,
        headers: ['Supported: timer', 'Session-Expires: 90;refresher=uas'],
      }),
    );
    app.answer(app.take()[0]!, answered, [], answered === 200 ? changed('4002') : '');
    const ok = phone.take().at(-1)!;
    phone.deliver(phoneRequest('ACK', { toTag, cseq: 2, branch: /branch=([^;]+)/.exec(header(ok, 'Via') ?? '')![1]! }));
    if (answered === 200) phone.deliver(phoneRequest('ACK', { toTag, cseq: 2 }));
    expect(refreshed()).toBe(body);
  });

  it.each([
    { name: 'an UPDATE we answered', status: 200, body: changed('4004') },
    { name: 'not an UPDATE we refused', status: 488, body: OFFER },
  ])('$name', ({ status, body }) => {
    phone.deliver(phoneRequest('UPDATE', { toTag, cseq: 2, body: OFFER }));
    app.answer(app.take()[0]!, status, [], status === 200 ? changed('4004') : '');
    expect(refreshed()).toBe(body);
  });

  it.each([
    { name: 'our UPDATE that was accepted', status: 200, body: changed('4006') },
    { name: 'not our UPDATE that was refused', status: 488, body: OFFER },
    { name: 'our re-INVITE that was accepted', status: 200, body: changed('4006'), method: 'INVITE' },
    { name: 'not our re-INVITE that was refused', status: 488, body: OFFER, method: 'INVITE' },
  ])('$name', ({ status, body, method = 'UPDATE' }) => {
    inside(method, changed('4006'));
    const headers = ['Session-Expires: 90;refresher=uac'];
    phone.deliver(phoneAnswer(phone.take()[0]!, status, { headers, body: status === 200 ? OFFER : '' }));
    if (method === 'INVITE' && status === 200) inside('ACK');
    expect(refreshed()).toBe(body);
  });
});

describe('the next re-INVITE before the ACK of our 2xx', () => {
  const reinvite = (cseq: number, body: string): void => phone.deliver(phoneRequest('INVITE', { toTag, cseq, body }));

  it('491 while the ACK has to answer our offer; that ACK is heard, and the next one is taken', () => {
    reinvite(2, '');
    app.answer(app.take()[0]!, 200, [], OFFER);
    phone.take();
    reinvite(3, OFFER);
    expect(phone.takeBriefs()).toEqual(['491 INVITE']);
    phone.deliver(phoneRequest('UPDATE', { toTag, cseq: 4, body: OFFER }));
    expect(phone.takeBriefs()).toEqual(['491 UPDATE']);
    expect(app.ups).toEqual([]);
    rig.clock.advance(500);
    expect(phone.takeBriefs()).toContain('200 INVITE'); // still repeated
    phone.deliver(phoneRequest('ACK', { toTag, cseq: 2, body: OFFER }));
    expect(app.takeBriefs()).toEqual(['ACK 2']);
    reinvite(5, OFFER);
    expect(app.takeBriefs()).toEqual(['INVITE 5']);
  });

  it.each(['INVITE', 'UPDATE'])("the application's own %s waits as well: 491 made up", (method) => {
    reinvite(2, '');
    app.answer(app.take()[0]!, 200, [], OFFER);
    phone.take();
    inside(method, OFFER);
    expect([phone.takeBriefs(), app.takeBriefs()]).toEqual([[], [`491 ${method}`]]);
  });

  it('taken where the exchange is complete: the peer has our 2xx; a late ACK of the first is still heard', () => {
    reinvite(2, OFFER);
    app.answer(app.take()[0]!, 200, [], OFFER);
    phone.take();
    reinvite(3, OFFER);
    app.answer(app.take()[0]!, 200, [], OFFER);
    phone.deliver(phoneRequest('ACK', { toTag, cseq: 2 }));
    phone.deliver(phoneRequest('ACK', { toTag, cseq: 3 }));
    expect(app.takeBriefs()).toEqual(['ACK 2', 'ACK 3']);
    phone.take();
    rig.clock.advance(44_000);
    expect(phone.takeBriefs()).toEqual([]);
  });

  it('the first ACK never comes: no reason to end a call that went on', () => {
    reinvite(2, OFFER);
    app.answer(app.take()[0]!, 200, [], OFFER);
    reinvite(3, OFFER);
    app.answer(app.take()[0]!, 200, [], OFFER);
    phone.deliver(phoneRequest('ACK', { toTag, cseq: 3 }));
    rig.clock.advance(40_000);
    expect(rig.core.dialogs.all()[0]?.state).toBe('confirmed');
    expect(app.takeBriefs()).toEqual(['ACK 3']);
  });

  it('a third while two ACKs are missing gets 491', () => {
    reinvite(2, OFFER);
    app.answer(app.take()[0]!, 200, [], OFFER);
    reinvite(3, OFFER);
    app.answer(app.take()[0]!, 200, [], OFFER);
    phone.take();
    reinvite(4, OFFER);
    expect(phone.takeBriefs()).toEqual(['491 INVITE']);
  });
});
