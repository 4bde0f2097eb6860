import { beforeEach, describe, expect, it } from 'vitest';
import { tagOf } from '../../../src/sip-server/message/name-addr.ts';
import { header, headers } from '../../../src/sip-server/message/sip-message.ts';
import {
  brief,
  type FakeApp,
  type FakePeer,
  LIMITS,
  OFFER,
  parsed,
  phoneRequest,
  SipRig,
} from '../../support/sip-rig.ts';

let rig: SipRig;
let app: FakeApp;
let phone: FakePeer;

beforeEach(() => {
  rig = new SipRig();
  app = rig.apps[0]!;
  phone = rig.peer();
});

/** INVITE, 200, ACK. @returns our tag. */
function establish(parts: Parameters<typeof phoneRequest>[1] = {}): string {
  phone.deliver(phoneRequest('INVITE', { body: OFFER, ...parts }));
  app.answer(app.last, 200, [], OFFER);
  const ok = phone.take().at(-1)!;
  const toTag = tagOf(header(ok, 'To') ?? '') ?? '';
  phone.deliver(phoneRequest('ACK', { toTag }));
  app.take();
  return toTag;
}

describe('an incoming call', () => {
  it('gets 100 at once, then what the application answers, completed', () => {
    phone.deliver(
      phoneRequest('INVITE', { body: OFFER, headers: ['Record-Route: <sip:p1;lr>', 'Record-Route: <sip:p2;lr>'] }),
    );
    expect(phone.takeBriefs()).toEqual(['100 INVITE']);
    expect(app.last).toMatchObject({
      source: 'network',
      transport: 'udp',
      address: '198.51.100.1',
      port: 5060,
      dialogId: '',
    });
    expect(app.last.local).toEqual({ address: '192.0.2.1', port: 5060 });

    const reply = app.answer(app.last, 200, ['contact: <sip:agent@localhost>', 'via: x', 'X-Color: green'], OFFER);
    const ok = phone.take()[0]!;
    expect(brief(ok)).toBe('200 INVITE');
    expect(header(ok, 'Contact')).toBe('<sip:agent@192.0.2.1:5060>');
    expect(headers(ok, 'Record-Route')).toEqual(['<sip:p1;lr>', '<sip:p2;lr>']);
    expect(headers(ok, 'Via')).toHaveLength(1);
    expect(header(ok, 'X-Color')).toBe('green');
    expect(header(ok, 'Content-Type')).toBe('application/sdp');
    expect(header(ok, 'Server')).toBeUndefined();
    expect(tagOf(header(ok, 'To') ?? '')).toMatch(/^[0-9a-f]{16}$/);
    expect(reply).toMatchObject({ ok: true, kind: 'response', dialogId: 'call-1;from-tag=phone' });
    expect(reply?.ok && parsed(reply.text)).toEqual(ok);
  });

  it('lets the application choose the To tag', () => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER }));
    app.answer(app.last, 180, ['to: <sip:1000@192.0.2.1>;tag=chosen']);
    app.answer(app.last, 200, [], OFFER);
    expect(
      phone
        .take()
        .slice(1)
        .map((m) => tagOf(header(m, 'To') ?? '')),
    ).toEqual(['chosen', 'chosen']);
  });

  it('repeats the last answer for copies of the INVITE, and goes up once', () => {
    const invite = phoneRequest('INVITE', { body: OFFER });
    phone.deliver(invite);
    phone.deliver(invite);
    app.answer(app.last, 180);
    phone.deliver(invite);
    expect(phone.takeBriefs()).toEqual(['100 INVITE', '100 INVITE', '180 INVITE', '180 INVITE']);
    expect(app.takeBriefs()).toEqual(['INVITE 1']);
  });

  it('repeats the 200 at T1 doubling to T2 on TCP too, then BYE and an unsolicited BYE (RFC 3261 §13.3.1.4)', () => {
    const tcp = rig.peer('198.51.100.1', 33_000, 'tcp');
    tcp.deliver(phoneRequest('INVITE', { body: OFFER, via: 'SIP/2.0/TCP 198.51.100.1;branch=z9hG4bKtcp' }));
    app.answer(app.take()[0]!, 200, [], OFFER);
    tcp.take();
    const at: number[] = [];
    for (let ms = 0; ms < 32_000; ms += 100) {
      rig.clock.advance(100);
      for (const message of tcp.take())
        if (brief(message) === '200 INVITE') at.push(rig.clock.nowMs());
        else expect([brief(message).slice(0, 3), rig.clock.nowMs()]).toEqual(['BYE', 32_000]);
    }
    expect(at).toEqual([500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500]);
    const bye = app.last;
    expect(bye).toMatchObject({
      source: 'application',
      transactionId: 'unsolicited',
      dialogId: 'call-1;from-tag=phone',
    });
    expect(header(parsed(bye.text), 'Reason')).toBe('SIP;cause=200;text="ACK timeout"');
  });

  it("passes the ACK up once, with the INVITE's transaction id", () => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER }));
    const invite = app.take()[0]!;
    app.answer(invite, 200, [], OFFER);
    const toTag = tagOf(header(phone.take()[1]!, 'To') ?? '')!;
    phone.deliver(phoneRequest('ACK', { toTag }));
    phone.deliver(phoneRequest('ACK', { toTag }));
    expect(app.ups.map((frame) => [frame.transactionId, frame.dialogId])).toEqual([
      [invite.transactionId, 'call-1;from-tag=phone'],
    ]);
    rig.clock.advance(40_000);
    expect(phone.takeBriefs()).toEqual([]);
  });

  it('absorbs the ACK of a refusal, and answers a second final NOK', () => {
    phone.deliver(phoneRequest('INVITE', { branch: 'z9hG4bKa', body: OFFER }));
    const invite = app.take()[0]!;
    app.answer(invite, 486);
    const toTag = tagOf(header(phone.take()[1]!, 'To') ?? '')!;
    phone.deliver(phoneRequest('ACK', { branch: 'z9hG4bKa', toTag }));
    rig.clock.advance(10_000);
    expect(phone.takeBriefs()).toEqual([]);
    expect(app.takeBriefs()).toEqual([]);
    expect(app.answer(invite, 200, [], OFFER)).toEqual({
      ok: false,
      reason: 'Response not sent due to unknown transaction',
    });
  });

  it.each([
    { name: 'says nothing', rings: false, afterMs: 55_000, status: '500 INVITE' },
    { name: 'rings for ever', rings: true, afterMs: 300_000, status: '480 INVITE' },
  ])('is refused when the application $name', ({ rings, afterMs, status }) => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER }));
    if (rings) app.answer(app.last, 180);
    rig.clock.advance(afterMs - 1);
    phone.take();
    app.take();
    rig.clock.advance(1);
    expect(phone.takeBriefs()).toEqual([status]);
    expect(app.takeBriefs()).toEqual(['CANCEL 1']);
  });

  it.each([
    { name: 'no Contact', parts: { contact: '' }, status: 400 },
    { name: 'a required extension we lack', parts: { headers: ['Require: sec-agree'] }, status: 420 },
    {
      name: 'a session interval under 90 s',
      parts: { headers: ['Supported: timer', 'Session-Expires: 60'] },
      status: 422,
    },
  ])('is refused for $name without asking the application', ({ parts, status }) => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER, ...parts }));
    expect(phone.takeBriefs()).toEqual([`${status} INVITE`]);
    expect(app.ups).toEqual([]);
  });

  it('merged by two ways is answered 482 (§8.2.2.2)', () => {
    phone.deliver(phoneRequest('INVITE', { branch: 'z9hG4bK-way-1', body: OFFER }));
    phone.deliver(phoneRequest('INVITE', { branch: 'z9hG4bK-way-2', body: OFFER }));
    expect(phone.takeBriefs()).toEqual(['100 INVITE', '482 INVITE']);
    expect(app.takeBriefs()).toEqual(['INVITE 1']);
  });

  it('gets 503 when no application is there, and 503 + Retry-After while draining', () => {
    rig.apps.length = 0;
    phone.deliver(phoneRequest('INVITE', { callId: 'a' }));
    rig.app();
    rig.core.agent.draining = true;
    phone.deliver(phoneRequest('INVITE', { callId: 'b' }));
    const [first, second] = phone.take();
    expect([brief(first!), header(first!, 'Retry-After')]).toEqual(['503 INVITE', undefined]);
    expect([brief(second!), header(second!, 'Retry-After')]).toEqual(['503 INVITE', '7']);
  });
});

