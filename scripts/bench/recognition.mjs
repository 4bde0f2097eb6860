#!/usr/bin/env node
/**
 * What the embedded recogniser understands, and what it costs.
 *
 *   node scripts/bench/recognition.mjs [--verbose] [--free] [--speakers] [--states [STATE]] [--names]
 *
 * --free: free speech by several people at once, nothing else. --speakers: the same by a grammar, until a thread is behind.
 * --names: owners of records by their names.
 * --states: what is understood in each state of the delivery line's dialogue, wishes and questions among answers included.
 *
 * Needs `npm run build`, libpocketsphinx3, and for machine voices espeak-ng (and flite) with sox. A delivery company's agent:
 * its questions by machine voices, real digits and letters, real sentences that it must not understand; then the time from
 * flush to final, processor time and memory. Takes about two minutes, and two more for free speech.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createPocketsphinxStt } from '../../dist/engines/stt/pocketsphinx.js';
import { createVadEngine, DEFAULT_VAD_OPTIONS } from '../../dist/engines/vad/vad-engines.js';
import { namesOfOwners } from './recognition/names.mjs';
import { freeSpeech, speakersAtOnce } from './recognition/speakers.mjs';
import { byState, firstHints } from './recognition/states.mjs';
import { clipSamples, clips, say, voices } from './recognition/voices.mjs';

const { values, positionals } = parseArgs({
  options: {
    verbose: { type: 'boolean', default: false },
    free: { type: 'boolean', default: false },
    speakers: { type: 'boolean', default: false },
    states: { type: 'boolean', default: false },
    names: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const AGENT = {
  phrases: [
    ...['where is my order', 'track my order', 'cancel my order', 'change my address', 'change the delivery address'],
    ...[
      'speak to a human',
      'talk to an agent',
      'what are your opening hours',
      'when are you open',
      'where do you deliver',
    ],
    ...['how long does a refund take', 'can I get a refund', 'goodbye'],
  ],
  expect: ['digits', 'yesno'],
};
/** Said -> what the text must hold. */
const QUESTIONS = [
  ['where is my order', /where('s| is)( my| the)? order/],
  ['hello, where is my order please', /where('s| is)( my| the)? order/],
  ['I want to track my order', /track (my |the |a )?order/],
  ['can you cancel my order please', /cancel (my |the |a )?order/],
  ['I need to change my address', /change (my |the |a )?address/],
  ['change the delivery address', /change .*delivery address/],
  ['I want to speak to a human', /speak to (a |the |my )?human/],
  ['can I talk to an agent please', /talk to (an? |the |my )?agent/],
  ['what are your opening hours', /opening hours/],
  ['where do you deliver', /where do you deliver/],
  ['how long does a refund take', /how long does .*refund take/],
  ['yes', /^(yes|yeah|yep|yup)$/],
  ['no', /^(no|nope)$/],
  ['yes please', /^(yes|yeah|yep|yup) please$/],
  ['no thank you', /^(no|nope) thank(s| you)$/],
  ['one two three four', /^1234$/],
  ['my order number is four five two one', /4521$/],
  ['five five zero three one two', /^550312$/],
  ['track my order one two three four', /track .*1234$/],
  ['forty five twenty one', /^4521$/],
];
const NOT_FOR_US = [
  'the weather is lovely in the mountains today',
  'my cat jumped over the garden wall',
  'please play some jazz music in the kitchen',
  'I like pizza with mushrooms and cheese',
];

const cacheDir = mkdtempSync(join(tmpdir(), 'nidaa-bench-'));
const engine = createPocketsphinxStt({ cacheDir, threads: 1 });
const waits = [];
let audioSeconds = 0;

async function recognise(samples, hints, interim = false) {
  const stream = engine.open({ language: 'en-US', sampleRateHz: 8000, interim, hints }, new AbortController().signal);
  for (let at = 0; at < samples.length; at += 160)
    stream.write({ samples: samples.slice(at, at + 160), sampleRateHz: 8000 });
  await new Promise((resolve) => setTimeout(resolve, 30)); // audio is with the thread long before a real pause
  audioSeconds += samples.length / 8000;
  const flushed = performance.now();
  stream.end();
  let said = { text: '', confidence: 0 };
  for await (const event of stream) if (event.type === 'final') said = event;
  waits.push(performance.now() - flushed);
  return said;
}
const percent = (n, of) => `${n}/${of} (${of === 0 ? '-' : Math.round((100 * n) / of)} %)`;
const at = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;

async function machineVoices() {
  const perQuestion = new Map(QUESTIONS.map(([text]) => [text, []]));
  for (const voice of voices()) {
    let right = 0;
    let wrong = 0;
    let taken = 0;
    for (const [text, wanted] of QUESTIONS) {
      const heard = await recognise(say(voice, text), AGENT);
      const good = wanted.test(heard.text);
      if (good) right += 1;
      else {
        if (heard.text !== '') wrong += 1;
        perQuestion.get(text).push(`${voice.name}: ${heard.text || 'nothing'}`);
      }
    }
    for (const text of NOT_FOR_US) if ((await recognise(say(voice, text), AGENT)).text !== '') taken += 1;
    console.log(
      `${voice.name.padEnd(16)} understood ${percent(right, QUESTIONS.length)}, something else ${wrong}, false accepts ${percent(taken, NOT_FOR_US.length)}`,
    );
  }
  if (values.verbose)
    for (const [text, misses] of perQuestion)
      console.log(`  ${misses.length === 0 ? 'all   ' : 'not all'} ${text} ${misses.join('; ')}`);
}

async function realSpeech() {
  const all = clips();
  const score = async (name, chosen, hints, wanted) => {
    let right = 0;
    let wrong = 0;
    for (const clip of chosen) {
      const { text } = await recognise(clipSamples(clip.file), hints);
      if (text === wanted(clip)) right += 1;
      else if (text !== '') wrong += 1;
    }
    console.log(`${name.padEnd(34)} right ${percent(right, chosen.length)}, something else ${wrong}`);
  };
  const number = { zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9 };
  const digits = all.filter((clip) => clip.kind === 'digit' || (clip.kind === 'spelling' && clip.transcript in number));
  await score('real digits, one at a time', digits, { phrases: [], expect: ['digits'] }, (clip) =>
    String(number[clip.transcript]),
  );
  const phrases = all.filter((clip) => clip.kind === 'phrase');
  await score(
    'phrases, flite voices',
    phrases,
    { phrases: phrases.map((clip) => clip.transcript), expect: [] },
    (clip) => clip.transcript,
  );
  const foreign = all.filter((clip) => ['read', 'command', 'order'].includes(clip.kind));
  let taken = 0;
  for (const clip of foreign) if ((await recognise(clipSamples(clip.file), AGENT)).text !== '') taken += 1;
  console.log(`${'real sentences of something else'.padEnd(34)} false accepts ${percent(taken, foreign.length)}`);
}

async function memory() {
  const before = process.memoryUsage.rss();
  const streams = Array.from({ length: 20 }, () =>
    engine.open({ language: 'en-US', sampleRateHz: 8000, interim: true, hints: AGENT }, new AbortController().signal),
  );
  const speech = clipSamples('phrases/slt_06.wav');
  for (const stream of streams)
    for (let i = 0; i + 160 <= speech.length; i += 160)
      stream.write({ samples: speech.slice(i, i + 160), sampleRateHz: 8000 });
  await Promise.all(
    streams.map(async (stream) => {
      stream.end();
      for await (const _ of stream);
    }),
  );
  return (process.memoryUsage.rss() - before) / 20 / 1e6;
}

async function voiceActivity() {
  const samples = clipSamples('orders/pv_1350b48d.wav');
  for (const name of ['combined', 'energy']) {
    const detector = (await createVadEngine(name)).open(DEFAULT_VAD_OPTIONS);
    const start = process.cpuUsage();
    let frames = 0;
    for (let round = 0; round < 20; round += 1)
      for (let i = 0; i + 160 <= samples.length; i += 160, frames += 1)
        detector.push({ samples: samples.subarray(i, i + 160), sampleRateHz: 8000 });
    console.log(`voice activity, ${name}: ${(process.cpuUsage(start).user / frames).toFixed(2)} us a frame`);
  }
}

async function byGrammar() {
  await recognise(clipSamples('phrases/slt_06.wav'), AGENT); // the thread is up and the grammar compiled
  waits.length = 0;
  audioSeconds = 0;
  const cpu = process.cpuUsage();
  await machineVoices();
  await realSpeech();
  const used = process.cpuUsage(cpu);
  waits.sort((a, b) => a - b);
  console.log(
    `flush to final: p50 ${at(waits, 0.5).toFixed(0)} ms, p95 ${at(waits, 0.95).toFixed(0)} ms, ${waits.length} stretches ` +
      `of ${(audioSeconds / waits.length).toFixed(1)} s`,
  );
  console.log(
    `processor time ${((used.user + used.system) / 1e6 / audioSeconds).toFixed(3)} of real time (with reading and making the speech)`,
  );
  console.log(
    `memory: ${(await memory()).toFixed(1)} MB a stream with interim results, 20 at once; process ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
  );
}

/** Until more people speak than one thread can follow. */
async function bySpeakers() {
  const sentences = () => clips().filter(({ kind }) => kind === 'read');
  const of = { name: 'by the grammar of an agent', hints: firstHints(), sentences };
  await speakersAtOnce(engine, of, 1, 1); // the models are loaded
  for (const speakers of [1, 2, 4, 6, 8, 10, 12, 16, 20]) console.log(await speakersAtOnce(engine, of, speakers, 3));
}

const state = engine.available('en-US');
if (!state.ok) {
  console.error(state.why);
  process.exit(1);
}
if (values.states) await byState(recognise, { verbose: values.verbose, only: positionals[0] });
else if (values.names) await namesOfOwners(recognise, values);
else if (values.speakers) await bySpeakers();
else {
  if (!values.free) {
    await voiceActivity();
    await byGrammar();
  }
  await freeSpeech(engine, 1, 1); // the models are loaded
  for (const speakers of [1, 2, 3, 4]) console.log(await freeSpeech(engine, speakers));
}
await engine.close();
rmSync(cacheDir, { recursive: true, force: true });
