import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runAsText } from '../../src/agent-tests/text-run.ts';
import type { AgentAction, AgentDefinition } from '../../src/core/agent.ts';
import { type DialogueResult, firstFault } from '../../src/core/agent-tests.ts';
import { systemClock } from '../../src/core/clock.ts';
import { holdSteps, TEXT_RUN, testsOf } from '../support/agent-test-runs.ts';
import { agentOf } from '../support/reply-agents.ts';

const DEFINITION: AgentDefinition = {
  ...{ name: 'Corner Bakery', language: 'en-US', voice: 'emma', model: 'sada-1', transferTarget: '1900' },
  greeting: { en: 'Corner Bakery, {{who}}, how can I help you today and tomorrow and every day of the week?' },
  variables: { who: 'friend' },
  intents: [
    { name: 'cake', examples: { en: ['i want to order a cake', 'a cake please'] }, flow: 'cake' },
    { name: 'stock', examples: { en: ['have you got bread', 'is there bread left'] }, flow: 'stock' },
  ],
  flows: [
    {
      name: 'cake',
      slots: [
        { name: 'code', type: 'digits', minDigits: 4, maxDigits: 4, prompts: { en: ['Which four digits?'] } },
        { name: 'day', type: 'date', prompts: { en: ['For which day?'] } },
      ],
      confirm: { en: 'Cake {{code}} on {{day}}. Is that right?' },
      actions: [{ type: 'say', text: { en: 'It will be ready.' } }],
    },
    {
      name: 'stock',
      slots: [{ name: 'loaves', type: 'number', prompts: { en: ['How many loaves?'] } }],
      actions: [
        parse(`{ type: http, method: GET, url: "https://bakery.example.com/bread/{{loaves}}",
          then: { en: "There are {{left}} left." }, otherwise: { en: I cannot look that up. } }`) as AgentAction,
      ],
    },
  ],
  knowledge: [{ question: { en: ['when are you open'] }, answer: { en: 'We are open from seven to nine.' } }],
};
const agent = agentOf(DEFINITION);
/** What differs first, undefined where nothing does. */
const fault = async (...steps: string[]): Promise<string | undefined> => firstFault(await hold(...steps));
const hold = (...steps: string[]): Promise<DialogueResult> => holdSteps(agent, steps);
const OPEN = 'when are you open';

describe('each thing that may be expected', () => {
  it.each([
    { expected: 'contains: FROM  Seven' },
    { expected: 'contains: [seven, nine]' },
    { expected: 'contains: [seven, ten]', fault: '"ten" in the answer' },
    { expected: 'not_contains: ten' },
    { expected: 'not_contains: [ten, Nine]', fault: 'no "Nine" in the answer' },
    { expected: 'matches: "^we are OPEN .* nine\\\\.$"' },
    { expected: 'matches: ["^we", "^open"]', fault: 'an answer like /^open/' },
    { expected: 'intent: when are you open' },
    { expected: 'intent: cake', fault: 'the intent cake' },
    { expected: 'intent: none', fault: 'the intent none' },
    { expected: 'slot: { code: "" }' },
    { expected: 'slot: { code: "4521" }', fault: 'code 4521' },
    { expected: 'action: none' },
    { expected: 'action: hangup', fault: 'a hangup' },
    { expected: 'within_ms: 60000' },
  ])('$expected', async ({ expected, fault }) => {
    const result = await hold(`{ caller: ${OPEN}, agent: { ${expected} } }`);
    expect([result.outcome, result.turns[0]!.faults.map((one) => one.expected)]).toEqual(
      fault === undefined ? ['passed', []] : ['failed', [fault]],
    );
  });

  it('within_ms fails an answer that comes later, and one that does not come', async () => {
    let calls = 0;
    const late = { ...TEXT_RUN, clock: { ...systemClock, nowMs: () => ++calls * 400 } };
    const tests = testsOf(`dialogues: [{ name: one, steps: [{ caller: ${OPEN}, agent: { within_ms: 399 } }] }]`, agent);
    const [result] = await runAsText(agent, tests, late);
    expect(firstFault(result!)).toMatch(/expected an answer within 399 ms, got one after \d+ ms/);
    const silent = await hold('{ silence: 2s, agent: { within_ms: 5000 } }');
    expect(firstFault(silent)).toBe('one, step 1 (line 4): expected an answer within 5000 ms, got none');
  });

  it('a pattern that would take for ever is a fault after a moment', async () => {
    const result = await hold(`{ caller: ${OPEN}, agent: { matches: "^(w|we|e| |a|r|o|p|n|.)+!$" } }`);
    expect(result.turns[0]!.faults).toMatchObject([{ kind: 'matches', got: expect.stringMatching(/takes more than/) }]);
    expect(result.durationMs).toBeLessThan(10_000);
  });

  it('the first turn that differs is the last that is held, with what came', async () => {
    const result = await hold(
      `{ caller: ${OPEN}, agent: { contains: seven } }`,
      '{ caller: goodbye, agent: { action: transfer, contains: hello } }',
      '{ caller: are you there, agent: { contains: yes } }',
    );
    expect(result.turns.map(({ did, action }) => [did, action])).toEqual([
      [OPEN, 'none'],
      ['goodbye', 'hangup'],
    ]);
    expect(result.turns[1]!.faults.map(({ kind }) => kind)).toEqual(['contains', 'action']);
  });
});

