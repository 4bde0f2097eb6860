import { describe, expect, it } from 'vitest';
import { dangerIn } from '../../../dist/language/phrases/danger.js';
import { wordsOf } from '../../../dist/language/words.js';
import { expectEveryRow } from '../../support/labelled-rows.ts';

const DANGER = [
  // it does not stop
  'I sliced my finger on the lid and it is not stopping',
  'the wound on his arm is deep, his hand is cut and it keeps pouring',
  'ضرسي فيه دم ومهو راضي يوقف من العصر',
  'دم كثير من فمها',
  // somebody cannot do what a body does
  'my dad is on the floor and she says he is not breathing',
  'the rider fell off and he does not move',
  'ابوي طاح بالحمام وما يرد علي',
  'وجهي انتفخ وما اقدر ابلع',
  'بنتي مو قادرة تتنفس',
  // taken in, done to
  'my baby swallowed something from the box',
  'the little one drank the bleach',
  'your truck knocked down an old lady',
  'سيارتكم دهست ولد',
  'my mother collapsed in the kitchen',
  'I have chest pain',
  'flames are coming out of the box',
  'ولدي بيموت الحقوني',
  'please I am dying, I cannot breathe',
  'my father is dying',
  'بموت ما اقدر اتنفس',
];
const NONE = [
  // figures of speech
  'I was scared to death when he rang',
  'we are dying of hunger here where is my food',
  'I am dying to see it',
  "help me I'm dying here, absolutely dying, the party is tonight",
  'بموت واعرف كم سعره',
  'she nearly had a heart attack at the price',
  'you almost gave me a heart attack',
  'my phone is dying',
  'انا ميت من الجوع',
  'ولدي يموت خوف من الابرة',
  'امي تموت على التمر',
  'بموت من الطفش وانا انتظر',
  'بموت والله بموت من الفشله',
  // mild, absent, long ago, looked after
  'a mild swelling on my gum is that normal',
  'عندي ورم بسيط',
  'there is no blood and he is not bleeding',
  'ما فيه نزيف بس يعورني',
  'my gums bleed a little when I brush',
  'لثتي تنزف اذا فرشت',
  'my father had a stroke two years ago so he cannot come down',
  'اخوي صار له حادث بس هو بخير',
  // things and other words
  'the parcel is not moving since Monday',
  'the machine swallowed my card',
  'I ordered a smoke alarm',
  'there was smoke when I plugged it in',
  'your driver does not answer',
  'your driver hit my car',
  'the shop collapsed',
  'I have a blood test on Sunday',
  'امي عندها ضغط الدم',
  'ما أصحى بدري',
  'the cut of these trousers is wrong',
];

describe('danger', () => {
  it('is a present event of a body, grave or going on', () => {
    expectEveryRow(
      DANGER,
      (text) => text,
      (text) => expect(dangerIn(wordsOf(text))).toBeDefined(),
    );
  });

  it('is no figure of speech, nothing mild, absent, past or of things', () => {
    expectEveryRow(
      NONE,
      (text) => text,
      (text) => expect(dangerIn(wordsOf(text))).toBeUndefined(),
    );
  });
});
