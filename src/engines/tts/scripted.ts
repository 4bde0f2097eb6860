import { ServiceError } from '../../core/errors.ts';
import { sentence } from '../../core/notice.ts';
import type { Voice } from '../../core/voice.ts';
import { type SpeechMark, type TtsEngine, type TtsRequest, type TtsStream, withMarks } from './contract.ts';

/** What the engine does with a text, by its beginning: how failing synthesisers behave, on demand. */
export interface ScriptedTtsOptions {
  readonly msPerChar?: number; // at speed 1
  readonly chunkMs?: number;
  /** A text that contains the key fails: before any audio, or after one chunk. */
  readonly failOn?: Readonly<Record<string, 'at-once' | 'midway'>>;
  /** Say where each word begins. */
  readonly marks?: boolean;
}

const MS_PER_CHAR = 50;
const CHUNK_MS = 60;
const AMPLITUDE = 8000; // a quarter of full scale
const BASE_HZ = { female: 660, male: 440 } as const;
const DURATION_MAX_MS = 600_000;

/**
 * Tones instead of speech, for tests and for trying the wiring without a synthesiser: a text of n characters is
 * n x 50 ms of a sine, 660 Hz for female and 440 Hz for male voices, moved by `pitchSemitones`. Equal requests give
 * equal samples. It does not speak, and nobody should hear it by accident: it serves only when named in the configuration.
 */
export class ScriptedTts implements TtsEngine {
  readonly name = 'scripted';
  #closed = false;
  /** Every text asked for, oldest first, at most `requestsMax`. */
  readonly requests: TtsRequest[] = [];
  readonly requestsMax = 1000;

  constructor(readonly options: ScriptedTtsOptions = {}) {}

  available(): { readonly ok: true } | { readonly ok: false; readonly why: string } {
    return this.#closed ? { ok: false, why: sentence('engine.synthesiser-closed') } : { ok: true };
  }

  soundOf({ gender }: Voice): string {
    return `${gender} ${this.options.msPerChar ?? MS_PER_CHAR}`;
  }

  async *synthesize(request: TtsRequest, signal: AbortSignal): TtsStream {
    if (this.#closed) throw new ServiceError('unavailable');
    if (this.requests.length < this.requestsMax) this.requests.push(request);
    const failure = Object.entries(this.options.failOn ?? {}).find(([part]) => request.text.includes(part))?.[1];
    if (failure === 'at-once') throw new ServiceError('synthesis_failed');
    const total = scriptedSamples(request, this.options.msPerChar);
    const step = Math.round((request.sampleRateHz * (this.options.chunkMs ?? CHUNK_MS)) / 1000);
    for (let at = 0; at < total && !signal.aborted; at += step) {
      const length = Math.min(step, total - at);
      const samples = tone(request, at, length);
      yield withMarks(samples, this.#marksWithin(request, at, at + length));
      await Promise.resolve();
      if (failure === 'midway' && !signal.aborted) throw new ServiceError('synthesis_failed');
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  /** The words that begin in these samples. */
  #marksWithin(request: TtsRequest, from: number, until: number): readonly SpeechMark[] {
    if (!this.options.marks) return [];
    return scriptedMarks(request, this.options.msPerChar).filter(({ atMs }) => {
      const sample = (atMs * request.sampleRateHz) / 1000;
      return sample >= from && sample < until;
    });
  }
}

/** Length of the tone for a request, in samples of its rate. */
export function scriptedSamples(request: TtsRequest, msPerChar = MS_PER_CHAR): number {
  const characters = [...request.text.trim()].length;
  const durationMs = Math.min(DURATION_MAX_MS, (characters * msPerChar) / request.speed);
  return Math.round((durationMs * request.sampleRateHz) / 1000);
}

/** Where each word of a request begins: the same time for every character. */
export function scriptedMarks(request: TtsRequest, msPerChar = MS_PER_CHAR): readonly SpeechMark[] {
  const lead = request.text.length - request.text.trimStart().length;
  return [...request.text.matchAll(/\S+/g)].map(({ index, 0: word }) => ({
    charStart: index,
    charEnd: index + word.length,
    atMs: ([...request.text.slice(lead, index)].length * msPerChar) / request.speed,
  }));
}

function tone(request: TtsRequest, from: number, length: number): Int16Array {
  const hz = BASE_HZ[request.voice.gender] * 2 ** (request.pitchSemitones / 12);
  const step = (2 * Math.PI * hz) / request.sampleRateHz;
  return Int16Array.from({ length }, (_, i) => Math.round(AMPLITUDE * Math.sin(step * (from + i))));
}
