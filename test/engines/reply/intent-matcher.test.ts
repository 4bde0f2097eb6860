import { describe, expect, it } from 'vitest';
import { compileAgent } from '../../../src/engines/reply/compiled-agent.ts';
import { ACCEPT, openGuesses } from '../../../src/engines/reply/dialogue.ts';
import { wordsOf } from '../../../src/engines/reply/fold.ts';
import { IntentMatcher } from '../../../src/engines/reply/intent-matcher.ts';
import { agentFromConfig } from '../../support/reply-agents.ts';
import { CLINIC_OUT_OF_DOMAIN_ROWS, CLINIC_ROWS } from './matcher-rows-ar.ts';
import { DELIVERY_ROWS, OUT_OF_DOMAIN_ROWS } from './matcher-rows-en.ts';

const delivery = compileAgent(agentFromConfig('delivery-en').definition);
const clinic = compileAgent(agentFromConfig('clinic-ar').definition);

function top(agent: typeof delivery, text: string): { id: string; score: number; shown: string } {
  const guesses = openGuesses(agent.guess(wordsOf(text).map((word) => word.text)));
  const shown = guesses
    .slice(0, 3)
    .map(({ id, score }) => `${id} ${score.toFixed(2)}`)
    .join(', ');
  return { id: guesses[0]?.id ?? '', score: guesses[0]?.score ?? 0, shown };
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
  it.each(rows)('[%s] %s -> %s', (_kind, text, expected) => {
    const { id, score, shown } = top(agent, text);
    expect(question(agent, id), shown).toBe(expected);
    expect(score, shown).toBeGreaterThanOrEqual(ACCEPT);
  });
});

describe.each([
  ['delivery-en', delivery, OUT_OF_DOMAIN_ROWS],
  ['clinic-ar', clinic, CLINIC_OUT_OF_DOMAIN_ROWS],
] as const)('%s does not take', (_, agent, rows) => {
  it.each(rows)('%s', (text) => {
    const { score, shown } = top(agent, text);
    expect(score, shown).toBeLessThan(ACCEPT);
  });
});

describe('IntentMatcher', () => {
  const matcher = new IntentMatcher([
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
  it('is deterministic', () => {
    expect(matcher.rank(['ordr', 'trak'])).toEqual(matcher.rank(['ordr', 'trak']));
  });
  it.each([[[]], [['']], [['uh', 'um']], [['7', '8']]])('finds nothing in %j', (words) => {
    expect(matcher.rank(words)).toEqual([]);
  });
  it('without examples finds nothing', () => {
    expect(new IntentMatcher([]).rank(['order'])).toEqual([]);
  });
});
