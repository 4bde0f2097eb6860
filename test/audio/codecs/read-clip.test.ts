import { describe, expect, it, vi } from 'vitest';
import type { ClipAudio } from '../../../src/audio/codecs/clip-builder.ts';
import { ClipBuilder } from '../../../src/audio/codecs/clip-builder.ts';
import { type ClipType, readClip } from '../../../src/audio/codecs/read-clip.ts';
import { wavFile, wavHeader } from '../../../src/audio/wav.ts';
import { audioFile, fixtureTones, melody, numbers } from '../../support/audio-files.ts';
import { LONG, someOf } from '../../support/property-runs.ts';

vi.spyOn(console, 'error').mockImplementation(() => {}); // decoders print what is wrong with a file

const FILES: { name: string; type: ClipType; rateHz: number; seconds: number; amplitude: number }[] = [
  { name: 'tones.flac', type: 'flac', rateHz: 16_000, seconds: 1.5, amplitude: 0.3 },
  { name: 'tones-vorbis.ogg', type: 'ogg', rateHz: 48_000, seconds: 1.5, amplitude: 0.212 },
  { name: 'tones-opus.ogg', type: 'ogg', rateHz: 48_000, seconds: 1.5, amplitude: 0.3 },
  { name: 'tones.webm', type: 'webm', rateHz: 48_000, seconds: 1.5135, amplitude: 0.3 },
  { name: 'tones-live.webm', type: 'webm', rateHz: 48_000, seconds: 1.5135, amplitude: 0.3 },
  { name: 'tones.mp3', type: 'mp3', rateHz: 22_050, seconds: 1.5, amplitude: 0.3 },
];

const outcome = (clip: ClipAudio | string): string => (typeof clip === 'string' ? clip : 'audio');

describe.each(someOf(FILES, 4))('readClip of $name', ({ name, type, rateHz, seconds, amplitude }) => {
  const file = audioFile(name);

  it('gives its tones at their times, in mono', async () => {
    const clip = (await readClip(file, type, 60)) as ClipAudio;
    expect(clip.sampleRateHz).toBe(rateHz);
    expect(clip.samples.length / rateHz).toBeCloseTo(seconds, 3);
    for (const heard of fixtureTones(clip.samples, rateHz)) {
      expect(heard).toBeGreaterThan(amplitude * 0.93);
      expect(heard).toBeLessThan(amplitude * 1.07);
    }
  });

  it('is too long for a limit that it exceeds by more than the padding', async () => {
    expect(await readClip(file, type, 1.0)).toBe('too-long');
    expect(outcome(await readClip(file, type, 1.4))).toBe('audio');
  });

  it('truncated anywhere gives less audio or none', async () => {
    for (let length = 0; length < file.length; length += LONG ? 1024 : 4096) {
      const clip = await readClip(file.subarray(0, length), type, 60);
      expect(['invalid', 'audio', 'unsupported']).toContain(outcome(clip));
      if (typeof clip !== 'string') expect(clip.samples.length / rateHz).toBeLessThanOrEqual(seconds + 0.1);
    }
  });

  it('with bytes changed at random never throws', async () => {
    const next = numbers(7);
    for (let round = 0; round < (LONG ? 40 : 6); round += 1) {
      const bytes = Buffer.from(file);
      for (let i = next(20); i >= 0; i -= 1) bytes[next(round % 2 === 0 ? bytes.length : 200)] = next(256);
      expect(['invalid', 'audio', 'unsupported', 'too-long']).toContain(outcome(await readClip(bytes, type, 60)));
    }
  });
});

