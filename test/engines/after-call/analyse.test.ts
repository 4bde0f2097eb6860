import { describe, expect, it } from 'vitest';
import type { AfterCallRules, AgentDefinition } from '../../../src/core/agent.ts';
import { analysisOfTurns } from '../../../src/engines/after-call/analyse.ts';
import type { CallEnding } from '../../../src/engines/after-call/call-result.ts';
import type { ToldTurn } from '../../../src/engines/after-call/call-tally.ts';

const say = [{ type: 'say', text: { en: 'Done.' } }] as const;
const slot = (name: string, type: 'digits' | 'date' | 'name') => ({ name, type, prompts: { en: ['?'] } });
const AGENT: AgentDefinition = {
  ...{ name: 'Shop', language: 'en-US', voice: 'emma', model: 'sada-1', greeting: { en: 'Hello.' } },
  intents: [
    { name: 'cancel', label: { en: 'cancelling an order' }, examples: { en: ['cancel it'] }, flow: 'cancel' },
    { name: 'track', label: { en: 'tracking an order' }, examples: { en: ['where is it'] }, flow: 'track' },
    { name: 'hours', label: { en: 'opening hours' }, examples: { en: ['when'] }, answer: { en: 'At nine.' } },
    { name: 'human', examples: { en: ['a person'] }, action: { type: 'transfer', target: '1900' } },
  ],
  flows: [
    { name: 'cancel', slots: [slot('order', 'digits'), slot('date', 'date')], confirm: { en: '?' }, actions: say },
    { name: 'track', slots: [slot('order', 'digits')], actions: say },
  ],
  knowledge: [{ question: { en: ['do you deliver'] }, answer: { en: 'Yes.' } }],
};
const CALLER: CallEnding = { party: 'caller', reason: 'caller-hangup' };
const BY_AGENT: CallEnding = { party: 'agent', reason: 'agent-hangup' };
const THROUGH: CallEnding = { party: 'caller', reason: 'caller-hangup', transfers: [{ outcome: 'joined' }] };
const FIELDS = [{ name: 'order', type: 'digits' }] as const;

const turnsOf = (...turns: Omit<ToldTurn, 'index'>[]): ToldTurn[] => turns.map((turn, index) => ({ index, ...turn }));
const caller = (text: string, details: ToldTurn['details'] = {}) => ({ role: 'caller', text, details }) as const;
const agent = (details: ToldTurn['details'] = {}) => ({ role: 'agent', text: 'Yes?', details }) as const;
const told = (turns: readonly ToldTurn[], ending = CALLER, rules: AfterCallRules = {}) =>
  analysisOfTurns({ ...AGENT, afterCall: rules }, turns, ending);

const asked = caller('cancel it', { understood: true, meant: ['intent:cancel'], flow: 'cancel' });
const given = caller('4521', { understood: true, flow: 'cancel', slots: { order: '4521' } });
const done = caller('yes', { understood: true, flow: 'cancel', slots: { order: '4521' }, done: ['cancel'] });
const left = caller('forget it', { understood: true, meant: ['stock:cancel'] });
const question = caller('do you deliver', { understood: true, meant: ['knowledge:0'] });

interface Came {
  readonly name: string;
  readonly turns: readonly Omit<ToldTurn, 'index'>[];
  readonly ending?: CallEnding;
  readonly result: string;
}

