import { describe, expect, it } from 'vitest';
import type { ReplyEngine, Turn } from '../../../src/engines/reply/contract.ts';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { initialState } from '../../../src/engines/reply/dialogue-state.ts';
import { ReplayMemo, replay } from '../../../src/engines/reply/replay.ts';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { compiledAgents, openRecords, plainAgent, unruled } from '../../support/reply-agents.ts';
import { Conversation } from '../../support/reply-conversation.ts';

const delivery = unruled(plainAgent('delivery-en'));
const clinic = unruled(plainAgent('clinic-ar'));
const compiled = { delivery: compiledAgents.get(delivery), clinic: compiledAgents.get(clinic) };
const setting = { today: { year: 2026, month: 1, day: 1 }, mode: 'voice', variables: {}, trusted: true } as const;
const make = (): ReplyEngine => createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents });

const QUESTIONS = ['how much is delivery', 'when are you open'];

/** `A: …` and `C: …` lines as a history. */
function history(...lines: string[]): Turn[] {
  return lines.map((line) => ({ role: line.startsWith('C: ') ? 'caller' : 'agent', text: line.slice(3) }));
}

describe('replay of the delivery line', () => {
  it.each([
    {
      name: 'a read-back that was not heard',
      lines: [
        'C: cancel my order',
        'A: Which order shall I cancel? Please say the four digits.',
        'C: 4522 zork',
        'A: Hm.',
      ],
      state: { pending: { kind: 'slot', slot: 'order' }, flow: 'cancel', slots: {} },
    },
    {
      name: 'nothing yet',
      lines: [],
      state: { pending: { kind: 'open' }, flow: undefined, turn: 0 },
    },
    {
      name: 'only the greeting, cut by the caller',
      lines: ['A: Hello, this is Em'],
      state: { pending: { kind: 'open' }, flow: undefined },
    },
    {
      name: 'a prompt as it was said',
      lines: ['C: cancel my order', 'A: Which order shall I cancel? Please say the four digits.'],
      state: { pending: { kind: 'slot', slot: 'order' }, flow: 'cancel' },
    },
    {
      name: 'a prompt cut by barge-in',
      lines: ['C: cancel my order', 'A: Which order sh'],
      state: { pending: { kind: 'slot', slot: 'order' }, flow: 'cancel' },
    },
    {
      name: 'an answer of which nothing was heard',
      lines: ['C: cancel my order', 'C: 4522'],
      state: { pending: { kind: 'confirm-flow' }, flow: 'cancel' },
    },
    {
      name: 'one answer in three pieces',
      lines: [
        'C: how much is delivery',
        'A: Delivery in the city costs fifteen riyals.',
        'A: It is free for',
        'C: track my order',
      ],
      state: { pending: { kind: 'slot', slot: 'order' }, flow: 'track' },
    },
    {
      name: 'the beginning is missing: the prompt tells',
      lines: ['A: What is the new address?'],
      state: { pending: { kind: 'slot', slot: 'address' }, flow: 'change-address' },
    },
    {
      name: 'the beginning is missing: the read-back tells the values',
      lines: ['A: So order 4 5 2 1 comes on Friday, January 2, in the morning. Is that right?'],
      state: {
        pending: { kind: 'confirm-flow' },
        flow: 'redeliver',
        slots: { order: { value: '4521' }, date: { value: '2026-01-02' }, window: { value: 'morning' } },
      },
    },
    {
      name: 'the beginning is missing: a choice is read back in its own words',
      lines: ['A: For order 4 5 2 1, your money back, and we call you on 0 5 5, 1 2 3, 4 5 6 7. Is that correct?'],
      state: { pending: { kind: 'confirm-flow' }, slots: { replace: { value: 'no' }, phone: { value: '0551234567' } } },
    },
    {
      name: 'an answer and a question in one turn, the beginning missing',
      lines: [
        'A: We answer the phone every day from eight in the morning until ten at night. Which order shall I cancel? Please say the four digits.',
      ],
      state: { pending: { kind: 'slot', slot: 'order' }, flow: 'cancel' },
    },
    {
      name: 'the second prompt of a slot',
      lines: ['A: You can also press the four digits on your phone.'],
      state: { pending: { kind: 'slot', slot: 'order' }, attempts: 2 },
    },
    {
      name: 'a doubted wish was asked back',
      lines: ['C: cancel my order', 'A: Did you mean cancelling an order?'],
      state: { pending: { kind: 'choose', options: ['intent:cancel'] }, flow: undefined },
    },
    {
      name: 'a doubted wish was asked back, the caller’s words missing',
      lines: ['A: Did you mean tracking an order, or cancelling an order?'],
      state: { pending: { kind: 'choose', options: ['intent:track', 'intent:cancel'] } },
    },
    {
      name: 'silence was answered once',
      lines: ['A: Hello, this is Emma from Swift Delivery. How can I help you today?', 'A: Are you still there?'],
      state: { noInput: 1, pending: { kind: 'open' } },
    },
    {
      name: 'silence was answered twice',
      lines: [
        'A: Hello, this is Emma.',
        'A: Are you still there?',
        'A: I cannot hear you. You can say track my order, or press zero for a person.',
      ],
      state: { noInput: 2 },
    },
    {
      name: 'silence after an answer keeps what was done',
      lines: [
        'C: track order 4521',
        'A: Order 4 5 2 1, a coffee machine, is on its way. It will be with you tomorrow before noon. Is there anything else?',
        'A: Are you still there?',
      ],
      state: { noInput: 1, served: true, lastFlow: 'track', memory: { order: { value: '4521' } } },
    },
    {
      name: 'misunderstood once',
      lines: [
        'C: bananas',
        'A: Sorry, I did not get that. You can ask me to track an order, change an address or cancel an order.',
      ],
      state: { noMatch: 1 },
    },
    {
      name: 'words that this agent never says',
      lines: ['C: track my order', 'A: Beg your pardon, something else entirely.'],
      state: { pending: { kind: 'slot', slot: 'order' }, flow: 'track' },
    },
    {
      name: 'a finished flow leaves its number for the next',
      lines: ['C: track order 4521', 'A: Order 4 5 2 1, a coffee machine, is on its way.'],
      state: { pending: { kind: 'open' }, flow: undefined, lastFlow: 'track', memory: { order: { value: '4521' } } },
    },
    {
      name: 'empty turns',
      lines: ['A: ', 'C: ', 'A: '],
      state: { flow: undefined },
    },
  ])('$name', ({ lines, state }) => {
    expect(replay(compiled.delivery, history(...lines), setting).state).toMatchObject(state);
  });

  it('remembers a replay only for the same history, agent, day and variables', () => {
    const memo = new ReplayMemo();
    const lines = history('C: cancel my order', 'A: Which order shall I cancel? Please say the four digits.');
    const first = replay(compiled.delivery, lines, setting, memo).state;
    expect(replay(compiled.delivery, lines, setting, memo).state).toBe(first);
    const other = [{ ...lines[0]!, text: 'track my order' }, lines[1]!];
    expect(replay(compiled.delivery, other.slice(0, 1), setting, memo).state.flow).toBe('track');
    expect(replay(compiled.clinic, lines, setting, memo).state).not.toBe(first);
    const tomorrow = { ...setting, today: { ...setting.today, day: 2 } };
    expect(replay(compiled.delivery, lines, tomorrow, memo).state).not.toBe(first);
    const long = Array.from({ length: 40 }, (_, i) => history(`C: bananas ${i}`)).flat();
    for (let i = 0; i < 120; i += 1) replay(compiled.delivery, long.slice(i % 20), setting, memo);
    expect(replay(compiled.delivery, lines, setting, memo).state).toEqual(first);
  });

  it('finds out that keys were offered', () => {
    const menu = make().greeting(delivery, {}, 'keypad');
    expect(replay(compiled.delivery, [{ role: 'agent', text: menu }], setting).mode).toBe('keypad');
    expect(replay(compiled.delivery, history('A: Hello, this is Emma.'), setting).mode).toBe('voice');
  });
});