describe('readClip', () => {
  it.each<{ name: string; bytes: Uint8Array; type: ClipType; is: string }>([
    { name: 'nothing', bytes: new Uint8Array(0), type: 'mp3', is: 'invalid' },
    { name: 'Speex in Ogg', bytes: audioFile('tones-speex.ogg'), type: 'ogg', is: 'unsupported' },
    { name: 'WebM called Ogg', bytes: audioFile('tones.webm'), type: 'ogg', is: 'invalid' },
    { name: 'Opus with no channels', bytes: patched('tones-opus.ogg', 28 + 9, 0), type: 'ogg', is: 'invalid' },
    { name: 'Opus with 255 channels', bytes: patched('tones-opus.ogg', 28 + 9, 255), type: 'ogg', is: 'invalid' },
    { name: 'Vorbis with no channels', bytes: patched('tones-vorbis.ogg', 28 + 11, 0), type: 'ogg', is: 'invalid' },
    { name: 'a WAV header alone', bytes: wavHeader({ channels: 1, sampleRateHz: 8000 }), type: 'wav', is: 'invalid' },
    { name: 'a WAV of no channels', bytes: wavClaiming(22, 0), type: 'wav', is: 'invalid' },
    { name: 'a WAV of 2^32 Hz', bytes: wavClaiming(24, 0xffff_ffff), type: 'wav', is: 'invalid' },
    { name: 'a WAV of 1 Hz', bytes: wavClaiming(24, 1), type: 'wav', is: 'invalid' },
    { name: 'a WAV of 4 GB by its own words', bytes: wavClaiming(40, 0xffff_fff0), type: 'wav', is: 'audio' },
    { name: 'a WAV of ADPCM', bytes: wavClaiming(20, 2), type: 'wav', is: 'unsupported' },
    { name: 'a WAV of 60.2 s', bytes: silentWav(60.2), type: 'wav', is: 'audio' },
    { name: 'a WAV of 60.3 s', bytes: silentWav(60.3), type: 'wav', is: 'too-long' },
  ])('$name: $is', async ({ bytes, type, is }) => {
    expect(outcome(await readClip(bytes, type, 60))).toBe(is);
  });

  it('mixes channels down', async () => {
    const samples = Int16Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? 1000 : 3000));
    const clip = (await readClip(wavFile({ channels: 2, sampleRateHz: 8000 }, samples), 'wav', 60)) as ClipAudio;
    expect(new Set(clip.samples)).toEqual(new Set([2000]));
    expect(clip.samples).toHaveLength(1000);
  });
});

describe('ClipBuilder', () => {
  it('stops taking audio a second after the limit, however much comes', () => {
    const builder = new ClipBuilder(2);
    for (let i = 0; i < 10; i += 1) builder.add([new Float32Array(8000)], 8000);
    expect(builder.full).toBe(true);
    expect(builder.length).toBe(24_000);
    expect(builder.build()).toBe('too-long');
  });

  it('takes 16-bit samples through floats unharmed, and clips what lies outside', () => {
    const samples = melody(0.1, 8000);
    const builder = new ClipBuilder(1);
    builder.add([Float32Array.from(samples, (sample) => sample / 32_768)], 8000);
    builder.add([Float32Array.of(2, -2, Number.NaN, 1, -1)], 8000);
    const clip = builder.build() as ClipAudio;
    expect(clip.samples.subarray(0, samples.length)).toEqual(samples);
    expect([...clip.samples.subarray(samples.length)]).toEqual([32_767, -32_768, 0, 32_767, -32_768]);
  });

  it('leaves out pieces of another rate, and rates that nobody records at', () => {
    const builder = new ClipBuilder(1);
    builder.add([new Float32Array(10)], 1);
    builder.add([new Float32Array(10)], 8000);
    builder.add([new Float32Array(10)], 16_000);
    expect(builder).toMatchObject({ length: 10, skipped: 2 });
  });
});

function patched(name: string, at: number, value: number): Buffer {
  const bytes = Buffer.from(audioFile(name));
  bytes[at] = value;
  return bytes;
}

function wavClaiming(at: number, value: number): Buffer {
  const wav = wavFile({ channels: 1, sampleRateHz: 8000 }, new Int16Array(8000));
  if (at === 20 || at === 22) wav.writeUInt16LE(value, at);
  else wav.writeUInt32LE(value, at);
  return wav;
}

const silentWav = (seconds: number): Buffer =>
  wavFile({ channels: 1, sampleRateHz: 8000 }, new Int16Array(Math.round(8000 * seconds)));
