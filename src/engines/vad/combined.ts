import createFvad, { type FvadModule } from '@echogarden/fvad-wasm';
import { FRAME_SAMPLES, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import { OperatorError } from '../../core/errors.ts';
import type { VadEngine } from './contract.ts';
import { FrameDetector, type VoiceConfirmer } from './frame-detector.ts';

/** 2 of 0..3: at 20 dB SNR 0.04 % false alarms and 89 % of speech frames; 3 gains nothing and loses 6 %. */
const FVAD_MODE = 2;

/**
 * Of digital silence the detector learns nothing: after seven such frames in a row (80 tries over speech) all of its state is what it was
 * one frame before, and stays so. Any other noise it learns from, however soft: without it, one call of six was heard otherwise.
 */
const SETTLED_FRAMES = 16;

/** WebRTC's statistical detector. All instances of a thread share one WASM memory of 16 MB. */
class FvadConfirmer implements VoiceConfirmer {
  #instance: number;
  #zeroFrames = 0; // in a row
  constructor(
    readonly module: FvadModule,
    readonly scratch: number,
  ) {
    this.#instance = module._fvad_new();
    this.#configure();
  }

  isVoice(samples: Int16Array): boolean {
    if (this.#instance === 0) return true;
    this.#zeroFrames = isDigitalSilence(samples) ? this.#zeroFrames + 1 : 0;
    if (this.#zeroFrames > SETTLED_FRAMES) return false;
    this.module.HEAP16.set(samples, this.scratch >> 1);
    return this.module._fvad_process(this.#instance, this.scratch, FRAME_SAMPLES) === 1;
  }

  reset(): void {
    this.#zeroFrames = 0;
    if (this.#instance === 0) return;
    this.module._fvad_reset(this.#instance);
    this.#configure(); // a reset forgets mode and rate
  }

  close(): void {
    if (this.#instance !== 0) this.module._fvad_free(this.#instance);
    this.#instance = 0;
  }

  #configure(): void {
    if (this.#instance === 0) return;
    this.module._fvad_set_mode(this.#instance, FVAD_MODE);
    this.module._fvad_set_sample_rate(this.#instance, TELEPHONE_RATE_HZ);
  }
}

function isDigitalSilence(samples: Int16Array): boolean {
  for (let i = 0; i < samples.length; i += 1) if (samples[i] !== 0) return false;
  return true;
}

/**
 * Level over an adaptive floor AND WebRTC voice activity: the first keeps out what is faint, the second what is steady.
 * Where the WASM memory is used up (thousands of calls), further detectors work by level alone.
 *
 * @throws OperatorError when the WASM module does not load.
 */
export async function createCombinedVad(): Promise<VadEngine> {
  let module: FvadModule;
  try {
    module = await createFvad();
  } catch (cause) {
    throw new OperatorError('Voice activity detection did not load: reinstall the packages, or set it to "energy".', {
      cause,
    });
  }
  const scratch = module._malloc(FRAME_SAMPLES * Int16Array.BYTES_PER_ELEMENT);
  return { name: 'combined', open: (options) => new FrameDetector(options, new FvadConfirmer(module, scratch)) };
}
