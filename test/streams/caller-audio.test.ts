import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HalfBandDownsampler } from '../../src/audio/half-band.ts';
import { CallerAudio } from '../../src/streams/caller-audio.ts';
import { runs } from '../support/property-runs.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const FRAME = 160;

/** Any sound: no frame of it is silence, and no two are the same. */
const sound = (from: number, count: number): Int16Array =>
  Int16Array.from({ length: count }, (_, i) => 1 + (((from + i) * 7919) % 20_000));

const ignore = (): void => {};

/** All that can be read now, of both; `pieces` are the sizes of the reads. */
function readAll(audio: CallerAudio, pieces: readonly number[] = [FRAME]): { narrow: number[]; wide: number[] } {
  const narrow: number[] = [];
  const wide: number[] = [];
  for (let n = 0; ; n += 1) {
    const into = new Int16Array(pieces[n % pieces.length]!);
    const wideInto = new Int16Array(2 * into.length);
    const count = audio.read(into, wideInto);
    if (count === 0) return { narrow, wide };
    narrow.push(...into.subarray(0, count));
    wide.push(...wideInto.subarray(0, 2 * count));
  }
}

/** Frames of both that belong together. */
const pairs = ({ narrow, wide }: ReturnType<typeof readAll>) =>
  Array.from({ length: narrow.length / FRAME }, (_, n) => ({
    narrow: Int16Array.from(narrow.slice(n * FRAME, (n + 1) * FRAME)),
    wide: Int16Array.from(wide.slice(2 * n * FRAME, 2 * (n + 1) * FRAME)),
  }));
const isSilent = (samples: Int16Array): boolean => samples.every((sample) => sample === 0);

/** What goes on in a call: so many samples of wideband come (two at a time, 0 of them is a loss), then so many slots of 20 ms pass. */
const network = fc.array(
  fc.record({ chunk: fc.nat({ max: 1_600 }).map((pairs) => 2 * pairs), slots: fc.nat({ max: 12 }) }),
  { minLength: 1, maxLength: 60 },
);

describe('what a caller says in wideband', () => {
  it('is what it would be at the telephone rate, to the sample, whatever the network does, and beside it lies what that was made of', () => {
    fc.assert(
      fc.property(
        network,
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 }),
        (came, pieces) => {
          const wideband = new CallerAudio(16_000);
          const telephone = new CallerAudio(8_000);
          const halved = new HalfBandDownsampler();
          const again = new HalfBandDownsampler();
          let said = 0;
          let nowMs = 0;
          const order: number[] = []; // what was heard of `said`
          for (const { chunk, slots } of came) {
            const samples = sound(said, chunk);
            said += chunk;
            telephone.push(halved.push(samples), nowMs);
            wideband.push(samples, nowMs);
            for (let slot = 0; slot < slots; slot += 1) {
              nowMs += 20;
              for (const audio of [wideband, telephone]) audio.slot(nowMs, ignore);
            }
            const heard = readAll(wideband, pieces);
            expect(heard.narrow).toEqual(readAll(telephone).narrow);
            expect(heard.wide.length).toBe(2 * heard.narrow.length);
            expect([wideband.heardAtMs, wideband.waitingMs]).toEqual([telephone.heardAtMs, telephone.waitingMs]);
            for (const { narrow, wide } of pairs(heard)) {
              if (isSilent(wide)) expect(isSilent(narrow)).toBe(true);
              else {
                order.push(...wide);
                expect(again.push(wide)).toEqual(narrow);
              }
            }
          }
          expect(order).toEqual([...sound(0, order.length)]);
          expect(wideband.counters).toEqual(telephone.counters);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('is silent in both where nothing came, and goes on with the sample it had come to', () => {
    const audio = new CallerAudio(16_000);
    const heard: ReturnType<typeof pairs> = [];
    let said = 0;
    for (let slot = 0; slot < 60; slot += 1) {
      if (slot < 20 || slot >= 35) {
        audio.push(sound(said, 320), slot * 20);
        said += 320;
      }
      audio.slot(slot * 20, ignore);
      heard.push(...pairs(readAll(audio)));
    }
    const silent = heard.flatMap(({ wide }, n) => (isSilent(wide) ? [n] : []));
    expect(silent.filter((n) => n > 10).length).toBeGreaterThanOrEqual(15);
    expect(heard.flatMap(({ narrow }, n) => (isSilent(narrow) ? [n] : []))).toEqual(silent);
    const spoken = heard.flatMap(({ wide }) => (isSilent(wide) ? [] : [...wide]));
    expect(spoken).toEqual([...sound(0, spoken.length)]);
  });

  it('is caught up with in both: after a stall two frames in a slot, no sample of either twice or never', () => {
    const audio = new CallerAudio(16_000);
    audio.push(sound(0, 16_000), 0);
    let frames = 0;
    for (let slot = 0; slot < 40; slot += 1) audio.slot(slot * 20, () => (frames += 1));
    expect(frames).toBeGreaterThan(45);
    const { narrow, wide } = readAll(audio);
    expect(narrow.length).toBe(frames * FRAME);
    expect(wide).toEqual([...sound(0, frames * 2 * FRAME)]);
  });

  it('stays together where nobody reads for long, or only one of the two is read', () => {
    const audio = new CallerAudio(16_000);
    for (let slot = 0; slot < 150; slot += 1) {
      audio.push(sound(slot * 320, 320), slot * 20);
      audio.slot(slot * 20, ignore);
    }
    expect(audio.counters.lostFrames).toBe(50);
    expect(audio.read(new Int16Array(8_000))).toBe(8_000); // a second that only one reader wanted
    const half = new HalfBandDownsampler();
    const both = pairs(readAll(audio));
    expect(both.length).toBe(50);
    for (const [n, { narrow, wide }] of both.entries()) {
      const made = half.push(wide);
      if (n > 0) expect(made).toEqual(narrow); // the first is made with what came before it
    }
  });

  it('has above 4 kHz what the telephone has not', () => {
    const audio = new CallerAudio(16_000);
    const high = tone(6_000, 16_000, { rateHz: 16_000 });
    for (let slot = 0; slot < 50; slot += 1) {
      audio.push(high.slice(slot * 320, (slot + 1) * 320), slot * 20);
      audio.slot(slot * 20, ignore);
    }
    const { narrow, wide } = readAll(audio);
    expect(amplitudeAt(Int16Array.from(wide.slice(3_200)), 6_000, 16_000)).toBeGreaterThan(0.24);
    expect(amplitudeAt(Int16Array.from(narrow.slice(1_600)), 2_000)).toBeLessThan(0.002); // where it would fold to
  });
});
