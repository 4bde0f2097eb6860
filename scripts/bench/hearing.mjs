#!/usr/bin/env node
/**
 * How well recognisers hear, on a telephone's band and in the gateway's own turn taking.
 *
 *   node scripts/bench/hearing.mjs [FILES...] [--engine NAME] [--phrases FILE] [--at-once 1] [--verbose] [--json]
 *   node scripts/bench/hearing.mjs SET.jsonl... --agent NAME [--every 1] [--verbose] [--json]     first sentences of callers, see below
 *
 * FILES: folders with a `labels.tsv`, TSV files, or WAV files that a `labels.tsv` beside or above them names; the repository's own English
 * samples where none are given. A row of a TSV: file, language (en, ar), text, then digits that have to be heard and `end_ms`, the
 * end of the speech in the file, both of which may be left out (tabs between them, # before a comment). Without `end_ms` the end is
 * where the sound falls 30 dB below its level, which breath and noise make later than it is.
 *
 * Engines are those of the configuration (NIDAA_CONFIG), by language; --engine takes one of them for both. A service hears the files
 * only where the configuration says `speechPrivacy: remote`: they leave this machine then. --phrases: what the recogniser is told to
 * expect, a line each; rows with digits expect digits, all others anything.
 *
 * Every file is a call in real time: 8 kHz, 300-3400 Hz and mu-law (a file of 8 kHz is taken to be in that band), cut into frames for
 * the real detector, turn taking and recogniser, with an agent that answers at once. Word error rate: substitutions, deletions and
 * insertions for each word said, both texts folded as agents compare them (`hearing/score.mjs` says how), over all that the agent was
 * asked in a call. Digits: calls whose digits are those of the label, all and in order. End of turn: from the end of the speech to
 * the question that the agent gets, recogniser and endpointing in it; cut off: it got one while the caller still spoke. The first second
 * of a file of each language is heard before, uncounted, so that models are loaded. Needs `npm run build`. Exit code 1 where a file could not be heard.
 *
 * --agent: first sentences of sets as `test/engines/reply/unseen` has them, one of so many (--every), by machine voices in turn, to that
 * shipped agent's embedded recogniser: words by kind, numbers, and what the agent makes of what was heard and of the sentence itself.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { conversationSettings, openStt } from '../../dist/compose/conversation-parts.js';
import { loadConfig, processEnvironment } from '../../dist/config/load.js';
import { systemClock } from '../../dist/core/clock.js';
import { silentLogger } from '../../dist/core/logger.js';
import { createMetrics } from '../../dist/core/metrics.js';
import { SpeechSet } from '../../dist/engines/speech-set.js';
import { createVadEngine } from '../../dist/engines/vad/vad-engines.js';
import { heardCall } from './hearing/heard-call.mjs';
import { labelFiles, readLabels, readSpeech } from './hearing/labels.mjs';
import { align, comparedWords, digitsIn, percentile, wordErrors } from './hearing/score.mjs';

const SAMPLES = fileURLToPath(new URL('../../test/fixtures/speech/', import.meta.url));
const TAG = { en: 'en-US', ar: 'ar-SA' };
const AT_ONCE_MAX = 50;
const WARM_UP_MS_MAX = 60_000;
/** Frames that are later than this are no telephone's. */
const LATE_MS_MAX = 60;

