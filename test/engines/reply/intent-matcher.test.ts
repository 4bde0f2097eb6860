import { describe, expect, it } from 'vitest';
import { IntentMatcher } from '../../../src/engines/reply/intent-matcher.ts';
import { atOnce } from '../../../src/engines/reply/slow-work.ts';
import { decide, openGuesses } from '../../../src/engines/reply/understanding.ts';
import { wordsOf } from '../../../src/language/words.ts';
import { expectEveryRow, rowsBy } from '../../support/labelled-rows.ts';
import { agentFromConfig, compiledAgents } from '../../support/reply-agents.ts';
import { CLINIC_OUT_OF_DOMAIN_ROWS, CLINIC_ROWS } from './matcher-rows-ar.ts';
import { DELIVERY_ROWS, OUT_OF_DOMAIN_ROWS } from './matcher-rows-en.ts';

const delivery = compiledAgents.get(agentFromConfig('delivery-en'));
const clinic = compiledAgents.get(agentFromConfig('clinic-ar'));

function heard(agent: typeof delivery, text: string): { id: string; taken: boolean; shown: string } {
  const guesses = openGuesses(
    agent.guess(
      wordsOf(text).map((word) => word.text),
      'stock:cancel',
    ),
  );
  const decision = decide(guesses, true);
  const shown = guesses
    .slice(0, 3)
    .map(({ id, score }) => `${id} ${score.toFixed(2)}`)
    .join(', ');
  return { id: guesses[0]?.id ?? '', taken: decision.kind === 'take', shown: `${decision.kind}: ${shown}` };
}
function question(agent: typeof delivery, id: string): string {
  const meaning = agent.meaning(id);
  return meaning?.kind === 'knowledge'
    ? ((meaning.item.question.ar ?? meaning.item.question.en)?.[0] ?? '')
    : id.replace(/^\w+:/, '');
}

describe.each([
  ['delivery-en', delivery, DELIVERY_ROWS],
  ['clinic-ar', clinic, CLINIC_ROWS],
] as const)('%s understands', (_, agent, rows) => {
  it.each(rowsBy(rows, ([kind]) => kind))('$name', ({ rows: own }) => {
    expectEveryRow(
      own,
      ([, text, expected]) => `${text} -> ${expected}`,
      ([, text, expected]) => {
        const { id, taken, shown } = heard(agent, text);
        expect(question(agent, id), shown).toBe(expected);
        expect(taken, shown).toBe(true);
      },
    );
  });
});

describe.each([
  ['delivery-en', delivery, OUT_OF_DOMAIN_ROWS],
  ['clinic-ar', clinic, CLINIC_OUT_OF_DOMAIN_ROWS],
] as const)('%s does not take', (_, agent, rows) => {
  it('what is out of its domain', () => {
    expectEveryRow(
      rows,
      ([text]) => text,
      ([text]) => {
        const { taken, shown } = heard(agent, text);
        expect(taken, shown).toBe(false);
      },
    );
  });
});

describe('IntentMatcher', () => {
  const matcherOf = (...made: Parameters<typeof IntentMatcher.making>) => atOnce(IntentMatcher.making(...made));
  const matcher = matcherOf([
    { id: 'a', examples: ['track my order'] },
    { id: 'b', examples: ['cancel my order'] },
  ]);
  it('an example itself scores 1', () => {
    expect(matcher.rank(['track', 'my', 'order'])[0]).toMatchObject({ id: 'a', score: 1 });
  });
  it('a word of both classes leaves them close', () => {
    const [first, second] = matcher.rank(['order']);
    expect(Math.abs(first!.score - second!.score)).toBeLessThan(0.1);
  });
  it('what a window says of a long utterance, the whole of it need not say', () => {
    const story = 'my order of order number order cancel it cancel that cancel all track my order'.split(' ');
    const [plain] = matcher.rank(['track', 'my', 'order']);
    const tracked = matcher.rank(story).find(({ id }) => id === 'a')!;
    expect(tracked.score).toBeGreaterThan(0.5);
    expect(tracked.whole).toBeLessThan(plain!.whole / 1.2);
  });
  it('tells how much of an utterance the examples of a class hold, and what none holds', () => {
    const [first] = matcher.rank(['track', 'order']);
    expect(first).toMatchObject({ id: 'a', cover: 1, strange: 0 });
    expect(matcher.rank(['track', 'order']).find(({ id }) => id === 'b')!.cover).toBeLessThan(1);
    expect(matcher.rank(['track', 'zeppelins'])[0]).toMatchObject({ strange: 1 });
  });
  it('is deterministic', () => {
    expect(matcher.rank(['ordr', 'trak'])).toEqual(matcher.rank(['ordr', 'trak']));
  });
  it.each([[[]], [['']], [['uh', 'um']], [['7', '8']]])('finds nothing in %j', (words) => {
    expect(matcher.rank(words)).toEqual([]);
  });
  it('without examples finds nothing', () => {
    expect(matcherOf([]).rank(['order'])).toEqual([]);
  });
});
