import { describe, expect, it } from 'vitest';
import { HOLD_MUSIC_MS, holdMusic } from '../../src/audio/hold-music.ts';
import { wavFile } from '../../src/audio/wav.ts';
import { MUSIC_FILE_BYTES_MAX, musicOfWav, ownMusic } from '../../src/media/music-loop.ts';
import { allocateCallAudio, PlayoutLevels } from '../../src/media/plane/call-audio.ts';
import { PcmRing } from '../../src/media/plane/pcm-ring.ts';
import { MusicReader } from '../../src/media/worker/music-reader.ts';
import { OutgoingAudio } from '../../src/media/worker/outgoing-audio.ts';
import { someOf } from '../support/property-runs.ts';
import { amplitudeAt, tone } from '../support/tones.ts';

const peakOf = (samples: Int16Array): number => samples.reduce((peak, one) => Math.max(peak, Math.abs(one)), 0);

describe('the music that needs no file', () => {
  const music = holdMusic();

  it('is always the same, soft, never silent, and has no seam', () => {
    expect(music).toEqual(holdMusic());
    expect(music.length).toBe(HOLD_MUSIC_MS * 8);
    expect(peakOf(music)).toBeGreaterThan(1_000);
    expect(peakOf(music)).toBeLessThan(6_000); // -15 dBFS
    for (let at = 0; at < music.length; at += 2_000) {
      expect(peakOf(music.subarray(at, at + 2_000)), `at ${at}`).toBeGreaterThan(200);
    }
    const steps = music.map((sample, at) => Math.abs(sample - music.at(at - 1)!));
    expect(steps[0]).toBeLessThanOrEqual(peakOf(steps.subarray(1)));
  });

  it('begins with its first note', () => {
    expect(amplitudeAt(music.subarray(400, 4_000), 440 * 2 ** (-9 / 12))).toBeGreaterThan(0.01);
  });
});

describe('a file as music', () => {
  it('is brought to the telephone’s rate, its channels mixed', () => {
    const left = tone(440, 48_000, { amplitude: 0.5, rateHz: 48_000 });
    const stereo = new Int16Array(2 * left.length);
    for (const [at, sample] of left.entries()) stereo[2 * at] = sample;
    const music = musicOfWav(wavFile({ channels: 2, sampleRateHz: 48_000 }, stereo));
    if (typeof music === 'string') throw new Error(music);
    const samples = new Int16Array(music.samples);
    expect([music.sampleRateHz, samples.length]).toEqual([8_000, 8_000]);
    expect(amplitudeAt(samples.subarray(1_000, 5_000), 440)).toBeCloseTo(0.25, 1);
  });

  it.each([
    ['no wav', Buffer.from('hello'), 'not-wav'],
    ['too long', wavFile({ channels: 1, sampleRateHz: 8_000 }, new Int16Array(61 * 8_000)), 'longer than 60 seconds'],
    ['too large', Buffer.alloc(MUSIC_FILE_BYTES_MAX + 1), 'larger than 24 MB'],
    ['empty', wavFile({ channels: 1, sampleRateHz: 8_000 }, new Int16Array(0)), 'no-data'],
  ])('is refused where it is %s', (_name, file, why) => {
    expect(musicOfWav(file)).toBe(why);
  });
});

describe('who listens to a loop', () => {
  it.each(someOf([16_000, 8_000], 2))('hears it round and round, at %i Hz, from the memory of all', (sampleRateHz) => {
    const music = ownMusic();
    const reader = new MusicReader(music, sampleRateHz);
    const packet = new Int16Array((sampleRateHz * 30) / 1000);
    const heard: number[] = [];
    for (let i = 0; i < (2 * HOLD_MUSIC_MS) / 30; i += 1) {
      reader.read(packet);
      heard.push(...packet);
    }
    const once = (HOLD_MUSIC_MS * sampleRateHz) / 1000;
    const second = Int16Array.from(heard.slice(once + 200, once + 20_000));
    if (sampleRateHz === 8_000) expect(Int16Array.from(heard.slice(0, once))).toEqual(new Int16Array(music.samples));
    expect(second).toEqual(Int16Array.from(heard.slice(200, 20_000)).map((sample, at) => second[at] ?? sample));
    expect(peakOf(second)).toBeGreaterThan(1_000);
  });
});

describe('what a caller hears', () => {
  const memory = allocateCallAudio(1_000);
  const agent = new PcmRing(memory.playout);
  const loud = new Int16Array(160).fill(9_000);
  const lane = (frame: Int16Array | undefined) => ({
    hear: (into: Int16Array) => {
      into.set(frame ?? new Int16Array(into.length));
      return frame !== undefined;
    },
  });
  const audio = (frame?: Int16Array) => {
    const out = new OutgoingAudio(agent, new PlayoutLevels(memory.levels), 8_000);
    if (frame) out.lane = lane(frame) as never;
    out.play(ownMusic());
    return out;
  };
  const packet = new Int16Array(160);
  const next = (out: OutgoingAudio): [number, number] => [out.read(packet), peakOf(packet)];

  it('is music where nobody says anything, and the agent alone where it speaks', () => {
    const out = audio();
    for (let i = 0; i < 10; i += 1) next(out);
    expect(next(out)[0]).toBe(160);
    expect(peakOf(packet)).toBeLessThan(6_000);
    agent.write(loud);
    expect(next(out)).toEqual([160, 9_000]);
    expect([out.agentSamples, next(out)[1] < 6_000]).toEqual([160, true]);
    out.play(undefined);
    expect(next(out)[0]).toBe(0);
  });

  it('is the other side’s own music where it has some, and ours in its silence', () => {
    const sounding = audio(loud);
    expect(next(sounding)).toEqual([160, 9_000]);
    sounding.lane = lane(new Int16Array(160)) as never;
    for (let i = 0; i < 49; i += 1) expect(next(sounding)[1]).toBe(0); // a pause of it
    for (let i = 0; i < 10; i += 1) next(sounding);
    expect(next(sounding)[1]).toBeGreaterThan(100);
  });
});
