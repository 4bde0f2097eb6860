import { describe, expect, it } from 'vitest';
import { believed, triedAgainBelow } from '../../../src/engines/stt/second-try.ts';

const ANYTHING = { phrases: ['track my order'], expect: ['free', 'digits'] as const };
const DIGITS = { phrases: [], expect: ['digits'] as const };
const YES_OR_NO = { phrases: [], expect: ['yesno', 'digits'] as const };

describe('a second try', () => {
  it.each([
    { what: 'a phrase found in any sentence must be certain', hints: ANYTHING, sentences: true, below: 0.8 },
    { what: 'any English is no better than any phrase', hints: ANYTHING, sentences: false, below: 0 },
    { what: 'an answer was asked for it may be less so', hints: DIGITS, sentences: true, below: 0.75 },
    { what: 'an answer was asked for there is none by any English', hints: DIGITS, sentences: false, below: undefined },
    { what: 'something is agreed to any yes or no counts', hints: YES_OR_NO, sentences: true, below: 0 },
  ])('where $what', ({ hints, sentences, below }) => {
    expect(triedAgainBelow(hints, sentences)).toBe(below);
  });

  it.each([
    { first: 'track my order', second: 'i want to cancel it', sure: 0.2, hints: ANYTHING, text: 'i want to cancel it' },
    { first: 'track my order', second: '', sure: 0, hints: ANYTHING, text: 'track my order' },
    { first: '', second: 'olaya', sure: 0.4, hints: ANYTHING, text: 'olaya' },
    { first: '', second: "i'm the", sure: 0.9, hints: DIGITS, text: '' },
    { first: '', second: 'sorry four five', sure: 0.9, hints: DIGITS, text: 'sorry four five' },
    { first: '', second: 'sorry four five', sure: 0.5, hints: DIGITS, text: '' },
    { first: '3452', second: 'before i decide tell me', sure: 0.9, hints: DIGITS, text: 'before i decide tell me' },
    { first: '3452', second: 'before i decide tell me', sure: 0.5, hints: DIGITS, text: '3452' },
    { first: '3090', second: 'the zero nine zero', sure: 0.9, hints: DIGITS, text: '3090' },
    { first: '', second: '', sure: 0, hints: DIGITS, text: '' },
  ])('believes "$text" of "$first" and "$second" ($sure)', ({ first, second, sure, hints, text }) => {
    const one = { text: first, confidence: first === '' ? 0 : 0.7 };
    const two = { text: second, confidence: sure };
    expect(believed(one, two, hints)).toEqual(text === first ? one : two);
  });

  it('where something is agreed to is never sure enough for a yes', () => {
    const said = { text: 'the weather is lovely today', confidence: 0.98 };
    expect(believed({ text: '', confidence: 0 }, said, YES_OR_NO)).toEqual({ ...said, confidence: 0.3 });
  });
});
