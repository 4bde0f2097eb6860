import { beforeEach, describe, expect, it } from 'vitest';
import { fromTag } from '../../../src/sip-server/message/header-values.ts';
import { tagOf } from '../../../src/sip-server/message/name-addr.ts';
import { header, type SipMessage } from '../../../src/sip-server/message/sip-message.ts';
import {
  brief,
  type FakeApp,
  type FakePeer,
  OFFER,
  parsed,
  phoneAnswer,
  phoneRequest,
  SipRig,
} from '../../support/sip-rig.ts';

let rig: SipRig;
let app: FakeApp;
let phone: FakePeer;

function start(sessionSeconds = 0): void {
  rig = new SipRig({ settings: { serverName: '', sessionTimers: { sessionSeconds, minSeconds: 90 } } });
  app = rig.apps[0]!;
  phone = rig.peer();
}
beforeEach(() => start());

const DIALOG = 'call-1;from-tag=phone';
const inside = (method: string, body = '', lines = ''): string =>
  app.command(`sip||${DIALOG}`, `${method} sip:placeholder SIP/2.0\r\n${lines}\r\n${body}`);

/** INVITE, 200, ACK with these headers. @returns our tag and the 200. */
function establish(lines: readonly string[]): { toTag: string; ok: SipMessage } {
  phone.deliver(phoneRequest('INVITE', { body: OFFER, headers: lines }));
  app.answer(app.last, 200, [], OFFER);
  const ok = phone.take().at(-1)!;
  const toTag = tagOf(header(ok, 'To') ?? '') ?? '';
  phone.deliver(phoneRequest('ACK', { toTag }));
  app.take();
  return { toTag, ok };
}

describe('reliable provisional answers, as UAS (RFC 3262)', () => {
  const RELIABLE = ['Require: 100rel'];
  const prack = (toTag: string, rack: string, cseq = 2): void =>
    phone.deliver(phoneRequest('PRACK', { toTag, cseq, headers: [`RAck: ${rack}`] }));

  function ring(body = OFFER): { toTag: string; rseq: string; invite: FakeApp['last'] } {
    phone.deliver(phoneRequest('INVITE', { body: OFFER, headers: ['Supported: 100rel'] }));
    const invite = app.take()[0]!;
    app.answer(invite, 183, RELIABLE, body);
    const progress = phone.take().at(-1)!;
    return { toTag: tagOf(header(progress, 'To') ?? '')!, rseq: header(progress, 'RSeq')!, invite };
  }

  it('are repeated at T1 doubling without a cap until the PRACK, which goes up with a new transaction', () => {
    const { toTag, rseq, invite } = ring();
    expect(Number(rseq)).toBeGreaterThan(0);
    rig.clock.advance(15_500);
    expect(phone.takeBriefs()).toEqual(Array(5).fill('183 INVITE')); // 0.5, 1.5, 3.5, 7.5, 15.5 s
    prack(toTag, `${rseq} 1 INVITE`);
    expect(app.last).toMatchObject({ dialogId: DIALOG });
    expect(app.last.transactionId).not.toBe(invite.transactionId);
    app.answer(app.last, 200);
    rig.clock.advance(20_000);
    expect(phone.takeBriefs()).toEqual(['200 PRACK']);
  });

  it.each(['1 1 INVITE', '%RSEQ% 2 INVITE', '%RSEQ% 1 UPDATE', 'x'])('RAck %s acknowledges nothing: 481', (rack) => {
    const { toTag, rseq } = ring();
    prack(toTag, rack.replace('%RSEQ%', rseq));
    expect(phone.takeBriefs()).toEqual(['481 PRACK']);
    expect(app.ups).toEqual([]);
  });

  it('one at a time, RSeq rising by one, and the 200 waits while a description is open', () => {
    const { toTag, rseq, invite } = ring();
    app.answer(invite, 180, RELIABLE);
    app.answer(invite, 200, [], OFFER);
    expect(phone.takeBriefs()).toEqual([]);
    prack(toTag, `${rseq} 1 INVITE`);
    const next = phone.take();
    expect(next.map(brief)).toEqual(['180 INVITE', '200 INVITE']);
    expect(Number(header(next[0]!, 'RSeq'))).toBe(Number(rseq) + 1);
  });

  it('the 200 does not wait for one without a description', () => {
    const { invite } = ring('');
    app.answer(invite, 200, [], OFFER);
    expect(phone.takeBriefs()).toEqual(['200 INVITE']);
    rig.clock.advance(400);
    expect(phone.takeBriefs()).toEqual([]); // the 183 is not repeated after the final answer
  });

  it('never acknowledged: the INVITE is refused after 64*T1 and the application told', () => {
    ring();
    rig.clock.advance(32_000);
    expect(phone.takeBriefs().at(-1)).toBe('504 INVITE');
    expect(app.takeBriefs()).toEqual(['CANCEL 1']);
  });

  it('a CANCEL while the 200 waits: 487, and the application learns that its call is over', () => {
    phone.deliver(phoneRequest('INVITE', { branch: 'z9hG4bKw', body: OFFER, headers: ['Supported: 100rel'] }));
    const invite = app.take()[0]!;
    app.answer(invite, 183, RELIABLE, OFFER);
    app.answer(invite, 200, [], OFFER);
    phone.take();
    phone.deliver(phoneRequest('CANCEL', { branch: 'z9hG4bKw' }));
    expect(phone.takeBriefs()).toEqual(['200 CANCEL', '487 INVITE']);
    expect(app.last).toMatchObject({ transactionId: 'unsolicited', dialogId: DIALOG });
    expect(rig.core.dialogs.size).toBe(0);
  });

  it('a peer without 100rel: NOK; a peer that requires it gets every 1xx reliably', () => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER }));
    expect(app.answer(app.last, 183, RELIABLE, OFFER)).toEqual({
      ok: false,
      reason: 'Remote endpoint does not support 100rel',
    });
    phone.take();
    phone.deliver(phoneRequest('INVITE', { callId: 'call-2', body: OFFER, headers: ['Require: 100rel'] }));
    app.answer(app.last, 180);
    const ringing = phone.take().at(-1)!;
    expect([header(ringing, 'Require'), header(ringing, 'RSeq')]).toEqual(['100rel', expect.stringMatching(/^\d+$/)]);
  });
});

