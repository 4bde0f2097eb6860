#!/usr/bin/env node
/**
 * What judging voices by a model costs: processor time for each frame of 20 ms, of the gateway and of the model's process, and how long
 * answers take.
 *
 *   node scripts/bench/voice-activity.mjs [FOLDER] [--calls 100] [--seconds 8] [--json]
 *
 * FOLDER has your silero_vad.onnx; without it one of a few kilobytes is made, which costs what everything but the model does. So many
 * calls at once, each a frame every 20 ms, noise and tones in turn. Needs `npm run build` and sherpa-onnx-node.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runnerImport } from 'vite';
import { systemClock } from '../../dist/core/clock.js';
import { silentLogger } from '../../dist/core/logger.js';
import { startModelProcess } from '../../dist/engines/providers/sherpa/model-host.js';
import { SherpaVad } from '../../dist/engines/providers/sherpa/sherpa-vad.js';
import { createVadEngine, DEFAULT_VAD_OPTIONS } from '../../dist/engines/vad/vad-engines.js';
import { percentile } from './hearing/score.mjs';

const FRAME_MS = 20;
const FRAME_SAMPLES = 160;
const TICKS_PER_SECOND = 100; // of the kernel, in /proc
const LOADED_MS_MAX = 60_000;
const SETTLED_FRAMES = 150;

const { values, positionals } = parseArgs({
  options: {
    calls: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '8' },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [calls, seconds] = ['calls', 'seconds'].map((name) => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1 && value <= 1_000) return value;
  console.error(`--${name}: expected 1 to 1000`);
  return process.exit(2);
});
const wait = (ms) => new Promise((done) => setTimeout(done, Math.max(0, ms)));
const ownMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
/** Of a process, from its line in /proc: fields 14 and 15, behind a name that may have spaces. */
const otherMs = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
};

const scratch = mkdtempSync(join(tmpdir(), 'nidaa-bench-'));
const [brought] = positionals;
const folder = brought ? resolve(brought) : await tinyModel();
async function tinyModel() {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const options = { root, configFile: false, logLevel: 'error' };
  const { module } = await runnerImport(`${root}test/support/tiny-silero.ts`, options);
  return module.tinySilero(join(scratch, 'tiny'), { version: 'v5' });
}

let pid;
const model = new SherpaVad(
  { model: folder, kind: 'silero-vad', voice: 0.5 },
  { threads: 1, idleMinutes: 0, ears: [], voices: [], modelsDir: scratch },
  {
    ...{ clock: systemClock, logger: silentLogger },
    start: (setup, events) => {
      const host = startModelProcess(setup, events);
      pid = host.pid;
      return host;
    },
  },
);

const sounds = [
  Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => Math.round(8_000 * Math.sin(i / 3))),
  Int16Array.from({ length: FRAME_SAMPLES }, () => Math.round(600 * (Math.random() - 0.5))),
];
const answersMs = [];
const framesMs = []; // when each was given
let aways = 0;
let heard = 0;
const followers = Array.from({ length: calls }, () =>
  model.follow({
    heard: ({ atSample }) => {
      heard += 1;
      answersMs.push(performance.now() - framesMs[Math.ceil(atSample / FRAME_SAMPLES) - 1]);
    },
    away: () => {
      aways += 1;
    },
  }),
);
/** A frame for each call, as `CallTicker` moves them on. */
function tick() {
  const samples = sounds[Math.floor(framesMs.length / 50) % 2];
  framesMs.push(performance.now());
  for (const follower of followers) follower.push(samples);
}

const loadedBy = performance.now() + LOADED_MS_MAX;
while (heard === 0) {
  if (model.why !== undefined || performance.now() > loadedBy) {
    console.error(model.why ?? 'it was not loaded');
    process.exit(1);
  }
  tick();
  await wait(FRAME_MS);
}
// Whoever was late while it was new is followed again.
for (let n = 0; n < SETTLED_FRAMES; n += 1) {
  tick();
  await wait(FRAME_MS);
}
answersMs.length = 0;
aways = 0;
const since = { own: ownMs(), other: otherMs(pid), heard };
const beganMs = performance.now();
for (let n = 0; n < seconds * 50; n += 1) {
  tick();
  await wait(beganMs + (n + 1) * FRAME_MS - performance.now());
}
await wait(200);
const frames = calls * seconds * 50;
const took = { own: ownMs() - since.own, other: otherMs(pid) - since.other };

const detectors = await createVadEngine('combined');
const detector = detectors.open(DEFAULT_VAD_OPTIONS);
const detectorSince = ownMs();
for (let n = 0; n < 20_000; n += 1) {
  detector.push({ samples: sounds[Math.floor(n / 50) % 2], sampleRateHz: 8000 });
}
const detectorUs = ((ownMs() - detectorSince) * 1000) / 20_000;

const sorted = answersMs.toSorted((a, b) => a - b);
const result = {
  model: brought ?? 'a tiny one',
  calls,
  gateway_us_a_frame: (took.own * 1000) / frames,
  process_us_a_frame: (took.other * 1000) / frames,
  detector_us_a_frame: detectorUs,
  windows: heard - since.heard,
  answer_p50_ms: percentile(sorted, 0.5),
  answer_p95_ms: percentile(sorted, 0.95),
  left_to_the_detector: aways,
};
if (values.json) console.log(JSON.stringify(result));
else
  for (const [name, value] of Object.entries(result))
    console.log(`${name.padEnd(24)} ${typeof value === 'number' ? Math.round(value * 10) / 10 : value}`);
for (const follower of followers) follower.close();
await model.close();
rmSync(scratch, { recursive: true, force: true });
process.exit(0);
