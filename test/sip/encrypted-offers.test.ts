import { describe, expect, it } from 'vitest';
import type { MediaEncryption } from '../../src/core/trunk.ts';
import { carriesAudio } from '../../src/media/rtp/rtp-session.ts';
import { SrtpKey } from '../../src/media/srtp/srtp-key.ts';
import type { SrtpSuite } from '../../src/media/srtp/srtp-suite.ts';
import { OfferAnswer } from '../../src/sip/offer-answer.ts';
import { writeCrypto } from '../../src/sip/sdes.ts';
import { isRefusal } from '../../src/sip/stream-choice.ts';
import { makeAnswer, makeOffer, takeAnswer } from '../support/decided-offers.ts';
import { sdpText } from '../support/sdp-texts.ts';

const local = { address: '198.51.100.5', port: 20_000 };
const peer = '192.0.2.10';
const POLICIES: readonly MediaEncryption[] = ['none', 'allow', 'require'];

function session(encryption: MediaEncryption, mayCarryKeys = true): OfferAnswer {
  const policy = { encryption, mayCarryKeys, isOurs: () => false, carries: carriesAudio };
  return new OfferAnswer({ sessionId: '77', signallingAddress: peer, policy, mayOfferChoice: true });
}

const crypto = (suite: SrtpSuite, tag = 1, key = SrtpKey.random(suite)): string =>
  `a=${writeCrypto({ tag, suite, keys: [key] })}`;
const CM80 = 'AES_CM_128_HMAC_SHA1_80';
const plain = sdpText({ media: ['m=audio 4000 RTP/AVP 0'] });
const secure = (...lines: string[]): string => sdpText({ media: ['m=audio 4000 RTP/SAVP 0', ...lines] });
const optional = (...lines: string[]): string => sdpText({ media: ['m=audio 4000 RTP/AVP 0', ...lines] });
const linesOf = (sdp: string, start: string): string[] => sdp.split('\r\n').filter((line) => line.startsWith(start));

/** What comes of an offer: how it is answered, or the refusal. */
function answerTo(body: string, encryption: MediaEncryption, mayCarryKeys = true): string {
  const oa = session(encryption, mayCarryKeys);
  const refused = oa.receiveOffer(body);
  if (refused) return refused === 'glare' ? refused : `${refused.kind} ${refused.warning}`;
  const { sdp, media } = makeAnswer(oa, local);
  const [line = ''] = linesOf(sdp, 'm=');
  expect(linesOf(sdp, 'a=crypto:').length, 'keys in the answer').toBe(media.srtp ? 1 : 0);
  return `${line.split(' ')[2]}${media.srtp ? ` ${media.srtp.send.suite}` : ''}`;
}

