/** Samples that were given for one moment, and what became due within them. */
export interface Played {
  /** Marks before which everything was played. */
  readonly marks: readonly string[];
  /** Where in what was asked for the first sample with sound stands, of a stretch that begins to sound; undefined where none does. */
  readonly soundsFrom: number | undefined;
}

export interface PlayQueueSettings {
  readonly sampleRateHz: number;
  /** What waits before the first sample is played; grows by as much whenever speech was torn. */
  readonly storeMs?: number;
  readonly storeMsMax?: number;
  /** What may wait at all. The oldest goes first. */
  readonly queuedMsMax?: number;
}

/** Enough for a page that is late, and too little to be noticed beside the 60 ms by which the gateway is ahead. */
const STORE_MS = 40;
const STORE_MS_MAX = 200;
const QUEUED_MS_MAX = 10_000;
/** A step to silence is a click; this long a slope is none. */
const FADE_MS = 3;
/** What comes this soon after the queue ran dry belonged to what was played before: a torn sentence, and no new one. */
const TORN_MS = 250;
/** -50 dB of full scale: quieter is the breath before a word. */
const SOUND = 0.003;

/**
 * What is to be played, between a network that is early and late and a device that asks every few milliseconds:
 *
 *   storing --store is full, or nothing more comes--> playing --nothing waits--> storing
 *
 * `clear` ends what is heard within 3 ms. Knows no clock: time is what was asked for.
 */
export class PlayQueue {
  readonly counters = { torn: 0, dropped: 0, cleared: 0 };
  readonly #rateHz: number;
  readonly #queuedMax: number;
  readonly #storeMax: number;
  readonly #storeStep: number;
  #store: number;
  #waiting: Float32Array[] = [];
  #at = 0; // in the first of them
  #queued = 0;
  #marks: { readonly name: string; at: number }[] = []; // samples before them that wait
  #isPlaying = false;
  #isSounding = false;
  #storedFor = 0; // samples asked for since something waits
  #dryFor = Number.POSITIVE_INFINITY; // samples asked for since nothing waits
  #fade: Float32Array | undefined;

  constructor({ sampleRateHz, ...settings }: PlayQueueSettings) {
    const { storeMs = STORE_MS, storeMsMax = STORE_MS_MAX, queuedMsMax = QUEUED_MS_MAX } = settings;
    const samples = (ms: number): number => Math.round((ms * sampleRateHz) / 1_000);
    this.#rateHz = sampleRateHz;
    this.#storeStep = samples(storeMs);
    this.#store = samples(storeMs);
    this.#storeMax = samples(storeMsMax);
    this.#queuedMax = samples(queuedMsMax);
  }

  get queuedMs(): number {
    return (this.#queued * 1_000) / this.#rateHz;
  }

  /** Whether something is heard or about to be. */
  get isBusy(): boolean {
    return this.#queued > 0;
  }

  push(samples: Float32Array): void {
    if (samples.length === 0) return;
    if (!this.#isPlaying && this.#dryFor < (TORN_MS * this.#rateHz) / 1_000) {
      this.counters.torn += 1;
      this.#store = Math.min(this.#storeMax, this.#store + this.#storeStep);
    }
    this.#dryFor = Number.POSITIVE_INFINITY;
    this.#waiting.push(samples);
    this.#queued += samples.length;
    while (this.#queued > this.#queuedMax && this.#waiting.length > 1) this.#drop();
  }

  /** Due when everything before it was played: with the next samples where nothing waits. */
  mark(name: string): void {
    this.#marks.push({ name, at: this.#queued });
  }

  /** What was not played is forgotten, with its marks. */
  clear(): void {
    if (this.#isPlaying && this.#queued > 0) {
      const fade = new Float32Array(Math.min(this.#queued, Math.round((FADE_MS * this.#rateHz) / 1_000)));
      this.#take(fade);
      for (let i = 0; i < fade.length; i += 1) fade[i]! *= 1 - (i + 1) / fade.length;
      this.#fade = fade;
    }
    this.counters.cleared += 1;
    this.#waiting = [];
    this.#marks = [];
    this.#at = 0;
    this.#queued = 0;
    this.#isPlaying = false;
    this.#isSounding = false;
    this.#storedFor = 0;
    this.#dryFor = Number.POSITIVE_INFINITY; // What comes next is a new sentence.
  }

  /** Fills all of `out`, with silence where there is nothing to play. */
  read(out: Float32Array): Played {
    const faded = this.#fadeInto(out);
    out.fill(0, faded);
    this.#begin(out.length);
    const length = this.#isPlaying ? Math.min(out.length - faded, this.#queued) : 0;
    const part = out.subarray(faded, faded + length);
    this.#take(part);
    const marks = this.#due(length);
    const soundsFrom = this.#soundsFrom(part, faded);
    if (this.#isPlaying && this.#queued === 0) {
      this.#isPlaying = false;
      this.#isSounding = false;
      this.#dryFor = 0;
    } else this.#dryFor += out.length;
    return { marks, soundsFrom };
  }

  /** Plays when the store is full, and also when it was not filled for as long as that would have taken. */
  #begin(asked: number): void {
    if (this.#isPlaying || this.#queued === 0) return;
    if (this.#queued >= this.#store || this.#storedFor >= this.#store) {
      this.#isPlaying = true;
      this.#storedFor = 0;
    } else this.#storedFor += asked;
  }

  #soundsFrom(part: Float32Array, offset: number): number | undefined {
    if (this.#isSounding) return undefined;
    const found = part.findIndex((sample) => Math.abs(sample) > SOUND);
    if (found === -1) return undefined;
    this.#isSounding = true;
    return offset + found;
  }

  #due(played: number): readonly string[] {
    for (const mark of this.#marks) mark.at -= played;
    if (!this.#marks.some(({ at }) => at <= 0)) return [];
    const due = this.#marks.filter(({ at }) => at <= 0).map(({ name }) => name);
    this.#marks = this.#marks.filter(({ at }) => at > 0);
    return due;
  }

  #take(out: Float32Array): void {
    for (let done = 0; done < out.length; ) {
      const first = this.#waiting[0]!;
      const part = first.subarray(this.#at, this.#at + out.length - done);
      out.set(part, done);
      done += part.length;
      this.#at += part.length;
      if (this.#at < first.length) continue;
      this.#waiting.shift();
      this.#at = 0;
    }
    this.#queued -= out.length;
  }

  #drop(): void {
    const gone = this.#waiting.shift()!.length - this.#at;
    this.#at = 0;
    this.#queued -= gone;
    this.counters.dropped += gone;
    for (const mark of this.#marks) mark.at = Math.max(0, mark.at - gone);
  }

  #fadeInto(out: Float32Array): number {
    const fade = this.#fade;
    if (!fade) return 0;
    const length = Math.min(fade.length, out.length);
    out.set(fade.subarray(0, length));
    this.#fade = length < fade.length ? fade.subarray(length) : undefined;
    return length;
  }
}
