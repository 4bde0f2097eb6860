import { foldWord } from '../../../language/fold-word.ts';
import { bridgeFrom, isCounted } from './read-out.ts';
import type { Bridge, Token } from './tokens.ts';

/** Fewer digits in a row than this are a quantity in a sentence, not something read out (a card's security code has 3). */
const SPOKEN_DIGITS_MIN = 3;
/** Hundreds (`خمسمية وخمسة وخمسين`) are amounts in shorter runs: nobody reads out less than a phone number in them. */
const WITH_HUNDREDS_MIN = 7;
/** What may stand between two spoken digits: `five, six`, `خمسة - ستة`. */
const GAP = /^[\s,.-]{0,3}$/;

const UNITS = new Map<string, string>();
const TENS = new Map<string, string>();
const REPEATS = new Map<string, number>();

function enter(table: Map<string, string>, rows: readonly (readonly [string, string])[]): void {
  for (const [digits, words] of rows) for (const word of words.split(' ')) table.set(foldWord(word), digits);
}

enter(UNITS, [
  ['0', 'zero oh o nought naught صفر زيرو'],
  ['1', 'one واحد واحدة وحدة وحده'],
  ['2', 'two اثنين اثنان ثنين اتنين اثنتين اثنتان ثنتين تنين إثنين'],
  ['3', 'three ثلاثة ثلاث تلاتة تلات ثلاثه'],
  ['4', 'four أربعة أربع اربعة'],
  ['5', 'five خمسة خمس'],
  ['6', 'six ستة ست'],
  ['7', 'seven سبعة سبع'],
  ['8', 'eight ثمانية ثمان ثماني تمانية تمنية ثمنية'],
  ['9', 'nine تسعة تسع niner'],
  ['00', 'صفرين'],
  ['11', 'واحدين'],
  ['33', 'ثلاثتين'],
  ['44', 'أربعتين'],
  ['55', 'خمستين'],
  ['66', 'ستتين'],
  ['77', 'سبعتين'],
  ['88', 'ثمانيتين'],
  ['99', 'تسعتين'],
  ['10', 'ten عشرة'],
  ['11', 'eleven أحدعش احدعش حدعش إحدعش'],
  ['12', 'twelve اثنعش اطنعش ثنعش'],
  ['13', 'thirteen ثلطعش ثلاطعش'],
  ['14', 'fourteen أربعطعش'],
  ['15', 'fifteen خمسطعش'],
  ['16', 'sixteen سطعش ستطعش'],
  ['17', 'seventeen سبعطعش'],
  ['18', 'eighteen ثمنطعش ثمانطعش'],
  ['19', 'nineteen تسعطعش'],
]);
enter(TENS, [
  ['2', 'twenty عشرين عشرون'],
  ['3', 'thirty ثلاثين ثلاثون تلاتين'],
  ['4', 'forty أربعين أربعون'],
  ['5', 'fifty خمسين خمسون'],
  ['6', 'sixty ستين ستون'],
  ['7', 'seventy سبعين سبعون'],
  ['8', 'eighty ثمانين ثمانون تمانين'],
  ['9', 'ninety تسعين تسعون'],
]);
const HUNDREDS = new Map<string, string>();
enter(HUNDREDS, [
  ['1', 'مية مئة مائة ميه'],
  ['2', 'ميتين مئتين مئتان مايتين متين'],
  ['3', 'ثلاثمية ثلاثمئة ثلاثمائة ثلثمية تلتمية'],
  ['4', 'أربعمية أربعمئة أربعمائة ربعمية'],
  ['5', 'خمسمية خمسمئة خمسمائة'],
  ['6', 'ستمية ستمئة ستمائة'],
  ['7', 'سبعمية سبعمئة سبعمائة'],
  ['8', 'ثمانمية ثمانمئة ثمانمائة ثمنمية تمنمية'],
  ['9', 'تسعمية تسعمئة تسعمائة'],
]);
for (const [word, times] of [
  ['double', 2],
  ['triple', 3],
  ['treble', 3],
  ['دبل', 2],
  ['تربل', 3],
] as const)
  REPEATS.set(word, times);
/** `ثلاثة عشر` */
const TEEN_WORD = foldWord('عشر');
const ZEROS_WORD = foldWord('أصفار');
/** How often the digit beside them is said: `ثلاث مرات صفر`, `three times zero`, `خمسة مكرر`. */
const TIMES_WORDS = new Set(['مرات', 'times']);
const TWICE = new Set(['مرتين', 'twice']);
const REPEATED = new Set(['مكرر', 'مكرره', 'مكررتين']);

