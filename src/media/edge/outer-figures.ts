import { type Bencoded, textAt } from './bencode.ts';
import type { OuterMedia } from './media-edge.ts';

/**
 * The outer side as rtpengine tells it of a call: what it was, what came and went, and how well it came, where RTCP told that.
 *
 * @param reply - to `delete` or `query`; whatever of it is missing is left out.
 */
export function outerMediaOf(reply: Bencoded, edge: string): OuterMedia {
  const outer = firstAudio(reply, 'outer');
  const [stream, ourStream] = [rtpOf(outer), rtpOf(firstAudio(reply, 'inner'))];
  const flags = listAt(outer, 'flags');
  const keys = flags.includes('DTLS-SRTP') ? 'dtls' : flags.includes('SDES') ? 'sdes' : undefined;
  const quality = at(at(at(reply, 'SSRC'), String(numberAt(stream, 'SSRC'))), 'average MOS');
  return {
    edge,
    ...known('outerProtocol', textAt(outer, 'protocol')),
    ...known('outerKeys', keys),
    ...known('outerSuite', keys && textAt(stream, 'crypto suite')),
    ...(flags.includes('ICE') && { outerIce: 1 }),
    ...known('outerPacketsReceived', numberAt(at(stream, 'stats'), 'packets')),
    ...known('outerPacketsSent', numberAt(at(ourStream, 'stats'), 'packets')),
    ...known('outerErrors', numberAt(at(stream, 'stats'), 'errors')),
    ...known('outerLossPercent', numberAt(quality, 'packet loss')),
    ...known('outerJitterMs', numberAt(quality, 'jitter')),
    ...known('outerRoundTripMs', divided(numberAt(quality, 'round-trip time'), 1_000)),
    ...known('outerMos', divided(numberAt(quality, 'MOS'), 10)),
  };
}

const at = (value: Bencoded | undefined, key: string): Bencoded | undefined =>
  value instanceof Map ? value.get(key) : undefined;

function numberAt(value: Bencoded | undefined, key: string): number | undefined {
  const found = at(value, key);
  return typeof found === 'number' ? found : undefined;
}

function listAt(value: Bencoded | undefined, key: string): readonly Bencoded[] {
  const found = at(value, key);
  return Array.isArray(found) ? found : [];
}

/** The stream in use: others are switched off, and have had no packets. */
function firstAudio(reply: Bencoded, tag: string): Bencoded | undefined {
  const audio = listAt(at(at(reply, 'tags'), tag), 'medias').filter((media) => textAt(media, 'type') === 'audio');
  return audio.find((media) => (numberAt(at(rtpOf(media), 'stats'), 'packets') ?? 0) > 0) ?? audio[0];
}

const rtpOf = (media: Bencoded | undefined): Bencoded | undefined =>
  listAt(media, 'streams').find((stream) => listAt(stream, 'flags').includes('RTP'));

const divided = (value: number | undefined, by: number): number | undefined =>
  value === undefined ? undefined : value / by;

const known = <K extends keyof OuterMedia>(key: K, value: OuterMedia[K] | undefined): Partial<OuterMedia> =>
  value === undefined ? {} : { [key]: value };
