import { beforeEach, describe, expect, it } from 'vitest';
import {
  expiryDelayMs,
  REFRESH_TRIES_MAX,
  type RefreshStep,
  type RefusedRefresh,
  refreshStep,
} from '../../../src/sip-server/dialog/session-timer.ts';
import { tagOf } from '../../../src/sip-server/message/name-addr.ts';
import { header, type SipMessage } from '../../../src/sip-server/message/sip-message.ts';
import { brief, type FakeApp, type FakePeer, OFFER, phoneAnswer, phoneRequest, SipRig } from '../../support/sip-rig.ts';

let rig: SipRig;
let app: FakeApp;
let phone: FakePeer;
let toTag: string;

/** A call of 90 s that we must refresh. */
function establish(allow = 'Allow: INVITE, UPDATE', refresher = 'uas'): void {
  rig = new SipRig({ settings: { serverName: '', sessionTimers: { sessionSeconds: 90, minSeconds: 90 } } });
  app = rig.apps[0]!;
  phone = rig.peer();
  const headers = ['Supported: timer', `Session-Expires: 90;refresher=${refresher}`, allow];
  phone.deliver(phoneRequest('INVITE', { body: OFFER, headers }));
  app.answer(app.last, 200, [], OFFER);
  toTag = tagOf(header(phone.take().at(-1)!, 'To') ?? '') ?? '';
  phone.deliver(phoneRequest('ACK', { toTag }));
  app.take();
}
beforeEach(() => establish());

const DIALOG = 'call-1;from-tag=phone';
const methods = (messages: readonly SipMessage[]): string[] => messages.map((m) => brief(m).split(' ')[0]!);
const inside = (method: string, body = '', lines = ''): string =>
  app.command(`sip||${DIALOG}`, `${method} sip:placeholder SIP/2.0\r\n${lines}\r\n${body}`);
/** Answers every refresh at once, for this long. @returns methods and seconds of what we sent. */
function refuseFor(ms: number, status: number, headers: readonly string[] = []): [string, number][] {
  const sent: [string, number][] = [];
  for (let left = ms; left > 0; left -= 100) {
    rig.clock.advance(100);
    for (const message of phone.take()) {
      if (message.kind !== 'request' || message.method === 'ACK') continue;
      sent.push([message.method, rig.clock.nowMs() / 1_000]);
      phone.deliver(phoneAnswer(message, message.method === 'BYE' ? 200 : status, { headers }));
    }
  }
  return sent;
}

describe('what becomes of a refused refresh', () => {
  const STEPS: Readonly<Record<string, RefreshStep>> = {
    '422 raises': 'raise',
    '422': 'later',
    '405 by UPDATE': 'by-invite',
    '501 by UPDATE': 'by-invite',
    '405': 'later',
    '501': 'later',
    '491': 'soon',
    '408': 'lost',
    '481': 'lost',
    '401': 'stop',
    '407': 'stop',
    '300': 'later',
    '488': 'later',
    '500': 'later',
    '503': 'later',
    '603': 'later',
  };
  it.each(Object.entries(STEPS))('%s: %s', (text, step) => {
    const refused: RefusedRefresh = {
      status: Number(text.slice(0, 3)),
      byUpdate: text.includes('UPDATE'),
      raises: text.includes('raises'),
    };
    expect(refreshStep(refused)).toBe(step);
  });
  it.each([
    { name: 'we refresh: at the end', timer: { seconds: 90, weRefresh: true }, atMs: 90_000 },
    { name: 'the peer does: a third before', timer: { seconds: 90, weRefresh: false }, atMs: 60_000 },
    { name: 'the peer does, long: 32 s before', timer: { seconds: 1_800, weRefresh: false }, atMs: 1_768_000 },
  ])('a session ends when $name', ({ timer, atMs }) => {
    expect(expiryDelayMs(timer)).toBe(atMs);
  });
});

