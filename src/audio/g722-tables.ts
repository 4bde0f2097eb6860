/** Tables of ITU-T G.722 (64 kbit/s mode). Names and values are the recommendation's. */

/** Coefficients of one phase of the 24-tap quadrature mirror filter; the other phase has them in reverse (table 11). */
export const QMF = Int16Array.of(3, -11, 12, 32, -210, 951, 3876, -805, 362, -156, 53, -11);

/** Decision levels of the 6-bit quantizer of the lower band (table 14). */
export const LOWER_LEVELS = Int16Array.of(
  ...[35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1023, 1121],
  ...[1219, 1339, 1458, 1612, 1765, 1980, 2195, 2557, 2919],
);
/** Its code words by interval, for negative and for other differences. */
export const LOWER_CODES_NEGATIVE = Uint8Array.of(63, 62, ...countdown(31, 4));
export const LOWER_CODES_POSITIVE = Uint8Array.of(61, 60, ...countdown(59, 32));

/** Output of the inverse quantizers: 6 bits for what is heard, 4 bits for the predictor of both ends, 2 bits above. */
export const LOWER_OUTPUT_6 = Int16Array.of(
  ...[-136, -136, -136, -136, -24_808, -21_904, -19_008, -16_704, -14_984, -13_512, -12_280, -11_192, -10_232],
  ...[-9_360, -8_576, -7_856, -7_192, -6_576, -6_000, -5_456, -4_944, -4_464, -4_008, -3_576, -3_168, -2_776],
  ...[-2_400, -2_032, -1_688, -1_360, -1_040, -728, 24_808, 21_904, 19_008, 16_704, 14_984, 13_512, 12_280],
  ...[11_192, 10_232, 9_360, 8_576, 7_856, 7_192, 6_576, 6_000, 5_456, 4_944, 4_464, 4_008, 3_576, 3_168, 2_776],
  ...[2_400, 2_032, 1_688, 1_360, 1_040, 728, 432, 136, -432, -136],
);
export const LOWER_OUTPUT_4 = Int16Array.of(
  ...[0, -20_456, -12_896, -8_968, -6_288, -4_240, -2_584, -1_200],
  ...[20_456, 12_896, 8_968, 6_288, 4_240, 2_584, 1_200, 0],
);
export const HIGHER_OUTPUT_2 = Int16Array.of(-7_408, -1_616, 7_408, 1_616);

/** Log multipliers that adapt the step size, by code word. */
export const LOWER_MULTIPLIERS = byCode(
  [-60, 3042, 1198, 538, 334, 172, 58, -30],
  [0, 1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6, 7, 0],
);
export const HIGHER_MULTIPLIERS = byCode([798, -214], [0, 1, 0, 1]);

/** Mantissas of the inverse logarithm. */
export const INVERSE_LOG = Int16Array.of(
  ...[2048, 2093, 2139, 2186, 2233, 2282, 2332, 2383, 2435, 2489, 2543, 2599, 2656, 2714, 2774, 2834, 2896, 2960],
  ...[3025, 3091, 3158, 3228, 3298, 3371, 3444, 3520, 3597, 3676, 3756, 3838, 3922, 4008],
);

function countdown(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, i) => from - i);
}

function byCode(values: readonly number[], index: readonly number[]): Int16Array {
  return Int16Array.from(index, (at) => values[at] as number);
}
