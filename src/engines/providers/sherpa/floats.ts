/** As the library takes samples: -1..1. */
export function floats(samples: Int16Array): Float32Array {
  const made = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i += 1) made[i] = samples[i]! / 32_768;
  return made;
}

/** As the telephone has them; what is louder than full scale is cut off. */
export function integers(samples: Float32Array): Int16Array {
  const made = new Int16Array(samples.length);
  for (let i = 0; i < samples.length; i += 1) {
    made[i] = Math.max(-32_768, Math.min(32_767, Math.round((samples[i] ?? 0) * 32_767)));
  }
  return made;
}