describe('a peer that refuses our refresh', () => {
  it('a Min-SE above what was asked is taken over once; 422 to that is no reason to hurry', () => {
    const sent = refuseFor(44_900 + 100, 422, ['Min-SE: 200']);
    const again = refuseFor(10_000, 422, ['Min-SE: 400']);
    expect([...sent, ...again].map(([method]) => method)).toEqual(['UPDATE', 'UPDATE']);
  });

  it.each([
    { name: '422 that names nothing better', status: 422, headers: ['Min-SE: 90'] },
    { name: '422 without Min-SE', status: 422, headers: [] },
    { name: '491', status: 491, headers: [] },
    { name: '500', status: 500, headers: [] },
    { name: '503 with Retry-After', status: 503, headers: ['Retry-After: 1'] },
    { name: '488', status: 488, headers: [] },
    { name: '603', status: 603, headers: [] },
  ])('$name for ever: a handful of tries, and BYE at 90 of 90 s', ({ status, headers }) => {
    const sent = refuseFor(100_000, status, headers);
    const tries = sent.filter(([method]) => method === 'UPDATE');
    expect(tries.length).toBeGreaterThanOrEqual(2);
    expect(tries.length).toBeLessThanOrEqual(REFRESH_TRIES_MAX);
    expect(sent.at(-1)).toEqual(['BYE', 90]);
    expect(rig.core.dialogs.size).toBe(0);
  });

  it.each([401, 407])('%i: the same request is not sent again; the call lives until its interval ends', (status) => {
    const sent = refuseFor(100_000, status, ['WWW-Authenticate: Digest realm="x", nonce="1"']);
    expect(sent).toEqual([
      ['UPDATE', 45],
      ['BYE', 90],
    ]);
  });

  it('405 to UPDATE: the re-INVITE takes its place, also next time', () => {
    rig.clock.advance(45_000);
    phone.deliver(phoneAnswer(phone.take()[0]!, 405));
    const invite = phone.take()[0]!;
    expect(invite).toMatchObject({ method: 'INVITE' });
    phone.deliver(phoneAnswer(invite, 200, { body: OFFER, headers: ['Session-Expires: 90;refresher=uac'] }));
    rig.clock.advance(45_000);
    expect(methods(phone.take())).toEqual(['ACK', 'INVITE']);
  });

  it.each([408, 481])('%i: it has no such call any more, BYE at once', (status) => {
    expect(refuseFor(46_000, status)).toEqual([
      ['UPDATE', 45],
      ['BYE', 45.1],
    ]);
  });

  it('nobody to send it to: tried again while the interval lasts', () => {
    rig.clock.advance(44_000);
    phone.sendError = 'ENETUNREACH';
    rig.clock.advance(2_000);
    phone.sendError = undefined;
    rig.clock.advance(30_000);
    expect(methods(phone.take())[0]).toBe('UPDATE');
  });

  it('a refresh that succeeds late counts: no BYE at 60 of 90 s', () => {
    rig.clock.advance(45_000);
    phone.deliver(phoneAnswer(phone.take()[0]!, 500));
    rig.clock.advance(29_000);
    const again = phone.take().filter((m) => brief(m).startsWith('UPDATE'));
    phone.deliver(phoneAnswer(again.at(-1)!, 200, { headers: ['Session-Expires: 90;refresher=uac'] }));
    rig.clock.advance(40_000);
    expect(methods(phone.take())).not.toContain('BYE');
  });
});

describe('a call that ends', () => {
  it.each([
    { name: 'by the peer', end: () => phone.deliver(phoneRequest('BYE', { toTag, cseq: 2 })) },
    { name: 'by the application', end: () => inside('BYE') },
  ])('$name leaves no timer of its session behind, nor a refresh under way', ({ end }) => {
    rig.clock.advance(45_000);
    const update = phone.take()[0]!;
    end();
    for (const frame of app.take()) if (frame.text.startsWith('BYE')) app.answer(frame, 200);
    for (const m of phone.take()) if (m.kind === 'request') phone.deliver(phoneAnswer(m, 200));
    phone.deliver(phoneAnswer(update, 500));
    rig.clock.advance(33_000);
    expect([rig.clock.pending, rig.core.dialogs.size]).toEqual([0, 0]);
  });
});

