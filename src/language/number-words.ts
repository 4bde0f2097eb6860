import { fold } from './fold.ts';

/** What one word contributes to a number. */
interface NumberPart {
  readonly value: number;
  readonly scale: boolean; // hundred, thousand: multiplies what stands before
}

const ENGLISH_PARTS: Readonly<Record<string, number>> = {
  zero: 0,
  oh: 0,
  o: 0,
  nought: 0,
  one: 1,
  two: 2,
  three: 3,
  tree: 3,
  four: 4,
  five: 5,
  fife: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  niner: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  dozen: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const ARABIC_PARTS: readonly (readonly [number, string])[] = [
  [0, 'صفر زيرو'],
  [1, 'واحد واحده وحده وحد'],
  [2, 'اثنين اثنان اثنتين اثنتان ثنين ثنتين اتنين اتنان تنين تنتين اثنينن'],
  [3, 'ثلاثه ثلاث تلاته تلات'],
  [4, 'اربعه اربع'],
  [5, 'خمسه خمس'],
  [6, 'سته ست'],
  [7, 'سبعه سبع'],
  [8, 'ثمانيه ثمان ثماني تمانيه تمنيه ثمنيه تمانه تمان تماني'],
  [9, 'تسعه تسع'],
  [10, 'عشره عشر'],
  [11, 'احدعش حدعش احدعشر حداعش احداعش ايدعش احداشر حداشر احدعشره احداش حداش اداعش ادعش حداعشر'],
  [12, 'اثنعش اثنعشر اثناعش اطنعش طنعش ثنعش اتناعش اتناشر اثناشر ثنعشر اتنعش اتنعشر اثناش اتناش اطناعش تنعش'],
  [13, 'ثلطعش ثلاثطعش ثلطعشر تلتطعش ثلاثتعش ثلاثتعشر ثلتعش تلتعش تلتاشر تلطاشر تلتطاشر تلاتاشر تلطعش'],
  [14, 'اربعطعش اربعتعش اربعتعشر اربعطعشر اربعتاشر اربعطاشر'],
  [15, 'خمسطعش خمستعش خمستعشر خمسطعشر خمستاشر خمسطاشر'],
  [16, 'سطعش ستطعش ستعش ستعشر سطعشر ستاشر سطاشر'],
  [17, 'سبعطعش سبعتعش سبعتعشر سبعطعشر سبعتاشر سبعطاشر'],
  [18, 'ثمنطعش ثمانطعش ثمنتعش ثمنتعشر ثمنطعشر ثمانتعش تمنطعش تمنتعش تمانتاشر تمنتاشر تمنطاشر'],
  [19, 'تسعطعش تسعتعش تسعتعشر تسعطعشر تسعتاشر تسعطاشر'],
  [20, 'عشرين عشرون'],
  [30, 'ثلاثين ثلاثون تلاتين'],
  [40, 'اربعين اربعون'],
  [50, 'خمسين خمسون'],
  [60, 'ستين ستون'],
  [70, 'سبعين سبعون'],
  [80, 'ثمانين ثمانون تمانين تمنين'],
  [90, 'تسعين تسعون'],
  [200, 'ميتين مئتين مايتين مئتان'],
  [300, 'ثلاثميه ثلاثمايه ثلثميه'],
  [400, 'اربعميه اربعمايه'],
  [500, 'خمسميه خمسمايه'],
  [600, 'ستميه ستمايه'],
  [700, 'سبعميه سبعمايه'],
  [800, 'ثمانميه ثمانمايه ثمنميه'],
  [900, 'تسعميه تسعمايه'],
  [2000, 'الفين الفان'],
];
const SCALES: readonly (readonly [number, string])[] = [
  [100, 'hundred ميه مايه مئه مية'],
  [1000, 'thousand الف الاف'],
];

const PARTS = new Map<string, NumberPart>();
for (const [word, value] of Object.entries(ENGLISH_PARTS)) PARTS.set(word, { value, scale: false });
for (const [value, words] of ARABIC_PARTS) {
  for (const word of words.split(' ')) PARTS.set(fold(word), { value, scale: false });
}
for (const [value, words] of SCALES) for (const word of words.split(' ')) PARTS.set(fold(word), { value, scale: true });

const ORDINALS: readonly (readonly [number, string])[] = [
  [1, 'first 1st الاول الاولي اول'],
  [2, 'second 2nd الثاني الثانيه ثاني'],
  [3, 'third 3rd الثالث الثالثه ثالث'],
  [4, 'fourth forth الرابع الرابعه رابع'],
  [5, 'fifth الخامس الخامسه خامس'],
  [6, 'sixth السادس السادسه سادس'],
  [7, 'seventh السابع السابعه سابع'],
  [8, 'eighth الثامن الثامنه ثامن'],
  [9, 'ninth التاسع التاسعه تاسع'],
  [10, 'tenth العاشر العاشره عاشر'],
  [11, 'eleventh'],
  [12, 'twelfth'],
  [13, 'thirteenth'],
  [14, 'fourteenth'],
  [15, 'fifteenth'],
  [16, 'sixteenth'],
  [17, 'seventeenth'],
  [18, 'eighteenth'],
  [19, 'nineteenth'],
  [20, 'twentieth العشرين'],
  [30, 'thirtieth الثلاثين'],
];
const ORDINAL_VALUES = new Map<string, number>();
for (const [value, words] of ORDINALS) for (const word of words.split(' ')) ORDINAL_VALUES.set(fold(word), value);

/** A number read from words or digits: `end` is the first word after it. */
export interface ReadNumber {
  readonly value: number;
  readonly end: number;
  /** As digits would be keyed: keeps leading zeros of a written number. */
  readonly digits: string;
}

function partOf(word: string): { part: NumberPart; joined: boolean } | undefined {
  const part = PARTS.get(word);
  if (part) return { part, joined: false };
  if (word.startsWith('و') && word.length > 2) {
    const after = PARTS.get(word.slice(1));
    if (after) return { part: after, joined: true };
  }
  return undefined;
}

function isArabic(word: string): boolean {
  return /[؀-ۿ]/.test(word);
}

/** `احد عشر`, `اثنا عشر`: the words before the ten are said nowhere else for one and two. */
const TEENS = new Map(
  ['احد احدي حد', 'اثنا اثني اثنتا اثنتي اتنا اتني'].flatMap((words, i) =>
    words.split(' ').map((word) => [fold(word), 11 + i] as const),
  ),
);
const TEN_OF_TEENS = new Set(['عشر', 'عشره'].map((word) => fold(word)));

/**
 * Reads one cardinal at `start`: `42`, `forty two`, `one hundred and five`, `خمسة وعشرين`, `ثلاثة عشر`, `ألف ومئتين`.
 * `four five` is two cardinals: it stops after `four`.
 */
export function readCardinal(words: readonly string[], start: number): ReadNumber | undefined {
  const first = words[start];
  if (first === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(first)) {
    return { value: Number(first), end: start + 1, digits: first.replace('.', '') };
  }
  const teen = TEENS.get(first);
  if (teen !== undefined && TEN_OF_TEENS.has(words[start + 1] ?? ''))
    return { value: teen, end: start + 2, digits: String(teen) };
  let total = 0;
  let group = 0;
  let end = start;
  while (end < words.length) {
    const word = words[end]!;
    if ((word === 'and' || word === 'و') && end > start && group % 100 === 0 && partOf(words[end + 1] ?? '')) {
      end += 1;
      continue;
    }
    const found = partOf(word);
    if (!found || (found.joined && end === start)) break;
    const grown = grow(group, found.part, found.joined, isArabic(word), end === start);
    if (grown === undefined) break;
    if (found.part.scale && found.part.value === 1000) {
      if (total > 0) break;
      total = Math.max(1, group) * 1000;
      group = 0;
    } else if (!found.part.scale && found.part.value === 2000) {
      if (total > 0 || group > 0) break;
      total = 2000;
    } else group = grown;
    end += 1;
    if (total + group === 0) break; // zero stands alone
  }
  if (end === start) return undefined;
  const value = total + group;
  return { value, end, digits: String(value) };
}

/** The group of three digits after one more word, or undefined when the word begins another number. */
function grow(group: number, part: NumberPart, joined: boolean, arabic: boolean, first: boolean): number | undefined {
  const { value } = part;
  if (first) return value;
  if (value === 0) return undefined;
  if (part.scale) return value === 100 ? (group < 10 ? Math.max(1, group) * 100 : undefined) : group;
  const ones = group % 100;
  if (value >= 100) return group === 0 ? value : undefined;
  if (arabic && !joined) return value === 10 && ones >= 1 && ones <= 9 ? group + 10 : group === 0 ? value : undefined; // ثلاثة عشر
  if (value < 10) return ones === 0 || (!arabic && ones >= 20 && ones % 10 === 0) ? group + value : undefined;
  if (arabic) return ones < 10 && (value >= 20 || ones === 0) ? group + value : undefined; // خمسة وعشرين
  return ones === 0 ? group + value : undefined;
}

/** `fifth`, `twenty first`, `5th`, `الخامس`: the ordinal at `start`. */
export function readOrdinal(words: readonly string[], start: number): ReadNumber | undefined {
  const word = words[start];
  if (word === undefined) return undefined;
  const written = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word);
  if (written) return { value: Number(written[1]), end: start + 1, digits: written[1]! };
  const simple = ORDINAL_VALUES.get(word);
  if (simple !== undefined) return { value: simple, end: start + 1, digits: String(simple) };
  const tens = ENGLISH_PARTS[word];
  const unit = ORDINAL_VALUES.get(words[start + 1] ?? '');
  if (tens !== undefined && tens >= 20 && unit !== undefined && unit < 10 && !isArabic(words[start + 1]!)) {
    return { value: tens + unit, end: start + 2, digits: String(tens + unit) };
  }
  return undefined;
}