describe('replay of the clinic line', () => {
  it.each([
    {
      name: 'a prompt cut in the middle of a word',
      lines: ['C: كنسل الموعد', 'A: تمام. عطني رقم جو'],
      state: { pending: { kind: 'slot', slot: 'phone' }, flow: 'cancel' },
    },
    {
      name: 'a read-back alone',
      lines: [
        'A: ننقل موعد خالد المسجل بالرقم 0 5 5, 1 2 3, 4 5 6 7 إلى الأحد 4 يناير الساعة الرابعة والنصف عصرًا. صحيح؟',
      ],
      state: {
        pending: { kind: 'confirm-flow' },
        flow: 'move',
        slots: { phone: { value: '0551234567' }, date: { value: '2026-01-04' }, time: { value: '16:30' } },
      },
    },
    {
      name: 'a doubted wish',
      lines: ['C: ابغى الغي موعدي', 'A: تقصد إلغاء موعد؟'],
      state: { pending: { kind: 'choose', options: ['intent:cancel-appointment'] } },
    },
  ])('$name', ({ lines, state }) => {
    expect(replay(compiled.clinic, history(...lines), setting).state).toMatchObject(state);
  });

  it.each([
    { name: 'an hour that was agreed before it was over', minuteOfDay: 545, time: '09:00' },
    { name: 'an hour that was over', minuteOfDay: 541, time: undefined },
  ])('$name', ({ minuteOfDay, time }) => {
    const ruled = compiledAgents.get(openRecords(plainAgent('clinic-ar')));
    const at = { ...setting, today: { year: 2026, month: 1, day: 4 } };
    const [wish, hour] = ['ابغى موعد كشف اليوم', 'تسع الصبح'];
    const begun = takeTurn(ruled, initialState('ar'), wish, at);
    const then = time === undefined ? 541 : 530;
    const answered = takeTurn(ruled, begun.state, hour, { ...at, minuteOfDay: then });
    const said = [begun, answered].map(({ lines }) => `A: ${lines.map(({ text }) => text).join(' ')}`);
    const lines = [`C: ${wish}`, said[0]!, `C: ${hour}`, said[1]!];
    const { state } = replay(ruled, history(...lines), { ...at, minuteOfDay });
    expect(state.slots['time']?.value).toBe(time);
    expect(state.pending).toEqual(answered.state.pending);
  });
});