describe('our refresh beside what the application does', () => {
  it("its answer leaves the application's pending INVITE alone", () => {
    rig.clock.advance(45_000);
    const update = phone.take()[0]!;
    inside('INVITE', OFFER);
    phone.take();
    phone.deliver(phoneAnswer(update, 200, { headers: ['Session-Expires: 90;refresher=uac'] }));
    phone.deliver(phoneRequest('INVITE', { toTag, cseq: 2, body: OFFER }));
    expect(phone.takeBriefs()).toEqual(['491 INVITE']);
  });

  it.each([
    { name: 'timeout', fail: () => rig.clock.advance(33_000) },
    { name: 'refusal', fail: (update: SipMessage) => phone.deliver(phoneAnswer(update, 500)) },
  ])('so does its $name', ({ fail }) => {
    rig.clock.advance(45_000);
    const update = phone.take()[0]!;
    inside('INVITE', OFFER);
    const invite = phone.take()[0]!;
    phone.deliver(phoneAnswer(invite, 100));
    fail(update);
    phone.take();
    if (rig.core.dialogs.all()[0]?.state !== 'confirmed') return; // A dead peer: the call is over.
    phone.deliver(phoneRequest('INVITE', { toTag, cseq: 2, body: OFFER }));
    expect(phone.takeBriefs()).toEqual(['491 INVITE']);
  });

  it.each([
    { name: 'an UPDATE', method: 'UPDATE', body: '' },
    { name: 'a re-INVITE', method: 'INVITE', body: OFFER },
  ])(
    '$name of the application is a refresh, challenged and sent again with credentials as it may be',
    ({ method, body }) => {
      rig.clock.advance(36_000);
      inside(method, body);
      const bare = phone.take()[0]!;
      expect(header(bare, 'Session-Expires')).toBe('90;refresher=uac');
      phone.deliver(phoneAnswer(bare, 401, { headers: ['WWW-Authenticate: Digest realm="x", nonce="1"'] }));
      inside(method, body, 'Authorization: Digest username="a", realm="x"\r\n');
      const signed = phone.take().find((m) => header(m, 'Authorization') !== undefined)!;
      phone.deliver(phoneAnswer(signed, 200, { body, headers: ['Session-Expires: 90;refresher=uac'] }));
      if (method === 'INVITE') inside('ACK');
      phone.take();
      rig.clock.advance(44_900);
      expect(phone.takeBriefs()).toEqual([]); // 80.9 s: our own at 45 s was not needed
      rig.clock.advance(100);
      expect(methods(phone.take())).toEqual(['UPDATE']);
    },
  );

  it('one that does not refresh itself keeps the peer in its part', () => {
    establish('Allow: UPDATE', 'uac');
    inside('INVITE', OFFER);
    expect(header(phone.take()[0]!, 'Session-Expires')).toBe('90;refresher=uas');
  });

  it('422 to its re-INVITE is answered by one with the longer interval, then passed on', () => {
    inside('INVITE', OFFER);
    phone.deliver(phoneAnswer(phone.take()[0]!, 422, { headers: ['Min-SE: 300'] }));
    const raised = phone.take().find((m) => brief(m).startsWith('INVITE'))!;
    expect(header(raised, 'Session-Expires')).toBe('300;refresher=uac');
    expect(app.takeBriefs()).toEqual([]);
    phone.deliver(phoneAnswer(raised, 422, { headers: ['Min-SE: 600'] }));
    expect(methods(phone.take())).toEqual(['ACK']);
    expect(app.takeBriefs()).toEqual(['422 INVITE']);
  });
});
