import { describe, expect, it } from 'vitest';
import { expectEveryRow } from '../../support/labelled-rows.ts';
import { held, type Name, outcomeOf, spoken } from '../../support/shipped-dialogue.ts';

describe('the day of what there is, told before the wish', () => {
  it('is not the day that is wished for', () => {
    expectEveryRow<readonly [Name, string, string | undefined]>(
      [
        ['delivery', "the sofa's coming tomorrow but i'm at work can we move it", undefined],
        [
          'delivery',
          'the message says tomorrow before noon and nobody is home so can it come some other day',
          undefined,
        ],
        ['delivery', "your man's coming tomorrow when i'm asleep so give me another day would you", undefined],
        ['delivery', 'my parcel is supposed to be delivered on tuesday can you make it thursday evening', '2026-11-26'],
        ['delivery', "i'd like it coming on tuesday instead", '2026-11-24'],
        ['delivery', 'can it be delivered on tuesday', '2026-11-24'],
        ['delivery', 'move it to this coming tuesday', '2026-11-24'],
        ['delivery', "could you bring it saturday because tomorrow i'm away", '2026-11-28'],
        ['clinic', 'ولدي سلطان له موعد عندكم السبت بالليل وعندنا عزيمة بس قدموه ولا أخروه', undefined],
        ['clinic', 'موعدي عندكم الثلاثاء وجاني ضيوف ما يمدي أتركهم أبيك تأجلينه لي', undefined],
        ['clinic', 'بنتي عندها موعد الثلاثاء أبغى أغيره للأربعاء', '2026-11-25'],
        ['clinic', 'موعدي الأحد أبيه الثلاثاء', '2026-11-24'],
        ['clinic', 'غيري موعدي ليوم الخميس', '2026-11-26'],
      ],
      ([, said]) => said,
      ([name, said, day]) => {
        expect(held(outcomeOf(name, [said]), 'date')).toBe(day);
      },
    );
  });

  it('is left with its hour and its part of the day', () => {
    const told = outcomeOf('clinic', ['موعدي عندكم الثلاثاء عشر الصبح وجاني ضيوف أبيك تأجلينه لي']);
    expect(held(told, 'time')).toBeUndefined();
    const asked = outcomeOf('delivery', [
      'it says tomorrow before noon is there any chance you could bring it on monday',
    ]);
    expect(held(asked, 'window')).toBeUndefined();
  });

  it('is none where it tells why something is wished for', () => {
    expect(
      held(outcomeOf('clinic', ['أبغى أحجز تبييض لأن حفل تخرجي يوم اثنين ديسمبر وأبغاه يكون قبلها']), 'date'),
    ).toBe(undefined);
    expect(held(outcomeOf('clinic', ['ابغى تنظيف لأني فاضية الثلاثاء']), 'date')).toBe('2026-11-24');
  });
});

describe('what is said beside an answer', () => {
  const READ_BACK = ['ابي كشف الثلاثاء ثلاث العصر', 'عبده الحمادي', '0547319862'];

  it('is a yes where it only says once more what was read back', () => {
    expect(
      outcomeOf('clinic', [...READ_BACK, 'أيوه تمام الثلاثاء أربعة وعشرين ثلاث العصر']).state.flow,
    ).toBeUndefined();
    expect(outcomeOf('clinic', [...READ_BACK, 'ايه صح بس بسرعة']).state.flow).toBeUndefined();
  });

  it('is read back once more behind a but that changes nothing', () => {
    const asked = outcomeOf('clinic', [...READ_BACK, 'ايه بس الوقت ثلاث العصر والاسم عبده الحمادي']);
    expect(asked.state.pending.kind).toBe('confirm-flow');
    expect(spoken(asked)).toContain('عبده الحمادي');
  });

  it('is not asked for what comes first again and again', () => {
    const once = [...READ_BACK, 'ايه بس مدري'];
    const again = spoken(outcomeOf('clinic', [...once, 'ايه بس مدري']));
    expect(again).not.toBe(spoken(outcomeOf('clinic', once)));
    expect(again).toContain('عبده الحمادي');
  });

  it('mends the part of a name that it is like', () => {
    const booked = ['ابي كشف الثلاثاء ثلاث العصر', 'رغد الشهري', '0547319862'];
    expectEveryRow<readonly [string, string]>(
      [
        ['الاسم رغد بالغين مو رعد بالعين والباقي صح', 'رغد الشهري'],
        ['لا الاسم رعد', 'رعد الشهري'],
        ['ايه بس الاسم لا تكتبين رغد الشهري اكتبي عبير الحربي', 'عبير الحربي'],
      ],
      ([said]) => said,
      ([said, name]) => {
        expect(held(outcomeOf('clinic', [...booked, said]), 'patient')).toBe(name);
      },
    );
  });

  it('refuses what a yes would be, or takes it', () => {
    const asked = ['my lamp is broken', '3090'];
    expectEveryRow<readonly [string, string]>(
      [
        ['no new one', 'no'],
        ["no new one i've bought it in the shop already just the money back", 'no'],
        ['no replacement please just a refund', 'no'],
        ['no a new one please', 'yes'],
        ['no send me a new one', 'yes'],
      ],
      ([said]) => said,
      ([said, answer]) => {
        expect(held(outcomeOf('delivery', [...asked, said]), 'replace')).toBe(answer);
      },
    );
    const money = outcomeOf('delivery', [...asked, 'money back', '0538417260', "no I don't want the money please"]);
    expect(held(money, 'replace')).toBe('yes');
  });

  it('tells what a value is for where it will not be said, and loses nothing', () => {
    const asked = ['my lamp is broken', '3090', 'a new one'];
    for (const said of ["i don't like giving out my number", "i'd rather not give you my phone number"]) {
      const told = outcomeOf('delivery', [...asked, said]);
      expect(spoken(told)).toContain('I need it for');
      expect(held(told, 'order')).toBe('3090');
    }
    expect(spoken(outcomeOf('clinic', [...READ_BACK.slice(0, 2), 'ما احب اعطي رقمي لاحد']))).toContain('أحتاجه');
  });
});

describe('where nothing is being done', () => {
  it('what is to stay as it is stays so', () => {
    for (const said of ['لا بس خلي موعدي مكانه', 'هونت عن الإلغاء خلي موعدي زي ما هو', 'خلي موعدي مثل ما هو مشكورة'])
      expect(spoken(outcomeOf('clinic', [said])), said).toContain('كل شي يبقى مثل ما هو');
    expect(spoken(outcomeOf('delivery', ['keep my order as it is please']))).toContain('everything stays as it is');
  });

  it('an undertaking that is asked for by its own verb is meant', () => {
    expectEveryRow<readonly [string, string]>(
      [
        ['احجزي لي يوم الثلاثاء لا لا الأربعاء أحسن', 'book'],
        ['هذي ثالث مرة أدق ويفصل الخط احجزي لي موعد وفكيني', 'book'],
        ['احجزوا لي كشف تكفون', 'book'],
        ['ألغي حجزي لو سمحتي', 'cancel'],
        ['ابي الغي الحجز', 'cancel'],
      ],
      ([said]) => said,
      ([said, flow]) => {
        expect(outcomeOf('clinic', [said]).state.flow).toBe(flow);
      },
    );
  });

  it('bleeding gums are no emergency, and what does not stop is', () => {
    expect(outcomeOf('clinic', ['لثتي تنزف كل ما أفرش أبي أحجز كشف']).action?.type).not.toBe('transfer');
    expect(outcomeOf('clinic', ['لثتي تنزف وما يوقف الدم']).action?.type).toBe('transfer');
  });
});
