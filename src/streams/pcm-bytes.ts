/** 16-bit little-endian samples, copied; an odd last byte is left out. */
export function samplesOfBytes(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  for (let i = 0; i < samples.length; i += 1) samples[i] = bytes.readInt16LE(2 * i);
  return samples;
}

export function bytesOfSamples(samples: Int16Array): Buffer {
  const bytes = Buffer.allocUnsafe(2 * samples.length);
  for (let i = 0; i < samples.length; i += 1) bytes.writeInt16LE(samples[i] as number, 2 * i);
  return bytes;
}
