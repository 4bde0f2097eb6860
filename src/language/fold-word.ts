import { LETTER_VARIANTS } from './letter-variants.ts';

const FIRST_ARABIC = 0x620;
const LAST_MARK = 0x671;
const TATWEEL = 0x640;
/**
 * A word as tables compare it: lower case, without diacritics and tatweel, one spelling for the letters callers mix
 * (أ إ آ -> ا, ى -> ي, ة -> ه, ؤ -> و, ئ -> ي). Never shown or spoken.
 */
export function foldWord(word: string): string {
  const changed = firstToFold(word);
  if (changed === word.length) return word;
  let folded = word.slice(0, changed);
  for (let at = changed; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if (code < FIRST_ARABIC || code > LAST_MARK) folded += word[at];
    else if (!isMark(code)) folded += LETTER_VARIANTS.get(word[at]!) ?? word[at];
  }
  return folded.toLowerCase();
}

/** Where the first character stands that is not folded already. */
function firstToFold(word: string): number {
  let at = 0;
  while (at < word.length && isFolded(word.charCodeAt(at))) at += 1;
  return at;
}

/** Small Latin letters, and ب to ي without the letters that have variants, marks and tatweel. */
function isFolded(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    code === ALEF ||
    (code >= BEH && code <= YEH && code !== TEH_MARBUTA && !isAfterGhain(code))
  );
}

const ALEF = 0x627;
const BEH = 0x628;
const TEH_MARBUTA = 0x629;
const YEH = 0x64a;
const ALEF_MAKSURA = 0x649;

/** The rare letters and the tatweel between غ and ف, and ى. */
function isAfterGhain(code: number): boolean {
  return (code > 0x63a && code < 0x641) || code === ALEF_MAKSURA;
}

/** Vowel signs, the small alif above, and the stroke that lengthens a word. */
function isMark(code: number): boolean {
  return (code >= 0x64b && code <= 0x652) || code === 0x670 || code === TATWEEL;
}

/** Words, or space separated lists of them, folded. */
export function foldedSet(...lists: readonly string[]): ReadonlySet<string> {
  const words = lists.join(' ').split(/\s+/u);
  return new Set(words.filter((word) => word !== '').map(foldWord));
}
