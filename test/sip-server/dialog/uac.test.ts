import { beforeEach, describe, expect, it } from 'vitest';
import { fromTag, topVia } from '../../../src/sip-server/message/header-values.ts';
import { header, headers, type SipMessage } from '../../../src/sip-server/message/sip-message.ts';
import { brief, type FakeApp, type FakePeer, OFFER, parsed, phoneAnswer, SipRig } from '../../support/sip-rig.ts';

let rig: SipRig;
let app: FakeApp;
let callee: FakePeer;

beforeEach(() => {
  rig = new SipRig();
  app = rig.apps[0]!;
  callee = rig.peer();
});

const INVITE = `INVITE sip:bob@198.51.100.1 SIP/2.0\r\nfrom: sip:1000@localhost\r\ncontact: sip:1000@localhost\r\n\r\n${OFFER}`;

/** Sends a request outside dialogs. @returns it as the callee got it, and the transaction id. */
async function send(
  text = INVITE,
  head = 'sip||',
): Promise<{ request: SipMessage; transactionId: string; dialogId: string }> {
  const id = app.command(head, text);
  await rig.settle();
  const reply = app.replies.get(id);
  if (!reply?.ok) throw new Error(JSON.stringify(reply));
  const request = callee.take()[0] ?? parsed(reply.text);
  const dialogId = `${header(request, 'Call-ID')};from-tag=${fromTag(request)}`;
  return { request, transactionId: reply.transactionId, dialogId };
}
const ack = (dialogId: string, body = ''): string =>
  app.command(`sip||${dialogId}`, `ACK sip:bob@198.51.100.1 SIP/2.0\r\n\r\n${body}`);

