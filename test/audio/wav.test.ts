import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WaveFile } from 'wavefile';
import { mixDown, patchWavSizes, readWav, WAV_HEADER_BYTES, wavFile, wavHeader } from '../../src/audio/wav.ts';
import { runs } from '../support/property-runs.ts';

/** A file with any format code, built by hand. */
function rawWav(options: {
  code: number;
  bits: number;
  channels?: number;
  rate?: number;
  data: Buffer;
  size?: number;
  extensible?: boolean;
}): Buffer {
  const { code, bits, channels = 1, rate = 8000, data, size = data.length, extensible = false } = options;
  const format = Buffer.alloc(extensible ? 40 : 16);
  format.writeUInt16LE(extensible ? 0xfffe : code, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt16LE(bits, 14);
  if (extensible) format.writeUInt16LE(code, 24);
  const chunk = (name: string, body: Buffer, length = body.length): Buffer => {
    const head = Buffer.alloc(8);
    head.write(name, 0, 'latin1');
    head.writeUInt32LE(length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length & 1)]);
  };
  const riff = Buffer.alloc(12);
  riff.write('RIFF', 0, 'latin1');
  riff.write('WAVE', 8, 'latin1');
  return Buffer.concat([riff, chunk('LIST', Buffer.from('odd')), chunk('fmt ', format), chunk('data', data, size)]);
}

function firstChannel(file: Buffer): number[] | string {
  const audio = readWav(file);
  return typeof audio === 'string' ? audio : [...(audio.channels[0] ?? [])];
}

describe('readWav', () => {
  const float32 = Buffer.alloc(16);
  [0.5, -1, 2, Number.NaN].forEach((value, i) => void float32.writeFloatLE(value, i * 4));
  const float64 = Buffer.alloc(8);
  float64.writeDoubleLE(-0.25);
  it.each([
    { name: 'PCM 8', file: rawWav({ code: 1, bits: 8, data: Buffer.of(128, 0, 255) }), samples: [0, -32_768, 32_512] },
    { name: 'PCM 16', file: rawWav({ code: 1, bits: 16, data: Buffer.of(1, 0, 255, 255) }), samples: [1, -1] },
    { name: 'PCM 24', file: rawWav({ code: 1, bits: 24, data: Buffer.of(9, 1, 0, 9, 0, 128) }), samples: [1, -32_768] },
    { name: 'PCM 32', file: rawWav({ code: 1, bits: 32, data: Buffer.of(9, 9, 2, 0) }), samples: [2] },
    { name: 'float 32', file: rawWav({ code: 3, bits: 32, data: float32 }), samples: [16_384, -32_768, 32_767, 0] },
    { name: 'float 64', file: rawWav({ code: 3, bits: 64, data: float64 }), samples: [-8192] },
    { name: 'mu-law', file: rawWav({ code: 7, bits: 8, data: Buffer.of(0xff, 0x00) }), samples: [0, -32_124] },
    { name: 'A-law', file: rawWav({ code: 6, bits: 8, data: Buffer.of(0xd5, 0x2a) }), samples: [8, -32_256] },
    { name: 'extensible', file: rawWav({ code: 1, bits: 16, extensible: true, data: Buffer.of(5, 0) }), samples: [5] },
    {
      name: 'size 0 of a stream',
      file: rawWav({ code: 1, bits: 16, data: Buffer.of(5, 0, 6, 0), size: 0 }),
      samples: [5, 6],
    },
    {
      name: 'size 4 GB of a stream',
      file: rawWav({ code: 1, bits: 16, data: Buffer.of(5, 0), size: 0xffffffff }),
      samples: [5],
    },
    {
      name: 'cut in the middle of a sample',
      file: rawWav({ code: 1, bits: 16, data: Buffer.of(5, 0, 6), size: 4 }).subarray(0, -1),
      samples: [5],
    },
    {
      name: 'no channels',
      file: rawWav({ code: 1, bits: 16, channels: 0, data: Buffer.of(5, 0) }),
      samples: 'bad-format',
    },
    {
      name: 'too many channels',
      file: rawWav({ code: 1, bits: 16, channels: 65_535, data: Buffer.of(5, 0) }),
      samples: 'bad-format',
    },
    {
      name: 'rate of 4 GHz',
      file: rawWav({ code: 1, bits: 16, rate: 0xffffffff, data: Buffer.of(5, 0) }),
      samples: 'bad-format',
    },
    {
      name: 'unknown codec',
      file: rawWav({ code: 0x55, bits: 16, data: Buffer.of(5, 0) }),
      samples: 'unsupported-encoding',
    },
    { name: 'no audio', file: rawWav({ code: 1, bits: 16, data: Buffer.alloc(0) }), samples: 'no-data' },
    { name: 'not a wav', file: Buffer.from('ID3 this is something else'), samples: 'not-wav' },
    { name: 'header only', file: Buffer.from('RIFF....WAVE'), samples: 'no-format' },
  ])('$name', ({ file, samples }) => {
    const read = firstChannel(file);
    expect(Array.isArray(read) ? read.map((sample) => sample + 0) : read).toEqual(samples);
  });

  it('refuses more samples than allowed before converting them', () => {
    expect(readWav(rawWav({ code: 1, bits: 16, data: Buffer.alloc(200) }), 99)).toBe('too-long');
  });

  it('never throws on bytes, whole or damaged', () => {
    const good = rawWav({ code: 1, bits: 16, channels: 2, data: Buffer.alloc(64, 3) });
    fc.assert(
      fc.property(
        fc.nat(good.length),
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 8 }),
        (cut, edits) => {
          const file = Buffer.from(good);
          for (const [at, value] of edits) file[at] = value;
          const audio = readWav(file.subarray(0, cut));
          if (typeof audio !== 'string') expect(audio.channels.every((c) => c.length <= 64)).toBe(true);
        },
      ),
      { numRuns: runs(500) },
    );
  });
});

