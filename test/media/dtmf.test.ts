import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { uint32 } from '../../src/core/uint.ts';
import { DTMF_DIGITS, dtmfEventOf, parseDtmfEvent, writeDtmfEvent } from '../../src/media/dtmf/dtmf-event.ts';
import { DTMF_LOST_END_MS, type DtmfKey, DtmfReceiver } from '../../src/media/dtmf/dtmf-receiver.ts';
import { DtmfSender, KEY_GAP_TICKS, KEY_TICKS, MAX_QUEUED_KEYS } from '../../src/media/dtmf/dtmf-sender.ts';
import { dtmfTone } from '../../src/media/dtmf/dtmf-tone.ts';
import { DtmfToneDetector } from '../../src/media/dtmf/dtmf-tone-detector.ts';
import { tone } from '../support/tones.ts';

/** One packet on the way: event, timestamp since the first, duration, end, marker. */
interface Sent {
  readonly e: number;
  readonly t?: number;
  readonly d: number;
  readonly end?: boolean;
  readonly m?: boolean;
  readonly atMs?: number;
}
const press = (e: number, t = 0): Sent[] => [
  { e, t, d: 160, m: true },
  { e, t, d: 320 },
  { e, t, d: 480 },
  { e, t, d: 640, end: true },
  { e, t, d: 640, end: true },
  { e, t, d: 640, end: true },
];

describe.each([0, 0x7fff_ffff, 0xffff_ff00])('DtmfReceiver, first timestamp %i', (first) => {
  function receive(packets: readonly Sent[], thenMs = 10_000): string {
    const receiver = new DtmfReceiver();
    const keys: DtmfKey[] = [];
    let nowMs = 0;
    for (const { e, t = 0, d, end = false, m = false, atMs } of packets) {
      nowMs = atMs ?? nowMs + 20;
      keys.push(...receiver.push({ event: e, end, volume: 10, duration: d }, uint32(first + t), m, nowMs));
    }
    const expired = receiver.expire(nowMs + thenMs);
    if (expired) keys.push(expired);
    expect(receiver.expire(nowMs + thenMs + 1_000)).toBeUndefined();
    return keys.map((key) => `${key.digit}:${key.durationMs}`).join(' ');
  }

  it.each([
    { name: 'a press', packets: press(5), keys: '5:80' },
    { name: 'two of the same', packets: [...press(5), ...press(5, 1600)], keys: '5:80 5:80' },
    { name: 'only one end', packets: press(5).slice(0, 4), keys: '5:80' },
    { name: 'start lost', packets: press(5).slice(2), keys: '5:80' },
    { name: 'nothing but the last end', packets: press(5).slice(5), keys: '5:80' },
    { name: 'marker missing', packets: press(5).map((p) => ({ ...p, m: false })), keys: '5:80' },
    { name: 'all ends lost, then nothing', packets: press(5).slice(0, 3), keys: '5:60' },
    {
      name: 'all ends lost, then another key',
      packets: [...press(5).slice(0, 3), ...press(6, 1600)],
      keys: '5:60 6:80',
    },
    {
      name: 'all ends lost, then the same key',
      packets: [...press(5).slice(0, 3), ...press(5, 1600)],
      keys: '5:60 5:80',
    },
    {
      name: 'same key again, its marker lost too',
      packets: [...press(5).slice(0, 3), ...press(5, 1600).slice(1)],
      keys: '5:60 5:80',
    },
    { name: 'ten ends', packets: [...press(5), ...Array(7).fill(press(5)[5])], keys: '5:80' },
    {
      name: 'end overtook the rest',
      packets: [press(5)[0], press(5)[3], press(5)[1], press(5)[2]] as Sent[],
      keys: '5:80',
    },
    {
      name: 'an old packet after the next key began',
      packets: [...press(5).slice(0, 4), press(6, 1600)[0] as Sent, press(5)[5] as Sent, ...press(6, 1600).slice(1)],
      keys: '5:80 6:80',
    },
    {
      name: 'timestamp moves with every packet',
      packets: press(5).map((p, i) => ({ ...p, t: i * 160, m: i === 0 })),
      keys: '5:80',
    },
    {
      name: 'the same, start lost',
      packets: press(5)
        .map((p, i) => ({ ...p, t: i * 160, m: false }))
        .slice(1),
      keys: '5:80',
    },
    { name: 'zero length', packets: [{ e: 1, d: 0, end: true }], keys: '1:0' },
    {
      name: 'all sixteen',
      packets: [...Array(16).keys()].flatMap((e) => press(e, e * 1600)),
      keys: [...DTMF_DIGITS].map((digit) => `${digit}:80`).join(' '),
    },
    { name: 'flash and fax tones are no keys', packets: [...press(16), ...press(36, 1600)], keys: '' },
  ])('$name', ({ packets, keys }) => {
    expect(receive(packets)).toBe(keys);
  });

  it('reports a key held for a minute once, with its whole length', () => {
    const packets: Sent[] = [];
    for (let ticks = 160; ticks <= 480_000; ticks += 160) {
      const segment = Math.floor((ticks - 1) / 65_440); // a new segment before the 16 bits are full
      packets.push({ e: 9, t: segment * 65_440, d: ticks - segment * 65_440, m: ticks === 160 });
    }
    const last = packets.at(-1) as Sent;
    expect(receive([...packets, { ...last, end: true }, { ...last, end: true }])).toBe('9:60000');
  });

  it('waits for the end as long as it may still come', () => {
    const receiver = new DtmfReceiver();
    receiver.push({ event: 3, end: false, volume: 0, duration: 160 }, first, true, 1_000);
    expect(receiver.expire(1_000 + DTMF_LOST_END_MS - 1)).toBeUndefined();
    expect(receiver.expire(1_000 + DTMF_LOST_END_MS)).toEqual({ digit: '3', durationMs: 20 });
  });

  it('hears every key exactly once while one end of three arrives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(15), fc.array(fc.boolean(), { minLength: 6, maxLength: 6 })), { maxLength: 12 }),
        (keys) => {
          const packets = keys.flatMap(([e, keep], i) =>
            press(e, i * 2_400)
              .filter((_, n) => n === 3 + (i % 3) || keep[n])
              .map((p, n) => ({ ...p, atMs: i * 300 + n * 20 })),
          );
          expect(receive(packets)).toBe(keys.map(([e]) => `${DTMF_DIGITS[e]}:80`).join(' '));
        },
      ),
    );
  });
});

