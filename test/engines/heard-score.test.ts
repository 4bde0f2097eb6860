import { describe, expect, it } from 'vitest';
import { DOUBTED_SCORE, heardScore, isBetter, learnWords, mayBeName } from '../../src/engines/heard-score.ts';
import type { SttHints } from '../../src/engines/stt/contract.ts';

const HINTS: SttHints = {
  ...{ phrases: ['opening hours', 'متى تفتحون'], expect: [] },
  sentences: ['where is my order', 'what are your opening hours', 'متى تفتحون'],
};
const score = (text: string, confidence: number, language: 'ar' | 'en'): number =>
  heardScore({ text, confidence }, language, HINTS);

describe('how likely words are what was said', () => {
  it.each([
    { text: 'what are your opening hours', language: 'en', confidence: 0.9 },
    { text: 'متى تفتحون', language: 'ar', confidence: 0.9 },
    { text: '4 5 2 1', language: 'en', confidence: 0.5 },
    { text: 'okay', language: 'en', confidence: 0.6 },
  ] as const)('$text: as sure as the recogniser', ({ text, language, confidence }) => {
    expect(score(text, confidence, language)).toBeCloseTo(confidence);
  });

  it.each([
    { name: 'English in Arabic letters', text: 'وات ار يور اوبنينغ اورز', language: 'ar', confidence: 0.9 },
    { name: 'Arabic in English letters', text: 'mata yeft al mass bahil yome', language: 'en', confidence: 0.9 },
    {
      name: 'everyday words that nobody says to the agent, half sure',
      text: 'come sir all good',
      language: 'en',
      confidence: 0.5,
    },
    { name: 'letters of the other language', text: 'متى تفتحون', language: 'en', confidence: 1 },
    { name: 'nothing', text: '', language: 'en', confidence: 1 },
  ] as const)('$name: doubted', ({ text, language, confidence }) => {
    expect(score(text, confidence, language)).toBeLessThan(DOUBTED_SCORE);
  });

  it('everyday words said surely are taken', () => {
    expect(score('please tell me about the price today', 0.9, 'en')).toBeGreaterThan(DOUBTED_SCORE);
  });

  it('who is not expected has to be better by a quarter', () => {
    expect([isBetter(0.5, 0.45), isBetter(0.6, 0.45), isBetter(0.1, 0)]).toEqual([false, true, true]);
  });

  it('an agent of thousands of sentences is learnt in parts, the first ones at once', () => {
    const sentences = Array.from({ length: 1_000 }, (_, n) => `blorp${String.fromCharCode(97 + (n % 26))}${n} wozzle`);
    const asked: SttHints = { phrases: [], expect: [], sentences };
    const known = (n: number): boolean => heardScore({ text: sentences[n]!, confidence: 1 }, 'en', asked) === 1;
    expect([known(0), known(999)]).toEqual([true, false]);
    learnWords(asked);
    learnWords(asked);
    expect(known(999)).toBe(true);
  });

  it('a name that was asked for is in no list', () => {
    const asked: SttHints = { ...HINTS, expect: ['name'] };
    expect([mayBeName('ahmed ali', asked), mayBeName('ahmed ali', HINTS)]).toEqual([true, false]);
    expect(mayBeName('well my good name is ahmed ali', asked)).toBe(false);
  });
});