describe('what a call came to, by its dialogue', () => {
  it.each<Came>([
    { name: 'something was done', turns: [asked, given, done], result: 'done' },
    { name: 'and then a person took it', turns: [asked, given, done], ending: THROUGH, result: 'transferred' },
    { name: 'the caller hung up in the middle', turns: [asked, given], result: 'hung-up' },
    { name: 'the agent ended it in the middle', turns: [asked, given], ending: BY_AGENT, result: 'given-up' },
    { name: 'the caller left it', turns: [asked, given, left], result: 'given-up' },
    { name: 'a question was answered', turns: [question], result: 'answered' },
    {
      ...{ name: 'a wish that has an answer', result: 'answered' },
      turns: [caller('when', { understood: true, meant: ['intent:hours'] })],
    },
    { name: 'nobody took it', turns: [left, agent({ action: 'transfer' })], result: 'unreached' },
    { name: 'nothing was understood', turns: [caller('hm', { understood: false })], result: 'not-understood' },
    { name: 'nothing was said', turns: [agent()], ending: BY_AGENT, result: 'nothing-said' },
    { name: 'a greeting, and nothing else', turns: [caller('hi', { understood: true })], result: 'hung-up' },
    { name: 'a model spoke for itself', turns: [caller('hi'), agent()], result: 'answered' },
    { name: 'a machine', turns: [agent()], ending: { ...CALLER, answeredBy: 'machine' }, result: 'machine' },
    { name: 'a fault', turns: [asked], ending: { party: 'network', reason: 'media-timeout' }, result: 'failed' },
    {
      ...{ name: 'a fault after all was done', result: 'done' },
      ...{ turns: [asked, done], ending: { party: 'gateway', reason: 'interrupted' } },
    },
    {
      ...{ name: 'a tool that did not work', result: 'given-up' },
      turns: [asked, done, agent({ tools: [{ tool: 'POST https://x/', outcome: 'timeout', ms: 1 }] })],
      ending: BY_AGENT,
    },
    {
      ...{ name: 'a tool that worked', result: 'done' },
      turns: [asked, done, agent({ tools: [{ tool: 'POST https://x/', outcome: 'ok', ms: 1 }] })],
    },
  ])('$name: $result', ({ turns, ending, result }) => {
    expect(told(turnsOf(...turns), ending)?.outcome).toBe(result);
  });

  it('is nothing where the agent has nothing written down', () => {
    expect(analysisOfTurns(AGENT, turnsOf(asked, done), CALLER)).toBeUndefined();
  });
});

describe('the outcomes of an agent', () => {
  const rules = (...outcomes: NonNullable<AfterCallRules['outcomes']>) => ({ outcomes });
  const outcome = (rule: AfterCallRules, turns = [asked, given, done], ending = CALLER) =>
    told(turnsOf(...turns), ending, rule)?.outcome;

  it('are tried in order, and all that one names must be so', () => {
    const cancelled = { name: 'cancelled', label: { en: 'Cancelled' }, done: ['cancel'] };
    expect(told(turnsOf(asked, done), CALLER, rules(cancelled))).toMatchObject({
      outcome: 'cancelled',
      label: { en: 'Cancelled' },
    });
    expect(outcome(rules({ name: 'wanted', meant: ['cancel'] }, cancelled))).toBe('wanted');
    expect(outcome(rules({ ...cancelled, result: ['transferred'] }))).toBe('done');
    expect(outcome(rules({ ...cancelled, result: ['transferred'] }), [asked, done], THROUGH)).toBe('cancelled');
    expect(outcome(rules({ ...cancelled, meant: ['track'] }))).toBe('done');
    expect(
      outcome(rules({ name: 'complaint', meant: ['complaint'] }), [caller('!', { meant: ['trouble:complaint'] })]),
    ).toBe('complaint');
  });

  it('leave one without a condition to a model', () => {
    expect(outcome(rules({ name: 'callback', means: 'Wants to be called.' }))).toBe('done');
  });

  it('go by what was changed last, whatever was looked up after that', () => {
    const tracked = caller('0001', { understood: true, flow: 'track', slots: { order: '0001' }, done: ['track'] });
    const both = rules({ name: 'tracked', done: ['track'] }, { name: 'cancelled', done: ['cancel'] });
    expect(outcome(both, [asked, done, tracked])).toBe('cancelled');
    expect(outcome(both, [tracked])).toBe('tracked');
  });
});

