import { describe, expect, it } from 'vitest';
import { agentFindings } from '../../src/config/agent-meaning.ts';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { textOf } from '../../src/core/notice.ts';

const AGENT: AgentDefinition = {
  name: 'Tester',
  language: 'en-US',
  voice: 'emma',
  model: 'sada-1',
  greeting: { en: 'Hello {{customer}}.' },
  variables: { customer: '' },
  intents: [{ name: 'track', examples: { en: ['where is my order'] }, flow: 'track' }],
  flows: [
    {
      name: 'track',
      slots: [{ name: 'order', type: 'digits', minDigits: 4, maxDigits: 4, prompts: { en: ['Which order?'] } }],
      confirm: { en: 'Order {{order}}?' },
      actions: [
        {
          type: 'lookup',
          table: 'orders',
          key: 'order',
          // biome-ignore lint/suspicious/noThenProperty: the word that agent files use
          then: { en: '{{state}}' },
          otherwise: { en: 'No {{order}}.' },
        },
      ],
    },
  ],
  tables: { orders: [{ order: '4521', state: 'here' }] },
  knowledge: [{ question: { en: ['who are you'] }, answer: { en: 'About order {{order}} I know.' } }],
};
const FLOW = AGENT.flows![0]!;
const withFlow = (change: Partial<typeof FLOW>): AgentDefinition => ({ ...AGENT, flows: [{ ...FLOW, ...change }] });
const slot = (change: object): AgentDefinition => withFlow({ slots: [{ ...FLOW.slots[0]!, ...change }] });
const TOOL = {
  ...({ type: 'http', method: 'POST', url: 'https://x.example/{{order}}' } as const),
  ...{ body: { id: '{{order}}' }, otherwise: { en: 'No.' } },
  // biome-ignore lint/suspicious/noThenProperty: the word that agent files use
  then: { en: '{{anything}}' },
};

describe('what an agent file means', () => {
  it('is fine where everything has a value, is reached and has its rules', () => {
    expect(agentFindings(AGENT)).toEqual([]);
    expect(agentFindings(withFlow({ actions: [TOOL] }))).toEqual([]);
  });

  it.each([
    {
      name: 'a misspelt variable',
      agent: { ...AGENT, greeting: { en: 'Hello {{custmer}}.' } },
      findings: ['error greeting.en: nothing has the value {{custmer}} here (did you mean {{customer}}?)'],
    },
    {
      name: 'a variable that only the call could bring',
      agent: { ...AGENT, goodbye: { en: 'Bye, {{nick}}.' } },
      findings: [
        'warning goodbye.en: nothing has the value {{nick}} here: put nick under variables if the call brings it',
      ],
    },
    {
      name: 'a column where no row was found',
      agent: withFlow({ actions: [{ ...FLOW.actions[0]!, otherwise: { en: 'It is {{state}}.' } } as never] }),
      findings: [
        'warning flows.0.actions.0.otherwise.en: nothing has the value {{state}} here: put state under variables if the call brings it',
      ],
    },
    {
      name: 'a value that a tool is called with',
      agent: withFlow({ actions: [{ ...TOOL, body: { id: '{{ordr}}' } }] }),
      findings: ['error flows.0.actions.0.body.id: nothing has the value {{ordr}} here (did you mean {{order}}?)'],
    },
    {
      name: 'a flow that nothing begins',
      agent: { ...AGENT, intents: [] },
      findings: ['error flows.0.name: no intent begins the flow track'],
    },
    {
      name: 'a wish without examples in the language of the agent',
      agent: { ...AGENT, intents: [{ ...AGENT.intents![0]!, examples: { ar: ['وين طلبي'] } }] },
      findings: ['warning intents.0.examples: the intent track has no example in en, the language of the agent'],
    },
    {
      name: 'a number of any length',
      agent: withFlow({ slots: [{ name: 'order', type: 'digits', prompts: {} }] }),
      findings: ['warning flows.0.slots.0: a number of any length is taken for order: say minDigits and maxDigits'],
    },
    {
      name: 'a date without rules',
      agent: slot({ type: 'date', minDigits: undefined }),
      findings: [
        'warning flows.0.slots.0: any day is taken for order: say under constraints on which days and how far ahead',
      ],
    },
    {
      name: 'a time without hours',
      agent: slot({ type: 'time', constraints: { why: { en: 'x' } } }),
      findings: ['warning flows.0.slots.0: any hour is taken for order: say the opening hours under constraints'],
    },
    {
      name: 'a table of people that anybody may ask about',
      agent: { ...AGENT, tables: { orders: [{ order: '4521', state: 'here', customer_name: 'Sami' }] } },
      findings: [
        'warning flows.0.actions.0: whoever says the order of orders hears of its customer_name: say under belongsTo what ' +
          'the owner knows besides, or mark the look-up with `open: true`',
      ],
    },
    {
      name: 'the same with an owner, whose name texts may say',
      agent: {
        ...withFlow({ confirm: { en: 'Order {{order}} of {{customer_name}}?' } }),
        tables: { orders: [{ order: '4521', state: 'here', customer_name: 'Sami' }] },
        belongsTo: { orders: { column: 'customer_name', type: 'name' as const, prompts: { en: ['Whose is it?'] } } },
      },
      findings: [],
    },
    { name: 'a date with one rule', agent: slot({ type: 'date', constraints: { latestDays: 3 } }), findings: [] },
  ])('$name', ({ agent, findings }) => {
    const found = agentFindings(agent).filter(({ path }) => path[0] !== 'knowledge');
    expect(found.map(({ severity, path, said }) => `${severity} ${path.join('.')}: ${textOf(said)}`)).toEqual(findings);
  });
});
