import { describe, expect, it } from 'vitest';
import type { CompiledAgent } from '../../../src/engines/reply/compiled-agent.ts';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { initialState } from '../../../src/engines/reply/dialogue-state.ts';
import type { TurnOutcome, TurnSetting } from '../../../src/engines/reply/turn-draft.ts';
import { agentFromConfig, compiledAgents, openRecords } from '../../support/reply-agents.ts';

/** A Sunday. */
const SETTING: TurnSetting = { today: { year: 2026, month: 11, day: 22 }, mode: 'voice', variables: {}, trusted: true };
const delivery = compiledAgents.get(openRecords(agentFromConfig('delivery-en')));
const clinic = compiledAgents.get(openRecords(agentFromConfig('clinic-ar')));

function talk(agent: CompiledAgent, ...said: string[]): TurnOutcome[] {
  return talkAt(SETTING, agent, ...said);
}
function talkAt(setting: TurnSetting, agent: CompiledAgent, ...said: string[]): TurnOutcome[] {
  const outcomes: TurnOutcome[] = [];
  let state = initialState(agent.language);
  for (const text of said) {
    const outcome = takeTurn(agent, state, text, setting);
    outcomes.push(outcome);
    state = outcome.state;
  }
  return outcomes;
}
const last = (outcomes: TurnOutcome[]): TurnOutcome => outcomes.at(-1)!;
const spoken = (outcome: TurnOutcome): string => outcome.lines.map(({ text }) => text).join(' ');
const done = (outcomes: TurnOutcome[]): unknown[] =>
  outcomes.flatMap((outcome) =>
    outcome.done.map(({ flow, slots }) => [flow, ...Object.values(slots).map(({ value }) => value)]),
  );

it.each([
  [delivery, 'hello is this swift delivery'],
  [clinic, 'الو هذي عيادة الابتسامة'],
])('whoever asks whom he speaks to is greeted: %#', (agent, text) => {
  expect(last(talk(agent, text)).meant).toEqual(['stock:hello']);
});