describe('an offer and what policy makes of it', () => {
  const offers = {
    'plain RTP': plain,
    'AVP with a=crypto': optional(crypto(CM80)),
    'SAVP with a=crypto': secure(crypto(CM80)),
    'SAVP with a key that nobody can use': secure('a=crypto:1 F8_128_HMAC_SHA1_80 inline:AAAA'),
    'SAVP without a key': secure(),
    DTLS: sdpText({ media: ['m=audio 4000 UDP/TLS/RTP/SAVPF 0', 'a=fingerprint:sha-256 AA', crypto(CM80)] }),
  };
  const no = 'unacceptable 302';
  it.each<[keyof typeof offers, string, string, string]>([
    ['plain RTP', 'RTP/AVP', 'RTP/AVP', no],
    ['AVP with a=crypto', 'RTP/AVP', `RTP/AVP ${CM80}`, `RTP/AVP ${CM80}`],
    ['SAVP with a=crypto', no, `RTP/SAVP ${CM80}`, `RTP/SAVP ${CM80}`],
    ['SAVP with a key that nobody can use', no, no, no],
    ['SAVP without a key', no, no, no],
    ['DTLS', no, no, no],
  ])('%s: none %s, allow %s, require %s', (offer, ...expected) => {
    expect(POLICIES.map((policy) => answerTo(offers[offer], policy))).toEqual(expected);
  });

  it.each<[keyof typeof offers, string, string, string]>([
    ['plain RTP', 'RTP/AVP', 'RTP/AVP', no],
    ['AVP with a=crypto', 'RTP/AVP', 'RTP/AVP', no],
    ['SAVP with a=crypto', no, no, no],
  ])('where keys would go in the clear, %s: none %s, allow %s, require %s', (offer, ...expected) => {
    expect(POLICIES.map((policy) => answerTo(offers[offer], policy, false))).toEqual(expected);
  });

  it('a stripped a=crypto is refused where encryption is required', () => {
    expect(answerTo(optional(crypto(CM80)).replace(/a=crypto.*\r\n/, ''), 'require')).toBe(no);
  });

  it('takes the first suite of the peer that it knows, under its tag', () => {
    const oa = session('require');
    const body = secure('a=crypto:1 X inline:y', crypto('AEAD_AES_256_GCM', 2), crypto(CM80, 3));
    expect(oa.receiveOffer(body)).toBeUndefined();
    expect(linesOf(makeAnswer(oa, local).sdp, 'a=crypto')).toEqual([
      expect.stringMatching(/^a=crypto:2 AEAD_AES_256_GCM inline:[A-Za-z0-9+/=]{60}$/),
    ]);
  });

  it('takes the encrypted stream where both kinds are offered, whichever is first', () => {
    for (const media of [
      ['m=audio 4000 RTP/AVP 0', 'm=audio 4002 RTP/SAVP 8', crypto(CM80)],
      ['m=audio 4002 RTP/SAVP 8', crypto(CM80), 'm=audio 4000 RTP/AVP 0'],
    ]) {
      const oa = session('allow');
      expect(oa.receiveOffer(sdpText({ media }))).toBeUndefined();
      const answer = makeAnswer(oa, local);
      expect(answer.media).toMatchObject({ remote: { port: 4002 }, srtp: { send: { suite: CM80 } } });
      expect(linesOf(answer.sdp, 'm=audio 0 ')).toEqual(['m=audio 0 RTP/AVP 0']);
    }
  });

  it('answers AVPF and SAVPF as they are', () => {
    const body = sdpText({ media: ['m=audio 4000 RTP/SAVPF 0', crypto(CM80)] });
    expect(answerTo(body, 'allow')).toBe(`RTP/SAVPF ${CM80}`);
  });
});

