/** 16-bit little-endian, as every platform has it that Node runs on. Both copy. */

/** An odd last byte is left out. */
export function samplesOfBytes(bytes: Uint8Array): Int16Array {
  const even = new Uint8Array(bytes.length & ~1);
  even.set(bytes.subarray(0, even.length));
  return new Int16Array(even.buffer);
}

export function bytesOfSamples(samples: Int16Array): Buffer {
  return Buffer.from(samples.slice().buffer);
}
