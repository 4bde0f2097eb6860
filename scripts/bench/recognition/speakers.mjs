/** People who speak at once, in real time, sentence after sentence: what they wait for, and how far one thread comes. */
import { clipSamples, clips } from './voices.mjs';

const FRAME_SAMPLES = 160;
/** Anything, in sentences of 2 to 8 s. */
const FREE = {
  name: 'free speech',
  hints: { phrases: [], expect: ['free'] },
  sentences: () => clips().filter((clip) => clip.kind === 'read' && clip.transcript !== undefined),
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
const at = (values, q) => values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))] ?? 0;

/** One of `speakers` people: `rounds` sentences with 1.2 s between them. */
async function speak(engine, { of, order, rounds, seen }) {
  const options = { language: 'en-US', sampleRateHz: 8000, interim: true, hints: of.hints };
  const stream = engine.open(options, new AbortController().signal);
  const sentences = of.sentences();
  const flushedMs = [];
  let beganMs = 0;
  let isFirst = true;
  const reading = (async () => {
    for await (const event of stream) {
      if (event.type === 'final') seen.finalMs.push(performance.now() - flushedMs.shift());
      else if (isFirst) seen.firstInterimMs.push(performance.now() - beganMs);
      isFirst &&= event.type === 'final';
    }
  })();
  await sleep((order * 1300) % 6000);
  let dueMs = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const samples = clipSamples(sentences[(round + order) % sentences.length].file);
    beganMs = performance.now();
    isFirst = true;
    for (let from = 0; from + FRAME_SAMPLES <= samples.length; from += FRAME_SAMPLES) {
      stream.write({ samples: samples.slice(from, from + FRAME_SAMPLES), sampleRateHz: 8000 });
      dueMs += 20;
      await sleep(dueMs - performance.now());
    }
    flushedMs.push(performance.now());
    stream.flush();
    dueMs += 1200;
    await sleep(dueMs - performance.now());
    seen.behind ||= engine.load().behind;
  }
  stream.end();
  await reading;
}

/** One line about `speakers` people. */
export const freeSpeech = (engine, speakers, rounds = 4) => speakersAtOnce(engine, FREE, speakers, rounds);

/** The same of people who speak by a grammar: `hints` and what they say, `sentences` of clips. */
export async function speakersAtOnce(engine, of, speakers, rounds = 4) {
  const seen = { finalMs: [], firstInterimMs: [], behind: false };
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  await Promise.all(Array.from({ length: speakers }, (_, order) => speak(engine, { of, order, rounds, seen })));
  const used = process.cpuUsage(cpu);
  const core = (used.user + used.system) / 10 / (performance.now() - startMs);
  const interims = seen.firstInterimMs.length;
  return (
    `${of.name}, ${speakers} at once: interims in ${interims} of ${seen.finalMs.length} sentences, ` +
    `the first after p50 ${at(seen.firstInterimMs, 0.5).toFixed(0)} ms; ` +
    `flush to final p50 ${at(seen.finalMs, 0.5).toFixed(0)} ms, p90 ${at(seen.finalMs, 0.9).toFixed(0)} ms; ` +
    `${seen.behind ? 'said to be behind; ' : ''}${core.toFixed(0)} % of a core, process ${Math.round(process.memoryUsage.rss() / 1e6)} MB`
  );
}