const DOUBLE = new Set(['double', 'دبل', 'دوبل'].map((word) => fold(word)));
const TRIPLE = new Set(['triple', 'treble', 'تربل'].map((word) => fold(word)));
/** Digits of which a number of times is said before them (`four fives`), and the Arabic dual, which says two by itself. */
const SEVERAL = new Map<string, string>();
const TWO_OF = new Map<string, string>();
for (const [digit, several, two] of [
  ['0', 'zeros zeroes اصفار', 'صفرين'],
  ['1', 'ones وحدات واحدات', 'واحدين وحدتين'],
  ['2', 'twos اثنينات اتنينات ثنتينات', ''],
  ['3', 'threes ثلاثات تلاتات', 'ثلاثتين تلاتتين'],
  ['4', 'fours اربعات', 'اربعتين'],
  ['5', 'fives خمسات', 'خمستين'],
  ['6', 'sixes ستات', 'ستتين'],
  ['7', 'sevens سبعات', 'سبعتين'],
  ['8', 'eights ثمانيات تمانيات ثمنيات تمنيات', 'ثمانيتين ثمنيتين تمنيتين'],
  ['9', 'nines تسعات', 'تسعتين'],
] as const) {
  for (const word of several.split(' ')) SEVERAL.set(fold(word), digit);
  for (const word of two.split(' ')) if (word !== '') TWO_OF.set(fold(word), digit);
}
const MAX_SEVERAL = 9;

