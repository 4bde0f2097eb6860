/** Endings and what stands for them, longest first; at least three letters stay. */
const ENDINGS: readonly (readonly [string, string])[] = [
  ['ations', 'at'],
  ['ation', 'at'],
  ['ings', ''],
  ['ing', ''],
  ['ies', 'y'],
  ['ied', 'y'],
  ['ments', ''],
  ['ment', ''],
  ['ed', ''],
  ['es', ''],
  ['s', ''],
  ['ly', ''],
  ['e', ''],
];

/** A light stem of one folded English word: it need not be a word, only the same for `cancel`, `cancelled`, `cancelling`. */
export function englishStem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word;
  for (const [suffix, replacement] of ENDINGS) {
    if (!word.endsWith(suffix)) continue;
    const rest = word.slice(0, -suffix.length);
    if (rest.length < 3 || (suffix === 's' && rest.endsWith('s'))) continue;
    // cancelled, cancelling, stopped: the doubled consonant belongs to the ending.
    const single = /^(?:ed|ing|ings)$/.test(suffix) ? rest.replace(/([bdglmnprt])\1$/, '$1') : rest;
    return single.replace(/e$/, '') + replacement;
  }
  return word;
}

/** Spellings of Britain and America, for words and all that is made of them. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [
    /^((?:un|dis|en)?(?:harb|lab|col|neighb|hon|fav|behavi|arm|rum|vap|flav|hum|od|vig|parl|savi|endeav|glam|ferv|ranc|val|cand))our/,
    '$1or',
  ],
  [/^(cent|theat|met|fib|lit|mill?imet|centimet|kilomet|spect|sab|lust|meag)re(?=s?$)/, '$1er'],
  [/(?<=[a-z]{3})is(e[sdr]?|ing|ation|ations|ers)$/, 'iz$1'],
  [/^(def|off|lic|pret)ence/, '$1ense'],
  [/^(catal|dial|anal|monol)ogue/, '$1og'],
  [/^(progra)mme/, '$1m'],
  [/^gray/, 'grey'],
  [/^plow/, 'plough'],
  [/^(?:jewellery|jewelry)$/, 'jewel'],
  [/^aluminum/, 'aluminium'],
  [/^sulfur/, 'sulphur'],
  [/^mold/, 'mould'],
  [/^ax$/, 'axe'],
  [/^tire(?=s?$)/, 'tyre'],
  [/^(pal|arch)eo/, '$1aeo'],
];

/** A folded word in one spelling. */
function spelt(word: string): string {
  for (const [spelling, one] of SPELLINGS) if (spelling.test(word)) return word.replace(spelling, one);
  return word;
}

/**
 * The same for every spelling of a word. Documents are asked in another spelling than they are written in; callers are heard in one, and
 * their sentences are told apart a little better without.
 */
export function stemOfAnySpelling(word: string): string {
  return word.length <= 3 || /\d/.test(word) ? word : englishStem(spelt(word));
}
