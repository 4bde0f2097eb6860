const FIRST_ARABIC = 0x620;
const LAST_MARK = 0x671;
const TATWEEL = 0x640;
const VARIANT_OF: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  ؤ: 'و',
  ئ: 'ي',
};

/**
 * A word as tables compare it: lower case, without diacritics and tatweel, one spelling for the letters callers mix
 * (أ إ آ -> ا, ى -> ي, ة -> ه, ؤ -> و, ئ -> ي). Never shown or spoken.
 */
export function foldWord(word: string): string {
  let folded = '';
  for (let at = 0; at < word.length; at += 1) {
    const code = word.charCodeAt(at);
    if (code < FIRST_ARABIC || code > LAST_MARK) folded += word[at];
    else if (!isMark(code)) folded += VARIANT_OF[word[at]!] ?? word[at];
  }
  return folded.toLowerCase();
}

/** Vowel signs, the small alif above, and the stroke that lengthens a word. */
function isMark(code: number): boolean {
  return (code >= 0x64b && code <= 0x652) || code === 0x670 || code === TATWEEL;
}

/** The words of a space separated list, folded. */
export function foldedSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(/\s+/u).filter((word) => word !== '')).map(foldWord));
}
