import { describe, expect, it } from 'vitest';
import type { Bencoded } from '../../../src/media/edge/bencode.ts';
import { outerMediaOf } from '../../../src/media/edge/outer-figures.ts';

type Json = string | number | readonly Json[] | { readonly [key: string]: Json };
const of = (value: Json): Bencoded => {
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(of);
  return new Map(Object.entries(value as { readonly [key: string]: Json }).map(([key, said]) => [key, of(said)]));
};

const stream = (packets: number, errors: number, more: Json & object = {}): Json => ({
  ...{ flags: ['RTP', 'filled'], SSRC: 77, stats: { packets, bytes: packets * 172, errors } },
  ...(more as { readonly [key: string]: Json }),
});
const side = (flags: readonly string[], protocol: string, ...streams: readonly Json[]): Json => ({
  medias: [{ index: 1, type: 'audio', protocol, flags, streams }],
});

describe('what the outer side was', () => {
  it('is told as rtpengine tells it', () => {
    const reply = of({
      SSRC: {
        '77': { 'average MOS': { MOS: 43, 'round-trip time': 21_000, jitter: 2, 'packet loss': 1, samples: 3 } },
      },
      tags: {
        outer: side(
          ['initialized', 'DTLS-SRTP', 'ICE'],
          'UDP/TLS/RTP/SAVPF',
          stream(501, 2, { 'crypto suite': 'AEAD' }),
        ),
        inner: side(['initialized'], 'RTP/AVP', { flags: ['RTCP'] }, stream(490, 0)),
      },
    });
    expect(outerMediaOf(reply, 'edge:2223')).toEqual({
      ...{ edge: 'edge:2223', outerProtocol: 'UDP/TLS/RTP/SAVPF', outerKeys: 'dtls', outerSuite: 'AEAD', outerIce: 1 },
      ...{ outerPacketsReceived: 501, outerPacketsSent: 490, outerErrors: 2 },
      ...{ outerLossPercent: 1, outerJitterMs: 2, outerRoundTripMs: 21, outerMos: 4.3 },
    });
  });

  it('a suite that was offered and not taken is none', () => {
    const reply = of({ tags: { outer: side(['initialized'], 'RTP/AVP', stream(1, 0, { 'crypto suite': 'AEAD' })) } });
    expect(outerMediaOf(reply, 'e')).not.toHaveProperty('outerSuite');
  });

  it.each<[string, Json]>([
    ['nothing', {}],
    ['no dictionary', 'ok'],
    ['other shapes', { tags: { outer: { medias: 'none' } }, SSRC: 4 }],
    ['a list in place of sides', { tags: [] }],
  ])('what is missing is left out: %s', (_, reply) => {
    expect(outerMediaOf(of(reply), 'e')).toEqual({ edge: 'e' });
  });
});