describe('an outgoing call', () => {
  it('is completed by the server and echoed to the application before any answer', async () => {
    const { request, transactionId, dialogId } = await send();
    expect(request).toMatchObject({ kind: 'request', method: 'INVITE', uri: 'sip:bob@198.51.100.1' });
    expect(header(request, 'From')).toMatch(/^<sip:1000@192\.0\.2\.1:5060>;tag=[0-9a-f]+$/);
    expect(header(request, 'To')).toBe('<sip:bob@198.51.100.1>');
    expect(header(request, 'Contact')).toBe('<sip:1000@192.0.2.1:5060>');
    expect(header(request, 'Content-Type')).toBe('application/sdp');
    expect(topVia(request)).toMatchObject({ transport: 'UDP', host: '192.0.2.1', port: 5060, rport: 'asked' });
    expect(header(request, 'Max-Forwards')).toBe('70');
    callee.deliver(phoneAnswer(request, 100));
    callee.deliver(phoneAnswer(request, 180));
    callee.deliver(phoneAnswer(request, 200, { body: OFFER }));
    expect(app.order).toEqual([`reply ${brief(request)}`, 'up 100 INVITE', 'up 180 INVITE', 'up 200 INVITE']);
    expect(app.ups.map((frame) => [frame.transactionId, frame.dialogId])).toEqual([
      [transactionId, dialogId],
      [transactionId, dialogId],
      [transactionId, dialogId],
    ]);
  });

  it('keeps Call-ID, From tag, CSeq, Route and credentials that the application sets, and discards its Via', async () => {
    const { request } = await send(
      'INVITE sip:bob@198.51.100.1 SIP/2.0\r\nFrom: <sip:a@localhost>;tag=mine\r\nCall-ID: my-call\r\nCSeq: 7 INVITE\r\n' +
        'Proxy-Authorization: Digest username="a"\r\nVia: SIP/2.0/UDP evil\r\nRoute: <sip:one;lr>, <sip:two;lr>\r\nRSeq: 4\r\n\r\n',
    );
    expect([header(request, 'Call-ID'), fromTag(request), header(request, 'CSeq')]).toEqual([
      'my-call',
      'mine',
      '7 INVITE',
    ]);
    expect(header(request, 'Proxy-Authorization')).toBe('Digest username="a"');
    expect([headers(request, 'Via').length, headers(request, 'Route'), header(request, 'RSeq')]).toEqual([
      1,
      ['<sip:one;lr>', '<sip:two;lr>'],
      undefined,
    ]);
  });

  it('goes to the next hop with the Request-URI unchanged and no Route', async () => {
    const trunk = rig.peer('203.0.113.7', 5080);
    app.command('sip|||sip:203.0.113.7:5080;lr', INVITE);
    await rig.settle();
    const request = trunk.take()[0]!;
    expect(request).toMatchObject({ uri: 'sip:bob@198.51.100.1' });
    expect(header(request, 'Route')).toBeUndefined();
  });

  it('is acknowledged by the application through the route set; the ACK is repeated for each copy of the 200', async () => {
    const { request, dialogId } = await send(INVITE.replace('\r\n\r\n', '\r\nAuthorization: Digest x\r\n\r\n'));
    const ok = phoneAnswer(request, 200, {
      headers: ['Record-Route: <sip:198.51.100.1;lr>', 'Record-Route: <sip:far.example;lr>'],
      contact: '<sip:bob@203.0.113.20:5070>',
      body: OFFER,
    });
    callee.deliver(ok);
    callee.deliver(ok); // before the application's ACK: absorbed
    expect(app.takeBriefs()).toEqual(['200 INVITE']);
    const far = rig.peer('far.example');
    const id = ack(dialogId);
    await rig.settle();
    const sent = far.take()[0]!;
    expect(sent).toMatchObject({ method: 'ACK', uri: 'sip:bob@203.0.113.20:5070' });
    expect(headers(sent, 'Route')).toEqual(['<sip:far.example;lr>', '<sip:198.51.100.1;lr>']);
    expect(header(sent, 'CSeq')?.split(' ')[0]).toBe(header(request, 'CSeq')?.split(' ')[0]);
    expect(header(sent, 'Authorization')).toBe('Digest x');
    expect(topVia(sent)?.branch).not.toBe(topVia(request)?.branch);
    expect(app.replies.get(id)).toMatchObject({ ok: true, kind: 'request' });
    callee.deliver(ok);
    callee.deliver(ok);
    expect(far.take()).toEqual([sent, sent]);
    expect(app.takeBriefs()).toEqual([]);
  });

  it("carries a late offer's answer in the ACK", async () => {
    const { request, dialogId } = await send('INVITE sip:bob@198.51.100.1 SIP/2.0\r\n\r\n');
    callee.deliver(phoneAnswer(request, 200, { body: OFFER }));
    ack(dialogId, OFFER);
    const sent = callee.take()[0]!;
    expect([sent.body.toString(), header(sent, 'Content-Type')]).toEqual([OFFER, 'application/sdp']);
  });

  it("refused: ACK by the server on the same branch, the application's own ACK gets NOK", async () => {
    const { request, dialogId } = await send();
    callee.deliver(phoneAnswer(request, 486));
    const sent = callee.take()[0]!;
    expect([brief(sent).split(' ')[0], topVia(sent)?.branch]).toEqual(['ACK', topVia(request)?.branch]);
    expect(app.last).toMatchObject({ dialogId });
    expect(app.replies.get(ack(dialogId))).toMatchObject({ ok: false });
    expect(rig.core.dialogs.size).toBe(0);
  });

  it('every fork that answers is acknowledged with its own tag, the extras hung up, only the first goes up (§13.2.2.4)', async () => {
    const { request, dialogId } = await send();
    callee.deliver(phoneAnswer(request, 180, { tag: 'one' }));
    callee.deliver(phoneAnswer(request, 200, { tag: 'two', body: OFFER }));
    callee.deliver(phoneAnswer(request, 200, { tag: 'one', body: OFFER }));
    ack(dialogId);
    const sent = callee.take();
    expect(sent.map((m) => [brief(m).split(' ')[0], /tag=(\w+)/.exec(header(m, 'To')!)?.[1]])).toEqual([
      ['ACK', 'one'],
      ['BYE', 'one'],
      ['ACK', 'two'],
    ]);
    expect(app.takeBriefs()).toEqual(['180 INVITE', '200 INVITE']);
    callee.deliver(phoneAnswer(sent[1]!, 200));
    expect(rig.core.dialogs.size).toBe(1);
  });

  it('answered 200 without Contact goes up, is acknowledged and released', async () => {
    const { request, dialogId } = await send();
    callee.deliver(phoneAnswer(request, 200, { contact: '', body: OFFER }));
    ack(dialogId);
    expect(callee.takeBriefs().map((text) => text.split(' ')[0])).toEqual(['ACK', 'BYE']);
    expect(app.takeBriefs()).toEqual(['200 INVITE']);
  });

  it('that the application never acknowledges is acknowledged and hung up after 64*T1', async () => {
    const { request } = await send();
    callee.deliver(phoneAnswer(request, 200, { body: OFFER }));
    rig.clock.advance(32_000);
    expect(callee.takeBriefs().map((text) => text.split(' ')[0])).toEqual(['ACK', 'BYE']);
    expect(app.last.transactionId).toBe('unsolicited');
  });

  it.each([
    { name: 'silence', act: () => rig.clock.advance(32_000), status: '408 INVITE' },
    { name: 'a closed port', act: () => rig.core.layer.flowFailed(callee, 'ECONNREFUSED'), status: '503 INVITE' },
  ])('ends with a made-up answer after $name', async ({ act, status }) => {
    const { dialogId } = await send();
    act();
    expect(app.take().map((f) => [brief(parsed(f.text)), f.source, f.bytes, f.address, f.port, f.dialogId])).toEqual([
      [status, 'network', 0, '', 0, dialogId],
    ]);
  });

  it('falls over to the next address on 503 and on silence, with a new branch', async () => {
    const second = rig.peer('198.51.100.2');
    const first = await send('INVITE sip:two.example SIP/2.0\r\n\r\n');
    callee.deliver(phoneAnswer(first.request, 503));
    await rig.settle();
    const again = second.take()[0]!;
    expect(topVia(again)?.branch).not.toBe(topVia(first.request)?.branch);
    expect([header(again, 'Call-ID'), header(again, 'CSeq')]).toEqual([
      header(first.request, 'Call-ID'),
      header(first.request, 'CSeq'),
    ]);
    second.deliver(phoneAnswer(again, 200, { body: OFFER }));
    expect(app.takeBriefs()).toEqual(['200 INVITE']);
  });

  it.each([
    {
      name: 'no address',
      text: 'INVITE sip:nowhere.example SIP/2.0\r\n\r\n',
      reason: 'requested protocol/transport not available',
    },
    {
      name: 'our own address',
      text: 'INVITE sip:192.0.2.1:5060 SIP/2.0\r\n\r\n',
      reason: 'can not send request to myself',
    },
    {
      name: 'a body of unknown type',
      text: 'MESSAGE sip:a@198.51.100.1 SIP/2.0\r\n\r\nhello',
      reason: 'missing content-type',
    },
  ])('gets NOK for $name', async ({ text, reason }) => {
    const id = app.command('sip||', text);
    await rig.settle();
    expect(app.replies.get(id)).toEqual({ ok: false, reason });
  });

  it('sends at most one challenge of a kind up', async () => {
    const { request } = await send();
    callee.deliver(
      phoneAnswer(request, 401, {
        headers: ['WWW-Authenticate: Digest realm="a"', 'WWW-Authenticate: Digest realm="b"'],
      }),
    );
    expect(headers(parsed(app.last.text), 'WWW-Authenticate')).toEqual(['Digest realm="a"']);
  });
});

