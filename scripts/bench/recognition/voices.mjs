/** Callers for the recognition bench: clips of test/fixtures/speech and machine voices, all in telephone band. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import alawmulaw from 'alawmulaw';

const FIXTURES = new URL('../../../test/fixtures/speech/', import.meta.url);
const TELEPHONE = ['gain', '-3', 'sinc', '300-3400', 'rate', '-h', '8000', 'pad', '0.3', '0.3'];

export const clips = () => JSON.parse(readFileSync(new URL('clips.json', FIXTURES), 'utf8'));

/** Samples of a mu-law clip, with 0.3 s of silence around it as voice activity detection leaves it. */
export function clipSamples(file) {
  const wav = readFileSync(new URL(file, FIXTURES));
  const at = wav.indexOf('data', 36, 'latin1');
  const speech = alawmulaw.mulaw.decode(new Uint8Array(wav.subarray(at + 8, at + 8 + wav.readUInt32LE(at + 4))));
  const samples = new Int16Array(speech.length + 4800);
  samples.set(speech, 2400);
  return samples;
}

const has = (program, ...args) => spawnSync(program, args).status === 0;

/** Machine voices on this computer: espeak-ng, and flite where it is installed. */
export function voices() {
  const found = [];
  if (has('espeak-ng', '--version')) {
    for (const voice of ['en-us', 'en-us+f3', 'en-gb']) {
      found.push({
        name: `espeak ${voice}`,
        speak: (text, file) => execFileSync('espeak-ng', ['-v', voice, '-w', file, text]),
      });
    }
  }
  if (has('flite', '--version') || has('flite', '-lv')) {
    for (const voice of ['slt', 'rms', 'awb', 'kal']) {
      found.push({
        name: `flite ${voice}`,
        speak: (text, file) => execFileSync('flite', ['-voice', voice, '-t', text, '-o', file]),
      });
    }
  }
  return found;
}

/** Those made of recorded people; one that is computed from formants is another thing to a recogniser than a person. */
export const people = () => voices().filter(({ name }) => ['flite slt', 'flite rms', 'flite awb'].includes(name));

/** `text` spoken, band-limited, through mu-law and back. Needs sox. */
export function say(voice, text) {
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-voice-'));
  try {
    const file = join(folder, 'said.wav');
    voice.speak(text, file);
    const raw = execFileSync(
      'sox',
      ['-R', file, '-t', 'raw', '-r', '8000', '-c', '1', '-e', 'mu-law', '-b', '8', '-', ...TELEPHONE],
      {
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    return alawmulaw.mulaw.decode(new Uint8Array(raw));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