describe('values that are written down', () => {
  it('are those that something was done with, with the words they came with', () => {
    expect(told(turnsOf(asked, given, agent(), done), CALLER, { fields: FIELDS })?.fields).toEqual([
      { name: 'order', value: '4521', turn: 1, words: '4521' },
    ]);
  });

  it('rest on the words of their correction', () => {
    const corrected = caller('no, 4522', { understood: true, flow: 'cancel', slots: { order: '4522' } });
    const yes = caller('yes', { understood: true, flow: 'cancel', slots: { order: '4522' }, done: ['cancel'] });
    expect(told(turnsOf(asked, given, corrected, yes), CALLER, { fields: FIELDS })?.fields).toEqual([
      { name: 'order', value: '4522', turn: 2, words: 'no, 4522' },
    ]);
  });

  it('are not those of something that was left, or only begun, unless they were agreed by themselves', () => {
    expect(told(turnsOf(asked, given, left), CALLER, { fields: FIELDS })?.fields).toEqual([]);
    expect(told(turnsOf(asked, given), CALLER, { fields: FIELDS })?.fields).toEqual([]);
    const agreed = caller('yes', { understood: true, flow: 'cancel', slots: { order: '4521' }, confirmed: ['order'] });
    expect(told(turnsOf(asked, given, agreed), CALLER, { fields: FIELDS })?.fields).toMatchObject([{ value: '4521' }]);
  });

  it('are of what was done, where something else is under way by the end of that turn', () => {
    const both = caller('yes, and where is the other', {
      ...{ understood: true, flow: 'track', slots: { order: '7777' }, done: ['cancel'], settled: { order: '4521' } },
    });
    const analysis = told(turnsOf(asked, given, both), CALLER, { fields: FIELDS });
    expect([analysis?.outcome, analysis?.fields[0]?.value]).toEqual(['done', '4521']);
  });

  it('have the name and label of their field', () => {
    const fields = [{ name: 'number', label: { en: 'Order' }, type: 'digits', from: 'order' }] as const;
    expect(told(turnsOf(asked, done), CALLER, { fields })?.fields[0]).toMatchObject({
      name: 'number',
      label: { en: 'Order' },
    });
  });
});

describe('a summary', () => {
  const summary = (turns: readonly Omit<ToldTurn, 'index'>[], ending = CALLER, rules: AfterCallRules = {}) =>
    told(turnsOf(...turns), ending, { ...rules, summary: true })?.summary;

  it('tells what it was about and what came of it', () => {
    const dated = { understood: true, flow: 'cancel', slots: { order: '4521', date: '2026-11-26' }, done: ['cancel'] };
    expect(summary([asked, caller('yes', dated)], CALLER, { fields: [{ ...FIELDS[0], label: { en: 'Order' } }] })).toBe(
      'The call was about cancelling an order. It was done (Order: 4521; Thursday, November 26, 2026).',
    );
    expect(summary([question])).toBe('The caller asked: do you deliver? It was answered.');
    expect(summary([caller('!', { meant: ['trouble:complaint'] })], THROUGH)).toBe(
      'The caller complained. The caller was put through to a person.',
    );
    expect(summary([])).toBe('The caller said nothing.');
    expect(told(turnsOf(asked))?.summary).toBeUndefined();
  });

  it('has the words of callers as they are, whatever signs they hold', () => {
    const odd = { understood: true, flow: 'cancel', slots: { order: '$& {values} $1' }, done: ['cancel'] };
    expect(summary([asked, caller('x', odd)])).toContain('($& {values} $1)');
  });
});

it('takes in a call of any length with little', () => {
  const many = Array.from({ length: 5_000 }, (_, n) =>
    caller(`no ${n}`, {
      understood: true,
      flow: `f${n}`,
      slots: { order: `${n}` },
      done: [`f${n}`],
      meant: [`intent:i${n}`],
    }),
  );
  const analysis = told(turnsOf(...many), CALLER, { fields: FIELDS, summary: true });
  expect(analysis).toMatchObject({ outcome: 'done', by: 'dialogue' });
  expect(JSON.stringify(analysis).length).toBeLessThan(2_000);
});