const BETWEEN_DIGITS = new Set(
  'and um uh er dash then و بعدين وبعدين ثم شرطه بعدها وبعدها اه امم'.split(' ').map((word) => fold(word)),
);
/** Small words in a row. */
const MAX_BETWEEN = 2;

/** A run of digits said or written: `end` is the first word after it. */
export interface ReadDigits {
  readonly digits: string;
  /** The run as it was said, number by number: `4521, 4522` has two. */
  readonly groups: readonly string[];
  readonly start: number;
  readonly end: number;
}

/**
 * Every run of digits in the words: `four five double two`, `45 21`, `خمسة وأربعين واحد وعشرين`, `4521`. Small words
 * between digits do not break a run. A run longer than 32 digits is cut.
 */
export function digitRuns(words: readonly string[]): ReadDigits[] {
  const runs: ReadDigits[] = [];
  let i = 0;
  while (i < words.length) {
    const start = i;
    let digits = '';
    const groups: string[] = [];
    let end = i;
    while (i < words.length) {
      const next = digits !== '' && isOneOf(words, i) ? undefined : readDigitGroup(words, i);
      if (next) {
        digits += next.digits;
        groups.push(next.digits);
        i = next.end;
        end = i;
        continue;
      }
      const small = digits === '' ? 0 : smallBetween(words, i);
      if (small === 0 || !readDigitGroup(words, i + small)) break;
      i += small;
    }
    if (digits === '') i = start + 1;
    else runs.push({ digits: digits.slice(0, 32), groups, start, end });
  }
  return runs;
}

