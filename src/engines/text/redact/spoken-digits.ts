import { foldWord } from '../lexicon/fold-word.ts';
import type { Token } from './tokens.ts';

/** Fewer digits in a row than this are a quantity in a sentence, not something read out (a card's security code has 3). */
const SPOKEN_DIGITS_MIN = 3;
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
for (const [word, times] of [
  ['double', 2],
  ['triple', 3],
  ['treble', 3],
  ['دبل', 2],
  ['تربل', 3],
] as const)
  REPEATS.set(word, times);
const ZEROS_WORD = foldWord('أصفار');

/** One or more digits said with the tokens from an index up to `next`. */
interface Said {
  readonly digits: string;
  readonly next: number;
}

/**
 * The tokens with runs of spoken digits turned into digit tokens of the same place: `صفر خمسة خمسة`, `double five`,
 * `خمسة وخمسين`, `twenty nine`. Shorter runs stay words.
 */
export function withSpokenDigits(lower: string, tokens: readonly Token[]): readonly Token[] {
  let result: Token[] | undefined; // copied at the first run: most texts have none
  let index = 0;
  while (index < tokens.length) {
    const run = saidRun(lower, tokens, index);
    const spoken = run.reduce((sum, said) => sum + said.token.text.length, 0);
    if (spoken >= SPOKEN_DIGITS_MIN) {
      result ??= tokens.slice(0, index);
      for (const said of run) result.push(said.token);
      index = run[run.length - 1]!.next;
    } else {
      const next = run.length > 0 ? run[run.length - 1]!.next : index + 1;
      if (result !== undefined) for (let at = index; at < next; at += 1) result.push(tokens[at]!);
      index = next;
    }
  }
  return result ?? tokens;
}

function saidRun(lower: string, tokens: readonly Token[], from: number): { token: Token; next: number }[] {
  const run: { token: Token; next: number }[] = [];
  let at = from;
  for (;;) {
    if (run.length > 0 && !GAP.test(lower.slice(tokens[at - 1]!.end, tokens[at]?.start ?? Number.POSITIVE_INFINITY)))
      break;
    const said = saidAt(lower, tokens, at);
    if (said === undefined) break;
    const first = tokens[at]!;
    const end = tokens[said.next - 1]!.end;
    run.push({
      token: { type: 'digits', start: first.start, end, text: said.digits, spoken: true, sentence: first.sentence },
      next: said.next,
    });
    at = said.next;
  }
  return run;
}

function saidAt(lower: string, tokens: readonly Token[], at: number): Said | undefined {
  const token = tokens[at];
  if (token === undefined || token.type !== 'word') return undefined;
  const times = REPEATS.get(token.text);
  if (times !== undefined) {
    const digit = unitOf(wordAt(lower, tokens, at + 1));
    return digit === undefined || digit.length > 1 ? undefined : { digits: digit.repeat(times), next: at + 2 };
  }
  const ten = TENS.get(token.text);
  if (ten !== undefined) {
    const unit = token.text.charCodeAt(0) < 0x600 ? unitOf(wordAt(lower, tokens, at + 1)) : undefined;
    return unit === undefined || unit.length > 1 || unit === '0'
      ? { digits: `${ten}0`, next: at + 1 }
      : { digits: ten + unit, next: at + 2 };
  }
  const unit = unitOf(token.text);
  if (unit === undefined) return undefined;
  const following = wordAt(lower, tokens, at + 1);
  if (following === ZEROS_WORD && Number(unit) >= 3) return { digits: '0'.repeat(Number(unit)), next: at + 2 };
  const compound = following.startsWith('و') ? TENS.get(following.slice(1)) : undefined;
  if (compound !== undefined && unit.length === 1) return { digits: compound + unit, next: at + 2 };
  return { digits: unit, next: at + 1 };
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
