import { errorText } from '../../../core/errors.ts';
import { type ModelWork, type Say, type ToModel, VOICE_WINDOW } from './process-protocol.ts';
import type { SileroNet, StreamMemory } from './silero-net.ts';

/** More are never followed: see `SherpaVad`. */
const STREAMS_MAX = 4_096;

/** Judges windows of many calls, as many at once as the model takes; each call's in order, by what was heard of that call alone. */
export class VoiceWork implements ModelWork {
  readonly #streams = new Map<number, StreamMemory>();
  #job = 0;

  constructor(
    private readonly net: SileroNet,
    private readonly say: Say,
  ) {}

  handle(message: ToModel): void {
    if (message.type !== 'windows' && message.type !== 'drop') return;
    if (message.type === 'drop' || message.id !== this.#job) this.#streams.clear();
    this.#job = message.id;
    if (message.type === 'drop') return;
    const { id, streams, samples, over } = message;
    try {
      this.say({ type: 'voices', id, streams, likely: this.#judge(streams, samples) });
    } catch (error) {
      this.#streams.clear();
      this.say({ type: 'failed', id, why: errorText(error) });
    }
    for (const stream of over) this.#streams.delete(stream);
  }

  #judge(streams: Uint32Array, samples: Int16Array): Float32Array {
    const likely = new Float32Array(streams.length);
    let left = [...streams.keys()];
    while (left.length > 0) {
      const now = this.#next(left, streams);
      left = left.filter((at) => !now.has(at));
      const windows = [...now].map((at) => ({
        memory: this.#memoryOf(streams[at]!),
        samples: samples.subarray(at * VOICE_WINDOW, (at + 1) * VOICE_WINDOW),
      }));
      const judged = this.net.run(windows);
      for (const [i, at] of [...now].entries()) likely[at] = judged[i]!;
    }
    return likely;
  }

  /** Which windows go at once: the first of each stream. */
  #next(left: readonly number[], streams: Uint32Array): ReadonlySet<number> {
    const now = new Set<number>();
    const taken = new Set<number>();
    for (const at of left) {
      if (now.size >= this.net.batchMax) break;
      const stream = streams[at]!;
      if (taken.has(stream)) continue;
      taken.add(stream);
      now.add(at);
    }
    return now;
  }

  #memoryOf(stream: number): StreamMemory {
    const known = this.#streams.get(stream);
    if (known) return known;
    if (this.#streams.size >= STREAMS_MAX) throw new Error('too many calls are followed');
    const memory = this.net.remember();
    this.#streams.set(stream, memory);
    return memory;
  }
}
