import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { FAMILY_NAMES, GIVEN_NAMES } from '../../../language/names/name-lists.ts';
import { pattern } from '../../../language/pattern.ts';
import type { Label } from './labels.ts';
import { CITIES, FINE, MARKERS, STOPS } from './place-words.ts';
import type { Found, LabelMatch, Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/places.tsv');

const CONNECTORS = foldedSet(
  'هو هي في is are in at on the : عند على ب رقم ضمن داخل العميل العميلة المريض المريضة الموظف الموظفة المستأجر المستأجرة المستفيد المستفيدة المذكور المذكورة',
);
/** An address goes on with what it is near. */
const LANDMARK = foldedSet('مقابل خلف بجوار جوار قرب قريب جنب بجانب أمام قدام بعد near behind opposite beside');
/** Where a company receives everybody. */
const PUBLIC = foldedSet(...list('public'));
const TOKENS_MAX = 24;
const REACH_TOKENS = 5;
const REACH_CHARS = 10;
const PART_TOKENS_MAX = 4;
/** Street and district of an address may stand this far apart. */
const GAP_CHARS_MAX = 4;

/** Addresses after a label (`عنواني`, `my address is`), places after a word of residence, and rows of address parts. */
export function findPlaces(reading: Reading): Found[] {
  const found: Found[] = [];
  for (const label of reading.labels) {
    if (label.meaning === 'address' || label.meaning === 'shortAddress') {
      const address = addressAfter(reading, label);
      if (address !== undefined) found.push(address);
    } else if (label.meaning === 'residence') {
      const place = residenceAfter(reading, label);
      if (place !== undefined) found.push(place);
    }
  }
  found.push(...rows(reading), ...streetNumbers(reading));
  return found;
}

function addressAfter(reading: Reading, label: LabelMatch): Found | undefined {
  const first = skipConnectors(reading, label.last + 1, reading.tokens[label.last]!.sentence);
  const last = endOfAddress(reading, first);
  if (last < first || !isAddress(reading, first, last)) return undefined;
  const kind = label.meaning === 'shortAddress' || hasLongShape(reading, first, last) ? 'National Address' : 'Address';
  return reading.foundTokens(kind, first, last, 0.9);
}

/** `I live in Al Nakheel district`: redacted; a city alone is only flagged. */
function residenceAfter(reading: Reading, label: LabelMatch): Found | undefined {
  const { tokens } = reading;
  const first = skipConnectors(reading, label.last + 1, tokens[label.last]!.sentence);
  const next = reading.labelsRight(label.last, REACH_CHARS)[0];
  if (next?.first === label.last + 1 && next.meaning === 'address') return undefined; // `my home address` says it itself
  const last = endOfAddress(reading, first);
  if (last < first) return undefined;
  if (isAddress(reading, first, last) && !isAnyHome(reading, first, last)) {
    const kind = hasLongShape(reading, first, last) ? 'National Address' : 'Location';
    return reading.foundTokens(kind, first, last, 0.85);
  }
  for (let at = first; at <= last && at < first + 3; at += 1) {
    if (isCity(reading, at)) return { ...reading.foundTokens('Location', first, at, 0.5), flagged: true };
  }
  return undefined;
}

/** `an apartment`, `شقة`: no particular one. */
function isAnyHome(reading: Reading, first: number, last: number): boolean {
  const words = reading.tokens.slice(first, last + 1).filter(({ text }) => !/^(?:an?|the|in|at|في|ب)$/.test(text));
  return words.length === 1 && HOMES.has(words[0]!.text);
}

/** A row such as `مبنى 7425 شارع العليا حي الورود الرياض 12214`: three parts with a number among them, without a label. */
function rows(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  let at = 0;
  while (at < tokens.length) {
    const starts = isMarker(reading, at) || isBuildingNumber(reading, at);
    const last = starts ? endOfAddress(reading, at) : at;
    if (starts && isRow(reading, at, last)) {
      found.push(reading.foundTokens(hasLongShape(reading, at, last) ? 'National Address' : 'Address', at, last, 0.6));
      at = last;
    }
    at += 1;
  }
  return found;
}

/** `12 Al Imam Street, Al Murabba, Riyadh`: a number before a street in capitals; not where a company is. */
const STREET_NUMBER = pattern('g')`
  (?<![A-Za-z0-9.,:-])[0-9]{1,4} (?:[A-Z][a-z'-]{1,14} ){1,4}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Boulevard|
  Blvd)(?:, (?:[A-Z][a-z'-]{1,14} ?){1,3}){0,3}(?![A-Za-z])
`;
const OF_COMPANY =
  /(?:our|branch|office|offices|store|shop|showroom|clinic|hospital|restaurant|museum|headquarters|bus|exit|unit)[^.]{0,30}$/;

function streetNumbers(reading: Reading): Found[] {
  const found: Found[] = [];
  if (!/ (?:st|street|road|rd|ave|avenue|lane|drive|blvd|boulevard)(?![a-z])/.test(reading.lower)) return found;
  for (const match of reading.canonical.cased.matchAll(STREET_NUMBER)) {
    if (OF_COMPANY.test(reading.lower.slice(Math.max(0, match.index - 50), match.index))) continue;
    const length = match[0].trimEnd().length;
    if (/^ ?(?:branch|office|store|showroom|shop|exhibition|outlet)/.test(reading.lower.slice(match.index + length)))
      continue;
    found.push(reading.found('Address', match.index, match.index + length, 0.6));
  }
  return found;
}

function isRow(reading: Reading, first: number, last: number): boolean {
  const markers = countMarkers(reading, first, last);
  if (!hasDigits(reading, first, last) || markers < 1) return false;
  for (let at = Math.max(0, first - REACH_TOKENS); at < first; at += 1) {
    if (reading.forms(at).bare.some((form) => PUBLIC.has(form))) return false;
  }
  if (markers >= 2 && (hasCity(reading, first, last) || hasHomeNumber(reading, first, last))) return true;
  return (markers >= 2 && hasLongShape(reading, first, last)) || hasBothCodes(reading, first, last);
}

/** `شقة 5`, `Building 7`, `villa no 12`: the number of somebody's door. */
export function hasHomeNumber(reading: Reading, first: number, last: number): boolean {
  for (let at = first; at < last; at += 1) {
    if (HOMES.has(reading.tokens[at]!.text) && hasDigits(reading, at + 1, Math.min(last, at + 2))) return true;
  }
  return false;
}

const HOMES = foldedSet('شقة فيلا فلة عمارة بيت منزل مبنى building bldg apartment apt flat villa house');

function skipConnectors(reading: Reading, from: number, sentence: number): number {
  const { tokens } = reading;
  let at = from;
  while (at < from + REACH_TOKENS && tokens[at]?.sentence === sentence && CONNECTORS.has(tokens[at]!.text)) at += 1;
  return tokens[at]?.sentence === sentence ? at : tokens.length;
}

/** The last token that may belong to an address beginning at `first`; before `first` when there is none. */
function endOfAddress(reading: Reading, first: number): number {
  const { tokens } = reading;
  let last = first - 1;
  for (let at = first; at < tokens.length && at < first + TOKENS_MAX; at += 1) {
    const token = tokens[at]!;
    if (token.sentence !== tokens[first]!.sentence) break;
    if (at > first && reading.gapBefore(at).trim().length > GAP_CHARS_MAX) break;
    if (token.type === 'word' && (isStop(reading, at) || (at > first && isOtherValue(reading, at)))) break;
    if (token.type === 'digits' && (token.text.length > 5 || /^0[1-9]/.test(token.text))) break; // 053-000…
    if (token.type === 'digits' || isCity(reading, at)) last = at;
    else if (isMarker(reading, at) || (last >= first && LANDMARK.has(token.text))) {
      last = Math.max(at, endOfPart(reading, at));
    }
  }
  return last;
}

/** `واللوحة 1790`, `phone 05…`: another value of the sentence begins. */
function isOtherValue(reading: Reading, at: number): boolean {
  const label = reading.labelAt(at);
  return label !== undefined && OTHER_VALUES.has(label);
}

const OTHER_VALUES: ReadonlySet<Label> = new Set([
  'id',
  'iqama',
  'passport',
  'phone',
  'card',
  'pin',
  'code',
  'password',
  'account',
  'iban',
  'registration',
  'vat',
  'record',
  'employee',
  'plate',
  'birth',
  'salary',
  'balance',
]);

/** `شارع الملك فهد`, `حي النرجس`: the name after an Arabic marker; an English name stands before it. */
function endOfPart(reading: Reading, marker: number): number {
  const { tokens } = reading;
  let at = marker;
  while (at < marker + PART_TOKENS_MAX) {
    const next = tokens[at + 1];
    if (next?.type !== 'word' || next.text.charCodeAt(0) < 0x600 || next.sentence !== tokens[marker]!.sentence) break;
    if (reading.gapBefore(at + 1) !== ' ' || isStop(reading, at + 1) || isMarker(reading, at + 1)) break;
    const named =
      next.text.startsWith('ال') || next.text === 'بن' || FAMILY_NAMES.has(next.text) || GIVEN_NAMES.has(next.text);
    if (at > marker && !named) break;
    at += 1;
  }
  return at;
}

function hasCity(reading: Reading, first: number, last: number): boolean {
  for (let at = first; at <= last; at += 1) if (isCity(reading, at)) return true;
  return false;
}

function isCity(reading: Reading, at: number): boolean {
  return reading.tokens[at]!.type === 'word' && reading.forms(at).plain.some((form) => CITIES.has(form));
}

function isStop(reading: Reading, at: number): boolean {
  const { text } = reading.tokens[at]!;
  return STOPS.has(text) || (text === 'and' && reading.tokens[at + 1]?.text === 'my');
}

function isAddress(reading: Reading, first: number, last: number): boolean {
  for (let at = first; at <= last; at += 1) if (reading.forms(at).plain.some((form) => FINE.has(form))) return true;
  return hasDigits(reading, first, last) && last - first >= 1 && hasLongShape(reading, first, last);
}

/** A building number and a postal code: four digits and five; the street may stand for the building. */
function hasLongShape(reading: Reading, first: number, last: number): boolean {
  if (hasBothCodes(reading, first, last)) return true;
  return numberLengths(reading, first, last).includes(5) && countMarkers(reading, first, last) > 0;
}

function hasBothCodes(reading: Reading, first: number, last: number): boolean {
  const lengths = numberLengths(reading, first, last);
  return lengths.includes(4) && lengths.includes(5);
}

function numberLengths(reading: Reading, first: number, last: number): number[] {
  return reading.tokens.slice(first, last + 1).map((token) => (token.type === 'digits' ? token.text.length : 0));
}

function isBuildingNumber(reading: Reading, at: number): boolean {
  const { tokens } = reading;
  return tokens[at]!.type === 'digits' && tokens[at]!.text.length === 4 && tokens[at + 1]?.type === 'word';
}

function hasDigits(reading: Reading, first: number, last: number): boolean {
  return !reading.noDigitsBetween(first - 1, last + 1);
}

function countMarkers(reading: Reading, first: number, last: number): number {
  let count = 0;
  for (let at = first; at <= last; at += 1) if (isMarker(reading, at)) count += 1;
  return count;
}

function isMarker(reading: Reading, at: number): boolean {
  return reading.tokens[at]!.type === 'word' && reading.forms(at).plain.some((form) => MARKERS.has(form));
}
