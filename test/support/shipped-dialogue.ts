import { takeTurn } from '../../src/engines/reply/dialogue.ts';
import { initialState } from '../../src/engines/reply/dialogue-state.ts';
import type { TurnOutcome, TurnSetting } from '../../src/engines/reply/turn-draft.ts';
import { agentFromConfig, compiledAgents, openRecords } from './reply-agents.ts';

/** A Sunday. */
export const SETTING: TurnSetting = {
  today: { year: 2026, month: 11, day: 22 },
  mode: 'voice',
  variables: {},
  trusted: true,
};
/** The shipped agents, with records that are everybody's. */
export const AGENTS = {
  delivery: compiledAgents.get(openRecords(agentFromConfig('delivery-en'))),
  clinic: compiledAgents.get(openRecords(agentFromConfig('clinic-ar'))),
};
export type Name = keyof typeof AGENTS;

/** What comes of the last of what a caller says. */
export function outcomeOf(name: Name, said: readonly string[]): TurnOutcome {
  const agent = AGENTS[name];
  const start = takeTurn(agent, initialState(agent.language), said[0]!, SETTING);
  return said.slice(1).reduce((outcome, text) => takeTurn(agent, outcome.state, text, SETTING), start);
}

export const spoken = (outcome: TurnOutcome): string => outcome.lines.map(({ text }) => text).join(' ');
export const held = (outcome: TurnOutcome, slot: string): string | undefined => outcome.state.slots[slot]?.value;
