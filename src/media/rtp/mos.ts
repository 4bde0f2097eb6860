/**
 * Estimated listening quality of a G.711 call by the E-model (ITU-T G.107), with the loss robustness of packet loss
 * concealment (G.113 appendix I: Ie 0, Bpl 25.1).
 */
const R_BEST = 93.2;
const PACKET_LOSS_ROBUSTNESS = 25.1;

export interface MosInput {
  /** Mouth to ear, one way: half the round trip, the jitter buffer and the packet time. */
  readonly delayMs: number;
  /** Lost, or too late to be played. */
  readonly lossPercent: number;
}

/** @returns 1..4.41 */
export function estimateMos(input: MosInput): number {
  const delay = Math.max(0, input.delayMs);
  const loss = Math.min(100, Math.max(0, input.lossPercent));
  const delayImpairment = 0.024 * delay + (delay > 177.3 ? 0.11 * (delay - 177.3) : 0);
  const lossImpairment = (95 * loss) / (loss + PACKET_LOSS_ROBUSTNESS);
  return mosOfRating(R_BEST - delayImpairment - lossImpairment);
}

/** G.107 annex B. */
function mosOfRating(rating: number): number {
  if (rating <= 0) return 1;
  if (rating >= 100) return 4.5;
  return Math.max(1, 1 + 0.035 * rating + rating * (rating - 60) * (100 - rating) * 7e-6);
}
