/** A WAV file in memory: `frames` of one number a channel; sizes in the header as the writer would claim them. */
export function wavBytes(options: {
  readonly frames: readonly (readonly number[])[];
  readonly format?: 1 | 6 | 7;
  readonly sampleRateHz?: number;
  readonly claimedBytes?: number;
  readonly extra?: Buffer; // a chunk between format and data
}): Buffer {
  const { frames, format = 1, sampleRateHz = 8000, extra = Buffer.alloc(0) } = options;
  const channels = frames[0]?.length ?? 2;
  const width = format === 1 ? 2 : 1;
  const data = Buffer.alloc(frames.length * channels * width);
  for (const [i, value] of frames.flat().entries()) {
    if (width === 2) data.writeInt16LE(value, i * 2);
    else data.writeUInt8(value, i);
  }
  const claimed = options.claimedBytes ?? data.length;
  const head = Buffer.alloc(36);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + extra.length + claimed, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(format, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(sampleRateHz, 24);
  head.writeUInt32LE(sampleRateHz * channels * width, 28);
  head.writeUInt16LE(channels * width, 32);
  head.writeUInt16LE(width * 8, 34);
  const dataHead = Buffer.alloc(8);
  dataHead.write('data', 0, 'latin1');
  dataHead.writeUInt32LE(claimed, 4);
  return Buffer.concat([head, extra, dataHead, data]);
}
