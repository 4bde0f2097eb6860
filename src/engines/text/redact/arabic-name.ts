import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import {
  AMBIGUOUS_GIVEN_NAMES,
  DESCRIBING_NAMES,
  GIVEN_NAMES,
  LONE_GIVEN_NAMES,
  PUBLIC_FIGURES,
  WORK_BEFORE,
} from '../../../language/names/name-lists.ts';
import {
  endsStatement,
  FOLLOWS,
  goesOnAsName,
  isAfterRole,
  isCompany,
  isFrom,
  isSeason,
  isThanked,
  POSITIONS,
  SPEAKS,
  speaks,
} from './name-context.ts';
import { isAfterPlace, isBeforeFamilyName, isFamily, looksLikeName, looksLikeNisba } from './name-shapes.ts';
import { NAME_GAP, NAME_TOKENS_MAX, NOT_A_NAME, type Trigger } from './name-triggers.ts';
import type { Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/arabic-name.tsv');

const LINKS = foldedSet('بن ابن بنت آل ال أبو ابو أم عبد بو دي ديل ديلا دا دوس فان فون');
const KUNYAS = foldedSet('أبو أبا أبي أم بو');

/** `أبو فهد`, `أم خالد`: whoever is called so is meant; an ordinary word after it needs a trigger (`أنا أبو سعيد`). */
function kunyaEnd(reading: Reading, first: number, trigger: Trigger | 'none'): number | undefined {
  const { tokens } = reading;
  const name = tokens[first + 1];
  if (!KUNYAS.has(tokens[first]!.text) || name?.type !== 'word' || reading.gapBefore(first + 1) !== ' ')
    return undefined;
  const given = givenName(reading, first + 1);
  if (given === undefined || (given === 'maybe' && trigger === 'none')) return undefined;
  return prefixBefore(name.text) > 0 ? undefined : first + 1;
}

/** What a name begins with: the last token of it so far, names and family names known among them. */
interface Start {
  readonly last: number;
  readonly known: number;
  readonly families: number;
}

/** The last token of an Arabic name beginning at `first`. */
export function arabicName(reading: Reading, first: number, trigger: Trigger | 'none'): number | undefined {
  if (trigger === 'none' && first > 0 && isAfterPlace(reading, first)) return undefined;
  const word = reading.tokens[first]!.text;
  if (word === 'باسم' && isInTheNameOf(reading, first)) return undefined;
  const kunya = kunyaEnd(reading, first, trigger);
  const given = givenName(reading, first);
  const linked = word === 'عبد' || (isAnnounced(trigger) && LINKS.has(word) && word !== 'ال');
  const start = startOf(reading, first, trigger, kunya ?? compoundEnd(reading, first), linked);
  if (start === undefined) return undefined;
  const { last, known, families } = goOn(reading, first, trigger, start);
  if (last < first || isPublicFigure(reading, first, last) || isSeason(reading, first)) return undefined;
  if (trigger !== 'strong' && isCompany(reading, last)) return undefined;
  if (kunya !== undefined || (isServantName(word) && !continuesName(reading, first))) return last;
  if (isAnnounced(trigger) || (trigger !== 'none' && given === 'sure')) return last;
  if (trigger === 'me' && given !== undefined && isFrom(reading, last)) return last;
  if (given !== undefined && isThanked(reading, first, last)) return last;
  if (trigger === 'me' && !DESCRIBING_NAMES.has(word) && endsStatement(reading, last)) return last;
  if (trigger === 'verb' && isNamed(reading, last)) return last;
  if (trigger === 'kin' && (!DESCRIBING_NAMES.has(word) || goesOnAsName(reading, last))) return last;
  // Without a clear trigger: a listed name with a family name or بن after it, or one that nothing else is called.
  const from = linked ? first + 2 : first;
  if ((families > 0 || hasLink(reading, from, last)) && !isScripture(reading, first, last)) {
    if (last > first && known >= 1) return last;
  }
  if (compoundEnd(reading, first) !== undefined && last > first + 1 && !isScripture(reading, first, last)) return last;
  if (given === 'sure' && isSpeaker(reading, first, last)) return last;
  if (isIntroduced(reading, first, last)) return last;
  if (given === 'sure' && isAfterRole(reading, first) && !isOwned(reading, last)) return last;
  return standsAlone(reading, first, last) || (given !== undefined && speaks(reading, last)) ? last : undefined;
}

/** `حجز باسم كندة`: the words before a name rather than one. */
function isInTheNameOf(reading: Reading, at: number): boolean {
  const next = reading.tokens[at + 1];
  if (reading.placeholderAfter(at, 2)) return true;
  if (next?.type !== 'word' || reading.gapBefore(at + 1) !== ' ') return false;
  return !isFamily(next.text) && !LINKS.has(next.text) && !NOT_A_NAME.has(next.text);
}

/** `سعاد: تم السداد`: who says a line. */
function isSpeaker(reading: Reading, first: number, last: number): boolean {
  const { tokens } = reading;
  if (!/^ ?: /.test(reading.gapBefore(last + 1)) || prefixBefore(tokens[first]!.text) > 0) return false;
  return first === 0 || tokens[first - 1]!.sentence !== tokens[first]!.sentence;
}

function isAnnounced(trigger: Trigger | 'none'): boolean {
  return trigger === 'strong' || trigger === 'title' || trigger === 'self';
}

/** `joined`: where a kunya or a compound name ends; `linked`: the first word is half of a name (عبد …). */
function startOf(
  reading: Reading,
  first: number,
  trigger: Trigger | 'none',
  joined: number | undefined,
  linked: boolean,
): Start | undefined {
  const word = reading.tokens[first]!.text;
  const given = givenName(reading, first);
  const last = joined ?? (linked ? first - 1 : first);
  if (given !== undefined || linked || joined !== undefined) {
    return { last, known: given === 'sure' || joined !== undefined ? 1 : 0, families: 0 };
  }
  if (NOT_A_NAME.has(word)) return undefined;

  if ((trigger === 'me' || trigger === 'kin') && isBeforeFamilyName(reading, first))
    return { last: first + 1, known: 1, families: 1 };

  if (!isAnnounced(trigger)) return undefined;
  const family = isFamily(word);
  if (trigger === 'title' && (SPEAKS.has(word) || word.startsWith('عند'))) return undefined;
  // `الدكتور وصف لها`
  if (!family && (trigger === 'self' || (trigger === 'title' && !looksLikeName(word)))) return undefined;
  if (trigger === 'strong' && word.length < 3) return undefined;
  return { last, known: family ? 1 : 0, families: family ? 1 : 0 };
}

/** The name with all that may belong to it: further names, بن and its name, a family name at the end. */
function goOn(reading: Reading, first: number, trigger: Trigger | 'none', start: Start): Start {
  const { tokens } = reading;
  let { last, known, families } = start;
  for (let at = last + 1; at < tokens.length && at < first + NAME_TOKENS_MAX; at += 1) {
    const next = tokens[at]!;
    if (next.type !== 'word' || (at > first && !NAME_GAP.test(reading.gapBefore(at)))) break;
    if (LINKS.has(next.text)) {
      const after = tokens[at + 1];
      if (after?.type !== 'word' || reading.gapBefore(at + 1) !== ' ') break;
      if (NOT_A_NAME.has(after.text) && next.text !== 'ال' && next.text !== 'دي') break; // `آل الشيخ`, `دي لا كروز`
      if (next.text === 'ال' && after.text.charCodeAt(0) < 0x600) break; // الـ ticket
      at += next.text === 'دي' && /^(?:لا|لوس)$/.test(after.text) && tokens[at + 2]?.type === 'word' ? 2 : 1;
      last = at;
      known += 1;
      if (isFamily(after.text) || next.text === 'ال') families += 1;
    } else if (isFamily(next.text) && next.text === 'علي' && reading.isPreposition(at)) {
      break;
    } else if (isFamily(next.text) || (families === 0 && looksLikeNisba(next.text) && !reading.isPreposition(at))) {
      last = at;
      families += 1;
      known += 1;
    } else if (families > 0 || prefixBefore(next.text) > 0)
      break; // وهند
    else {
      const listed = givenName(reading, at) !== undefined && !NOT_A_NAME.has(next.text);
      if (!listed && !isInitial(reading, at) && !(trigger === 'strong' && endsName(reading, at))) break;
      last = at;
    }
  }
  return { last, known, families };
}

/** `فاضل مدير الفرع رفض`: who somebody is, at the beginning of a statement. */
function isIntroduced(reading: Reading, first: number, last: number): boolean {
  const { tokens } = reading;
  if (givenName(reading, first) === undefined || reading.gapBefore(last + 1) !== ' ') return false;
  if (first > 0 && tokens[first - 1]!.sentence === tokens[first]!.sentence && reading.gapBefore(first) === ' ')
    return false;
  return POSITIONS.has(tokens[last + 1]?.text ?? '');
}

/** `ذكرت مشاعل إنها`, `أكد رضا`; not `أكد نجاح التجربة`, `طلب أمان`. */
function isNamed(reading: Reading, last: number): boolean {
  const next = reading.tokens[last + 1];
  if (next === undefined || next.sentence !== reading.tokens[last]!.sentence) return false;
  return !isOwned(reading, last) && (FOLLOWS.has(next.text) || reading.gapBefore(last + 1) !== ' ');
}

/** `فيصل قال`, `وين سارة`: not the street, the sura, the shop of that name. */
function standsAlone(reading: Reading, first: number, last: number): boolean {
  const { tokens } = reading;
  const word = tokens[first]!.text;
  if (!LONE_GIVEN_NAMES.has(word) && !LONE_GIVEN_NAMES.has(word.slice(prefixBefore(word)))) return false;
  if (continuesName(reading, first) || isOwned(reading, last)) return false;
  for (let at = Math.max(0, first - 2); at < first; at += 1) {
    if (
      tokens[at]!.sentence === tokens[first]!.sentence &&
      reading.forms(at).plain.some((form) => WORK_BEFORE.has(form))
    )
      return false;
  }
  return !isScripture(reading, first, last);
}

/** `عليه السلام`, not `السلام عليكم` */
function isGreeted(reading: Reading, at: number): boolean {
  return reading.tokens[at]!.text === 'السلام' && /^علي(?:ه|ها|هم|هما)$/.test(reading.tokens[at - 1]?.text ?? '');
}

function isScripture(reading: Reading, first: number, last: number): boolean {
  const { tokens } = reading;
  const until = Math.min(tokens.length, last + 1 + SCRIPTURE_TOKENS);
  for (let at = Math.max(0, first - SCRIPTURE_TOKENS); at < until; at += 1) {
    if (tokens[at]!.sentence === tokens[first]!.sentence && (SCRIPTURE.has(tokens[at]!.text) || isGreeted(reading, at)))
      return true;
  }
  return false;
}

/** `فهد الصحراء`: what follows says whose or which. */
function isOwned(reading: Reading, last: number): boolean {
  const next = reading.tokens[last + 1];
  if (next?.type !== 'word' || reading.gapBefore(last + 1) !== ' ' || !next.text.startsWith('ال')) return false;
  if (reading.sourceLetter(last + 1) !== 'ا') return false; // `ياسر ألغى`: a verb
  return !isFamily(next.text) && !NOT_A_NAME.has(next.text) && !looksLikeNisba(next.text);
}

/** Words of prayer and scripture near a name: whoever is meant lived long ago. */
const SCRIPTURE = foldedSet(...list('scripture'));
const SCRIPTURE_TOKENS = 5;

/** `ضيف الله`, `حسام الدين`: two words that are one given name. */
function compoundEnd(reading: Reading, first: number): number | undefined {
  const second = reading.tokens[first + 1];
  if (second?.type !== 'word' || reading.gapBefore(first + 1) !== ' ') return undefined;
  const { text } = reading.tokens[first]!;
  if (second.text === 'الله') return OF_GOD.has(text) ? first + 1 : undefined;
  return second.text === 'الدين' && OF_FAITH.has(text) ? first + 1 : undefined;
}

const OF_GOD = foldedSet('ضيف نصر عطا عطية جار خير سعد دخيل عوض رزق هبة عبد خلف فتح فضل أمان وصل شكر');
const OF_FAITH = foldedSet(
  'حسام نور علاء صلاح سيف شمس جمال عز بهاء محيي محي تقي فخر كمال ناصر بدر نجم عماد شهاب زين ضياء خير سعد سراج رشيد تاج',
);

/** After `اسمي محمد` an unknown word is part of the name when the statement ends with it or goes on as no name would. */
function endsName(reading: Reading, at: number): boolean {
  const token = reading.tokens[at]!;
  if (!looksLikeName(token.text)) return false;
  const next = reading.tokens[at + 1];
  if (next === undefined || next.sentence !== token.sentence || next.type === 'digits') return true;
  return !NAME_GAP.test(reading.gapBefore(at + 1)) || NOT_A_NAME.has(next.text) || next.text.charCodeAt(0) < 0x600;
}

/** `عمر بن الخطاب` by himself, not somebody called عمر بن الخطاب الحربي. */
function isPublicFigure(reading: Reading, first: number, last: number): boolean {
  const words = reading.tokens.slice(first, last + 1).map(({ text }) => text);
  if (words.length <= 3 && RESULT.test(words[0]!) && CLUBS.has(words[1] ?? '') && words[2] !== 'بنت') return true;
  if (/^(?:عهد|زمن|عصر)$/.test(words[0]!) && PUBLIC_FIGURES.has(words.slice(1).join(' '))) return true;
  return (
    words.length <= 4 && PUBLIC_FIGURES.has(words.slice(0, 3).join(' ')) && !(words.length === 4 && isFamily(words[3]!))
  );
}

/** `فوز الهلال`: football. */
const RESULT = /^[وبلف]?(?:فوز|انتصار|تعادل|هدف)$/;
const CLUBS = foldedSet('الهلال النصر الفيصلي الطائي الحزم الخليج الرائد الشعلة الجبلين القادسية العروبة الأهلي');

/** `محمد س الغامدي` */
function isInitial(reading: Reading, at: number): boolean {
  const next = reading.tokens[at + 1];
  return reading.tokens[at]!.text.length === 1 && next?.type === 'word' && isFamily(next.text);
}

function hasLink(reading: Reading, first: number, last: number): boolean {
  for (let at = first; at <= last; at += 1) if (LINKS.has(reading.tokens[at]!.text)) return true;
  return false;
}

/** `sure`: nothing but a name; `maybe`: also an ordinary word. `على` written with its own letter is the preposition. */
function givenName(reading: Reading, at: number): 'sure' | 'maybe' | undefined {
  const { text } = reading.tokens[at]!;
  if (text === 'علي' && reading.isPreposition(at)) return undefined;
  if (AMBIGUOUS_GIVEN_NAMES.has(text)) return 'maybe';
  if (isGiven(text)) return 'sure';
  const prefix = prefixBefore(text);
  if (prefix === 0) return undefined;
  return AMBIGUOUS_GIVEN_NAMES.has(text.slice(prefix)) ? 'maybe' : 'sure';
}

function isGiven(word: string): boolean {
  return GIVEN_NAMES.has(word);
}

/** The rest of a name that was not taken, as of a street. */
export function continuesName(reading: Reading, at: number): boolean {
  const before = reading.tokens[at - 1];
  if (before?.type !== 'word' || reading.gapBefore(at) !== ' ') return false;
  if (before.text === 'مبروك' || before.text === 'مبارك') return false;
  return LINKS.has(before.text) || givenName(reading, at - 1) !== undefined;
}

/** `عبدالرحمن`: a name wherever it stands. */
function isServantName(word: string): boolean {
  return word.startsWith('عبدال') && word.length > 6;
}

/** `لفهد`, `وأحمد`: one letter before a listed name. */
export function prefixBefore(word: string): number {
  if (!/^[لوبف]/.test(word) || WHOLE.has(word) || isGiven(word) || AMBIGUOUS_GIVEN_NAMES.has(word)) return 0;
  const rest = word.slice(1);
  return isGiven(rest) || AMBIGUOUS_GIVEN_NAMES.has(rest) ? 1 : 0;
}

/** A telegram is no `ب` and `رقية`. */
const WHOLE = foldedSet('برقية لصالح لصالحنا');
