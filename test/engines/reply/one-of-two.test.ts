import { describe, expect, it } from 'vitest';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { initialState } from '../../../src/engines/reply/dialogue-state.ts';
import type { TurnOutcome, TurnSetting } from '../../../src/engines/reply/turn-draft.ts';
import { agentFromConfig, compiledAgents, openRecords } from '../../support/reply-agents.ts';

/** A Sunday. */
const SETTING: TurnSetting = { today: { year: 2026, month: 11, day: 22 }, mode: 'voice', variables: {}, trusted: true };
const AGENT = compiledAgents.get(openRecords(agentFromConfig('delivery-en')));

function outcomeOf(said: readonly string[]): TurnOutcome {
  const start = takeTurn(AGENT, initialState(AGENT.language), said[0]!, SETTING);
  return said.slice(1).reduce((outcome, text) => takeTurn(AGENT, outcome.state, text, SETTING), start);
}
const ASKED = ['my package is damaged', '4521'];
const MONEY = [...ASKED, 'the money back', '0501234987'];
const ANEW = [...ASKED, 'a new one', '0501234987'];

describe('a new one or the money: what is chosen', () => {
  it.each<{ name: string; said: readonly string[]; chosen: 'yes' | 'no' | undefined }>([
    { name: 'the thing itself for the one', said: [...ASKED, 'bring me a new lamp'], chosen: 'yes' },
    { name: 'what is taken back in the same breath', said: [...ASKED, 'a refund no send a new pair'], chosen: 'yes' },
    {
      name: 'one of two by refusing the other',
      said: [...ASKED, 'no not another lamp the money please'],
      chosen: 'no',
    },
    { name: 'nothing by telling first', said: [...ASKED, 'tell me first how long a refund takes'], chosen: undefined },
    { name: 'the other at the read-back', said: [...MONEY, 'no not the money send me new books'], chosen: 'yes' },
    { name: 'what is liked better', said: [...MONEY, "no I'd rather have new ones than the money"], chosen: 'yes' },
    {
      name: 'the other one of both named',
      said: [...ANEW, 'actually no forget the new ones my money back'],
      chosen: 'no',
    },
    { name: 'nothing, where a new thing broke', said: ['my new lamp arrived broken', '4521'], chosen: undefined },
    { name: 'what is wished for at once', said: ['the box is broken send me a new case', '4521'], chosen: 'yes' },
  ])('$name', ({ said, chosen }) => {
    const { state } = outcomeOf(said);
    expect(state.flow).toBe('damaged');
    expect(state.slots['replace']?.value).toBe(chosen);
  });
});

describe('an undertaking that is denied by its own verb at the read-back', () => {
  it('is left, whatever was said before', () => {
    const { state, done } = outcomeOf(['cancel my order', '4521', "that is the order but don't cancel it I'll wait"]);
    expect(state.flow).toBeUndefined();
    expect(done).toEqual([]);
  });
});

describe('what an undertaking offers, beside words that mean it', () => {
  it.each<{ said: string; meant: string | undefined }>([
    { said: 'this kettle leaks all over the counter i want my money back', meant: 'intent:damaged' },
    { said: 'i want my money back', meant: 'knowledge:4' },
    { said: 'when do i see my money back for the broken lamp', meant: 'knowledge:4' },
  ])('$said', ({ said, meant }) => {
    expect(outcomeOf([said]).meant[0]).toBe(meant);
  });

  it.each([
    'i only want it on record that your van blocked my garage',
    'he was late again and i want that written down',
  ])('is a complaint: %s', (said) => {
    expect(outcomeOf([said]).meant[0]).toBe('trouble:complaint');
  });
});

describe('two wishes in one breath', () => {
  it.each([
    { said: 'the pages are wet and torn and call me on 0551234567', meant: ['intent:damaged'] },
    { said: 'the driver came and nobody was home can he come again', meant: ['intent:redeliver'] },
    { said: 'where are you and i want to change my address', meant: ['knowledge:7', 'intent:change-address'] },
    { said: 'do you deliver to dammam and i want to cancel my order', meant: ['knowledge:6', 'intent:cancel'] },
  ])('are one where the other is told and asks nothing: $said', ({ said, meant }) => {
    expect(outcomeOf([said]).meant).toEqual(meant);
  });
});

describe('a part of the number that is asked for', () => {
  it('is kept, whatever the words beside it are like', () => {
    const { state } = outcomeOf(['my lamp came broken', 'it is seven seven wait where are my glasses', 'eight eight']);
    expect(state.flow).toBe('damaged');
    expect(state.slots['order']?.value).toBe('7788');
  });
});
