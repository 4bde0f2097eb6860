import { beforeEach, describe, expect, it } from 'vitest';
import type { DialOptions } from '../../src/call/dialer.ts';
import type { LegContext } from '../../src/sip/leg-context.ts';
import { placeCall, RING_TIMEOUT_MS } from '../../src/sip/uac.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeDialog, FakeSrf, settle } from '../support/fake-srf.ts';
import { LegRig, local, openPolicy, plain } from '../support/leg-rig.ts';
import { sdpText } from '../support/sdp-texts.ts';

const credentials = { username: 'alice', password: 'secret', realm: 'trunk' };

let clock: FakeClock;
let srf: FakeSrf;
let dialog: FakeDialog;
let context: LegContext;

beforeEach(() => {
  clock = new FakeClock();
  srf = new FakeSrf();
  dialog = new FakeDialog();
  dialog.remote = { uri: 'sip:bob@192.0.2.10', sdp: sdpText() };
  context = { ...new LegRig().context, srf, clock };
});

/** The same with a choice of encrypted media and media in the clear. */
const dialChoice = () => {
  const options = { uri: 'sip:+9661@trunk.example.com', from: '+9662', media: plain, credentials };
  return placeCall(options, context, { ...openPolicy, encryption: 'allow' });
};
const dial = (options: Partial<DialOptions> = {}) =>
  placeCall({ uri: 'sip:+9661@trunk.example.com', from: '+9662', media: plain, ...options }, context, openPolicy);
const call = (index = 0) => {
  const found = srf.uac[index];
  if (!found) throw new Error(`INVITE ${index} was not sent`);
  return found;
};
const challenge = (header: string, nonce: string, more = '') => ({
  headers: { [header]: `Digest realm="trunk", nonce="${nonce}", algorithm=SHA-256, qop="auth"${more}` },
});

describe('a call that offers a choice of encrypted media', () => {
  const protocols = (index: number): string[] =>
    [...call(index).options.localSdp.matchAll(/^m=audio \d+ (\S+)/gm)].map(([, protocol]) => protocol!);

  it.each([415, 488, 606])('is tried once more in the clear after %i, challenged or not', async (status) => {
    const placed = dialChoice();
    await settle();
    call().refuse(407, challenge('Proxy-Authenticate', 'n1'));
    await settle();
    call(1).refuse(status);
    await settle();
    expect([0, 1, 2].map(protocols)).toEqual([['RTP/SAVP', 'RTP/AVP'], ['RTP/SAVP', 'RTP/AVP'], ['RTP/AVP']]);
    expect(call(2).options.localSdp).not.toContain('crypto');
    expect(call(2).options.headers).toMatchObject({ CSeq: '12 INVITE', 'Call-ID': expect.any(String) });
    call(2).refuse(407, challenge('Proxy-Authenticate', 'n3'));
    await settle();
    call(3).answer(dialog);
    expect((await placed).media).toMatchObject({ codec: 'PCMU', remote: { port: 4000 } });
  });

  it('is not tried a third time', async () => {
    const placed = dialChoice();
    placed.catch(() => undefined);
    await settle();
    call().refuse(488);
    await settle();
    call(1).refuse(488);
    await expect(placed).rejects.toMatchObject({ status: 488 });
    expect(srf.uac.length).toBe(2);
  });

  it.each([486, 603])('is over with %i', async (status) => {
    const placed = dialChoice();
    placed.catch(() => undefined);
    await settle();
    call().refuse(status);
    await expect(placed).rejects.toMatchObject({ status });
    expect(srf.uac.length).toBe(1);
  });
});

describe('a call whose encryption is required', () => {
  it.each(['none', 'require'] as const)('is not tried again with %s', async (encryption) => {
    const options = { uri: 'sip:+9661@trunk.example.com', from: '+9662', media: plain };
    const placed = placeCall(options, context, { ...openPolicy, encryption });
    placed.catch(() => undefined);
    await settle();
    call().refuse(488);
    await expect(placed).rejects.toMatchObject({ status: 488 });
    expect(srf.uac.length).toBe(1);
  });

  it('is not placed where its keys would go in the clear', async () => {
    const options = { uri: 'sip:+9661@trunk.example.com', from: '+9662', media: plain };
    const placed = placeCall(options, context, { ...openPolicy, encryption: 'require', mayCarryKeys: false });
    await expect(placed).rejects.toMatchObject({ end: { reason: 'bad-offer' } });
    expect(srf.uac.length).toBe(0);
  });
});