describe('reliable provisional answers, as UAC', () => {
  it('go up once and in order; PRACK goes into the fork that it acknowledges', async () => {
    app.command('sip||', `INVITE sip:bob@198.51.100.1 SIP/2.0\r\nSupported: 100rel\r\n\r\n${OFFER}`);
    await rig.settle();
    const invite = phone.take()[0]!;
    const id = `${header(invite, 'Call-ID')};from-tag=${fromTag(invite)}`;
    const reliable = (rseq: number, tag: string): void =>
      phone.deliver(phoneAnswer(invite, 183, { tag, headers: ['Require: 100rel', `RSeq: ${rseq}`], body: OFFER }));
    reliable(10, 'one');
    reliable(10, 'one'); // a copy
    reliable(12, 'one'); // out of order
    reliable(500, 'two');
    expect(app.takeBriefs()).toEqual(['183 INVITE', '183 INVITE']);
    const number = header(invite, 'CSeq')?.split(' ')[0];
    app.command(`sip||${id}`, `PRACK sip:bob@198.51.100.1 SIP/2.0\r\nRAck: 10 ${number} INVITE\r\n\r\n`);
    const prack = phone.take()[0]!;
    expect([brief(prack).split(' ')[0], tagOf(header(prack, 'To')!), header(prack, 'RAck')]).toEqual([
      'PRACK',
      'one',
      `10 ${number} INVITE`,
    ]);
    phone.deliver(phoneAnswer(prack, 200));
    expect(app.takeBriefs()[0]).toMatch(/^200/);
  });
});

