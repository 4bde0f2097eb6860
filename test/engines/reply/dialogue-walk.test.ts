import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../../src/core/agent.ts';
import { compileAgent } from '../../../src/engines/reply/compiled-agent.ts';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import {
  DIALOGUE_TRANSITIONS,
  type DialogueEvent,
  type DialogueState,
  initialState,
  type PendingKind,
} from '../../../src/engines/reply/dialogue-state.ts';
import type { TurnSetting } from '../../../src/engines/reply/turn-draft.ts';

/** Every kind of question in one agent. */
const DEFINITION: AgentDefinition = {
  name: 'Walker',
  language: 'en-US',
  voice: 'emma',
  model: 'sada-1',
  greeting: { en: 'Hello.' },
  transferTarget: '1900',
  intents: [
    {
      name: 'book',
      label: { en: 'booking a table' },
      examples: { en: ['book a table', 'reserve a table'] },
      flow: 'book',
    },
    { name: 'order', label: { en: 'ordering food' }, examples: { en: ['order some food'] }, flow: 'order' },
  ],
  flows: [
    {
      name: 'book',
      slots: [
        { name: 'day', type: 'date', prompts: { en: ['Which day?', 'Which day, for example tomorrow?'] } },
        {
          name: 'phone',
          type: 'phone',
          prompts: { en: ['Which number?'] },
          confirm: { en: 'That is {{phone}}, right?' },
        },
      ],
      confirm: { en: 'A table on {{day}}, right?' },
      actions: [{ type: 'say', text: { en: 'Booked.' } }],
    },
    {
      name: 'order',
      slots: [{ name: 'dish', type: 'text', prompts: { en: ['What would you like?'] } }],
      actions: [{ type: 'say', text: { en: 'Noted.' } }],
    },
  ],
  knowledge: [
    { question: { en: ['when are you open', 'what are your opening hours'] }, answer: { en: 'From six to midnight.' } },
  ],
};
const agent = compileAgent(DEFINITION);
const setting: TurnSetting = { today: { year: 2026, month: 11, day: 20 }, mode: 'voice', variables: {}, trusted: true };

function after(...said: readonly string[]): DialogueState {
  return said.reduce((state, text) => takeTurn(agent, state, text, setting).state, initialState('en'));
}
const STATES: Readonly<Record<PendingKind, DialogueState>> = {
  open: after(),
  slot: after('book a table'),
  'confirm-slot': after('book a table', 'tomorrow', '0551234567'),
  'confirm-flow': after('book a table', 'tomorrow', '0551234567', 'yes'),
  change: after('book a table', 'tomorrow', '0551234567', 'yes', 'no'),
  choose: takeTurn(agent, initialState('en'), 'book a table', { ...setting, trusted: false }).state,
};
const VALUES: Readonly<Record<PendingKind, string>> = {
  open: 'book a table next Monday',
  slot: 'next Monday',
  'confirm-slot': 'no it is 0559999999',
  'confirm-flow': 'no, on Sunday',
  change: 'Sunday',
  choose: 'booking a table',
};
const WORDS: Readonly<Record<Exclude<DialogueEvent, 'value'>, string>> = {
  yes: 'yes',
  no: 'no',
  intent: 'order some food',
  question: 'when are you open',
  cancel: 'never mind',
  human: 'speak to a human',
  repeat: 'say that again',
  goodbye: 'goodbye',
  silence: '',
  unknown: 'purple elephants dance',
};
const EVENTS: readonly DialogueEvent[] = [...(Object.keys(WORDS) as Exclude<DialogueEvent, 'value'>[]), 'value'];

describe.each(Object.keys(DIALOGUE_TRANSITIONS) as PendingKind[])('waiting: %s', (kind) => {
  it('is reached', () => {
    expect(STATES[kind].pending.kind).toBe(kind);
  });

  it.each(EVENTS)('%s leads where the table says, and something is said', (event) => {
    const text = event === 'value' ? VALUES[kind] : WORDS[event];
    const { state, lines, action } = takeTurn(agent, STATES[kind], text, setting);
    expect(DIALOGUE_TRANSITIONS[kind][event]).toContain(state.pending.kind);
    expect(lines.length).toBeGreaterThan(0);
    expect(action?.type).toBe(event === 'human' ? 'transfer' : event === 'goodbye' ? 'hangup' : undefined);
  });

  it('does not change the state it was given', () => {
    const before = structuredClone(STATES[kind]);
    for (const event of EVENTS) takeTurn(agent, STATES[kind], event === 'value' ? VALUES[kind] : WORDS[event], setting);
    expect(STATES[kind]).toEqual(before);
  });
});

describe('a dialogue never gets stuck', () => {
  it.each(Object.keys(STATES) as PendingKind[])('from %s, six misunderstandings in a row end in a transfer', (kind) => {
    let state = STATES[kind];
    const actions: (string | undefined)[] = [];
    for (let i = 0; i < 6 && !actions.includes('transfer'); i += 1) {
      const outcome = takeTurn(agent, state, '?', setting);
      state = outcome.state;
      actions.push(outcome.action?.type);
    }
    expect(actions).toContain('transfer');
  });

  it.each(Object.keys(STATES) as PendingKind[])('from %s, three silences end the call', (kind) => {
    let state = STATES[kind];
    const actions: (string | undefined)[] = [];
    for (let i = 0; i < 3; i += 1) {
      const outcome = takeTurn(agent, state, '', setting);
      state = outcome.state;
      actions.push(outcome.action?.type);
    }
    expect(actions).toEqual([undefined, undefined, 'hangup']);
  });
});
