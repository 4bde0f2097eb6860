import { describe, expect, it } from 'vitest';
import { decodeMulaw, encodeMulaw } from '../../src/audio/g711.ts';
import { allocateCallAudio } from '../../src/media/plane/call-audio.ts';
import { PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { writeRtpHeader } from '../../src/media/rtp/rtp-packet.ts';
import { configure, PEER, PEER_PORT, portOf, SlotRig } from '../support/slot-rig.ts';

const CALL = 1;
const FRAME_SAMPLES = 160;
/** Each packet is told from those around it by its level. */
const LEVELS = Array.from({ length: 12 }, (_, n) => decodeMulaw(encodeMulaw(Int16Array.of((n + 1) * 1_000)))[0]!);

/** A peer that sends a packet `phaseMs` after each tick, and a media thread that stands still from `fromMs` on for `forMs`. */
async function run(options: { fromMs: number; forMs: number; phaseMs: number; kernelTimes: boolean }) {
  const rig = new SlotRig();
  rig.wheel.start(0);
  const audio = allocateCallAudio(10_000);
  const slot = await rig.open(CALL, { audio });
  slot.receive(configure(CALL));
  const ring = new PcmRing(audio.capture);
  const frame = new Int16Array(FRAME_SAMPLES);
  const waiting: { readonly datagram: Buffer; readonly atMs: number }[] = [];
  const heard: number[] = [];
  for (let ms = 0, packets = 0; ms < 4_000; ms += 1) {
    if (ms % 20 === options.phaseMs) {
      waiting.push({ datagram: packet(packets), atMs: ms });
      packets += 1;
    }
    if (ms >= options.fromMs && ms < options.fromMs + options.forMs) continue;
    rig.nowMs = ms;
    for (const { datagram, atMs } of waiting.splice(0)) {
      rig.sockets.get(portOf(CALL))!.deliver(datagram, PEER, PEER_PORT, options.kernelTimes ? atMs : ms);
    }
    rig.wheel.run(() => rig.nowMs);
    while (ring.read(frame) > 0) heard.push(LEVELS.indexOf(frame[80]!));
  }
  slot.receive({ type: 'stats', call: CALL });
  return { heard, stats: rig.of('stats').at(-1)!.stats };
}

function packet(n: number): Buffer {
  const payload = encodeMulaw(new Int16Array(FRAME_SAMPLES).fill(LEVELS[n % LEVELS.length]!));
  const datagram = Buffer.alloc(12 + payload.length);
  writeRtpHeader(datagram, 0, false, n, n * FRAME_SAMPLES, 7);
  datagram.set(payload, 12);
  return datagram;
}

/** Where one frame does not follow the other: something is left out, blended or invented there. */
const breaks = (heard: readonly number[]): number[] =>
  heard.flatMap((level, n) => (n > 0 && level !== (heard[n - 1]! + 1) % LEVELS.length ? [n] : []));

describe.each([
  { times: 'the kernel', kernelTimes: true },
  { times: 'who reads them', kernelTimes: false },
])('packets whose times come from $times', ({ kernelTimes }) => {
  const stalls = [0, 5, 25, 39, 45, 59, 80, 130, 250];
  it.each(stalls)('are all heard, once, around a thread that stands still for %i ms', async (forMs) => {
    for (const phaseMs of [0, 7, 13, 19]) {
      const { heard, stats } = await run({ fromMs: 2_003, forMs, phaseMs, kernelTimes });
      const first = heard.findIndex((level) => level >= 0);
      expect(breaks(heard.slice(first))).toEqual([]);
      expect(stats).toMatchObject({ packetsConcealed: 0, packetsLate: 0, packetsLost: 0 });
      if (kernelTimes) expect(stats.jitterMs).toBe(0);
    }
  });
});
