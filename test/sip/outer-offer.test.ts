import { describe, expect, it } from 'vitest';
import { judgeOuter } from '../../src/sip/outer-offer.ts';
import { isRefusal, type OfferPolicy } from '../../src/sip/stream-choice.ts';
import { openPolicy } from '../support/leg-rig.ts';
import { sdpText } from '../support/sdp-texts.ts';

const SOURCE = '203.0.113.9';
const KEY = 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';
const NULL_KEY = 'a=crypto:2 NULL_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz';
const OPEN_KEY = `${KEY.replace('crypto:1', 'crypto:3')} UNENCRYPTED_SRTP`;
const PRINT = 'a=fingerprint:sha-256 AA:BB';
const allow: OfferPolicy = { ...openPolicy, encryption: 'allow', mayCarryKeys: true };

/** What is left: of each stream its port and protocol, and the keys; or the warning of the refusal. */
function left(media: readonly string[], policy: Partial<OfferPolicy> = {}, session?: readonly string[]): string {
  const judged = judgeOuter(sdpText({ media, ...(session && { session }) }), SOURCE, { ...allow, ...policy });
  if (isRefusal(judged)) return `${judged.kind} ${judged.warning}`;
  const streams = [...judged.sdp.matchAll(/^m=(\S+) (\d+) (\S+)/gm)].map(([, kind, port, protocol]) =>
    [kind, port, protocol].join(' '),
  );
  const keys = [...judged.sdp.matchAll(/^a=crypto:(\d+)/gm)].map(([, tag]) => tag);
  return [...streams, ...(keys.length > 0 ? [`keys ${keys.join(' ')}`] : [])].join('; ');
}

