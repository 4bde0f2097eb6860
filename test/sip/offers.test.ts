import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MediaEndpoint, NegotiatedMedia } from '../../src/media/description.ts';
import { carriesAudio } from '../../src/media/rtp/rtp-session.ts';
import { OfferAnswer } from '../../src/sip/offer-answer.ts';
import { isDescription, parseSdp, SDP_BYTES_MAX } from '../../src/sip/sdp.ts';
import { makeAnswer } from '../support/decided-offers.ts';
import { runs } from '../support/property-runs.ts';
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

/** Offers `body` and answers it; a refusal comes back as `<kind> <warning>`. */
function exchange(
  body: string,
  signallingAddress = peer,
  secure = false,
): { sdp: string; media: NegotiatedMedia } | string {
  const oa = session(signallingAddress, secure);
  const refused = oa.receiveOffer(body);
  if (refused === 'glare') return 'glare';
  if (refused) return `${refused.kind} ${refused.warning}`;
  return makeAnswer(oa, local);
}

const audio = (line: string, ...attributes: string[]): SdpParts => ({
  media: [line, ...attributes.map((a) => `a=${a}`)],
});
const session0 = (...session: string[]): SdpParts => ({ session });

it.each(['inband', 'info'] as const)('no events are agreed to where keys come by %s', (dtmf) => {
  const common = { isOurs: () => false, carries: carriesAudio, dtmf };
  const policy = { ...common, encryption: 'none', mayCarryKeys: true } as const;
  const oa = new OfferAnswer({ sessionId: '77', signallingAddress: peer, policy });
  expect(oa.receiveOffer(sdpText())).toBeUndefined();
  const { sdp, media } = makeAnswer(oa, local);
  expect(sdp).not.toContain('telephone-event');
  expect([media.dtmf, media.dtmfPayloadType]).toEqual([dtmf, undefined]);
});

