/** What a WebM file holds of audio, read from the whole file in memory. Takes any bytes, never throws, one pass. */

export interface WebmTrack {
  readonly codec: string; // A_OPUS, A_VORBIS, ...
  readonly channels: number;
  readonly codecPrivate: Uint8Array | undefined; // for Opus the identification header of RFC 7845
  readonly packets: readonly Uint8Array[]; // in file order, views into the file
}

/** Elements of RFC 9559 that matter here. */
const ID = {
  segment: 0x1853_8067,
  cluster: 0x1f43_b675,
  tracks: 0x1654_ae6b,
  trackEntry: 0xae,
  audio: 0xe1,
  blockGroup: 0xa0,
  trackNumber: 0xd7,
  trackType: 0x83,
  codecId: 0x86,
  codecPrivate: 0x63a2,
  contentEncodings: 0x6d80, // compressed or encrypted: not read
  channels: 0x9f,
  simpleBlock: 0xa3,
  block: 0xa1,
} as const;

/** Entered; every other element is read or stepped over. Their ends need no watching: what follows says what it is. */
const MASTERS = new Set<number>([ID.segment, ID.cluster, ID.tracks, ID.trackEntry, ID.audio, ID.blockGroup]);
const AUDIO = 2;
const LACING = 0x06;
const TRACKS_MAX = 64;

interface Entry {
  number: number;
  type: number;
  codec: string;
  channels: number;
  codecPrivate: Uint8Array | undefined;
  encoded: boolean;
}

/**
 * The first audio track and its packets, at most `packetsMax`. Blocks with lacing are left out: Opus in WebM has none.
 *
 * @returns undefined where there is no plain audio track.
 */
export function readWebmTrack(file: Uint8Array, packetsMax: number): WebmTrack | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const entries: Entry[] = [];
  const packets: Uint8Array[] = [];
  let track: Entry | undefined;
  for (const { id, body } of elements(bytes)) {
    const entry = entries.at(-1);
    if (id === ID.trackEntry) {
      if (entries.length >= TRACKS_MAX) return undefined;
      entries.push({ number: 0, type: 0, codec: '', channels: 1, codecPrivate: undefined, encoded: false });
    } else if (id === ID.simpleBlock || id === ID.block) {
      track ??= entries.find((one) => one.type === AUDIO);
      const packet = track && packetOf(body, track.number);
      if (packet) packets.push(packet);
      if (packets.length >= packetsMax) break;
    } else if (entry && !track) {
      describe(entry, id, body);
    }
  }
  track ??= entries.find((one) => one.type === AUDIO);
  if (!track || track.encoded) return undefined;
  return { codec: track.codec, channels: track.channels, codecPrivate: track.codecPrivate, packets };
}

function describe(entry: Entry, id: number, body: Buffer): void {
  if (id === ID.trackNumber) entry.number = unsigned(body);
  else if (id === ID.trackType) entry.type = unsigned(body);
  else if (id === ID.codecId) entry.codec = body.toString('latin1', 0, 64).replace(/\0+$/, '');
  else if (id === ID.codecPrivate) entry.codecPrivate = body;
  else if (id === ID.channels) entry.channels = unsigned(body);
  else if (id === ID.contentEncodings) entry.encoded = true;
}

/** Elements in file order, masters with an empty body; ends at the first thing that is none. */
function* elements(bytes: Buffer): Generator<{ readonly id: number; readonly body: Buffer }> {
  const nothing = bytes.subarray(0, 0);
  for (let at = 0; at < bytes.length; ) {
    const idLength = vintLength(bytes[at]!);
    if (idLength > 4 || at + idLength >= bytes.length) return;
    const id = bytes.readUIntBE(at, idLength);
    const sizeAt = at + idLength;
    const sizeLength = vintLength(bytes[sizeAt]!);
    if (sizeLength > 8 || sizeAt + sizeLength > bytes.length) return;
    const bodyAt = sizeAt + sizeLength;
    if (MASTERS.has(id)) {
      yield { id, body: nothing };
      at = bodyAt;
      continue;
    }
    const end = bodyAt + vintValue(bytes, sizeAt, sizeLength); // an unknown size is larger than any file
    if (end > bytes.length) return;
    yield { id, body: bytes.subarray(bodyAt, end) };
    at = end;
  }
}

function packetOf(block: Buffer, trackNumber: number): Buffer | undefined {
  const numberLength = vintLength(block[0] ?? 0);
  const dataAt = numberLength + 3; // 16 bits of time, 8 of flags
  if (numberLength > 4 || block.length <= dataAt) return undefined;
  if (vintValue(block, 0, numberLength) !== trackNumber || (block[dataAt - 1]! & LACING) !== 0) return undefined;
  return block.subarray(dataAt);
}

/** Bytes of a variable-length integer, from its first byte; 9 where that is 0 (RFC 8794 §4). */
const vintLength = (first: number): number => Math.clz32(first) - 23;

function vintValue(bytes: Buffer, at: number, length: number): number {
  let value = bytes[at]! & (0xff >> length);
  for (let i = 1; i < length; i += 1) value = value * 256 + bytes[at + i]!;
  return value;
}

function unsigned(body: Buffer): number {
  let value = 0;
  for (const byte of body.subarray(0, 6)) value = value * 256 + byte;
  return value;
}
