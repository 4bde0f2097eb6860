import { clampSample } from '../../audio/half-band.ts';

/** Comfort noise (RFC 3389): the sender says how loud its silence is, we make some that loud; and our own line's. */

/** Payload types: static 13, and whatever SDP maps. */
export const COMFORT_NOISE_PAYLOAD_TYPE = 13;
/** Louder "silence" than this is not believed. */
const LOUDEST_DBOV = -35;
const QUIETEST_DBOV = -90;

/** @returns level in dBov (negative), or undefined for an empty payload. Spectral coefficients are not used. */
export function parseComfortNoise(payload: Uint8Array): number | undefined {
  const level = payload[0];
  return level === undefined ? undefined : -(level & 0x7f);
}

/** White noise at a level; the same seed gives the same noise. */
export class ComfortNoise {
  #state: number;
  #amplitude = 0;
  constructor(seed = 1) {
    this.#state = seed | 1;
  }

  setLevel(dbov: number): void {
    const level = Math.min(LOUDEST_DBOV, Math.max(QUIETEST_DBOV, dbov));
    // A uniform distribution of amplitude a has RMS a / sqrt(3).
    this.#amplitude = level <= QUIETEST_DBOV ? 0 : 32_768 * 10 ** (level / 20) * Math.sqrt(3);
  }

  fill(into: Int16Array): void {
    for (let i = 0; i < into.length; i += 1) {
      this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
      into[i] = Math.round((this.#state / 2_147_483_648) * this.#amplitude);
    }
  }
}

/** As long as nobody hears it come again; prime, so that it never falls into step with the packets. */
const LOOP_MS = 1_009;
/** Of this thread: one for each rate of the calls' audio. */
const loops = new Map<string, Int16Array>();
/** What the tables of codecs make of a loop. */
const codedLoops = new Map<Int16Array, Map<Uint8Array, Uint8Array>>();

function codedLoop(loop: Int16Array, table: Uint8Array): Uint8Array {
  const byTable = codedLoops.get(loop) ?? new Map<Uint8Array, Uint8Array>();
  codedLoops.set(loop, byTable);
  const coded = byTable.get(table) ?? Uint8Array.from(loop, (sample) => table[sample & 0xffff] as number);
  byTable.set(table, coded);
  return coded;
}

/** What is heard of our end while nobody speaks: noise so soft that it is heard only where it is missing. */
export class LineNoise {
  readonly #loop: Int16Array;
  #at = 0;
  #taken = 0;
  #coded: { readonly table: Uint8Array; readonly loop: Uint8Array } | undefined;

  /** @param levelDbov - -90 and less is none. */
  constructor(levelDbov: number, sampleRateHz: number) {
    const key = `${levelDbov} ${sampleRateHz}`;
    const known = loops.get(key);
    this.#loop = known ?? new Int16Array((LOOP_MS * sampleRateHz) / 1000);
    if (known) return;
    const noise = new ComfortNoise();
    noise.setLevel(levelDbov);
    noise.fill(this.#loop);
    loops.set(key, this.#loop);
  }

  /** `samples` and the noise under them. @param into - as long as `samples`. */
  under(samples: Int16Array, into: Int16Array): void {
    const loop = this.#loop;
    for (let i = 0; i < samples.length; ) {
      const from = this.#take(samples.length - i) - i;
      for (const end = i + this.#taken; i < end; i += 1) {
        into[i] = clampSample((samples[i] as number) + (loop[from + i] as number));
      }
    }
  }

  /** The noise alone as a codec without a memory writes it. @param table - the codec's. @returns bytes written, one a sample. */
  alone(table: Uint8Array, samples: number, into: Uint8Array, at: number): number {
    if (this.#coded?.table !== table) this.#coded = { table, loop: codedLoop(this.#loop, table) };
    const { loop } = this.#coded;
    for (let i = 0; i < samples; ) {
      const from = this.#take(samples - i);
      into.set(loop.subarray(from, from + this.#taken), at + i);
      i += this.#taken;
    }
    return samples;
  }

  /** Goes on by up to `count` samples that lie side by side, `#taken` of them. @returns where they begin. */
  #take(count: number): number {
    const from = this.#at;
    this.#taken = Math.min(count, this.#loop.length - from);
    this.#at = from + this.#taken === this.#loop.length ? 0 : from + this.#taken;
    return from;
  }
}