describe('UPDATE (RFC 3311)', () => {
  it("early, from the caller: carries the INVITE's transaction; its answer is told apart by CSeq only", () => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER }));
    const invite = app.take()[0]!;
    app.answer(invite, 183, [], OFFER);
    const toTag = tagOf(header(phone.take().at(-1)!, 'To') ?? '')!;
    phone.deliver(phoneRequest('UPDATE', { toTag, cseq: 2, body: OFFER }));
    const update = app.take()[0]!;
    expect(update).toMatchObject({ transactionId: invite.transactionId, dialogId: DIALOG });
    phone.deliver(phoneRequest('UPDATE', { toTag, cseq: 3, body: OFFER }));
    expect(phone.takeBriefs()).toEqual(['500 UPDATE']);
    expect(app.answer(update, 200, [], OFFER)).toMatchObject({ ok: true });
    expect(phone.takeBriefs()).toEqual(['200 UPDATE']);
    app.answer(invite, 200, [], OFFER);
    expect(phone.takeBriefs()).toEqual(['200 INVITE']);
  });

  it('early, towards our INVITE: goes up and is answered', async () => {
    app.command('sip||', `INVITE sip:bob@198.51.100.1 SIP/2.0\r\n\r\n${OFFER}`);
    await rig.settle();
    const invite = phone.take()[0]!;
    phone.deliver(phoneAnswer(invite, 183, { tag: 'bob', body: OFFER }));
    const swapped = { callId: header(invite, 'Call-ID')!, fromTag: 'bob', toTag: fromTag(invite) };
    phone.deliver(phoneRequest('UPDATE', { ...swapped, cseq: 1, body: OFFER }));
    expect(app.last.dialogId).toBe(`${swapped.callId};from-tag=${swapped.toTag}`);
    app.answer(app.last, 200, [], OFFER);
    expect(phone.takeBriefs()).toEqual(['200 UPDATE']);
  });

  it('with an offer while ours is open gets 491; without one it is answered', () => {
    const { toTag } = establish([]);
    inside('UPDATE', OFFER);
    phone.take();
    phone.deliver(phoneRequest('UPDATE', { toTag, cseq: 2, body: OFFER }));
    phone.deliver(phoneRequest('UPDATE', { toTag, cseq: 3 }));
    app.answer(app.last, 200);
    expect(phone.takeBriefs()).toEqual(['491 UPDATE', '200 UPDATE']);
  });
});

