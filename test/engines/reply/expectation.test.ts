import { describe, expect, it } from 'vitest';
import type { Turn } from '../../../src/engines/reply/contract.ts';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { agentFromConfig, compiledAgents, unruled } from '../../support/reply-agents.ts';
import { Conversation } from '../../support/reply-conversation.ts';

const engine = createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents });
const delivery = unruled(agentFromConfig('delivery-en'));
const clinic = unruled(agentFromConfig('clinic-ar'));

async function historyOf(
  agent: typeof delivery,
  mode: 'voice' | 'keypad',
  ...said: readonly string[]
): Promise<Turn[]> {
  const conversation = new Conversation(engine, agent, mode);
  for (const text of said) await conversation.say(text);
  return conversation.history;
}

describe('what the recogniser is told', () => {
  it.each([
    { name: 'at the start', said: [], first: 'free', has: ['digits', 'date', 'phone'] },
    { name: 'an order number', said: ['track my order'], first: 'digits', has: [] },
    { name: 'a date', said: ['I missed my delivery', '4521'], first: 'date', has: ['digits'] },
    { name: 'a choice', said: ['I missed my delivery', '4521', 'tomorrow'], first: 'free', has: ['date'] },
    { name: 'a read-back', said: ['cancel order 4521'], first: 'yesno', has: ['digits'] },
    {
      name: 'a phone number in a read-back',
      said: ['my package is damaged', '4521', 'yes', '0551234567'],
      first: 'yesno',
      has: ['phone'],
    },
    { name: 'an address', said: ['change my address', '4521'], first: 'free', has: ['digits'] },
  ])('$name: $first', async ({ said, first, has }) => {
    const { hints } = engine.expects(delivery, await historyOf(delivery, 'voice', ...said), {});
    expect(hints.expect[0]).toBe(first);
    expect(hints.expect).toEqual(expect.arrayContaining(has));
  });

  it('is one list for all calls that are at the same point, and another one elsewhere', async () => {
    const phrases = async (...said: string[]) =>
      engine.expects(delivery, await historyOf(delivery, 'voice', ...said), {}).hints.phrases;
    expect(await phrases()).toBe(await phrases());
    expect(await phrases('track my order')).toBe(await phrases('track my order'));
    expect(await phrases('track my order')).not.toEqual(await phrases());
  });

  it('every example sentence, label, question, end phrase and yes/no is there', () => {
    const { phrases } = engine.expects(delivery, [], {}).hints;
    for (const phrase of [
      'where is my order',
      'tracking an order',
      'how can i pay',
      'that is all',
      'yes',
      'nope',
      'repeat that',
    ]) {
      expect(phrases).toContain(phrase);
    }
    expect(new Set(phrases).size).toBe(phrases.length);
    expect(phrases.length).toBeLessThanOrEqual(500);
  });

  it('phrases of the delivery line are plain words, as a grammar needs them', () => {
    for (const phrase of engine.expects(delivery, [], {}).hints.phrases) expect(phrase).toMatch(/^[A-Za-z' ]+$/);
  });

  it('whole sentences are one list for all that is asked: what was written for the wishes, the questions and the tables', async () => {
    const [first, later] = [[], ['track my order']].map(async (said) => {
      const { hints } = engine.expects(delivery, await historyOf(delivery, 'voice', ...said), {});
      return hints.sentences;
    });
    const sentences = await first!;
    expect(await later).toBe(sentences);
    const { intents = [], knowledge = [], sentences: own = {} } = delivery.definition;
    expect(sentences).toEqual(
      expect.arrayContaining([...(intents[0]?.examples.en ?? []), ...Object.values(own).flat()]),
    );
    expect(sentences).toEqual(
      expect.arrayContaining([...(knowledge[0]?.question.en ?? []), 'Sara Naser', 'speak to a human']),
    );
  });

  it.each([
    { name: 'of what is asked', said: ['track my order'] },
    { name: 'of all numbers, where nothing is asked', said: [] },
  ])('the digits $name', async ({ said }) => {
    const { hints } = engine.expects(delivery, await historyOf(delivery, 'voice', ...said), {});
    expect(hints.digits).toBe(4);
  });

  it('choices come first while one is asked for', async () => {
    const history = await historyOf(delivery, 'voice', 'I missed my delivery', '4521', 'tomorrow');
    expect(engine.expects(delivery, history, {}).hints.phrases[0]).toBe('in the morning');
  });

  it('leaving is offered in a flow, not before', async () => {
    expect(engine.expects(delivery, [], {}).hints.phrases).not.toContain('never mind');
    const history = await historyOf(delivery, 'voice', 'track my order');
    expect(engine.expects(delivery, history, {}).hints.phrases).toContain('never mind');
  });

  it('an Arabic agent gives Arabic phrases only', () => {
    for (const phrase of engine.expects(clinic, [], {}).hints.phrases) expect(phrase).toMatch(/[\u0600-\u06ff]/);
  });
});

describe('how keys are gathered', () => {
  it.each([
    { name: 'menu', said: [], maxDigits: 1 },
    { name: 'service menu', said: ['1'], maxDigits: 1 },
    { name: 'date', said: ['1', '2'], maxDigits: 4 },
    { name: 'time', said: ['1', '2', '2'], maxDigits: 4 },
    { name: 'phone', said: ['1', '2', '2', '1630'], maxDigits: 15 },
    { name: 'read-back', said: ['1', '2', '2', '1630', '0551234567'], maxDigits: 1 },
  ])('$name: $maxDigits', async ({ said, maxDigits }) => {
    const { collect } = engine.expects(clinic, await historyOf(clinic, 'keypad', ...said), {});
    expect(collect).toMatchObject({ maxDigits, terminator: '#' });
  });

  it('an order number is complete at its last digit', async () => {
    const history = await historyOf(delivery, 'keypad', '1');
    expect(engine.expects(delivery, history, {}).collect).toMatchObject({ minDigits: 4, maxDigits: 4 });
  });
});