describe('what is not to be done', () => {
  it.each([
    [delivery, 'I don’t want to cancel my order'],
    [delivery, 'i do not want to cancel anything, where is my order'],
    [delivery, 'please do not cancel it'],
    [clinic, 'لا تلغي موعدي'],
    [clinic, 'ما ابي الغيه'],
  ])('is not begun: %#', (agent, text) => {
    expect(last(talk(agent, text)).state.flow ?? '').not.toMatch(/^cancel/);
  });

  it.each([
    [delivery, 'never mind'],
    [delivery, 'oh forget it'],
    [delivery, 'thank you'],
    [clinic, 'انسى الموضوع'],
    [clinic, 'شكرا'],
  ])('is not begun by who lets be, or thanks, where nothing is being done: %#', (agent, text) => {
    const outcome = last(talk(agent, text));
    expect(outcome.state).toMatchObject({ pending: { kind: 'open' }, noMatch: 0 });
    expect(outcome.state.flow).toBeUndefined();
  });

  it.each([
    [delivery, 'i dont want it anymore'],
    [delivery, 'cancel it'],
    [clinic, 'كنسلها'],
  ])('is begun by who names it, or wants something no more: %#', (agent, text) => {
    expect(last(talk(agent, text)).state.flow).toMatch(/^cancel/);
  });

  it('is no other undertaking that shares its everyday words', () => {
    const [outcome] = talk(delivery, 'i am not cancelling it i only want it to come on another day');
    expect(outcome!.state.flow).toBe('redeliver');
  });

  it('is not begun where it is taken back in the same breath for something else', () => {
    const [outcome] = talk(
      delivery,
      'the mug is the wrong size so cancel it no hang on it came already, you sent me the wrong one',
    );
    expect(outcome!.state.flow).toBe('damaged');
  });

  it.each([
    [delivery, "why don't you just cancel it"],
    [clinic, 'ليش ما تلغون موعدي'],
  ])('is begun where it is asked for by asking why not: %#', (agent, text) => {
    expect(last(talk(agent, text)).state.flow).toMatch(/^cancel/);
  });

  it('is left in the middle, and nothing is said to have been done', () => {
    const outcomes = talk(clinic, 'ابغى الغي موعدي', '0551234567', 'لا لا خلاص لا تلغيه');
    expect(last(outcomes).state.flow).toBeUndefined();
    expect(spoken(last(outcomes))).not.toMatch(/ألغي|تم إلغاء/);
    expect(done(outcomes)).toEqual([]);
  });

  it('makes room for what is wished for instead', () => {
    const outcomes = talk(delivery, 'cancel my order', '4521', "no don't cancel it, send it to another address");
    expect(last(outcomes).state).toMatchObject({ flow: 'change-address', slots: { order: { value: '4521' } } });
  });

  it.each([
    [delivery, 'oh wait actually leave it my husband will be at home anyway'],
    [delivery, 'leave it then'],
  ])('is left at the read-back, whatever the reason: %#', (agent, text) => {
    const outcomes = talk(agent, 'i missed my delivery', '4522', 'tuesday', 'in the morning', text);
    expect(outcomes.at(-2)!.state.pending.kind).toBe('confirm-flow');
    expect(last(outcomes).state).toMatchObject({ flow: undefined, pending: { kind: 'open' } });
  });

  it('is left at the read-back also where its verb is no name of it', () => {
    const booked = ['ابي تبييض بكرة الساعة ثلاث اسمي دانة باعشن', '0555701984'];
    const outcomes = talk(clinic, ...booked, 'امم اقول لا تحجزين الحين بشاور ابوها اول وارد لكم');
    expect(last(outcomes).state.flow).toBeUndefined();
    expect(done(outcomes)).toEqual([]);
  });

  it.each(['you know what just cancel my order', 'yes go on cancel the order'])(
    'nor is what was read back where another undertaking is named: %s',
    (text) => {
      const outcomes = talk(delivery, 'i missed my delivery', '4522', 'tuesday', 'in the morning', text);
      expect(last(outcomes).state.flow).toBe('cancel');
      expect(done(outcomes)).toEqual([]);
    },
  );

  it('makes room for nothing where it is only let be, whatever the reason says', () => {
    const outcomes = talk(clinic, 'ابغى الغي موعدي', '0551234567', 'لا تدري لا تلغيه خله مثل ما هو العزيمة تتأجل');
    expect(last(outcomes).state).toMatchObject({ flow: undefined, pending: { kind: 'open' } });
  });

  it('makes room for a wish with a day, though most of it sounds like leaving', () => {
    const outcomes = talk(
      delivery,
      'cancel my order',
      '4522',
      "oh no then don't cancel it just bring them on wednesday in the evening",
    );
    expect(last(outcomes).state.flow).toBe('redeliver');
  });

  it('makes room for it, whatever small talk stands before', () => {
    const outcomes = talk(clinic, 'ابغى الغي موعدي', '0551234567', 'امم لا استنى لا تلغيه خلينا نغيره ليوم تاني احسن');
    expect(last(outcomes).state.flow).toBe('move');
  });

  it.each([
    ['i do not want my order any more', 'cancel'],
    ['it does not work', 'damaged'],
    ['i was not at home', 'redeliver'],
    ['my package has not arrived yet', 'track'],
    ['send it to my office not to my home', 'change-address'],
  ])('is not every sentence that denies something: %s', (text, flow) => {
    expect(last(talk(delivery, text)).state.flow).toBe(flow);
  });
});

describe('a yes with a but', () => {
  it('is none in a wish for something else, however politely it is said', () => {
    const outcomes = talk(clinic, 'الغوا موعدي رقمي 0544445555', 'نوف', 'ابغى احجز كشف الله يخليك');
    expect(done(outcomes)).toEqual([]);
    expect(last(outcomes).state.flow).toBe('book');
  });

  it('does nothing until what was asked is answered', () => {
    const outcomes = talk(delivery, 'cancel my order', '4522', 'yes but first tell me how long a refund takes');
    expect(done(outcomes)).toEqual([]);
    expect(spoken(last(outcomes))).toMatch(/five working days.*Is that right/);
  });

  it('looks up the same order and asks again', () => {
    const outcomes = talk(delivery, 'cancel my order', '4522', 'yes but first tell me when it arrives', 'yes');
    expect(done(outcomes)).toEqual([
      ['track', '4522'],
      ['cancel', '4522'],
    ]);
  });

  it('is no refusal: before you do it, tell me', () => {
    const outcomes = talk(clinic, 'ابغى الغي موعدي', '0551234567', 'قبل لا تلغيه قل لي بكم الكشف عندكم');
    expect(last(outcomes).state).toMatchObject({ flow: 'cancel', pending: { kind: 'confirm-flow' } });
    expect(spoken(last(outcomes))).toMatch(/الكشف بمية ريال/);
  });

  it('is no other undertaking: before you do it, how much is it', () => {
    const outcomes = talk(clinic, 'ابي احجز موعد تبييض', 'قبل ما تحجز التنظيف كم يطلع');
    expect(last(outcomes).state.flow).toBe('book');
    expect(last(outcomes).meant[0]).toMatch(/^knowledge:/);
  });

  it('waits where nobody knows what for', () => {
    const outcomes = talk(delivery, 'cancel my order', '4522', 'yes but wait');
    expect(done(outcomes)).toEqual([]);
    expect(last(outcomes).state.pending.kind).toBe('confirm-flow');
  });
});

