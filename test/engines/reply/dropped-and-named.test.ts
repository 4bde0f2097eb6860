import { describe, expect, it } from 'vitest';
import { held, type Name, outcomeOf } from '../../support/shipped-dialogue.ts';

describe('what is dropped or denied in one breath gives way to what is said instead', () => {
  it.each<[Name, string, string]>([
    ['delivery', 'forget the new day just cancel my order', 'cancel'],
    ['delivery', 'forget about the refund can you deliver it on another day', 'redeliver'],
    [
      'delivery',
      "i was going to cancel it because i'm at my sister's but actually don't just change the address",
      'change-address',
    ],
    ['delivery', 'this is ridiculous just call the whole thing off', 'cancel'],
    ['clinic', 'كنت بكنسله بس زوجي قال لا تكنسل أجلوه', 'move'],
    ['delivery', "we fly tonight and there'll be nobody at home tomorrow when your driver rings the bell", 'redeliver'],
  ])('%s: %s', (name, said, flow) => {
    expect(outcomeOf(name, [said]).state.flow).toBe(flow);
  });

  it('is let come as it is', () => {
    const { state } = outcomeOf('delivery', [
      'where is my order',
      '4521',
      "then cancel it no no don't cancel let it come",
    ]);
    expect(state.flow).toBeUndefined();
    expect(state.pending.kind).toBe('open');
  });

  it('is asked about behind it', () => {
    expect(outcomeOf('clinic', ['أبغى ألغي لا لا لا تلغينه خليه بس قولي لي متى هو بالضبط']).meant).toEqual([
      'intent:my-appointment',
    ]);
  });

  it('is left in the middle of an answer, with what tells why', () => {
    const asked = ['change my address', '4522'];
    const { state } = outcomeOf('delivery', [...asked, 'to my work at no you know what forget it my sister is home']);
    expect(state.flow).toBeUndefined();
    expect(held(outcomeOf('delivery', [...asked, 'twelve palm street no sorry fourteen palm street']), 'address')).toBe(
      'fourteen palm street',
    );
  });

  it('is kept where it is asked for, and what is wished for behind that is done', () => {
    const asked = ['change my address', '4522'];
    const { state } = outcomeOf('delivery', [...asked, 'no new address keep the old one i only want another day']);
    expect(state.flow).toBe('redeliver');
    expect(outcomeOf('delivery', [...asked, 'keep the old one please']).state.flow).toBeUndefined();
  });

  it('stays left: who says so once more is let go', () => {
    const kept = 'لا بس خلي موعدي مكانه شكرا';
    expect(outcomeOf('clinic', ['ابغى الغي موعدي', 'هونت خلي الموعد زي ما هو', kept]).action?.type).toBe('hangup');
  });
});

describe('a verb of the agent', () => {
  it.each(['ابي احجز فندق في مكة', 'ابغى احجز ملعب', 'ابي احجز طاولة لشخصين'])(
    'of a thing that is for no agent: %s',
    (said) => {
      expect(outcomeOf('clinic', [said]).meant).toEqual([]);
    },
  );

  it('is meant, whatever is said to somebody in the room before it', () => {
    const { state } = outcomeOf('clinic', ['أيوه كنت أبغى أ لحظة يا ولد انزل من الطاولة معليش إيوه أبغى أحجز كشفية']);
    expect(state.flow).toBe('book');
  });
});

describe('at a read-back', () => {
  const CASE = ['my package is damaged', '4521', 'a new one', '0509876543'];

  it('asks which of two numbers is wrong', () => {
    const asked = outcomeOf('delivery', [...CASE, 'no the number is wrong']);
    expect(asked.state.pending.kind).toBe('change');
    expect(held(asked, 'order')).toBe('4521');
    expect(held(asked, 'phone')).toBe('0509876543');
    expect(held(outcomeOf('delivery', [...CASE, 'no the phone number is wrong']), 'phone')).toBeUndefined();
    expect(held(outcomeOf('delivery', [...CASE, 'the order number is wrong']), 'order')).toBeUndefined();
  });

  it('takes a yes for what was read back, if that is what it is', () => {
    expect(outcomeOf('delivery', [...CASE, "yes if that's the machine then yes"]).done).toHaveLength(1);
    expect(outcomeOf('delivery', [...CASE, 'yes if you bring it tomorrow']).done).toHaveLength(0);
  });

  it('keeps what it is said to be kept, whatever yes stands before it', () => {
    const CANCEL = ['cancel my order', '4522'];
    const kept = outcomeOf('delivery', [...CANCEL, "yes four five two two and i'm keeping it"]);
    expect(kept.done).toHaveLength(0);
    expect(kept.state.flow).toBeUndefined();
    expect(outcomeOf('delivery', [...CANCEL, 'yes stop it please']).done).toHaveLength(1);
  });

  it('takes the end of a number that was read back for that number', () => {
    const [agreed] = outcomeOf('delivery', [...CASE, "yes it's fine now it ends in six five four three"]).done;
    expect(agreed?.slots['order']?.value).toBe('4521');
    expect(held(outcomeOf('delivery', [...CASE, 'no the order is seven seven eight eight']), 'order')).toBe('7788');
  });

  it('does what is named by its own verb, whatever yes stands before it, and never what it is told not to do', () => {
    const cancelling = outcomeOf('clinic', ['ابغى الغي موعدي', '0509876543', 'ايه تمام اجليه للاربعاء']);
    expect([cancelling.done, cancelling.state.flow]).toEqual([[], 'move']);
    const moving = ['ابي انقل موعدي للخميس الساعة عشر الصبح', '0509876543'];
    const told = outcomeOf('clinic', [...moving, 'لا تلغينه ابيه ينتقل ليوم الخميس ستة وعشرين نوفمبر عشر الصبح']);
    expect([told.done, told.state.flow]).toEqual([[], 'move']);
  });

  it('agrees with a wish to be quick about it', () => {
    const said = ['i missed my delivery', '4521', 'thursday in the evening', "yes like that and don't be late"];
    expect(outcomeOf('delivery', said).done).toHaveLength(1);
  });

  it('has the first name for the whole one that is held', () => {
    const booked = ['ابي تنظيف بكرة الساعة ثلاث باسم امل الغامدي', '0557766554'];
    expect(outcomeOf('clinic', [...booked, 'ايه نعم باسم امل']).done).toHaveLength(1);
  });
});