const { values, positionals } = parseArgs({
  options: {
    engine: { type: 'string' },
    phrases: { type: 'string' },
    'at-once': { type: 'string', default: '1' },
    agent: { type: 'string' },
    every: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const say = (text) => values.json || process.stdout.write(`${text}\n`);
if (values.agent !== undefined) {
  const { hearSets, toldFigures } = await import('./hearing/spoken-sets.mjs');
  const every = Math.max(1, Number(values.every) || 1);
  const found = hearSets(positionals, { agentName: values.agent, every, verbose: values.verbose, say });
  for (const line of toldFigures(found)) say(line);
  if (values.json) process.stdout.write(`${JSON.stringify(found)}\n`);
  process.exit(0);
}
const atOnce = Number(values['at-once']);
if (!Number.isInteger(atOnce) || atOnce < 1 || atOnce > AT_ONCE_MAX) {
  console.error(`--at-once: expected 1 to ${AT_ONCE_MAX}`);
  process.exit(2);
}

const config = loadConfig({ env: processEnvironment(), secretsOf: ['engines'] });
const { engines } = config;
const choice = values.engine ? { ...engines, stt: { en: [values.engine], ar: [values.engine] } } : engines;
const cacheDir = join(config.dataDir, 'cache');
mkdirSync(cacheDir, { recursive: true });
const metrics = createMetrics();
const speech = new SpeechSet(choice, { cacheDir, clock: systemClock, logger: silentLogger, metrics });
const speechFor = (agent) => speech.for(agent);
const vad = await createVadEngine(engines.vad);
const settings = conversationSettings(config);
const phrases = values.phrases ? readFileSync(values.phrases, 'utf8').split(/\r?\n/).filter(Boolean) : [];

function wantedRows() {
  const rows = [];
  const bad = [];
  for (const [file, paths] of labelFiles(positionals.length > 0 ? positionals : [SAMPLES])) {
    try {
      const read = readLabels(file);
      const isWanted = ({ path }) => paths === undefined || paths.includes(path);
      rows.push(...read.rows.filter(isWanted));
      bad.push(...(paths === undefined ? read.bad : []));
      for (const path of paths ?? [])
        if (!read.rows.some((row) => row.path === path)) bad.push({ name: path, why: `no row of ${file}` });
    } catch (error) {
      bad.push({ name: file, why: error.message });
    }
  }
  return { rows, bad };
}

const agentOf = (language) => ({
  ...{ id: 'agt_bench', accountId: 'acc_bench', version: 1, status: 'live', updatedAt: new Date(0) },
  definition: { name: 'Bench', language: TAG[language], voice: 'none', model: 'none', greeting: { [language]: '' } },
});

const hintsOf = (row) => ({ phrases, expect: row.digits === undefined ? ['free'] : ['digits'] });

/** What takes long once - models that are loaded - is over before anything is measured. What goes wrong here goes wrong again. */
async function warmUp(row) {
  const engine = speech.for(agentOf(row.language)).hearing.for(row.language);
  const sound = readSpeech(row);
  if (!engine.available(TAG[row.language]).ok || typeof sound === 'string') return;
  const options = {
    language: TAG[row.language],
    sampleRateHz: 8000,
    interim: true,
    hints: hintsOf(row),
    patient: true,
  };
  const stream = engine.open(options, AbortSignal.timeout(WARM_UP_MS_MAX));
  for (let at = 0; at < Math.min(8000, sound.samples.length); at += 160)
    stream.write({ samples: sound.samples.slice(at, at + 160), sampleRateHz: 8000 });
  stream.end();
  try {
    for await (const _ of stream);
  } catch {
    // told by the rows themselves
  }
}

/** One row as a call. @returns its figures, or `{ name, why }`. */
async function hear(row) {
  const agent = agentOf(row.language);
  const engine = speech.for(agent).hearing.for(row.language);
  const state = engine.available(TAG[row.language]);
  if (!state.ok) return { name: row.name, why: state.why };
  const sound = readSpeech(row);
  if (typeof sound === 'string') return { name: row.name, why: sound };
  const open = (wanted, signal) => openStt({ speechFor }, agent, wanted, signal);
  const call = await heardCall(sound, hintsOf(row), { settings, vad, open, metrics, agent, language: row.language });
  if (call.failed > 0 && call.texts.join('') === '') return { name: row.name, why: `${engine.name} failed` };
  const text = call.texts.filter(Boolean).join(' ');
  return {
    ...{ name: row.name, language: row.language, engine: engine.name, text, ...sound, samples: undefined },
    ...{ kind: row.digits === undefined ? 'speech' : 'digits', delayMs: call.delayMs, cutOff: call.cutOff },
    ...{ lateMs: call.lateMs, failed: call.failed, errors: align(comparedWords(row.text), comparedWords(text)) },
    ...(row.digits !== undefined && { digitsRight: digitsIn(text) === row.digits }),
  };
}

function told(result, row) {
  if (result.why) return say(`  ${result.name}: ${result.why}`);
  if (!values.verbose) return;
  const { substitutions, deletions, insertions } = result.errors;
  const delay = result.delayMs === undefined ? 'no answer' : `${Math.round(result.delayMs)} ms`;
  say(`  ${result.name}: S${substitutions} D${deletions} I${insertions}, ${delay}${result.cutOff ? ', cut off' : ''}`);
  say(`    said  ${row.text}\n    heard ${result.text}`);
}

/** The rows one after the other, `atOnce` at a time. */
async function all(rows) {
  const results = [];
  let next = 0;
  const caller = async () => {
    for (let at = next; at < rows.length; at = next) {
      next += 1;
      results[at] = await hear(rows[at]);
      told(results[at], rows[at]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return results;
}

function figures(results) {
  const groups = new Map();
  for (const one of results) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()].map((group) => {
    const delays = group.flatMap(({ delayMs }) => delayMs ?? []);
    const withDigits = group.filter(({ digitsRight }) => digitsRight !== undefined);
    return {
      ...{ language: group[0].language, engine: group[0].engine, kind: group[0].kind, files: group.length },
      ...{ words: wordErrors(group.map(({ errors }) => errors)) },
      ...(withDigits.length > 0 && {
        digits: { right: withDigits.filter(({ digitsRight }) => digitsRight).length, of: withDigits.length },
      }),
      endOfTurnMs: { p50: percentile(delays, 0.5), p95: percentile(delays, 0.95), max: percentile(delays, 1) },
      ...{ cutOff: group.filter(({ cutOff }) => cutOff).length, unanswered: group.length - delays.length },
      ...{ recogniserFailed: group.reduce((sum, { failed }) => sum + failed, 0) },
    };
  });
}
const keyOf = ({ language, engine, kind }) => `${language} ${engine} ${kind}`;

const percent = (share) => (share === undefined ? '-' : `${(100 * share).toFixed(1)} %`);
const ms = (value) => (value === undefined ? '-' : `${Math.round(value)}`);
function table(groups) {
  say(
    '\nlanguage engine            kind    files  words  WER      S/D/I        digits   end of turn p50/p95 ms  cut off  unanswered',
  );
  for (const { language, engine, kind, files, words, digits, endOfTurnMs, cutOff, unanswered } of groups) {
    const edits = `${words.substitutions}/${words.deletions}/${words.insertions}`;
    say(
      `${language.padEnd(8)} ${engine.padEnd(17)} ${kind.padEnd(7)} ${String(files).padStart(5)}  ${String(words.words).padStart(5)}  ` +
        `${percent(words.rate).padEnd(8)} ${edits.padEnd(12)} ${(digits ? `${digits.right}/${digits.of}` : '-').padEnd(8)} ` +
        `${`${ms(endOfTurnMs.p50)}/${ms(endOfTurnMs.p95)}`.padEnd(23)} ${String(cutOff).padStart(7)}  ${String(unanswered).padStart(10)}`,
    );
  }
}

const { rows, bad } = wantedRows();
for (const { name, why } of bad) say(`  ${name}: ${why}`);
const kinds = new Map(rows.map((row) => [`${row.language} ${row.digits === undefined}`, row]));
for (const row of kinds.values()) await warmUp(row);
const cpu = process.cpuUsage();
const results = await all(rows);
const used = process.cpuUsage(cpu);
await speech.close();
const heard = results.filter(({ why }) => why === undefined);
const unheard = [...bad, ...results.filter(({ why }) => why !== undefined)];
const groups = figures(heard);
const machine = { processor: cpus()[0]?.model.trim(), cores: cpus().length, node: process.version, load: loadavg()[0] };
const lateMs =
  percentile(
    heard.map((one) => one.lateMs),
    1,
  ) ?? 0;
const notes = {
  bandLimited: heard.filter(({ isBandLimited }) => isBandLimited).length,
  endFound: heard.filter(({ endFound }) => endFound).length,
  latestFrameMs: Math.round(lateMs),
  processorS: (used.user + used.system) / 1e6,
};
table(groups);
if (lateMs > LATE_MS_MAX)
  say('\nThis machine was too busy: times, and what came too late to be an answer, say nothing of the engine.');
say(
  `${heard.length} heard, ${unheard.length} not; ${notes.bandLimited} limited to the telephone's band here, the end of ${notes.endFound} ` +
    `found by its level.\n${machine.cores} cores of ${machine.processor}, ${machine.node}, load ${machine.load.toFixed(1)}; frames up to ` +
    `${notes.latestFrameMs} ms late, ${notes.processorS.toFixed(1)} s of processor in this process.`,
);
if (values.json) {
  const files = heard.map(({ text, ...one }) => ({ ...one, ...(values.verbose && { text }) }));
  process.stdout.write(`${JSON.stringify({ machine, notes, groups, files, unheard })}\n`);
}
process.exit(unheard.length > 0 ? 1 : 0);