describe('values', () => {
  it.each([
    ['the 31st of february', /only 28 days/],
    ['friday', /Saturday to Thursday/],
    ['today', /from tomorrow/],
  ])('that cannot be are refused with the reason: %s', (text, why) => {
    const outcome = last(talk(delivery, 'i missed my delivery', '4521', text));
    expect(spoken(outcome)).toMatch(why);
    expect(outcome.state).toMatchObject({ pending: { kind: 'slot', slot: 'date' } });
  });

  it('of a part of the day may be an hour', () => {
    expect(last(talk(delivery, 'i missed my delivery', '4521', 'monday', 'at 3 pm')).state.slots['window']?.value).toBe(
      'afternoon',
    );
  });

  it('are not what somebody says while thinking', () => {
    const outcomes = talk(delivery, 'change my address', '4521', 'um let me think', 'palm street 9');
    expect(spoken(outcomes[2]!)).toMatch(/take your time/);
    expect(last(outcomes).state.slots['address']?.value).toBe('palm street 9');
  });

  it('are taken from somebody who asks for a moment and names one', () => {
    const outcomes = talk(delivery, 'i missed my delivery', '4521', 'hold on, monday');
    expect(last(outcomes).state.slots['date']?.value).toBe('2026-11-23');
  });

  it('beat the word that sounds like a control', () => {
    expect(last(talk(delivery, 'cancel my order', 'sorry four five two one')).state.slots['order']?.value).toBe('4521');
  });

  it('take the place of what was read back', () => {
    const outcomes = talk(delivery, 'change my address', '4521', 'palm street 9', 'no, olaya street 20', 'yes');
    expect(done(outcomes)).toEqual([['change-address', '4521', 'olaya street 20']]);
  });

  it.each([
    [delivery, ['where is my order', 'four five', 'two one'], ['track', '4521']],
    [clinic, ['متى موعدي', 'صفر خمسة خمسة واحد', 'اثنين ثلاثة اربعة', 'خمسة ستة سبعة'], ['check', '0551234567']],
  ])('of digits join over turns: %#', (agent, said, wanted) => {
    expect(done(talk(agent, ...said))).toEqual([wanted]);
  });

  it('alone begin nothing that changes something', () => {
    expect(done(talk(delivery, 'order 4521 please'))).toEqual([['track', '4521']]);
  });

  it('that are refused by name are not taken', () => {
    const outcomes = talk(
      delivery,
      'i missed my delivery',
      '4521',
      'monday',
      'morning',
      'not the morning, the evening',
    );
    expect(last(outcomes).state.slots['window']?.value).toBe('evening');
  });
});

describe('what is asked back', () => {
  const doubtful = { ...SETTING, trusted: false };
  it('is meant by who gives the number it needs', () => {
    const outcomes = talkAt(doubtful, delivery, 'my phone case is the wrong one', 'six one zero four');
    expect(outcomes[0]!.state.pending).toMatchObject({ kind: 'choose', options: ['intent:damaged'] });
    expect(last(outcomes).state).toMatchObject({ flow: 'damaged', slots: { order: { value: '6104' } } });
  });

  it('is asked once more, then believed of who does not deny it', () => {
    const outcomes = talkAt(doubtful, delivery, 'i missed my delivery', 'hm hm the blue', 'hm hm the blue');
    expect(outcomes.map(({ state }) => state.pending.kind)).toEqual(['choose', 'choose', 'slot']);
    expect(last(outcomes).state.flow).toBe('redeliver');
  });

  it('is a question that is more likely than anything, where no answer is', () => {
    const outcomes = talk(clinic, 'ابغى اغير موعدي', '0551234567', 'على طاري المواعيد فيه مواقف عندكم ولا نتعب');
    expect(spoken(last(outcomes))).toMatch(/مواقف مجانية.*لأي يوم/);
  });
});