describe('offers that are answered', () => {
  it.each<{ name: string; parts: SdpParts; media: Partial<NegotiatedMedia>; answer?: string[]; without?: string[] }>([
    {
      name: 'an ordinary phone',
      parts: {},
      media: {
        remote: { address: peer, port: 4000 },
        codec: 'PCMU',
        payloadType: 0,
        ptimeMs: 20,
        dtmfPayloadType: 101,
        direction: 'sendrecv',
        rtcpMux: false,
        remoteRtcpPort: 4001,
      },
      answer: [
        'o=- 77 1 IN IP4 198.51.100.5',
        'c=IN IP4 198.51.100.5',
        'm=audio 20000 RTP/AVP 0 101',
        'a=fmtp:101 0-15',
      ],
      without: ['rtcp-mux', 'CN/8000'],
    },
    { name: 'A-law preferred', parts: audio('m=audio 4000 RTP/AVP 8 0'), media: { codec: 'PCMA', payloadType: 8 } },
    {
      name: 'ours behind others',
      parts: audio('m=audio 4000 RTP/AVP 9 18 111 3 8', 'rtpmap:111 opus/48000/2'),
      media: { codec: 'PCMA', payloadType: 8 },
      answer: ['m=audio 20000 RTP/AVP 8'],
    },
    {
      name: 'PCMU under a dynamic number',
      parts: audio('m=audio 4000 RTP/AVP 98 97', 'rtpmap:98 pcmu/8000/1', 'rtpmap:97 telephone-event/8000'),
      media: { codec: 'PCMU', payloadType: 98, dtmfPayloadType: 97 },
      answer: ['m=audio 20000 RTP/AVP 98 97', 'a=rtpmap:98 PCMU/8000'],
    },
    {
      name: 'G.722 where nothing else is offered',
      parts: audio('m=audio 4000 RTP/AVP 9 101', 'rtpmap:101 telephone-event/8000'),
      media: { codec: 'G722', payloadType: 9, dtmfPayloadType: 101 },
      answer: ['m=audio 20000 RTP/AVP 9 101', 'a=rtpmap:9 G722/8000'],
    },
    {
      name: 'G.722 under a dynamic number',
      parts: audio('m=audio 4000 RTP/AVP 18 96', 'rtpmap:96 G722/8000'),
      media: { codec: 'G722', payloadType: 96 },
      answer: ['m=audio 20000 RTP/AVP 96', 'a=rtpmap:96 G722/8000'],
    },
    {
      name: 'G.722 before G.711: the cheap one',
      parts: audio('m=audio 4000 RTP/AVP 9 0 8'),
      media: { codec: 'PCMU', payloadType: 0 },
      answer: ['m=audio 20000 RTP/AVP 0'],
    },
    {
      name: 'payload 0 mapped to something else is not PCMU',
      parts: audio('m=audio 4000 RTP/AVP 0 8', 'rtpmap:0 G726-32/8000'),
      media: { codec: 'PCMA', payloadType: 8 },
    },
    {
      name: 'PCMU at 16000 Hz is not ours',
      parts: audio('m=audio 4000 RTP/AVP 96 8', 'rtpmap:96 PCMU/16000'),
      media: { codec: 'PCMA', payloadType: 8 },
    },
    {
      name: 'stereo PCMU is not ours',
      parts: audio('m=audio 4000 RTP/AVP 96 8', 'rtpmap:96 PCMU/8000/2'),
      media: { codec: 'PCMA', payloadType: 8 },
    },
    {
      name: 'telephone-event at two rates: the 8000 Hz one',
      parts: audio(
        'm=audio 4000 RTP/AVP 8 110 102',
        'rtpmap:110 telephone-event/48000',
        'rtpmap:102 telephone-event/8000',
      ),
      media: { dtmfPayloadType: 102 },
    },
    { name: 'no telephone-event', parts: audio('m=audio 4000 RTP/AVP 0'), media: {}, without: ['telephone-event'] },
    {
      name: 'comfort noise, static number',
      parts: audio('m=audio 4000 RTP/AVP 0 13'),
      media: { comfortNoisePayloadType: 13 },
      answer: ['m=audio 20000 RTP/AVP 0 13', 'a=rtpmap:13 CN/8000'],
    },
    {
      name: 'ptime 30',
      parts: audio('m=audio 4000 RTP/AVP 0', 'ptime:30'),
      media: { ptimeMs: 30 },
      answer: ['a=ptime:30'],
    },
    {
      name: 'ptime 50: the longest we can below it',
      parts: audio('m=audio 4000 RTP/AVP 0', 'ptime:50'),
      media: { ptimeMs: 40 },
    },
    { name: 'ptime 200', parts: audio('m=audio 4000 RTP/AVP 0', 'ptime:200'), media: { ptimeMs: 60 } },
    { name: 'ptime 5', parts: audio('m=audio 4000 RTP/AVP 0', 'ptime:5'), media: { ptimeMs: 10 } },
    { name: 'ptime that is no number', parts: audio('m=audio 4000 RTP/AVP 0', 'ptime:abc'), media: { ptimeMs: 20 } },
    { name: 'ptime 0', parts: audio('m=audio 4000 RTP/AVP 0', 'ptime:0'), media: { ptimeMs: 20 } },
    { name: 'maxptime 10', parts: audio('m=audio 4000 RTP/AVP 0', 'maxptime:10'), media: { ptimeMs: 10 } },
    {
      name: 'maxptime below ptime',
      parts: audio('m=audio 4000 RTP/AVP 0', 'ptime:60', 'maxptime:40'),
      media: { ptimeMs: 40 },
    },
    {
      name: 'sendonly',
      parts: audio('m=audio 4000 RTP/AVP 0', 'sendonly'),
      media: { direction: 'recvonly' },
      answer: ['a=recvonly'],
    },
    {
      name: 'recvonly',
      parts: audio('m=audio 4000 RTP/AVP 0', 'recvonly'),
      media: { direction: 'sendonly' },
      answer: ['a=sendonly'],
    },
    {
      name: 'inactive',
      parts: audio('m=audio 4000 RTP/AVP 0', 'inactive'),
      media: { direction: 'inactive' },
      answer: ['a=inactive'],
    },
    {
      name: 'direction of the session',
      parts: session0(`c=IN IP4 ${peer}`, 'a=sendonly'),
      media: { direction: 'recvonly' },
    },
    {
      name: 'direction of the stream beats that of the session',
      parts: { session: [`c=IN IP4 ${peer}`, 'a=inactive'], ...audio('m=audio 4000 RTP/AVP 0', 'sendrecv') },
      media: { direction: 'sendrecv' },
    },
    {
      name: 'hold by 0.0.0.0 from the start',
      parts: session0('c=IN IP4 0.0.0.0'),
      media: { direction: 'recvonly', remote: { address: peer, port: 4000 } },
    },
    {
      name: 'address of the stream beats that of the session',
      parts: { session: ['c=IN IP4 203.0.113.1'], media: ['m=audio 4000 RTP/AVP 0', 'c=IN IP4 203.0.113.2'] },
      media: { remote: { address: '203.0.113.2', port: 4000 } },
    },
    {
      name: 'no session address but one of the stream',
      parts: { session: [], media: ['m=audio 4000 RTP/AVP 0', 'c=IN IP4 203.0.113.2'] },
      media: { remote: { address: '203.0.113.2', port: 4000 } },
    },
    {
      name: 'rtcp-mux',
      parts: audio('m=audio 4000 RTP/AVP 0', 'rtcp-mux', 'rtcp:4100'),
      media: { rtcpMux: true, remoteRtcpPort: 4000 },
      answer: ['a=rtcp-mux'],
    },
    { name: 'a=rtcp with port', parts: audio('m=audio 4000 RTP/AVP 0', 'rtcp:4100'), media: { remoteRtcpPort: 4100 } },
    {
      name: 'a=rtcp with a foreign address: only its port',
      parts: audio('m=audio 4000 RTP/AVP 0', 'rtcp:4100 IN IP4 203.0.113.77'),
      media: { remoteRtcpPort: 4100, remote: { address: peer, port: 4000 } },
    },
    {
      name: 'a=rtcp that is no port',
      parts: audio('m=audio 4000 RTP/AVP 0', 'rtcp:99999'),
      media: { remoteRtcpPort: 4001 },
    },
    {
      name: 'port 65535: no RTCP beyond the end',
      parts: audio('m=audio 65535 RTP/AVP 0'),
      media: { remoteRtcpPort: 65_535 },
    },
    {
      name: 'AVPF is answered as AVPF',
      parts: audio('m=audio 4000 RTP/AVPF 0'),
      media: {},
      answer: ['m=audio 20000 RTP/AVPF 0'],
    },
    {
      name: 'AVP with keys: answered in the clear',
      parts: audio('m=audio 4000 RTP/AVP 0', 'crypto:1 A B'),
      media: {},
      without: ['crypto'],
    },
    {
      name: 'video beside audio is refused, its line kept',
      parts: { media: ['m=video 5000 RTP/AVP 96', 'a=rtpmap:96 H264/90000', 'm=audio 4000 RTP/AVP 0'] },
      media: { codec: 'PCMU' },
      answer: ['m=video 0 RTP/AVP 96', 'm=audio 20000 RTP/AVP 0'],
    },
    {
      name: 'SRTP or plain: the plain stream',
      parts: { media: ['m=audio 4002 RTP/SAVP 0', 'a=crypto:1 X inline:y', 'm=audio 4000 RTP/AVP 0'] },
      media: { remote: { address: peer, port: 4000 } },
      answer: ['m=audio 0 RTP/SAVP 0', 'm=audio 20000 RTP/AVP 0'],
    },
    {
      name: 'two audio streams: the first, and a fax line',
      parts: { media: ['m=audio 4000 RTP/AVP 0', 'm=audio 4002 RTP/AVP 8', 'm=image 4004 udptl t38'] },
      media: { codec: 'PCMU' },
      answer: ['m=audio 20000 RTP/AVP 0', 'm=audio 0 RTP/AVP 8', 'm=image 0 udptl t38'],
    },
    {
      name: 'first audio stream switched off',
      parts: { media: ['m=audio 0 RTP/AVP 0', 'm=audio 4002 RTP/AVP 8'] },
      media: { codec: 'PCMA' },
      answer: ['m=audio 0 RTP/AVP 0', 'm=audio 20000 RTP/AVP 8'],
    },
    {
      name: 'unknown lines and attributes',
      parts: { session: [`c=IN IP4 ${peer}`, 'x=what', 'b=AS:64', 'a='] },
      media: {},
    },
    {
      name: 'first of two rtpmaps wins',
      parts: audio('m=audio 4000 RTP/AVP 96', 'rtpmap:96 PCMA/8000', 'rtpmap:96 X/8000'),
      media: { codec: 'PCMA' },
    },
    {
      name: 'port with a count',
      parts: audio('m=audio 4000/2 RTP/AVP 0'),
      media: { remote: { address: peer, port: 4000 } },
    },
  ])('$name', ({ parts, media, answer = [], without = [] }) => {
    const outcome = exchange(sdpText(parts));
    if (typeof outcome === 'string') throw new Error(`refused: ${outcome}`);
    expect(outcome.media).toMatchObject(media);
    const lines = outcome.sdp.split('\r\n');
    for (const line of answer) expect(lines).toContain(line);
    for (const text of without) expect(outcome.sdp).not.toContain(text);
    expect(lines.filter((line) => line.startsWith('m=')).length).toBe(
      sdpText(parts)
        .split('\r\n')
        .filter((line) => line.startsWith('m=')).length,
    );
    expect(isDescription(parseSdp(outcome.sdp))).toBe(true);
  });

  it('reads bare line feeds', () => {
    expect(typeof exchange(sdpText({}, '\n'))).toBe('object');
  });
});

