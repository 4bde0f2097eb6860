import { rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDenseKernel } from '../../../../src/engines/reply/semantics/dense-kernel.ts';
import { EncoderThread } from '../../../../src/engines/reply/semantics/encoder-thread.ts';
import { LiteEncoder } from '../../../../src/engines/reply/semantics/lite-encoder.ts';
import { PieceTokenizer } from '../../../../src/engines/reply/semantics/piece-tokenizer.ts';
import { readWeightFiles } from '../../../../src/engines/reply/semantics/weight-files.ts';
import { writeTinySentenceModel } from '../../../support/tiny-sentence-model.ts';

const folder = writeTinySentenceModel();
afterAll(() => rmSync(folder, { recursive: true }));

describe('the dense kernel', () => {
  it.each([
    { rows: 4, inputs: 4, cols: 2 },
    { rows: 8, inputs: 12, cols: 6 },
    { rows: 12, inputs: 8, cols: 130 },
  ])('multiplies $rows x $inputs by $cols', ({ rows, inputs, cols }) => {
    const kernel = createDenseKernel(4 * (rows * inputs + cols * inputs + rows * cols));
    const numbers = new Float32Array(kernel.memory);
    const w = rows * inputs;
    const out = w + cols * inputs;
    for (let i = 0; i < out; i += 1) numbers[i] = ((i * 37) % 23) - 11;
    kernel.multiply(0, w * 4, out * 4, rows, inputs * 4, cols);
    for (let r = 0; r < rows; r += 1)
      for (let c = 0; c < cols; c += 1) {
        let sum = 0;
        for (let i = 0; i < inputs; i += 1) sum += numbers[r * inputs + i]! * numbers[w + c * inputs + i]!;
        expect(numbers[out + r * cols + c]).toBe(sum); // whole numbers: exact
      }
  });
});

describe('the piece tokenizer', () => {
  const reserved = ['u', '1', '2', '3', '4', '5'].map((piece) => [piece, 0] as const);
  const tokenizer = new PieceTokenizer([
    ...reserved,
    ['▁to', -2],
    ['▁t', -4],
    ['o', -3],
    ['day', -3],
    ['▁today', -4],
    ['d', -5],
  ]);
  it.each([
    { text: '', pieces: [] },
    { text: '  ', pieces: [] },
    { text: 'to', pieces: [6] },
    { text: 'today', pieces: [10] }, // -4 before -2 and -3
    { text: 'to  day', pieces: [6, 0, 9] }, // a space that no piece begins with is unknown
    { text: 'toدد', pieces: [6, 0] }, // unknown letters side by side are one
    { text: 'ｔｏ', pieces: [6] }, // compatibility forms are the letters they stand for
  ])('cuts "$text"', ({ text, pieces }) => {
    expect(tokenizer.encode(text, 10)).toEqual(pieces);
  });
  it('stops at the limit', () => {
    expect(tokenizer.encode('to to to to', 2)).toEqual([6, 6]);
  });
});

describe('the encoder', () => {
  const encoder = new LiteEncoder(readWeightFiles(folder));
  const rounded = (vector: Float32Array): number[] => [...vector].map((x) => Number(x.toFixed(4)));
  it('makes vectors of length one, the same ones each time', () => {
    const first = encoder.encode('ab c');
    expect(first.length).toBe(encoder.size);
    expect(first.reduce((sum, x) => sum + x * x, 0)).toBeCloseTo(1, 5);
    encoder.encode('a b c a b c a b c'); // leaves its numbers in the scratch memory
    expect(encoder.encode('ab c')).toEqual(first);
  });
  // From the formulas as they stand; the same code gives the published model's own vectors to seven digits.
  it('computes what the formulas say', () => {
    expect(rounded(encoder.encode('ab c')).slice(0, 5)).toEqual([0.4068, 0.5472, -0.3002, -0.1937, -0.3501]);
  });
  it('hears in which order the pieces come', () => {
    expect(rounded(encoder.encode('a c'))).not.toEqual(rounded(encoder.encode('c a')));
  });
  it('knows nothing of an empty text', () => {
    expect([...encoder.encode(' ')].every((x) => x === 0)).toBe(true);
  });
});

describe('the files of a model', () => {
  it('that is not there', () => {
    expect(() => readWeightFiles(join(folder, 'nowhere'))).toThrow('cannot read model.json');
  });
  it('that was cut', () => {
    const broken = writeTinySentenceModel();
    truncateSync(join(broken, 'w2'), 8);
    expect(() => readWeightFiles(broken)).toThrow('shorter than their list');
    rmSync(broken, { recursive: true });
  });
});

describe('the thread of the encoder', () => {
  it('answers in the order of the texts, and refuses once it is closed', async () => {
    const thread = new EncoderThread(folder);
    const here = new LiteEncoder(readWeightFiles(folder));
    const [first, second] = await thread.encode(['ab', 'c']);
    expect(first).toEqual(here.encode('ab'));
    expect(second).toEqual(here.encode('c'));
    const late = expect(thread.encode(['a'])).rejects.toThrow('closed');
    await thread.close();
    await late;
    await expect(thread.encode(['a'])).rejects.toThrow('closed');
  });
  it('that cannot start fails each request, and is not started for ever', async () => {
    const thread = new EncoderThread(join(folder, 'nowhere'));
    for (let request = 0; request < 3; request += 1) await expect(thread.encode(['a'])).rejects.toThrow('model.json');
    await expect(thread.encode(['a'])).rejects.toThrow('does not stay up');
    await thread.close();
  });
});
