import { describe, expect, it } from 'vitest';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { initialState } from '../../../src/engines/reply/dialogue-state.ts';
import type { TurnOutcome, TurnSetting } from '../../../src/engines/reply/turn-draft.ts';
import { agentFromConfig, compiledAgents, openRecords } from '../../support/reply-agents.ts';

/** A Sunday. */
const SETTING: TurnSetting = { today: { year: 2026, month: 11, day: 22 }, mode: 'voice', variables: {}, trusted: true };
const AGENTS = {
  delivery: compiledAgents.get(agentFromConfig('delivery-en')),
  clinic: compiledAgents.get(openRecords(agentFromConfig('clinic-ar'))),
};

function outcomeOf(name: keyof typeof AGENTS, said: readonly string[]): TurnOutcome {
  const agent = AGENTS[name];
  const start = takeTurn(agent, initialState(agent.language), said[0]!, SETTING);
  return said.slice(1).reduce((outcome, text) => takeTurn(agent, outcome.state, text, SETTING), start);
}
const saidIn = ({ lines }: TurnOutcome): string => lines.map(({ text }) => text).join(' ');

describe('an answer and a question in one breath', () => {
  it('are both taken where a name is asked for, the question first', () => {
    const outcome = outcomeOf('delivery', [
      'i want a new delivery day',
      '4521',
      'sami haddad and where is your pick up point by the way',
    ]);
    expect(saidIn(outcome)).toMatch(/King .*Road.*Which day suits you\?$/);
  });

  it('are both taken behind a word that belongs to the question', () => {
    const said = ['i want a new delivery day', '4521', 'sami haddad and um until what time are you open'];
    expect(saidIn(outcomeOf('delivery', said))).toMatch(/eight in the morning.*Which day suits you\?$/);
  });

  it('are both taken where the number is half', () => {
    const outcome = outcomeOf('delivery', ['i want to cancel my order', 'four five and how long does a refund take']);
    expect(saidIn(outcome)).toMatch(/five working days.* 4 5, and then\?$/);
    expect(
      saidIn(
        outcomeOf('delivery', ['i want to cancel my order', 'four five and how long does a refund take', 'two two']),
      ),
    ).toContain('name');
  });

  it('are a question alone where nothing is set apart from it', () => {
    const outcome = outcomeOf('clinic', ['ابي تنظيف بكرة الساعة ثلاث العصر', 'انتو وين مكانكم']);
    expect(outcome.state.slots.patient).toBeUndefined();
    expect(outcome.meant).toContain('knowledge:1');
  });

  it('choose neither of two things that the question names', () => {
    const outcome = outcomeOf('delivery', ['my package is damaged', '4521', 'that depends when would the refund come']);
    expect(outcome.state.slots.replace).toBeUndefined();
    expect(saidIn(outcome)).toMatch(/five working days.*new one\?$/);
  });
});
