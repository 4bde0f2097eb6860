import { describe, expect, it } from 'vitest';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { initialState } from '../../../src/engines/reply/dialogue-state.ts';
import { AGENTS, type Name, outcomeOf, SETTING } from '../../support/shipped-dialogue.ts';

const MISSED = ['i missed my delivery', '4521'];
const DAMAGED = ['my package is damaged', '4521'];
const BOOKED = ['ابي تبييض بكرة الساعة ثلاث اسمي دانة باعشن', '0555701984'];

describe('what is held in the end', () => {
  it.each<{ name: string; to: Name; said: string[]; slot: string; value: string | undefined }>([
    {
      name: 'the day named beside the one that is closed',
      ...{ to: 'delivery', said: [...MISSED, "oh that's a friday, okay the day after, saturday the fifth"] },
      ...{ slot: 'date', value: '2026-12-05' },
    },
    {
      name: 'the day named beside the one that does not exist',
      ...{ to: 'delivery', said: [...MISSED, 'there is no thirty first, okay the first of december'] },
      ...{ slot: 'date', value: '2026-12-01' },
    },
    {
      name: 'the day that is asked for, not the one before it',
      to: 'delivery',
      said: ['i will be in dammam until wednesday so kindly bring the parcel on thursday'],
      ...{ slot: 'date', value: '2026-11-26' },
    },
    {
      name: 'the address said with the wish, and its numbers are no order',
      to: 'delivery',
      said: ['please send order four five two one to jasmine street building nine eight seven six'],
      ...{ slot: 'order', value: '4521' },
    },
    {
      name: 'the hour after a day that does not exist, not the number of that day',
      ...{ to: 'clinic', said: ['ابي تقويم يوم واحد وثلاثين نوفمبر الساعة ستة'], slot: 'time', value: '18:00' },
    },
    {
      name: 'the number said last, in an answer to something else',
      ...{ to: 'clinic', said: ['ابي اخذ موعد', 'رقمي 0509876543', 'تقويم لولدي راكان يوم الاربعا ورقمي 0559667710'] },
      ...{ slot: 'phone', value: '0559667710' },
    },
    {
      name: 'thirty one is no half past one',
      ...{
        to: 'clinic',
        said: ['ابي تقويم', 'ما فيه واحد وثلاثين؟ طيب ثلاثين نوفمبر'],
        slot: 'time',
        value: undefined,
      },
    },
    {
      name: 'the day, though somebody has no school on it',
      ...{ to: 'clinic', said: ['ابي تنظيف', 'اها طيب السبت ما عنده مدرسة السبت'], slot: 'date', value: '2026-11-28' },
    },
    {
      name: 'a question before the name is no name',
      ...{ to: 'clinic', said: ['ابي كشف يوم الاربعاء تسع الصبح', 'قبل الاسم تقبلون تأمين التعاونية'] },
      ...{ slot: 'patient', value: undefined },
    },
    {
      name: 'the question whose name is no name',
      ...{ to: 'clinic', said: ['ابي كشف يوم الاربعاء تسع الصبح', 'اسم مين اسمي انا ولا اسم زوجي'] },
      ...{ slot: 'patient', value: undefined },
    },
    {
      name: 'in one day is no first of the month',
      ...{ to: 'clinic', said: ['ابي موعد لي انا وزوجتي في يوم واحد'], slot: 'date', value: undefined },
    },
    {
      name: 'the hour that settles it is no farewell',
      ...{ to: 'clinic', said: ['ابي تنظيف', 'الخميس', 'خلاص تسع ونص الصبح'], slot: 'time', value: '09:30' },
    },
    {
      name: 'two services in one breath: neither is taken for the other',
      ...{ to: 'clinic', said: ['ابي موعد انا تنظيف وزوجتي كشف'], slot: 'service', value: undefined },
    },
    {
      name: 'the day that is wanted, not the one there is',
      ...{ to: 'clinic', said: ['عندي موعد بكرة ابغى انقله للخميس'], slot: 'date', value: '2026-11-26' },
    },
    {
      name: 'no day, where only the one there is was named',
      ...{ to: 'clinic', said: ['عندي موعد اليوم العصر وما اقدر اجي ابي انقله ليوم ثاني'] },
      ...{ slot: 'date', value: undefined },
    },
    {
      name: 'the day that is wanted, not the one it comes on',
      ...{ to: 'delivery', said: ['I have a parcel coming on tuesday can you bring it on thursday instead'] },
      ...{ slot: 'date', value: '2026-11-26' },
    },
    {
      name: 'a day that is told to be free is the one that is wanted',
      ...{ to: 'clinic', said: ['انا فاضي بكرة وابغى موعد تنظيف'], slot: 'date', value: '2026-11-23' },
    },
    {
      name: 'another hour after a no that forbids nothing',
      ...{ to: 'clinic', said: [...BOOKED, 'لا خل الوقت اربع ونص العصر عشان اطلع من الدوام'] },
      ...{ slot: 'time', value: '16:30' },
    },
    {
      name: 'another day after two of them and a reason',
      ...{ to: 'clinic', said: [...BOOKED, 'لا لا بكرة عندي اجتماع خله بعد بكرة نفس الساعة'] },
      ...{ slot: 'date', value: '2026-11-24' },
    },
    {
      name: 'digits instead of those that are called wrong',
      ...{ to: 'delivery', said: [...DAMAGED, 'a new one', '0501234987', 'no it is eight nine not eight seven'] },
      ...{ slot: 'phone', value: '0501234989' },
    },
    {
      name: 'a new one, you know what',
      ...{ to: 'delivery', said: [...DAMAGED, 'the money back', '0501234987', 'no you know what send me a new one'] },
      ...{ slot: 'replace', value: 'yes' },
    },
    {
      name: 'an hour that is settled with two words',
      ...{ to: 'clinic', said: ['ابي تنظيف', 'الخميس', 'طب خلاص سبعة بالليل'], slot: 'time', value: '19:00' },
    },
    {
      name: 'a name that sounds like a wish',
      ...{ to: 'clinic', said: ['ابي كشف يوم الاربعاء تسع الصبح', 'سعيد'], slot: 'patient', value: 'سعيد' },
    },
    {
      name: 'the same day is no today',
      ...{ to: 'clinic', said: ['ابي احجز كشف لبنتي في نفس اليوم'], slot: 'date', value: undefined },
    },
    {
      name: 'the last digit beside another hour',
      ...{
        to: 'clinic',
        said: [...BOOKED, 'لا خليها ستة ونص ورقمي اخره ستة مو اربعة'],
        slot: 'phone',
        value: '0555701986',
      },
    },
    {
      name: 'a number begun anew, and anew',
      ...{ to: 'delivery', said: ['cancel my order', 'seven seven eight nine no eight eight seven seven eight eight'] },
      ...{ slot: 'order', value: '7788' },
    },
    {
      name: 'good morning is no part of the day',
      ...{ to: 'delivery', said: ['good morning i missed my delivery'], slot: 'window', value: undefined },
    },
    {
      name: 'how long a month is names no day of it',
      ...{
        to: 'clinic',
        said: ['ابي كشف', 'اها نوفمبر ثلاثين يوم اجل واحد ديسمبر'],
        slot: 'date',
        value: '2026-12-01',
      },
    },
    {
      name: 'another service at the read-back, with a farewell in it',
      ...{ to: 'clinic', said: [...BOOKED, 'امم لا خلاص بلا تبييض غيريها تنظيف'], slot: 'service', value: 'cleaning' },
    },
    {
      name: 'the choice that is told by one of its words',
      ...{ to: 'delivery', said: [...DAMAGED, 'not money, new piece I want'], slot: 'replace', value: 'yes' },
    },
    {
      name: 'the other choice at the read-back',
      ...{
        to: 'delivery',
        said: [...DAMAGED, 'a new one', '0509876543', "no, not a new one, I'd rather have my money back"],
      },
      ...{ slot: 'replace', value: 'no' },
    },
    {
      name: 'the address after what was wrong with it',
      ...{
        to: 'delivery',
        said: [
          'change my address',
          '4521',
          'flat twelve palm road',
          'no he typed wrong, make it flat twenty palm road',
        ],
      },
      ...{ slot: 'address', value: 'flat twenty palm road' },
    },
    {
      name: 'the end of a number at the read-back',
      ...{ to: 'delivery', said: [...DAMAGED, 'a refund', '0554445566', 'no, the last two digits are six seven'] },
      ...{ slot: 'phone', value: '0554445567' },
    },
    {
      name: 'the name that is said to be wrong, and the right one',
      ...{ to: 'clinic', said: [...BOOKED, 'لا الاسم غلط، ريما العتيبي'], slot: 'patient', value: 'ريما العتيبي' },
    },
    {
      name: 'no name that is a part of the day',
      ...{ to: 'clinic', said: ['ابي تقويم بكرة', 'سبع', 'الصبح لا، المسا'], slot: 'patient', value: undefined },
    },
    {
      name: 'the day, while the number is asked for',
      ...{
        to: 'clinic',
        said: ['ابي تقويم بكرة الساعة سبع اسمي نورة', 'ابي اغير اليوم', 'الثلاثاء'],
        slot: 'date',
        value: '2026-11-24',
      },
    },
    {
      name: 'a part of the address at the read-back',
      ...{
        to: 'delivery',
        said: ['change my address', '4521', 'Building 12, King Fahd Road, Olaya', 'no, building 21'],
      },
      ...{ slot: 'address', value: 'building 21 King Fahd Road Olaya' },
    },
    {
      name: 'no address while somebody looks for it',
      ...{
        to: 'delivery',
        said: ['change my address', '4521', 'one minute, my cousin is sending it'],
        slot: 'address',
        value: undefined,
      },
    },
  ])('$name', ({ to, said, slot, value }) => {
    expect(outcomeOf(to, said).state.slots[slot]?.value).toBe(value);
  });

  it('a name that is part of another does not change the wrong value', () => {
    const outcome = outcomeOf('delivery', [...DAMAGED, 'a new one', '0509876543', 'no', 'the phone number']);
    expect(outcome.state).toMatchObject({
      pending: { kind: 'slot', slot: 'phone' },
      slots: { order: { value: '4521' } },
    });
  });

  it.each([
    ['clinic', ['ابي تنظيف', 'لحظة بس اليوم الاحد صح؟'], 'اليوم الأحد 22 نوفمبر'],
    ['delivery', [...MISSED, 'what day is it today'], 'Today is Sunday, November 22'],
  ] as const)('who asks %s what day it is has named none', (to, said, answer) => {
    const { state, lines } = outcomeOf(to, said);
    expect(lines[0]?.text).toContain(answer);
    expect(state).toMatchObject({ pending: { kind: 'slot', slot: 'date' } });
  });

  it('what was wished for is not done where its own verb is denied behind it, and another one is named', () => {
    const { state } = outcomeOf('clinic', ['كنت بلغي موعدي اقول لا تلغينه انقليه ليوم ثاني']);
    expect(state.flow).toBe('move');
  });

  it('a farewell that is not quite one is one after "anything else?", and nowhere else', () => {
    expect(outcomeOf('clinic', ['كم سعر الكشف', 'سلامتك']).action).toMatchObject({ type: 'hangup' });
    expect(outcomeOf('clinic', ['سلامتك']).action).toBeUndefined();
  });

  it('two wishes that are announced are done in turn, and said so', () => {
    const { lines, state } = outcomeOf('clinic', ['يا ولدي عندي شغلتين الغ موعد ولدي سلطان وبعدها احجز لي كشف']);
    expect(lines[0]?.text).toMatch(/^أول شي إلغاء موعد، وبعدها حجز موعد/);
    expect(state).toMatchObject({ flow: 'cancel', later: [{ ids: ['intent:book'], sure: true }] });
  });

  it('none of what was asked back, but something else, is heard afresh', () => {
    const doubted = takeTurn(AGENTS.delivery, initialState('en'), 'cancel my order', { ...SETTING, trusted: false });
    const { state } = takeTurn(AGENTS.delivery, doubted.state, 'no I said I moved to a new address', SETTING);
    expect(state.flow).toBe('change-address');
  });

  it('what may be wished for beside a prohibition is asked about', () => {
    const { lines, state } = outcomeOf('clinic', ['ضبطوا لي موعدي بس انتبه لا تلغيه']);
    expect(lines.map(({ text }) => text).join(' ')).toMatch(/كل شي يبقى مثل ما هو.*تقصد/);
    expect(state.pending.kind).toBe('choose');
  });

  it.each([
    [
      'delivery',
      ['cancel my order', '4521', 'Sami Haddad', 'actually do not cancel, I would rather have it on Wednesday'],
      'redeliver',
      '2026-11-25',
    ],
    [
      'clinic',
      ['الغي موعدي', '0544445555', 'نوف', 'لا لا تلغيه خلوه يوم الأربعاء الساعة خمس العصر'],
      'move',
      '2026-11-25',
    ],
  ] as const)('in %s a day beside a prohibition is another wish: %j', (agent, said, flow, date) => {
    expect(outcomeOf(agent, [...said]).state).toMatchObject({ flow, slots: { date: { value: date } } });
  });

  it.each([
    [
      'delivery',
      ['cancel my order', '4521', 'Sami Haddad', 'no no do not cancel it, leave it, she needs it on Wednesday'],
    ],
    ['clinic', ['الغي موعدي', '0544445555', 'نوف', 'لا لا تلغيه خله مثل ما هو بجي الأربعاء']],
  ] as const)('in %s a day that only tells why is none: %j', (agent, said) => {
    expect(outcomeOf(agent, [...said]).state.flow).toBeUndefined();
  });

  it('what was asked back and not answered is not asked about the same words again', () => {
    const unclear = 'ضبطوا لي موعدي بس انتبه لا تلغيه';
    expect(outcomeOf('clinic', [unclear, 'لا', unclear]).state).toMatchObject({
      pending: { kind: 'open' },
      noMatch: 1,
    });
  });

  it('who would change something and then agrees is read it all once more', () => {
    const { state } = outcomeOf('clinic', [...BOOKED, 'لا', 'صحيح']);
    expect(state.pending.kind).toBe('confirm-flow');
  });

  it('who wants nothing else and says thanks is said goodbye', () => {
    expect(outcomeOf('delivery', ['how much is delivery', 'nothing else, thank you so much']).action?.type).toBe(
      'hangup',
    );
  });
});