describe('what callers do', () => {
  it('the greeting is judged before they do anything, with what the call brings', async () => {
    const result = await holdSteps(agent, ['agent: { contains: "Bakery, Sara," }'], '    variables: { who: Sara }\n');
    expect(result.outcome).toBe('passed');
  });

  it('keys are gathered as in a call: so many as are wanted, to the terminator', async () => {
    expect(
      await hold(
        '{ caller: a cake please, agent: { intent: cake, contains: four digits } }',
        '{ keys: "45#", agent: { contains: four digits, slot: { code: "" } } }',
        '{ keys: "4521#", agent: { contains: which day, slot: { code: "4521" } } }',
      ),
    ).toMatchObject({ outcome: 'passed' });
  });

  it('a silence is asked about when its time has come, and too many end the call', async () => {
    expect(
      await fault(
        '{ silence: 7s, agent: { matches: "^$", action: none } }',
        '{ silence: 8s, agent: { contains: there, action: none } }',
        `{ caller: ${OPEN}, agent: { contains: seven } }`,
        '{ silence: 120s, agent: { action: hangup } }',
      ),
    ).toBeUndefined();
    const over = await hold('silence: 120s', `{ caller: ${OPEN}, agent: { contains: seven } }`);
    expect(firstFault(over)).toMatch(/step 2 .*: expected a call that goes on, got one that the agent had ended/);
  });

  it('an interruption leaves what was heard by then; a listening noise and a deaf agent cut nothing', async () => {
    const held = await hold(`{ interrupt: { after_ms: 600, says: ${OPEN} }, agent: { contains: seven } }`);
    expect(held.outcome).toBe('passed');
    const listening = await hold('{ interrupt: { after_ms: 600, says: uh huh }, agent: { contains: how can i help } }');
    expect(listening).toMatchObject({ outcome: 'passed', turns: [{ action: 'none', intents: [] }] });
    const deaf = agentOf({ ...DEFINITION, bargeIn: 'off' });
    const steps = [
      `{ interrupt: { after_ms: 600, says: ${OPEN} }, agent: { contains: how can i help, intent: none } }`,
    ];
    expect((await holdSteps(deaf, steps)).outcome).toBe('passed');
  });

  it('a listening noise answers a question of yes or no', async () => {
    const steps = ['caller: a cake please', 'keys: "4521"', '{ caller: tomorrow, agent: { contains: is that right } }'];
    const answered = '{ interrupt: { after_ms: 600, says: yeah }, agent: { contains: it will be ready } }';
    expect(await hold(...steps, answered)).toMatchObject({ outcome: 'passed' });
  });

  it('a wrong hearing is what is answered, and a doubtful one is asked about', async () => {
    expect(
      await hold(`{ mishears: { says: a cake please, heard: ${OPEN} }, agent: { contains: seven, intent: ${OPEN} } }`),
    ).toMatchObject({ outcome: 'passed', turns: [{ did: `a cake please (heard: ${OPEN})` }] });
    expect(
      await hold(
        `{ mishears: { says: hello, heard: a cake please, confidence: 0.1 }, agent: { not_contains: four digits } }`,
      ),
    ).toMatchObject({ outcome: 'passed' });
  });

  it('a noise is speech of which nothing was understood, unless it is too short', async () => {
    expect(
      await hold(
        '{ noise: 1s, agent: { intent: none, contains: sorry } }',
        '{ noise: 200ms, agent: { matches: "^$" } }',
      ),
    ).toMatchObject({ outcome: 'passed' });
  });
});