describe('a call that is answered', () => {
  it.each([
    { dtmf: 'rfc4733', formats: '0 8 101 13' },
    { dtmf: 'auto', formats: '0 8 101 13' },
    { dtmf: 'inband', formats: '0 8 13' },
    { dtmf: 'info', formats: '0 8 13' },
  ] as const)('offers events unless keys go otherwise: $dtmf', async ({ dtmf, formats }) => {
    const placed = dial({ dtmf });
    await settle();
    expect(/m=audio 20000 RTP\/AVP (.*)\r/.exec(call().options.localSdp)?.[1]).toBe(formats);
    call().answer(dialog);
    const leg = await placed;
    expect(leg.media?.dtmf).toBe(dtmf === 'auto' ? undefined : dtmf);
    expect(leg.media?.dtmfPayloadType).toBe(formats.includes('101') ? 101 : undefined);
    leg.press('1#');
    const info = dialog.request_('INFO');
    expect(info.body).toContain('Signal=1\r\n');
    info.answer(200);
    await settle();
    expect(dialog.request_('INFO').body).toContain('Signal=#\r\n');
  });

  it('says which INVITE is of which call', async () => {
    const dialled: string[] = [];
    context = { ...context, onDialled: (callId, sipCallId) => dialled.push(`${callId} ${sipCallId}`) };
    const placed = dial({ callId: 'call_1' });
    await settle();
    call().answer(dialog);
    await placed;
    expect(dialled).toEqual(['call_1 out-1']);
  });

  it('becomes a leg with media', async () => {
    const progress: number[] = [];
    const placed = dial({
      onProgress: (status) => progress.push(status),
      displayName: 'Ni"da\r\na',
      nextHop: 'sip:192.0.2.1',
    });
    await settle();
    call().provisional(180);
    call().provisional(183);
    call().answer(dialog);
    const leg = await placed;
    expect(call().options.localSdp).toContain('m=audio 20000 RTP/AVP 0 8 101 13');
    expect(call().options.headers['From']).toBe('"Ni da  a" <sip:+9662@localhost>');
    expect(call().options.proxy).toBe('sip:192.0.2.1');
    expect(progress).toEqual([180, 183]);
    expect([leg.state, leg.info.called, leg.info.sourceAddress]).toEqual(['confirmed', '+9661', '192.0.2.10:5070']);
    expect(await leg.answer(plain)).toMatchObject({ codec: 'PCMU', remote: { address: '192.0.2.10', port: 4000 } });
    expect(clock.pending).toBe(0);
    const over = leg.hangup({ party: 'agent', reason: 'agent-hangup' });
    dialog.request_('BYE').answer(200);
    await over;
  });

  it('passes headers on, but for those of the dialog and what could break out', async () => {
    const headers = { 'X-Campaign': 'a\r\nb', Via: 'x', CSeq: '9 INVITE', 'Bad Name': 'x', 'User-to-User': 'u' };
    dial({ headers }).catch(() => undefined);
    await settle();
    expect(call().options.headers).toEqual({
      From: '<sip:+9662@localhost>',
      Contact: '<sip:+9662@localhost>',
      Allow: expect.any(String),
      Supported: 'replaces',
      'X-Campaign': 'a  b',
      'User-to-User': 'u',
    });
  });

  it('has the Call-ID that it is given', async () => {
    dial({ sipCallId: 'known-before' }).catch(() => undefined);
    await settle();
    expect(call().options.headers['Call-ID']).toBe('known-before');
  });

  it.each([
    { status: 401, ask: 'WWW-Authenticate', answer: 'Authorization' },
    { status: 407, ask: 'Proxy-Authenticate', answer: 'Proxy-Authorization' },
  ])('answers a $status with the identifiers of the first INVITE', async ({ status, ask, answer }) => {
    const placed = dial({ credentials });
    await settle();
    call().refuse(status, challenge(ask, 'n1'));
    await settle();
    const { headers } = call(1).options;
    expect(headers).toMatchObject({
      'Call-ID': 'out-1',
      From: expect.stringContaining(';tag=local'),
      CSeq: '11 INVITE',
    });
    expect(headers[answer]).toMatch(
      /^Digest username="alice", realm="trunk", nonce="n1", uri="sip:\+9661@trunk.example.com", .*algorithm=SHA-256/,
    );
    call(1).answer(dialog);
    expect((await placed).state).toBe('confirmed');
  });

  it('asks for a session timer, for a longer one after 422, and not for ever', async () => {
    context = { ...context, sessionTimers: { sessionSeconds: 1800, minSeconds: 90 } };
    const placed = dial();
    await settle();
    expect(call().options.headers).toMatchObject({
      'Session-Expires': '1800',
      'Min-SE': '90',
      Supported: 'timer, replaces',
    });
    call().refuse(422, { headers: { 'Min-SE': '3600' } });
    await settle();
    const again = call(1).options.headers;
    expect(again).toMatchObject({ 'Session-Expires': '3600', 'Min-SE': '3600', CSeq: '11 INVITE' });
    call(1).refuse(422, { headers: { 'Min-SE': '7200' } });
    await expect(placed).rejects.toMatchObject({ status: 422 });
    expect(srf.uac.length).toBe(2);
  });

  it('answers a challenge to its BYE', async () => {
    const placed = dial({ credentials });
    await settle();
    call().answer(dialog);
    const leg = await placed;
    const over = leg.hangup({ party: 'agent', reason: 'agent-hangup' });
    dialog.request_('BYE').answer(407, challenge('Proxy-Authenticate', 'n2'));
    await settle();
    expect(dialog.requests.length).toBe(2);
    expect(dialog.request_('BYE').headers?.['Proxy-Authorization']).toContain('uri="sip:bob@192.0.2.10"');
    expect(dialog.request_('BYE').headers?.['Reason']).toContain('cause=16');
    dialog.request_('BYE').answer(200);
    await over;
  });

  it('tells nothing to another host that challenges its BYE', async () => {
    const placed = dial({ credentials });
    await settle();
    call().answer(dialog);
    const over = (await placed).hangup({ party: 'agent', reason: 'agent-hangup' });
    const strange = { ...challenge('Proxy-Authenticate', 'n2'), sourceAddress: '203.0.113.9' };
    dialog.request_('BYE').answer(407, strange);
    await over;
    expect(dialog.requests.length).toBe(1);
  });

  it('counts the uses of one nonce, and follows a stale one once', async () => {
    const placed = dial({ credentials });
    await settle();
    call().refuse(401, challenge('WWW-Authenticate', 'n1'));
    await settle();
    call(1).refuse(401, challenge('WWW-Authenticate', 'n2', ', stale=true'));
    await settle();
    expect(call(2).options.headers['Authorization']).toMatch(/nonce="n2".*nc=00000001/);
    call(2).refuse(401, challenge('WWW-Authenticate', 'n3', ', stale=true'));
    await expect(placed).rejects.toMatchObject({ status: 401, end: { reason: 'not-allowed' } });
    expect(srf.uac.length).toBe(3);
  });
});

