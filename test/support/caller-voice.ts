import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createResampler } from '../../src/audio/resampler.ts';
import { readWav, wavFile } from '../../src/audio/wav.ts';
import { randomToken } from '../../src/core/ids.ts';

export const hasCommand = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;

/** A sentence spoken by a synthetic caller (flite), at the telephone rate; agents speak with another program. */
export function spoken(text: string, voice: 'rms' | 'slt' | 'awb' = 'rms'): Int16Array {
  const file = join(tmpdir(), `nidaa-caller-${process.pid}-${randomToken(6)}.wav`);
  execFileSync('flite', ['-voice', voice, '-t', text, '-o', file]);
  const wav = readFileSync(file);
  rmSync(file);
  const read = readWav(wav);
  if (typeof read === 'string') throw new Error(read);
  const resampler = createResampler(read.sampleRateHz, 8000);
  const body = resampler.push(read.channels[0]!);
  const tail = resampler.flush();
  const all = new Int16Array(body.length + tail.length);
  all.set(body);
  all.set(tail, body.length);
  return all;
}

/** What a microphone hears over `seconds`: speech at given moments, silence else. */
export function microphone(seconds: number, ...speech: { atS: number; samples: Int16Array }[]): Int16Array {
  const track = new Int16Array(Math.round(seconds * 8000));
  for (const { atS, samples } of speech) {
    track.set(samples.subarray(0, Math.max(0, track.length - Math.round(atS * 8000))), Math.round(atS * 8000));
  }
  return track;
}

export function writeMicrophone(path: string, samples: Int16Array): void {
  writeFileSync(path, wavFile({ channels: 1, sampleRateHz: 8000 }, samples));
}
