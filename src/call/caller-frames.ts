import { FRAME_SAMPLES, type PcmFrame, TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../audio/pcm.ts';
import type { CallerAudio } from '../media/media-port.ts';

/**
 * What somebody says, a whole frame of 20 ms at a time, and the same 20 ms as a recogniser is to have them: in wideband where it
 * takes that and the port has it. Both are filled again by each `read`: who is given them copies what has to stay.
 */
export class CallerFrames {
  readonly frame: PcmFrame = { samples: new Int16Array(FRAME_SAMPLES), sampleRateHz: TELEPHONE_RATE_HZ };
  /** For a recogniser; `frame` itself at the telephone rate. */
  readonly heard: PcmFrame;
  readonly #wide: Int16Array | undefined;
  #filled = 0;

  /** @param hearingRateHz - the best that the recogniser takes. */
  constructor(
    private readonly port: CallerAudio,
    hearingRateHz: number,
  ) {
    const isWide = port.isWideband === true && hearingRateHz >= WIDEBAND_RATE_HZ;
    if (isWide) this.#wide = new Int16Array(2 * FRAME_SAMPLES);
    this.heard = this.#wide ? { samples: this.#wide, sampleRateHz: WIDEBAND_RATE_HZ } : this.frame;
  }

  /** @returns whether the next frame is whole. */
  read(): boolean {
    const { samples } = this.frame;
    const wide = this.#wide;
    while (this.#filled < FRAME_SAMPLES) {
      const filled = this.#filled;
      const read =
        filled === 0
          ? this.port.read(samples, wide)
          : this.port.read(samples.subarray(filled), wide?.subarray(2 * filled));
      if (read === 0) return false;
      this.#filled += read;
    }
    this.#filled = 0;
    return true;
  }
}