describe('an hour of today that is over', () => {
  const at10 = { ...SETTING, minuteOfDay: 600 };
  it.each([
    { name: 'after the day', said: ['ابغى موعد كشف اليوم', 'تسع الصبح'] },
    { name: 'before the day', said: ['ابغى موعد كشف الساعة تسع الصبح', 'اليوم'] },
    { name: 'with the day', said: ['ابغى موعد كشف اليوم تسع الصبح'] },
  ])('is not taken, said $name; a later one is', ({ said }) => {
    const refused = last(talkAt(at10, clinic, ...said));
    expect(refused.state).toMatchObject({ pending: { kind: 'slot', slot: 'time' }, flow: 'book' });
    expect(refused.state.slots).not.toHaveProperty('time');
    expect(spoken(refused)).toContain('هذا الوقت فات');
    expect(last(talkAt(at10, clinic, ...said, 'الساعة ثنتين')).state.slots).toMatchObject({ time: { value: '14:00' } });
  });

  it('is no matter of another day', () => {
    const { slots } = last(talkAt(at10, clinic, 'ابغى موعد كشف بكرة', 'تسع الصبح')).state;
    expect(slots).toMatchObject({ time: { value: '09:00' } });
  });
});

describe('people in trouble', () => {
  it.each([
    [delivery, 'I was charged twice'],
    [delivery, 'your driver shouted at my wife'],
    [clinic, 'خصمتوا من بطاقتي مرتين'],
    [delivery, 'I think I paid for the same order two times'],
    [clinic, 'انسحب من بطاقتي على نفس الكشف مرتين'],
  ])('get a person: %#', (agent, text) => {
    const outcome = last(talk(agent, text));
    expect(outcome.action?.type).toBe('transfer');
    expect(outcome.meant).toEqual(['trouble:complaint']);
  });

  it.each([
    [delivery, 'do I have to pay twice for two parcels'],
    [clinic, 'اقدر ادفع مرتين'],
  ])('are not those who only ask: %#', (agent, text) => {
    expect(last(talk(agent, text)).meant).not.toContain('trouble:complaint');
  });

  it.each([
    [delivery, 'your van hit a man and he is not moving', /hurt or in danger/],
    [delivery, 'there is smoke coming out of the box you brought', /hurt or in danger/],
    [clinic, 'خلعت ضرسي عندكم امس والدم ما وقف', /تسعة تسعة سبعة/],
  ])('hear of help first where somebody is in danger: %#', (agent, text, help) => {
    const outcome = last(talk(agent, text));
    expect(outcome.meant).toEqual(['trouble:emergency']);
    expect(spoken(outcome)).toMatch(help);
  });

  it.each([
    [clinic, 'لو تورم الضرس بالليل تستقبلون طوارئ'],
    [clinic, 'ولدي يموت خوف من الابرة'],
    [delivery, 'I was scared to death when your driver rang'],
  ])('are not those who ask what would be, or exaggerate: %#', (agent, text) => {
    expect(last(talk(agent, text)).meant).not.toContain('trouble:emergency');
  });
});

it('who speaks of people in the middle of a question is not handed over', () => {
  const outcome = last(
    talk(delivery, 'deliver it again', '7788', 'you sound like my cousin she works in a call centre'),
  );
  expect(outcome.action).toBeUndefined();
  expect(outcome.state.flow).toBe('redeliver');
});

describe('two wishes in one sentence', () => {
  it('are done in turn, and said so', () => {
    const [both, first] = talk(delivery, 'track my order and then cancel another order', '4521');
    expect(spoken(both!)).toMatch(/^First tracking an order, then cancelling an order/);
    expect(first!.done).toMatchObject([{ flow: 'track' }]);
    expect(spoken(first!)).toMatch(/Now to cancelling an order/);
    expect(first!.state.flow).toBe('cancel');
  });
});

describe('the reasons', () => {
  it('name the rule and the acts of every spoken turn', () => {
    const [wish, refusal] = talk(delivery, 'cancel my order', "don't cancel it");
    expect(wish!.trace).toMatchObject([{ rule: 'wish', acts: ['request(intent:cancel)'] }]);
    expect(refusal!.trace[0]).toMatchObject({
      rule: 'forbidden',
      acts: expect.arrayContaining(['forbid(intent:cancel)']),
    });
  });
});
