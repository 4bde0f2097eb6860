#!/usr/bin/env node
/**
 * Keys heard in the audio: how many of those that were pressed are reported, once each and as what they are; how many are reported
 * of speech that has none; and what a frame of it costs.
 *
 *   node scripts/bench/dtmf.mjs [FOLDER-OF-WAV-FILES ...]        needs `npm run build`; reads WAV files of any rate by sox
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Concealment } from '../../dist/media/codec/concealment.js';
import { KEYPAD } from '../../dist/media/dtmf/dtmf-tone.js';
import { DtmfToneDetector } from '../../dist/media/dtmf/dtmf-tone-detector.js';
import { overTheLine, press, RATE_HZ, seeded } from './dtmf/tones.mjs';

const FRAME = 160;
const PRESSES = 25; // of each key
const SPEECH = 'test/fixtures/speech';
const SPOKEN =
  'the total is four hundred and twenty two riyals please hold while I transfer your call to reception thank you';

/** @param lossPercent - of the frames, concealed as in a call. */
function keysIn(audio, lossPercent = 0, random = () => 1) {
  const detector = new DtmfToneDetector(RATE_HZ);
  const concealment = new Concealment(RATE_HZ);
  let keys = '';
  const take = ({ digit }) => {
    keys += digit;
  };
  for (let at = 0; at < audio.length; at += FRAME) {
    const frame = Int16Array.from(audio.subarray(at, at + FRAME));
    const lost = random() * 100 < lossPercent;
    if (lost) concealment.conceal(frame, 0, frame.length);
    else concealment.good(frame, 0, frame.length);
    detector.push(frame, lost, take);
  }
  detector.push(new Int16Array(FRAME * 10), false, take);
  return keys;
}

function hitRate(name, shape, lossPercent = 0) {
  const random = seeded(7);
  const count = { right: 0, missed: 0, doubled: 0, wrong: 0 };
  for (const key of KEYPAD) {
    for (let n = 0; n < PRESSES; n += 1) {
      const heard = keysIn(press(key, shape, random), lossPercent, random);
      if (heard === key) count.right += 1;
      else if (heard === '') count.missed += 1;
      else if ([...heard].every((other) => other === key)) count.doubled += 1;
      else count.wrong += 1;
    }
  }
  const all = KEYPAD.length * PRESSES;
  const share = ((count.right * 100) / all).toFixed(1).padStart(6);
  console.log(
    `${name.padEnd(44)} ${share} % ${String(count.missed).padStart(7)} ${String(count.doubled).padStart(7)} ${String(count.wrong).padStart(6)}`,
  );
}

/** A file as 8 kHz samples. */
function samplesOf(file, speed = 1) {
  const as = ['-t', 'raw', '-r', String(RATE_HZ), '-c', '1', '-e', 'signed', '-b', '16', '-'];
  const raw = execFileSync('sox', [file, ...as, 'speed', String(speed)], {
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length - (raw.length % 2)));
}

const wavFiles = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => /\.(wav|flac)$/i.test(name))
    .map((name) => join(folder, name));

/** The same voices higher and deeper are other voices to a filter. */
const SPEEDS = [0.8, 0.9, 1, 1.12, 1.25];
const atEverySpeed = (files) => files.flatMap((file) => SPEEDS.map((speed) => samplesOf(file, speed)));

function falseKeys(name, clips, lossPercent = 0) {
  const random = seeded(11);
  let samples = 0;
  let keys = '';
  for (const clip of clips) {
    for (const gainDb of [0, -12]) {
      const gained = overTheLine(
        clip.map((sample) => Math.max(-32_768, Math.min(32_767, Math.round(sample * 10 ** (gainDb / 20))))),
      );
      samples += gained.length;
      keys += keysIn(gained, lossPercent, random);
    }
  }
  const hours = samples / RATE_HZ / 3600;
  console.log(
    `${name.padEnd(44)} ${(hours * 60).toFixed(1).padStart(7)} min ${String(keys.length).padStart(4)} false ` +
      `${(keys.length / hours).toFixed(1).padStart(7)} an hour  ${keys}`,
  );
}