describe('telephone-event payload', () => {
  it('is read as written, and refused when short', () => {
    const bytes = new Uint8Array(6);
    writeDtmfEvent(bytes, 1, { event: 11, end: true, volume: 63, duration: 0xfffe });
    expect(parseDtmfEvent(bytes.subarray(1))).toEqual({ event: 11, end: true, volume: 63, duration: 0xfffe });
    expect(parseDtmfEvent(new Uint8Array(3))).toBeUndefined();
  });

  it.each([
    ['5', 5],
    ['*', 10],
    ['#', 11],
    ['d', 15],
    ['', -1],
    ['12', -1],
    ['x', -1],
  ])('key %j is event %i', (key, event) => {
    expect(dtmfEventOf(key)).toBe(event);
  });
});

describe.each([80, 160, 240, 480])('DtmfSender in slots of %i samples', (slot) => {
  it('sends a growing event, three ends, and a gap', () => {
    const sender = new DtmfSender();
    expect(sender.enqueue('7 x8')).toBe(2);
    const receiver = new DtmfReceiver();
    const keys: DtmfKey[] = [];
    const ends: number[] = [];
    let slots = 0;
    let markers = 0;
    for (; sender.busy; slots += 1) {
      const sent = sender.next(slot);
      if (!sent) continue;
      markers += sent.marker ? 1 : 0;
      if (sent.packet.end) ends.push(sent.packet.duration);
      keys.push(...receiver.push(sent.packet, uint32(slots * slot - sent.offset), sent.marker, slots * 20));
    }
    const duration = Math.ceil(KEY_TICKS / slot) * slot;
    expect(keys).toEqual([...'78'].map((digit) => ({ digit, durationMs: duration / 8 })));
    expect(ends).toEqual(Array(6).fill(duration));
    expect(markers).toBe(2);
    expect(sender.next(slot)).toBeUndefined();
  });

  it('sends tones of one key, then a gap', () => {
    const sender = new DtmfSender();
    sender.enqueue('1');
    const events: (number | undefined)[] = [];
    while (sender.busy) events.push(sender.nextTone(slot)?.event);
    expect(events).toEqual([
      ...Array(Math.ceil(KEY_TICKS / slot)).fill(1),
      ...Array(Math.ceil(KEY_GAP_TICKS / slot)).fill(undefined),
    ]);
  });
});

it('DtmfSender keeps a bounded queue', () => {
  const sender = new DtmfSender();
  expect(sender.enqueue('1'.repeat(MAX_QUEUED_KEYS + 10))).toBe(MAX_QUEUED_KEYS);
});

describe.each([8_000, 16_000])('DtmfToneDetector at %i samples a second', (rate) => {
  const of = (ms: number): number => (ms * rate) / 1000;
  const detect = (audio: Int16Array): string => {
    const detector = new DtmfToneDetector(rate);
    const keys: DtmfKey[] = [];
    for (let at = 0; at < audio.length; at += of(20))
      detector.push(audio.subarray(at, at + of(20)), false, (key) => keys.push(key));
    detector.push(new Int16Array(of(100)), false, (key) => keys.push(key));
    return keys.map((key) => key.digit).join('');
  };
  const keyTone = (event: number, ms: number): Int16Array => {
    const audio = new Int16Array(of(ms + 100));
    dtmfTone(audio.subarray(0, of(ms)), event, 0, rate);
    return audio;
  };
  const join = (...parts: Int16Array[]): Int16Array => Int16Array.from(parts.flatMap((part) => [...part]));

  it('hears all sixteen keys, each once', () => {
    expect(detect(join(...[...Array(16).keys()].map((event) => keyTone(event, 100))))).toBe(DTMF_DIGITS);
  });
  it('hears a key in noise', () => {
    let seed = 7;
    const noisy = keyTone(5, 200).map((sample) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) | 0;
      return sample + Math.round((seed / 2 ** 31) * 1500);
    });
    expect(detect(noisy)).toBe('5');
  });
  it.each([
    { name: 'silence', audio: new Int16Array(8000) },
    { name: 'one tone', audio: tone(697, 4000) },
    { name: 'a blip shorter than a key', audio: keyTone(1, 25) },
    { name: 'a dial tone', audio: tone(350, 4000).map((s, i) => s + (tone(440, 1, { from: i })[0] ?? 0)) },
    {
      name: 'a key under much louder speech-like sound',
      audio: keyTone(1, 200).map((s, i) => (s >> 3) + (tone(180, 1, { from: i, amplitude: 0.4 })[0] ?? 0)),
    },
  ])('hears no key in $name', ({ audio }) => {
    expect(detect(audio)).toBe('');
  });
});