describe('CANCEL by the application', () => {
  const cancel = (transactionId: string): string =>
    app.command(`sip|${transactionId}|`, 'CANCEL sip:bob@198.51.100.1 SIP/2.0\r\nReason: Q.850;cause=16\r\n\r\n');

  it('is held until a provisional came, keeps branch and CSeq, and the 487 goes up', async () => {
    const { request, transactionId } = await send();
    const id = cancel(transactionId);
    expect(app.replies.get(id)).toMatchObject({ ok: true, kind: 'request' });
    expect(callee.takeBriefs()).toEqual([]);
    callee.deliver(phoneAnswer(request, 100));
    const sent = callee.take()[0]!;
    expect(sent).toMatchObject({ method: 'CANCEL', uri: request.kind === 'request' && request.uri });
    expect(header(sent, 'Via')).toBe(header(request, 'Via'));
    expect(header(sent, 'Reason')).toBe('Q.850;cause=16');
    callee.deliver(phoneAnswer(sent, 200));
    callee.deliver(phoneAnswer(request, 487));
    expect(app.takeBriefs()).toEqual(['100 INVITE', '487 INVITE']);
  });

  it('is dropped when the final answer comes first; a second and a late one get NOK', async () => {
    const { request, transactionId } = await send();
    cancel(transactionId);
    expect(app.replies.get(cancel(transactionId))).toMatchObject({ ok: false });
    callee.deliver(phoneAnswer(request, 486));
    expect(callee.takeBriefs().map((text) => text.split(' ')[0])).toEqual(['ACK']);
    expect(app.replies.get(cancel(transactionId))).toEqual({
      ok: false,
      reason: `unable to cancel unknown transaction id: ${transactionId}`,
    });
  });

  it("that loses to a 200: up, application's ACK, BYE, unsolicited BYE", async () => {
    const { request, transactionId, dialogId } = await send();
    callee.deliver(phoneAnswer(request, 180));
    cancel(transactionId);
    callee.deliver(phoneAnswer(request, 200, { body: OFFER }));
    ack(dialogId);
    expect(callee.takeBriefs().map((text) => text.split(' ')[0])).toEqual(['CANCEL', 'ACK', 'BYE']);
    expect(app.last.text).toContain('ACK-BYE due to cancel race condition');
  });

  it('without an answer for 64*T1 ends the INVITE as 487', async () => {
    const { request, transactionId } = await send();
    callee.deliver(phoneAnswer(request, 180));
    app.take();
    cancel(transactionId);
    rig.clock.advance(32_000);
    expect(app.takeBriefs()).toEqual(['487 INVITE']);
  });
});

