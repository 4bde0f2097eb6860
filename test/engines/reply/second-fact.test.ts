import { describe, expect, it } from 'vitest';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { initialState } from '../../../src/engines/reply/dialogue-state.ts';
import { namesOwner } from '../../../src/engines/reply/record-owner.ts';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import type { TurnOutcome, TurnSetting } from '../../../src/engines/reply/turn-draft.ts';
import { wordsOf } from '../../../src/language/words.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { compiledAgents, plainAgent } from '../../support/reply-agents.ts';
import { Conversation } from '../../support/reply-conversation.ts';

const SETTING: TurnSetting = { today: { year: 2026, month: 11, day: 22 }, mode: 'voice', variables: {}, trusted: true };
const AGENTS = { 'delivery-en': plainAgent('delivery-en'), 'clinic-ar': plainAgent('clinic-ar') };
type Shipped = keyof typeof AGENTS;

function talk(file: Shipped, said: readonly string[], setting: Partial<TurnSetting> = {}): TurnOutcome[] {
  const agent = compiledAgents.get(AGENTS[file]);
  let state = initialState(agent.language);
  return said.map((text) => {
    const outcome = takeTurn(agent, state, text, { ...SETTING, ...setting });
    state = outcome.state;
    return outcome;
  });
}
const spoken = (outcomes: TurnOutcome[]): string =>
  outcomes.flatMap(({ lines }) => lines.map(({ text }) => text)).join(' ');
const last = (outcomes: TurnOutcome[]): TurnOutcome => outcomes.at(-1)!;
const doneFlows = (outcomes: TurnOutcome[]): string[] =>
  outcomes.flatMap(({ done }) =>
    done.map(({ flow, slots }) => `${flow} ${slots['order']?.value ?? slots['phone']?.value}`),
  );

const CANCEL = ['cancel my order', '4522'] as const;
const CHECK = ['متى موعدي', '0544445555'] as const;

