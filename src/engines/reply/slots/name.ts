import { fold, type Word } from '../fold.ts';
import { isFiller } from '../lexicon.ts';
import { isNumberWord } from '../number-words.ts';
import { type Found, type SlotParser, same } from './slot.ts';
import { readYesNo } from './yesno.ts';

/** Triggers that also begin other sentences: enough when the name was asked for, not otherwise. */
const WEAK = [
  'i am',
  'im',
  'it is',
  'its',
  'this is',
  'thats',
  'that is',
  'انا',
  'معك',
  'معاك',
  'اكتب',
  'سجل',
  'سجلي',
  'سجلها',
  'اكتبي',
  'اكتبه',
  'اكتبها',
  'سجليه',
  'سجليها',
  'سجله',
  'حط',
  'حطي',
  'حطه',
  'حطيه',
  'خله',
  'خليه',
  'خليها',
  'اسمه',
  'اسمها',
  'the name of',
  'that would be',
  'its under',
  'it is under',
];
const WEAK_TRIGGERS = new Set(WEAK.map(fold));
const TRIGGERS = [
  'my full name is',
  'my name is',
  'the name is',
  'name is',
  'the names',
  'my names',
  'call me',
  'you can call me',
  'under the name',
  'put it under',
  'book it under',
  'make it under',
  'put down',
  'it goes under',
  'حطها باسم',
  'اسمي الكامل',
  'اسمي هو',
  'اسمي',
  'انا اسمي',
  'باسم',
  'الاسم',
  'سجل باسم',
  'اخوك',
  'اختك',
  'her name is',
  'his name is',
  'الحجز باسم',
  'خليه باسم',
  'خليها باسم',
  ...WEAK,
]
  .map((trigger) => fold(trigger).split(' '))
  .sort((a, b) => b.length - a.length);
const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'doctor', 'الاستاذ', 'استاذ', 'الدكتور'].map(fold));
/** Whose name it is, said before the name. */
const RELATIVES = new Set(
  'my sons daughters wifes husbands mothers fathers name son daughter wife husband mother father brother sister mum mom dad friend ولدي بنتي زوجتي زوجي امي ابوي اخوي اختي ابني ابنتي الوالده الوالد والدتي والدي حرمتي خالتي عمتي'
    .split(' ')
    .map((word) => fold(word)),
);
const CORRECTS = new Set(['no', 'nope', 'sorry', 'actually', 'rather', 'لا', 'عفوا', 'قصدي', 'اقصد', 'اسف'].map(fold));
const ENDS_NAME = new Set(
  'and for to at on the from i want please thanks thank with my number is calling here speaking و ابغى ابي عشان علشان اريد ورقمي رقمي جوالي من على في حق وابغى شكرا لو يوم بكره الساعه بعد'
    .split(' ')
    .map((word) => fold(word)),
);
const NEVER_NAMES = new Set(
  'باسمي اسمي الحجز الموعد حجز موعد لامي خليه خله حطه dont not have know same nobody none the my ما عندي مدري ادري اعرف ابغى ابي ودي اريد هذا نفس كذا بدون what when where why how who which can could do does is are will would book cancel change repeat help wait hello hi thanks bye yes no sorry ايش وش وين متى كيف كم ليش مين هل ممكن مرحبا هلا السلام شكرا احجز الغي عيد نعم لا ايوه'
    .split(' ')
    .map((word) => fold(word)),
);
const MAX_NAME_WORDS = 5;

/**
 * A person's name: after `my name is` / `اسمي`, or the whole short answer when the name was asked for. English names
 * get capitals, Arabic ones stay as said.
 */
export const parseName: SlotParser = (words, { asked }): Found | undefined => {
  const plain = words.map((word) => word.text);
  for (const trigger of TRIGGERS) {
    if (!asked && WEAK_TRIGGERS.has(trigger.join(' '))) continue;
    for (let at = 0; at + trigger.length < plain.length; at += 1) {
      if (!trigger.every((word, i) => plain[at + i] === word)) continue;
      const found = nameFrom(words, at + trigger.length);
      if (found) return { ...found, start: at };
    }
  }
  if (!asked) return undefined;
  const corrected = plain.findLastIndex((word, at) => at > 0 && CORRECTS.has(word));
  const other = corrected < 0 ? undefined : nameFrom(words, corrected + 1);
  if (other && other.end === words.length) return other; // Muhammad, no, Ahmad
  let start = 0;
  while (start < plain.length && (isFiller(plain[start]!) || readYesNo(words.slice(start, start + 1)))) start += 1;
  const found = nameFrom(words, start);
  return found && words.length - found.end <= 3 ? found : undefined;
};

function nameFrom(words: readonly Word[], from: number): Found | undefined {
  let start = from;
  const isBefore = ({ text }: Word): boolean => TITLES.has(text) || RELATIVES.has(text) || text === 'باسم';
  while (start < words.length && isBefore(words[start]!)) start += 1;
  let end = start;
  while (end < words.length && end - start < MAX_NAME_WORDS) {
    const word = words[end]!.text;
    if (ENDS_NAME.has(word) || NEVER_NAMES.has(word) || isFiller(word) || isNumberWord(word) || /[\d#*]/.test(word))
      break;
    end += 1;
  }
  if (end === start) return undefined;
  const raw = words.slice(start, end).map((word) => capitalised(word.raw));
  return { value: { value: raw.join(' '), say: same(raw.join(' ')) }, start, end };
}

function capitalised(word: string): string {
  return /^[a-z]/.test(word) ? word[0]!.toUpperCase() + word.slice(1) : word;
}
