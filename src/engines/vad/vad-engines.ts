import { createCombinedVad } from './combined.ts';
import type { VadEngine, VadOptions } from './contract.ts';
import { createEnergyVad } from './energy.ts';

export const VAD_ENGINE_NAMES = ['combined', 'energy'] as const;
export type VadEngineName = (typeof VAD_ENGINE_NAMES)[number];

/** Opens after four frames in a row; half a second of silence closes. */
export const DEFAULT_VAD_OPTIONS: VadOptions = { startMs: 80, hangoverMs: 500, minLevelDb: 8 };

/** The detector that the configuration names. @throws OperatorError when its WASM module does not load. */
export async function createVadEngine(name: VadEngineName): Promise<VadEngine> {
  return name === 'combined' ? createCombinedVad() : createEnergyVad();
}
