/** A telephone line on a clock of its own: what is sent, what comes back of it, and what the caller says, 20 ms at a time. */
import alawmulaw from 'alawmulaw';
import { allocateQuietWatch, QuietWatch } from '../../../dist/media/plane/quiet-watch.js';

const FRAME = 160;
const QUEUE_SAMPLES = 32_000;
/** What a handset adds to an echo: a short room. */
const ROOM = [
  [0, 1],
  [11, 0.6],
  [27, -0.5],
  [64, 0.35],
  [140, -0.2],
];

/** Moves only when told to. Timers fire in order. */
export class SimulatedClock {
  #nowMs = 0;
  #timers = new Set();
  nowMs() {
    return this.#nowMs;
  }
  utc() {
    return new Date(Date.UTC(2026, 0, 1) + this.#nowMs);
  }
  setTimer(delayMs, callback) {
    const timer = { dueMs: this.#nowMs + delayMs, callback };
    this.#timers.add(timer);
    return timer;
  }
  clearTimer(timer) {
    this.#timers.delete(timer);
  }
  advance(ms) {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (!due) break;
      this.#timers.delete(due);
      this.#nowMs = Math.max(this.#nowMs, due.dueMs);
      due.callback();
    }
    this.#nowMs = endMs;
  }
}

const throughMulaw = (samples) => alawmulaw.mulaw.decode(alawmulaw.mulaw.encode(samples));
const clip = (value) => Math.max(-32_768, Math.min(32_767, Math.round(value)));

/**
 * A media port and the telephone behind it.
 *
 * @param echo - `{ delayMs, lossDb, room }` of what comes back of our own voice, or undefined.
 * @param floorDb - noise of the line.
 */
export class SimulatedLine {
  local = { address: '127.0.0.1', port: 40_000 };
  sampleRateHz = 8000;
  writtenSamples = 0;
  playedSamples = 0;
  talkStartedAtMs;
  /** Moments at which queued speech was thrown away, ms. */
  clearedAtMs = [];
  /** Moments of all that sounded, ms, with the level it had. */
  sounded = [];
  #queue = [];
  #queued = 0;
  #wasEmpty = true;
  #sent; // all of it, silence too
  #captured = [];
  #watch = new QuietWatch(allocateQuietWatch());
  #stirsSeen = 0;
  heardAtMs;
  #caller;
  #frame = 0;
  #gain = 1;
  #targetGain = 1;
  #noise = 12_345;

  constructor(clock, { seconds, caller, echo, floorDb = -62 }) {
    this.clock = clock;
    this.echo = echo;
    this.#sent = new Int16Array(Math.ceil(seconds * 50) * FRAME + FRAME);
    this.#caller = caller ?? new Int16Array(0);
    this.noisePeak = 32_768 * 10 ** (floorDb / 20) * Math.sqrt(3);
  }