/**
 * Where a number that was said is said once more in other words: `forty one, four one`. Up to there it is the number; `one two, one
 * two` is one number of four digits.
 *
 * @param run - of `digitRuns` of these words.
 */
export function saidOnceMore(words: readonly string[], { digits, start, end }: ReadDigits): number | undefined {
  const half = digits.slice(0, digits.length / 2);
  if (half.length < MIN_REPEATED || half + half !== digits) return undefined;
  for (let at = start + 1; at < end - 1; at += 1) {
    const [first, second] = [words.slice(start, at), words.slice(at, end)].map((part) => digitRuns(part));
    const isSplit = first!.length === 1 && second!.length === 1 && second![0]!.start === 0;
    const isSameWords = words.slice(start, at).join(' ') === words.slice(at, end).join(' ');
    if (isSplit && !isSameWords && first![0]!.digits === half && second![0]!.digits === half) return at;
  }
  return undefined;
}
const MIN_REPEATED = 2;

/** How many small words between digits stand at a place. */
function smallBetween(words: readonly string[], at: number): number {
  let count = 0;
  while (count < MAX_BETWEEN && BETWEEN_DIGITS.has(words[at + count] ?? '')) count += 1;
  return count;
}

const ONES = new Set(['one', 'واحد', 'وحده', 'واحده'].map((word) => fold(word)));
const AFTER_ONE = new Set(['of', 'من', 'thing', 'moment', 'second', 'sec', 'minute'].map((word) => fold(word)));

/** `7788, one of the books is torn`: behind a number it begins a clause. */
function isOneOf(words: readonly string[], at: number): boolean {
  return ONES.has(words[at]!) && AFTER_ONE.has(words[at + 1] ?? '');
}

function readDigitGroup(words: readonly string[], at: number): { digits: string; end: number } | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  const times = DOUBLE.has(word) ? 2 : TRIPLE.has(word) ? 3 : 0;
  if (times > 0) {
    const digit = readCardinal(words.slice(at + 1, at + 2), 0);
    return digit && digit.digits.length === 1 ? { digits: digit.digits.repeat(times), end: at + 2 } : undefined;
  }
  const plain = word.startsWith('و') && (PARTS.has(word.slice(1)) || TWO_OF.has(word.slice(1))) ? word.slice(1) : word;
  const several = severalAt(plain, words[at + 1] ?? '');
  if (several) return { digits: several.digits, end: at + several.taken };
  const written = /^\+?[\d./-]*\d[*#]?$/.exec(word);
  if (written) return { digits: word.replace(/[^\d]/g, ''), end: at + 1 };
  const shifted = plain === word ? words : [...words.slice(0, at), plain, ...words.slice(at + 1)];
  const cardinal = readCardinal(shifted, at);
  return cardinal && { digits: cardinal.digits, end: cardinal.end };
}

/** `four fives`, `اربع خمسات`, `خمستين`. */
function severalAt(word: string, next: string): { readonly digits: string; readonly taken: number } | undefined {
  const two = TWO_OF.get(word);
  if (two !== undefined) return { digits: two.repeat(2), taken: 1 };
  const digit = SEVERAL.get(next);
  const count = digit === undefined ? undefined : readCardinal([word], 0)?.value;
  if (digit === undefined || count === undefined || count < 2 || count > MAX_SEVERAL) return undefined;
  return { digits: digit.repeat(count), taken: 2 };
}

/** Whether a folded word is part of a number, so that it says nothing about what the caller wants. */
export function isNumberWord(word: string): boolean {
  return /^\d/.test(word) || PARTS.has(word) || (word.startsWith('و') && PARTS.has(word.slice(1))) || DOUBLE.has(word);
}
