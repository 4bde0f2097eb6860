import { describe, expect, it } from 'vitest';
import type { SlotDefinition, SlotType } from '../../../src/core/agent.ts';
import { readSlots } from '../../../src/language/values/slot-filling.ts';
import { wordsOf } from '../../../src/language/words.ts';
import { TODAY } from './read-slot.ts';

/** `type` or `type:digits`, the answer to a question for it, the value; undefined: asked again. */
describe('values that are taken back, put off or said anew while they are given', () => {
  it.each([
    ['date', 'مو بكرة، اللي بعده', '2026-11-22'],
    ['date', 'not tomorrow but the day after', '2026-11-22'],
    ['date', 'no not tomorrow, the one following that', '2026-11-22'],
    ['date', 'بكرة لا، اللي عقبه', '2026-11-22'],
    ['date', 'not today, the day after', '2026-11-21'],
    ['date', "Monday, oh no, Monday I've got work, Tuesday", '2026-11-24'],
    ['date', "let's say Tuesday... sorry, Tuesday is bad, Wednesday", '2026-11-25'],
    ['date', 'الأحد... لا، الأحد عندي دوام، الاثنين', '2026-11-23'],
    ['date', 'الثلاثاء ولا أقولك الخميس', '2026-11-26'],
    ['date', 'السبت لا لا الأحد', '2026-11-22'],
    ['date', 'first of December', '2026-12-01'],
    ['date', 'ثاني يوم في ديسمبر', '2026-12-02'],
    ['date', 'يوم واحد ديسمبر', '2026-12-01'],
    ['date', 'يوم التلوت', '2026-11-24'],
    ['date', 'الاربعااا', '2026-11-25'],
    ['date', 'wendsday', '2026-11-25'],
    ['date', 'thursdey', '2026-11-26'],
    ['date', 'سانداي الأحد يعني', '2026-11-22'],
    ['date', 'خليها الخميس بس مو بدري', '2026-11-26'],
    ['date', 'أي يوم عادي', undefined],
    ['date', 'whenever suits you', undefined],
    ['time', 'أربع ونص وخمس العصر', '16:35'],
    ['time', 'ست ونص إلا خمس المسا', '18:25'],
    ['time', 'الخمس ونص', '17:30'],
    ['time', 'ست، لا ست ما يمديني، سبع المسا', '19:00'],
    ['time', 'four, no wait, four is too early, five pm', '17:00'],
    ['time', 'at two, sorry, three in the afternoon', '15:00'],
    ['time', 'التسع صباحا', '09:00'],
    ['time', 'عالعشر الصبح', '10:00'],
    ['time', 'الثمان المسا', '20:00'],
    ['time', 'أي وقت يناسبكم', undefined],
    [
      'phone',
      'صفر خمسة صفر خمسة واحد واحد اثنين اثنين تسعة تسعة لا اسفة اخره ثمانية ثمانية مو تسعة تسعة',
      '0505112288',
    ],
    ['phone', 'صفر خمسة أربعة واحد واحد صفر صفر اثنين اثنين ثمانية لا تسعة آخره تسعة', '0541100229'],
    ['phone', 'صفر خمسة خمسة خمسة ستة لا مو ستة سبعة، صفر واحد تسعة ثمانية أربعة', '0555701984'],
    [
      'phone',
      'zero five five one two three zero nine seven eight, sorry, eight seven at the end, so zero five five one two three zero nine eight seven',
      '0551230987',
    ],
    ['phone', '0551230978 sorry eight seven at the end', '0551230987'],
    ['phone', 'صفر خمسة صفر واحد واحد واحد اثنين ثلاثة ثلاثة لا اثنين اثنين ثلاثة ثلاثة', '0501112233'],
    ['phone', '055 123 4576 no wait 4567', '0551234567'],
    ['phone', '0544123456 لا عفوا 0555123456', '0555123456'],
    ['phone', '0551230978 no the last is seven, so eight seven', '0551230987'],
    ['phone', '0551230978 sorry seven at the end I mean eight seven', '0551230987'],
    ['phone', 'صفر خمسة أربعة ثمانية واحد خمسة اثنين ثلاثة سبعة واحد لا آخر شي صفر يعني سبعة صفر', '0548152370'],
    ['phone', 'zero five five, no, one two three', undefined],
    ['phone', 'صفر خمسة خمسة واحد لا اثنين', undefined],
    ['digits:4', '4521 sorry 4522', '4522'],
    ['digits:4', 'four five two one, no, two two', '4522'],
    ['digits:4', 'thirty ninety, I mean thirty ninety one', '3091'],
    ['digits:4', 'six one four oh no wait six one oh four', '6104'],
    ['digits:4', 'seven seven, uh, eighty eight', '7788'],
    ['digits:4', 'four five no', undefined],
    ['yesno', 'aiwa', 'yes'],
    ['yesno', "naam that's right", 'yes'],
    ['yesno', 'ما اعتقد', 'no'],
    ['yesno', 'لا أظن', 'no'],
    ['yesno', 'I doubt it', 'no'],
    ['yesno', 'ايه والله', 'yes'],
    ['yesno', 'يمكن', undefined],
    ['yesno', 'مو هذا', 'no'],
    ['name', 'سجليه باسم سعد القحطاني', 'سعد القحطاني'],
    ['name', 'الحجز باسم بنتي ريم', 'ريم'],
    ['name', 'خالد، لا، خليه باسم هند', 'هند'],
    ['name', 'لأخوي اسمه فيصل', 'فيصل'],
    ['name', 'حطيه باسم الوالدة نوال', 'نوال'],
    ['name', "put it under my wife's name, Sara Ahmed", 'Sara Ahmed'],
    ['name', 'Khalid, sorry, Omar', 'Omar'],
    ['name', "it's for my daughter, her name is Lina", 'Lina'],
    ['name', 'باسمي', undefined],
    ['name', 'ما أدري للحين', undefined],
    ['name', "that's Peter Jones", 'Peter Jones'],
    ['name', 'معك عبدالله العتيبي', 'عبدالله العتيبي'],
  ])('%s: %s -> %s', (kind, text, expected) => {
    const [type, digits] = kind.split(':');
    const bounds = digits ? { minDigits: Number(digits), maxDigits: Number(digits) } : {};
    const slot: SlotDefinition = { name: 'slot', type: type as SlotType, prompts: {}, ...bounds };
    expect(readSlots(wordsOf(text), [slot], TODAY, 'slot').values.slot?.value).toBe(expected);
  });
});