describe('a conversation goes on', () => {
  const booking = ['ابغى احجز موعد', 'تنظيف', 'بكرة', 'ثلاث ونص العصر', 'خالد', '0551234567'];

  it.each([0, 3, 8, 15, 25])('when only %i characters of every answer were heard', async (heardChars) => {
    const conversation = new Conversation(make(), clinic);
    let last = '';
    for (const text of booking) last = (await conversation.say(text, { heardChars })).text;
    expect(last).toContain('تنظيف يوم الجمعة 2 يناير الساعة الثالثة والنصف عصرًا');
    expect((await conversation.say('ايوه')).text).toContain('تم الحجز خالد');
  });

  it('with another engine from the same history, turn by turn', async () => {
    const one = new Conversation(make(), clinic);
    for (const text of [...booking, 'لا قصدي الخميس', 'ايوه']) {
      const other = new Conversation(make(), clinic);
      other.history.splice(0, other.history.length, ...one.history);
      const expected = await one.say(text);
      expect(await other.say(text)).toEqual(expected);
    }
  });

  it('when the history is cut to its last twenty turns in the middle of a flow', async () => {
    const conversation = new Conversation(make(), delivery);
    for (let i = 0; i < 9; i += 1) await conversation.say(QUESTIONS[i % 2]!);
    await conversation.say('I missed my delivery for order 4521');
    await conversation.say('tomorrow');
    const readBack = await conversation.say('morning');
    expect(readBack.text).toContain('order 4 5 2 1 comes on Friday, January 2, in the morning');
    for (let i = 0; i < 9; i += 1) await conversation.say(QUESTIONS[i % 2]!);
    expect((await conversation.say('yes')).text).toContain('booked');
  });

  it('where it was, when a person was asked for and nobody took the call', async () => {
    const engine = make();
    const conversation = new Conversation(engine, delivery);
    await conversation.say('I missed my delivery for order 4521');
    await conversation.say('tomorrow');
    expect((await conversation.say('let me talk to a person')).action?.type).toBe('transfer');
    const { resume } = engine.expects(delivery, conversation.history, {});
    expect(resume).toBe('Morning, afternoon or evening?');
    conversation.history.push({ role: 'agent', text: `Sorry, nobody could take the call right now. ${resume}` });
    expect((await conversation.say('morning')).text).toContain(
      'order 4 5 2 1 comes on Friday, January 2, in the morning',
    );
    expect(engine.expects(delivery, conversation.history, {}).resume).toBeUndefined();
  });

  it('for twenty more questions in the middle of a booking', async () => {
    const conversation = new Conversation(make(), delivery);
    await conversation.say('change my address');
    await conversation.say('4521');
    for (let i = 0; i < 21; i += 1) {
      expect((await conversation.say(QUESTIONS[i % 2]!)).text).toContain('What is the new address?');
    }
  });

  it('with silence in it, which leaves no turn of the caller', async () => {
    const conversation = new Conversation(make(), delivery);
    await conversation.say('cancel my order');
    await conversation.say('');
    await conversation.say('');
    const { text, action } = await conversation.say('4522');
    expect(text).toContain('cancel order 4 5 2 2');
    expect(action).toBeUndefined();
  });
});
