/** Comfort noise (RFC 3389): the sender says how loud its silence is, we make some that loud. */

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
