import { describe, expect, it } from 'vitest';
import { encodeMulaw } from '../../src/audio/g711.ts';
import { uint32 } from '../../src/core/uint.ts';
import { PCMU } from '../../src/media/codec/g711-codec.ts';
import {
  JITTER_TRANSITIONS,
  JitterBuffer,
  type JitterEvent,
  type JitterState,
} from '../../src/media/rtp/jitter-buffer.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const DECODER = PCMU.decoder();
const LIMITS = { minMs: 20, maxMs: 200 };
const frame = new Int16Array(160);

/** A buffer, a sender and a clock on one scale: packet n is all samples of one value, so what is played can be read off. */
class Rig {
  readonly buffer = new JitterBuffer(LIMITS, PCMU);
  nowMs = 0;
  last = -1;
  constructor(
    readonly firstTimestamp: number,
    readonly ptime = 20,
  ) {}

  push(n: number, options: { contiguous?: boolean; timestamp?: number } = {}): void {
    const samples = this.ptime * 8;
    const timestamp = options.timestamp ?? uint32(this.firstTimestamp + n * samples);
    const contiguous = options.contiguous ?? n === this.last + 1;
    this.last = n;
    const payload = encodeMulaw(new Int16Array(samples).fill(((n % 20) + 1) * 400));
    this.buffer.push(timestamp, payload, DECODER, contiguous, this.now);
  }
  /** @returns number of the packet heard (modulo 20, so that it survives mu-law), -1 for silence, or what came instead. */
  pop(): number | string {
    const result = this.buffer.pop(frame, this.now);
    return result === 'audio' ? Math.round((frame[80] as number) / 400) - 1 : result;
  }
  get now(): number {
    return uint32(Math.round(this.nowMs * 8));
  }
  /** Every 20 ms: packets that arrived, then one pop. */
  play(arrivals: readonly (readonly number[])[]): (number | string)[] {
    return arrivals.map((packets) => {
      for (const n of packets) this.push(n);
      const played = this.pop();
      this.nowMs += 20;
      return played;
    });
  }
}

describe('how long what is heard has waited', () => {
  /** Packet n comes when its last sample was said, `n * ptime`, unless it is in `late` (ms). A frame is taken every 20 ms. */
  const waits = (ptime: number, popLagMs: number, late: Readonly<Record<number, number>> = {}): number[] => {
    const rig = new Rig(0xffff_ff00, ptime);
    const out: number[] = [];
    const arrivals = Array.from({ length: 30 }, (_, n) => ({ n, atMs: n * ptime + (late[n] ?? 0) }));
    for (let popMs = popLagMs; popMs < 10 * ptime + 200; popMs += 20) {
      for (; arrivals[0] && arrivals[0].atMs <= popMs; arrivals.shift()) {
        rig.nowMs = arrivals[0].atMs;
        rig.push(arrivals[0].n);
      }
      rig.nowMs = popMs;
      if (typeof rig.pop() === 'number' && frame[80] !== 0) out.push(popMs - rig.buffer.waitedMs);
    }
    return out;
  };

  it.each([
    { name: 'in step', ptime: 20, popLagMs: 0 },
    { name: 'taken late', ptime: 20, popLagMs: 13 },
    { name: 'one packet late', ptime: 20, popLagMs: 5, late: { 4: 15 } },
    { name: 'two frames a packet', ptime: 40, popLagMs: 5 },
  ])('$name: a frame is as old as the wire says', ({ ptime, popLagMs, late }) => {
    // The first packet came at 0, when its end had been said: a frame ends every 20 ms from its own first end on.
    const firstEndMs = 20 - ptime;
    const ends = waits(ptime, popLagMs, late);
    expect(ends.length).toBeGreaterThan(10);
    expect(ends).toEqual(ends.map((_, n) => firstEndMs + 20 * n));
  });
});

describe('jitter buffer states', () => {
  const states = Object.keys(JITTER_TRANSITIONS) as JitterState[];
  const events: JitterEvent[] = ['filled', 'drained', 'restart'];
  const expected: Record<JitterState, Record<JitterEvent, JitterState | undefined>> = {
    buffering: { filled: 'playing', drained: undefined, restart: undefined },
    playing: { filled: undefined, drained: 'buffering', restart: 'buffering' },
  };
  it.each(states.flatMap((state) => events.map((event) => ({ state, event }))))(
    '$state, $event',
    ({ state, event }) => {
      expect(JITTER_TRANSITIONS[state][event]).toBe(expected[state][event]);
    },
  );
});

