import { describe, expect, it } from 'vitest';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { type DialogueState, initialState } from '../../../src/engines/reply/dialogue-state.ts';
import type { TurnOutcome, TurnSetting } from '../../../src/engines/reply/turn-draft.ts';
import { agentFromConfig, compiledAgents, openRecords } from '../../support/reply-agents.ts';

const SETTING: TurnSetting = { today: { year: 2026, month: 11, day: 22 }, mode: 'voice', variables: {}, trusted: true };
const delivery = compiledAgents.get(openRecords(agentFromConfig('delivery-en')));

/** The same sentences over and over, until something ends the call; at most `turns`. */
function overAndOver(said: readonly string[], turns: number): TurnOutcome[] {
  const outcomes: TurnOutcome[] = [];
  let state: DialogueState = initialState(delivery.language);
  for (let n = 0; n < turns && outcomes.at(-1)?.action === undefined; n += 1) {
    const outcome = takeTurn(delivery, state, said[n % said.length]!, SETTING);
    outcomes.push(outcome);
    state = outcome.state;
  }
  return outcomes;
}
const spoken = (outcomes: TurnOutcome[]): string =>
  outcomes.flatMap(({ lines }) => lines.map(({ text }) => text)).join(' ');

describe('a dialogue without progress', () => {
  it('is told what can be done when it comes back to where it was, and then gets a person', () => {
    const outcomes = overAndOver(['cancel my order', 'no leave it'], 12);
    expect(outcomes).toHaveLength(6);
    expect(spoken(outcomes).match(/I can help with/g)).toHaveLength(1);
    expect(outcomes.at(-1)!.action?.type).toBe('transfer');
  });

  it('is none where something is answered each time', () => {
    const outcomes = overAndOver(['do you take cash', 'where is your office', 'how big can a package be'], 12);
    expect(outcomes).toHaveLength(12);
    expect(outcomes.at(-1)!.action).toBeUndefined();
  });
});

describe('what has not happened', () => {
  it.each([
    ['my order was not delivered please bring it again', 'redeliver'],
    ['the parcel never arrived where is it', 'track'],
  ])('is not what is forbidden: %s', (said, flow) => {
    const [outcome] = overAndOver([said], 1);
    expect(outcome!.state.flow).toBe(flow);
  });

  it('is left for what is wished for instead', () => {
    const outcomes = overAndOver(
      ['cancel my order', '7788', 'no stop, do not cancel, bring it on another day instead'],
      3,
    );
    expect(outcomes.at(-1)!.state.flow).toBe('redeliver');
  });
});
