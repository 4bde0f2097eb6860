import { describe, expect, it } from 'vitest';
import { STOCK_INTENTS } from '../../../src/engines/reply/stock-intents.ts';
import { decide, openGuesses } from '../../../src/engines/reply/understanding.ts';
import { wordsOf } from '../../../src/language/words.ts';
import { expectEveryRow } from '../../support/labelled-rows.ts';
import { agentFromConfig, compiledAgents } from '../../support/reply-agents.ts';

/** Where nothing is pending there is nothing to leave, and a person is a wish of the agent's own. */
const OTHERWISE = new Set(['cancel', 'human']);
const SENTENCES = Object.entries(STOCK_INTENTS)
  .filter(([name]) => !OTHERWISE.has(name))
  .flatMap(([name, { ar = [], en = [] }]) => [...ar, ...en].map((text) => ({ id: `stock:${name}`, text })));

describe.each(['delivery-en', 'clinic-ar'] as const)('%s', (name) => {
  const agent = compiledAgents.get(agentFromConfig(name));

  it('takes thanks, greetings and the like for what they are, and undertakes nothing by them', () => {
    expect(SENTENCES.length).toBeGreaterThan(200);
    expectEveryRow(
      SENTENCES,
      ({ id, text }) => `${id} ${text}`,
      ({ id, text }) => {
        const guesses = openGuesses(
          agent.guess(
            wordsOf(text).map((word) => word.text),
            'stock:cancel',
          ),
        );
        expect(decide(guesses, true)).toMatchObject({ kind: 'take', guess: { id } });
      },
    );
  });
});