/** One or more digits said with the tokens from an index up to `next`. */
interface Said {
  readonly digits: string;
  readonly next: number;
  readonly hundreds?: true;
}

/**
 * The tokens with runs of spoken digits turned into digit tokens of the same place: `صفر خمسة خمسة`, `double five`,
 * `خمسة وخمسين`, `twenty nine`, `خمسمية وواحد`. Shorter runs stay words.
 */
export function withSpokenDigits(lower: string, tokens: readonly Token[]): readonly Token[] {
  let result: Token[] | undefined; // copied at the first run: most texts have none
  let index = 0;
  while (index < tokens.length) {
    const run = saidRun(lower, tokens, index);
    const spoken = run.reduce((sum, said) => sum + said.token.text.length, 0);
    const least = run.some(({ hundreds }) => hundreds) ? WITH_HUNDREDS_MIN : SPOKEN_DIGITS_MIN;
    if (spoken >= least) {
      result ??= tokens.slice(0, index);
      for (const said of run) result.push(said.token);
      index = run[run.length - 1]!.next;
    } else {
      const next = run.length > 0 ? run[run.length - 1]!.next : index + 1;
      if (result !== undefined) for (let at = index; at < next; at += 1) result.push(tokens[at]!);
      index = next;
    }
  }
  return withJoined(lower, result ?? tokens);
}

/** Written numbers, and those beside spoken ones, that one number was read out in: `055 um 123 4567`. */
function withJoined(lower: string, tokens: readonly Token[]): readonly Token[] {
  let result: Token[] | undefined;
  let index = 0;
  const isDigit = (at: number): boolean => tokens[at]!.type === 'digits';
  while (index < tokens.length) {
    const token = tokens[index]!;
    const bridge =
      token.type === 'digits' && tokens[index + 1]?.type === 'word'
        ? bridgeFrom(lower, tokens, index + 1, isDigit, true)
        : undefined;
    if (bridge) result ??= tokens.slice(0, index);
    // What goes on was put there with its bridge.
    if (result && result.at(-1)?.start !== token.start) result.push(token);
    if (bridge && result) result.push({ ...tokens[bridge.next]!, joined: bridge.kind });
    index = bridge ? bridge.next : index + 1;
  }
  return result ?? tokens;
}

interface SaidToken {
  readonly token: Token;
  readonly next: number;
  readonly hundreds: boolean;
}

function saidRun(lower: string, tokens: readonly Token[], from: number): SaidToken[] {
  const run: SaidToken[] = [];
  let at = from;
  for (;;) {
    const isNext =
      run.length === 0 || GAP.test(lower.slice(tokens[at - 1]!.end, tokens[at]?.start ?? Number.POSITIVE_INFINITY));
    let said = isNext ? saidAt(lower, tokens, at) : undefined;
    let joined: Bridge | undefined;
    if (said === undefined && run.length > 0 && at < tokens.length) {
      // Hundreds one after the other are amounts: what joins those is hesitation alone.
      const amounts = run.some(({ hundreds }) => hundreds);
      const bridge = bridgeFrom(lower, tokens, at, (next) => saidAt(lower, tokens, next) !== undefined, amounts);
      if (bridge === undefined) break;
      at = bridge.next;
      joined = bridge.kind;
      said = saidAt(lower, tokens, at);
    }
    if (said === undefined) break;
    // `four three one minute`: the last is so many of what follows.
    if (run.length > 0 && said.digits.length === 1 && isCounted(tokens[said.next]?.text ?? '')) break;
    const first = tokens[at]!;
    const end = tokens[said.next - 1]!.end;
    run.push({
      token: {
        type: 'digits',
        start: first.start,
        end,
        text: said.digits,
        spoken: true,
        sentence: first.sentence,
        ...(joined && { joined }),
      },
      next: said.next,
      hundreds: said.hundreds === true,
    });
    at = said.next;
  }
  return run;
}

/** Words that digits begin with: nearly every word of a text is told from them at one look. */
const BEGINNINGS: ReadonlySet<string> = new Set(
  [UNITS, TENS, HUNDREDS, REPEATS, TWICE].flatMap((table) => [...table.keys()]),
);
const mayBegin = (word: string): boolean =>
  BEGINNINGS.has(word) || (word.startsWith('و') && BEGINNINGS.has(word.slice(1)));

