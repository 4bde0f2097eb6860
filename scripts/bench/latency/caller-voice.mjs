import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createResampler } from '../../../dist/audio/resampler.js';
import { readWav } from '../../../dist/audio/wav.js';

const RATE_HZ = 8000;
const haveFlite = () => spawnSync('flite', ['--version'], { stdio: 'ignore' }).error === undefined;

/** The program that speaks for callers: flite is nearer to people than the agents' espeak-ng, and recognised better. */
export const callerProgram = haveFlite() ? 'flite' : 'espeak-ng';

/** A sentence at the telephone rate. */
export function spoken(text) {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-voice-'));
  try {
    const file = join(folder, 'speech.wav');
    const [flite, espeak] = [
      ['-voice', 'rms', '-t', text, '-o', file],
      ['-v', 'en-us+m3', '-s', '150', '-w', file, text],
    ];
    execFileSync(callerProgram, callerProgram === 'flite' ? flite : espeak);
    const wav = readWav(readFileSync(file));
    const resampler = createResampler(wav.sampleRateHz, RATE_HZ);
    return Int16Array.from([...resampler.push(wav.channels[0]), ...resampler.flush()]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
