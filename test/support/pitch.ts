const FRAME_SECONDS = 0.04;
const LOWEST_HZ = 60;
const HIGHEST_HZ = 500;
/** Correlation with itself one period later, from which on a frame counts as voiced. */
const VOICED = 0.8;

/** Median fundamental frequency of speech in Hz, by autocorrelation over its voiced frames. */
export function medianPitchHz(samples: Int16Array, rateHz: number): number {
  const size = Math.round(FRAME_SECONDS * rateHz);
  const pitches: number[] = [];
  for (let at = 0; at + 2 * size < samples.length; at += size) {
    const { lag, similarity } = bestLag(samples, at, size, rateHz);
    if (similarity >= VOICED) pitches.push(rateHz / lag);
  }
  return pitches.sort((a, b) => a - b)[pitches.length >> 1] ?? 0;
}

function bestLag(samples: Int16Array, at: number, size: number, rateHz: number): { lag: number; similarity: number } {
  const found: { lag: number; similarity: number }[] = [];
  for (let lag = Math.floor(rateHz / HIGHEST_HZ); lag <= Math.min(size, rateHz / LOWEST_HZ); lag += 1) {
    found.push({ lag, similarity: similarityAt(samples, at, size, lag) });
  }
  const best = Math.max(...found.map((one) => one.similarity));
  // Two periods are as similar as one: the shortest that is nearly as good counts.
  return found.find((one) => one.similarity >= best * 0.93) ?? { lag: 1, similarity: 0 };
}

function similarityAt(samples: Int16Array, at: number, size: number, lag: number): number {
  let cross = 0;
  let energy = 0;
  let laterEnergy = 0;
  for (let i = at; i < at + size; i += 1) {
    const now = samples[i] as number;
    const later = samples[i + lag] as number;
    cross += now * later;
    energy += now * now;
    laterEnergy += later * later;
  }
  return cross / Math.sqrt(energy * laterEnergy + 1);
}
