import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../../src/core/agent.ts';
import type { ReplyEvent, Turn } from '../../../src/engines/reply/contract.ts';
import { ScriptedReplies } from '../../../src/engines/reply/scripted.ts';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import { replyConformance } from '../../conformance/reply.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { EVERY_TEST, LONG, someOf } from '../../support/property-runs.ts';
import { agentOf, compiledAgents, plainAgent } from '../../support/reply-agents.ts';
import { Conversation } from '../../support/reply-conversation.ts';

const delivery = plainAgent('delivery-en');
const clinic = plainAgent('clinic-ar');
const make = () => createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents });

replyConformance('scripted-dialogue, English', { make, agent: delivery, text: 'track my order' });
replyConformance('scripted-dialogue, Arabic', { make, agent: clinic, text: 'ابغى احجز موعد' });

const MINIMAL: AgentDefinition = {
  name: 'Minimal',
  language: 'en-US',
  voice: 'emma',
  model: 'sada-1',
  greeting: { en: 'Hello.' },
};

replyConformance('scripted', {
  make: () => new ScriptedReplies([{ text: 'Yes.' }]),
  agent: agentOf(MINIMAL),
  text: 'anything',
});

describe('scripted dialogue: what is said', () => {
  it('fills the greeting, and closes the gap of a missing variable', () => {
    const engine = make();
    expect(engine.greeting(delivery, { customer_name: 'Sara' }, 'voice')).toMatch(/^Hello Sara, this is Emma/);
    expect(engine.greeting(delivery, {}, 'voice')).toMatch(/^Hello, this is Emma/);
  });

  it('greets with the menu on keys, a person on zero', () => {
    const english = make().greeting(delivery, {}, 'keypad');
    expect(english).toContain('For tracking an order, press 1.');
    expect(english).toContain('On this line I take keys only.');
    expect(english).toContain('press zero');
    const arabic = make().greeting(clinic, {}, 'keypad');
    expect(arabic).toContain('لحجز موعد، اضغط واحد.');
    expect(arabic).toContain('اضغط صفر');
  });

  it('says five choices of the keys at once, more on nine, and not again into everything', async () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
    const intents = names.map((name) => ({
      ...{
        name,
        label: { en: name },
        examples: { en: [`tell me ${name}`] },
        answer: { en: `It is ${name}.` },
      },
    }));
    const agent = agentOf({ ...MINIMAL, intents });
    const engine = make();
    const history: Turn[] = [{ role: 'agent', text: engine.greeting(agent, {}, 'keypad') }];
    const answers: string[] = [];
    for (const [input, text] of [
      ['keypad', '9'],
      ['keypad', '9'],
      ['keypad', '7'],
      ['silence', ''],
      ['keypad', '*'],
    ] as const) {
      let said = '';
      const request = {
        agent,
        text,
        input,
        mode: 'keypad',
        confidence: 1,
        history: [...history],
        variables: {},
      } as const;
      for await (const event of engine.reply(request, new AbortController().signal)) {
        if (event.type === 'text') said += `${event.text} `;
      }
      if (text !== '') history.push({ role: 'caller', text });
      history.push({ role: 'agent', text: said.trim() });
      answers.push(said.trim());
    }
    expect(history[0]!.text).toMatch(/For five, press 5\. For more, press nine\./);
    expect(history[0]!.text).not.toContain('For six');
    expect(answers[0]).toMatch(/^For six, press 6\. For seven, press 7\. .*To hear this again, press nine\.$/);
    expect(answers[1]).toMatch(/^For one, press 1\..*For more, press nine\./);
    expect(answers[2]).toBe('It is seven. Please use the keys: nine for the choices, zero for a person.');
    expect(answers[3]).toMatch(/Please use the keys: nine for the choices, zero for a person\.$/);
    expect(answers[3]).not.toContain('For one,');
    expect(answers[4]).toMatch(/^For one, press 1\./);
  });

  it('streams sentence by sentence', async () => {
    const texts: string[] = [];
    for await (const event of make().reply(
      {
        agent: delivery,
        text: 'track order 4521',
        input: 'speech',
        mode: 'voice',
        confidence: 1,
        history: [],
        variables: {},
      },
      new AbortController().signal,
    )) {
      if (event.type === 'text') texts.push(event.text);
    }
    expect(texts).toEqual([
      'Order 4 5 2 1, a coffee machine, is on its way.',
      'It will be with you tomorrow before noon.',
      'Is there anything else?',
    ]);
  });

  it('answers in the language of the caller where the agent has it', async () => {
    const agent = agentOf({
      ...MINIMAL,
      greeting: { en: 'Hello.', ar: 'مرحبا.' },
      knowledge: [
        { question: { en: ['when are you open'], ar: ['متى تفتحون'] }, answer: { en: 'At nine.', ar: 'الساعة تسع.' } },
      ],
    });
    const conversation = new Conversation(make(), agent);
    expect((await conversation.say('when are you open')).text).toBe('At nine.');
    expect((await conversation.say('متى تفتحون')).text).toBe('الساعة تسع.');
    expect((await conversation.say('when are you open')).text).toBe('At nine.');
  });

  it('keeps its own language for a caller whose language it lacks', async () => {
    const { text } = await new Conversation(make(), clinic).say('where are you located');
    expect(text).toContain('العليا');
  });

  it('never makes up a missing value', async () => {
    const agent = agentOf({
      ...MINIMAL,
      knowledge: [
        { question: { en: ['what is my balance'] }, answer: { en: 'Your balance is {{balance}} riyals.' } },
        {
          question: { en: ['who is my driver'] },
          answer: { en: 'Your driver is {{driver}}. He calls before he comes.' },
        },
      ],
    });
    const conversation = new Conversation(make(), agent);
    expect((await conversation.say('what is my balance')).text).toBe('I am sorry, I do not have that information.');
    expect((await conversation.say('who is my driver')).text).toBe('He calls before he comes.');
    const known = new Conversation(make(), agent, 'voice', { balance: '40' });
    expect((await known.say('what is my balance')).text).toBe('Your balance is 40 riyals.');
  });

  it('asks back between two wishes that are close, and takes the answer', async () => {
    const agent = agentOf({
      ...MINIMAL,
      intents: [
        {
          name: 'home',
          label: { en: 'home insurance' },
          examples: { en: ['home insurance'] },
          answer: { en: 'Home it is.' },
        },
        {
          name: 'car',
          label: { en: 'car insurance' },
          examples: { en: ['car insurance'] },
          answer: { en: 'Car it is.' },
        },
      ],
    });
    const done = { home: 'Home it is.', car: 'Car it is.' };
    for (const [answer, expected] of [
      ['the home one', () => done.home],
      ['the first one', (first: 'home' | 'car') => done[first]],
      ['the second', (first: 'home' | 'car') => done[first === 'home' ? 'car' : 'home']],
      ['car insurance', () => done.car],
    ] as const) {
      const conversation = new Conversation(make(), agent);
      // Neither is nearer: which is named first means nothing.
      const { text } = await conversation.say('insurance');
      const [, first, second] = /^Did you mean (home|car) insurance, or (home|car) insurance\?$/.exec(text) ?? [];
      expect([first, second].sort()).toEqual(['car', 'home']);
      expect((await conversation.say(answer)).text).toBe(expected(first as 'home' | 'car'));
    }
  });

  it('with nothing but a greeting it still ends politely', async () => {
    const conversation = new Conversation(make(), agentOf(MINIMAL));
    await conversation.say('something');
    await conversation.say('something else');
    expect((await conversation.say('and more')).action).toEqual({ type: 'hangup' });
  });

  it('a transfer without a target is not promised', async () => {
    const conversation = new Conversation(make(), agentOf(MINIMAL));
    const { text, action } = await conversation.say('talk to a human');
    expect(text).toContain('nobody is available');
    expect(action).toBeUndefined();
  });

  it("fails with the catalogue's errors: closed, and with an agent that makes no sense", async () => {
    const closed = make();
    await closed.close();
    expect(closed.available().ok).toBe(false);
    await expect(new Conversation(closed, delivery).say('hello')).rejects.toMatchObject({ code: 'unavailable' });
    const broken = agentOf({ ...MINIMAL, intents: [null] } as unknown as AgentDefinition);
    const request = {
      agent: broken,
      text: 'x',
      input: 'speech',
      mode: 'voice',
      confidence: 1,
      history: [],
      variables: {},
    } as const;
    const reply = make().reply(request, new AbortController().signal)[Symbol.asyncIterator]();
    await expect(reply.next()).rejects.toMatchObject({ code: 'reply_failed' });
  });

  it('keeps to maxReplyChars', async () => {
    const agent = agentOf({
      ...MINIMAL,
      maxReplyChars: 40,
      knowledge: [
        {
          question: { en: ['tell me the story'] },
          answer: { en: 'One sentence here. Another sentence here. And a third.' },
        },
      ],
    });
    expect((await new Conversation(make(), agent).say('tell me the story')).text).toBe('One sentence here.');
  });
});

