import { FRAME_MS, TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import type { SttEngine } from './contract.ts';

/** The best rate that a recogniser takes and that audio of `availableHz` can fill; the telephone's where there is none. */
export function hearingRate({ capabilities }: Pick<SttEngine, 'capabilities'>, availableHz: number): number {
  const isUsable = (rateHz: number): boolean => rateHz <= availableHz && (rateHz * FRAME_MS) % 1000 === 0;
  return Math.max(TELEPHONE_RATE_HZ, ...capabilities.sampleRatesHz.filter(isUsable));
}
