import { HalfBandDownsampler, HalfBandUpsampler } from '../../audio/half-band.ts';

/** Between the rate of a codec and the rate at which the call's audio is asked for. One direction, as a stream. */
export interface RateConverter {
  /** Converts `samples` into all of `into`. */
  convert(samples: Int16Array, into: Int16Array): void;
}

/**
 * @returns undefined where the rates are equal: there is nothing to do.
 * @throws RangeError unless one rate is the double of the other.
 */
export function rateConverter(fromHz: number, toHz: number): RateConverter | undefined {
  if (fromHz === toHz) return undefined;
  const half =
    toHz === 2 * fromHz ? new HalfBandUpsampler() : fromHz === 2 * toHz ? new HalfBandDownsampler() : undefined;
  if (!half) throw new RangeError(`no conversion from ${fromHz} to ${toHz} samples a second`);
  return { convert: (samples, into) => void half.push(samples, into) };
}
