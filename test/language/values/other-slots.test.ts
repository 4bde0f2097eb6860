import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SlotDefinition, SlotType } from '../../../src/core/agent.ts';
import { SLOT_PARSERS } from '../../../src/language/values/parsers.ts';
import { runs } from '../../support/property-runs.ts';
import { readSlot } from './read-slot.ts';

describe('name slot', () => {
  it.each([
    ['Khaled', 'Khaled'],
    ['khaled al otaibi', 'Khaled Al Otaibi'],
    ['my name is sara smith', 'Sara Smith'],
    ["it's John", 'John'],
    ['um John Miller please', 'John Miller'],
    ['this is doctor Ahmed', 'Ahmed'],
    ['my name is Ali and my number is 5', 'Ali'],
    ['خالد العتيبي', 'خالد العتيبي'],
    ['اسمي سارة', 'سارة'],
    ['أنا أحمد بن محمد', 'أحمد بن محمد'],
    ['معك الدكتور فهد', 'فهد'],
    ['باسم منيرة لو سمحت', 'منيرة'],
    ['ايوه خالد', 'خالد'],
    ['علي العسيري', 'علي العسيري'],
    ['سجليها محمد علي', 'محمد علي'],
    ['موضي السبيعي هذا اسم خالتي', 'موضي السبيعي'],
    ["Salma Harbi that's my daughter", 'Salma Harbi'],
    ['he is my son his name is Faris', 'Faris'],
    ['يا سعد اقفل الباب ايوه منال باخشب', 'منال باخشب'],
    ['انا ام سلطان بس البنت اسمها لولوة سجليها لولوة', 'لولوة'],
    ["I'm Jane Miller but it's for Omar Haddad", 'Omar Haddad'],
    ['اسمي موضي بس بالهوية موضي الدوسري', 'موضي الدوسري'],
    ['مدام فاطمة', 'فاطمة'],
    ['بدر قلت لك', 'بدر'],
    ['اسف مو اسمي سارة العتيبي اقصد انا فهد القحطاني', 'فهد القحطاني'],
    ['لحظة العيال', undefined],
    ['what is the price', undefined],
    ['وين موقعكم', undefined],
    ['0551234567', undefined],
    ['yes', undefined],
  ])('asked: %s -> %s', (text, expected) => {
    expect(readSlot('name', text)?.value.value).toBe(expected);
  });

  it.each([
    ['book for tomorrow, my name is Ali', 'Ali'],
    ['ابغى احجز موعد باسم نوف', 'نوف'],
    ['ابغى احجز كشف حق اختي هيفاء بكرة', 'هيفاء'],
    ['احجزي تنظيف لبنتي لمى', 'لمى'],
    ['a checkup for my son Omar on Sunday', 'Omar'],
    ['موعد امي نوال بكرة', 'نوال'],
    ['my husband Omar Saleh is waiting for it', 'Omar Saleh'],
    ['بنتي لمى لا مو لمى اختها جود تبغى تقويم', undefined], // two of them: it is asked
    ['يا اختي نورة ابغى احجز', undefined], // who answers is called so
    ['انا سعد وابغى كشف يوم الاربعاء', 'سعد'],
    ['معك منيرة السالم ابي موعد', 'منيرة السالم'],
    ['hi this is Sara Naser, I want to book', 'Sara Naser'],
    ['انا خالد ابغى احجز لامي', undefined], // not for who speaks
    ['my brother will pay', undefined],
    ['this is grace period stuff', undefined],
    ['ابغى موعد لولدي عمره خمس سنين', undefined],
    ['a checkup for my son on Sunday', undefined],
    ['I am late', undefined],
    ['انا ابغى احجز', undefined],
    ['Khaled', undefined],
  ])('unasked: %s -> %s', (text, expected) => {
    expect(readSlot('name', text, { asked: false })?.value.value).toBe(expected);
  });
});

describe('number slot', () => {
  it.each([
    ['four', '4'],
    ['we are four people', '4'],
    ['twenty five', '25'],
    ['one hundred and five', '105'],
    ['two thousand', '2000'],
    ['12', '12'],
    ['1,250', '1250'],
    ['أربعة', '4'],
    ['خمسة وعشرين', '25'],
    ['مية وخمسة', '105'],
    ['١٢', '12'],
    ['ثلاثة عشر', '13'],
    ['none', undefined],
  ])('%s -> %s', (text, expected) => {
    expect(readSlot('number', text)?.value.value).toBe(expected);
  });
});

describe('choice slot', () => {
  const choices: SlotDefinition['choices'] = [
    { value: 'clean', say: { en: ['cleaning', 'teeth cleaning'], ar: ['تنظيف', 'تنظيف اسنان'] } },
    { value: 'braces', say: { en: ['braces'], ar: ['تقويم'] } },
    { value: 'check', say: { en: ['check up'], ar: ['كشف'] } },
  ];
  it.each([
    ['cleaning', 'clean'],
    ['a teeth cleaning please', 'clean'],
    ['cleening', 'clean'],
    ['brases', 'braces'],
    ['the second one', 'braces'],
    ['the first', 'clean'],
    ['number three', 'check'],
    ['التنظيف', 'clean'],
    ['تنضيف', 'clean'],
    ['الثاني', 'braces'],
    ['ابغى تقويم', 'braces'],
    ['كشف لو سمحت', 'check'],
    ['something else', undefined],
  ])('%s -> %s', (text, expected) => {
    expect(readSlot('choice', text, { definition: { choices } })?.value.value).toBe(expected);
  });
});

describe('text slot', () => {
  it.each([
    ['12 King Street, Riyadh', '12 King Street Riyadh'],
    ['my new address is 12 King Street', '12 King Street'],
    ["it's the blue one", 'the blue one'],
    ['عنواني الجديد حي النرجس شارع ٥', 'حي النرجس شارع ٥'],
  ])('%s -> %s', (text, expected) => {
    expect(readSlot('text', text)?.value.value).toBe(expected);
  });
});

describe('every parser', () => {
  const types = Object.keys(SLOT_PARSERS) as SlotType[];
  const word = fc.oneof(
    fc.constantFrom(
      'no',
      'monday',
      'half',
      'past',
      'four',
      'double',
      '٥',
      'لا',
      'بعد',
      'الساعة',
      'ونص',
      'و',
      'الف',
      'الا',
      '0',
      ':',
      '5/12',
      'am',
      'the',
      'يوم',
    ),
    fc.string({ maxLength: 12 }),
  );
  it.each(types)('%s never throws and takes words that are there', (type) => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.boolean(), (words, asked) => {
        const found = readSlot(type, words.join(' '), {
          asked,
          definition: { choices: [{ value: 'x', say: { en: ['four'] } }] },
        });
        if (!found) return;
        expect(found.start).toBeGreaterThanOrEqual(0);
        expect(found.end).toBeGreaterThan(found.start);
      }),
      { numRuns: runs(200) },
    );
  });
});
