import { OggOpusDecoder } from 'ogg-opus-decoder';
import type { ClipReader } from './clip-reader.ts';
import { OggWriter } from './ogg-page.ts';
import { decodePages } from './ogg-reader.ts';
import { OPUS_CLOCK_HZ, type OpusHead, opusHead, opusTags, readOpusHead } from './opus-head.ts';
import { readWebmTrack } from './webm-packets.ts';

/** 50 packets of 120 ms, the longest there are: 6 seconds. */
const PACKETS_PER_PAGE = 50;
const PACKET_BYTES_MAX = 60_000;
/** A minute in the shortest packets, 2.5 ms. */
const PACKETS_MAX = 61 * 400;
/** Where a file has no private data: 6.5 ms, what encoders use. */
const USUAL_PRE_SKIP = 312;

/**
 * WebM (or Matroska) with Opus, as browsers record it. Packets are put into Ogg pages in memory, so that one decoder
 * serves both containers and drops the pre-skip.
 */
export const readWebm: ClipReader = async (file, into) => {
  const track = readWebmTrack(file, PACKETS_MAX);
  if (!track) return 'read';
  if (track.codec !== 'A_OPUS') return 'unsupported';
  const own = track.codecPrivate && readOpusHead(track.codecPrivate);
  const head = own ?? { channels: track.channels, preSkip: USUAL_PRE_SKIP };
  if (head.channels < 1 || head.channels > 2) return 'unsupported'; // more need a channel mapping
  const packets = track.packets.filter((packet) => packet.length <= PACKET_BYTES_MAX);
  await decodePages(new OggOpusDecoder(), pagesOf(packets, head), into);
  return 'read';
};

function* pagesOf(packets: readonly Uint8Array[], head: OpusHead): Generator<Uint8Array> {
  const writer = new OggWriter(1);
  writer.add(opusHead(head, OPUS_CLOCK_HZ), 0);
  yield writer.flush();
  writer.add(opusTags('nidaa'), 0);
  yield writer.flush();
  for (const packet of packets) {
    const full = writer.add(packet, 0); // Positions only matter on a last page, and none is marked as that.
    if (full.length > 0) yield full;
    if (writer.waiting >= PACKETS_PER_PAGE) yield writer.flush();
  }
  if (writer.waiting > 0) yield writer.flush();
}
