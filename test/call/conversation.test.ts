import { describe, expect, it } from 'vitest';
import type { ConversationDeps } from '../../src/call/conversation.ts';
import type { ReplyEvent } from '../../src/engines/reply/contract.ts';
import { AGENT, rig } from '../support/conversation-rig.ts';

describe('a conversation', () => {
  it('greets, listens, answers, and measures the answer', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(1000);
    expect(r.conversation.state).toBe('listening');
    await r.say('where is my order');
    await r.silence(1500);
    expect(r.said()).toEqual([
      'agent: Hello there, how can I help?',
      'caller: where is my order',
      'agent: You said where is my order.',
    ]);
    const [greeting, caller, answer] = r.turns;
    expect(greeting!.charge).toEqual({ reply: false, characters: 28, model: 'sada-1' });
    expect(caller).toMatchObject({ index: 1, startedMs: 980, heardMs: 800 });
    expect(answer!.charge!.reply).toBe(true);
    // 500 ms of endpointing after the end of speech, then the next tick.
    expect(answer!.latencyMs).toBeGreaterThanOrEqual(500);
    expect(answer!.latencyMs).toBeLessThanOrEqual(560);
  });

  it('joins what is said in two breaths into one turn', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(1000);
    await r.say('I want to');
    await r.silence(1000);
    await r.say('cancel my order');
    await r.silence(1500);
    expect(r.requests.map((request) => request.text)).toEqual(['I want to cancel my order']);
  });

  it('is interrupted by speech, and keeps only what was heard', async () => {
    const r = rig({
      answer: () => [{ type: 'text', text: 'one two three four five six seven eight nine ten', language: 'en' }],
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('tell me');
    await r.silence(900); // 500 ms of endpointing, then some words
    expect(r.conversation.state).toBe('speaking');
    const spokenMs = r.clock.nowMs();
    await r.say('no wait stop', 700);
    expect(r.port.writtenSamples - r.port.playedSamples).toBe(0);
    await r.silence(1500);
    const cut = r.turns.find((turn) => turn.role === 'agent' && turn.text.startsWith('one'))!;
    expect(cut.text.split(' ').length).toBeGreaterThan(3);
    expect(cut.text.split(' ').length).toBeLessThan(10);
    expect(r.requests[1]!.text).toBe('no wait stop');
    expect(r.turns.find(({ text }) => text === 'no wait stop')).toMatchObject({
      startedMs: spokenMs - 20,
      heardMs: 700,
    });
    expect((await r.metrics.bargeIns.get()).values[0]!.value).toBe(1);
    expect(r.requests[1]!.history.at(-1)).toEqual({ role: 'agent', text: cut.text });
  });

  it('is not interrupted by a listening noise', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(100);
    await r.say('okay', 300);
    await r.silence(1000);
    expect(r.requests).toEqual([]);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?']);
  });

  it.each([
    { name: 'takes "yes" over the last words of a question as the answer', expect: ['yesno'], taken: ['yeah'] },
    { name: 'takes it for a listening noise where no yes or no was asked for', expect: ['digits'], taken: [] },
  ] as const)('$name', async ({ expect: kinds, taken }) => {
    const greeting = { en: 'Hello there, shall I tell you now where your order has got to?' };
    const agent = { ...AGENT, definition: { ...AGENT.definition, greeting } };
    const r = rig({ expect: kinds, agent });
    r.conversation.greet();
    await r.silence(500);
    await r.say('yeah', 300);
    await r.silence(300);
    expect(r.conversation.state).toBe('speaking');
    await r.silence(2000);
    expect(r.requests.map((request) => request.text)).toEqual(taken);
    expect(r.said()[0]).toBe(`agent: ${greeting.en}`);
  });

  it('waits for what the agent asked last, and tells the recogniser', async () => {
    const r = rig({ expect: (turns) => (turns === 3 ? ['digits'] : []) });
    r.conversation.greet();
    await r.silence(1000);
    expect(r.stt().hints.map(({ expect: kinds }) => kinds)).toEqual([[]]);
    await r.say('where is my order');
    await r.silence(1500);
    expect(r.stt().hints.at(-1)!.expect).toEqual(['digits']);
    await r.say('12');
    await r.silence(1000); // half a number is worse than a moment's wait
    expect(r.requests.length).toBe(1);
    await r.silence(2200);
    expect(r.requests.at(-1)!.text).toBe('12');
  });

  it('goes on with the cut sentence when the interruption was nothing', async () => {
    const r = rig({ answer: () => [{ type: 'text', text: 'It comes today or at noon tomorrow.', language: 'en' }] });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('where is my order');
    for (let waitedMs = 0; waitedMs < 4000 && r.conversation.state !== 'speaking'; waitedMs += 20) await r.silence(20);
    await r.say('', 700); // a long cough
    await r.silence(4000);
    expect(r.requests.length).toBe(1);
    const answers = r.said().slice(2);
    expect(answers.length).toBe(2);
    expect(answers.join(' ').replace(/agent: /g, '')).toBe('It comes today or at noon tomorrow.');
  });

  it.each([420, 440, 460, 480])('does not begin its answer over the first sound after a pause of %i ms', async (ms) => {
    const r = rig();
    r.conversation.greet();
    await r.silence(1000);
    await r.say('my parcel is wet');
    await r.silence(ms);
    await r.say('and torn');
    await r.silence(1500);
    expect(r.requests.map(({ text }) => text)).toEqual(['my parcel is wet and torn']);
  });

  it('gives the turn back when the caller goes on before the answer', async () => {
    let release: (() => void) | undefined;
    const r = rig({ answer: () => [] });
    r.conversation.greet();
    await r.silence(1000);
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const reply = (r.conversation as unknown as { deps: { reply: { reply: unknown } } }).deps.reply;
    const asked: string[] = [];
    reply.reply = async function* (request: { text: string }) {
      asked.push(request.text);
      if (asked.length === 1) await slow;
      yield { type: 'text', text: 'done', language: 'en' };
    };
    await r.say('cancel my order');
    await r.silence(900);
    expect(r.conversation.state).toBe('thinking');
    await r.say('number five');
    await r.silence(1500);
    release?.();
    await r.silence(500);
    expect(asked).toEqual(['cancel my order', 'cancel my order number five']);
    expect(r.said().filter((line) => line.startsWith('caller'))).toEqual(['caller: cancel my order number five']);
  });

  it('does not answer while the caller goes on, even if the answer is there by then', async () => {
    let release = (): void => {};
    const r = rig({
      answerAfter: new Promise((resolve) => {
        release = resolve;
      }),
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('cancel my order');
    await r.silence(800);
    expect(r.conversation.state).toBe('thinking');
    const { writtenSamples } = r.port;
    await r.say('number five', 300);
    release();
    await r.say('and six', 1000);
    expect(r.port.writtenSamples).toBe(writtenSamples);
    await r.silence(1500);
    expect(r.said().slice(1)).toEqual([
      'caller: cancel my order number five and six',
      'agent: You said cancel my order number five and six.',
    ]);
  });

  it('answers keys in place of what was being answered', async () => {
    let release = (): void => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const r = rig({
      collectDigits: 1,
      synthesize: async function* (text) {
        if (text.includes('order')) await slow;
        for (const _ of text.split(' ')) yield new Int16Array(800).fill(1);
      },
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('where is my order');
    await r.silence(800);
    expect(r.conversation.state).toBe('thinking');
    r.conversation.onDigit('7');
    await r.silence(1000);
    release();
    await r.silence(3000);
    expect(r.said().slice(1)).toEqual(['caller: 7', 'agent: You said 7.']);
  });

  it('counts reminders anew once the caller spoke', async () => {
    const r = rig({
      answer: ({ input }) => [{ type: 'text', text: input === 'silence' ? 'Still there?' : 'Right.', language: 'en' }],
    });
    r.conversation.greet();
    await r.silence(24_000);
    expect(r.requests.map(({ input }) => input)).toEqual(['silence', 'silence']);
    await r.say('yes I am');
    await r.silence(28_000);
    expect(r.requests.slice(3).map(({ input }) => input)).toEqual(['silence', 'silence', 'silence']);
    expect(r.ends).toEqual([]);
    await r.silence(12_000);
    expect(r.ends).toEqual([{ party: 'gateway', reason: 'no-input' }]);
  });

  it('knows when the caller began, also before there was anything to interrupt', async () => {
    let release = (): void => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const r = rig({
      synthesize: async function* (text) {
        await slow;
        for (const _ of text.split(' ')) yield new Int16Array(800).fill(1);
      },
    });
    r.conversation.greet();
    await r.silence(200);
    await r.say('where is', 300);
    release();
    await r.say('my order', 500);
    await r.silence(2000);
    expect(r.requests.map(({ text }) => text)).toEqual(['where is my order']);
    expect(r.turns.find(({ role }) => role === 'caller')!.startedMs).toBe(180);
  });

  it('does not come back to what was interrupted by words', async () => {
    const r = rig({ answer: () => [{ type: 'text', text: 'Fine.', language: 'en' }] });
    r.conversation.greet();
    await r.silence(100);
    await r.say('no wait stop', 700);
    await r.silence(6000);
    expect(r.said().slice(1)).toEqual(['caller: no wait stop', 'agent: Fine.']);
  });

  it('collects keys into a turn and is interrupted by them', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(200);
    for (const key of '159#') {
      r.conversation.onDigit(key);
      await r.silence(100);
    }
    await r.silence(1000);
    expect(r.requests.map(({ text, input }) => ({ text, input }))).toEqual([{ text: '159', input: 'keypad' }]);
    expect(r.said()[1]).toBe('caller: 159');
  });

  it('is not interrupted by the # that follows a number complete without it', async () => {
    const r = rig({ collectDigits: 4 });
    r.conversation.greet();
    await r.silence(1_000);
    for (const key of '4521') r.conversation.onDigit(key);
    await r.silence(300);
    expect(r.conversation.state).toBe('speaking');
    r.conversation.onDigit('#');
    await r.silence(3_000);
    expect(r.requests.map(({ text }) => text)).toEqual(['4521']);
    expect(r.said().at(-1)).toBe('agent: You said 4521.');
    r.conversation.onDigit('#'); // later, or a second time, it is a key
    await r.silence(4_000);
    expect(r.requests.map(({ text }) => text)).toEqual(['4521', '#']);
  });

  it.each([
    { name: 'after its question', waitMs: 3_000 },
    { name: 'over its question', waitMs: 400 },
  ])('gathers as many keys as the answer asked for, keyed $name', async ({ waitMs }) => {
    const collect = { type: 'collect', maxDigits: 6, terminator: '#', timeoutMs: 3_000 } as const;
    const answers: ReplyEvent[] = [
      { type: 'text', text: 'Please key the six digits.', language: 'en' },
      { type: 'action', action: collect },
    ];
    const r = rig({ collectDigits: 1, answer: () => answers });
    r.conversation.greet();
    await r.silence(3_000);
    r.conversation.onDigit('5');
    await r.silence(waitMs);
    for (const key of '123456') {
      r.conversation.onDigit(key);
      await r.silence(100);
    }
    await r.silence(1_000);
    expect(r.requests.map(({ text }) => text)).toEqual(['5', '123456']);
  });

  it('climbs the no-input ladder and ends politely', async () => {
    const r = rig({ answer: () => [{ type: 'text', text: 'Are you there?', language: 'en' }] });
    r.conversation.greet();
    await r.silence(40_000);
    expect(r.requests.map((request) => request.input)).toEqual(['silence', 'silence', 'silence']);
    expect(r.ends).toEqual([{ party: 'gateway', reason: 'no-input' }]);
    expect(r.said().at(-1)).toContain('Goodbye');
  });

  it('does not count silence on hold', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(1000);
    r.conversation.setHeld(true);
    await r.silence(30_000);
    expect(r.requests).toEqual([]);
  });

  it('hangs up only after the last word was played', async () => {
    const r = rig({
      answer: () => [
        { type: 'text', text: 'Thank you and goodbye.', language: 'en' },
        { type: 'action', action: { type: 'hangup' } },
      ],
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('that is all');
    await r.silence(660);
    expect(r.ends).toEqual([]);
    await r.silence(600);
    expect(r.ends).toEqual([{ party: 'agent', reason: 'agent-hangup' }]);
    expect(r.said().at(-1)).toBe('agent: Thank you and goodbye.');
  });

  it.each([
    [undefined, 'nobody could take the call right now. Can I help with something else?'],
    ['Which day suits you?', 'nobody could take the call right now. Let us go on. Which day suits you?'],
  ])('transfers, and goes on where it was when nobody takes the call: %s', async (resume, said) => {
    const r = rig({
      ...(resume !== undefined && { resume }),
      answer: () => [
        { type: 'text', text: 'One moment.', language: 'en' },
        { type: 'action', action: { type: 'transfer', target: 'sip:2000@127.0.0.1' } },
      ],
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('a person please');
    await r.silence(1500);
    expect(r.transfers).toEqual(['sip:2000@127.0.0.1']);
    await r.silence(3000);
    expect(r.said().at(-1)).toContain(said);
    expect(r.conversation.state).toBe('listening');
  });

  it('performs an action that comes without words', async () => {
    const r = rig({ answer: () => [{ type: 'action', action: { type: 'hangup' } }] });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('bye');
    await r.silence(1000);
    expect(r.ends).toEqual([{ party: 'agent', reason: 'agent-hangup' }]);
  });

  it('apologises when the reply fails, and gives up politely at the third time', async () => {
    const r = rig({ answer: () => new Error('model down') });
    r.conversation.greet();
    await r.silence(1000);
    for (let i = 0; i < 3; i += 1) {
      expect(r.ends).toEqual([]);
      await r.say('hello');
      await r.silence(3500);
    }
    expect(r.said().filter((line) => line.includes('I had a problem')).length).toBe(2);
    expect(r.said().filter((line) => line === 'caller: hello').length).toBe(3);
    expect(r.requests.map(({ text }) => text)).toEqual(['hello', 'hello', 'hello']);
    expect(r.said().at(-1)).toContain('technical trouble');
    const told = r.log.lines.filter(({ msg }) => msg === 'engine failed during a turn');
    expect(told.map(({ error, failures }) => `${error} ${failures}`)).toEqual([0, 1, 2].map((n) => `model down ${n}`));
    expect(r.ends).toEqual([{ party: 'gateway', reason: 'engine-failed' }]);
  });

  it('does not speak an answer that came after its apology', async () => {
    let release = (): void => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    const r = rig({
      synthesize: async function* (text) {
        if (text.startsWith('You said')) await slow;
        for (const _ of text.split(' ')) yield new Int16Array(800).fill(1);
      },
    });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('where is my order');
    await r.silence(11_000);
    expect(r.said().at(-1)).toContain('I had a problem');
    const { writtenSamples } = r.port;
    release();
    await r.silence(1000);
    expect(r.port.writtenSamples).toBe(writtenSamples);
  });

  it('forgives failures once an answer was heard', async () => {
    const r = rig({
      answer: ({ text }) => (text === 'well' ? [{ type: 'text', text: 'Good.', language: 'en' }] : new Error('down')),
    });
    r.conversation.greet();
    await r.silence(1000);
    for (const text of ['bad', 'worse', 'well', 'bad', 'worse']) {
      await r.say(text);
      await r.silence(3500);
    }
    expect(r.ends).toEqual([]);
    expect(r.said().filter((line) => line.includes('I had a problem')).length).toBe(4);
    await r.say('worst');
    await r.silence(3500);
    expect(r.ends).toEqual([{ party: 'gateway', reason: 'engine-failed' }]);
  });

  it('begins a new turn after an answer without words', async () => {
    const r = rig({ answer: () => [] });
    r.conversation.greet();
    await r.silence(1000);
    await r.say('first');
    await r.silence(1500);
    await r.say('second');
    await r.silence(1500);
    expect(r.requests.map(({ text }) => text)).toEqual(['first', 'second']);
    expect(r.said().slice(1)).toEqual(['caller: first', 'caller: second']);
  });

  it('ends when not even an apology can be spoken', async () => {
    const r = rig({ synthesisFails: true });
    r.conversation.greet();
    await r.silence(500);
    expect(r.ends).toEqual([{ party: 'gateway', reason: 'engine-failed' }]);
  });

  it('opens a failed recogniser again, and goes on by keypad when it keeps failing', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(1000);
    for (let i = 0; i < 4; i += 1) {
      r.stt().fail(new Error('crashed'));
      await r.silence(40);
    }
    expect(r.stts.length).toBe(4);
    expect(r.conversation.mode).toBe('keypad');
  });

  it('holds a call by keypad when there is no recogniser, deaf to noise', async () => {
    const r = rig({ mode: 'keypad', collectDigits: 1 });
    r.conversation.greet();
    await r.silence(100);
    for (let i = 0; i < 40; i += 1) {
      r.port.hear(20, 4000);
      await r.run(20);
    }
    await r.silence(3000);
    expect(r.requests).toEqual([]);
    expect(r.said()).toEqual(['agent: Hello there, how can I help?']);
    r.conversation.onDigit('1');
    await r.silence(1000);
    expect(r.requests.map(({ text, input, mode }) => ({ text, input, mode }))).toEqual([
      { text: '1', input: 'keypad', mode: 'keypad' },
    ]);
  });

  it('records the heard part of a sentence when the caller hangs up in it', async () => {
    const r = rig();
    r.conversation.greet();
    await r.silence(320);
    r.conversation.close();
    r.conversation.close();
    expect(r.said()).toEqual(['agent: Hello there, how']);
    expect(r.clock.pending).toBe(0);
  });

  it.each(['after its words', 'at an interruption'])(
    'ends, and harms nobody else, when an engine throws where it may not: %s',
    async (when) => {
      const r = rig();
      r.conversation.greet();
      await r.silence(200);
      const { reply } = (r.conversation as unknown as { deps: ConversationDeps }).deps;
      const fault = (): never => {
        throw new Error('poisoned');
      };
      reply.expects = fault;
      if (when === 'at an interruption') r.conversation.onDigit('1');
      else await r.silence(800);
      expect(r.ends).toEqual([{ party: 'gateway', reason: 'internal', detail: 'poisoned' }]);
      expect(r.log.lines.map(({ msg, error }) => `${msg}: ${error}`)).toContain('a conversation failed: poisoned');
    },
  );
});
