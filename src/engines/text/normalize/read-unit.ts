import { foldedSet, foldWord } from '../../../language/fold-word.ts';
import { pattern } from '../../../language/pattern.ts';
import { AMBIGUOUS_UNITS, HOUR, MINUTE, UNITS, type Unit } from '../../../language/units.ts';
import { GIVEN_NAMES } from '../lexicon/abbreviations.ts';
import { PLACE_WORDS } from '../lexicon/context-words.ts';
import { isBoundary, isLatin, type Scan } from './scan.ts';
import type { Suffix } from './suffix.ts';

type SignedUnit = readonly [sign: string, unit: Unit];
/** Signs by their first two characters, longest first, and those of one character. */
const LONG_UNITS: ReadonlyMap<number, readonly SignedUnit[]> = unitIndex((sign) => sign.length > 1);
const SHORT_UNITS: ReadonlyMap<number, readonly SignedUnit[]> = unitIndex((sign) => sign.length === 1);
/** Units that in Arabic text stand directly behind the number. */
const ONLY_GLUED_AR: ReadonlySet<string> = new Set(['t']);

const SMALL_M = 0x6d;
const SIN = 0x633;

/** `65"` are inches, unless a quotation that this mark may close was opened before. */
const QUOTE_WINDOW = 320;
const QUOTE_OPENED = /(?:^|[\s([:،])["“”](?=\S)/g;
const QUOTE_CLOSED = /[^\s\d([:،]["“”]/g;

function unitIndex(indexed: (sign: string) => boolean): ReadonlyMap<number, readonly SignedUnit[]> {
  const index = new Map<number, SignedUnit[]>();
  for (const unit of UNITS) {
    for (const sign of unit.signs.filter(indexed)) {
      const key = signKey(sign, 0, sign.length);
      const list = index.get(key) ?? [];
      list.push([sign, unit]);
      index.set(key, list);
    }
  }
  for (const list of index.values()) list.sort((one, other) => other[0].length - one[0].length);
  return index;
}

/** The first one or two characters at `at` as one number. */
function signKey(text: string, at: number, length: number): number {
  return length === 1 ? text.charCodeAt(at) : text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1);
}

/** Whether a sign of two characters or more may begin at `at`. */
export function mayBeUnit(text: string, at: number): boolean {
  return LONG_UNITS.has(signKey(text, at, 2));
}

/** A unit of measure at `at`; `spaced`: a space stands between the number and it. */
export function readUnit(scan: Scan, at: number, spaced: boolean, isMoneyContext: boolean): Suffix | undefined {
  const { text } = scan;
  const long = LONG_UNITS.get(signKey(text, at, 2));
  const short = SHORT_UNITS.get(signKey(text, at, 1));
  if (long === undefined && short === undefined) return readDuration(text, at);
  return (
    readDuration(text, at) ??
    firstUnit(scan, at, long, spaced, isMoneyContext) ??
    firstUnit(scan, at, short, spaced, isMoneyContext)
  );
}

/** One place where a sign may be a unit: from `at` to `end`, a space before it or not. */
interface Candidate {
  readonly scan: Scan;
  readonly at: number;
  readonly end: number;
  readonly spaced: boolean;
}

type Judge = (found: Candidate) => boolean;

/** Signs that are units only in some places. */
const JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['t', isTonne],
  ['"', isInchMark],
]);
const ENGLISH_JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['A', isAmpere],
  ['C', isTemperature],
  ['F', isTemperature],
  ['in', isInch],
  ['W', isWatt],
]);
const ARABIC_JUDGES: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['A', ({ scan, at, spaced }) => spaced || !namesSeat(scan, at)],
  ['C', () => false],
  ['F', () => false],
  ['in', isInch],
  ['كم', ({ scan: { text }, end, spaced }) => !spaced || !HOW_MUCH.test(text.slice(end, end + 48))],
]);

function firstUnit(
  scan: Scan,
  at: number,
  candidates: readonly SignedUnit[] | undefined,
  spaced: boolean,
  isMoneyContext: boolean,
): Suffix | undefined {
  const { text, language } = scan;
  if (candidates === undefined) return undefined;
  for (const [sign, unit] of candidates) {
    if (!text.startsWith(sign, at)) continue;
    const end = at + sign.length;
    if (!endsUnit(text, end, sign) || (isMoneyContext && AMBIGUOUS_UNITS.has(sign))) continue;
    if (!isUnit({ scan, at, end, spaced }, sign)) continue;
    const closed = language === 'en' && ABBREVIATED_BEHIND.test(text.slice(end, end + 10)) ? end + 1 : end;
    return { of: { type: 'measure', unit }, end: closed };
  }
  return undefined;
}

function isUnit(found: Candidate, sign: string): boolean {
  const english = found.scan.language === 'en';
  if (JUDGES.get(sign)?.(found) === false) return false;
  const judge = (english ? ENGLISH_JUDGES : ARABIC_JUDGES).get(sign);
  if (judge !== undefined) return judge(found);
  return english || !found.spaced || !ONLY_GLUED_AR.has(sign);
}

/** `12 W 34th St`: west, no watts. */
const STREET_BEHIND =
  /^\.? (?:\d+(?:st|nd|rd|th)\b|[A-Z][a-z]+ (?:St|Ave|Rd|Blvd|Dr|Ln|Street|Avenue|Road|Boulevard|Lane)\b)/;