describe('CANCEL from the caller', () => {
  it.each([
    { name: 'before any answer', ring: false, dialogId: '' },
    { name: 'after 180', ring: true, dialogId: 'call-1;from-tag=phone' },
  ])("$name: 200 and 487 with one To tag, told with the INVITE's transaction", ({ ring, dialogId }) => {
    phone.deliver(phoneRequest('INVITE', { branch: 'z9hG4bKc', body: OFFER }));
    const invite = app.take()[0]!;
    if (ring) app.answer(invite, 180);
    phone.take();
    phone.deliver(phoneRequest('CANCEL', { branch: 'z9hG4bKc' }));
    const [ok, refusal] = phone.take();
    expect([brief(ok!), brief(refusal!)]).toEqual(['200 CANCEL', '487 INVITE']);
    expect(tagOf(header(ok!, 'To') ?? '')).toBe(tagOf(header(refusal!, 'To') ?? ''));
    expect(app.last).toMatchObject({ transactionId: invite.transactionId, dialogId, source: 'network' });
    expect(app.answer(invite, 487)).toMatchObject({ ok: false });
    expect(rig.core.dialogs.size).toBe(0);
  });

  it('that matches nothing gets 481, the application hears nothing', () => {
    phone.deliver(phoneRequest('CANCEL', { branch: 'z9hG4bKx' }));
    expect(phone.takeBriefs()).toEqual(['481 CANCEL']);
    expect(app.ups).toEqual([]);
  });

  it.each([
    { name: '200', status: 200, body: OFFER },
    { name: 'refusal', status: 486, body: '' },
  ])('after our $name: 200 with its To tag and no effect at all (§9.2)', ({ status, body }) => {
    phone.deliver(phoneRequest('INVITE', { branch: 'z9hG4bKr', body: OFFER }));
    app.answer(app.take()[0]!, status, [], body);
    const toTag = tagOf(header(phone.take()[1]!, 'To') ?? '')!;
    phone.deliver(phoneRequest('CANCEL', { branch: 'z9hG4bKr' }));
    const [ok, ...rest] = phone.take();
    expect([brief(ok!), tagOf(header(ok!, 'To') ?? ''), rest, app.take()]).toEqual(['200 CANCEL', toTag, [], []]);
    phone.deliver(phoneRequest('ACK', { toTag, ...(status === 200 ? {} : { branch: 'z9hG4bKr' }) }));
    rig.clock.advance(40_000);
    expect(phone.takeBriefs()).toEqual([]);
    expect(app.takeBriefs()).toEqual(status === 200 ? ['ACK 1'] : []);
    expect(rig.core.dialogs.size).toBe(status === 200 ? 1 : 0);
  });
});

