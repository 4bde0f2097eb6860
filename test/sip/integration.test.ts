import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import type { SipLeg } from '../../src/sip/leg.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { sdpText } from '../support/sdp-texts.ts';
import { hungUp, loopback, offer, plain, SignallingRig } from '../support/signalling-rig.ts';
import { headerOf, type WireMessage } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

/** `drachtio-server.test.ts` has the other way round as well. */
const MODES = EVERY_TEST ? (['listen', 'connect'] as const) : (['listen'] as const);

describe.each(MODES)('signalling, application in %s mode', (mode) => {
  let rig: SignallingRig;
  beforeEach(async () => {
    rig = await SignallingRig.open(mode);
  });
  afterEach(() => rig.close());

  it('answers, knows the caller, and ends by the caller', async () => {
    let agreed: NegotiatedMedia | undefined;
    rig.handle = (leg) => {
      leg.ring();
      void leg.answer(plain).then((media) => (agreed = media));
    };
    const ok = await rig.phone.call(offer, {
      headers: ['Content-Type: application/sdp', 'X-Customer: 42', 'User-to-User: 0448656C6C6F'],
    });
    expect(ok.body).toContain('m=audio 20000 RTP/AVP 0 101');
    expect(rig.phone.inbox.some((message) => message.status === 180)).toBe(true);
    await until(() => agreed !== undefined);
    expect(agreed).toMatchObject({ remote: { address: '127.0.0.1', port: 4000 }, signallingAddress: '127.0.0.1' });
    expect(rig.legs[0]?.info).toMatchObject({
      from: 'alice',
      called: '2000',
      transport: 'udp',
      sourceAddress: `127.0.0.1:${rig.phone.port}`,
      variables: { customer: '42', user_to_user: 'Hello' },
    });
    rig.phone.sendRequest('BYE', { headers: ['Reason: Q.850;cause=16;text="Bye now"'] });
    expect((await rig.phone.final('BYE')).status).toBe(200);
    await until(() => rig.heard.ends.length === 1);
    expect(rig.heard.ends).toEqual([callEnd('caller', 'caller-hangup', 'Bye now')]);
    expect(rig.server.legs).toBe(0);
  });

  it('ends by the agent, with a reason', async () => {
    await rig.talking();
    const over = rig.legs[0]?.hangup(hungUp);
    const bye = await rig.phone.request('BYE');
    expect(headerOf(bye, 'Reason')).toContain('The agent ended the call');
    rig.phone.reply(bye, 200, 'OK');
    await over;
    expect([rig.server.legs, rig.heard.ends]).toEqual([0, []]);
  });

  it.each([
    ['no-such-number', 404],
    ['busy', 503],
    ['no-credit', 402],
    ['agent-not-live', 480],
    ['store-unavailable', 503],
  ] as const)('refuses with %s: %i', async (reason, status) => {
    rig.handle = (leg) => void leg.reject(callEnd('gateway', reason));
    rig.phone.sendRequest('INVITE', { body: offer });
    const refusal = await rig.phone.final('INVITE');
    rig.phone.adopt(refusal);
    expect(refusal.status).toBe(status);
    expect(headerOf(refusal, 'Warning')).toMatch(/^399 nidaa ".+"$/);
    expect(headerOf(refusal, 'Reason')).toMatch(/^Q\.850;cause=\d+;text=".+"$/);
    expect(headerOf(refusal, 'Retry-After') !== '').toBe(status === 503);
  });

  it.each([
    ['no common codec', loopback('m=audio 4000 RTP/AVP 18'), 488, /^305 /],
    ['SRTP', loopback('m=audio 4000 RTP/SAVP 0'), 488, /^302 /],
    ['multicast', sdpText({ session: ['c=IN IP4 239.1.1.1'] }), 488, /^330 /],
    ['garbage', 'v=nonsense', 400, /^399 /],
  ] as const)('refuses an offer of %s', async (_name, body, status, warning) => {
    rig.phone.sendRequest('INVITE', { body });
    const refusal = await rig.phone.final('INVITE');
    expect(refusal.status).toBe(status);
    expect(headerOf(refusal, 'Warning')).toMatch(warning);
    expect(rig.legs).toEqual([]);
  });

  it('refuses a source that is not allowed', async () => {
    rig.admit = () => callEnd('gateway', 'not-allowed');
    rig.phone.sendRequest('INVITE', { body: offer });
    expect((await rig.phone.final('INVITE')).status).toBe(403);
  });

  it('is cancelled while ringing', async () => {
    rig.handle = (leg) => leg.ring();
    rig.phone.sendRequest('INVITE', { body: offer });
    await rig.phone.response('INVITE', 180);
    rig.phone.sendRequest('CANCEL');
    expect((await rig.phone.final('CANCEL')).status).toBe(200);
    expect((await rig.phone.final('INVITE')).status).toBe(487);
    await until(() => rig.heard.ends.length === 1);
    expect(rig.heard.ends).toEqual([callEnd('caller', 'cancelled')]);
    await expect(rig.legs[0]?.answer(plain)).rejects.toMatchObject({ end: { reason: 'cancelled' } });
    expect(rig.server.legs).toBe(0);
  });

  it('a late offer: ours in the 200, the answer in the ACK', async () => {
    let agreed: NegotiatedMedia | undefined;
    rig.handle = (leg) => void leg.answer(plain).then((media) => (agreed = media));
    const ok = await rig.phone.call('', { body: loopback('m=audio 4400 RTP/AVP 8') });
    expect(ok.body).toContain('m=audio 20000 RTP/AVP 0 8 101 13');
    await until(() => agreed !== undefined);
    expect(agreed).toMatchObject({ codec: 'PCMA', remote: { port: 4400 } });
  });

  it('a late offer without an answer is hung up', async () => {
    await rig.phone.call('');
    const bye = await rig.phone.request('BYE');
    rig.phone.reply(bye, 200, 'OK');
    await until(() => rig.heard.ends.length === 1);
    expect(rig.heard.ends).toMatchObject([{ party: 'caller', reason: 'bad-offer' }]);
  });

  it('hold, resume, and an offer that cannot be taken', async () => {
    await rig.talking();
    const reinvite = async (body: string) => {
      rig.phone.sendRequest('INVITE', { body });
      const answer = await rig.phone.final('INVITE');
      if (answer.status === 200) rig.phone.sendRequest('ACK');
      return answer;
    };
    expect((await reinvite(loopback('m=audio 4000 RTP/AVP 0', 'a=sendonly'))).body).toContain('a=recvonly');
    expect((await reinvite(loopback('m=audio 4000 RTP/AVP 18'))).status).toBe(488);
    expect((await reinvite(sdpText({ session: ['c=IN IP4 0.0.0.0'] }))).body).toContain('a=recvonly');
    expect((await reinvite(loopback('m=audio 4002 RTP/AVP 8'))).body).toContain('m=audio 20000 RTP/AVP 8');
    await until(() => rig.heard.media.length === 3);
    expect(rig.heard.media.map((media) => `${media.codec} ${media.direction} ${media.remote.port}`)).toEqual([
      'PCMU recvonly 4000',
      'PCMU recvonly 4000',
      'PCMA sendrecv 4002',
    ]);
  });

  it('a re-INVITE without offer', async () => {
    await rig.talking();
    rig.phone.sendRequest('INVITE');
    const ok = await rig.phone.final('INVITE');
    expect(ok.body).toContain('m=audio 20000 RTP/AVP 0 8 101 13');
    rig.phone.sendRequest('ACK', { body: loopback('m=audio 4600 RTP/AVP 8') });
    await until(() => rig.heard.media.length === 1);
    expect(rig.heard.media[0]).toMatchObject({ codec: 'PCMA', remote: { port: 4600 } });
  });

  it.each([
    ['INFO', ['Content-Type: application/dtmf-relay'], 'Signal=9\r\nDuration=120\r\n', 200],
    ['INFO', ['Content-Type: application/xml'], '<x/>', 415],
    ['OPTIONS', [], '', 200],
    ['MESSAGE', ['Content-Type: text/plain'], 'hi', 405],
    ['REFER', ['Refer-To: <sip:00900@premium.example>'], '', 403],
    ['UPDATE', [], '', 200],
  ] as const)('%s %s inside the call: %s', async (method, headers, body, status) => {
    await rig.talking();
    rig.phone.sendRequest(method, { headers, body });
    expect((await rig.phone.final(method)).status).toBe(status);
    await until(() => rig.heard.digits.length === (body.startsWith('Signal') ? 1 : 0));
    expect((rig.legs[0] as SipLeg).state).toBe('confirmed');
  });

  it.each([
    ['OPTIONS', 200],
    ['REGISTER', 405],
    ['MESSAGE', 405],
    ['SUBSCRIBE', 489],
    ['REFER', 403],
    ['BYE', 481],
  ] as const)('%s outside a call: %i', async (method, status) => {
    rig.phone.sendRequest(method, { headers: ['Refer-To: <sip:a@b>', 'Event: presence'] });
    expect((await rig.phone.final(method)).status).toBe(status);
    await rig.talking(); // and calls work on
  });

  it.each([
    ['200 OK', { ok: true, status: 200, reason: 'OK' }],
    ['486 Busy Here', { ok: false, status: 486, reason: 'Busy Here' }],
  ] as const)('a transfer that ends with %s', async (final, outcome) => {
    await rig.talking();
    const result = rig.legs[0]?.transfer('3000', new AbortController().signal);
    const refer = await rig.phone.request('REFER');
    expect(headerOf(refer, 'Refer-To')).toBe('<sip:3000@pbx.example.com>');
    rig.phone.reply(refer, 202, 'Accepted');
    for (const [fragment, state] of [
      ['100 Trying', 'active;expires=60'],
      [final, 'terminated;reason=noresource'],
    ]) {
      rig.phone.sendRequest('NOTIFY', {
        headers: ['Event: refer', `Subscription-State: ${state}`, 'Content-Type: message/sipfrag'],
        body: `SIP/2.0 ${fragment}\r\n`,
      });
      expect((await rig.phone.final('NOTIFY')).status).toBe(200);
    }
    expect(await result).toEqual(outcome);
  });

  it('a transfer that is refused', async () => {
    await rig.talking();
    const result = rig.legs[0]?.transfer('sip:3000@elsewhere.example', new AbortController().signal);
    rig.phone.reply(await rig.phone.request('REFER'), 603, 'Decline');
    expect(await result).toMatchObject({ ok: false, status: 603 });
  });

  it('our own hold; after a refusal the next one still works', async () => {
    const leg = await rig.talking();
    const refused = leg.reoffer('sendonly');
    const first = await rig.phone.request('INVITE');
    rig.phone.reply(first, 488, 'Not Acceptable Here');
    expect(await refused).toBeUndefined();
    const taken = leg.reoffer('sendonly');
    // On a busy machine the first one comes twice.
    const isNext = (m: WireMessage): boolean =>
      m.method === 'INVITE' && headerOf(m, 'CSeq') !== headerOf(first, 'CSeq');
    const invite = await rig.phone.next((m) => m.status === 0 && isNext(m), 'the next INVITE');
    expect(invite.body).toContain('a=sendonly');
    rig.phone.reply(invite, 200, 'OK', [], loopback('m=audio 4000 RTP/AVP 0', 'a=recvonly'));
    await rig.phone.request('ACK');
    expect(await taken).toMatchObject({ direction: 'sendonly' });
  });

  it('a caller that never acknowledges is hung up', async () => {
    let failed: unknown;
    rig.handle = (leg) => void leg.answer(plain).catch((error) => (failed = error));
    rig.phone.sendRequest('INVITE', { body: offer });
    const bye = await rig.phone.request('BYE');
    expect(rig.phone.inbox.filter((message) => message.status === 200).length).toBeGreaterThan(3);
    rig.phone.reply(bye, 200, 'OK');
    await until(() => failed !== undefined);
    expect(failed).toMatchObject({ end: { party: 'network', reason: 'ack-timeout' } });
    expect(rig.heard.ends).toEqual([callEnd('network', 'ack-timeout', 'ACK timeout')]);
    expect(rig.server.legs).toBe(0);
  });

  it('a BYE that nobody answers ends the call all the same', async () => {
    await rig.talking();
    await rig.legs[0]?.hangup(hungUp);
    expect(rig.phone.inbox.filter((message) => message.method === 'BYE').length).toBeGreaterThan(1);
    expect([rig.server.legs, rig.embedded.dialogCount]).toEqual([0, 0]);
  });

  it('BYEs that cross: one end', async () => {
    await rig.talking();
    const over = rig.legs[0]?.hangup(hungUp);
    rig.phone.sendRequest('BYE');
    rig.phone.answerByes();
    expect((await rig.phone.final('BYE')).status).toBe(200);
    await over;
    expect([rig.server.legs, rig.heard.ends.length]).toEqual([0, 0]);
  });

  it('a server that goes away ends the calls, and is met again', async () => {
    await rig.talking();
    await rig.embedded.close();
    await until(() => rig.heard.ends.length === 1);
    expect(rig.heard.ends).toMatchObject([{ party: 'network', reason: 'signalling-lost' }]);
    expect(rig.server.legs).toBe(0);
    rig.embedded = await rig.restart();
    await rig.server.ready();
    const other = await rig.newPhone();
    await other.call(offer);
    await until(() => rig.server.legs === 1);
    other.answerByes();
    await rig.server.close();
    other.close();
  });

  it('closes while the server is away', async () => {
    await rig.embedded.close();
    await until(() => !rig.server.connected);
    await rig.server.close();
    expect(rig.server.connected).toBe(false);
  });
});