describe.each([0, 0x7fff_ff00, 0xffff_fec0])('JitterBuffer, first timestamp %i', (first) => {
  it.each([
    { name: 'in order', arrive: [[0], [1], [2], [3], [4]], play: ['silence', 0, 1, 2, 3] },
    { name: 'swapped pair', arrive: [[0], [2], [1], [3], [4]], play: ['silence', 0, 1, 2, 3] },
    { name: 'swapped at the start', arrive: [[1], [0], [2], [3]], play: ['silence', 0, 1, 2] },
    { name: 'duplicate', arrive: [[0], [1, 1], [2], [3]], play: ['silence', 0, 1, 2] },
    { name: 'gap', arrive: [[0], [1], [3], [4], [5]], play: ['silence', 0, 1, 'concealed', 3] },
    { name: 'burst', arrive: [[0, 1, 2], [], [], [3], [4]], play: [0, 1, 2, 3, 4] },
    { name: 'late beyond use', arrive: [[0], [2], [3], [4], [5, 1], [6]], play: ['silence', 0, 'concealed', 2, 3, 4] },
    {
      name: 'ran dry, then the late one came',
      arrive: [[0], [1], [], [], [2], [3]],
      play: ['silence', 0, 1, 'concealed', 2, 3],
    },
    { name: 'one stray', arrive: [[0], [1, 90_000], [2], [3]], play: ['silence', 0, 1, 2] },
  ])('$name', ({ arrive, play }) => {
    expect(new Rig(first).play(arrive)).toEqual(play);
  });

  it('counts what it dropped and why', () => {
    const rig = new Rig(first);
    rig.play([[0], [1, 1], [2, 90_000], [4], [5], [6, 3, 0], [7]]);
    expect(rig.buffer.counters).toMatchObject({ duplicate: 1, stray: 1, late: 2, restarts: 0 });
  });

  it('follows a sender whose clock jumped', () => {
    const rig = new Rig(first);
    rig.play([[0], [1], [2]]);
    const played = rig.play([[9_000], [9_001], [9_002], [9_003], [9_004], [9_005]]);
    expect(played.slice(-3)).toEqual([2, 3, 4]); // 9,000 was taken for a stray
    expect(rig.buffer.counters.restarts).toBe(1);
    expect(rig.buffer.state).toBe('playing');
  });

  it('takes a pause of the sender (DTX) for silence, not for loss', () => {
    const rig = new Rig(first);
    rig.play([[0], [1]]);
    const timestamp = uint32(first + 5 * 160); // 60 ms not sent, but the next sequence number
    rig.push(5, { contiguous: true, timestamp });
    expect([rig.pop(), rig.pop(), rig.pop(), rig.pop(), rig.pop()]).toEqual([1, -1, -1, -1, 5]);
    expect(rig.buffer.counters.concealed).toBe(0);
  });

  it('is silent at once when the sender announces silence', () => {
    const rig = new Rig(first);
    rig.play([[0], [1], [2]]);
    rig.buffer.pause();
    expect(rig.play([[], [], []])).toEqual([2, 'silence', 'silence']);
    expect(rig.buffer.state).toBe('buffering');
  });

  it.each([10, 30, 40, 60])('takes packets of %i ms', (ptime) => {
    const rig = new Rig(first, ptime);
    const out: Int16Array[] = [];
    let sent = 0;
    for (let tick = 0; tick < 60; tick += 1) {
      for (; sent * ptime <= rig.nowMs; sent += 1) rig.push(sent);
      if (rig.buffer.pop(frame, rig.now) === 'audio') out.push(frame.slice());
      rig.nowMs += 20;
    }
    const samples = out.flatMap((part) => [...part]);
    const packets = samples.map((sample) => Math.round(sample / 400) - 1);
    const steps = new Set(packets.slice(1).map((packet, i) => packet - (packets[i] ?? 0)));
    expect([...steps].filter((step) => ![0, 1, -19].includes(step))).toEqual([]);
    expect(rig.buffer.counters).toMatchObject({ concealed: 0, late: 0, shortened: 0 });
    expect(samples.length).toBeGreaterThan(8 * 1000);
  });
});