describe('inside a dialog', () => {
  it('a BYE goes up with a new transaction and ends the dialog at once', () => {
    const toTag = establish();
    phone.deliver(phoneRequest('BYE', { toTag, cseq: 2 }));
    expect(rig.core.dialogs.size).toBe(0);
    expect(app.answer(app.last, 200)).toMatchObject({ ok: true, dialogId: '' });
    expect(phone.takeBriefs()).toEqual(['200 BYE']);
  });

  it('a BYE that the application ignores is answered 200 all the same', () => {
    const toTag = establish();
    phone.deliver(phoneRequest('BYE', { toTag, cseq: 2 }));
    rig.clock.advance(4_000);
    expect(phone.takeBriefs()).toEqual(['200 BYE']);
  });

  it.each(['BYE', 'UPDATE', 'INFO', 'INVITE', 'REFER', 'OPTIONS'])('%s with tags nobody knows gets 481', (method) => {
    establish();
    phone.deliver(phoneRequest(method, { toTag: 'guessed', cseq: 2 }));
    expect(phone.takeBriefs().at(-1)).toBe(`481 ${method}`);
    expect(app.ups).toEqual([]);
    expect(rig.core.dialogs.size).toBe(1);
  });

  it('a lower CSeq gets 500 (§12.2.2)', () => {
    const toTag = establish({ cseq: 1 });
    phone.deliver(phoneRequest('INFO', { toTag, cseq: 9 }));
    phone.deliver(phoneRequest('INFO', { toTag, cseq: 8 }));
    expect(phone.takeBriefs()).toEqual(['500 INFO']);
  });

  it('a second INVITE before the first is answered gets 500 with Retry-After 0 to 10 (§14.2)', () => {
    const toTag = establish();
    phone.deliver(phoneRequest('INVITE', { toTag, cseq: 2, body: OFFER }));
    phone.take();
    phone.deliver(phoneRequest('INVITE', { toTag, cseq: 3, body: OFFER }));
    const refusal = phone.take()[0]!;
    expect(brief(refusal)).toBe('500 INVITE');
    expect(Number(header(refusal, 'Retry-After'))).toBeGreaterThanOrEqual(0);
    expect(Number(header(refusal, 'Retry-After'))).toBeLessThanOrEqual(10);
  });

  it('an INVITE while ours is pending gets 491, and ours is not disturbed', () => {
    const toTag = establish();
    app.command('sip||call-1;from-tag=phone', `INVITE sip:placeholder SIP/2.0\r\n\r\n${OFFER}`);
    expect(phone.takeBriefs()[0]).toMatch(/^INVITE/);
    phone.deliver(phoneRequest('INVITE', { toTag, cseq: 2, body: OFFER }));
    expect(phone.takeBriefs()).toEqual(['491 INVITE']);
    expect(app.takeBriefs()).toEqual([]);
  });

  it('a BYE while the re-INVITE waits for the application ends that with 487; its late 200 gets NOK', () => {
    const toTag = establish();
    phone.deliver(phoneRequest('INVITE', { toTag, cseq: 2, body: OFFER }));
    const reinvite = app.take()[0]!;
    phone.take();
    phone.deliver(phoneRequest('BYE', { toTag, cseq: 3 }));
    expect(phone.takeBriefs()).toEqual(['487 INVITE']);
    expect(app.answer(reinvite, 200, [], OFFER)).toMatchObject({ ok: false });
    app.answer(app.take().at(-1)!, 200);
    expect(phone.takeBriefs()).toEqual(['200 BYE']);
  });

  it('a re-INVITE moves the target: our BYE goes to the new Contact with the route set', () => {
    const toTag = establish({ headers: ['Record-Route: <sip:198.51.100.1:5060;lr>'] });
    const contact = '<sip:elsewhere@203.0.113.5:5062>';
    phone.deliver(phoneRequest('INVITE', { toTag, cseq: 2, body: OFFER, contact }));
    app.answer(app.take()[0]!, 200, [], OFFER);
    phone.deliver(phoneRequest('ACK', { toTag, cseq: 2 }));
    phone.take();
    app.command('sip||call-1;from-tag=phone', 'BYE sip:placeholder SIP/2.0\r\n\r\n');
    const bye = phone.take()[0]!;
    expect(bye).toMatchObject({ method: 'BYE', uri: 'sip:elsewhere@203.0.113.5:5062' });
    expect(headers(bye, 'Route')).toEqual(['<sip:198.51.100.1:5060;lr>']);
    expect([tagOf(header(bye, 'From')!), tagOf(header(bye, 'To')!)]).toEqual([toTag, 'phone']);
  });

  it('a request for a dialog just removed is answered NOK with "unable to find dialog"', () => {
    const toTag = establish();
    phone.deliver(phoneRequest('BYE', { toTag, cseq: 2 }));
    const id = app.command('sip||call-1;from-tag=phone', 'INFO sip:placeholder SIP/2.0\r\n\r\n');
    expect(app.replies.get(id)).toMatchObject({ ok: false, reason: expect.stringMatching(/unable to find dialog/) });
  });

  it('our BYE between the 200 and the ACK is held back, confirmed once sent', () => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER }));
    app.answer(app.last, 200, [], OFFER);
    const toTag = tagOf(header(phone.take()[1]!, 'To') ?? '')!;
    const id = app.command('sip||call-1;from-tag=phone', 'BYE sip:placeholder SIP/2.0\r\n\r\n');
    expect(phone.takeBriefs()).toEqual([]);
    phone.deliver(phoneRequest('ACK', { toTag }));
    expect(phone.takeBriefs()[0]).toMatch(/^BYE/);
    expect(app.replies.get(id)).toMatchObject({ ok: true });
  });
});

