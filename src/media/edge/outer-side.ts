import type { Dictionary } from './bencode.ts';
import type { OuterProfile } from './media-edge.ts';

/** How the outer side is spoken to, as its descriptions tell it: a later offer of ours says the same. */
export interface OuterSide {
  readonly protocol: string; // of its audio stream
  readonly ice: boolean;
  readonly mux: boolean;
  readonly keys: 'sdes' | 'dtls' | undefined;
}

/** Keys are written as base64 has it, whole: baresip 1.0 cannot read one that lacks its `=`. */
const WHOLE = 'pad';
export const KEYS_WRITTEN = [WHOLE];
/** Without ciphers that hide nothing, and one that nobody checks any more. */
const KEYS_OFFERED = [
  WHOLE,
  'no-NULL_HMAC_SHA1_80',
  'no-NULL_HMAC_SHA1_32',
  'no-F8_128_HMAC_SHA1_80',
  'no-F8_128_HMAC_SHA1_32',
];

const SIDES: Readonly<Record<OuterProfile, OuterSide>> = {
  rtp: { protocol: 'RTP/AVP', ice: false, mux: false, keys: undefined },
  osrtp: { protocol: 'RTP/AVP', ice: false, mux: false, keys: 'sdes' },
  sdes: { protocol: 'RTP/SAVP', ice: false, mux: false, keys: 'sdes' },
  dtls: { protocol: 'UDP/TLS/RTP/SAVP', ice: false, mux: true, keys: 'dtls' },
  webrtc: { protocol: 'UDP/TLS/RTP/SAVPF', ice: true, mux: true, keys: 'dtls' },
};

export const sideOf = (profile: OuterProfile): OuterSide => SIDES[profile];

/** What a description of the outer side, or for it, says of its audio in use. @param sdp - that was read before. */
export function readOuterSide(sdp: string): OuterSide {
  const [session = '', ...streams] = sdp.split(/^(?=m=)/m);
  const audio = streams.find((stream) => /^m=audio (?!0[ /])/.test(stream)) ?? '';
  const has = (pattern: RegExp): boolean => pattern.test(audio) || pattern.test(session);
  return {
    protocol: /^m=audio \S+ (\S+)/.exec(audio)?.[1] ?? 'RTP/AVP',
    ice: has(/^a=ice-ufrag:/m),
    mux: has(/^a=rtcp-mux\s*$/m),
    keys: has(/^a=fingerprint:/m) ? 'dtls' : has(/^a=crypto:/m) ? 'sdes' : undefined,
  };
}

/** What an offer of ours asks for, so that the outer side sees this. */
export function offerTo({ protocol, ice, mux, keys }: OuterSide): Dictionary {
  const isPlain = !protocol.includes('SAVP');
  return {
    'transport-protocol': protocol,
    ICE: ice ? 'force' : 'remove',
    // Browsers have no port for RTCP beside.
    'rtcp-mux': [ice ? 'require' : mux ? 'offer' : 'demux'],
    DTLS: keys === 'dtls' ? undefined : 'off',
    SDES: keys === 'sdes' ? KEYS_OFFERED : ['off'],
    OSRTP: isPlain && keys === 'sdes' ? ['offer'] : undefined,
  };
}