/** One or more digits said with the words from token `at` on. */
export function saidAt(lower: string, tokens: readonly Token[], at: number): Said | undefined {
  const token = tokens[at];
  if (token === undefined || token.type !== 'word' || !mayBegin(token.text)) return undefined;
  const times = REPEATS.get(token.text);
  if (times !== undefined) {
    const digit = unitOf(wordAt(lower, tokens, at + 1));
    return digit === undefined || digit.length > 1 ? undefined : { digits: digit.repeat(times), next: at + 2 };
  }
  const hundred = hundredOf(token.text);
  if (hundred !== undefined) return withHundred(lower, tokens, at + 1, hundred);
  const spelledHundred = unitOf(token.text);
  if (spelledHundred?.length === 1 && wordAt(lower, tokens, at + 1) === 'hundred')
    return withHundred(lower, tokens, at + 2, spelledHundred);
  const ten = TENS.get(token.text);
  if (ten !== undefined) {
    const unit = token.text.charCodeAt(0) < 0x600 ? unitOf(wordAt(lower, tokens, at + 1)) : undefined;
    return unit === undefined || unit.length > 1 || unit === '0'
      ? { digits: `${ten}0`, next: at + 1 }
      : { digits: ten + unit, next: at + 2 };
  }
  if (TWICE.has(token.text)) return repeated(wordAt(lower, tokens, at + 1), 2, at + 2);
  const unit = unitOf(token.text);
  if (unit === undefined) return undefined;
  const following = wordAt(lower, tokens, at + 1);
  if (TIMES_WORDS.has(following)) return repeated(wordAt(lower, tokens, at + 2), Number(unit), at + 3);
  if (REPEATED.has(following)) return repeated(token.text, 2, at + 2);
  const timesAfter = unitOf(following);
  if (
    timesAfter !== undefined &&
    TIMES_WORDS.has(wordAt(lower, tokens, at + 2)) &&
    unitOf(wordAt(lower, tokens, at + 3)) === undefined
  )
    return repeated(token.text, Number(timesAfter), at + 3);
  if (following === ZEROS_WORD && Number(unit) >= 3) return { digits: '0'.repeat(Number(unit)), next: at + 2 };
  if (following === TEEN_WORD && unit.length === 1 && unit !== '0') return { digits: `1${unit}`, next: at + 2 };
  const compound = following.startsWith('و') ? TENS.get(following.slice(1)) : undefined;
  if (compound !== undefined && unit.length === 1) return { digits: compound + unit, next: at + 2 };
  return { digits: unit, next: at + 1 };
}

const REPEATS_MAX = 6;

function repeated(word: string, times: number, next: number): Said | undefined {
  const digit = unitOf(word);
  if (digit?.length !== 1 || times > REPEATS_MAX || times < 2) return undefined;
  return { digits: digit.repeat(times), next };
}

function hundredOf(word: string): string | undefined {
  return HUNDREDS.get(word) ?? (word.startsWith('و') ? HUNDREDS.get(word.slice(1)) : undefined);
}

/** The hundred with what is added to it by `و` or `and`: three digits. */
function withHundred(lower: string, tokens: readonly Token[], next: number, hundred: string): Said {
  const word = wordAt(lower, tokens, next);
  const at = word === 'and' ? next + 1 : next;
  const added =
    word === 'and' ? wordAt(lower, tokens, at) : word.startsWith('و') && !UNITS.has(word) ? word.slice(1) : '';
  const unit = UNITS.get(added);
  const ten = TENS.get(added);
  const latinUnit = ten !== undefined && word === 'and' ? unitOf(wordAt(lower, tokens, at + 1)) : undefined;
  if (latinUnit?.length === 1) return { digits: hundred + ten + latinUnit, next: at + 2, hundreds: true };
  if (ten !== undefined) return { digits: `${hundred}${ten}0`, next: at + 1, hundreds: true };
  if (unit === undefined) return { digits: `${hundred}00`, next, hundreds: true };
  if (unit.length === 2) return { digits: hundred + unit, next: at + 1, hundreds: true };
  const tens = wordAt(lower, tokens, at + 1);
  if (tens === TEEN_WORD) return { digits: `${hundred}1${unit}`, next: at + 2, hundreds: true };
  const compound = tens.startsWith('و') ? TENS.get(tens.slice(1)) : undefined;
  return compound === undefined
    ? { digits: `${hundred}0${unit}`, next: at + 1, hundreds: true }
    : { digits: hundred + compound + unit, next: at + 2, hundreds: true };
}

/** `وخمسة` (and five) counts as five; `واحد` is itself. */
function unitOf(word: string): string | undefined {
  return UNITS.get(word) ?? (word.startsWith('و') ? UNITS.get(word.slice(1)) : undefined);
}

function wordAt(lower: string, tokens: readonly Token[], at: number): string {
  const token = tokens[at];
  if (token === undefined || token.type !== 'word') return '';
  return GAP.test(lower.slice(tokens[at - 1]!.end, token.start)) ? token.text : '';
}
