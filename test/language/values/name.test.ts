import { describe, expect, it } from 'vitest';
import { parseName } from '../../../dist/language/values/name.js';
import { wordsOf } from '../../../dist/language/words.js';
import { expectEveryRow } from '../../support/labelled-rows.ts';

const TODAY = { year: 2026, month: 11, day: 22 };

/** What is answered where a name is asked for, and the name. */
const ROWS: readonly (readonly [said: string, name: string | undefined])[] = [
  // mended in the same breath
  ['Dana, sorry, Donna', 'Donna'],
  ['لين، لا، ريناد', 'ريناد'],
  ['اسمه سعد لا وش اقول سعد الكبير هذا فيصل', 'فيصل'],
  ['not Sara, Hala', 'Hala'],
  ['هيفاء مو سارة', 'هيفاء'],
  // spelled
  ['s a m i r', 'Samir'],
  ['Sara Naser, s a r a', 'Sara Naser'],
  ["Dana, that's d o n n a", 'Donna'],
  ["Majed Turki that's t u r k i", 'Majed Turki'],
  ['أروى الحارثي أروى ألف راء واو ألف مقصورة', 'أروى الحارثي'],
  ['جواهر جيم واو ألف هاء راء', 'جواهر'],
  ['غين لام ألف', 'غلا'],
  ['ضحى بالضاد مو دحى', 'ضحى'],
  ['رغد بالغين مو رعد بالعين والباقي صح', 'رغد'],
  ['نون للتجميل', 'نون للتجميل'],
  // of somebody else, and what stands behind it
  ['سعيد الغامدي لا هذا اسمي أنا المريضة زوجتي أمل الغامدي', 'أمل الغامدي'],
  ['سعود لا وش أقول سعود أخوه هذا عبدالإله', 'عبدالإله'],
  ['باسم أمل ورقمها صفر خمسة', 'أمل'],
  ['لا تكتبين أم تركي اكتبي عبير الحربي', 'عبير الحربي'],
  // also words
  ['Will', 'Will'],
  ['سعيد', 'سعيد'],
  ['نور العتيبي', 'نور العتيبي'],
  ['April', 'April'],
  ['Friday', undefined],
];

describe('a name that is asked for', () => {
  it('is the one that is meant, however it is mended or spelled', () => {
    expectEveryRow(
      ROWS,
      ([said]) => said,
      ([said, name]) => {
        const found = parseName(wordsOf(said), {
          asked: true,
          today: TODAY,
          definition: { name: 'name', type: 'name', prompts: {} },
        });
        expect(found?.value.value).toBe(name);
      },
    );
  });
});