/** Runs a tone through loss and jitter that repeat exactly. @returns what was played. */
function playTone(options: {
  packets: number;
  delayMs: (n: number) => number;
  lost?: (n: number) => boolean;
  skew?: number;
}): {
  audio: Int16Array;
  buffer: JitterBuffer;
  results: string[];
} {
  const buffer = new JitterBuffer(LIMITS, PCMU);
  const { packets, delayMs, lost = () => false, skew = 1 } = options;
  const arrivals = Array.from({ length: packets }, (_, n) => ({ n, atMs: n * 20 * skew + delayMs(n) }))
    .filter(({ n }) => !lost(n))
    .sort((a, b) => a.atMs - b.atMs);
  const audio: number[] = [];
  const results: string[] = [];
  let highest = -1;
  for (let atMs = 5; atMs < packets * 20 * skew; atMs += 20) {
    while (arrivals[0] && arrivals[0].atMs <= atMs) {
      const { n, atMs: arrivedMs } = arrivals.shift() as { n: number; atMs: number };
      const payload = encodeMulaw(tone(250, 160, { from: n * 160 }));
      buffer.push(
        uint32(0xffff_0000 + n * 160),
        payload,
        DECODER,
        n === highest + 1,
        uint32(Math.round(arrivedMs * 8)),
      );
      highest = Math.max(highest, n);
    }
    results.push(buffer.pop(frame, uint32(atMs * 8)));
    audio.push(...frame);
  }
  return { audio: Int16Array.from(audio), buffer, results };
}

const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 32;
};

describe('JitterBuffer over a network', () => {
  it('keeps the least delay on a quiet one', () => {
    const { buffer, results } = playTone({ packets: 500, delayMs: () => 30 });
    expect(buffer.targetMs).toBe(20);
    expect(buffer.queuedMs).toBeLessThanOrEqual(60);
    expect(results.slice(10).every((result) => result === 'audio')).toBe(true);
  });

  it('deepens for jitter and becomes shallow again', () => {
    const next = random(1);
    const { buffer, results } = playTone({ packets: 1_500, delayMs: (n) => (n > 300 && n < 800 ? next() * 120 : 10) });
    expect(buffer.counters.shortened).toBeGreaterThan(2);
    expect(buffer.targetMs).toBe(20);
    const stormy = results.slice(400, 800).filter((result) => result !== 'audio').length;
    expect(stormy).toBeLessThan(40); // of 400: within the 3 % that the estimate allows, and the time to learn
    expect(results.slice(1_000).every((result) => result === 'audio')).toBe(true);
  });

  it.each([1, 3, 5, 10])('hears the tone through %i %% loss', (percent) => {
    const next = random(percent);
    const { audio, buffer } = playTone({ packets: 600, delayMs: () => 20, lost: () => next() * 100 < percent });
    expect(amplitudeAt(audio.subarray(4_000, 90_000), 250)).toBeGreaterThan(0.2);
    expect(buffer.counters.concealed).toBeGreaterThan(0);
    expect(buffer.counters.late).toBe(0);
  });

  it.each([0.998, 1.002])('does not fall behind a sender whose clock runs at %d of ours', (skew) => {
    const { buffer, results } = playTone({ packets: 6_000, delayMs: () => 10, skew });
    expect(buffer.queuedMs).toBeLessThan(200);
    const broken = results.slice(10).filter((result) => result !== 'audio').length;
    expect(broken).toBeLessThan(40); // a second of drift in 100 s makes at most 12 frames to invent
  });

  it('plays on at once after an outage of two seconds', () => {
    const { results } = playTone({ packets: 400, delayMs: () => 10, lost: (n) => n >= 100 && n < 200 });
    const resumed = results.lastIndexOf('silence');
    expect(resumed).toBeGreaterThan(190);
    expect(resumed).toBeLessThan(206);
    expect(results.slice(resumed + 1).every((result) => result === 'audio')).toBe(true);
  });

  it('keeps the words of a burst after a stall, within its limit', () => {
    const { buffer, results } = playTone({ packets: 300, delayMs: (n) => (n >= 100 && n < 125 ? (125 - n) * 20 : 0) });
    expect(buffer.counters.late).toBe(0);
    expect(buffer.counters.trimmed).toBe(0);
    expect(results.slice(-100).every((result) => result === 'audio')).toBe(true);
  });

  it('takes payloads of any size without harm', () => {
    const buffer = new JitterBuffer(LIMITS, PCMU);
    for (const length of [0, 1, 7, 2_048, 2_049, 4_000]) {
      buffer.push(1_000, new Uint8Array(length), DECODER, false, 0);
      buffer.pop(frame, 0);
    }
    expect(buffer.counters.stray).toBe(3);
  });
});
