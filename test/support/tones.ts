/** A sine of `hz`; `amplitude` of full scale 1. */
export function tone(
  hz: number,
  samples: number,
  options: { rateHz?: number; amplitude?: number; from?: number } = {},
): Int16Array {
  const { rateHz = 8000, amplitude = 0.25, from = 0 } = options;
  // A loop, for minutes of it are made: `Int16Array.from` takes ten times as long.
  const made = new Int16Array(samples);
  for (let i = 0; i < samples; i += 1) {
    made[i] = Math.round(32_767 * amplitude * Math.sin((2 * Math.PI * hz * (from + i)) / rateHz));
  }
  return made;
}

/** Amplitude (of full scale 1) of the component at `hz`: one bin of a DFT with a Hann window. */
export function amplitudeAt(samples: Int16Array, hz: number, rateHz = 8000): number {
  let re = 0;
  let im = 0;
  let weight = 0;
  for (let i = 0; i < samples.length; i += 1) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / samples.length);
    const angle = (2 * Math.PI * hz * i) / rateHz;
    re += window * (samples[i] ?? 0) * Math.cos(angle);
    im -= window * (samples[i] ?? 0) * Math.sin(angle);
    weight += window;
  }
  return (2 * Math.hypot(re, im)) / weight / 32_767;
}

export const decibels = (ratio: number): number => 20 * Math.log10(Math.max(ratio, 1e-9));