describe('what comes from outside and is to pass the media edge', () => {
  it.each<[string, string[], Partial<OfferPolicy>, string]>([
    ['plain', ['m=audio 4000 RTP/AVP 0'], {}, 'audio 4000 RTP/AVP'],
    ['plain, and keys are required', ['m=audio 4000 RTP/AVP 0'], { encryption: 'require' }, 'unacceptable 302'],
    ['keys beside plain', ['m=audio 4000 RTP/AVP 0', KEY], {}, 'audio 4000 RTP/AVP; keys 1'],
    ['the same, in clear signalling', ['m=audio 4000 RTP/AVP 0', KEY], { mayCarryKeys: false }, 'audio 4000 RTP/AVP'],
    ['the same, none taken', ['m=audio 4000 RTP/AVP 0', KEY], { encryption: 'none' }, 'audio 4000 RTP/AVP'],
    ['SDES', ['m=audio 4000 RTP/SAVP 0', KEY], {}, 'audio 4000 RTP/SAVP; keys 1'],
    ['SDES in clear signalling', ['m=audio 4000 RTP/SAVP 0', KEY], { mayCarryKeys: false }, 'unacceptable 302'],
    ['SDES, none taken', ['m=audio 4000 RTP/SAVP 0', KEY], { encryption: 'none' }, 'unacceptable 302'],
    ['SDES without keys', ['m=audio 4000 RTP/SAVP 0'], {}, 'unacceptable 302'],
    ['a cipher that hides nothing', ['m=audio 4000 RTP/SAVP 0', NULL_KEY], {}, 'unacceptable 302'],
    ['keys that encrypt nothing', ['m=audio 4000 RTP/SAVP 0', OPEN_KEY], {}, 'unacceptable 302'],
    [
      'good keys among bad ones',
      ['m=audio 4000 RTP/SAVP 0', NULL_KEY, OPEN_KEY, KEY],
      {},
      'audio 4000 RTP/SAVP; keys 1',
    ],
    ['DTLS', ['m=audio 4000 UDP/TLS/RTP/SAVPF 0', PRINT], {}, 'audio 4000 UDP/TLS/RTP/SAVPF'],
    [
      'DTLS in clear signalling',
      ['m=audio 4000 UDP/TLS/RTP/SAVP 0', PRINT],
      { mayCarryKeys: false },
      'audio 4000 UDP/TLS/RTP/SAVP',
    ],
    [
      'DTLS, which is required',
      ['m=audio 4000 UDP/TLS/RTP/SAVP 0', PRINT],
      { encryption: 'require' },
      'audio 4000 UDP/TLS/RTP/SAVP',
    ],
    ['DTLS, none taken', ['m=audio 4000 UDP/TLS/RTP/SAVP 0', PRINT], { encryption: 'none' }, 'unacceptable 302'],
    ['DTLS without a fingerprint', ['m=audio 4000 UDP/TLS/RTP/SAVP 0'], {}, 'unacceptable 302'],
    ['keys do not make DTLS', ['m=audio 4000 UDP/TLS/RTP/SAVP 0', KEY], {}, 'unacceptable 302'],
    ['another protocol', ['m=audio 4000 TCP/RTP/AVP 0'], {}, 'unacceptable 302'],
    ['no audio', ['m=video 4000 RTP/AVP 96'], {}, 'unacceptable 304'],
    ['audio switched off', ['m=audio 0 RTP/AVP 0'], {}, 'audio 0 RTP/AVP'],
  ])('%s', (_, media, policy, is) => {
    expect(left(media, policy)).toBe(is);
  });

  it('one stream is left: encrypted before plain, and no video', () => {
    const media = ['m=audio 4000 RTP/AVP 0', 'm=audio 4002 RTP/SAVP 0', KEY, 'm=video 4004 RTP/AVP 96'];
    expect(left(media)).toBe('audio 0 RTP/AVP; audio 4002 RTP/SAVP; video 0 RTP/AVP; keys 1');
    expect(left(media, { encryption: 'none' })).toBe('audio 4000 RTP/AVP; audio 0 RTP/SAVP; video 0 RTP/AVP');
  });

  it('a fingerprint may stand for the session', () => {
    const session = ['c=IN IP4 192.0.2.10', PRINT];
    expect(left(['m=audio 9 UDP/TLS/RTP/SAVPF 0'], {}, session)).toBe('audio 9 UDP/TLS/RTP/SAVPF');
  });

  it.each([
    { name: 'a group', session: ['c=IN IP4 224.0.0.1/32'], is: 'unacceptable 330' },
    { name: 'loopback: it is not used', session: ['c=IN IP4 127.0.0.1'], is: 'audio 4000 RTP/AVP' },
    { name: 'a name: it is not used', session: ['c=IN IP4 victim.example'], is: 'audio 4000 RTP/AVP' },
    { name: 'IPv6', session: ['c=IN IP6 2001:db8::1'], is: 'audio 4000 RTP/AVP' },
  ])('media at $name', ({ session, is }) => {
    expect(left(['m=audio 4000 RTP/AVP 0'], {}, session)).toBe(is);
  });

  it('a port of ours at the address that SIP comes from is refused, and not with ICE, which asks first', () => {
    const isOurs: OfferPolicy['isOurs'] = ({ address, port }) => address === SOURCE && port === 4000;
    expect(left(['m=audio 4000 RTP/AVP 0'], { isOurs })).toBe('unacceptable 301');
    expect(left(['m=audio 3999 RTP/AVP 0', 'a=rtcp:4000'], { isOurs })).toBe('unacceptable 301');
    const browser = ['m=audio 4000 UDP/TLS/RTP/SAVPF 0', PRINT, 'a=ice-ufrag:abcd'];
    expect(left(browser, { isOurs })).toBe('audio 4000 UDP/TLS/RTP/SAVPF');
  });

  it.each([
    { name: 'nothing said', lines: [], is: 'sendonly' },
    { name: 'sendrecv', lines: ['a=sendrecv'], is: 'sendonly' },
    { name: 'recvonly', lines: ['a=recvonly', 'a=ptime:20'], is: 'inactive' },
    { name: 'by IPv6', lines: [], is: 'sendonly', to: 'IP6 ::' },
    { name: 'by IPv6 in full', lines: [], is: 'sendonly', to: 'IP6 0:0:0:0:0:0:0:0' },
  ])('hold by the unspecified address is said by the direction: $name', ({ lines, is, to = 'IP4 0.0.0.0' }) => {
    const media = ['m=video 0 RTP/AVP 96', 'm=audio 4000 RTP/AVP 0', ...lines];
    const judged = judgeOuter(sdpText({ session: [`c=IN ${to}`], media }), SOURCE, allow);
    expect('sdp' in judged && judged.sdp.match(/^a=(send|recv|inactive)\S*/gm)).toEqual([`a=${is}`]);
  });

  it('a browser that names no address holds nobody', () => {
    const media = ['m=audio 9 UDP/TLS/RTP/SAVPF 0', PRINT, 'a=ice-ufrag:abcd'];
    const judged = judgeOuter(sdpText({ session: ['c=IN IP4 0.0.0.0'], media }), SOURCE, allow);
    expect('sdp' in judged && judged.sdp).not.toContain('sendonly');
  });

  it('what cannot be read is malformed', () => {
    for (const text of ['', 'v=1\r\n', 'hello', 'v=0\r\nm=audio x RTP/AVP 0\r\n']) {
      expect(judgeOuter(text, SOURCE, allow)).toMatchObject({ kind: 'malformed' });
    }
  });
});