describe('an offer of ours', () => {
  it.each<[MediaEncryption, boolean, string[]]>([
    ['none', true, ['RTP/AVP']],
    ['allow', true, ['RTP/SAVP', 'RTP/AVP']],
    ['require', true, ['RTP/SAVP']],
    ['allow', false, ['RTP/AVP']],
  ])('%s, keys may travel %s: %j', (encryption, mayCarryKeys, expected) => {
    const sdp = makeOffer(session(encryption, mayCarryKeys), local);
    expect(linesOf(sdp, 'm=').map((line) => line.split(' ')[2])).toEqual(expected);
    expect(linesOf(sdp, 'a=crypto').length > 0).toBe(expected.includes('RTP/SAVP'));
    if (expected.length === 2) expect(sdp.indexOf('a=crypto')).toBeLessThan(sdp.indexOf('RTP/AVP '));
  });

  it('leaves no choice in the answer to an INVITE that has no offer', () => {
    const offered = (encryption: MediaEncryption): string[] => {
      const policy = { encryption, mayCarryKeys: true, isOurs: () => false, carries: carriesAudio };
      const sdp = makeOffer(new OfferAnswer({ sessionId: '77', signallingAddress: peer, policy }), local);
      return linesOf(sdp, 'm=').map((line) => line.split(' ')[2]!);
    };
    expect(POLICIES.map(offered)).toEqual([['RTP/AVP'], ['RTP/AVP'], ['RTP/SAVP']]);
  });

  it('is not made where keys are needed and may not travel', () => {
    expect(session('require', false).keysToOffer).toMatchObject({ warning: 302 });
  });

  const offered = (encryption: MediaEncryption) => {
    const oa = session(encryption);
    const sdp = makeOffer(oa, local);
    return { oa, sdp, tag: Number(/a=crypto:(\d+) AES_CM_128_HMAC_SHA1_80/.exec(sdp)?.[1]) };
  };

  it('is protected with the key of the suite that the answer takes', () => {
    const { oa, sdp, tag } = offered('allow');
    const theirs = SrtpKey.random(CM80);
    const body = sdpText({
      media: ['m=audio 4000 RTP/SAVP 0', crypto(CM80, tag, theirs), 'm=audio 0 RTP/AVP 0'],
    });
    const media = takeAnswer(oa, body);
    if (isRefusal(media)) throw new Error(media.text);
    expect(media.srtp?.receive[0]?.equals(theirs)).toBe(true);
    expect(sdp).toContain(`a=${writeCrypto({ tag, suite: CM80, keys: [media.srtp!.send] })}\r\n`);
  });

  it('is in the clear where the answer takes that', () => {
    const { oa } = offered('allow');
    const media = takeAnswer(oa, sdpText({ media: ['m=audio 0 RTP/SAVP 0', 'm=audio 4000 RTP/AVP 0'] }));
    expect(media).toMatchObject({ codec: 'PCMU', remote: { port: 4000 } });
    expect(media).not.toHaveProperty('srtp');
    // And stays so, on the line that was taken.
    const again = makeOffer(oa, local, 'sendonly');
    expect(linesOf(again, 'm=')).toEqual(['m=audio 0 RTP/SAVP 0 8 101 13', 'm=audio 20000 RTP/AVP 0 8 101 13']);
    expect(again).not.toContain('crypto');
  });

  it.each([
    ['a key of a tag that was not offered', (tag: number) => crypto(CM80, tag + 40)],
    ['a suite of another tag', (tag: number) => crypto('AES_CM_128_HMAC_SHA1_32', tag)],
  ])('is not agreed with %s', (_, line) => {
    const { oa, tag } = offered('require');
    expect(() => takeAnswer(oa, secure(line(tag)))).toThrow('The answer has no key');
  });

  it('is not agreed with an answer in the clear where encryption is required', () => {
    const { oa } = offered('require');
    expect(takeAnswer(oa, plain)).toMatchObject({ kind: 'unacceptable', warning: 302 });
  });

  it('takes no key for a line that had none', () => {
    const { oa } = offered('allow');
    const body = sdpText({ media: ['m=audio 0 RTP/SAVP 0', 'm=audio 4000 RTP/AVP 0', crypto(CM80)] });
    expect(takeAnswer(oa, body)).not.toHaveProperty('srtp');
  });
});

describe('keys over several exchanges', () => {
  const theirs = SrtpKey.random(CM80);
  const established = () => {
    const oa = session('allow');
    expect(oa.receiveOffer(secure(crypto(CM80, 1, theirs)))).toBeUndefined();
    return { oa, first: makeAnswer(oa, local) };
  };
  const reoffered = (oa: OfferAnswer, body: string) => {
    expect(oa.receiveOffer(body)).toBeUndefined();
    return makeAnswer(oa, local).media.srtp;
  };

  it('stay in a refresh and over hold', () => {
    const { oa, first } = established();
    const held = reoffered(oa, secure(crypto(CM80, 1, theirs), 'a=sendonly'));
    expect(held?.send.equals(first.media.srtp!.send)).toBe(true);
    expect(makeOffer(oa, local)).toContain(writeCrypto({ tag: 1, suite: CM80, keys: [first.media.srtp!.send] }));
  });

  it('are new on both sides when the peer has a new one', () => {
    const { oa, first } = established();
    const again = reoffered(oa, secure(crypto(CM80)));
    expect(again?.send.equals(first.media.srtp!.send)).toBe(false);
    expect(again?.receive[0]?.equals(theirs)).toBe(false);
  });

  it('are new with another suite', () => {
    const { oa } = established();
    expect(reoffered(oa, secure(crypto('AEAD_AES_128_GCM')))?.send.suite).toBe('AEAD_AES_128_GCM');
  });

  it('go when the peer goes on in the clear, where policy lets it', () => {
    const { oa } = established();
    expect(reoffered(oa, plain)).toBeUndefined();
    const strict = session('require');
    expect(strict.receiveOffer(secure(crypto(CM80)))).toBeUndefined();
    makeAnswer(strict, local);
    expect(strict.receiveOffer(plain)).toMatchObject({ warning: 302 });
  });
});