describe('an application that goes away', () => {
  it('has its waiting INVITEs refused and its calls hung up; a crossing BYE gets 200', () => {
    const toTag = establish();
    phone.deliver(phoneRequest('INVITE', { callId: 'call-2', body: OFFER }));
    phone.take();
    app.open = false;
    rig.core.agent.onAppLost(app);
    const sent = phone.takeBriefs();
    expect(sent[0]).toBe('503 INVITE');
    expect(sent[1]).toMatch(/^BYE/);
    phone.deliver(phoneRequest('BYE', { toTag, cseq: 2 }));
    expect(phone.takeBriefs()).toEqual(['200 BYE']);
    expect(rig.core.dialogs.size).toBe(0);
  });
});

describe('requests outside dialogs', () => {
  it('OPTIONS goes up and its 200 says what we can', () => {
    phone.deliver(phoneRequest('OPTIONS'));
    app.answer(app.last, 200);
    const ok = phone.take()[0]!;
    expect(header(ok, 'Allow')).toBe('INVITE');
    expect(header(ok, 'Accept')).toBe('application/sdp');
    expect(headers(ok, 'Supported')).toContain('timer');
  });
  it('never answered by the application: 500 before the client gives up, never 408 (RFC 4320)', () => {
    phone.deliver(phoneRequest('MESSAGE', { body: 'hi', type: 'text/plain' }));
    rig.clock.advance(31_000);
    expect(phone.takeBriefs()).toEqual(['500 MESSAGE']);
  });
  it('a full transaction table gives up answered ones first, then refuses without state', () => {
    for (let i = 0; i < 100; i += 1) phone.deliver(phoneRequest('OPTIONS', { callId: `o${i}` }));
    app.answer(app.ups[0]!, 200);
    phone.take();
    phone.deliver(phoneRequest('INVITE', { callId: 'fits', body: OFFER }));
    phone.deliver(phoneRequest('INVITE', { callId: 'does-not', body: OFFER }));
    expect(phone.takeBriefs().sort()).toEqual(['100 INVITE', '503 INVITE']);
    expect(rig.core.layer.counters).toMatchObject({ evicted: 1, overflow: 1 });
  });
  it('requests that the application has not answered take no call its place', () => {
    rig = new SipRig({ limits: { ...LIMITS, callsMax: 3 } });
    app = rig.apps[0]!;
    phone = rig.peer();
    for (let i = 0; i < 5; i += 1) phone.deliver(phoneRequest('OPTIONS', { callId: `o${i}` }));
    const invite = (callId: string) => phone.deliver(phoneRequest('INVITE', { callId, body: OFFER }));
    invite('first');
    app.answer(app.last, 180); // a dialog and a transaction, and one call
    for (const callId of ['second', 'third', 'fourth']) invite(callId);
    expect(phone.takeBriefs()).toEqual(['100 INVITE', '180 INVITE', '100 INVITE', '100 INVITE', '503 INVITE']);
  });
  it('a flood of INVITEs that are refused and never acknowledged takes the place of no other request', () => {
    for (let i = 0; i < 150; i += 1) {
      phone.deliver(phoneRequest('INVITE', { callId: `flood${i}`, body: OFFER }));
      app.answer(app.last, 403);
    }
    phone.take();
    phone.deliver(phoneRequest('OPTIONS'));
    app.answer(app.last, 200);
    expect(phone.takeBriefs()).toEqual(['200 OPTIONS']);
    expect(rig.core.layer.counters).toMatchObject({ evicted: 51, overflow: 0 });
    expect(rig.core.layer.size.server).toBe(100);
  });
});
