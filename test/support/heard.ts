import { readFileSync } from 'node:fs';
import { readWav } from '../../src/audio/wav.ts';

const FRAME_MS = 20;

/** A recording as a listener would describe it: where there is sound, and which tone. */
export class Heard {
  readonly #levels: number[];
  constructor(
    readonly samples: Int16Array,
    readonly sampleRateHz: number,
    readonly threshold = 200,
  ) {
    const size = (sampleRateHz * FRAME_MS) / 1000;
    this.#levels = [];
    for (let at = 0; at + size <= samples.length; at += size) {
      let sum = 0;
      for (let i = at; i < at + size; i += 1) sum += samples[i]! * samples[i]!;
      this.#levels.push(Math.sqrt(sum / size));
    }
  }

  /** The first channel of a WAV file. */
  static file(path: string, channel = 0): Heard {
    const wav = readWav(readFileSync(path));
    if (typeof wav === 'string') throw new Error(`${path}: ${wav}`);
    return new Heard(wav.channels[channel]!, wav.sampleRateHz);
  }

  get seconds(): number {
    return this.samples.length / this.sampleRateHz;
  }
  /** Stretches of sound, in seconds; silences shorter than `joinMs` do not split one. */
  stretches(joinMs = 400): { fromS: number; toS: number }[] {
    const found: { fromS: number; toS: number }[] = [];
    this.#levels.forEach((level, index) => {
      if (level <= this.threshold) return;
      const fromS = (index * FRAME_MS) / 1000;
      const last = found[found.length - 1];
      if (last && (fromS - last.toS) * 1000 < joinMs) last.toS = fromS + FRAME_MS / 1000;
      else found.push({ fromS, toS: fromS + FRAME_MS / 1000 });
    });
    return found;
  }
  /** Seconds of sound between two moments. */
  voicedSeconds(fromS = 0, toS = Number.POSITIVE_INFINITY): number {
    const frames = this.#levels.filter((level, index) => {
      const atS = (index * FRAME_MS) / 1000;
      return level > this.threshold && atS >= fromS && atS < toS;
    });
    return (frames.length * FRAME_MS) / 1000;
  }
}
