import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWebmTrack } from '../../../src/audio/codecs/webm-packets.ts';
import { audioFile } from '../../support/audio-files.ts';

/** An element with a one-byte size. */
const element = (id: number[], ...body: number[]): number[] => [...id, 0x80 | body.length, ...body];
const entry = (number: number, type: number, codec: string, extra: number[] = []): number[] => {
  const body = [
    ...element([0xd7], number),
    ...element([0x83], type),
    ...element([0x86], ...Buffer.from(codec)),
    ...element([0xe1], ...element([0x9f], 2)),
    ...extra,
  ];
  return element([0xae], ...body);
};
const block = (track: number, flags: number, ...data: number[]): number[] =>
  element([0xa3], 0x80 | track, 0, 0, flags, ...data);
const file = (...parts: number[][]): Uint8Array =>
  Uint8Array.from([...element([0x1a, 0x45, 0xdf, 0xa3]), ...parts.flat()]);
const SEGMENT = [0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]; // of unknown size

describe('readWebmTrack', () => {
  it.each(['tones.webm', 'tones-live.webm'])('finds the track and every packet of %s', (name) => {
    const track = readWebmTrack(audioFile(name), 1000);
    expect(track).toMatchObject({ codec: 'A_OPUS', channels: 1 });
    expect(track?.packets).toHaveLength(76); // 1.5 s and the pre-skip in packets of 20 ms
    expect(Buffer.from(track!.codecPrivate!).toString('latin1', 0, 8)).toBe('OpusHead');
  });

  it('takes the first audio track among others, and its blocks only', () => {
    const track = readWebmTrack(
      file(
        SEGMENT,
        entry(1, 1, 'V_VP8'),
        entry(2, 2, 'A_OPUS'),
        entry(3, 2, 'A_VORBIS'),
        block(1, 0, 9),
        block(2, 0, 7),
        block(3, 0, 8),
        block(2, 0x80, 6),
      ),
      1000,
    );
    expect(track?.codec).toBe('A_OPUS');
    expect(track?.packets.map((packet) => [...packet])).toEqual([[7], [6]]);
  });

  it.each([
    { name: 'nothing', bytes: new Uint8Array(0), packets: undefined },
    { name: 'no track', bytes: file(SEGMENT, block(1, 0, 1)), packets: undefined },
    { name: 'video only', bytes: file(SEGMENT, entry(1, 1, 'V_VP8'), block(1, 0, 1)), packets: undefined },
    {
      name: 'an encrypted track',
      bytes: file(SEGMENT, entry(1, 2, 'A_OPUS', element([0x6d, 0x80])), block(1, 0, 1)),
      packets: undefined,
    },
    {
      name: 'a hundred tracks',
      bytes: file(SEGMENT, ...Array.from({ length: 100 }, () => entry(1, 2, 'A_OPUS'))),
      packets: undefined,
    },
    { name: 'laced blocks', bytes: file(SEGMENT, entry(1, 2, 'A_OPUS'), block(1, 2, 1), block(1, 0, 1)), packets: 1 },
    {
      name: 'a block longer than the file',
      bytes: file(SEGMENT, entry(1, 2, 'A_OPUS'), block(1, 0, 1), [0xa3, 0x08, 0xff, 0xff, 0xff, 0xff]),
      packets: 1,
    },
    {
      name: 'an id of zero',
      bytes: file(SEGMENT, entry(1, 2, 'A_OPUS'), block(1, 0, 1), [0, 0x81, 0], block(1, 0, 1)),
      packets: 1,
    },
    {
      name: 'more packets than wanted',
      bytes: file(SEGMENT, entry(1, 2, 'A_OPUS'), ...Array.from({ length: 9 }, () => block(1, 0, 1))),
      packets: 5,
    },
  ])('$name', ({ bytes, packets }) => {
    expect(readWebmTrack(bytes, 5)?.packets.length).toBe(packets);
  });

  it('takes any bytes, also in the middle of a good file', () => {
    const good = audioFile('tones-live.webm');
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.uint8Array({ maxLength: 64 }), (at, noise) => {
        const bytes = Buffer.from(good);
        bytes.set(noise.subarray(0, bytes.length - at), at);
        expect(readWebmTrack(bytes, 1000)?.packets.length ?? 0).toBeLessThanOrEqual(1000);
      }),
    );
  });
});
