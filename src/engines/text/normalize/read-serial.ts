import { englishCardinal, englishDigits } from './english-number.ts';
import { match } from './numeral.ts';
import { isLatin, type Scan } from './scan.ts';
import { type Classified, classified } from './token.ts';

const IBAN = /[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?(?![A-Za-z\d])/y;
/** Its first groups: `SA03 8000`. */
const IBAN_BEGUN = /(?:SA|AE|KW|QA|BH|OM|JO|EG|GB|DE|FR)\d{2}(?: \d{4}){1,6}(?!\d|[.,]\d| ?[A-Za-z$€£%])/y;
/** Letters and digits with signs between them, at least one digit. */
const LABEL = /[A-Za-z]{1,20}(?:[-_/]?\d{1,20}|[-_/]?[A-Z]{1,12}(?![a-z])){1,8}/y;
/** `FY2025`, `pre-1980`: a word and a year. */
const WORD_AND_NUMBER = /^(?:(?:[FCM]Y|YE)(?:19|20)\d\d(?:[-/]\d\d(?:\d\d)?)?|[a-z]{2,}-\d+)$/;
/** `SV 1021`: an airline code and its number. */
const FLIGHT = /(?:SV|XY|F3|EK|QR|EY|MS|BA|LH|TK|GF|WY|KU|FZ|RJ|AF|PK|AI|UL|G9|J9)[ -]\d{2,4}(?!\d)/y;

/** The groups of four of an IBAN are one run of digits. */
export function iban(scan: Scan, at: number): Classified | undefined {
  const found = match(IBAN, scan.text, at) ?? match(IBAN_BEGUN, scan.text, at);
  if (found === undefined) return undefined;
  return classified({ kind: 'label', text: found.replaceAll(' ', '') }, at, at + found.length);
}

export function flight(scan: Scan, at: number): Classified | undefined {
  const found = match(FLIGHT, scan.text, at);
  return found === undefined ? undefined : classified({ kind: 'label', text: found }, at, at + found.length);
}

const HARDWARE_ADDRESS = /[\dA-Fa-f]{2}(?:[:-][\dA-Fa-f]{2}){5}(?![\dA-Za-z:])/y;

/** `00:1A:2B:3C:4D:5E`: sixteen-based digits one by one. */
export function hardwareAddress(scan: Scan, at: number): Classified | undefined {
  const found = match(HARDWARE_ADDRESS, scan.text, at);
  if (found === undefined || !/[A-Fa-f]/.test(found)) return undefined;
  const words = [...found.toUpperCase().replace(/[:-]/g, '')].map((sign) => (sign > '9' ? sign : englishDigits(sign)));
  return classified({ kind: 'words', words: words.join(' ') }, at, at + found.length);
}

const LABEL_RANGE = /([A-Z]{1,2})(\d{1,3})\s?[-–]\s?\1(\d{1,3})(?![A-Za-z\d]|[-.]\d)/y;

const ZONE = /(UTC|GMT)[-−](\d{1,2})(?::([0-5]\d))?(?![\dA-Za-z])/y;

/** `UTC-5`, `GMT-3:30` in English text: hours behind. */
export function timeZone(scan: Scan, at: number): Classified | undefined {
  ZONE.lastIndex = at;
  const found = ZONE.exec(scan.text);
  if (found === null || Number(found[2]) > 12) return undefined;
  const minutes = found[3] === undefined ? '' : ` ${englishCardinal(Number(found[3]))}`;
  const words = `${found[1]!.split('').join(' ')} minus ${englishCardinal(Number(found[2]))}${minutes}`;
  return classified({ kind: 'words', words }, at, at + found[0].length);
}

const HEXADECIMAL = /0x([\dA-Fa-f]{1,16})(?![A-Za-z\d])/y;

/** `0x80070057` in English text. */
export function hexadecimal(scan: Scan, at: number): Classified | undefined {
  HEXADECIMAL.lastIndex = at;
  const found = HEXADECIMAL.exec(scan.text);
  if (found === null) return undefined;
  const words = [...found[1]!.toUpperCase()].map((sign) => (sign > '9' ? sign : englishDigits(sign)));
  return classified({ kind: 'words', words: `zero x ${words.join(' ')}` }, at, at + found[0].length);
}

const EPISODE = /S(\d{1,2})\s?E(\d{1,3})(?![A-Za-z\d])/y;

/** `S02E05`: season and episode in English text. */
export function episode(scan: Scan, at: number): Classified | undefined {
  EPISODE.lastIndex = at;
  const found = EPISODE.exec(scan.text);
  if (found === null) return undefined;
  const [season, number] = [found[1], found[2]].map((digits) => englishCardinal(Number(digits)));
  return classified({ kind: 'words', words: `season ${season} episode ${number}` }, at, at + found[0].length);
}

/** `rows C3-C9`, `Q1–Q3` in English text: from one to the other. */
export function labelRange(scan: Scan, at: number): Classified | undefined {
  LABEL_RANGE.lastIndex = at;
  const found = LABEL_RANGE.exec(scan.text);
  if (found === null || Number(found[2]) >= Number(found[3]) || /^0/.test(found[2]! + found[3]!)) return undefined;
  const letters = found[1]!.split('').join(' ');
  const [low, high] = [found[2], found[3]].map((digits) => englishCardinal(Number(digits)));
  return classified({ kind: 'words', words: `${letters} ${low} to ${letters} ${high}` }, at, at + found[0].length);
}

const DECIMAL_TAIL = /(?<=[A-Za-z-]\d)\.\d{1,2}(?![\d.]|[A-Za-z])/y;

/** `P-101A`, `CAM_17`, `INV-2024-0087`. */
export function serial(scan: Scan, at: number): Classified | undefined {
  const found = match(LABEL, scan.text, at);
  if (found === undefined || !/\d/.test(found) || WORD_AND_NUMBER.test(found)) return undefined;
  const masked = /^[xX]{2,}(\d+)$/.exec(found)?.[1]; // XX1234
  if (masked !== undefined) return classified({ kind: 'digits', digits: masked }, at, at + found.length);
  let end = at + found.length + (match(DECIMAL_TAIL, scan.text, at + found.length)?.length ?? 0); // PM2.5
  // A tail of small letters (`A12b`) belongs to it; a plural s does not.
  while (isLatin(scan.text.charCodeAt(end)) && end - at < 60) end += 1;
  return classified({ kind: 'label', text: scan.text.slice(at, end) }, at, end);
}

const GLUED = /\d{1,20}[-_]?[A-Za-z][A-Za-z\d]{0,20}(?:[-_][A-Za-z\d]{1,20}){0,6}/y;

/** Digits with letters glued on: `5G`, `4K`, `12A`, `3D`. */
export function readGluedLabel(scan: Scan, at: number): Classified | undefined {
  const found = match(GLUED, scan.text, at);
  if (found === undefined) return undefined;
  return classified({ kind: 'label', text: found }, at, at + found.length);
}
