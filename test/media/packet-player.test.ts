import { describe, expect, it } from 'vitest';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { uint32 } from '../../src/core/uint.ts';
import type { Decoder } from '../../src/media/codec/codec.ts';
import { PCMU } from '../../src/media/codec/g711-codec.ts';
import { G722 } from '../../src/media/codec/g722-codec.ts';
import { PacketPlayer } from '../../src/media/rtp/packet-player.ts';
import { PacketQueue } from '../../src/media/rtp/packet-queue.ts';

const START = 0xffff_ff00; // wraps soon

/** Says in which order it was asked to decode: what a codec with a memory depends on. */
class OrderedDecoder implements Decoder {
  readonly codec = PCMU;
  readonly order: number[] = [];
  decode(payload: Uint8Array, bytes: number, into: Int16Array, at: number): number {
    this.order.push(payload[0] as number);
    into.fill(payload[0] as number, at, at + bytes);
    return bytes;
  }
  reset(): void {}
}

describe('PacketQueue', () => {
  it.each([
    { name: 'in order', arrive: [0, 1, 2, 3] },
    { name: 'backwards', arrive: [3, 2, 1, 0] },
    { name: 'mixed', arrive: [2, 0, 3, 1] },
  ])('keeps packets in the order of their timestamps: $name', ({ arrive }) => {
    const queue = new PacketQueue(8);
    const decoder = PCMU.decoder();
    for (let round = 0; round < 3; round += 1) {
      for (const n of arrive) queue.push(uint32(START + n * 160), Uint8Array.of(n), 160, 0, decoder);
      const out: number[] = [];
      for (let head = queue.head; head; head = queue.head) {
        out.push(head.bytes[0] as number);
        queue.shift();
      }
      expect(out).toEqual([0, 1, 2, 3]);
    }
  });

  it('is bounded, knows what it has, and keeps no view of a datagram', () => {
    const queue = new PacketQueue(2);
    const payload = Uint8Array.of(1, 2, 3);
    queue.push(5, payload, 3, 0, PCMU.decoder());
    payload.fill(9);
    expect([queue.head?.bytes.slice(0, 3), queue.has(5), queue.has(6), queue.full]).toEqual([
      ...[Uint8Array.of(1, 2, 3), true, false, false],
    ]);
    queue.push(8, payload, 3, 0, PCMU.decoder());
    expect(queue.full).toBe(true);
    queue.dropBefore(8);
    expect([queue.size, queue.head?.timestamp]).toEqual([1, 8]);
    queue.dropBefore(10);
    expect(queue.size).toBe(1); // a part of it is still to be played
    queue.clear();
    expect([queue.head, queue.has(8)]).toEqual([undefined, false]);
  });
});

describe('PacketPlayer', () => {
  const open = (decoder: Decoder) => {
    const player = new PacketPlayer(decoder.codec);
    player.begin(START);
    const push = (from: number, ticks: number, value: number, silent = 0): void => {
      player.queue.push(uint32(START + from), new Uint8Array(ticks).fill(value), ticks, silent, decoder);
      player.end = uint32(START + from + ticks);
    };
    return { player, push };
  };

  it('decodes late, once, and in the order of sending', () => {
    const decoder = new OrderedDecoder();
    const { player, push } = open(decoder);
    for (const n of [2, 0, 1]) push(n * 160, 160, n + 1);
    player.end = uint32(START + 480);
    expect(decoder.order).toEqual([]);
    const frame = new Int16Array(160);
    for (const value of [1, 2, 3]) {
      expect(player.fill(frame)).toBe(0);
      expect(new Set(frame)).toEqual(new Set([value]));
    }
    expect([decoder.order, player.queuedTicks]).toEqual([[1, 2, 3], 0]);
  });

  it.each([10, 20, 30, 40, 60])('cuts packets of %i ms into frames', (ptimeMs) => {
    const { player, push } = open(new OrderedDecoder());
    const ticks = ptimeMs * 8;
    for (let n = 0; n < 12; n += 1) push(n * ticks, ticks, n + 1);
    const heard: number[] = [];
    const frame = new Int16Array(160);
    while (player.queuedTicks >= 160) {
      expect(player.fill(frame)).toBe(0);
      heard.push(...frame);
    }
    expect(heard).toEqual(heard.map((_, i) => Math.floor(i / ticks) + 1));
  });

  it('invents exactly what is missing, and no pause that was meant', () => {
    const { player, push } = open(new OrderedDecoder());
    push(0, 80, 1);
    push(120, 40, 2); // 40 never came
    push(240, 80, 3, 80); // 80 of silence before it
    const frame = new Int16Array(160);
    expect(player.fill(frame)).toBe(40);
    expect([frame[79], frame[159]]).toEqual([1, 2]);
    expect(player.fill(frame)).toBe(0);
    expect([frame[0], frame[79], frame[80], frame[159]]).toEqual([0, 0, 3, 3]);
  });

  it('skips into the middle of a packet, and plays no part of two twice', () => {
    const { player, push } = open(new OrderedDecoder());
    push(0, 160, 1);
    push(160, 160, 2);
    player.skip(240);
    const frame = new Int16Array(80);
    expect([player.fill(frame), new Set(frame)]).toEqual([0, new Set([2])]);
    push(240, 160, 3); // its first half has been heard
    expect([player.fill(frame), new Set(frame), player.queuedTicks]).toEqual([0, new Set([3]), 0]);
  });

  it('counts ticks and samples apart where the codec does', () => {
    const { player } = open(G722.decoder());
    const encoder = G722.encoder();
    const payload = new Uint8Array(160);
    for (let n = 0; n < 3; n += 1) {
      encoder.encode(new Int16Array(320).fill(1_000), payload, 0);
      player.queue.push(uint32(START + n * 160), payload, 160, 0, G722.decoder());
    }
    player.end = uint32(START + 480);
    const frame = new Int16Array(320);
    expect([player.queuedTicks, player.fill(frame), player.queuedTicks]).toEqual([480, 0, 320]);
  });

  it('is silent, not wild, before anything came', () => {
    const { player } = open(PCMU.decoder());
    const frame = new Int16Array(160).fill(99);
    expect(player.fill(frame)).toBe(160);
    expect(new Set(frame)).toEqual(new Set([0]));
    expect(encodeMulaw(frame)[0]).toBe(0xff);
  });
});
