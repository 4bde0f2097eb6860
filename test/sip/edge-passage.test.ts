import { beforeEach, describe, expect, it } from 'vitest';
import type { DialOptions } from '../../src/call/dialer.ts';
import { EdgePassage, innerPolicy, profileOf } from '../../src/sip/edge-passage.ts';
import { SipLeg } from '../../src/sip/leg.ts';
import type { LegContext } from '../../src/sip/leg-context.ts';
import { OfferAnswer } from '../../src/sip/offer-answer.ts';
import type { OfferPolicy } from '../../src/sip/stream-choice.ts';
import { placeCall } from '../../src/sip/uac.ts';
import { FakeEdge, INNER, OUTER } from '../support/fake-edge.ts';
import { FakeResponse, fakeRequest, settle } from '../support/fake-srf.ts';
import { end, held, LegRig, openPolicy, plain, sdpBody } from '../support/leg-rig.ts';
import { sdpText } from '../support/sdp-texts.ts';

const KEY = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';
const secure = sdpText({ session: ['c=IN IP4 203.0.113.9'], media: ['m=audio 4000 RTP/SAVP 0', KEY] });
const policy: OfferPolicy = { ...openPolicy, encryption: 'allow', mayCarryKeys: true };
const away = { failed: 'away', text: 'The media edge does not answer' } as const;

let rig: LegRig;
let edge: FakeEdge;
let context: LegContext;
beforeEach(() => {
  rig = new LegRig();
  edge = new FakeEdge();
  context = { ...rig.context, edge };
});

const INFO = {
  ...{ sipCallId: 'c', from: 'a', to: 'b', called: 'b', sourceAddress: '203.0.113.9:5060', transport: 'udp' },
  variables: {},
};
/** A call that comes in; without `offer` its INVITE had none. */
function incoming(offer: string | undefined = secure) {
  const passage = new EdgePassage(edge.open(), policy, '203.0.113.9');
  const session = new OfferAnswer({ sessionId: '7', signallingAddress: '203.0.113.9', policy: innerPolicy(policy) });
  const req = fakeRequest({ body: offer ?? '', headers: { 'Content-Type': 'application/sdp', CSeq: '1 INVITE' } });
  const res = new FakeResponse();
  const origin = { side: 'uas', req, res, reliable: false } as const;
  const leg = new SipLeg(
    { info: INFO, session, transferDomain: '', origin, passage, ...(offer && { offer }) },
    context,
  );
  const directions: string[] = [];
  leg.setHandlers({ onMedia: (m) => directions.push(m.direction), onDtmf: () => undefined, onEnd: () => undefined });
  return { leg, req, res, directions };
}
async function talking(offer: string | undefined = secure, ackBody = '') {
  const call = incoming(offer);
  const answered = call.leg.answer(plain);
  await settle();
  rig.srf.uas[0]?.done(null, rig.dialog);
  const headers = { CSeq: '1 ACK', 'Content-Type': 'application/sdp' };
  rig.dialog.emit('ack', fakeRequest({ method: 'ACK', body: ackBody, headers }));
  return { ...call, media: await answered };
}
const reinvite = async (body: string): Promise<FakeResponse> => {
  const res = new FakeResponse();
  rig.dialog.emit('modify', fakeRequest({ method: 'INVITE', ...sdpBody(body) }), res);
  await settle();
  return res;
};

