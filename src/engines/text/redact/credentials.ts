import { foldWord } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';
import { pattern } from '../../../language/pattern.ts';
import { tokenFrom } from './codes.ts';
import { isCode } from './labels.ts';
import type { Found, LabelMatch, Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/credentials.tsv');

/** Keys that say by their spelling what they are. Matched on the canonical text with its capitals. */
const KEY = pattern('g')`
  (?<![A-Za-z0-9_-])(?:(?:service_)?[srp]k_(?:live|test)_[A-Za-z0-9]{8,128}|sk-[A-Za-z0-9_-]{20,200}|AKIA[A-Z0-9]{12,20}|
  gh[pousr]_[A-Za-z0-9]{20,255}|xox[abpr]-[A-Za-z0-9-]{10,200}|AIza[A-Za-z0-9_-]{20,60}|glpat-[A-Za-z0-9_-]{16,64}|
  eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{4,4000}(?:\.[A-Za-z0-9_-]{4,2000})?)
`;
const BEARER = /(?<![A-Za-z])[Bb]earer +([A-Za-z0-9._~+/=-]{12,512})/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g;
const PRIVATE_KEY_END = '-----END';
/** `pass: …`: a verb and a noun elsewhere. */
const PASS = /(?<![A-Za-z\u0620-\u064a])(?:[Pp]ass|PASS|[Pp]w|PW|[Pp]swd|باس|الباس|باسي) ?[:=] ?([^\s,;|]{4,64})/g;
/** `pass حق النظام: …`: a few words between, and a value as no word is. */
const PASS_OF =
  /(?<![A-Za-z])(?:[Pp]ass|PASS|[Pp]w|PW)(?: [^\s:=]{1,14}){1,3} ?[:=] ?((?=[^\s]*[0-9])(?=[^\s]*[A-Za-z])(?=[^\s]*[@#$%^&*!_?~+-])[^\s,;|]{5,64})/g;
/** `use 9!Palm-Tree as the password`: a value as no word is, before what it is. */
const AS_PASS = pattern('g')`
  (?<![^\s"'(])((?=[^\s]{0,40}[0-9])(?=[^\s]{0,40}[A-Za-z])[A-Za-z0-9@#$%^&*_!+=?~-]{6,40}) as (?:the |my |your |a |his |her |our |new |
  temporary )?pass(?:word|code|phrase)(?![a-z])
`;
const URL_PASSWORD = /:\/\/[^\s:/@]{1,64}:([^\s:/@]{1,64})@/g;

/** Without these in a text the patterns above find nothing. */
const LONG_WORD = /[A-Za-z0-9_-]{11}/;
const PASS_WORD = /pass|pw|pswd|باس/;

/** Between the label and the secret: `is`, `:`, `هي`; at most this many words. */
const JOINTS_MAX = 4;
const JOINT_WORDS = new Set(list('joint-words').map(foldWord));
const LINK_WORDS = new Set(['is', 'was', 'equals', 'هي', 'هو']);
const NOT_SECRET = new Set(list('not-secret'));
const SECRET = /\S{4,128}/y;
const EDGE = /^["'([{<«“]+|["')\]}>»”.,;:?،]+$/g;

/** Passwords, tokens and keys. Codes of digits are numbers with a label: see number-rules. */
export function findCredentials(reading: Reading): Found[] {
  const found: Found[] = [];
  const { cased } = reading.canonical;
  const { lower } = reading;
  if (LONG_WORD.test(cased)) for (const match of cased.matchAll(KEY)) push(match.index, match[0].length);
  if (lower.includes('bearer')) {
    for (const match of cased.matchAll(BEARER))
      push(match.index + match[0].length - match[1]!.length, match[1]!.length);
  }
  if (PASS_WORD.test(lower)) {
    for (const match of lower.includes(' as ') ? cased.matchAll(AS_PASS) : []) push(match.index, match[1]!.length);
    for (const match of cased.matchAll(PASS)) push(match.index + match[0].length - match[1]!.length, match[1]!.length);
    for (const match of cased.matchAll(PASS_OF))
      push(match.index + match[0].length - match[1]!.length, match[1]!.length);
  }
  if (lower.includes('://'))
    for (const match of cased.matchAll(URL_PASSWORD))
      push(match.index + match[0].length - match[1]!.length - 1, match[1]!.length);
  let closed = 0;
  for (const match of lower.includes('-----begin') ? cased.matchAll(PRIVATE_KEY) : []) {
    if (match.index < closed) continue;
    const end = cased.indexOf(PRIVATE_KEY_END, match.index);
    const line = end < 0 ? cased.length : cased.indexOf('\n', end);
    closed = end < 0 || line < 0 ? cased.length : line;
    push(match.index, closed - match.index);
  }
  for (const label of reading.labels) {
    if (label.meaning !== 'password' && label.meaning !== 'key' && !isCode(label.meaning)) continue;
    const secret = secretAfter(reading, label);
    if (secret !== undefined) found.push(secret);
  }
  return found;

  function push(start: number, length: number): void {
    found.push(reading.found('Credential', start, start + length, 1));
  }
}

function secretAfter(reading: Reading, label: LabelMatch): Found | undefined {
  const { lower, tokens } = reading;
  const { cased } = reading.canonical;
  let at = tokens[label.last]!.end;
  let linked = false;
  for (let words = 0; words <= JOINTS_MAX; words += 1) {
    const gap = /^[ \t]{0,3}(?:[:=\-–>]{1,2}[ \t]{0,3})?/.exec(lower.slice(at, at + 10))![0];
    if (/[:=]/.test(gap)) linked = true;
    at += gap.length;
    const token = tokens[tokenFrom(tokens, at)];
    const joint =
      token !== undefined && token.start === at && /[\s:=]|^$/.test(lower.charAt(token.end)) ? token.text : '';
    if (!JOINT_WORDS.has(joint)) break;
    if (LINK_WORDS.has(joint)) linked = true;
    at = token!.end;
  }
  SECRET.lastIndex = at;
  const raw = SECRET.exec(cased)?.[0];
  if (lower.charCodeAt(at) === 1) return undefined;
  if (raw === undefined) return label.meaning === 'password' ? secretFarther(reading, label) : undefined;
  const lead = /^["'([{<«“]*/.exec(raw)![0].length;
  const value = raw.replace(EDGE, '');
  const phrase = linked && label.meaning === 'password' ? phraseAt(reading, at) : undefined;
  if (phrase) return phrase;
  if (!isSecret(value, linked, label.meaning))
    return label.meaning === 'password' || isCode(label.meaning) ? secretFarther(reading, label) : undefined;
  return reading.found('Credential', at + lead, at + lead + value.length, linked ? 0.95 : 0.8);
}

const PHRASE_WORDS = { min: 2, max: 6 } as const;

/** `my password is blue horse seven`: a few words to the end of the sentence, none of which says something of a password. */
function phraseAt(reading: Reading, at: number): Found | undefined {
  const { tokens, lower } = reading;
  const first = tokenFrom(tokens, at);
  if (tokens[first]?.start !== at) return undefined;
  let last = first;
  const { sentence } = tokens[first]!;
  const isNext = (): boolean => tokens[last + 1]?.sentence === sentence && reading.gapBefore(last + 1) === ' ';
  while (last - first < PHRASE_WORDS.max && isNext()) last += 1;
  const words = tokens.slice(first, last + 1);
  const ends = !/[^\s.!?؟"'»)]/.test(lower.slice(tokens[last]!.end, tokens[last + 1]?.start ?? lower.length));
  if (!ends || words.length < PHRASE_WORDS.min || words.length > PHRASE_WORDS.max) return undefined;
  return words.some(({ text }) => NOT_SECRET.has(text))
    ? undefined
    : reading.foundTokens('Credential', first, last, 0.8);
}

const FARTHER_CHARS = 45;
const FARTHER = /[^\s"'،,;]{6,64}/g;

/** `الرقم السري لبوابة الموظفين sara@1990`: a word of letters and digits or signs as no other word is, in the same statement. */
function secretFarther(reading: Reading, label: LabelMatch): Found | undefined {
  const last = reading.tokens[label.last]!;
  const nextLabel = reading.labelsRight(label.last, FARTHER_CHARS).find(({ first, meaning }) => {
    if (first <= label.last + 2) return false; // `بوابة …`, `حقت بوابة …`: what it opens
    return meaning === 'order' || meaning === 'network';
  });
  const until = Math.min(
    last.end + FARTHER_CHARS,
    nextLabel === undefined ? reading.lower.length : reading.tokens[nextLabel.first]!.start,
  );
  const part = reading.canonical.cased.slice(last.end, until);
  const stop = part.search(/[\n.!?]\s/);
  for (const match of (stop < 0 ? part : part.slice(0, stop)).matchAll(FARTHER)) {
    const value = match[0].replace(EDGE, '');
    if (!/^[\x21-\x7e]+$/.test(value) || !/[A-Za-z]/.test(value)) continue;
    const handed = isHanded(label, reading, part.slice(0, match.index), value, part.slice(match.index + value.length));
    if (!/[0-9]/.test(value) || !(handed || /[@#$%^&*_!+=?~]/.test(value)) || /[@][a-z0-9-]+\.[a-z]/i.test(value))
      continue;
    const start = last.end + match.index + match[0].indexOf(value);
    return reading.found('Credential', start, start + value.length, 0.7);
  }
  return undefined;
}

/** `the password you texted was Xw9-Palm-31`: said to be the value after who gave it, or given and spelt as no word is. */
function isHanded(label: LabelMatch, reading: Reading, between: string, value: string, after: string): boolean {
  const secret = label.meaning === 'password' || /^pass|سري/.test(reading.tokens[label.last]!.text);
  if (!secret || !/[0-9]/.test(value) || ABOUT_PASSWORDS.test(between)) return false;
  if (LINKED.test(between)) return true;
  return (
    /[a-z]/.test(value) && /[A-Z]/.test(value) && GIVEN.test(between) && !FAILED.test(between) && !FAILED.test(after)
  );
}

const LINKED = /(?:[ \t](?:is|was|are|says|reads|equals|هي|هو|كانت|كان)|[:=])[ \t]{0,2}["'(]?$/i;
const ABOUT_PASSWORDS =
  /^ (?:policy|policies|reset|page|rules?|length|field|manager|strength|screen|link|expiry|standard|format|requirements?)(?![a-z])/i;
const GIVEN = / (?:اللي|التي|الذي) .{0,20}(?:رسل|عط|وصل|جات|جاي|جان|كتب|طبع|مكتوب|علي) ?/;
const FAILED = / (?:ما|مو|مب|مش|لم|لا|غلط|خطا|منتهي) /;

function isSecret(value: string, linked: boolean, label: LabelMatch['meaning']): boolean {
  if (value.length < 4 || NOT_SECRET.has(value.toLowerCase())) return false;
  const letters = /[A-Za-z\u0600-\u06ff]/.test(value);
  const digits = /[0-9]/.test(value);
  const signs = /[@#$%^&*_!+=?~-]/.test(value);
  if (label === 'key') return value.length >= 10 && digits && letters;
  if (isCode(label)) return linked && letters && digits && value.length <= 12 && !/[\u0600-\u06ff]/.test(value);
  if (letters && (digits || signs) && value.length >= 5) return true;
  return linked && /^[A-Za-z0-9@#$%^&*_!+=?~-]+$/.test(value) && (value.length >= 5 || digits);
}
