import { MONTHS_AR } from '../../../language/calendar/calendar-names.ts';
import { HIJRI_MONTH_AR, MONTH_EN, SHORT_MONTH_EN } from '../../../language/calendar/date-patterns.ts';
import { foldedSet, foldWord } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { partOf, pattern } from '../../../language/pattern.ts';
import { isDate } from './figures.ts';
import { type Found, type LabelMatch, NEUTRAL, type Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/contact.tsv');

const LOCAL_CHARS_MAX = 64;
const DOMAIN_CHARS_MAX = 253;
const LOCAL = /[a-z0-9._%+'\-\u0620-\u06ff]/;
const DOMAIN = /[a-z0-9\-\u0620-\u06ff]+(?:\.[a-z0-9\-\u0620-\u06ff]+)+/y;
/** Addresses of companies that anybody may write to. */
const ROLE = pattern()`
  ^(?:info|support|sales|help|contact|care|noreply|no-reply|admin|webmaster|hr|jobs|careers|service|customer-?(?:care|service)|enquiries|
  inquiries|press|media|hello|team|complaints?|feedback|orders?|billing|accounts?|finance|booking|reservations?|marketing|office|mail|
  postmaster|abuse|security|privacy|legal|dpo|newsletter|notifications?|alerts?|donotreply|do-not-reply|it|ops|recruitment|training)@
`;

/** E-mail addresses as written; those of a role (info@) are nobody's. */
export function findEmails(reading: Reading): Found[] {
  const { lower } = reading;
  const found: Found[] = [];
  for (let at = lower.indexOf('@'); at >= 0; at = lower.indexOf('@', at + 1)) {
    let start = at;
    while (start > 0 && at - start < LOCAL_CHARS_MAX && LOCAL.test(lower.charAt(start - 1))) start -= 1;
    while (start < at && /[.'%+-]/.test(lower.charAt(start))) start += 1;
    DOMAIN.lastIndex = at + 1;
    const domain = DOMAIN.exec(lower.slice(0, at + 1 + DOMAIN_CHARS_MAX))?.[0];
    if (start === at || domain === undefined || URL_USER.test(lower.slice(Math.max(0, start - 80), start))) continue;
    const end = at + 1 + domain.length;
    if (ROLE.test(lower.slice(start, end))) continue;
    found.push(reading.found('Email', start, end, 1));
  }
  return found;
}

/** `postgres://app:` before a password and a host. */
const URL_USER = /:\/\/[^\s/@:]{1,64}:$/;

const AT_WORDS = new Set(['at', 'ات', 'آت', 'اَت', 'أت'].map(foldWord));
const DOT_WORDS = new Set(['dot', 'دوت', 'نقطه', 'دت', 'point']);
const PROVIDERS = new Set(
  'gmail hotmail outlook yahoo icloud live msn proton protonmail me جيميل جيمايل هوتميل اوتلوك ياهو ايكلاود لايف'.split(
    ' ',
  ),
);
const TOPS = new Set('com net org sa edu gov co me info io كوم نت اورق اورج اس'.split(' '));
const LOCAL_WORDS_MAX = 6;

/** E-mail addresses as they are said: `sara dot ali at gmail dot com`, `سارة ات جيميل دوت كوم`. */
export function findSpokenEmails(reading: Reading): Found[] {
  const { tokens } = reading;
  const found: Found[] = [];
  for (let at = 1; at + 3 < tokens.length; at += 1) {
    if (!AT_WORDS.has(tokens[at]!.text)) continue;
    let last = at + 1;

    const provider = PROVIDERS.has(tokens[last]!.text);
    if (!DOT_WORDS.has(tokens[last + 1]?.text ?? '') || !TOPS.has(tokens[last + 2]?.text ?? '')) continue;
    last += 2;
    while (DOT_WORDS.has(tokens[last + 1]?.text ?? '') && TOPS.has(tokens[last + 2]?.text ?? '')) last += 2;
    let first = at - 1;
    while (first - 2 >= 0 && at - first < LOCAL_WORDS_MAX && joins(tokens[first - 1]!.text)) first -= 2;
    while (first > 0 && tokens[first]!.type === 'digits' && at - first < LOCAL_WORDS_MAX) first -= 1;
    found.push(reading.foundTokens('Email', first, last, provider ? 1 : 0.9));
  }
  return found;
}

function joins(word: string): boolean {
  return DOT_WORDS.has(word) || word === 'underscore' || word === 'dash' || word === 'اندرسكور' || word === 'شرطه';
}

const IPV4 = /(?<![0-9.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![0-9]|\.[0-9])/g;
const IPV6 = /(?<![0-9a-z:])(?:[0-9a-f]{1,4}:){2,7}(?::?[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5}|:)(?![0-9a-z:])/g;
const MAC = /(?<![0-9a-z:])[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}(?![0-9a-z:])/g;
const OCTET_WORD = partOf`
  (?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|
  fif|six|seven|eigh|nine)ty|hundred|and|صفر|زيرو|و?(?:واحد|وحده|اثنين|ثنين|ثلاثه?|اربعه?|خمسه?|سته?|سبعه?|ثماني?ه?|تسعه?|عشره?|(?:عشر|
  ثلاث|اربع|خمس|ست|سبع|ثمان|تسع)ين|ميه|مايه|ميتين|مايتين))
`;
const OCTET = `(?:[0-9]{1,3}|${OCTET_WORD}(?:[ -]${OCTET_WORD}){0,4})`;
const DOT = '(?: ?\\. ?| (?:dot|point|دوت|دت|نقطه) )';
/** `198 dot 51 dot 100 dot 62`, `one nine two dot one six eight dot …` */
const SPOKEN_IPV4 = new RegExp(
  `(?<![0-9a-z\\u0620-\\u064a.])${OCTET}(?:${DOT}${OCTET}){3}(?![0-9a-z\\u0620-\\u064a]|${DOT}${OCTET})`,
  'g',
);
const SPOKEN_DOT = / (?:dot|point|دوت|دت|نقطه) /;
const VERSION_BEFORE =
  /(?:version|release|firmware|build|v|الاصدار|اصدار|نسخه|النسخه)(?: (?:التطبيق|البرنامج|النظام|الجهاز|of|the|app|is|رقم))?[ :]{0,3}$/;
const NOBODY = /^(?:0\.|127\.|255\.|8\.8\.(?:8\.8|4\.4)$|1\.1\.1\.1$)/;

/** Network addresses; not versions, not those that are the same for everybody. */
export function findNetworkAddresses(reading: Reading): Found[] {
  const { lower } = reading;
  const found: Found[] = [];
  for (const match of lower.includes('.') ? lower.matchAll(IPV4) : []) {
    const octets = match[0].split('.').map(Number);
    if (octets.some((octet) => octet > 255) || NOBODY.test(match[0])) continue;
    if (VERSION_BEFORE.test(lower.slice(Math.max(0, match.index - 28), match.index))) continue;
    found.push(reading.found('IP Address', match.index, match.index + match[0].length, 0.96));
  }
  for (const match of SPOKEN_DOT.test(lower) ? lower.matchAll(SPOKEN_IPV4) : []) {
    const octets = (match[0].match(/[0-9]+/g) ?? []).map(Number);
    if (octets.some((octet) => octet > 255) || NOBODY.test(octets.join('.'))) continue;
    if (VERSION_BEFORE.test(lower.slice(Math.max(0, match.index - 28), match.index))) continue;
    found.push(reading.found('IP Address', match.index, match.index + match[0].length, 0.9));
  }
  for (const pattern of /[0-9a-f][:-]/.test(lower) ? [IPV6, MAC] : []) {
    for (const match of lower.matchAll(pattern)) {
      const short = match[0].split(':').length < 4 && !match[0].includes('::');
      if (short || !/[0-9]/.test(match[0])) continue;
      found.push(reading.found('IP Address', match.index, match.index + match[0].length, 0.9));
    }
  }
  return found;
}

const COORDINATES =
  /(?<![0-9.])(-?[0-9]{1,2}\.[0-9]{3,10})(?:°? ?[ns])?°? ?[,\s/] ?(-?[0-9]{1,3}\.[0-9]{3,10})(?:°? ?[ew](?![a-z]))?°?(?![0-9])/g;
const MAP_LINK = pattern('g')`
  (?:https?:\/\/)?(?:maps\.app\.goo\.gl|goo\.gl\/maps|(?:www\.)?google\.[a-z.]{2,6}\/maps|maps\.google\.[a-z.]{2,6}|
  maps\.apple\.com)\/?[^\s<>"\u0600-\u06ff]{0,300}
`;

/** Positions: coordinates and links of map services. */
export function findPositions(reading: Reading): Found[] {
  const { lower } = reading;
  const found: Found[] = [];
  for (const match of lower.includes('.') ? lower.matchAll(COORDINATES) : []) {
    if (Math.abs(Number(match[1])) > 90 || Math.abs(Number(match[2])) > 180) continue;
    found.push(reading.found('Location', match.index, match.index + match[0].length, 0.95));
  }
  for (const match of lower.includes('map') ? lower.matchAll(MAP_LINK) : []) {
    found.push(reading.found('Location', match.index, match.index + match[0].length, 0.95));
  }
  return found;
}

/** In the spelling of the canonical text: small letters, one alef. */
const MONTH = [
  partOf`
    muharram|safar|rabi(?:[ -]al)?[ -](?:awwal|thani|akhir)|jumada(?:[ -]al)?[ -](?:ula|awwal|thani|thaniya|akhira)|rajab|sha[ʿ‘’']?aban|
    ramadan|shawwal|dhu(?:l|[ -]al)[ -]?(?:qi?[ʿ‘’']?dah|hijjah)
  `,
  ...[MONTH_EN, 'sept', SHORT_MONTH_EN].map((names) => names.toLowerCase()),
  ...MONTHS_AR.gregorian.map(foldWord),
  HIJRI_MONTH_AR,
  partOf`
    ربيع (?:ال)?(?:اول|ثاني|اخر)|جماد[يى]? (?:ال)?(?:اولي?|ثاني[هة]?|اخر[هة]?)|ذو القعده|ذي القعده|ذو الحجه|ذي الحجه|القعده|الحجه
  `,
].join('|');
const DAY_WORDS = partOf`
  first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|
  eighteenth|nineteenth|twent(?:y|ieth)(?:[ -](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth))?|thirt(?:y[ -]first|ieth)|
  (?:ال)?(?:اول|ثاني|ثالث|رابع|خامس|سادس|سابع|ثامن|تاسع|عاشر|حادي|واحد)(?: (?:عشر|وال?عشري?ن|وال?عشرون|وال?ثلاثي?ن|وال?ثلاثون))?|
  (?:ال)?(?:عشرين|عشرون|ثلاثين|ثلاثون)|غره
`;
const UNIT_WORDS =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)';
const TEN_WORDS = '(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)';
const UNIT_AR =
  '(?:واحد|احد|اثنين|اثنان|اثنتين|ثلاث|ثلاثه|اربع|اربعه|خمس|خمسه|ست|سته|سبع|سبعه|ثمان|ثماني|ثمانيه|تسع|تسعه|عشر|عشره|[\\u0620-\\u064a]{2,6}عش(?:ر)?)';
const TEN_AR =
  '(?:عشرين|عشرون|ثلاثين|ثلاثون|اربعين|اربعون|خمسين|خمسون|ستين|ستون|سبعين|سبعون|ثمانين|ثمانون|تسعين|تسعون)';
/** `ألف وتسعمية وتسعين`, `nineteen eighty-five`, `two thousand and four`. */
const SAID_YEAR = partOf`
  (?:nineteen|twenty)[ -](?:hundred and )?(?:oh )?(?:${TEN_WORDS}(?:[ -]${UNIT_WORDS})?|${UNIT_WORDS})|
  two thousand(?: and)?(?: (?:${TEN_WORDS}(?:[ -]${UNIT_WORDS})?|${UNIT_WORDS}))?|(?:الف|الفين|الفان)(?: و?(?:تسعميه|تسعمييه|تسعماييه|
  تسعميي[هة]|تسع ميه|تسعمايه|تسعمائه|تسعميه|اربعميه|اربعمايه|اربعمييه|اربع ميه|ثلاثميه|ثلاثمايه))?(?: و?${UNIT_AR})?(?: ?و?${TEN_AR})?
`;
const SAID_DAY = pattern('g')`
  (?<![a-z\u0620-\u064a])(?:${DAY_WORDS}) (?:of )?(?:من )?(?:شهر )?(?:${MONTH})(?:[ ,]{1,2}(?:من )?(?:عام |سنه |لعام |لسنه )?(?:[0-9]{2,4}|
  ${SAID_YEAR}))?(?![0-9])
`;
const MONTH_SAID_DAY = new RegExp(
  `(?<![a-z])(?:${MONTH}) (?:the )?(?:${DAY_WORDS})(?:,? {1,2}(?:[0-9]{4}|${SAID_YEAR}))?(?![0-9a-z])`,
  'g',
);
const YEAR_SAID = new RegExp(`(?<![a-z\\u0620-\\u064a])(?:${SAID_YEAR})(?![a-z\\u0620-\\u064a])`, 'g');
const NUMERIC_DATE = /(?<![0-9])[0-9]{1,4} ?[/.\- ] ?[0-9]{1,2} ?[/.\- ] ?[0-9]{1,4}(?![0-9])/g;
const DAY_MONTH = new RegExp(
  `(?<![0-9])[0-9]{1,2}(?:st|nd|rd|th)?(?: of)?[ \\-/]{1,2}(?:من )?(?:شهر )?(?:${MONTH})(?:[ ,\\-/]{1,3}(?:من )?(?:عام |سنه )?[0-9]{2,4})?(?![0-9])`,
  'g',
);
const MONTH_DAY = new RegExp(`(?<![a-z])(?:${MONTH}) [0-9]{1,2}(?:st|nd|rd|th)?(?:,? {1,2}[0-9]{4})?(?![0-9])`, 'g');
const YEAR = /(?<![0-9])(?:1[34][0-9]{2}|19[0-9]{2}|20[0-2][0-9])(?![0-9])/g;
const SHORT_DATE = /(?<![0-9/.])(?:0?[1-9]|[12][0-9]|3[01])[/-](?:0?[1-9]|1[0-2])(?![0-9/-])/g;
const ERA = /^ ?(?:هجريه|هجري|ميلاديه|ميلادي|هـ|ه|م|ah|ad)(?![a-z\u0620-\u06ff])/;
const BIRTH_REACH_CHARS = 30;
/** A date said in words. */
const DATE_CHARS_MAX = 64;

/** Dates beside a word of birth; a year alone only right after it (`مواليد 1990`). */
export function findBirthDates(reading: Reading): Found[] {
  const found: Found[] = [];
  const births = reading.labels.filter((label) => label.meaning === 'birth' && !isOfThing(reading, label));
  if (births.length === 0) return found;
  const { tokens, lower } = reading;
  for (const birth of births) {
    const left = tokens[birth.first]!;
    const right = tokens[birth.last]!;
    const after = dateIn(lower, right.end, right.end + BIRTH_REACH_CHARS + DATE_CHARS_MAX, BIRTH_REACH_CHARS);
    const short = after ?? shortYear(reading, birth.last);
    const before = short ?? dateIn(lower, Math.max(0, left.start - BIRTH_REACH_CHARS), left.start, BIRTH_REACH_CHARS);
    if (before !== undefined) found.push(reading.found('Date of Birth', before.start, before.end, 0.95));
  }
  return found;
}

/** `the company was born in 1999`, `ولدت الفكرة في 2010`, `happy birthday discount`. */
function isOfThing(reading: Reading, birth: LabelMatch): boolean {
  const { tokens } = reading;
  if (tokens[birth.first - 1]?.text === 'happy' || THINGS_BORN.has(tokens[birth.last + 1]?.text ?? '')) return true;
  for (let at = Math.max(0, birth.first - 3); at < birth.first; at += 1)
    if (THINGS_BORN.has(tokens[at]!.text)) return true;
  return false;
}

const THINGS_BORN = foldedSet(...list('things-born'));

/** `مواليد ٩٢`: the year with two digits, right after the word. */
function shortYear(reading: Reading, last: number): { start: number; end: number } | undefined {
  const next = reading.tokens[last + 1];
  if (next?.type !== 'digits' || next.text.length !== 2 || next.spoken === true) return undefined;
  const isBorn = /^(?:مواليد|مولود|born)$/.test(reading.tokens[last]!.text);
  return isBorn && reading.gapBefore(last + 1) === ' ' ? { start: next.start, end: next.end } : undefined;
}

function dateIn(lower: string, from: number, to: number, reach: number): { start: number; end: number } | undefined {
  const stretch = lower.slice(from, to);
  const gone = stretch.indexOf(NEUTRAL); // the date that belonged here
  const part = gone < 0 ? stretch : stretch.slice(0, gone);
  for (const pattern of [DAY_MONTH, MONTH_DAY, SAID_DAY, MONTH_SAID_DAY, NUMERIC_DATE, YEAR, YEAR_SAID, SHORT_DATE]) {
    pattern.lastIndex = 0;
    const match = pattern.exec(part);
    if (match === null || match.index > reach) continue;
    if (pattern === NUMERIC_DATE && !isDate(match[0].replaceAll(' ', match[0].includes('/') ? '' : '/'))) continue;
    const end = match.index + match[0].length;
    const era = ERA.exec(part.slice(end))?.[0].length ?? 0;
    return { start: from + match.index, end: from + end + era };
  }
  return undefined;
}
