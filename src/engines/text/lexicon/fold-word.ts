const MARKS = /[\u064b-\u0652\u0670\u0640]/g;
const VARIANTS = /[أإآٱىةؤئ]/g;
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
  const bare = word.replace(MARKS, '').replace(VARIANTS, (letter) => VARIANT_OF[letter] ?? letter);
  return bare.toLowerCase();
}

/** The words of a space separated list, folded. */
export function foldedSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(/\s+/u).filter((word) => word !== '')).map(foldWord));
}
