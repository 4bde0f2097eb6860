import { describe, expect, it } from 'vitest';
import { heardFrom } from '../../../src/engines/providers/sherpa/heard-text.ts';
import type { NativeResult } from '../../../src/engines/providers/sherpa/native.ts';

const heard = (result: Partial<NativeResult>, stretchMs = 2_000) =>
  heardFrom(() => ({ text: '', ...result }), stretchMs);

describe('what a model says of a stretch', () => {
  it.each([
    {
      name: 'pieces of words with their times',
      result: { text: ' where is it', tokens: ['▁wh', 'ere', ' is', ' it'], timestamps: [0.1, 0.3, 0.5, 9] },
      words: [
        { text: 'where', startMs: 100, endMs: 500 },
        { text: 'is', startMs: 500, endMs: 2_000 },
        { text: 'it', startMs: 2_000, endMs: 2_000 },
      ],
    },
    {
      name: 'Arabic, and times that go back',
      result: { text: 'وين طلبي', tokens: [' وين', ' طل', 'بي'], timestamps: [0.5, 0.2, 0.9] },
      words: [
        { text: 'وين', startMs: 500, endMs: 500 },
        { text: 'طلبي', startMs: 500, endMs: 2_000 },
      ],
    },
    { name: 'no times', result: { text: 'yes', tokens: [' yes'], timestamps: [] }, words: undefined },
    {
      name: 'bytes for letters',
      result: { text: 'é', tokens: ['<0xC3>', '<0xA9>'], timestamps: [0, 0] },
      words: undefined,
    },
  ])('has words where they can be placed: $name', ({ result, words }) => {
    expect(heard(result).words).toEqual(words);
  });

  it('is as sure as its tokens, and says its language', () => {
    expect(heard({ text: 'a b', ys_probs: [Math.log(0.5), Math.log(0.7)] }).confidence).toBeCloseTo(0.6, 5);
    expect(heard({ text: 'a', ys_log_probs: [Number.NaN, 3] }).confidence).toBe(1);
    expect(heard({ text: 'a' }).confidence).toBe(0.8);
    expect(['ar', '<|ar|>', 'arabic', ''].map((lang) => heard({ text: 'a', lang }).language)).toEqual([
      ...['ar', 'ar', undefined, undefined],
    ]);
    expect(heard({ text: ' \n ', ys_probs: [-1], lang: 'ar' })).toEqual({ text: '', confidence: 0 });
  });

  it('is not quoted in an error', () => {
    const broken = (): NativeResult => JSON.parse('{"text": "my secret is\n"}') as NativeResult;
    expect(() => heardFrom(broken, 1_000)).toThrow(/^the library gave an answer that is no JSON$/);
  });
});