describe('what is said beside', () => {
  it.each<[Name, string, string, string | undefined]>([
    ['delivery', 'morning i want my delivery on another day', 'window', undefined],
    ['delivery', 'bring it in the morning i am home then', 'window', 'morning'],
    ['delivery', "i'm on shift tomorrow till late can the driver come wednesday instead", 'date', '2026-11-25'],
    ['delivery', 'the street is wrong on my order it should say palm street', 'address', 'palm street'],
    ['delivery', 'my order goes to the wrong district i live in al narjis now', 'address', 'al narjis'],
    ['delivery', 'change my address i live in al khobar now', 'address', undefined],
    ['delivery', 'change my address bring it to the other house some time', 'address', undefined],
    ['clinic', 'السبت ما يناسبني انقلي موعدي للخميس', 'date', '2026-11-26'],
    ['clinic', 'ابغى انقل موعدي ما يناسبني الخميس ابغى السبت', 'date', '2026-11-28'],
    ['clinic', 'ابغى احجز تنظيف يوم سبعة ديسمبر لا لا ثمانية ديسمبر الثلاثاء', 'date', '2026-12-08'],
  ])('%s: %s: %s', (name, said, slot, value) => {
    expect(held(outcomeOf(name, [said]), slot)).toBe(value);
  });

  it('is no address where it is about the order', () => {
    const said = ['change my address', '6104', 'it is about order six one zero four send it again on saturday evening'];
    expect(outcomeOf('delivery', said).state.flow).toBe('redeliver');
  });

  it('is no court of law', () => {
    expect(held(outcomeOf('delivery', ['change my address', '4522', 'unit six rose court']), 'address')).toBe(
      'unit six rose court',
    );
    expect(outcomeOf('delivery', ['i will take you to court']).meant).toEqual(['trouble:complaint']);
  });

  it('is a question of what is wished for', () => {
    expect(outcomeOf('clinic', ['أبي أحجز تبييض بس علميني أول بكم']).meant).toEqual(['knowledge:6', 'intent:book']);
    expect(outcomeOf('clinic', ['بكم التنظيف وإذا السعر مناسب احجزي لي يوم الخميس']).meant).toEqual([
      'knowledge:4',
      'intent:book',
    ]);
    expect(outcomeOf('delivery', ['where is order 4522', 'thanks and can you tell me where 4521 is']).meant).toEqual([
      'intent:track',
    ]);
    expect(outcomeOf('clinic', ['الكشف ياخذ قد إيه']).meant).toEqual(outcomeOf('clinic', ['الكشف كم ياخذ']).meant);
  });

  it('is asked beside a wish that is denied', () => {
    expect(outcomeOf('clinic', ['كم سعر التقويم عندكم ما أبغى أحجز الحين']).meant).toEqual(['knowledge:5']);
  });

  it('is told to be done behind what does not suit', () => {
    expect(outcomeOf('clinic', ['متى موعدي', '0533221100', 'والله ما يناسبني الغ لي موعدي']).state.flow).toBe('cancel');
  });

  it('is a wish for somebody by name', () => {
    expect(outcomeOf('clinic', ['أبغى أكلم الدكتور فهد نفسه']).action?.type).toBe('transfer');
    expect(outcomeOf('clinic', ['متى يداوم الدكتور فهد']).action?.type).not.toBe('transfer');
  });

  it('is a fire', () => {
    expect(outcomeOf('delivery', ["the box you brought is smoking there's fire in the hall"]).meant).toEqual([
      'trouble:emergency',
    ]);
    expect(outcomeOf('delivery', ['is there a fire sale on toasters']).meant).not.toContain('trouble:emergency');
  });
});
