import type { VadEngine } from './contract.ts';
import { FrameDetector } from './frame-detector.ts';

/** Level over an adaptive floor alone: 0.5 us a frame, no WASM; loud steady noise can open it for up to half a second. */
export function createEnergyVad(): VadEngine {
  return { name: 'energy', open: (options) => new FrameDetector(options) };
}
