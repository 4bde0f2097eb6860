import { fold, type Word } from '../fold.ts';
import { isCommon, isFiller } from '../lexicon.ts';
import { isNumberWord } from '../number-words.ts';
import { asksAt, sideTalkAt } from './side-talk.ts';
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
  'اسم الولد',
  'اسم البنت',
  'اسم الطفل',
  'اسم الطفله',
  'اسم المريض',
  'اسم المريضه',
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
  'مو مب مش موب ماني الي الى من to than i me you he she we they انا انت انتي هو هي احنا تبغين تبين تبغون تبي تريد تريدين باسمي اسمي الحجز الموعد حجز موعد لامي خليه خله حطه dont not have know same nobody none the my ما عندي مدري ادري اعرف ابغى ابي ودي اريد هذا نفس كذا بدون what when where why how who which can could do does is are will would book cancel change repeat help wait hello hi thanks bye yes no sorry ايش وش وين متى كيف كم ليش مين هل ممكن مرحبا هلا السلام شكرا احجز الغي عيد نعم لا ايوه'
    .split(' ')
    .map((word) => fold(word)),
);
/** `the name is wrong, Rima`: said of the name before it. */
const WRONG = new Set('wrong incorrect غلط خطا خاطي'.split(' ').map((word) => fold(word)));
/** Parts of the day that nobody is called. */
const PARTS_OF_DAY = new Set(
  'morning afternoon evening tonight noon am pm الصبح الصباح الظهر العصر المغرب العشا العشاء المسا المساء الليل بالليل مساء ظهرا عصرا صباحا'
    .split(' ')
    .map((word) => fold(word)),
);
/** Everyday words that people are also called. */
const ALSO_NAMES = new Set(
  'will may mark hope grace guy long early خير زين سعيد حبيب'.split(' ').map((word) => fold(word)),
);
const GOD = 'الله';
const MAX_NAME_WORDS = 5;
/** Politeness after a name; more than that and it was another sentence. */
const MAX_WORDS_AFTER = 3;

/**
 * A person's name: after `my name is` / `اسمي`, or the whole short answer when the name was asked for; the last one where it is
 * corrected. A question, a hesitation, a greeting or an oath is no name. English names get capitals, Arabic ones stay as said.
 */
export const parseName: SlotParser = (words, { asked }): Found | undefined => {
  const plain = words.map((word) => word.text);
  for (const trigger of TRIGGERS) {
    const isWeak = WEAK_TRIGGERS.has(trigger.join(' '));
    if (!asked && isWeak) continue;
    for (let at = 0; at + trigger.length < plain.length; at += 1) {
      if (!trigger.every((word, i) => plain[at + i] === word)) continue;
      if (isWeak && words.slice(0, at).some((_, i) => asksAt(words, i))) continue; // اسم مين اسمي انا ولا اسم زوجي
      const found = nameFrom(words, at + trigger.length, isWeak);
      if (found) return saidInstead(words, found.end) ?? { ...found, start: at };
    }
  }
  return asked ? nameAlone(words) : undefined;
};

/** `my name is Ali, no, Omar`: what follows the correction, where it is a name and nothing else. */
function saidInstead(words: readonly Word[], from: number): Found | undefined {
  const at = words.findLastIndex((word, i) => i >= from && CORRECTS.has(word.text));
  const found = at < 0 ? undefined : nameFrom(words, at + 1, true);
  return found?.end === words.length ? found : undefined;
}

/** A piece of an answer between corrections, hesitations and the like; `corrects`: it takes back what was said before. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly corrects: boolean;
}

function piecesOf(words: readonly Word[]): Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  let corrects = false;
  const close = (end: number): void => {
    if (end > start) pieces.push({ start, end, corrects });
  };
  for (let at = 0; at < words.length; ) {
    const isOfGod = words[at]!.text === GOD && at > start;
    const talk = isOfGod ? 0 : sideTalkAt(words, at);
    const isCorrection = at > 0 && CORRECTS.has(words[at]!.text);
    if (talk === 0 && !isCorrection) {
      at += 1;
      continue;
    }
    close(at);
    if (at > start) corrects = false;
    corrects ||= isCorrection;
    at += Math.max(1, talk);
    start = at;
  }
  close(words.length);
  return pieces;
}

/** The name that an answer is: the last one after corrections, joined over hesitations (`John, um, Miller`). */
function nameAlone(words: readonly Word[]): Found | undefined {
  let name: Found | undefined;
  for (const { start, end, corrects } of piecesOf(words)) {
    let from = start;
    while (from < end && readYesNo(words.slice(from, from + 1))) from += 1;
    if (words.slice(from, end).some((_, i) => asksAt(words, from + i))) return undefined;
    const found = nameFrom(words.slice(0, end), from, true);
    const after = found ? words.slice(found.end, end) : [];
    if (!found || after.length > MAX_WORDS_AFTER || after.some(({ text }) => NEVER_NAMES.has(text))) continue;
    name = name && !corrects && !beginsAlike(words, name, found) ? joined(name, found) : found;
  }
  return name && withoutEcho(name);
}

function beginsAlike(words: readonly Word[], a: Found, b: Found): boolean {
  return words[a.start]!.text === words[b.start]!.text;
}

function joined(a: Found, b: Found): Found {
  const name = `${a.value.value} ${b.value.value}`;
  if (name.split(' ').length > MAX_NAME_WORDS) return b;
  return { value: { value: name, say: same(name) }, start: a.start, end: b.end };
}

/** `Haddad, Sami Haddad`: the family name said first is not said twice. */
function withoutEcho(found: Found): Found {
  const parts = found.value.value.split(' ');
  if (parts.length < 3 || parts[0]!.toLowerCase() !== parts.at(-1)!.toLowerCase()) return found;
  const name = parts.slice(1).join(' ');
  return { ...found, value: { value: name, say: same(name) } };
}

/** `strict`: nothing announced it, so everyday words are none. */
function nameFrom(words: readonly Word[], from: number, strict: boolean): Found | undefined {
  let start = from;
  const isBefore = ({ text }: Word): boolean =>
    WRONG.has(text) || TITLES.has(text) || RELATIVES.has(text) || text === 'باسم';
  while (start < words.length && isBefore(words[start]!)) start += 1;
  let end = start;
  while (end < words.length && end - start < MAX_NAME_WORDS) {
    const word = words[end]!.text;
    const isFirst = end === start;
    const isOfGod = word === GOD && !isFirst; // عبد الله
    if (ENDS_NAME.has(word) || PARTS_OF_DAY.has(word) || WRONG.has(word) || isNumberWord(word) || /[\d#*]/.test(word))
      break;
    if ((NEVER_NAMES.has(word) && !(isFirst && ALSO_NAMES.has(word))) || (isFiller(word) && !isOfGod)) break;
    if (strict && isCommon(word) && !ALSO_NAMES.has(word) && !isOfGod) break;
    end += 1;
  }
  if (end === start) return undefined;
  const raw = words.slice(start, end).map((word) => capitalised(word.raw));
  return { value: { value: raw.join(' '), say: same(raw.join(' ')) }, start, end };
}

function capitalised(word: string): string {
  return /^[a-z]/.test(word) ? word[0]!.toUpperCase() + word.slice(1) : word;
}
