import { describe, expect, it } from 'vitest';
import {
  EAR_TRANSITIONS,
  type EarEvent,
  type EarPhase,
  type EarState,
  earEvent,
  nextEars,
} from '../../src/engines/ear-choice.ts';

const EVENTS: readonly EarEvent[] = [
  ...(['own', 'own-briefly', 'other', 'other-briefly', 'neither', 'own-wished', 'other-wished'] as const),
];
const state = (phase: EarPhase, turns = 0): EarState => ({ phase, language: 'ar', turns });

describe('who hears, after a turn', () => {
  it.each<[EarPhase, Partial<Record<EarEvent, string>>]>([
    [
      'first',
      { own: 'one ar', 'own-briefly': 'one ar', other: 'one en', 'other-briefly': 'one en', neither: 'first ar' },
    ],
    [
      'one',
      { own: 'one ar', 'own-briefly': 'one ar', other: 'doubted ar', 'other-briefly': 'one ar', neither: 'one ar' },
    ],
    [
      'doubted',
      {
        own: 'one ar',
        'own-briefly': 'doubted ar',
        other: 'one en',
        'other-briefly': 'doubted ar',
        neither: 'doubted ar',
      },
    ],
  ])('%s', (phase, wanted) => {
    const all = { ...wanted, 'own-wished': 'one ar', 'other-wished': 'one en' };
    const after = EVENTS.map((event) => {
      const { phase: next, language } = nextEars(state(phase), event);
      return [event, `${next} ${language}`];
    });
    expect(Object.fromEntries(after)).toEqual(all);
  });

  it.each(['first', 'doubted'] as const)('%s: two are not paid for ever when nothing tells the language', (phase) => {
    let ears = state(phase);
    const phases = Array.from({ length: 3 }, () => {
      ears = nextEars(ears, 'neither');
      return ears.phase;
    });
    expect(phases).toEqual([phase, phase, 'one']);
    expect(ears.language).toBe('ar');
  });

  it('a turn between two sentences of the other language does not count them as two in a row unless it is a sentence', () => {
    const take = (...events: EarEvent[]): EarState => events.reduce(nextEars, state('one'));
    expect(take('other', 'own', 'other')).toMatchObject({ phase: 'doubted', language: 'ar' });
    expect(take('other', 'neither', 'other')).toMatchObject({ phase: 'one', language: 'en' });
  });

  it('knows no state that leads nowhere', () => {
    for (const events of Object.values(EAR_TRANSITIONS)) expect(Object.keys(events).length).toBeGreaterThan(0);
  });
});

describe('what a turn is', () => {
  it.each([
    { said: { language: 'en', words: 3 }, event: 'other' },
    { said: { language: 'en', words: 2 }, event: 'other-briefly' },
    { said: { language: 'ar', words: 3 }, event: 'own' },
    { said: { language: 'ar', words: 1 }, event: 'own-briefly' },
    { said: undefined, event: 'neither' },
  ] as const)('$said: $event', ({ said, event }) => {
    expect(earEvent(state('one'), said)).toBe(event);
  });
});