describe('requests of ours inside a dialog', () => {
  async function up(): Promise<{ dialogId: string; request: SipMessage }> {
    const { request, dialogId } = await send();
    callee.deliver(phoneAnswer(request, 200, { body: OFFER }));
    ack(dialogId);
    callee.take();
    app.take();
    return { dialogId, request };
  }
  const inside = (dialogId: string, method: string, body = ''): string =>
    app.command(`sip||${dialogId}`, `${method} sip:placeholder SIP/2.0\r\n\r\n${body}`);

  it("use the dialog's target and rising CSeq, whatever the application wrote", async () => {
    const { dialogId, request } = await up();
    app.command(
      `sip||${dialogId}`,
      'INFO sip:placeholder SIP/2.0\r\nCSeq: 99 INFO\r\nCall-ID: other\r\nFrom: <sip:x>;tag=y\r\n\r\n',
    );
    const info = callee.take()[0]!;
    expect(info).toMatchObject({ method: 'INFO', uri: 'sip:callee@198.51.100.1:5060' });
    expect(header(info, 'Call-ID')).toBe(header(request, 'Call-ID'));
    expect(Number(header(info, 'CSeq')?.split(' ')[0])).toBe(Number(header(request, 'CSeq')?.split(' ')[0]) + 1);
    callee.deliver(phoneAnswer(info, 200));
    expect(app.last).toMatchObject({ dialogId });
  });

  it.each([481, 408])('a %i to one ends the dialog with BYE and an unsolicited BYE (§12.2.1.2)', async (status) => {
    const { dialogId } = await up();
    inside(dialogId, 'INFO');
    callee.deliver(phoneAnswer(callee.take()[0]!, status));
    expect(app.takeBriefs().map((text) => text.split(' ')[0])).toEqual([String(status), 'BYE']);
    expect(callee.takeBriefs()[0]).toMatch(/^BYE/);
  });

  it('a BYE without any answer: 408 goes up and the dialog is gone', async () => {
    const { dialogId } = await up();
    inside(dialogId, 'BYE');
    rig.clock.advance(32_000);
    expect(app.takeBriefs()[0]).toMatch(/^408/);
    expect(rig.core.dialogs.size).toBe(0);
  });

  it('a challenged BYE keeps the dialog for one more', async () => {
    const { dialogId } = await up();
    inside(dialogId, 'BYE');
    callee.deliver(phoneAnswer(callee.take()[0]!, 407));
    inside(dialogId, 'BYE');
    const second = callee.take()[0]!;
    expect(brief(second)).toMatch(/^BYE/);
    callee.deliver(phoneAnswer(second, 200));
    expect(rig.core.dialogs.size).toBe(0);
  });

  it('a BYE while our re-INVITE is pending cancels that first', async () => {
    const { dialogId } = await up();
    inside(dialogId, 'INVITE', OFFER);
    const reinvite = callee.take()[0]!;
    callee.deliver(phoneAnswer(reinvite, 100));
    inside(dialogId, 'BYE');
    expect(callee.takeBriefs().map((text) => text.split(' ')[0])).toEqual(['CANCEL', 'BYE']);
  });

  it('a second re-INVITE before the first is answered is answered 491 for the peer', async () => {
    const { dialogId } = await up();
    inside(dialogId, 'INVITE', OFFER);
    callee.take();
    inside(dialogId, 'INVITE', OFFER);
    expect(callee.takeBriefs()).toEqual([]);
    expect(app.takeBriefs()[0]).toBe('491 INVITE');
  });

  it('go to the source where Contact is private: NAT', async () => {
    const { request, dialogId } = await send();
    callee.deliver(phoneAnswer(request, 200, { contact: '<sip:bob@10.0.0.5:5060>', body: OFFER }));
    ack(dialogId);
    inside(dialogId, 'INFO');
    expect(callee.take().map((m) => m.kind === 'request' && m.uri)).toEqual([
      'sip:bob@10.0.0.5:5060',
      'sip:bob@10.0.0.5:5060',
    ]);
  });

  it('follow a strict router by swapping it into the Request-URI', async () => {
    const { request, dialogId } = await send();
    callee.deliver(phoneAnswer(request, 200, { headers: ['Record-Route: <sip:198.51.100.1:5060>'], body: OFFER }));
    ack(dialogId);
    const sent = callee.take()[0]!;
    expect(sent).toMatchObject({ uri: 'sip:198.51.100.1:5060' });
    expect(headers(sent, 'Route')).toEqual(['<sip:callee@198.51.100.1:5060>']);
  });
});
