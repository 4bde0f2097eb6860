import { describe, expect, it } from 'vitest';
import type { MediaEndpoint, NegotiatedMedia } from '../../src/media/description.ts';
import { carriesAudio, choosePtime, mirrorDirection, narrowDirection } from '../../src/media/rtp/rtp-session.ts';
import {
  nextOfferAnswerState,
  OFFER_ANSWER_TRANSITIONS,
  OfferAnswer,
  type OfferAnswerEvent,
  type OfferAnswerState,
} from '../../src/sip/offer-answer.ts';
import { makeAnswer, makeOffer, takeAnswer } from '../support/decided-offers.ts';
import { type SdpParts, sdpText } from '../support/sdp-texts.ts';

const local = { address: '198.51.100.5', port: 20_000 };
const peer = '192.0.2.10';

function session(signallingAddress = peer, isSecure = false): OfferAnswer {
  const isOurs = ({ address, port }: MediaEndpoint) => address === local.address && port === local.port;
  return new OfferAnswer({
    sessionId: '77',
    signallingAddress,
    policy: { encryption: isSecure ? 'require' : 'none', mayCarryKeys: true, isOurs, carries: carriesAudio },
  });
}

const audio = (line: string, ...attributes: string[]): SdpParts => ({
  media: [line, ...attributes.map((a) => `a=${a}`)],
});
const session0 = (...session: string[]): SdpParts => ({ session });

describe('a session over several exchanges', () => {
  const versionIn = (sdp: string): string | undefined => /^o=- 77 (\d+) /m.exec(sdp)?.[1];

  function established(): OfferAnswer {
    const oa = session();
    expect(oa.receiveOffer(sdpText())).toBeUndefined();
    makeAnswer(oa, local);
    return oa;
  }
  function reoffer(oa: OfferAnswer, parts: SdpParts): { sdp: string; media: NegotiatedMedia } {
    expect(oa.receiveOffer(sdpText(parts))).toBeUndefined();
    return makeAnswer(oa, local);
  }

  it('raises the version by one only when the description changes', () => {
    const oa = established();
    const versions = [
      reoffer(oa, {}),
      reoffer(oa, audio('m=audio 4000 RTP/AVP 0 101', 'rtpmap:101 telephone-event/8000', 'sendonly')),
      reoffer(oa, audio('m=audio 4000 RTP/AVP 0 101', 'rtpmap:101 telephone-event/8000', 'sendonly')),
      reoffer(oa, {}),
    ].map((answer) => versionIn(answer.sdp));
    expect(versions).toEqual(['1', '2', '2', '3']);
  });

  it.each([
    { name: 'sendonly', hold: audio('m=audio 4000 RTP/AVP 0', 'sendonly'), direction: 'recvonly' },
    { name: 'inactive', hold: audio('m=audio 4000 RTP/AVP 0', 'inactive'), direction: 'inactive' },
    { name: '0.0.0.0', hold: session0('c=IN IP4 0.0.0.0'), direction: 'recvonly' },
    { name: '::', hold: session0('c=IN IP6 ::'), direction: 'recvonly' },
    { name: 'port 0', hold: audio('m=audio 0 RTP/AVP 0'), direction: 'inactive' },
  ])('holds by $name and resumes', ({ hold, direction }) => {
    const oa = established();
    const held = reoffer(oa, hold);
    expect(held.media).toMatchObject({ direction, remote: { address: peer, port: 4000 } });
    expect(reoffer(oa, {}).media).toMatchObject({ direction: 'sendrecv', remote: { address: peer, port: 4000 } });
  });

  it('follows a moved address and a changed codec', () => {
    const oa = established();
    const moved = reoffer(oa, { session: ['c=IN IP4 192.0.2.99'], media: ['m=audio 5000 RTP/AVP 8'] });
    expect(moved.media).toMatchObject({ remote: { address: '192.0.2.99', port: 5000 }, codec: 'PCMA' });
  });

  it('keeps what was agreed when a new offer is refused', () => {
    const oa = established();
    expect(oa.receiveOffer(sdpText(audio('m=audio 4000 RTP/AVP 18')))).toMatchObject({ kind: 'no-codec' });
    expect(oa.state).toBe('stable');
    expect(oa.media?.codec).toBe('PCMU');
  });

  it('makes an offer for a call without one, and takes the answer', () => {
    const oa = session();
    const offer = makeOffer(oa, local);
    expect(offer).toContain('m=audio 20000 RTP/AVP 0 8 101 13');
    const media = takeAnswer(
      oa,
      sdpText(audio('m=audio 4000 RTP/AVP 8 97', 'rtpmap:97 telephone-event/8000', 'rtcp-mux')),
    );
    expect(media).toMatchObject({ codec: 'PCMA', dtmfPayloadType: 97, direction: 'sendrecv', rtcpMux: true });
  });

  it('repeats refused lines in its own later offer', () => {
    const oa = session();
    oa.receiveOffer(sdpText({ media: ['m=video 5000 RTP/AVP 96', 'm=audio 4000 RTP/AVP 0'] }));
    makeAnswer(oa, local);
    const offer = makeOffer(oa, local);
    expect(offer.split('\r\n').filter((line) => line.startsWith('m='))).toEqual([
      'm=video 0 RTP/AVP 96',
      'm=audio 20000 RTP/AVP 0 8 101 13',
    ]);
    expect(versionIn(offer)).toBe('2');
  });

  it.each([
    { name: 'garbage', body: 'x', refused: 'malformed' },
    { name: 'stream refused', body: sdpText(audio('m=audio 0 RTP/AVP 0')), refused: 'unacceptable' },
    { name: 'codec never offered', body: sdpText(audio('m=audio 4000 RTP/AVP 18')), refused: 'no-codec' },
  ])('refuses an answer: $name', ({ body, refused }) => {
    const oa = session();
    makeOffer(oa, local);
    expect(takeAnswer(oa, body)).toMatchObject({ kind: refused });
    expect(oa.state).toBe('stable');
  });

  it('an answer may not give more than was offered', () => {
    const oa = established();
    makeOffer(oa, local, 'sendonly');
    expect(takeAnswer(oa, sdpText())).toMatchObject({ direction: 'sendonly' });
  });

  it('sees glare, and survives it', () => {
    const oa = established();
    makeOffer(oa, local);
    expect(oa.receiveOffer(sdpText())).toBe('glare');
    oa.rollback();
    expect(reoffer(oa, {}).media.codec).toBe('PCMU');
  });

  it('our own calls out of turn throw', () => {
    const oa = session();
    expect(() => makeAnswer(oa, local)).toThrow();
    expect(() => takeAnswer(oa, sdpText())).toThrow();
    makeOffer(oa, local);
    expect(() => makeOffer(oa, local)).toThrow();
  });
});

