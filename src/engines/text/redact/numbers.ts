import { isCardRange, passesLuhn } from '../../../language/check-digits.ts';
import { listsOf } from '../../../language/lists.ts';
import { isOtherPolicy } from './codes.ts';
import { askedLabels, endsAnswer } from './dialogue.ts';
import { isCode, type Label } from './labels.ts';
import { type Candidate, LABELLED, NUMBER_RULES, type NumberRule } from './number-rules.ts';
import { readingsAfter } from './read-out.ts';
import type { Found, LabelMatch, Reading } from './reading.ts';

const list = listsOf('engines/text/redact/data/numbers.tsv');

/** Longest number that is anything here: a national account number of an IBAN. */
const DIGITS_MAX = 24;
const TOKENS_MAX = DIGITS_MAX;
/** Shorter numbers mean nothing without a label, and shorter ones still nothing at all. */
const BARE_DIGITS_MIN = 8;
const LABELLED_DIGITS_MIN = 3;
/** An order number is one when its label stands this near. */
const ORDER_CHARS = 25;
const ORDER_WORDS = 3;
/** A label after the number must follow at once: `0501234567 جوالي`, `4471 is my code`. */
const RIGHT_CHARS = 16;
/** Beside its label a value is surely what the label says. */
const ADJACENT_CHARS = 12;

