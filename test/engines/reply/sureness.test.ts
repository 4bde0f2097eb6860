import { describe, expect, it } from 'vitest';
import { certainly, type Guess } from '../../../src/engines/reply/compiled-agent.ts';
import { evidenceOf, surenessOf } from '../../../src/engines/reply/sureness.ts';
import { decide } from '../../../src/engines/reply/understanding.ts';

const wish = (name: string, of: Partial<Guess>): Guess => ({
  ...certainly(`intent:${name}`, { kind: 'intent', intent: { name, examples: {} } }),
  ...of,
});
const FIRST = wish('track', { score: 0.55, other: 0.1, whole: 0.6, cover: 0.7, asks: true });
const DOUBTFUL = wish('track', { score: 0.32, other: 0.3, whole: 0.2, cover: 0.3, strange: 1 });
const SECOND = wish('cancel', { score: 0.3, cover: 0.4 });

describe('how sure a guess is', () => {
  it.each<{ name: string; first?: Partial<Guess>; second?: Partial<Guess> }>([
    { name: 'it is less near', first: { score: 0.5 } },
    { name: 'the next one is nearer', second: { score: 0.4 } },
    { name: 'the whole sentence reads like something else', first: { whole: 0.1 } },
    { name: 'it is like talk for nobody', first: { other: 0.6 } },
    { name: 'its own examples hold less of it', first: { cover: 0.5 } },
    { name: 'those of another hold more of it', second: { cover: 0.7 } },
    { name: 'a word stands in no example', first: { strange: 1 } },
    { name: 'only it or its example denies something', first: { denial: true } },
    { name: 'it asks nothing', first: { asks: false } },
  ])('is less where $name', ({ first = {}, second = {} }) => {
    expect(
      surenessOf([
        { ...FIRST, ...first },
        { ...SECOND, ...second },
      ]),
    ).toBeLessThan(surenessOf([FIRST, SECOND]));
  });
  it('does not fall for a greeting because the question how one is is as near', () => {
    const hello: Guess = { ...FIRST, id: 'stock:hello', meaning: { kind: 'stock', name: 'hello' } };
    const howAreYou: Guess = { ...SECOND, id: 'stock:how-are-you', meaning: { kind: 'stock', name: 'how-are-you' } };
    expect(evidenceOf([hello, { ...howAreYou, score: 0.54 }]).lead).toBe(hello.score);
  });
  it('is none where nothing was guessed', () => expect(surenessOf([])).toBe(0));
  it.each([
    { name: 'one clear wish', guesses: [wish('track', { score: 0.9 }), SECOND], kind: 'take', options: 0 },
    { name: 'two that are as near', guesses: [FIRST, wish('cancel', { score: 0.53 })], kind: 'ask', options: 2 },
    {
      name: 'a doubtful one far from the next',
      guesses: [DOUBTFUL, wish('cancel', { score: 0.05, cover: 0.2 })],
      kind: 'ask',
      options: 1,
    },
    { name: 'what is near to nothing', guesses: [wish('track', { score: 0.21 })], kind: 'nothing', options: 0 },
  ])('$name: $kind', ({ guesses, kind, options }) => {
    const decision = decide(guesses, true);
    expect(decision.kind).toBe(kind);
    expect(decision.kind === 'ask' ? decision.options.length : 0).toBe(options);
  });
});