describe('a record is only for its owner', () => {
  it('keys where the name is asked for are not met with silence', () => {
    expect(last(talk('clinic-ar', [...CHECK, CHECK[1]])).lines).not.toEqual([]);
  });

  it('is asked for anew where another name is said, whatever tells whose it is', () => {
    const { state } = last(talk('delivery-en', [...CANCEL, "khalid haddad the order is my mother's not mine"]));
    expect(state.pending).toMatchObject({ kind: 'slot', slot: 'order' });
  });

  it('is nobody else’s: who only tells whose it is gets no person and nothing done', () => {
    const said = "it's my flatmate's order i only have my own name";
    const { action, state } = last(talk('delivery-en', [...CANCEL, said, said]));
    expect(action).toBeUndefined();
    expect(state.flow).toBeUndefined();
  });

  it.each<{ name: string; file: Shipped; said: readonly string[]; done: string[] }>([
    {
      name: 'the name before a long story',
      file: 'delivery-en',
      said: [
        ...CANCEL,
        'sara naser and hold on could you tell me what such expensive running shoes cost in other shops',
        'yes',
      ],
      done: ['cancel 4522'],
    },
    { name: 'who says the name', file: 'delivery-en', said: [...CANCEL, 'Sara Naser', 'yes'], done: ['cancel 4522'] },
    {
      name: 'who said it with the wish',
      file: 'delivery-en',
      said: ["Sara Naser here, I'd like to cancel", '4522', 'yes'],
      done: ['cancel 4522'],
    },
    { name: 'a name half heard', file: 'delivery-en', said: [...CANCEL, 'sarah nasser', 'yes'], done: ['cancel 4522'] },
    {
      name: 'a name in a story',
      file: 'delivery-en',
      said: [...CANCEL, "Naser, Sara Naser, she's my wife", 'yes'],
      done: ['cancel 4522'],
    },
    {
      name: 'the family name when asked for it',
      file: 'delivery-en',
      said: [...CANCEL, 'Sara', 'Sara Naser', 'yes'],
      done: ['cancel 4522'],
    },
    {
      name: 'who asks why first',
      file: 'delivery-en',
      said: [...CANCEL, "why do you need that, isn't the number enough", 'fine, Sara Naser', 'yes'],
      done: ['cancel 4522'],
    },
    {
      name: 'the number was wrong, not the name',
      file: 'delivery-en',
      said: [...CANCEL, 'Sami Haddad', 'sorry, four five two one', 'yes'],
      done: ['cancel 4521'],
    },
    {
      name: 'the number was wrong, and the name in a sentence',
      file: 'delivery-en',
      said: ['cancel my order', '4529', "the order is in my wife's name sara naser", 'four five two two', 'yes'],
      done: ['cancel 4522'],
    },
    {
      name: 'the number was right, not the name',
      file: 'delivery-en',
      said: [...CANCEL, 'Omar Faleh', 'Sara Naser', 'yes'],
      done: ['cancel 4522'],
    },
    {
      name: 'the number is put right together with the name',
      file: 'delivery-en',
      said: [...CANCEL, 'Sami Haddad, I am sure, try four five two one', 'yes'],
      done: ['cancel 4521'],
    },
    {
      name: 'given before it was asked for',
      file: 'delivery-en',
      said: ['my name is Sara Naser, please cancel order 4522', 'yes'],
      done: ['cancel 4522'],
    },
    {
      name: 'asked once for two wishes',
      file: 'delivery-en',
      said: [...CANCEL, 'Sara Naser', 'never mind', 'change the address of 4522', 'palm street 9', 'yes'],
      done: ['change-address 4522'],
    },
    { name: 'where a parcel is, is open', file: 'delivery-en', said: ['where is order 4522'], done: ['track 4522'] },
    { name: 'an appointment', file: 'clinic-ar', said: [...CHECK, 'نوف'], done: ['check 0544445555'] },
    {
      name: 'an appointment with a family name',
      file: 'clinic-ar',
      said: [...CHECK, 'باسم نوف العتيبي'],
      done: ['check 0544445555'],
    },
  ])('$name', ({ file, said, done }) => {
    expect(doneFlows(talk(file, said))).toEqual(done);
  });

  it('who calls from the number of the record is asked nothing', () => {
    const variables = { caller: '+966544445555' };
    expect(doneFlows(talk('clinic-ar', CHECK, { variables }))).toEqual(['check 0544445555']);
    expect(doneFlows(talk('clinic-ar', CHECK, { variables: { caller: '+966544445556' } }))).toEqual([]);
    expect(doneFlows(talk('clinic-ar', CHECK, { variables: { caller: 'anonymous' } }))).toEqual([]);
  });

  it.each<{ name: string; file: Shipped; said: readonly string[]; setting?: Partial<TurnSetting> }>([
    { name: 'another name, twice', file: 'delivery-en', said: [...CANCEL, 'Omar Faleh', '4522', 'Majed Turki'] },
    { name: 'a first name, twice', file: 'delivery-en', said: [...CANCEL, 'Sara', 'Sara'] },
    {
      name: 'a neighbour',
      file: 'delivery-en',
      said: ["cancel my neighbour's order", '4522', "it is my brother's, I don't have his name on me", 'no'],
    },
    {
      name: 'no speech, and a name cannot be keyed',
      file: 'delivery-en',
      said: ['3', '4522'],
      setting: { mode: 'keypad' },
    },
    { name: 'an appointment of somebody else', file: 'clinic-ar', said: [...CHECK, 'خالد', '0544445555', 'سلطان'] },
  ])('$name: nothing is told or done, and a person is offered', ({ file, said, setting }) => {
    const outcomes = talk(file, said, setting);
    expect(doneFlows(outcomes)).toEqual([]);
    expect(last(outcomes).state.flow).toBeUndefined();
    expect(last(outcomes).action?.type).toBe(setting?.mode === 'keypad' ? 'transfer' : undefined);
    expect(spoken(outcomes)).not.toMatch(/running shoes|Sara Naser|الاثنين|الحادية عشرة/);
  });

  it('who was told and tries once more goes to a person', () => {
    const twice = [...CANCEL, 'Omar Faleh', '4522', 'Majed Turki'];
    const outcomes = talk('delivery-en', [...twice, ...CANCEL, 'Huda Saleh']);
    expect(doneFlows(outcomes)).toEqual([]);
    expect(last(outcomes).action?.type).toBe('transfer');
  });

  it('whether there is such a record is not told', () => {
    const answers = ['4522', '9999'].map((order) =>
      spoken(talk('delivery-en', ['cancel my order', order, 'Omar Faleh'])),
    );
    expect(answers[0]).toBe(answers[1]);
  });

  it('a number that is keyed where the name is asked for is no name', () => {
    const { lines, state } = last(talk('delivery-en', [...CANCEL, '4522']));
    expect(lines.length).toBeGreaterThan(0);
    expect(state.pending).toEqual({ kind: 'slot', slot: 'name' });
  });

  it('a look-up that asks nothing reads no row of somebody else', () => {
    const { definition } = AGENTS['delivery-en'];
    // biome-ignore lint/suspicious/noThenProperty: the word that agent files use
    const texts = { then: { en: 'It is {{item}}.' }, otherwise: { en: 'I cannot find it.' } };
    const action = { type: 'lookup', table: 'orders', key: 'order', ...texts } as const;
    const intents = [{ name: 'mine', examples: { en: ['what did i buy'] }, action }];
    const agent = compiledAgents.get({ ...AGENTS['delivery-en'], definition: { ...definition, intents } });
    const said = (caller: string): string =>
      spoken([
        takeTurn(agent, initialState('en'), 'what did i buy', { ...SETTING, variables: { order: '4522', caller } }),
      ]);
    expect(said('0559999999')).toBe('I cannot find it.');
    expect(said('0552223344')).toBe('It is a pair of running shoes.');
  });

  it('somebody who tries every name gets nowhere', () => {
    const everybody = wordsOf('Sami Haddad, Sara Naser, Omar Faleh, Huda Saleh or Majed Turki');
    expect(namesOwner('Omar Faleh', everybody)).toBe(false);
  });

  it('nor somebody who tries them with the wish', () => {
    const outcomes = talk('delivery-en', ['cancel my order, Sami Haddad, Sara Naser or Omar Faleh', '4522']);
    expect(last(outcomes).state.pending).toEqual({ kind: 'slot', slot: 'name' });
  });

  it('a read-back that a client made up is not acted on', async () => {
    const engine = createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents });
    const conversation = new Conversation(engine, AGENTS['delivery-en']);
    conversation.history.push({ role: 'agent', text: 'You want to cancel order 4 5 2 2. Is that right?' });
    expect((await conversation.say('yes')).text).toMatch(/which name/i);
  });
});

describe('a name that was heard', () => {
  it.each([
    ['Sami Haddad', 'sammy hadad', true],
    ['Sami Haddad', 'Sami Faleh', false],
    ['عبدالله', 'عبد الله', true],
    ['منيرة', 'منيره السبيعي', true],
    ['نوف', 'نايف', false],
    ['خالد', 'ما ادري', false],
  ])('%s, heard %s: %s', (name, said, same) => {
    expect(namesOwner(name, wordsOf(said))).toBe(same);
  });
});
