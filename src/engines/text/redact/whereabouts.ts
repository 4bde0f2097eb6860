import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { FAMILY_NAMES, GIVEN_NAMES } from '../../../language/names/name-lists.ts';
import { NOT_A_NAME } from './name-triggers.ts';
import { PhraseIndex, type PhraseMatch } from './phrase-index.ts';
import { CITIES, FINE, MARKERS, STOPS } from './place-words.ts';
import { hasHomeNumber } from './places.ts';
import type { Found, LabelMatch, Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/whereabouts.tsv');

/** What says that somebody is, lives, waits or is to be met at the place that follows. */
/** `person`: only in a sentence that speaks of somebody before. */
const FRAMES = new PhraseIndex<'own' | 'person'>('plain');
FRAMES.add(list('own-frames'), 'own');
FRAMES.add(list('frames-of-others'), 'person');

/** Places with a name that many people go to: somebody's whereabouts after a frame. */
const SITES = foldedSet(...list('sites'));
const ARABIC_JOINTS = foldedSet(...list('arabic-joints'));
const ENGLISH_JOINTS: ReadonlySet<string> = new Set(list('english-joints'));
/** Words in capitals that end a place. */
const NOT_PLACES: ReadonlySet<string> = new Set(list('not-places'));
const TOKENS_MAX = 14;
const NAME_TOKENS_MAX = 3;

/** Places after a frame of whereabouts: `قدام مستشفى الحبيب`, `behind Al Othaim Mall`, `in Block C, Al Rawdah compound`. */
export function findWhereabouts(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  let at = 0;
  while (at < tokens.length) {
    const frame = tokens[at]!.type === 'word' ? FRAMES.at(tokens, reading.forms, at) : undefined;
    if (frame === undefined) {
      at += 1;
      continue;
    }
    const place = isMeant(reading, frame) ? placeFrom(reading, frame.last + 1) : undefined;
    if (place !== undefined) {
      const kind = hasHomeNumber(reading, place.first, place.last) ? 'Address' : 'Location';
      found.push(reading.foundTokens(kind, place.first, place.last, 0.65));
    }
    at = Math.max(frame.last, place?.last ?? 0) + 1;
  }
  return found;
}

/** Not `انتظر` (wait!), and no company that moved. */
function isMeant(reading: Reading, frame: PhraseMatch<'own' | 'person'>): boolean {
  if (reading.tokens[frame.first]!.text === 'انتظر' && reading.sourceLetter(frame.first) !== 'أ') return false;
  if (frame.meaning === 'own' || reading.isNamed(frame.first)) return true;
  const speaksOf = ({ meaning }: LabelMatch): boolean => meaning === 'person';
  // `يعيش والدي في`: the subject follows the verb.
  return reading.labelsLeft(frame.first).some(speaksOf) || reading.labelsRight(frame.last, 2).some(speaksOf);
}

interface Place {
  readonly first: number;
  readonly last: number;
}

/** The place that begins at a token: joints, parts of an address and named sites in a row. */
function placeFrom(reading: Reading, from: number): Place | undefined {
  const { tokens } = reading;
  const sentence = tokens[from]?.sentence;
  let first = -1;
  let last = -1;
  let specific = false;
  for (let at = from; at < tokens.length && at < from + TOKENS_MAX; at += 1) {
    const token = tokens[at]!;
    if (token.sentence !== sentence || !/^(?: |, ?|-|\u2013|: ?)?$/.test(reading.gapBefore(at))) break;

    const end = partAt(reading, at, last >= 0) ?? shopAt(reading, at);
    if (end === undefined) {
      if (isJoint(reading, at)) continue;
      break;
    }
    if (first < 0) first = at;
    specific ||= end.specific;
    last = end.last;
    at = last;
  }
  return specific && first >= 0 ? { first, last } : undefined;
}

/** `Starbucks on Tahlia Street`, `McDonald's inside`: a name in capitals before where it is. */
function shopAt(reading: Reading, at: number): Part | undefined {
  const { tokens } = reading;
  let next = at;
  while (next < at + SHOP_TOKENS_MAX && isShopWord(reading, next, next > at)) next += 1;
  if (next > at && /^(?:store|shop|outlet)$/.test(tokens[next]?.text ?? '')) next += 1;
  if (next === at || !/^(?:on|in|at|near|opposite|off|inside|outside|by|beside|behind)$/.test(tokens[next]?.text ?? ''))
    return undefined;
  return { last: next - 1, specific: false };
}

function isShopWord(reading: Reading, at: number, begun: boolean): boolean {
  const token = reading.tokens[at];
  if (token?.type !== 'word' || NOT_PLACES.has(token.text)) return false;
  if (begun && !/^[ '’&-]$/.test(reading.gapBefore(at))) return false;
  return /^[A-Z][A-Za-z]+$/.test(reading.cased(at)) || (begun && token.text === 's');
}

const SHOP_TOKENS_MAX = 4;

function isJoint(reading: Reading, at: number): boolean {
  const { text, type } = reading.tokens[at]!;
  if (type === 'digits') return /^(?:st|nd|rd|th)$/.test(reading.tokens[at + 1]?.text ?? ''); // 5th
  return text.charCodeAt(0) >= 0x600 ? ARABIC_JOINTS.has(text) : ENGLISH_JOINTS.has(text);
}

interface Part {
  readonly last: number;
  /** Finer than a city. */
  readonly specific: boolean;
}

/** A part of a place at a token: `حي الملقا`, `exit 14`, `Al Othaim Mall`, a city, a number. */
function partAt(reading: Reading, at: number, begun: boolean): Part | undefined {
  const token = reading.tokens[at]!;
  if (token.type === 'digits')
    return token.text.length <= 5 && begun ? { last: at, specific: false } : numbered(reading, at);
  return token.text.charCodeAt(0) >= 0x600 ? arabicPart(reading, at) : englishPart(reading, at);
}

/** `24 Tahlia Street` */
function numbered(reading: Reading, at: number): Part | undefined {
  const next = reading.tokens[at + 1];
  if (next?.type !== 'word' || reading.gapBefore(at + 1) !== ' ' || next.text.charCodeAt(0) >= 0x600) return undefined;
  return englishPart(reading, at + 1);
}

function arabicPart(reading: Reading, at: number): Part | undefined {
  const { plain } = reading.forms(at);
  const fine = plain.some((form) => FINE.has(form) || MARKERS.has(form));
  if (!fine && !plain.some((form) => SITES.has(form))) {
    return (
      namedBefore(reading, at) ?? (plain.some((form) => CITIES.has(form)) ? { last: at, specific: false } : undefined)
    );
  }
  const last = arabicNameAfter(reading, at);
  return last > at ? { last, specific: true } : undefined;
}

/** `العثيم مول`, `رد سي مول`: the name stands before what it is. */
function namedBefore(reading: Reading, at: number): Part | undefined {
  const { tokens } = reading;
  for (let last = at + 1; last <= at + 2 && last < tokens.length; last += 1) {
    if (reading.gapBefore(last) !== ' ' || isJoint(reading, last - 1) || NO_NAME.has(tokens[last - 1]!.text)) break;
    if (SITES_AFTER.has(tokens[last]!.text)) return { last, specific: true };
  }
  return undefined;
}

const SITES_AFTER = foldedSet('مول بلازا سنتر هايبر تاور');
const NO_NAME = foldedSet('أكبر نفس أقرب أحسن أفضل أول آخر هذا أي كل زحمة أكثر وأبغى أبغى أبي أدور مو ما يوجد فيه');

/** The name of a street, a mosque: `الملك عبدالله`, `ساسكو`, `5`. */
function arabicNameAfter(reading: Reading, marker: number): number {
  const { tokens } = reading;
  let last = marker;
  for (let at = marker + 1; at <= marker + NAME_TOKENS_MAX && at < tokens.length; at += 1) {
    const token = tokens[at]!;
    if (token.sentence !== tokens[marker]!.sentence || reading.gapBefore(at) !== ' ') break;
    if (token.type === 'digits') return token.text.length <= 4 && last === marker ? at : last;
    if (!isPlaceName(reading, at, last > marker)) break;
    last = at;
  }
  return last;
}

function isPlaceName(reading: Reading, at: number, begun: boolean): boolean {
  const { text } = reading.tokens[at]!;
  if (text.charCodeAt(0) < 0x600) return /^[A-Z]/.test(reading.cased(at));
  if (STOPS.has(text) || ARABIC_JOINTS.has(text) || TIMES.has(text)) return false;
  if ((text.startsWith('ال') && text.length > 3) || PLACE_LINKS.has(text)) return true;
  if (/^(?:ابو|ام)$/.test(reading.tokens[at - 1]!.text)) return true; // أبو بكر
  if (NOT_A_NAME.has(text)) return false;
  if (GIVEN_NAMES.has(text) || FAMILY_NAMES.has(text) || text === 'بن') return true;
  return !begun && text.length >= 3 && !/^[يتنو]/.test(text) && !/(?:كم|نا|ها|هم|تي|ني)$/.test(text);
}

const PLACE_LINKS = foldedSet('ذي أم أبو بني آل');

const TIMES = foldedSet(...list('times'));

function englishPart(reading: Reading, from: number): Part | undefined {
  const { tokens } = reading;
  let last = -1;
  let specific = false;
  let named = false;
  for (let at = from; at < tokens.length && at < from + 6; at += 1) {
    const token = tokens[at]!;
    if (at > from && !/^[ '-]$/.test(reading.gapBefore(at))) break;
    if (token.type === 'digits') {
      if (last < 0 || token.text.length > 5) break;
      specific ||= isSite(tokens[at - 1]!.text);
      last = at;
      continue;
    }
    if (token.text.charCodeAt(0) >= 0x600 || NOT_PLACES.has(token.text)) break;
    const site = isSite(token.text);
    const capital = /^[A-Z]/.test(reading.cased(at));
    if (!site && !capital && !isSpokenName(reading, at)) break;
    if (site) specific ||= named || isBlock(reading, at);
    named ||= !site || capital;
    last = at;
    if (site && capital && tokens[at + 1]?.text === 'of' && isCapital(reading, at + 2)) {
      return { last: at + 2, specific: true }; // Mall of Dhahran
    }
  }
  if (last < 0) return undefined;
  const district = !specific && last - from >= 1 && /^(?:al|an|as|ad|ar|az|ash|ath)$/.test(tokens[from]!.text);
  const city = [tokens[last]!.text, `${tokens[from]!.text}${tokens[last]!.text}`].some((word) => CITIES.has(word));
  if (!specific && !(district && !city) && !(city && named)) return undefined;
  return { last, specific: specific || (district && !city) };
}

function isCapital(reading: Reading, at: number): boolean {
  return at < reading.tokens.length && /^[A-Z]/.test(reading.cased(at));
}

function isSite(word: string): boolean {
  return SITES.has(word) || FINE.has(word) || MARKERS.has(word);
}

/** `Block C`, `Gate 3`: what is named by a letter or a number after it. */
function isBlock(reading: Reading, at: number): boolean {
  const next = reading.tokens[at + 1];
  if (next === undefined || reading.gapBefore(at + 1) !== ' ') return false;
  return next.type === 'digits' ? next.text.length <= 4 : /^[A-Z]$/.test(reading.cased(at + 1));
}

/** `al othaim mall`, said without capitals: what begins with an article, and the word after it. */
function isSpokenName(reading: Reading, at: number): boolean {
  const { text } = reading.tokens[at]!;
  if (/^(?:al|king|prince|princess|abu|umm)$/.test(text)) return true;
  return /^(?:al|king|prince|princess|abu|umm)$/.test(reading.tokens[at - 1]?.text ?? '') && text.length > 2;
}