/** `30 mi. north`: the dot of an abbreviation. */
const ABBREVIATED_BEHIND = /^\. (?:[a-z]|\d+ ?(?:in|min|sec|oz)\b)/;
const AFTER_FEET = /(?:ft\.?|feet|foot|['’′])\s?\d{1,2}\s?$/;
const MINUTES_AFTER_HOURS = /\d\s?(?:h|hr|hrs|hours?)\s?\d{1,2}\s?$/;
const HOURS_BEFORE_MINUTES = /س(?=\s?و?\s?\d{1,2}\s?د(?![ء-ي]))/y;

/** `1h 45m`, `2س و 30د`: letters that alone are no unit of time. */
function readDuration(text: string, at: number): Suffix | undefined {
  const code = text.charCodeAt(at);
  if (code === SMALL_M && isBoundary(text, at + 1) && MINUTES_AFTER_HOURS.test(text.slice(Math.max(0, at - 14), at)))
    return { of: { type: 'measure', unit: MINUTE }, end: at + 1 };
  HOURS_BEFORE_MINUTES.lastIndex = at;
  return code === SIN && HOURS_BEFORE_MINUTES.test(text)
    ? { of: { type: 'measure', unit: HOUR }, end: at + 1 }
    : undefined;
}

/** A given name, one space on. */
function namesSomebody(text: string, at: number): boolean {
  const [name] = /^ ?[ء-ي]+/u.exec(text.slice(at, at + 16)) ?? [''];
  return name.trim() !== 'على' && NAMES.has(foldWord(name.trim()));
}

const NAMES = foldedSet(...GIVEN_NAMES);

function endsUnit(text: string, end: number, sign: string): boolean {
  const code = text.charCodeAt(end);
  if (code === 0xb2 || code === 0xb3 || code === 0x640 || (code >= 0x64b && code <= 0x652)) return false;
  // `5 م. خالد`, `3 د/ سارة` are titles, `km/h` was tried before `km`.
  if (AMBIGUOUS_UNITS.has(sign) && (text[end] === '/' || (text[end] === '.' && namesSomebody(text, end + 1))))
    return false;
  return isBoundary(text, end) || !/[\p{L}\p{N}]$/u.test(sign);
}

const ELECTRIC = pattern('i')`
  \b(?:fuse|breaker|circuit|current|amp|plug|socket|outlet|charg|adapter|supply|supplies|cable|rat(?:ed|ing)|draw|wir|batter|load|relay|
  motor|generator|transformer|switch|\d{1,3} ?V\b)
`;

/** `a 13A fuse`, `12V 5A`; elsewhere A is a letter: bus 41A. */
function isAmpere({ scan: { text }, at, end }: Candidate): boolean {
  return ELECTRIC.test(text.slice(Math.max(0, at - 40), at)) || ELECTRIC.test(text.slice(end, end + 24));
}

const WARM = pattern('i')`
  \b(?:temp|degree|fever|weather|outside|inside|indoors|heat|hot|cold|cool|warm|oven|bake|baked|roast|high|highs|low|lows|boil|freez|melt|
  thermostat|fridge|forecast|sunny|humid|°)
`;

/** `37.5C`, `it is 42 C outside`; elsewhere C is a letter: gate 12C. */
function isTemperature({ scan, at, end, spaced }: Candidate): boolean {
  const { text } = scan;
  if (PLACE_WORDS.has(scan.left(at))) return false;
  if (!spaced && /\d\.\d$/.test(text.slice(Math.max(0, at - 3), at))) return true;
  return WARM.test(text.slice(Math.max(0, at - 40), at)) || WARM.test(text.slice(end, end + 24));
}

/** Not the `t` of a contraction. */
function isTonne({ scan: { text }, end }: Candidate): boolean {
  return !(/[-'’.]/.test(text[end] ?? '') && isLatin(text.charCodeAt(end + 1)));
}

/** `65"`, unless a quotation that this mark may close was opened before. */
function isInchMark({ scan: { text }, at, spaced }: Candidate): boolean {
  if (spaced) return false;
  const before = text.slice(Math.max(0, at - QUOTE_WINDOW), at);
  return (before.match(QUOTE_OPENED)?.length ?? 0) <= (before.match(QUOTE_CLOSED)?.length ?? 0);
}

/** `5 ft 10 in`, `a 12 in. pizza`, but `5 in stock`. */
function isInch({ scan: { text }, at, end, spaced }: Candidate): boolean {
  return (
    !spaced || AFTER_FEET.test(text.slice(Math.max(0, at - 12), at)) || /^\.(?: [a-z]|$)/.test(text.slice(end, end + 3))
  );
}

/** `60 W`, but `12 W 34th St`. */
function isWatt({ scan: { text }, end, spaced }: Candidate): boolean {
  return !spaced || !STREET_BEHIND.test(text.slice(end, end + 32));
}

/** `Seat 14A`, `مقعدك 22A`: after the name of a place no amperes. */
function namesSeat(scan: Scan, at: number): boolean {
  const left = scan.left(at).replace(/^و(?=ال|مقعد)/u, '');
  return PLACE_WORDS.has(left) || PLACE_WORDS.has(left.replace(/(?:ك|كم|نا|ه|ها|ي|هم)$/u, ''));
}

/** `راتبي 7500 كم يبقى لي؟`: the word of a question, no kilometres. */
const HOW_MUCH = /^ (?:(?!تقريب)[يتن][ء-ي]{2,}|سعر|ثمن|عدد|باقي|المبلغ|المطلوب|الباقي)[^.،؟]{0,40}؟/u;