/** Each turn of a history is heard once more: as many as are looked at, or enough for each kind of turn. */
const HOSTILE_TURNS = LONG ? 20 : 4;

const KINDS_OF_TEXT = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.constantFrom(
    'yes',
    'no',
    'track order 4521',
    '4521',
    '0',
    '9',
    '*',
    '#',
    '',
    'cancel',
    'human',
    'لا',
    'ابغى',
    '?',
    'next monday at 3',
    'bye',
  ),
);

describe.each([
  ['delivery-en', delivery],
  ['clinic-ar', clinic],
] as const)('%s: whatever is said', (_, agent) => {
  const engine = make();
  const ask = async (text: string, history: readonly Turn[], mode: 'voice' | 'keypad'): Promise<ReplyEvent[]> => {
    const events: ReplyEvent[] = [];
    const input = text === '' ? ('silence' as const) : ('speech' as const);
    const request = { agent, text, input, mode, confidence: 1, history, variables: {} };
    for await (const event of engine.reply(request, new AbortController().signal)) events.push(event);
    return events;
  };
  const turns = fc.array(
    fc.record({ role: fc.constantFrom('caller' as const, 'agent' as const), text: KINDS_OF_TEXT }),
    { maxLength: 12 },
  );

  it('never throws, always says something, and says the same the second time', async () => {
    await fc.assert(
      fc.asyncProperty(
        KINDS_OF_TEXT,
        turns,
        fc.constantFrom('voice' as const, 'keypad' as const),
        async (text, history, mode) => {
          const first = await ask(text, history, mode);
          expect(first.some((event) => event.type === 'text')).toBe(true);
          expect(await ask(text, history, mode)).toEqual(first);
          expect(engine.expects(agent, history, {}).collect.maxDigits).toBeGreaterThan(0);
        },
      ),
      { numRuns: EVERY_TEST ? 60 : 20 },
    );
  });

  // What is hostile is so in either language.
  it.runIf(EVERY_TEST || agent === delivery).each(
    someOf(
      [
        ['one long word', 'a'.repeat(4_000)],
        ['thousands of digits', '12 '.repeat(1_333)],
        ['thousands of number words', 'five hundred and '.repeat(235)],
        ['Arabic numbers', 'خمسة وعشرين الف '.repeat(250)],
        ['wishes over and over', 'cancel my order track my order '.repeat(130)],
        ['brackets', '{{order}} '.repeat(400)],
        ['unknown words', Array.from({ length: 660 }, (_, i) => `w${i}x${i}`).join(' ')],
        ['expanding characters', 'ﷺ'.repeat(4_000)],
        ['combining marks', `a${'\u0301'.repeat(3_999)}`],
        ['far too long', 'track my order '.repeat(50_000)],
        ['NULs', '\0'.repeat(4_000)],
        ['halves of surrogate pairs', '\ud800'.repeat(4_000)],
      ],
      4,
    ),
  )('takes %s, also over and over in the history', async (_name, text) => {
    const history: Turn[] = Array.from({ length: HOSTILE_TURNS }, (_, i) => ({
      role: i % 2 === 0 ? 'agent' : 'caller',
      text,
    }));
    expect((await ask(text, history, 'voice')).length).toBeGreaterThan(0);
  });
});
