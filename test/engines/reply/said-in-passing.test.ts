import { describe, expect, it } from 'vitest';
import { held, type Name, outcomeOf } from '../../support/shipped-dialogue.ts';

const REDELIVERED = ['bring it on another day', '6104', 'wednesday', 'in the evening', 'yes'];

describe('what was just done', () => {
  it.each([
    'my phone case came back to you yesterday please send it once again',
    'so that is the phone case on wednesday in the evening, bring it again please',
  ])('is not begun anew by who tells it once more: %s', (said) => {
    const { lines, state } = outcomeOf('delivery', [...REDELIVERED, said]);
    expect(state.flow).toBeUndefined();
    expect(lines.map(({ text }) => text).join(' ')).toContain('already');
  });

  it.each(['please bring my lamp again', 'bring it again on thursday'])('is another one, or a new day: %s', (said) => {
    expect(outcomeOf('delivery', [...REDELIVERED, said]).state.flow).toBe('redeliver');
  });

  it('is what a question without its subject is about', () => {
    const booked = ['ابغى احجز تنظيف', 'الاثنين', 'خمس العصر', 'نورة', '0551112223', 'ايوه'];
    expect(outcomeOf('clinic', [...booked, 'كم سعره']).lines[0]!.text).toContain('ميتين');
    expect(outcomeOf('clinic', [...booked, 'كم سعر التبييض']).lines[0]!.text).toContain('ثمانمية');
  });

  it('is looked up once more where a pronoun points at it', () => {
    const tracked = ['where is my order', '4521'];
    expect(outcomeOf('delivery', [...tracked, 'when exactly does it come']).lines[0]!.text).toContain('4 5 2 1');
    expect(outcomeOf('delivery', [...tracked, 'and where is my other order']).state.pending.kind).toBe('slot');
  });
});

describe('in the middle of a question', () => {
  it.each<[Name, string[]]>([
    ['delivery', ['bring it on another day', '4521', 'never mind I don’t want a new time leave it as it is']],
    ['delivery', ['change my address', '6104', 'no address needed I’ll fetch it myself']],
    ['clinic', ['الغوا موعدي', '0544445555', 'لا لا زوجي يقول السفر تأجل لا تلغينه خليه على وقته']],
  ])('%s is left: %j', (name, said) => {
    expect(outcomeOf(name, said).state.flow).toBeUndefined();
  });

  it('a look-up of the same record is told, and the question is asked again', () => {
    const { meant, state } = outcomeOf('delivery', ['my lamp is broken', '3090', 'I just wanna know where it is']);
    expect(meant).toEqual(['intent:track']);
    expect(state.pending).toEqual({ kind: 'slot', slot: 'replace' });
  });

  it.each([
    ['no money back just send the missing one again', 'yes'],
    ['no money back', 'no'],
    ['no new one just the money', 'no'],
  ])('of two that are offered the refused one leaves the other: %s', (said, value) => {
    expect(held(outcomeOf('delivery', ['my package is damaged', '4521', said]), 'replace')).toBe(value);
  });

  it('an appointment that there is has its hour with its day', () => {
    expect(
      held(outcomeOf('clinic', ['ابغى اغير موعدي', '0551234567', 'موعدي بكرة الساعة عشر']), 'time'),
    ).toBeUndefined();
  });

  it('the name is that of whom it is for', () => {
    const asked = ['ابغى احجز كشف', 'الاثنين', 'خمس العصر'];
    expect(held(outcomeOf('clinic', [...asked, 'أنا أمها عافية بس الموعد لبنتي جوري']), 'patient')).toBe('جوري');
  });
});

describe('a first sentence', () => {
  it.each<[Name, string, string]>([
    [
      'delivery',
      'I don’t need a refund I want the same coffee machine only one that works because this one is dead',
      'damaged',
    ],
    ['delivery', 'my phone case came all scratched I don’t need the money just send me a good one', 'damaged'],
    ['clinic', 'موعدي بكرة حدعش الصبح مع الدكتورة سارة وبنسافر عند أهل زوجي فأبغى ألغيه', 'cancel'],
  ])('%s: %s', (name, said, flow) => {
    expect(outcomeOf(name, [said]).state.flow).toBe(flow);
  });

  it('that asks where a number is, is about that number', () => {
    expect(outcomeOf('delivery', ['it’s um four five two two can you see where that is']).meant).toEqual([
      'intent:track',
    ]);
  });

  it.each<[Name, string, string]>([
    [
      'delivery',
      'no i haven’t moved same address same everything i just won’t be in tomorrow so find me another day',
      'redeliver',
    ],
    ['delivery', 'actually no keep the address just give me another day', 'redeliver'],
    ['delivery', 'I’d like my order to come on a later day', 'redeliver'],
    ['clinic', 'انا في الطريق بس زحمة موت عادي ولا نخليه يوم ثاني', 'move'],
  ])('%s wishes for another time, and not for what is kept: %s', (name, said, flow) => {
    expect(outcomeOf(name, [said]).state.flow).toBe(flow);
  });

  it.each([
    'جدتي ما تتنفس وموعدها اليوم ابغى يوم ثاني',
    'عندي نزيف ما يوقف ابغى يوم ثاني',
    'عندي نزيف ما يوقف ابغى الغي موعدي',
  ])('that names danger is danger, whatever else it wishes for: %s', (said) => {
    expect(outcomeOf('clinic', [said]).meant).toEqual(['trouble:emergency']);
  });
});
