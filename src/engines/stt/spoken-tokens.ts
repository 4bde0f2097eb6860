/**
 * Words of a grammar that stand for something else than their letters: digits, numbers, letters, filler. They carry a
 * mark (`~d4`), so that what the decoder returns tells by which rule a word was heard.
 *
 *   ~d4 digit four of a digit string   ~do oh   ~dd double   ~dt triple   ~dh hundred   ~dp plus
 *   ~n40 forty of a cardinal number    ~nh hundred  ~nk thousand ~nm million
 *   ~s.a the letter a    ~w.pm a word spoken unlike it is written    ~p.ah filler phone
 */
const UNITS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

export const UNIT_VALUES = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export const TEEN_VALUES = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19] as const;
export const TENS_VALUES = [20, 30, 40, 50, 60, 70, 80, 90] as const;

/** `7` -> `seven`, `40` -> `forty`; 0..20 and full tens only. */
export function numberWord(value: number): string {
  if (value < 10) return UNITS[value] ?? '';
  if (value < 20) return TEENS[value - 10] ?? '';
  return TENS[value / 10 - 2] ?? '';
}

/** `47` -> `forty seven`, `305` -> `three hundred five`: how a number in an agent's phrase is said. 0..999. */
export function numberWords(value: number): string[] {
  if (value >= 100) {
    const rest = value % 100;
    return [numberWord(Math.floor(value / 100)), 'hundred', ...(rest === 0 ? [] : numberWords(rest))];
  }
  if (value < 20 || value % 10 === 0) return [numberWord(value)];
  return [numberWord(value - (value % 10)), numberWord(value % 10)];
}

/** `zero` to `nine`. */
export const DIGIT_WORDS: ReadonlySet<string> = new Set(UNITS);

/** The dictionary word that sounds like a marked digit or number token; undefined for other tokens. */
export function spokenAs(token: string): string | undefined {
  const named = SPOKEN[token];
  if (named !== undefined) return named;
  const value = /^~[dn](\d+)$/.exec(token)?.[1];
  return value === undefined ? undefined : numberWord(Number(value));
}
const SPOKEN: Readonly<Record<string, string>> = {
  '~do': 'oh', '~dd': 'double', '~dt': 'triple', '~dh': 'hundred', '~dp': 'plus', '~nh': 'hundred', '~nk': 'thousand', '~nm': 'million',
}; // biome-ignore format: a table

export const isFiller = (token: string): boolean => token.startsWith('~p.');

/**
 * What was said, from the decoder's tokens: digit strings and numbers in digits (`one two double three` said as digits:
 * `1233`; `forty two` said as a number: `42`), spelled letters as one word, everything else as spoken.
 */
export function spokenText(tokens: readonly string[]): string {
  const out: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const kind = /^~([dns])/.exec(tokens[at] ?? '')?.[1];
    if (kind === undefined) {
      const token = tokens[at] ?? '';
      if (!isFiller(token)) out.push(token.startsWith('~w.') ? token.slice(3) : token);
      at += 1;
      continue;
    }
    let end = at;
    while (end < tokens.length && (tokens[end] ?? '').startsWith(`~${kind}`)) end += 1;
    const run = tokens.slice(at, end).map((token) => (token === '~do' ? '0' : token.slice(2)));
    out.push(kind === 'd' ? digitString(run) : kind === 'n' ? String(cardinal(run)) : spelled(run));
    at = end;
  }
  return out.join(' ').trim();
}

/** `['4','d','5','20','1']` (four, double five, twenty one) -> `45521`. */
function digitString(run: readonly string[]): string {
  let digits = '';
  let repeat = 1;
  let openTens: number | undefined; // a full ten that a unit may still join
  const closeTens = (): void => {
    if (openTens !== undefined) digits += String(openTens);
    openTens = undefined;
  };
  for (const item of run) {
    const value = Number(item);
    if (Number.isNaN(value)) {
      closeTens();
      if (item === 'd') repeat = 2;
      else if (item === 't') repeat = 3;
      else digits += item === 'p' ? '+' : '00';
    } else if (value >= 20) {
      closeTens();
      openTens = value;
    } else if (openTens !== undefined && value >= 1 && value <= 9) {
      digits += String(openTens + value);
      openTens = undefined;
    } else {
      closeTens();
      digits += String(value).repeat(repeat);
      repeat = 1;
    }
  }
  closeTens();
  return digits;
}

/** `['2','h','40','2']` -> 242. */
function cardinal(run: readonly string[]): number {
  let total = 0;
  let group = 0;
  for (const item of run) {
    if (item === 'h') group = Math.max(1, group) * 100;
    else if (item === 'k' || item === 'm') {
      total += Math.max(1, group) * (item === 'k' ? 1000 : 1_000_000);
      group = 0;
    } else group += Number(item);
  }
  return total + group;
}

/** `['.a','.l','.i']` -> `Ali`; a letter alone stays a capital. */
function spelled(run: readonly string[]): string {
  const word = run.map((item) => item.slice(1)).join('');
  return word.charAt(0).toUpperCase() + word.slice(1);
}
