import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SlotDefinition } from '../../../src/core/agent.ts';
import { runs } from '../../support/property-runs.ts';
import { readSlot } from './read-slot.ts';

const SERVICES: SlotDefinition['choices'] = [
  { value: 'checkup', say: { ar: ['كشف'], en: ['check up'] } },
  { value: 'cleaning', say: { ar: ['تنظيف'], en: ['cleaning'] } },
  { value: 'braces', say: { ar: ['تقويم'], en: ['braces'] } },
  { value: 'whitening', say: { ar: ['تبييض'], en: ['whitening'] } },
];
const HESITATIONS = ['um', 'let me think', 'hang on', 'one moment', 'اه', 'لحظة', 'خليني افكر', 'استغفر الله', 'ثواني'];
const GREETINGS = ['hello', 'good morning', 'السلام عليكم', 'صباح الخير', 'مرحبا'];
const QUESTIONS = [
  'why do you ask',
  'what is it for',
  'تبغين اسمي انا؟',
  'وش تقصد',
  'do you also ship abroad',
  'وين مكانكم',
];

describe('what is no answer is not taken for one', () => {
  const asides = [...HESITATIONS, ...GREETINGS, ...QUESTIONS];
  it.each(asides)('name: %s', (text) => {
    expect(readSlot('name', text)).toBeUndefined();
  });
  it.each([
    ...HESITATIONS,
    ...GREETINGS,
    'um hang on let me think what the number is',
    'hold on do you also ship abroad',
  ])('text: %s', (text) => {
    expect(readSlot('text', text)).toBeUndefined();
  });

  it('and neither is any of them after another', () => {
    const several = fc.array(fc.constantFrom(...HESITATIONS, ...GREETINGS), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(several, (said) => {
        expect(readSlot('name', said.join(', ')), said.join(', ')).toBeUndefined();
        expect(readSlot('text', said.join(', ')), said.join(', ')).toBeUndefined();
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('a name among other words', () => {
  it.each([
    ['راكان لا استغفر الله ريان', 'ريان'],
    ['ابو سلطان لا اكتبها محمد الحربي', 'محمد الحربي'],
    ['ام فهد لا اكتبها شريفة عسيري', 'شريفة عسيري'],
    ['faleh, omar faleh', 'Omar Faleh'],
    ['sara, uh sara naser', 'Sara Naser'],
    ['john uh miller', 'John Miller'],
    ['will smith', 'Will Smith'],
    ['عبد الله محمد', 'عبد الله محمد'],
    ['my name is Ali, no, Omar', 'Omar'],
    ['good morning, khalid omar', 'Khalid Omar'],
    ['لحظة، نورة القحطاني لو سمحت', 'نورة القحطاني'],
    ['i am not sure', undefined],
    ['مو فاهم عليك', undefined],
  ])('%s -> %s', (text, name) => {
    expect(readSlot('name', text)?.value.value).toBe(name);
  });

  it('keeps the last of two names, whatever is said while it is corrected', () => {
    const names = fc.constantFrom('راكان', 'ريان', 'محمد الحربي', 'نورة', 'سلطان');
    const aside = fc.constantFrom('', 'لحظة', 'استغفر الله', 'والله', 'اه');
    fc.assert(
      fc.property(names, names, aside, (first, second, said) => {
        expect(readSlot('name', `${first} لا ${said} ${second}`)?.value.value).toBe(second);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('an address among other words', () => {
  it.each([
    [
      'villa 14 prince sultan street, no sorry what am i saying, villa 40 prince sultan street',
      'villa 40 prince sultan street',
    ],
    ['villa 14 prince sultan street, no sorry, villa 40', 'villa 40 prince sultan street'],
    ['olaya street forty no fourteen i mean fourteen', 'olaya street fourteen'],
    ['شارع العليا عماره سبعه لا تسعه', 'شارع العليا عماره تسعه'],
    ['حي النرجس شارع خمسة لا اقصد شارع ستة', 'حي النرجس شارع ستة'],
    ['king road 5, i mean olaya street 20 riyadh', 'olaya street 20 riyadh'],
    ['ok then to my sister, 27 al malaz street riyadh', 'my sister 27 al malaz street riyadh'],
    ["ok it's unit 8 tahlia street riyadh", 'unit 8 tahlia street riyadh'],
    ['um hang on, 12 King Street', '12 King Street'],
    ['house no 5 olaya street', 'house no 5 olaya street'],
    ['can you leave it at the door', 'can you leave it at the door'],
    ['no', 'no'],
    ['yes', undefined],
  ])('%s -> %s', (text, address) => {
    expect(readSlot('text', text)?.value.value).toBe(address);
  });
});

describe('what is refused is not taken', () => {
  it.each([
    ['choice', 'مو تقويم', undefined],
    ['choice', 'مو تقويم اللي ابغاه لا ابغى موعد كشف عادي', 'checkup'],
    ['choice', 'ايوه تنظيف مو تبييض', 'cleaning'],
    ['choice', 'not the braces', undefined],
    ['choice', 'not braces, cleaning', 'cleaning'],
    ['date', 'not on friday', undefined],
    ['date', 'مو الجمعة', undefined],
    ['date', 'anything, not friday, monday', '2026-11-23'],
    ['date', 'why not friday', '2026-11-27'],
    ['time', 'not at six', undefined],
    ['time', 'لا مو ست خليها سبع المسا', '19:00'],
  ] as const)('%s: %s -> %s', (type, text, value) => {
    expect(readSlot(type, text, { definition: { choices: SERVICES } })?.value.value).toBe(value);
  });
});
