/** What is said in which file: rows of a TSV, and the file's audio as a telephone brings it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { decodeMulaw, encodeMulaw } from '../../../dist/audio/g711.js';
import { kaiser } from '../../../dist/audio/half-band.js';
import { resampleAll } from '../../../dist/audio/resampler.js';
import { mixDown, readWav } from '../../../dist/audio/wav.js';
import { speechLevelDb } from '../turns/simulated-line.mjs';

const LABELS = 'labels.tsv';
const RATE_HZ = 8000;
const FILE_BYTES_MAX = 50_000_000;
const SECONDS_MAX = 120;
/** Where the sound of a file is over that has no `end_ms`: within so much of its level. */
const END_RANGE_DB = 30;
const PIECE = 80; // 10 ms
const BAND_HZ = { low: 300, high: 3400 };
const TAPS = 401;
const BETA = 6;

/**
 * Rows of `file<TAB>language<TAB>text[<TAB>digits][<TAB>end_ms]`, UTF-8; lines that are empty or begin with # are not read. Files are
 * named from the folder of the TSV.
 *
 * @returns rows `{ path, name, language, text, digits, endMs }`, and what is wrong with the others, `{ name, why }`.
 */
export function readLabels(file) {
  const rows = [];
  const bad = [];
  for (const [index, line] of readFileSync(file, 'utf8').split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const row = labelOf(line, dirname(file));
    if (typeof row === 'string') bad.push({ name: `${basename(file)}:${index + 1}`, why: row });
    else rows.push(row);
  }
  return { rows, bad };
}

/** One line. @returns what is wrong with it where it is no row. */
export function labelOf(line, folder = '.') {
  const [name = '', language = '', text = '', digits = '', end = '', ...more] = line
    .split('\t')
    .map((cell) => cell.trim());
  if (more.length > 0) return 'more than five columns';
  if (name === '') return 'no file';
  if (language !== 'en' && language !== 'ar') return `language ${JSON.stringify(language)}: en or ar`;
  if (text === '') return 'no text';
  if (!/^\d*$/.test(digits)) return 'digits: figures alone, or nothing';
  if (!/^\d*$/.test(end)) return 'end_ms: whole milliseconds, or nothing';
  const endMs = end === '' ? {} : { endMs: Number(end) };
  return { path: resolve(folder, name), name, language, text, ...(digits !== '' && { digits }), ...endMs };
}

/**
 * @param named - TSV files, folders with a `labels.tsv`, WAV files that a `labels.tsv` in their folder or the one above it names.
 * @returns TSV file -> paths of its WAV files that are wanted, undefined for all.
 */
export function labelFiles(named) {
  const wanted = new Map();
  for (const one of named) {
    const isWav = extname(one).toLowerCase() === '.wav';
    const beside = join(isWav ? dirname(one) : one, LABELS);
    const above = join(dirname(one), '..', LABELS);
    const isFolder = !isWav && existsSync(one) && statSync(one).isDirectory();
    const file = isWav && !existsSync(beside) && existsSync(above) ? above : isWav || isFolder ? beside : one;
    const known = wanted.has(file) ? wanted.get(file) : [];
    wanted.set(file, isWav ? known && [...known, resolve(one)] : undefined);
  }
  return wanted;
}

/**
 * @returns `{ samples, endMs, isBandLimited, endFound }`: 8 kHz that were mu-law once, and where the speech ends; or why not.
 * What was recorded at another rate is limited to 300-3400 Hz; a file of 8 kHz is taken to be a telephone's.
 */
export function readSpeech({ path, endMs }) {
  try {
    if (statSync(path).size > FILE_BYTES_MAX) return `larger than ${FILE_BYTES_MAX / 1e6} MB`;
    const audio = readWav(readFileSync(path));
    if (typeof audio === 'string') return `no WAV file that can be read (${audio})`;
    if (audio.durationMs === 0) return 'no audio';
    if (audio.durationMs > SECONDS_MAX * 1000) return `longer than ${SECONDS_MAX} s`;
    if (endMs > audio.durationMs) return `end_ms is behind the end of the file (${Math.round(audio.durationMs)} ms)`;
    const isBandLimited = audio.sampleRateHz !== RATE_HZ;
    const mono = resampleAll(mixDown(audio), audio.sampleRateHz, RATE_HZ);
    const samples = decodeMulaw(encodeMulaw(isBandLimited ? telephoneBand(mono) : mono));
    return { samples, endMs: endMs ?? endOf(samples), endFound: endMs === undefined, isBandLimited };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Passes 300-3400 Hz of 8 kHz audio: a windowed sinc without delay, half as loud at both ends of the band. */
export function telephoneBand(samples) {
  const out = new Int16Array(samples.length);
  const half = (TAPS - 1) / 2;
  for (let i = 0; i < samples.length; i += 1) {
    let sum = 0;
    for (let k = Math.max(0, i - half); k <= Math.min(samples.length - 1, i + half); k += 1)
      sum += samples[k] * FILTER[k - i + half];
    out[i] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return out;
}

const lowPass = (hz, n) => (n === 0 ? (2 * hz) / RATE_HZ : Math.sin((2 * Math.PI * hz * n) / RATE_HZ) / (Math.PI * n));
const FILTER = Float64Array.from({ length: TAPS }, (_, i) => {
  const n = i - (TAPS - 1) / 2;
  return (lowPass(BAND_HZ.high, n) - lowPass(BAND_HZ.low, n)) * kaiser((2 * n) / (TAPS - 1), BETA);
});

/** The end of the last 10 ms that are within `END_RANGE_DB` of the level of the speech. */
function endOf(samples) {
  const threshold = 10 ** ((speechLevelDb(samples) - END_RANGE_DB) / 10) * 32_768 ** 2;
  const isLoud = (at) =>
    samples.subarray(at, at + PIECE).reduce((sum, sample) => sum + sample ** 2, 0) / PIECE >= threshold;
  let last = samples.length - (samples.length % PIECE) - PIECE;
  while (last > 0 && !isLoud(last)) last -= PIECE;
  return (Math.max(0, last) + PIECE) / (RATE_HZ / 1000);
}
