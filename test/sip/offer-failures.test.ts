import { beforeEach, describe, expect, it } from 'vitest';
import { DigestClient } from '../../src/sip/digest.ts';
import { ACK_WAIT_MS } from '../../src/sip/in-dialog-offers.ts';
import { FakeResponse, fakeRequest, settle } from '../support/fake-srf.ts';
import { end, held, LegRig, plain, wired } from '../support/leg-rig.ts';
import { sdpText } from '../support/sdp-texts.ts';

/** Offers inside a dialog that fail on their way: what was agreed before must stand, and nothing may stay open. */
let rig: LegRig;
beforeEach(() => {
  rig = new LegRig();
});

const withSdp = (cseq: number, body: string) => ({
  body,
  headers: { 'Content-Type': 'application/sdp', CSeq: `${cseq} INVITE` },
});
const without = (cseq: number) => ({ headers: { CSeq: `${cseq} INVITE` } });
const ack = (cseq: number, body = '') =>
  fakeRequest({ method: 'ACK', body, headers: { CSeq: `${cseq} ACK`, 'Content-Type': 'application/sdp' } });
const pcma = sdpText({ media: ['m=audio 4200 RTP/AVP 8'] });

describe('a re-INVITE without offer, which got ours', () => {
  it('is not waited for longer than its ACK may take', async () => {
    const { leg } = await rig.talking();
    expect((await rig.dialog.ask('modify', without(2))).last?.status).toBe(200);
    expect((await rig.dialog.ask('modify', without(3))).last?.status).toBe(491);
    rig.clock.advance(ACK_WAIT_MS);
    expect((await rig.dialog.ask('modify', withSdp(4, held))).last?.status).toBe(200);
    expect([leg.state, leg.media?.direction, rig.clock.pending]).toEqual(['confirmed', 'recvonly', 0]);
  });

  it('is answered by its own ACK, not by one that comes late', async () => {
    const { heard } = await rig.talking();
    await rig.dialog.ask('modify', withSdp(2, held));
    expect((await rig.dialog.ask('modify', without(3))).last?.status).toBe(200);
    rig.dialog.emit('ack', ack(2));
    await settle();
    expect((await rig.dialog.ask('update', withSdp(4, held))).last?.status).toBe(491); // still open
    rig.dialog.emit('ack', ack(3, pcma));
    await settle();
    expect(heard.media.map(({ codec, direction }) => `${codec} ${direction}`)).toEqual([
      'PCMU recvonly',
      'PCMA sendrecv',
    ]);
  });

  it('crosses the ACK of the call itself', async () => {
    const { leg, heard } = rig.incoming();
    const answered = leg.answer(plain);
    await settle();
    rig.srf.uas[0]?.done(null, rig.dialog);
    expect((await rig.dialog.ask('modify', without(2))).last?.status).toBe(200);
    rig.dialog.emit('ack', ack(1));
    await settle();
    expect(await answered).toMatchObject({ codec: 'PCMU' });
    rig.dialog.emit('ack', ack(2, pcma));
    await settle();
    expect([leg.state, heard.media, heard.ends]).toMatchObject(['confirmed', [{ codec: 'PCMA' }], []]);
  });

  it.each([
    { name: 'no answer', body: '' },
    { name: 'garbage', body: 'x' },
    { name: 'a codec we did not offer', body: sdpText({ media: ['m=audio 4000 RTP/AVP 18'] }) },
    { name: 'a port of our own', body: wired },
    { name: 'every stream refused', body: sdpText({ media: ['m=audio 0 RTP/AVP 0'] }) },
  ])('and $name in its ACK: the call goes on as before', async ({ body }) => {
    const { leg, heard, media } = await rig.talking();
    await rig.dialog.ask('modify', without(2));
    rig.dialog.emit('ack', ack(2, body));
    await settle();
    expect([leg.state, leg.media, heard.media]).toEqual(['confirmed', media, []]);
    expect((await rig.dialog.ask('modify', withSdp(3, held))).last?.status).toBe(200);
    expect(rig.clock.pending).toBe(0);
  });

  it('and BYE before its ACK: nothing is told after the end', async () => {
    const { heard } = await rig.talking();
    await rig.dialog.ask('modify', without(2));
    rig.dialog.emit('destroy', fakeRequest({ method: 'BYE' }));
    rig.dialog.emit('ack', ack(2, pcma));
    await settle();
    expect([heard.media, heard.ends.length, rig.clock.pending]).toEqual([[], 1, 0]);
  });
});

describe('an answer of ours that the SIP server would not send', () => {
  it.each([
    { name: 'a re-INVITE that was cancelled', event: 'modify' },
    { name: 'an UPDATE that ran out of time', event: 'update' },
  ])('$name moves no media', async ({ event }) => {
    const { leg, heard, media } = await rig.talking();
    const refused = new FakeResponse('Response not sent due to unknown transaction');
    await rig.dialog.ask(event, withSdp(2, pcma), refused);
    expect([refused.last?.status, leg.media, heard.media]).toEqual([200, media, []]);
    await rig.dialog.ask(event, withSdp(3, pcma));
    expect(leg.media?.codec).toBe('PCMA');
  });

  it('was an offer: no ACK is waited for', async () => {
    await rig.talking();
    await rig.dialog.ask('modify', without(2), new FakeResponse('Response not sent due to unknown transaction'));
    expect((await rig.dialog.ask('modify', withSdp(3, held))).last?.status).toBe(200);
    expect(rig.clock.pending).toBe(0);
  });
});