describe('a call that is not', () => {
  it.each([
    { status: 486, reason: 'busy' },
    { status: 404, reason: 'no-such-number' },
    { status: 480, reason: 'no-answer' },
    { status: 488, reason: 'no-codec' },
    { status: 503, reason: 'busy' },
  ])('$status: $reason', async ({ status, reason }) => {
    const placed = dial();
    await settle();
    call().refuse(status, { reason: 'Phrase' });
    await expect(placed).rejects.toMatchObject({ status, end: { reason, detail: `${status} Phrase` } });
    expect(clock.pending).toBe(0);
  });

  it('does not follow a redirection, but tells of it', async () => {
    const placed = dial();
    await settle();
    call().refuse(302, { headers: { Contact: '<sip:900@premium.example>' } });
    await expect(placed).rejects.toMatchObject({ status: 302, redirect: '<sip:900@premium.example>' });
    expect(srf.uac.length).toBe(1);
  });

  it.each([
    { name: 'without credentials', options: {}, parts: challenge('WWW-Authenticate', 'n') },
    {
      name: 'of a strange realm',
      options: { credentials: { ...credentials, realm: 'mine' } },
      parts: challenge('WWW-Authenticate', 'n'),
    },
    { name: 'unreadable', options: { credentials }, parts: { headers: { 'WWW-Authenticate': 'Digest =' } } },
    { name: 'without a header', options: { credentials }, parts: {} },
  ])('a challenge $name is a refusal', async ({ options, parts }) => {
    const placed = dial(options);
    await settle();
    call().refuse(401, parts);
    await expect(placed).rejects.toMatchObject({ status: 401 });
    expect(srf.uac.length).toBe(1);
  });

  it('wrong credentials are tried once', async () => {
    const placed = dial({ credentials });
    await settle();
    call().refuse(401, challenge('WWW-Authenticate', 'n1'));
    await settle();
    call(1).refuse(401, challenge('WWW-Authenticate', 'n2'));
    await expect(placed).rejects.toMatchObject({ status: 401 });
    expect(srf.uac.length).toBe(2);
  });

  it('is cancelled', async () => {
    const controller = new AbortController();
    const placed = dial({ signal: controller.signal });
    await settle();
    call().provisional(180);
    controller.abort();
    expect(call().sent.cancels).toBe(1);
    call().refuse(487);
    await expect(placed).rejects.toMatchObject({ status: 487, end: { party: 'gateway', reason: 'cancelled' } });
  });

  it('is cancelled as soon as there is something to cancel', async () => {
    srf.slow = true;
    const controller = new AbortController();
    const placed = dial({ signal: controller.signal });
    await settle();
    controller.abort();
    expect(call().sent.cancels).toBe(0);
    srf.tellSent();
    expect(call().sent.cancels).toBe(1);
    call().refuse(487);
    await expect(placed).rejects.toMatchObject({ status: 487 });
  });

  it('is never sent when aborted before', async () => {
    await expect(dial({ signal: AbortSignal.abort() })).rejects.toMatchObject({ end: { reason: 'cancelled' } });
    expect(srf.uac.length).toBe(0);
  });

  it('rings out', async () => {
    const placed = dial();
    await settle();
    clock.advance(RING_TIMEOUT_MS);
    expect(call().sent.cancels).toBe(1);
    call().refuse(487);
    await expect(placed).rejects.toMatchObject({ end: { party: 'network', reason: 'no-answer' } });
  });

  it('is given up when CANCEL is not answered, and hung up should it be answered yet', async () => {
    const controller = new AbortController();
    const placed = dial({ signal: controller.signal });
    await settle();
    controller.abort();
    clock.advance(5_000);
    await expect(placed).rejects.toMatchObject({ status: 0, end: { reason: 'cancelled' } });
    call().answer(dialog);
    dialog.request_('BYE').answer(200);
    await settle();
    expect(srf.removed).toEqual([dialog]);
  });

  it('a 200 that beats our CANCEL is hung up', async () => {
    const controller = new AbortController();
    const placed = dial({ signal: controller.signal });
    await settle();
    controller.abort();
    call().answer(dialog);
    await expect(placed).rejects.toMatchObject({ end: { reason: 'cancelled' } });
    expect(dialog.request_('BYE')).toBeDefined();
  });

  it('an answer that names a port of ours is hung up', async () => {
    const sdp = sdpText({ session: [`c=IN IP4 ${local.address}`], media: [`m=audio ${local.port} RTP/AVP 0`] });
    dialog.remote = { uri: 'sip:bob@192.0.2.10', sdp };
    const placed = dial();
    await settle();
    call().answer(dialog);
    await expect(placed).rejects.toMatchObject({ status: 200, end: { reason: 'bad-offer' } });
    expect(dialog.request_('BYE').headers?.['Reason']).toContain('cause=95');
  });

  it('an answer we cannot use is hung up', async () => {
    dialog.remote = { uri: 'sip:bob@192.0.2.10', sdp: sdpText({ media: ['m=audio 4000 RTP/AVP 18'] }) };
    const placed = dial();
    await settle();
    call().answer(dialog);
    await expect(placed).rejects.toMatchObject({ status: 200, end: { reason: 'no-codec' } });
    expect(dialog.request_('BYE').headers?.['Reason']).toContain('cause=65');
  });

  it.each(['', 'bob', 'http://x', 'sip:a@b|sip:c', 'sip:a@b\r\nX: y'])('%j is no URI to call', async (uri) => {
    await expect(dial({ uri })).rejects.toMatchObject({ status: 0, end: { reason: 'no-such-number' } });
    expect(srf.uac.length).toBe(0);
  });
});