const JOINT = /^[ \-._/()|~*'·+]{1,3}$/;
const LOOSE_JOINT = /^[ \-._/()|~*'·+,:\n]{1,3}$/;
const SPOKEN_JOINT = /^[\s,.-]{0,3}$/;

/** Consecutive digit tokens from `first` to `last` read as one number. */
interface Window extends Candidate {
  readonly first: number;
  readonly last: number;
  /** Only commas, colons or line ends join some of them: a label has to vouch for it. */
  readonly loose: boolean;
  /** No further digits are joined to it left or right in the same way. */
  readonly whole: boolean;
}

/** Numbers that are an identifier by check digit, by shape, or by the words beside them. */
export function findNumbers(reading: Reading): Found[] {
  const found: Found[] = [];
  const { tokens } = reading;
  const joints = tokens.map((_, index) => jointBefore(reading, index));
  for (let first = 0; first < tokens.length; first += 1) {
    if (tokens[first]!.type !== 'digits') continue;
    const labels = reading.labels.length === 0 ? [] : reading.labelsLeft(first);
    for (const window of windowsFrom(reading, first, joints)) {
      const money = reading.figures.isBlocked(tokens[first]!.start, tokens[window.last]!.end);
      const finding = judge(reading, window, labels, money);
      if (finding !== undefined) found.push(finding);
    }
  }
  return found;
}

function judge(reading: Reading, window: Window, labels: readonly LabelMatch[], money: boolean): Found | undefined {
  const labelled = byLabel(reading, window, labels, money);
  const order = isOrderNumber(reading, window.first, labels);
  const bare = window.loose || (money && window.first !== window.last) ? undefined : byShape(window, money);
  if (bare !== undefined && !order && bare.score >= (labelled?.score ?? 0))
    return place(reading, window, bare.rule, bare.score);
  if (labelled !== undefined) return place(reading, window, labelled.rule, labelled.score);
  if (bare?.rule.strong === true && order) {
    return { ...place(reading, window, bare.rule, 0.4), flagged: true };
  }
  return undefined;
}

function place(reading: Reading, window: Window, rule: NumberRule, score: number): Found {
  let start = reading.tokens[window.first]!.start;
  const before = reading.lower.charAt(start - 1);
  if (window.plus || (before === '(' && reading.lower.slice(start, reading.tokens[window.last]!.end).includes(')')))
    start -= 1;
  const end = reading.tokens[window.last]!.end;
  return reading.found(rule.kind, start, end, score, window.digits);
}

interface Verdict {
  readonly rule: NumberRule;
  readonly score: number;
}

function byShape(window: Window, money: boolean): Verdict | undefined {
  const length = window.digits.length;
  for (const rule of NUMBER_RULES) {
    if (rule.bare === undefined || length < rule.digitsMin || length > rule.digitsMax) continue;
    if (money && rule.strong !== true) continue;
    if (!rule.bare.test(window)) continue;
    if (!window.whole && !mayStandInside(window)) continue;
    return { rule, score: rule.bare.score };
  }
  return undefined;
}

/** Inside a longer row of numbers: written in groups, not digit by digit, where ten of any twelve would do. */
function mayStandInside(window: Window): boolean {
  const groups = window.last - window.first + 1;
  return groups <= 5 && window.digits.length >= 2 * groups;
}

/** The nearest label that fits decides; a label belongs to the first number after it unless check digits say otherwise. */
function byLabel(reading: Reading, window: Window, labels: readonly LabelMatch[], money: boolean): Verdict | undefined {
  if (money && !passesCheck(window.digits)) return undefined;
  const start = reading.tokens[window.first]!.start;
  for (const label of labels) {
    const distance = start - reading.tokens[label.last]!.end;
    const own = reading.noValueBetween(label.last, window.first);
    if (label.meaning === 'policy' && isOtherPolicy(reading, label)) return undefined;
    if (label.meaning === 'order' && isWhere(reading, label, labels)) continue;
    if (label.meaning === 'order' && own && distance <= ORDER_CHARS && !isPurpose(reading, label, labels))
      return undefined;
    if (isCode(label.meaning) && isNamedCode(reading, label, window)) return undefined;
    if (!own && !passesCheck(window.digits)) return undefined;
    if (isNumberOf(reading, label, labels)) continue;
    const verdict = fits(window, label.meaning, distance);
    if (verdict !== undefined) return verdict;
  }
  if (labels.some((label) => LABELLED.has(label.meaning) || label.meaning === 'order')) return undefined;
  for (const label of reading.labelsRight(window.last, RIGHT_CHARS)) {
    if (label.meaning === 'order') return undefined;
    if (!reading.noValueBetween(window.last, label.first) || labelHasOwnNumber(reading, label)) continue;
    const verdict = window.digits.length < 4 ? undefined : fits(window, label.meaning, RIGHT_CHARS);
    if (verdict !== undefined) return { rule: verdict.rule, score: verdict.score - 0.1 };
  }
  return money ? undefined : byQuestion(reading, window);
}

/** `And the code? - It's 4821.` */
function byQuestion(reading: Reading, window: Window): Verdict | undefined {
  if (!window.whole || !endsAnswer(reading, window.last)) return undefined;
  for (const label of askedLabels(reading, window.first)) {
    if (label.meaning === 'order') return undefined;
    const verdict = fits(window, label.meaning, ADJACENT_CHARS);
    if (verdict !== undefined) return { rule: verdict.rule, score: 0.7 };
  }
  return undefined;
}

/** `الرخصة حقتي رقمها 4082937465`: the number of what was named before, and no phone. */
function isNumberOf(reading: Reading, label: LabelMatch, labels: readonly LabelMatch[]): boolean {
  if (label.meaning !== 'phone' || !/^و?رقمه(?:ا|م)?$/.test(reading.tokens[label.last]!.text)) return false;
  if (labels.some(({ last, meaning }) => last < label.first && meaning !== 'phone' && LABELLED.has(meaning)))
    return true;
  return askedLabels(reading, label.first)[0]?.meaning === 'order'; // `وصلكم الطلب؟ رقمه 4471882`
}

/** `رمز التحقق لعملية الشراء 483920`: what the code is for. */
function isPurpose(reading: Reading, order: LabelMatch, labels: readonly LabelMatch[]): boolean {
  return labels.some(({ last, meaning }) => {
    if (last !== order.first - 1 || (!isCode(meaning) && meaning !== 'password')) return false;
    return /^(?:ل|for$|to$)/.test(reading.tokens[order.first]!.text);
  });
}

/** `كود المندوب 4411`, `code review on PR 4412`: a code that the next word names. */
function isNamedCode(reading: Reading, label: LabelMatch, window: Window): boolean {
  const { tokens } = reading;
  if (window.first <= label.last + 1) return false;
  if (tokens[label.last + 1]!.text === 'of' && tokens[label.last + 2]!.text !== 'my') return true;
  if (label.first !== label.last) return false;
  const word = tokens[label.last + 1]!.text;
  if (word.charCodeAt(0) >= 0x600) return word.startsWith('ال') && !CODE_WORDS.has(word) && !/^ال(?:لي|ي)$/.test(word);
  return /^[a-z]/.test(tokens[label.last]!.text) && !CODE_WORDS.has(word);
}

const CODE_WORDS: ReadonlySet<string> = new Set(list('code-words'));

/** `12 رقم هويتي 1956735201`: the label looks to its right first. */
function labelHasOwnNumber(reading: Reading, label: LabelMatch): boolean {
  const end = reading.tokens[label.last]!.end;
  if (reading.placeholderAfter(label.last, ADJACENT_CHARS)) return true;
  for (let at = label.last + 1; at < reading.tokens.length && at <= label.last + ORDER_WORDS; at += 1) {
    const token = reading.tokens[at]!;
    if (token.start - end > ADJACENT_CHARS) return false;
    if (token.type === 'digits') return true;
  }
  return false;
}

function fits(window: Window, label: Label, distance: number): Verdict | undefined {
  const length = window.digits.length;
  for (const rule of NUMBER_RULES) {
    if (!rule.labels.includes(label) || length < rule.digitsMin || length > rule.digitsMax) continue;
    if (rule.shape !== undefined && !rule.shape(window)) continue;
    if (rule.reachChars !== undefined && distance > rule.reachChars) continue;
    // The number of a driving licence is mostly the holder's ID.
    if (label === 'licence' && rule.strong === true && !passesCheck(window.digits)) continue;
    if (!window.whole && (rule.strong !== true || !passesCheck(window.digits))) continue;
    if (rule.kind === 'Phone Number' && passesCheck(window.digits)) return { rule, score: 0.6 };
    if (rule.strong === true && passesCheck(window.digits)) return { rule, score: 1 };
    return { rule, score: distance <= ADJACENT_CHARS ? 0.95 : 0.7 };
  }
  return undefined;
}

function passesCheck(digits: string): boolean {
  if (digits.length === 10) return /^[12]/.test(digits) && passesLuhn(digits);
  return digits.length >= 13 && isCardRange(digits) && passesLuhn(digits);
}

/** `the ID on the contract reads …`, `رقم الهوية المسجل في العقد`: where it stands, not whose number it is. */
function isWhere(reading: Reading, order: LabelMatch, labels: readonly LabelMatch[]): boolean {
  const { tokens } = reading;
  const named = labels.some(({ last, meaning }) => last < order.first && PERSONAL.has(meaning));
  if (!named) return false;
  const before = tokens[order.first - 1]?.text ?? '';
  if (OWNER.test(before) || OWNER.test(tokens[order.last + 1]?.text ?? '')) return true; // لصاحب العقد
  const word = before === 'the' || before === 'my' || before === 'this' ? tokens[order.first - 2]?.text : before;
  return WHERE.test(word ?? '');
}

const SENT_TO: ReadonlySet<string> = new Set(['علي', 'to', 'at']);
const OWNER = /^(?:[لو]?ل?(?:صاحب|صاحبه|مقدم|مقدمه|حامل)|holder|owner)$/;
const WHERE = /^(?:on|in|from|under|at|inside|في|على|علي)$/;
const PERSONAL: ReadonlySet<string> = new Set(['id', 'iqama', 'passport', 'card', 'iban', 'border']);

function isOrderNumber(reading: Reading, first: number, labels: readonly LabelMatch[]): boolean {
  const nearest = labels.find(
    (label) => LABELLED.has(label.meaning) || (label.meaning === 'order' && !isWhere(reading, label, labels)),
  );
  if (nearest === undefined || nearest.meaning !== 'order') return false;
  if (SENT_TO.has(reading.tokens[first - 1]?.text ?? '') && first - 1 > nearest.last) return false; // `الإيصال على 05…`
  const distance = reading.tokens[first]!.start - reading.tokens[nearest.last]!.end;
  return (
    distance <= ORDER_CHARS && first - nearest.last <= ORDER_WORDS + 1 && reading.noValueBetween(nearest.last, first)
  );
}

/** The readings of the digits from token `first` on that any rule could accept: without labels, by length and grouping. */
function windowsFrom(reading: Reading, first: number, joints: readonly Joint[]): Window[] {
  const { tokens } = reading;
  const labelled = reading.labels.length > 0;
  const windows: Window[] = [];
  const before = joints[first];
  const gaps: string[] = [];
  let readings: readonly string[] = [''];
  let piece = '';
  let loose = false;
  for (let last = first; last < tokens.length && last < first + TOKENS_MAX; last += 1) {
    const token = tokens[last]!;
    if (token.type !== 'digits') break;
    if (last > first) {
      const joint = joints[last];
      if (joint === undefined) break;
      gaps.push(gapBefore(reading, last));
      loose ||= joint === 'loose';
    }
    if (last > first && token.joined !== undefined) {
      readings = readingsAfter(readings, piece, token.joined);
      piece = '';
    }
    piece += token.text;
    readings = readings.map((digits) => digits + token.text).filter((digits) => digits.length <= DIGITS_MAX);
    if (readings.length === 0) break;
    if (loose && !labelled) continue;
    const fitting = readings.filter(({ length }) => length >= (labelled ? LABELLED_DIGITS_MIN : BARE_DIGITS_MIN));
    if (fitting.length === 0) continue;
    const spelled = fitting[0]!.length < 2 * (last - first + 1);
    const isPiece = tokens[first]!.joined !== undefined; // it may be a number by itself
    const joinedLeft = !isPiece && isJoined(before, gaps, reading.gapBefore(first), spelled);
    if (joinedLeft && spelled) break; // in the middle of a row of single digits
    const goesOn = tokens[last + 1]?.joined === undefined ? joints[last + 1] : undefined;
    const window = {
      first,
      last,
      plus: reading.lower.charAt(tokens[first]!.start - 1) === '+',
      loose: loose || (gaps.length === 1 && gaps[0] === '.'),
      americanGroups: isAmerican(reading, first, last),
      spoken: tokens[first]!.spoken === true,
      whole: !joinedLeft && !isJoined(goesOn, gaps, reading.gapBefore(last + 1), spelled),
    };
    for (const digits of fitting) windows.push({ ...window, digits });
  }
  return windows;
}

/** What joins a number to the one before it. */
const gapBefore = (reading: Reading, index: number): string =>
  reading.tokens[index]!.joined === undefined ? reading.gapBefore(index) : ' ';

/** How a number goes on from the one before it. */
type Joint = 'firm' | 'loose' | undefined;

/** Whether a neighbouring number belongs to the same row: joined, and by the same sign as inside the window. */
function isJoined(joint: Joint, gaps: readonly string[], gap: string, spelled: boolean): boolean {
  if (joint === undefined) return false;
  if (gaps.length === 0) return joint === 'firm' && gap !== ' ' && !spelled;
  return gaps.includes(gap) || (spelled && joint === 'firm');
}

function jointBefore(reading: Reading, index: number): Joint {
  const previous = reading.tokens[index - 1];
  const token = reading.tokens[index];
  if (previous?.type !== 'digits' || token?.type !== 'digits') return undefined;
  if (token.joined !== undefined) return 'firm';
  const gap = reading.gapBefore(index);
  if (JOINT.test(gap)) return 'firm';
  if (previous.spoken === true && token.spoken === true && SPOKEN_JOINT.test(gap)) return 'firm';
  return LOOSE_JOINT.test(gap) ? 'loose' : undefined;
}

function isAmerican(reading: Reading, first: number, last: number): boolean {
  if (last - first !== 2) return false;
  const lengths = [0, 1, 2].map((offset) => reading.tokens[first + offset]!.text.length).join();
  if (
    lengths !== '3,3,4' ||
    /[-.][0-9]/.test(reading.lower.slice(reading.tokens[last]!.end, reading.tokens[last]!.end + 2))
  )
    return false;
  return /[)-]/.test(reading.gapBefore(first + 1)) && reading.gapBefore(last).includes('-');
}
