#!/usr/bin/env node
/**
 * What speech services cost this gateway itself: processor time of their adapters, without the services.
 *
 *   node scripts/bench/providers.mjs [NAMES...] [--streams 100] [--seconds 8] [--sentences 200] [--json]
 *
 * Every adapter talks to its stand-in (`test/support`), which runs in a process of its own and is not counted. Ears: so many streams
 * at once, a frame of 20 ms each every 20 ms, as calls bring them, a pause after every second; all processor time of this process, over
 * all frames: sending, answers, timers, garbage. Voices: sentences of 2 s at 8 kHz, 16 at once, over all sentences; then
 * one after the other, from the request to the first samples, on connections that exist. Processor time is what a busy machine leaves
 * comparable; times by the clock have the stand-in and everything else on this machine in them. Needs `npm run build`. Two minutes.
 * Exit code 1 where a frame takes 0.1 ms or more, a first sound 20 ms, or an adapter fails.
 */
import { spawn } from 'node:child_process';
import { cpus, loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { systemClock } from '../../dist/core/clock.js';
import { silentLogger } from '../../dist/core/logger.js';
import { PROVIDERS } from '../../dist/engines/providers/providers.js';
import { hearElsewhere, speakElsewhere } from '../../dist/engines/speech-privacy.js';
import { percentile } from './hearing/score.mjs';

/** Of each service, by its name: the file of `test/support` and the class in it. */
const STAND_INS = {
  openai: ['speech-server.ts', 'SpeechTestServer'],
  deepgram: ['deepgram-server.ts', 'DeepgramTestServer'],
  elevenlabs: ['elevenlabs-server.ts', 'ElevenlabsTestServer'],
  azure: ['azure-server.ts', 'AzureTestServer'],
  soniox: ['soniox-server.ts', 'SonioxTestServer'],
  wyoming: ['wyoming-server.ts', 'WyomingTestServer'],
};
const FRAME_MS = 20;
const STRETCH_FRAMES = 50;
const FINALS_MS_MAX = 60_000;
/** Connections that are made together: the stand-in has one core at most, and calls do not begin all at once. */
const OPENED_TOGETHER = 10;
const OPENING_MS = 250;
/** As many sentences as the configuration lets one voice speak at once. */
const SPOKEN_AT_ONCE = 16;
const FRAME_BUDGET_MS = 0.1;
const FIRST_SOUND_BUDGET_MS = 20;
const FIRST_SOUNDS = 50;
/** Of 40 letters: 2 s in the stand-ins. */
const SENTENCE = 'Good morning, how can I help you today?!';
const VOICE = {
  ...{
    id: 'bench',
    name: 'Bench',
    gender: 'female',
    age: '18-30',
    language: 'en-US',
    dialect: 'none',
    country: 'none',
  },
  ...{ styles: [], description: '', supportedModels: [], sampleText: '' },
  espeak: { voice: 'en-us', pitch: 50, wordsPerMinute: 160 },
};

const { values, positionals } = parseArgs({
  options: {
    streams: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '8' },
    sentences: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const [streams, seconds, sentences] = ['streams', 'seconds', 'sentences'].map((name) => {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1 && value <= 2_000) return value;
  console.error(`--${name}: expected 1 to 2000`);
  return process.exit(2);
});
const say = (text) => values.json || process.stdout.write(`${text}\n`);
const deps = { clock: systemClock, logger: silentLogger, used: () => {} };
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
const cpuMs = (since) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

/** @returns `{ settings, took, stop }`; `took()` tells what it took since the last time. */
async function standIn(name) {
  const script = fileURLToPath(new URL('providers/stand-in.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, ...STAND_INS[name]], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const told = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`the stand-in of ${name} ended`);
    return JSON.parse(value);
  };
  const took = () => {
    child.stdin.write('\n');
    return told();
  };
  return { settings: await told(), took, stop: () => child.stdin.end() };
}

/** A voice-like sound: no stand-in takes it for silence. */
const SPEECH = Int16Array.from({ length: 160 * STRETCH_FRAMES }, (_, i) =>
  Math.round(6_000 * Math.sin(i / 3) + 3_000 * Math.sin(i / 11)),
);

/** @param took - what the stand-in took since the last time. */
async function ears(engine, took) {
  const aborts = Array.from({ length: streams }, () => new AbortController());
  const options = { language: 'en-US', languages: ['en-US'], sampleRateHz: 8000, interim: true };
  let finals = 0;
  const failures = [];
  const read = async (stream) => {
    try {
      for await (const { type } of stream) if (type === 'final') finals += 1;
    } catch (error) {
      failures.push(whyOf(error));
    }
  };
  const open = [];
  const reading = [];
  for (const { signal } of aborts) {
    const stream = engine.open(options, signal);
    open.push(stream);
    reading.push(read(stream));
    // A word and its pause: who goes on hearing a word of which nothing is said takes its service for dead.
    stream.write({ samples: SPEECH.subarray(0, 160), sampleRateHz: 8000 });
    stream.flush();
    if (open.length % OPENED_TOGETHER === 0) await wait(OPENING_MS);
  }
  const heardAll = async (wanted) => {
    const endMs = performance.now() + FINALS_MS_MAX;
    while (finals < wanted && failures.length === 0 && performance.now() < endMs) await wait(5);
  };
  await heardAll(streams);
  /** Frames of `count` stretches, and until their finals are there. */
  const speak = async (count) => {
    const wanted = finals + count * streams;
    let dueMs = performance.now();
    for (let frame = 1; frame <= count * STRETCH_FRAMES; frame += 1) {
      const at = (frame % STRETCH_FRAMES) * 160;
      for (const stream of open) stream.write({ samples: SPEECH.subarray(at, at + 160), sampleRateHz: 8000 });
      if (frame % STRETCH_FRAMES === 0) for (const stream of open) stream.flush();
      dueMs += FRAME_MS;
      await wait(dueMs - performance.now());
    }
    await heardAll(wanted);
  };
  await speak(1); // connections, and code that is compiled by then
  const stretches = seconds;
  await took();
  const cpu = process.cpuUsage();
  const before = finals;
  await speak(stretches);
  const usedMs = cpuMs(cpu);
  const service = await took();
  for (const abort of aborts) abort.abort();
  await Promise.all(reading);
  const frames = stretches * STRETCH_FRAMES * streams;
  const due = { finals: finals - before, wanted: stretches * streams };
  return { frameUs: (1000 * usedMs) / frames, frames, ...due, service, failures };
}

const whyOf = (error) => (error.cause instanceof Error ? error.cause.message : error.message);

async function sound(engine, first = () => {}) {
  const request = { text: SENTENCE, voice: VOICE, sampleRateHz: 8000, speed: 1, pitchSemitones: 0 };
  let samples = 0;
  for await (const chunk of engine.synthesize(request, new AbortController().signal)) {
    if (samples === 0) first();
    samples += chunk.length;
  }
  return samples;
}

async function voice(engine) {
  const failures = [];
  let seconds = 0;
  const spoken = (first) =>
    sound(engine, first).then(
      (samples) => {
        seconds += samples / 8000;
      },
      (error) => {
        failures.push(whyOf(error));
      },
    );
  const atOnce = (count) => Promise.all(Array.from({ length: Math.min(SPOKEN_AT_ONCE, count) }, () => spoken()));
  await atOnce(SPOKEN_AT_ONCE);
  seconds = 0;
  const cpu = process.cpuUsage();
  let said = 0;
  while (said < sentences) said += (await atOnce(sentences - said)).length;
  const sentenceMs = cpuMs(cpu) / said;
  const perSecondMs = (sentenceMs * said) / seconds;
  const firsts = { cpuMs: [], clockMs: [] };
  for (let n = 0; n < FIRST_SOUNDS; n += 1) {
    const from = { cpu: process.cpuUsage(), clock: performance.now() };
    await spoken(() => {
      firsts.cpuMs.push(cpuMs(from.cpu));
      firsts.clockMs.push(performance.now() - from.clock);
    });
  }
  const spread = (all) => ({ p50: percentile(all, 0.5), p95: percentile(all, 0.95) });
  return {
    sentenceMs,
    perSecondMs,
    sentences: said,
    failures,
    first: spread(firsts.cpuMs),
    clock: spread(firsts.clockMs),
  };
}

async function measured({ name, stt, tts }) {
  const { settings, took, stop } = await standIn(name);
  const engines = {
    ears: stt && hearElsewhere(stt(settings, deps)),
    voice: tts && speakElsewhere(tts(settings, deps)),
  };
  try {
    const hearing = engines.ears && (await ears(engines.ears, took));
    await engines.ears?.close();
    const speaking = engines.voice && (await voice(engines.voice));
    return { name, ...(hearing && { ears: hearing }), ...(speaking && { voice: speaking }) };
  } finally {
    await engines.voice?.close();
    stop();
  }
}

function toldFailures(failures, what) {
  if (failures.length > 0) say(`  ${failures.length} ${what} failed: ${[...new Set(failures)].join('; ')}`);
}

function told({ name, ears: hearing, voice: speaking }) {
  if (hearing) {
    const short = hearing.finals < hearing.wanted ? `, only ${hearing.finals} of ${hearing.wanted} finals` : '';
    say(
      `${name.padEnd(11)} ears   ${hearing.frameUs.toFixed(1).padStart(6)} us a frame (${hearing.frames} frames${short}); ` +
        `the stand-in took ${(100 * hearing.service.share).toFixed(0)} % of a core and was ${hearing.service.lateMs.toFixed(0)} ms late at most`,
    );
    toldFailures(hearing.failures, 'streams');
  }
  if (!speaking) return;
  const { sentenceMs, perSecondMs, first, clock, failures } = speaking;
  say(
    `${name.padEnd(11)} voice  ${sentenceMs.toFixed(2).padStart(6)} ms a sentence, ${perSecondMs.toFixed(2)} ms a second of sound; first sound ` +
      `p50 ${first.p50?.toFixed(2)} ms, p95 ${first.p95?.toFixed(2)} ms (by the clock, with the stand-in, ${clock.p50?.toFixed(0)} and ` +
      `${clock.p95?.toFixed(0)} ms)`,
  );
  toldFailures(failures, 'sentences');
}

const isGood = ({ ears: hearing, voice: speaking }) =>
  (!hearing ||
    (hearing.frameUs < 1000 * FRAME_BUDGET_MS && hearing.finals >= hearing.wanted && hearing.failures.length === 0)) &&
  (!speaking || (speaking.first.p95 < FIRST_SOUND_BUDGET_MS && speaking.failures.length === 0));

const wanted = PROVIDERS.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const unknown = positionals.filter((name) => !PROVIDERS.some((one) => one.name === name));
if (unknown.length > 0) {
  console.error(`no such provider: ${unknown.join(', ')}`);
  process.exit(2);
}
const machine = { processor: cpus()[0]?.model.trim(), cores: cpus().length, node: process.version };
say(
  `${streams} streams, processor time of this process alone; ${machine.cores} cores of ${machine.processor}, ${machine.node}`,
);
const results = [];
for (const provider of wanted) {
  const result = await measured(provider);
  results.push(result);
  told(result);
}
say(`load ${loadavg()[0].toFixed(1)} at the end`);
if (values.json) process.stdout.write(`${JSON.stringify({ machine: { ...machine, load: loadavg()[0] }, results })}\n`);
process.exit(results.every(isGood) ? 0 : 1);