describe('offer/answer states', () => {
  const states = Object.keys(OFFER_ANSWER_TRANSITIONS) as OfferAnswerState[];
  const events: OfferAnswerEvent[] = ['sendOffer', 'receiveAnswer', 'receiveOffer', 'sendAnswer', 'rollback'];
  const expected: Record<OfferAnswerState, Partial<Record<OfferAnswerEvent, OfferAnswerState>>> = {
    stable: { sendOffer: 'local-offer', receiveOffer: 'remote-offer' },
    'local-offer': { receiveAnswer: 'stable', rollback: 'stable' },
    'remote-offer': { sendAnswer: 'stable', rollback: 'stable' },
  };
  it.each(states.flatMap((state) => events.map((event) => ({ state, event }))))(
    '$state, $event',
    ({ state, event }) => {
      expect(nextOfferAnswerState(state, event)).toBe(expected[state][event]);
    },
  );
});

describe('directions and packet times', () => {
  it.each([
    ['sendrecv', false, 'sendrecv'],
    ['sendonly', false, 'recvonly'],
    ['recvonly', false, 'sendonly'],
    ['inactive', false, 'inactive'],
    ['sendrecv', true, 'recvonly'],
    ['sendonly', true, 'recvonly'],
    ['recvonly', true, 'inactive'],
    ['inactive', true, 'inactive'],
  ] as const)('against %s (held %s) we are %s', (theirs, held, ours) => {
    expect(mirrorDirection(theirs, held)).toBe(ours);
  });
  it.each([
    ['sendrecv', 'recvonly', 'recvonly'],
    ['sendonly', 'recvonly', 'inactive'],
    ['recvonly', 'sendrecv', 'recvonly'],
    ['inactive', 'sendrecv', 'inactive'],
  ] as const)('%s narrowed by %s is %s', (ours, allowed, left) => {
    expect(narrowDirection(ours, allowed)).toBe(left);
  });
  it.each([
    [undefined, undefined, 20],
    [20, 20, 20],
    [1, undefined, 10],
    [undefined, 15, 10],
    [1000, 1000, 60],
  ])('ptime %s, maxptime %s: %i ms', (ptime, maxptime, chosen) => {
    expect(choosePtime(ptime, maxptime)).toBe(chosen);
  });
});