  configure() {}
  sendDtmf() {}
  startRecording() {}
  setComfortNoise() {}
  setGain(gainDb) {
    this.#targetGain = 10 ** (gainDb / 20);
  }
  read(into) {
    this.#stirsSeen = this.#watch.stirs;
    const { frame, atMs } = this.#captured.shift() ?? {};
    if (!frame) return 0;
    this.heardAtMs = atMs;
    into.set(frame.subarray(0, into.length));
    return Math.min(frame.length, into.length);
  }
  set quiet(band) {
    this.#watch.quiet = band;
  }
  get stirred() {
    return this.#watch.stirs !== this.#stirsSeen;
  }
  write(samples) {
    const taken = Math.min(samples.length, QUEUE_SAMPLES - this.#queued);
    if (taken <= 0) return 0;
    if (this.#queued === 0) {
      this.#wasEmpty = true;
      this.talkStartedAtMs = undefined;
    }
    this.#queue.push(samples.slice(0, taken));
    this.#queued += taken;
    this.writtenSamples += taken;
    return taken;
  }
  clear() {
    const dropped = this.#queued;
    if (dropped > 0) this.clearedAtMs.push(this.clock.nowMs());
    this.#queue = [];
    this.#queued = 0;
    this.writtenSamples -= dropped;
    return dropped;
  }
  stats() {
    return Promise.resolve({});
  }
  close() {
    return Promise.resolve({});
  }

  /** 20 ms pass on the line. */
  step() {
    const from = this.#frame * FRAME;
    let filled = 0;
    while (filled < FRAME && this.#queue.length > 0) {
      const part = this.#queue[0].subarray(0, FRAME - filled);
      this.#sent.set(part, from + filled);
      filled += part.length;
      if (part.length === this.#queue[0].length) this.#queue.shift();
      else this.#queue[0] = this.#queue[0].subarray(part.length);
    }
    for (let i = 0; i < FRAME; i += 1) {
      this.#gain += Math.max(-1 / 320, Math.min(1 / 320, this.#targetGain - this.#gain));
      this.#sent[from + i] = clip((this.#sent[from + i] ?? 0) * this.#gain);
    }
    this.#queued -= filled;
    this.playedSamples += filled;
    if (filled > 0) {
      if (this.#wasEmpty) this.talkStartedAtMs = this.clock.nowMs();
      this.#wasEmpty = false;
      this.sounded.push({ atMs: this.clock.nowMs(), gain: this.#gain });
    }
    const frame = throughMulaw(this.#heard(from));
    this.#captured.push({ frame, atMs: this.clock.nowMs() });
    this.#watch.heard(frame);
    this.#frame += 1;
  }

  #heard(from) {
    const heard = new Int16Array(FRAME);
    const gain = this.echo ? 10 ** (-this.echo.lossDb / 20) : 0;
    const delay = this.echo ? Math.round(this.echo.delayMs * 8) : 0;
    const taps = this.echo?.room ? ROOM : ROOM.slice(0, 1);
    for (let i = 0; i < FRAME; i += 1) {
      let value = this.#caller[from + i] ?? 0;
      if (gain > 0) {
        for (const [offset, weight] of taps) value += gain * weight * (this.#sent[from + i - delay - offset] ?? 0);
      }
      this.#noise = (Math.imul(this.#noise, 1_664_525) + 1_013_904_223) >>> 0;
      heard[i] = clip(value + ((this.#noise / 2 ** 32) * 2 - 1) * this.noisePeak);
    }
    return heard;
  }
}

export const joined = (...parts) => {
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
};
export const silence = (ms) => new Int16Array(ms * 8);
export const mixed = (...signals) =>
  Int16Array.from({ length: Math.max(...signals.map(({ length }) => length)) }, (_, i) =>
    clip(signals.reduce((sum, signal) => sum + (signal[i] ?? 0), 0)),
  );

/** Level of the loud half of a signal, dBFS. */
export function speechLevelDb(samples) {
  const levels = [];
  for (let at = 0; at + FRAME <= samples.length; at += FRAME) {
    let energy = 0;
    for (let i = at; i < at + FRAME; i += 1) energy += samples[i] ** 2;
    levels.push(energy / FRAME);
  }
  levels.sort((a, b) => b - a);
  const loud = levels.slice(0, Math.max(1, Math.ceil(levels.length / 2)));
  return 10 * Math.log10(loud.reduce((sum, each) => sum + each, 1e-9) / loud.length / 32_768 ** 2);
}
export const atLevel = (samples, levelDb) => {
  const gain = 10 ** ((levelDb - speechLevelDb(samples)) / 20);
  return samples.map((sample) => clip(sample * gain));
};
/** From its first to its last 10 ms that are within 30 dB of its level. */
export function trimmed(samples) {
  const threshold = 10 ** ((speechLevelDb(samples) - 30) / 10) * 32_768 ** 2;
  const loud = (at) => samples.subarray(at, at + 80).reduce((sum, sample) => sum + sample ** 2, 0) / 80 >= threshold;
  let first = 0;
  let last = samples.length - (samples.length % 80) - 80;
  while (first < last && !loud(first)) first += 80;
  while (last > first && !loud(last)) last -= 80;
  return samples.slice(first, last + 80);
}
/** White noise, the same for the same seed. */
export function noise(ms, levelDb, seed = 7) {
  const peak = 32_768 * 10 ** (levelDb / 20) * Math.sqrt(3);
  let state = seed;
  return Int16Array.from({ length: ms * 8 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round(((state / 2 ** 32) * 2 - 1) * peak);
  });
}