describe('offers that are refused', () => {
  it.each<{ name: string; body: string; refused: string; secure?: boolean; from?: string }>([
    { name: 'nothing', body: '', refused: 'malformed 399' },
    { name: 'not a description', body: 'hello', refused: 'malformed 399' },
    { name: 'binary', body: '\u0000\u0001\ufffd', refused: 'malformed 399' },
    { name: 'version 1', body: sdpText({ version: 'v=1' }), refused: 'malformed 399' },
    { name: 'no origin', body: sdpText({ origin: 'i=none' }), refused: 'malformed 399' },
    { name: 'origin cut short', body: sdpText({ origin: 'o=alice 1' }), refused: 'malformed 399' },
    {
      name: 'origin with a negative version',
      body: sdpText({ origin: 'o=a 1 -1 IN IP4 1.2.3.4' }),
      refused: 'malformed 399',
    },
    { name: 'line without equals sign', body: sdpText({ session: ['cIN IP4 1.2.3.4'] }), refused: 'malformed 399' },
    { name: 'no address anywhere', body: sdpText({ session: [] }), refused: 'malformed 399' },
    { name: 'address of another network', body: sdpText({ session: ['c=ATM NSAP 47'] }), refused: 'malformed 399' },
    { name: 'port beyond 65535', body: sdpText(audio('m=audio 70000 RTP/AVP 0')), refused: 'malformed 399' },
    { name: 'negative port', body: sdpText(audio('m=audio -1 RTP/AVP 0')), refused: 'malformed 399' },
    { name: 'port that is no number', body: sdpText(audio('m=audio port RTP/AVP 0')), refused: 'malformed 399' },
    { name: 'no formats', body: sdpText(audio('m=audio 4000 RTP/AVP')), refused: 'malformed 399' },
    {
      name: 'format with a header in it',
      body: sdpText(audio('m=audio 4000 RTP/AVP 0"<x>')),
      refused: 'malformed 399',
    },
    { name: 'too large', body: sdpText({ session: [`a=${'x'.repeat(SDP_BYTES_MAX)}`] }), refused: 'malformed 399' },
    {
      name: 'large in bytes, not in characters',
      body: sdpText({ session: [`a=${'ن'.repeat(9000)}`] }),
      refused: 'malformed 399',
    },
    { name: 'too many lines', body: sdpText({ session: Array(500).fill('a=x') }), refused: 'malformed 399' },
    {
      name: 'too many streams',
      body: sdpText({ media: Array(17).fill('m=audio 4000 RTP/AVP 0') }),
      refused: 'malformed 399',
    },
    {
      name: 'too many formats',
      body: sdpText(audio(`m=audio 4000 RTP/AVP ${'0 '.repeat(80)}`)),
      refused: 'malformed 399',
    },
    { name: 'no streams', body: sdpText({ media: [] }), refused: 'unacceptable 304' },
    { name: 'video only', body: sdpText(audio('m=video 4000 RTP/AVP 96')), refused: 'unacceptable 304' },
    { name: 'fax only', body: sdpText(audio('m=image 4000 udptl t38')), refused: 'unacceptable 304' },
    { name: 'audio with port 0', body: sdpText(audio('m=audio 0 RTP/AVP 0')), refused: 'unacceptable 304' },
    { name: 'G.729 only', body: sdpText(audio('m=audio 4000 RTP/AVP 18 101')), refused: 'no-codec 305' },
    { name: 'dynamic number without a map', body: sdpText(audio('m=audio 4000 RTP/AVP 96')), refused: 'no-codec 305' },
    {
      name: 'payload type 200',
      body: sdpText(audio('m=audio 4000 RTP/AVP 200', 'rtpmap:200 PCMU/8000')),
      refused: 'no-codec 305',
    },
    { name: 'SAVP without keys', body: sdpText(audio('m=audio 4000 RTP/SAVP 0')), refused: 'unacceptable 302' },
    {
      name: 'SAVP with keys',
      body: sdpText(audio('m=audio 4000 RTP/SAVP 0', 'crypto:1 X inline:y')),
      refused: 'unacceptable 302',
    },
    {
      name: 'DTLS',
      body: sdpText(audio('m=audio 4000 UDP/TLS/RTP/SAVPF 0', 'fingerprint:sha-256 AA')),
      refused: 'unacceptable 302',
    },
    { name: 'plain where plain is forbidden', body: sdpText(), refused: 'unacceptable 302', secure: true },
    { name: 'multicast', body: sdpText({ session: ['c=IN IP4 239.1.2.3/127'] }), refused: 'unacceptable 330' },
    { name: 'broadcast', body: sdpText({ session: ['c=IN IP4 255.255.255.255'] }), refused: 'unacceptable 301' },
    { name: 'this network', body: sdpText({ session: ['c=IN IP4 0.0.0.1'] }), refused: 'unacceptable 301' },
    { name: 'metadata address', body: sdpText({ session: ['c=IN IP4 169.254.169.254'] }), refused: 'unacceptable 301' },
    { name: 'loopback from outside', body: sdpText({ session: ['c=IN IP4 127.0.0.1'] }), refused: 'unacceptable 301' },
    { name: 'a host name', body: sdpText({ session: ['c=IN IP4 victim.example.com'] }), refused: 'unacceptable 301' },
    { name: 'octal address', body: sdpText({ session: ['c=IN IP4 010.0.0.1'] }), refused: 'unacceptable 301' },
    { name: 'number as address', body: sdpText({ session: ['c=IN IP4 2130706433'] }), refused: 'unacceptable 301' },
    { name: 'IPv6', body: sdpText({ session: ['c=IN IP6 2001:db8::1'] }), refused: 'unacceptable 301' },
    {
      name: 'our own address and port',
      body: sdpText({ session: [`c=IN IP4 ${local.address}`], media: ['m=audio 20000 RTP/AVP 0'] }),
      refused: 'unacceptable 301',
    },
    {
      name: 'our own port for RTCP',
      body: sdpText({
        session: [`c=IN IP4 ${local.address}`],
        media: ['m=audio 4000 RTP/AVP 0', 'a=rtcp:20000'],
      }),
      refused: 'unacceptable 301',
    },
    {
      name: 'our own port, on hold from our own address',
      body: sdpText({ session: ['c=IN IP4 0.0.0.0'], media: ['m=audio 20000 RTP/AVP 0'] }),
      from: local.address,
      refused: 'unacceptable 301',
    },
    { name: 'mapped loopback', body: sdpText({ session: ['c=IN IP6 ::ffff:127.0.0.1'] }), refused: 'unacceptable 301' },
    { name: 'short loopback', body: sdpText({ session: ['c=IN IP4 127.1'] }), refused: 'unacceptable 301' },
  ])('$name: $refused', ({ body, refused, secure = false, from = peer }) => {
    expect(exchange(body, from, secure)).toBe(refused);
  });

  it('takes loopback media from a loopback caller', () => {
    expect(typeof exchange(sdpText({ session: ['c=IN IP4 127.0.0.1'] }), '127.0.0.1')).toBe('object');
  });

  it('never throws, whatever the body', () => {
    const alphabet = fc.constantFrom(
      'v=0\r\n',
      'o=a 1 1 IN IP4 1.2.3.4\r\n',
      'c=IN IP4 ',
      'm=audio ',
      'a=rtpmap:',
      '0',
      ' ',
      '\r\n',
      '/',
      ':',
      '=',
      'RTP/AVP',
      '\u0000',
      '٣',
    );
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 60 }), (pieces) => {
        exchange(pieces.join(''));
      }),
      { numRuns: runs(500) },
    );
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => void exchange(`v=0\r\no=a 1 1 IN IP4 1.2.3.4\r\n${text}`)),
    );
  });
});