describe('session timers (RFC 4028)', () => {
  it.each([
    {
      name: 'caller refreshes when it does not say who',
      ask: ['Supported: timer', 'Session-Expires: 300'],
      se: '300;refresher=uac',
      require: 'timer',
    },
    {
      name: 'caller wants us to',
      ask: ['Supported: timer', 'Session-Expires: 300;refresher=uas'],
      se: '300;refresher=uas',
      require: undefined,
    },
    {
      name: 'asked by a proxy for a caller that cannot',
      ask: ['Session-Expires: 300'],
      se: '300;refresher=uas',
      require: undefined,
    },
    { name: 'caller can, and does not ask', ask: ['Supported: timer'], se: '1800;refresher=uac', require: 'timer' },
    {
      name: 'longer than ours is cut',
      ask: ['Supported: timer', 'Session-Expires: 7200'],
      se: '1800;refresher=uac',
      require: 'timer',
    },
    {
      name: 'Min-SE above ours is kept',
      ask: ['Supported: timer', 'Session-Expires: 4000', 'Min-SE: 3600'],
      se: '3600;refresher=uac',
      require: 'timer',
    },
    { name: 'caller knows nothing of it', ask: [], se: undefined, require: undefined },
  ])('$name', ({ ask, se, require }) => {
    start(1_800);
    const { ok } = establish(ask);
    expect([header(ok, 'Session-Expires'), header(ok, 'Require')]).toEqual([se, require]);
  });

  it.each(['INVITE', 'UPDATE'])(
    'an %s asking for less than 90 s gets 422 with Min-SE, unseen by the application',
    (method) => {
      const { toTag } = establish([]);
      phone.deliver(phoneRequest(method, { toTag, cseq: 2, headers: ['Supported: timer', 'Session-Expires: 60'] }));
      const refusal = phone.take()[0]!;
      expect([brief(refusal), header(refusal, 'Min-SE')]).toEqual([`422 ${method}`, '90']);
      expect(app.ups).toEqual([]);
    },
  );

  it('the caller refreshes: its UPDATE renews, its silence ends the call before the interval does', () => {
    start(90);
    const { toTag } = establish(['Supported: timer', 'Session-Expires: 90;refresher=uac']);
    rig.clock.advance(45_000);
    phone.deliver(
      phoneRequest('UPDATE', { toTag, cseq: 2, headers: ['Supported: timer', 'Session-Expires: 90;refresher=uac'] }),
    );
    app.answer(app.take()[0]!, 200);
    expect(header(phone.take()[0]!, 'Session-Expires')).toBe('90;refresher=uac');
    rig.clock.advance(59_999); // 90 s less a third
    expect(phone.takeBriefs()).toEqual([]);
    rig.clock.advance(1);
    expect(phone.takeBriefs()[0]).toMatch(/^BYE/);
    expect(app.last.text).toContain('text="Session timer expired"');
  });

  it.each([
    { name: 'UPDATE where the peer allows it', allow: ['Allow: INVITE, UPDATE'], method: 'UPDATE' },
    { name: 're-INVITE with the last description', allow: [], method: 'INVITE' },
  ])('we refresh at half the interval by $name, and tell the application nothing', ({ allow, method }) => {
    start(90);
    establish(['Supported: timer', 'Session-Expires: 90;refresher=uas', ...allow]);
    for (const round of [1, 2, 3]) {
      rig.clock.advance(45_000);
      const refresh = phone.take()[0]!;
      expect([round, brief(refresh).split(' ')[0], header(refresh, 'Session-Expires')]).toEqual([
        round,
        method,
        '90;refresher=uac',
      ]);
      expect(refresh.body.toString()).toBe(method === 'INVITE' ? OFFER : '');
      phone.deliver(
        phoneAnswer(refresh, 200, {
          headers: ['Session-Expires: 90;refresher=uac'],
          body: method === 'INVITE' ? OFFER : '',
        }),
      );
      expect(phone.takeBriefs().map((text) => text.split(' ')[0])).toEqual(method === 'INVITE' ? ['ACK'] : []);
    }
    expect(app.ups).toEqual([]);
  });

  it.each([
    { name: '491 is tried again', status: 491, again: true, ended: false },
    { name: '422 is tried again with the longer interval', status: 422, again: true, ended: false },
    { name: '481 ends the call', status: 481, again: false, ended: true },
  ])('a refresh answered $name', ({ status, again, ended }) => {
    start(90);
    establish(['Supported: timer', 'Session-Expires: 90;refresher=uas', 'Allow: UPDATE']);
    rig.clock.advance(45_000);
    phone.deliver(phoneAnswer(phone.take()[0]!, status, { headers: status === 422 ? ['Min-SE: 200'] : [] }));
    rig.clock.advance(4_000);
    const sent = phone.take();
    expect(sent.some((m) => brief(m).startsWith('UPDATE'))).toBe(again);
    expect(sent.some((m) => brief(m).startsWith('BYE'))).toBe(ended);
    if (status === 422) expect(header(sent[0]!, 'Session-Expires')).toBe('200;refresher=uac');
  });

  it('as UAC: asks, follows the answer, and repeats after 422 with a higher CSeq', async () => {
    start(1_800);
    app.command('sip||', `INVITE sip:bob@198.51.100.1 SIP/2.0\r\n\r\n${OFFER}`);
    await rig.settle();
    const first = phone.take()[0]!;
    expect([header(first, 'Session-Expires'), header(first, 'Supported')]).toEqual(['1800', 'timer']);
    phone.deliver(phoneAnswer(first, 422, { headers: ['Min-SE: 2400'] }));
    const [hopAck, second] = phone.take();
    expect(brief(hopAck!)).toMatch(/^ACK/);
    expect(header(second!, 'Session-Expires')).toBe('2400');
    expect(Number(header(second!, 'CSeq')?.split(' ')[0])).toBe(Number(header(first, 'CSeq')?.split(' ')[0]) + 1);
    expect(app.ups).toEqual([]);
    phone.deliver(
      phoneAnswer(second!, 200, {
        headers: ['Require: timer', 'Session-Expires: 2400;refresher=uac', 'Allow: UPDATE'],
        body: OFFER,
      }),
    );
    app.command(`sip||${app.last.dialogId}`, 'ACK sip:bob@198.51.100.1 SIP/2.0\r\n\r\n');
    phone.take();
    rig.clock.advance(1_200_000);
    expect(phone.takeBriefs()[0]).toMatch(/^UPDATE/);
  });
});

describe('subscriptions (RFC 6665)', () => {
  it('a SUBSCRIBE answered 2xx makes a dialog; the last NOTIFY ends it', () => {
    phone.deliver(phoneRequest('SUBSCRIBE', { headers: ['Event: presence'] }));
    const reply = app.answer(app.take()[0]!, 202);
    expect(reply).toMatchObject({ ok: true, dialogId: DIALOG });
    expect(header(parsed(reply?.ok ? reply.text : ''), 'Contact')).toBe('<sip:192.0.2.1:5060>');
    phone.take();
    inside('NOTIFY', '', 'Event: presence\r\nSubscription-State: active\r\n');
    phone.deliver(phoneAnswer(phone.take()[0]!, 200));
    expect(rig.core.dialogs.size).toBe(1);
    inside('NOTIFY', '', 'Event: presence\r\nSubscription-State: terminated;reason=timeout\r\n');
    phone.deliver(phoneAnswer(phone.take()[0]!, 200));
    expect(rig.core.dialogs.size).toBe(0);
  });
});
