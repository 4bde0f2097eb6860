import { describe, expect, it } from 'vitest';
import {
  countCharacters,
  liveCents,
  DEFAULT_PRICES as PRICES,
  replyCents,
  speechCents,
  startedMinutes,
  transcribeCents,
  turnCents,
} from '../../src/billing/prices.ts';

describe('prices', () => {
  it.each([
    { name: 'nothing', ms: 0, minutes: 0 },
    { name: 'negative', ms: -5, minutes: 0 },
    { name: 'not a number', ms: Number.NaN, minutes: 0 },
    { name: 'a millisecond', ms: 1, minutes: 1 },
    { name: 'a whole minute', ms: 60_000, minutes: 1 },
    { name: 'one more', ms: 60_001, minutes: 2 },
  ])('started minutes: $name', ({ ms, minutes }) => {
    expect(startedMinutes(ms)).toBe(minutes);
    expect(liveCents(PRICES, ms)).toBe(minutes * 3);
  });

  it.each([
    { name: 'empty', model: 'sada-1', characters: 0, cents: 0 },
    { name: 'at least a cent', model: 'sada-1', characters: 1, cents: 1 },
    { name: 'up to 200 are a cent', model: 'sada-1', characters: 200, cents: 1 },
    { name: 'rounded up', model: 'sada-1', characters: 201, cents: 2 },
    { name: 'a thousand', model: 'sada-1', characters: 1_000, cents: 5 },
    { name: 'the dearer model', model: 'nabra-1', characters: 1_001, cents: 11 },
    { name: 'an unknown model costs as the dearest', model: 'x', characters: 1_000, cents: 10 },
  ])('speech: $name', ({ model, characters, cents }) => {
    expect(speechCents(PRICES, model, characters)).toBe(cents);
  });

  it.each([
    { name: 'a seven-second clip', seconds: 7, cents: 3 },
    { name: 'an empty clip is a clip', seconds: 0, cents: 3 },
    { name: 'sixty seconds', seconds: 60, cents: 3 },
    { name: 'just over', seconds: 60.01, cents: 6 },
  ])('transcribe: $name', ({ seconds, cents }) => {
    expect(transcribeCents(PRICES, seconds)).toBe(cents);
  });

  it.each([
    { name: 'text only', speech: undefined, cents: 2 },
    { name: 'spoken', speech: { model: 'sada-1', characters: 150 }, cents: 3 },
    { name: 'long, dear', speech: { model: 'nabra-1', characters: 5_000 }, cents: 52 },
  ])('reply: $name', ({ speech, cents }) => {
    expect(replyCents(PRICES, speech)).toBe(cents);
  });

  it.each([
    { name: 'a caller turn', charge: undefined, cents: 0 },
    {
      name: 'a greeting is speech without a reply',
      charge: { reply: false, characters: 60, model: 'sada-1' },
      cents: 1,
    },
    { name: 'a reply cut before its first sound', charge: { reply: true, characters: 0, model: 'sada-1' }, cents: 2 },
    { name: 'a reply', charge: { reply: true, characters: 400, model: 'sada-1' }, cents: 4 },
  ])('turn of a call: $name', ({ charge, cents }) => {
    expect(turnCents(PRICES, charge)).toBe(cents);
  });

  it.each([
    { text: '', count: 0 },
    { text: 'abc', count: 3 },
    { text: '😀😀', count: 2 },
    { text: 'مَرْحَبًا', count: 9 },
    { text: '\ud800', count: 1 },
  ])('characters of $text', ({ text, count }) => {
    expect(countCharacters(text)).toBe(count);
  });
});