describe('a call that comes in through the media edge', () => {
  it('has media at the edge inside, and is answered as the edge says it outside', async () => {
    const { media } = await talking();
    expect(media).toMatchObject({ remote: { address: INNER, port: 4000 }, signallingAddress: INNER });
    expect(media.srtp).toBeUndefined();
    expect(rig.srf.uas[0]!.sdp).toContain(`c=IN IP4 ${OUTER}`);
    expect(rig.srf.uas[0]!.sdp).toContain('RTP/SAVP');
    expect(edge.last.steps).toEqual(['offer from outer', 'answer from inner']);
    expect(edge.last.messages[0]!.outerAddress).toBe('203.0.113.9');
  });

  it('a late offer goes out by it, and its answer comes in by it', async () => {
    const { media } = await talking('', secure);
    expect(media.remote.address).toBe(INNER);
    expect(edge.last.steps).toEqual(['offer from inner', 'answer from outer']);
  });

  it('hold and resume pass it', async () => {
    const { directions } = await talking();
    const res = await reinvite(held);
    expect(res.last).toMatchObject({ status: 200 });
    await reinvite(secure);
    expect(directions).toEqual(['recvonly', 'sendrecv']);
    expect(edge.last.steps.slice(2)).toEqual([
      'offer from outer',
      'answer from inner',
      'offer from outer',
      'answer from inner',
    ]);
  });

  it('an offer that meets one on its way through it waits', async () => {
    await talking();
    let go: () => void = () => undefined;
    edge.last.hold = new Promise((resolve) => {
      go = resolve;
    });
    const first = await reinvite(held);
    const second = await reinvite(secure);
    expect([first.last, second.last?.status]).toEqual([undefined, 500]);
    go();
    await settle();
    expect(first.last?.status).toBe(200);
  });

  it('what media refuses is taken back at the edge', async () => {
    await talking();
    const res = await reinvite(sdpText({ media: ['m=audio 4000 RTP/AVP 18'] }));
    expect(res.last?.status).toBe(488);
    expect(edge.last.steps.slice(2)).toEqual(['offer from outer', 'rollback']);
  });

  it.each([
    { name: 'away', failure: away, status: 503, reason: 'no-engine' },
    { name: 'refusing it', failure: { failed: 'refused', text: 'No' } as const, status: 488, reason: 'bad-offer' },
  ])('is refused while the edge is $name', async ({ failure, status, reason }) => {
    edge.failure = failure;
    const { leg, res } = incoming();
    await expect(leg.answer(plain)).rejects.toMatchObject({ end: { reason } });
    expect([res.last?.status, edge.last.closed]).toEqual([status, 1]);
  });

  it('when our answer does not pass, it is refused and nothing is left', async () => {
    const { leg, res } = incoming();
    edge.last.offer = async (message) => {
      edge.failure = away;
      return message.sdp.replace('RTP/SAVP', 'RTP/AVP').replace('203.0.113.9', INNER);
    };
    await expect(leg.answer(plain)).rejects.toMatchObject({ end: { reason: 'no-engine' } });
    expect([res.last?.status, edge.last.closed, leg.media]).toEqual([503, 1, undefined]);
  });

  it.each(['cancel', 'hangup', 'lost'] as const)('%s while it passes gives it back', async (how) => {
    const { leg, req } = incoming();
    edge.last.hold = new Promise(() => undefined);
    leg.answer(plain).catch(() => undefined);
    if (how === 'cancel') req.emit('cancel');
    else if (how === 'lost') leg.lost();
    else await leg.hangup(end);
    expect(edge.last.closed).toBe(1);
  });

  it('the end tells what the outer side was', async () => {
    const { leg } = await talking();
    expect(leg.outerMedia).toBeUndefined();
    rig.dialog.emit('destroy', fakeRequest({ method: 'BYE' }));
    expect(await leg.outerMedia).toEqual({ edge: 'fake', outerPacketsReceived: 5 });
    expect(edge.last.closed).toBe(1);
    edge.last.lost = 'edge:1';
    expect(leg.edgeLost).toBe('edge:1');
  });
});

