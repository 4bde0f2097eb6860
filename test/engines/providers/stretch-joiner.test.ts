import { describe, expect, it } from 'vitest';
import { type HeardPiece, StretchJoiner } from '../../../src/engines/providers/stretch-joiner.ts';

const piece = (text: string, startMs: number, endMs: number, change: Partial<HeardPiece> = {}): HeardPiece => ({
  ...{ text, startMs, endMs, confidence: 0.9, words: [{ text, startMs, endMs }] },
  ...change,
});
const texts = (joiner: StretchJoiner): string[] => joiner.answered().map(({ text }) => text);

describe('StretchJoiner', () => {
  it('says the pieces of a stretch as one: as sure as the least sure, with all words, in the first language told', () => {
    const joiner = new StretchJoiner();
    joiner.add(piece('أبغى ', 0, 900, { language: 'ar' }));
    expect(joiner.soFar(' موعد')).toBe('أبغى موعد');
    joiner.add(piece(' موعد', 900, 2_000, { confidence: 0.4 }));
    joiner.ask({ fromMs: 0, toMs: 2_000 });
    expect(joiner.answered()).toMatchObject([
      {
        text: 'أبغى موعد',
        confidence: 0.4,
        language: 'ar',
        fromMs: 0,
        toMs: 2_000,
        words: [{ startMs: 0 }, { startMs: 900 }],
      },
    ]);
    expect(joiner.waiting).toBe(0);
  });

  it('says nothing of a stretch without words', () => {
    const joiner = new StretchJoiner();
    joiner.ask({ fromMs: 0, toMs: 1_000 });
    joiner.add(piece('', 0, 1_000));
    expect(joiner.answered()).toMatchObject([{ text: '', confidence: 0, words: [] }]);
  });

  it('passes over what comes twice or too late, and hears what follows', () => {
    const joiner = new StretchJoiner();
    joiner.ask({ fromMs: 0, toMs: 1_000 });
    joiner.add(piece('yes', 0, 1_000));
    expect(texts(joiner)).toEqual(['yes']);
    joiner.add(piece('yes', 0, 1_000));
    joiner.ask({ fromMs: 1_000, toMs: 1_500 });
    joiner.add(piece('no', 1_000, 1_500));
    expect(texts(joiner)).toEqual(['no']);
  });

  it('answers as many flushes as the service has settled, each with its own words', () => {
    const joiner = new StretchJoiner();
    joiner.ask({ fromMs: 0, toMs: 1_000 });
    joiner.ask({ fromMs: 1_000, toMs: 2_000 });
    joiner.ask({ fromMs: 2_000, toMs: 3_000 });
    joiner.add(piece('one', 0, 980));
    joiner.add(piece('two', 1_000, 1_995));
    expect(texts(joiner)).toEqual(['one', 'two']);
    expect(joiner.waiting).toBe(1);
    joiner.add(piece('three', 2_000, 3_000));
    expect(texts(joiner)).toEqual(['three']);
  });
});
