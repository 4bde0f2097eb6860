import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeAlaw, decodeMulaw, encodeAlaw, encodeMulaw } from '../../../dist/audio/g711.js';
import { createResampler } from '../../../dist/audio/resampler.js';
import { readWav } from '../../../dist/audio/wav.js';

const RATE_HZ = 8000;
/** The two sets share neither voices nor texts. */
const VOICES = {
  tune: {
    en: ['flite rms', 'flite slt', 'espeak en-us+m3 150', 'espeak en-us+f2 170'],
    ar: ['espeak ar+m1 140', 'espeak ar+f2 160'],
  },
  test: {
    en: ['flite awb', 'flite kal16', 'espeak en-gb+m7 155', 'espeak en-gb-scotland+f4 180'],
    ar: ['espeak ar+m4 150', 'espeak ar+f4 175'],
  },
};
const BEEPS_HZ = { tune: [620, 800, 1000, 1400, 2000], test: [700, 950, 1100, 1620, 1850] };
const VARIANTS = 2;
const TALK_ON_S = 14; // of what is recorded of a machine

/** Numbers that look random and are the same every time. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function synthesize(voice, text, folder) {
  const file = join(folder, 'speech.wav');
  const [program, name, speed] = voice.split(' ');
  if (program === 'flite') execFileSync('flite', ['-voice', name, '-t', text, '-o', file]);
  else execFileSync('espeak-ng', ['-v', name, '-s', speed, '-w', file, text]);
  const wav = readWav(readFileSync(file));
  const resampler = createResampler(wav.sampleRateHz, RATE_HZ);
  const speech = Int16Array.from([...resampler.push(wav.channels[0]), ...resampler.flush()]);
  let end = speech.length;
  while (end > 0 && Math.abs(speech[end - 1]) < 100) end -= 1;
  let start = 0;
  while (start < end && Math.abs(speech[start]) < 100) start += 1;
  return speech.subarray(start, end);
}

const CODECS = {
  pcmu: (samples) => decodeMulaw(encodeMulaw(samples)),
  pcma: (samples) => decodeAlaw(encodeAlaw(samples)),
};

/** Hiss, hum, or people behind the caller; about 0 dB against a level of 1. */
function noiseOf(kind, length, random, crowd) {
  const noise = new Float64Array(length);
  let slow = 0;
  for (let i = 0; i < length; i += 1) {
    const white = random() + random() + random() - 1.5;
    slow = 0.94 * slow + 0.34 * white;
    noise[i] =
      kind === 'hiss' ? white * 2 : kind === 'hum' ? slow * 1.5 + 0.5 * Math.sin((2 * Math.PI * 100 * i) / RATE_HZ) : 0;
  }
  if (kind !== 'people') return noise;
  for (let voice = 0; voice < 5; voice += 1) {
    const speech = crowd[Math.floor(random() * crowd.length)];
    const shift = Math.floor(random() * speech.length);
    for (let i = 0; i < length; i += 1) noise[i] += speech[(i + shift) % speech.length] / 3000 / Math.sqrt(5);
  }
  return noise;
}

/** One call as it is heard from the answer on, 8 kHz, through a codec. */
function recording({ speech, who, beepHz, random, crowd }) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const between = (from, to) => from + random() * (to - from);
  const facts = {
    delayMs: Math.round(who === 'machine' ? between(200, 1500) : between(150, 1100)),
    levelDb: Math.round(between(-30, -16)),
    noise: pick(['none', 'hiss', 'hum', 'people']),
    snrDb: pick([30, 20, 15]),
    codec: pick(['pcmu', 'pcma']),
    beepHz: who === 'machine' && random() < 0.8 ? beepHz : 0,
    beepMs: Math.round(between(160, 1000)),
    gapMs: Math.round(between(100, 1200)),
  };
  const at = Math.round((facts.delayMs * RATE_HZ) / 1000);
  const beepAt = at + speech.length + Math.round((facts.gapMs * RATE_HZ) / 1000);
  const beepEnd = facts.beepHz ? beepAt + Math.round((facts.beepMs * RATE_HZ) / 1000) : beepAt;
  const samples = new Float64Array(Math.max(6 * RATE_HZ, beepEnd + 4 * RATE_HZ));
  let power = 0;
  for (const sample of speech) power += sample * sample;
  const gain = (32_768 * 10 ** (facts.levelDb / 20)) / Math.sqrt(power / speech.length);
  for (let i = 0; i < speech.length; i += 1) samples[at + i] = speech[i] * gain;
  const loud = 32_768 * 10 ** (facts.levelDb / 20);
  for (let i = beepAt; i < beepEnd; i += 1)
    samples[i] += loud * 1.4 * Math.sin((2 * Math.PI * facts.beepHz * i) / RATE_HZ);
  if (facts.noise !== 'none') {
    const noise = noiseOf(facts.noise, samples.length, random, crowd);
    const scale = loud * 10 ** (-facts.snrDb / 20);
    for (let i = 0; i < samples.length; i += 1) samples[i] += noise[i] * scale;
  }
  const whole = Int16Array.from(samples, (sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample))));
  return { ...facts, samples: CODECS[facts.codec](whole), beepEndMs: facts.beepHz ? (beepEnd * 1000) / RATE_HZ : 0 };
}

/** Every recording of a set, made anew and the same each time: who it is, and what it is like. */
export function recordingsOf(set) {
  const rows = readFileSync(new URL('greetings.tsv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split('\t'))
    .filter(([of]) => of === set);
  const random = seeded(set === 'tune' ? 7 : 11);
  const folder = mkdtempSync(join(tmpdir(), 'nidaa-amd-'));
  try {
    const made = rows.flatMap(([, who, language, text]) =>
      VOICES[set][language].map((voice) => ({ who, language, text, voice, speech: synthesize(voice, text, folder) })),
    );
    const crowd = made.filter(({ speech }) => speech.length > 2 * RATE_HZ).map(({ speech }) => speech);
    const all = made.flatMap((one, n) =>
      Array.from({ length: VARIANTS }, (_, variant) => {
        const beepHz = BEEPS_HZ[set][(n + variant) % BEEPS_HZ[set].length];
        const speech = one.speech.subarray(0, TALK_ON_S * RATE_HZ);
        return { ...one, ...recording({ ...one, speech, beepHz, random, crowd }) };
      }),
    );
    const silent = Array.from({ length: 10 }, () => {
      const speech = new Int16Array(RATE_HZ).fill(1);
      const made = recording({ speech, who: 'human', random, crowd });
      const quiet = new Int16Array(6 * RATE_HZ).map(() => Math.round((random() - 0.5) * 40));
      return { who: 'silent', language: 'none', text: '', voice: 'none', ...made, samples: quiet };
    });
    return [...all, ...silent];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