describe('a call that goes out through the media edge', () => {
  const dial = (options: Partial<DialOptions> = {}, own = policy) =>
    placeCall({ uri: 'sip:+9661@trunk.example.com', from: '+9662', media: plain, ...options }, context, own);

  it.each<[string, readonly string[] | undefined, string]>([
    ['of IPv6 alone', ['2001:db8::7', '2001:db8::8'], '2001:db8::7'],
    ['of both', ['2001:db8::7', '192.0.2.7'], ''],
    ['of nothing', [], ''],
    ['that nobody knows', undefined, ''],
  ])('a host by a name %s', async (_, addresses, outerAddress) => {
    const asked: string[] = [];
    const addressesOf = async (host: string): Promise<readonly string[]> => {
      asked.push(host);
      if (!addresses) throw new Error('ENOTFOUND');
      return addresses;
    };
    void placeCall(
      { uri: 'sip:+9661@trunk.example.com', from: '+9662', media: plain },
      { ...context, addressesOf },
      policy,
    );
    await settle();
    expect([asked, edge.last.messages[0]!.outerAddress]).toEqual([['trunk.example.com'], outerAddress]);
  });

  it('a host by a name that is not resolved in time is taken for one of IPv4; an address is not asked for', async () => {
    const addressesOf = () => new Promise<never>(() => undefined);
    const call = { from: '+9662', media: plain };
    void placeCall({ uri: 'sip:+9661@trunk.example.com', ...call }, { ...context, addressesOf }, policy);
    await settle();
    expect(edge.last.messages).toEqual([]);
    await rig.clock.advanceAsync(2_000, 2_000);
    await settle();
    expect(edge.last.messages[0]!.outerAddress).toBe('');
    void placeCall({ uri: 'sip:+9661@[2001:db8::9]', ...call }, { ...context, addressesOf }, policy);
    await settle();
    expect(edge.last.messages[0]!.outerAddress).toBe('2001:db8::9');
  });

  it('is offered as the edge says it, and answered inside', async () => {
    rig.dialog.remote = { uri: 'sip:b@203.0.113.9', sdp: secure };
    const placed = dial();
    await settle();
    expect(rig.srf.uac[0]!.options.localSdp).toContain(`c=IN IP4 ${OUTER}`);
    rig.srf.uac[0]!.answer(rig.dialog);
    const leg = await placed;
    expect(leg.media?.remote.address).toBe(INNER);
    expect(edge.last.messages[0]).toMatchObject({ from: 'inner', profile: 'osrtp' });
    expect(edge.last.messages[1]!.outerAddress).toBe(rig.dialog.res.source_address);
    expect(edge.last.closed).toBe(0);
    void leg.reoffer('sendonly');
    await settle();
    expect(edge.last.steps[2]).toBe('offer from inner');
  });

  it.each([
    { name: 'refused', does: () => rig.srf.uac[0]!.refuse(486) },
    { name: 'answered with what is not taken', does: () => rig.srf.uac[0]!.answer(rig.dialog) },
  ])('$name: it is given back', async ({ name, does }) => {
    rig.dialog.remote = { uri: 'sip:b@203.0.113.9', sdp: sdpText() };
    const placed = dial({}, name === 'refused' ? policy : { ...policy, encryption: 'require' });
    placed.catch(() => undefined);
    await settle();
    does();
    await expect(placed).rejects.toMatchObject({ end: { reason: name === 'refused' ? 'busy' : 'bad-offer' } });
    expect(edge.last.closed).toBeGreaterThan(0);
  });

  it('is not made while the edge is away', async () => {
    edge.failure = away;
    await expect(dial()).rejects.toMatchObject({ end: { party: 'gateway', reason: 'no-engine' } });
    expect([rig.srf.uac.length, edge.last.closed]).toEqual([0, 1]);
  });

  it('keys beside plain that are not understood are left out', async () => {
    rig.dialog.remote = { uri: 'sip:b@203.0.113.9', sdp: sdpText() };
    const placed = dial();
    await settle();
    rig.srf.uac[0]!.refuse(488);
    await settle();
    rig.srf.uac[1]!.answer(rig.dialog);
    await placed;
    expect(edge.last.messages.filter(({ from }) => from === 'inner').map(({ profile }) => profile)).toEqual([
      'osrtp',
      'rtp',
    ]);
  });

  it.each([
    ['none', 'udp', 'rtp'],
    ['allow', 'tls', 'dtls'],
    ['require', 'tls', 'dtls'],
    ['require', 'ws', 'webrtc'],
  ] as const)('with DTLS wanted, encryption %s by %s: %s', (encryption, transport, profile) => {
    expect(profileOf({ ...policy, encryption }, { transport, host: 'h' }, true)).toBe(profile);
  });

  it.each([
    ['none', true, 'udp', 'rtp'],
    ['allow', true, 'tls', 'osrtp'],
    ['allow', false, 'udp', 'rtp'],
    ['require', true, 'tls', 'sdes'],
    ['require', false, 'udp', 'dtls'],
    ['none', true, 'wss', 'webrtc'],
    ['require', false, 'ws', 'webrtc'],
  ] as const)('encryption %s, keys carried %s, by %s: %s', (encryption, mayCarryKeys, transport, profile) => {
    expect(profileOf({ ...policy, encryption, mayCarryKeys }, { transport, host: 'h' })).toBe(profile);
  });
});