console.log(`${'of 400 presses'.padEnd(44)}    right  missed doubled  wrong`);
hitRate('100 ms, clean', {});
hitRate(' 50 ms, clean', { ms: 50 });
hitRate(' 40 ms, clean', { ms: 40 });
hitRate('100 ms, 1.5 % off', { offPercent: 1.5 });
hitRate(' 40 ms, 1.5 % off', { ms: 40, offPercent: 1.5 });
for (const twistDb of [-6, 6]) hitRate(`100 ms, twist ${twistDb} dB`, { twistDb });
for (const twistDb of [-6, 6]) hitRate(` 40 ms, twist ${twistDb} dB`, { ms: 40, twistDb });
for (const snrDb of [24, 18, 15, 12]) hitRate(`100 ms, noise ${snrDb} dB below`, { snrDb });
hitRate(' 50 ms, noise 15 dB below', { ms: 50, snrDb: 15 });
hitRate(' 40 ms, noise 18 dB below', { ms: 40, snrDb: 18 });
hitRate('100 ms, all at once: 1.5 %, +6 dB, noise 18 dB', { offPercent: 1.5, twistDb: 6, snrDb: 18 });
hitRate('100 ms, quiet: -42 dBFS each', { levelDb: -42 });
hitRate('160 ms, 5 % of the frames lost', { ms: 160 }, 5);
hitRate('100 ms, 5 % of the frames lost', { ms: 100 }, 5);
hitRate('160 ms, 10 % of the frames lost', { ms: 160 }, 10);
console.log('to be refused:');
hitRate(' 20 ms', { ms: 20 });
hitRate('100 ms, 3.5 % off', { offPercent: 3.5 });

console.log('\nspeech without keys, as recorded and 12 dB below, at its own pitch and 10 and 20 % higher and deeper:');
for (const folder of [SPEECH, ...process.argv.slice(2)]) {
  const clips = atEverySpeed(wavFiles(folder));
  falseKeys(folder, clips);
  falseKeys(`${folder}, 5 % lost`, clips, 5);
}
const voices = ['en-us', 'en-us+f3', 'ar', 'ar+f2', 'en-gb+m5', 'en-us+f5'];
if (existsSync('/usr/bin/espeak-ng')) {
  const spoken = voices.flatMap((voice) =>
    [90, 150, 210].flatMap((pace) => {
      const file = `/tmp/nidaa-dtmf-${process.pid}.wav`;
      execFileSync('espeak-ng', [
        '-v',
        voice,
        '-s',
        String(pace),
        '-w',
        file,
        `${SPOKEN} ${SPOKEN} a e i o u 1 2 3 4 5 6 7 8 9 0`,
      ]);
      const clips = atEverySpeed([file]);
      rmSync(file);
      return clips;
    }),
  );
  falseKeys('espeak-ng, 6 voices at 3 paces', spoken);
  falseKeys('espeak-ng, 5 % lost', spoken, 5);
}

const detector = new DtmfToneDetector(RATE_HZ);
const cost = (name, audio) => {
  const rounds = [];
  for (let round = 0; round < 7; round += 1) {
    const startNs = process.hrtime.bigint();
    let frames = 0;
    for (let pass = 0; pass < 20; pass += 1) {
      for (let at = 0; at + FRAME <= audio.length; at += FRAME) {
        detector.push(audio.subarray(at, at + FRAME), false, () => undefined);
        frames += 1;
      }
    }
    rounds.push(Number(process.hrtime.bigint() - startNs) / 1000 / frames);
  }
  console.log(
    `${name.padEnd(44)} ${rounds
      .sort((a, b) => a - b)[3]
      .toFixed(2)
      .padStart(6)} us a frame of 20 ms`,
  );
};
console.log('\ncost (nothing where telephone-event was agreed: no detector is made):');
cost('silence', new Int16Array(16_000));
cost('speech', samplesOf(wavFiles(SPEECH).at(-1)));
cost('keys', press('5', { ms: 2_000 }, seeded(3)));
