import { describe, expect, it } from 'vitest';
import { openTester } from '../../src/agent-tests/text-run.ts';
import { type HeldCall, judgeCall } from '../../src/agent-tests/voice-dialogue.ts';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { type DialogueResult, firstFault } from '../../src/core/agent-tests.ts';
import { TEXT_RUN, testsOf } from '../support/agent-test-runs.ts';
import { agentOf } from '../support/reply-agents.ts';

const DEFINITION: AgentDefinition = {
  ...{ name: 'Orders', language: 'en-US', voice: 'emma', model: 'sada-1' },
  greeting: { en: 'Hello. How can I help you?' },
  intents: [{ name: 'track', examples: { en: ['where is my order'] }, flow: 'track' }],
  flows: [
    {
      name: 'track',
      slots: [{ name: 'order', type: 'digits', minDigits: 4, maxDigits: 4, prompts: { en: ['Which order?'] } }],
      actions: [{ type: 'say', text: { en: 'Order {{order}} is here.' } }],
    },
  ],
};
const agent = agentOf(DEFINITION);

/** Greeting, a question, digits by keys: 1.5 s of quiet, then the answers 800 and 300 ms after the caller. */
const CALL: HeldCall = {
  said: [
    { fromMs: 3_500, toMs: 4_700 },
    { fromMs: 8_000, toMs: 8_800 },
  ],
  heard: [
    { fromMs: 400, toMs: 2_000 },
    { fromMs: 5_500, toMs: 7_000 },
    { fromMs: 9_100, toMs: 10_900 },
  ],
  turns: [
    { role: 'agent', text: 'Hello. How can I help you?', startedMs: 390 },
    { role: 'caller', text: 'where is my order', startedMs: 3_300 },
    { role: 'agent', text: 'One moment.', startedMs: 5_490 },
    { role: 'agent', text: 'Which order?', startedMs: 6_400 },
    { role: 'caller', text: '4521', startedMs: 8_010 },
    { role: 'agent', text: 'Order 4 5 2 1 is here.', startedMs: 9_090 },
  ],
  ...{ transfersMs: [], byAgent: false, end: 'caller-hangup (caller)', durationMs: 12_000 },
};
const judge = async (call: Partial<HeldCall>, ...steps: string[]): Promise<DialogueResult> => {
  const lines = steps.map((step) => `      - ${step}\n`).join('');
  const tests = testsOf(`dialogues:\n  - name: one\n    steps:\n${lines}`, agent);
  const { tester, prepare, close } = openTester(TEXT_RUN);
  await prepare(agent);
  const result = await judgeCall(agent, tests.dialogues[0]!, { ...CALL, ...call }, tester);
  await close();
  return result;
};

describe('a call is judged by what was written down and by its times on the wire', () => {
  it('each answer is what was said after the caller had begun and before it began again', async () => {
    const result = await judge(
      {},
      'agent: { contains: Hello, not_contains: order, within_ms: 400 }',
      '{ caller: where is my order, agent: { contains: Which order, intent: track, not_contains: Hello, within_ms: 800 } }',
      'agent: { not_contains: is here, slot: { order: "" } }',
      '{ keys: "4521", agent: { contains: order 4521 is here, slot: { order: "4521" }, action: none, within_ms: 300 } }',
    );
    expect(firstFault(result)).toBeUndefined();
    expect(result.turns.map(({ ms }) => ms)).toEqual([400, 800, 800, 300]);
  });

  it.each([
    { name: 'late', step: 'within_ms: 799', call: {}, says: 'an answer within 799 ms, got one after 800 ms' },
    {
      ...{ name: 'no answer', step: 'contains: which order', says: '"which order" in the answer, got no answer' },
      call: { turns: CALL.turns.filter(({ startedMs }) => startedMs < 5_000 || startedMs > 8_000) },
    },
    {
      ...{ name: 'something else understood', step: 'intent: track', says: 'the intent track, got none' },
      call: { turns: CALL.turns.map((one) => (one.startedMs === 3_300 ? { ...one, text: 'blue elephants' } : one)) },
    },
    {
      ...{ name: 'nothing understood', step: 'intent: track', says: 'the intent track, got none' },
      call: { turns: CALL.turns.filter(({ startedMs }) => startedMs !== 3_300) },
    },
    { name: 'no transfer', step: 'action: transfer', call: {}, says: 'a transfer, got no action' },
  ])('$name is a fault', async ({ step, call, says }) => {
    expect(firstFault(await judge(call, `{ caller: where is my order, agent: { ${step} } }`))).toContain(says);
  });

  it('an answer that joins what it cut is timed by the record', async () => {
    const heard = [{ fromMs: 400, toMs: 2_000 }];
    const result = await judge({ heard }, '{ caller: where is my order, agent: { within_ms: 790 } }');
    expect(result).toMatchObject({ outcome: 'passed', turns: [{ ms: 790 }] });
  });

  it('what was understood of spoken words stands beside them, and keys are understood as they are', async () => {
    const steps = ['{ caller: where is my parcel, agent: { contains: Which order } }', 'keys: "4521"'];
    const { turns } = await judge({}, 'agent: { contains: Hello }', ...steps);
    expect(turns.map(({ heard }) => heard)).toEqual([undefined, 'where is my order', undefined]);
    const unheard = CALL.turns.filter(({ startedMs }) => startedMs !== 3_300);
    expect((await judge({ turns: unheard }, ...steps)).turns[0]?.heard).toBe('');
  });

  it('whoever only listens is answered by what the agent went on to say, and an agent that stopped said nothing', async () => {
    const said = [CALL.said[0]!, { fromMs: 6_500, toMs: 6_800 }, CALL.said[1]!];
    const steps = [
      'caller: where is my order',
      '{ interrupt: { after_ms: 900, says: uh huh }, agent: { contains: Which order } }',
    ];
    expect(firstFault(await judge({ said }, ...steps))).toBeUndefined();
    const heard = CALL.heard.map((one) => (one.fromMs === 5_500 ? { ...one, toMs: 6_700 } : one));
    expect(firstFault(await judge({ said, heard }, ...steps))).toContain('"Which order" in the answer, got no answer');
  });

  it('a transfer and a farewell are those of the turn in which they came', async () => {
    const steps = [
      '{ caller: where is my order, agent: { action: transfer } }',
      '{ keys: "4521", agent: { action: hangup } }',
    ];
    expect(await judge({ transfersMs: [7_000], byAgent: true }, ...steps)).toMatchObject({ outcome: 'passed' });
    expect(firstFault(await judge({ byAgent: true }, ...steps))).toContain('step 1');
  });

  it('what the caller could not do any more was not done', async () => {
    const result = await judge(
      { said: CALL.said.slice(0, 1), end: 'agent-hangup (agent)' },
      'caller: where is my order',
      '{ keys: "4521", agent: { contains: here } }',
    );
    expect(firstFault(result)).toBe(
      'one, step 2 (line 5): expected a call that goes on, got one that had ended (agent-hangup (agent))',
    );
  });
});