it('our own offer that is answered with a port of our own changes nothing', async () => {
  const { leg, heard, media } = await rig.talking();
  const outcome = leg.reoffer('sendonly');
  await settle();
  rig.dialog.request_('INVITE').answer(200, { body: wired });
  expect([await outcome, leg.media, heard.media]).toEqual([undefined, media, []]);
});

it('our own offer that is answered after the call ended tells nobody', async () => {
  const { leg, heard } = await rig.talking();
  const outcome = leg.reoffer('sendonly');
  await settle();
  rig.dialog.emit('destroy', fakeRequest({ method: 'BYE' }));
  rig.dialog.request_('INVITE').answer(200, { body: sdpText() });
  expect([await outcome, heard.media]).toEqual([undefined, []]);
});

describe('requests of ours that are challenged', () => {
  const challenge = (name: string, nonce: string, more = '') => ({
    headers: { [name]: `Digest realm="${name}", nonce="${nonce}", qop="auth"${more}` },
    req: { uri: 'sip:alice@moved.example' },
  });
  const dialled = () => {
    rig.digest = new DigestClient({ username: 'u', password: 'p' }, () => 'c');
    return rig.outgoing();
  };
  const sent = (method: string) => rig.dialog.requests.filter((one) => one.method === method);

  it('a re-INVITE: each server on the way is answered, for the URI that was really asked', async () => {
    const leg = dialled();
    const outcome = leg.reoffer('sendonly');
    await settle();
    rig.dialog.request_('INVITE').answer(407, challenge('Proxy-Authenticate', 'p1'));
    await settle();
    rig.dialog.request_('INVITE').answer(401, challenge('WWW-Authenticate', 'w1'));
    await settle();
    const third = rig.dialog.request_('INVITE');
    expect(third.headers?.['Proxy-Authorization']).toContain('nonce="p1", uri="sip:alice@moved.example"');
    expect(third.headers?.['Authorization']).toContain('nonce="w1"');
    expect(third.body).toBe(sent('INVITE')[0]?.body);
    third.answer(200, { body: sdpText({ media: ['m=audio 4000 RTP/AVP 0', 'a=recvonly'] }) });
    expect(await outcome).toMatchObject({ direction: 'sendonly' });
  });

  it('a stale nonce is answered once more, a refused answer is not', async () => {
    const leg = dialled();
    const stale = leg.reoffer('sendonly');
    await settle();
    rig.dialog.request_('INVITE').answer(401, challenge('WWW-Authenticate', 'w1'));
    await settle();
    rig.dialog.request_('INVITE').answer(401, challenge('WWW-Authenticate', 'w2', ', stale=true'));
    await settle();
    expect(sent('INVITE').length).toBe(3);
    rig.dialog.request_('INVITE').answer(401, challenge('WWW-Authenticate', 'w3'));
    expect(await stale).toBeUndefined();
    expect([sent('INVITE').length, leg.state]).toEqual([3, 'confirmed']);
  });

  it('a server that asks for ever is given up', async () => {
    const leg = dialled();
    const outcome = leg.reoffer('sendonly');
    await settle();
    for (let i = 0; i < 10; i += 1) {
      rig.dialog.request_('INVITE').answer(401, challenge('WWW-Authenticate', `w${i}`, ', stale=true'));
      await settle();
    }
    expect(await outcome).toBeUndefined();
    expect(sent('INVITE').length).toBe(3);
  });

  it('a BYE: the call is over at the answer to the second', async () => {
    const leg = dialled();
    const over = leg.hangup(end);
    rig.dialog.request_('BYE').answer(407, challenge('Proxy-Authenticate', 'p1'));
    await settle();
    expect(rig.closed).toBe(0);
    expect(rig.dialog.request_('BYE').headers?.['Proxy-Authorization']).toContain('nc=00000001');
    rig.dialog.request_('BYE').answer(200);
    await over;
    expect(rig.closed).toBe(1);
  });

  it('counts how often a nonce was used, for each server', async () => {
    const leg = dialled();
    const answers = async (method: string, nonces: readonly (readonly [number, string, string])[]) => {
      for (const [status, name, nonce] of nonces) {
        rig.dialog.request_(method).answer(status, challenge(name, nonce));
        await settle();
      }
    };
    void leg.reoffer('sendonly');
    await settle();
    await answers('INVITE', [
      [407, 'Proxy-Authenticate', 'p1'],
      [401, 'WWW-Authenticate', 'w1'],
    ]);
    rig.dialog.request_('INVITE').answer(488);
    await settle();
    void leg.hangup(end);
    await answers('BYE', [
      [407, 'Proxy-Authenticate', 'p1'],
      [401, 'WWW-Authenticate', 'w1'],
    ]);
    const { headers } = rig.dialog.request_('BYE');
    expect(headers?.['Proxy-Authorization']).toContain('nc=00000002');
    expect(headers?.['Authorization']).toContain('nc=00000002');
  });
});