describe('wavHeader', () => {
  it('is read back by readWav, mono and stereo', () => {
    const file = wavFile({ channels: 2, sampleRateHz: 8000 }, Int16Array.of(100, 300, -5, -7));
    const audio = readWav(file);
    if (typeof audio === 'string') throw new Error(audio);
    expect(audio.channels.map((c) => [...c])).toEqual([
      [100, -5],
      [300, -7],
    ]);
    expect([...mixDown(audio)]).toEqual([200, -6]);
    expect(audio.durationMs).toBe(0.25);
  });

  it('starts with unknown sizes and takes the true ones later', () => {
    const header = wavHeader({ channels: 1, sampleRateHz: 8000, encoding: 'mulaw' });
    expect(header.length).toBe(WAV_HEADER_BYTES);
    expect(header.readUInt32LE(40)).toBe(0xffff_ffff);
    patchWavSizes(header, 1000);
    expect([header.readUInt32LE(4), header.readUInt32LE(40)]).toEqual([1036, 1000]);
    expect([header.readUInt16LE(20), header.readUInt32LE(28), header.readUInt16LE(32)]).toEqual([7, 8000, 1]);
  });
});

describe('beside wavefile, an implementation of its own', () => {
  const samples = Int16Array.from({ length: 400 }, (_, i) => Math.round(12_000 * Math.sin(i / 7)));

  it.each(['8', '16', '24', '32', '32f', '64'])('reads %s bits as it wrote them', (depth) => {
    const file = new WaveFile();
    file.fromScratch(2, 16_000, '16', [samples, samples.map((sample) => -sample)]);
    if (depth !== '16') file.toBitDepth(depth);
    const audio = readWav(Buffer.from(file.toBuffer()));
    if (typeof audio === 'string') throw new Error(audio);
    expect([audio.sampleRateHz, audio.channels.length]).toEqual([16_000, 2]);
    const furthest = Math.max(...samples.map((sample, i) => Math.abs(sample - audio.channels[0]![i]!)));
    expect(furthest).toBeLessThanOrEqual(depth === '8' ? 384 : 1);
    expect(Math.sign(audio.channels[1]![10]!)).toBe(-Math.sign(samples[10]!));
  });

  it('is read by it, mono and stereo', () => {
    for (const channels of [1, 2]) {
      const file = new WaveFile(wavFile({ channels, sampleRateHz: 8_000 }, samples));
      expect(file.fmt).toMatchObject({ numChannels: channels, sampleRate: 8_000, bitsPerSample: 16 });
      const whole = file.getSamples(true, Int16Array) as unknown as Int16Array;
      expect([...whole]).toEqual([...samples]);
    }
  });
});