describe('a dialogue', () => {
  it.each([
    { now: '2026-11-22T10:00', day: '2026-11-23' },
    { now: '2026-12-31T23:59', day: '2027-01-01' },
    { now: '2026-11-22T22:30:00Z', day: '2026-11-24' }, // in Riyadh it is Monday by then
  ])('that begins at $now has its own tomorrow, $day', async ({ now, day }) => {
    const steps = ['caller: a cake please', 'keys: "4521"', `{ caller: tomorrow, agent: { slot: { day: ${day} } } }`];
    expect(await holdSteps(agent, steps, `    now: ${now}\n`)).toMatchObject({ outcome: 'passed' });
  });

  it('has its HTTP tools answer as it says; without an answer they fail, and nothing is called', async () => {
    const steps = ['caller: have you got bread', '{ caller: three, agent: { contains: there are 12 left } }'];
    const tools = `    tools: [{ url: "https://bakery.example.com/bread/3", answer: '{"left": "12"}' }]\n`;
    expect(await holdSteps(agent, steps, tools)).toMatchObject({ outcome: 'passed' });
    const without = await holdSteps(agent, steps);
    expect(without.turns.at(-1)!.reply).toContain('I cannot look that up.');
    const refused = await holdSteps(agent, steps, tools.replace('answer', 'status: 500, answer'));
    expect(refused.outcome).toBe('failed');
  });

  it('knows nothing of the one before it, and names chosen are held alone', async () => {
    const yaml = `dialogues:
  - { name: first, now: 2020-01-01T10:00, steps: [{ caller: a cake please, agent: { intent: cake } }] }
  - { name: second, steps: [{ caller: "4521", agent: { slot: { code: "" } } }] }
`;
    const tests = testsOf(yaml, agent);
    expect((await runAsText(agent, tests, TEXT_RUN)).map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
    const told: string[] = [];
    await runAsText(agent, tests, TEXT_RUN, { only: ['second'], told: ({ name }) => told.push(name) });
    expect(told).toEqual(['second']);
  });

  it('that is stopped has failed, with the reason', async () => {
    const stop = new AbortController();
    stop.abort();
    const tests = testsOf(`dialogues: [{ name: one, steps: [{ caller: hello, agent: { contains: x } }] }]`, agent);
    const [result] = await runAsText(agent, tests, TEXT_RUN, { signal: stop.signal });
    expect(result).toMatchObject({ outcome: 'failed', why: 'there was no time left for it' });
  });
});

describe('what is written down after a dialogue', () => {
  const rules = {
    outcomes: [{ name: 'ordered', done: ['cake'] }],
    fields: [{ name: 'code', type: 'digits' }],
  } as const;
  const keeper = agentOf({ ...DEFINITION, afterCall: rules });
  const ORDER = ['{ caller: a cake please }', '{ keys: "4521" }', '{ caller: tomorrow }'];
  const judged = async (expected: string, steps: readonly string[]): Promise<DialogueResult> => {
    const said = [...steps, '{ agent: { not_contains: xyzzy } }'].map((step) => `\n      - ${step}`).join('');
    const yaml = `dialogues:\n  - name: one\n    now: 2026-11-22T10:00\n    steps:${said}\n    after: ${expected}\n`;
    return (await runAsText(keeper, testsOf(yaml, keeper), TEXT_RUN))[0]!;
  };

  it.each([
    ['{ outcome: ordered, fields: { code: "4521" } }', [...ORDER, '{ caller: "yes" }']],
    ['{ outcome: hung-up, fields: { code: "" } }', ORDER],
    ['{ outcome: answered }', [`{ caller: ${OPEN} }`]],
    ['{ outcome: transferred }', ['{ caller: i want to talk to a person }']],
    ['{ outcome: nothing-said }', ['{ silence: 60s }']],
  ])('holds where it is so: %s', async (expected, steps) => {
    expect(firstFault(await judged(expected, steps))).toBeUndefined();
  });

  it('is a step of its own where it is not, and names what it is', async () => {
    const result = await judged('{ outcome: ordered, fields: { code: "4521" } }', ORDER);
    expect(result.outcome).toBe('failed');
    expect(result.turns.at(-1)).toMatchObject({ step: 5, faults: [{ kind: 'after' }, { kind: 'after' }] });
    expect(firstFault(result)).toMatch(/step 5 .*expected the outcome ordered, got hung-up/);
    expect(result.turns.at(-1)!.faults[1]).toMatchObject({ expected: 'code 4521', got: 'nothing' });
  });

  it('is not looked at behind a turn that differs', async () => {
    const result = await judged('{ outcome: ordered }', ['{ caller: hello, agent: { contains: xyzzy } }']);
    expect(result.turns).toHaveLength(1);
  });
});
