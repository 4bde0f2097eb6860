/** Endings and what stands for them, longest first; at least three letters stay. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/ations?$/, 'at'],
  [/(?:ies|ied)$/, 'y'],
  [/(?:ings|ing|ed)$/, ''],
  [/ments?$/, ''],
  [/(?<=(?:s|x|z|ch|sh))es$/, ''],
  [/(?<=[^su])s$/, ''],
  [/(?<=[^i])ly$/, ''],
];
const LAST_DOUBLED = /([bdgmnprt])\1$/;

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

/** A light stem of one folded English word: it need not be a word, only the same for `cancel`, `cancelled`, `cancelling`. */
export function englishStem(written: string): string {
  if (written.length <= 3 || /\d/.test(written)) return written;
  const word = spelt(written);
  for (const [ending, replacement] of ENDINGS) {
    const found = ending.exec(word);
    if (!found || found.index < 3) continue;
    let rest = word.slice(0, found.index);
    if (/^(?:ing|ings|ed)$/.test(found[0])) {
      if (!/[aeiouy]/.test(rest)) continue; // `string`, `bring`
      rest = rest.replace(LAST_DOUBLED, '$1').replace(/ll$/, 'l');
    }
    return bare(rest + replacement);
  }
  return bare(word);
}

function bare(word: string): string {
  return word.length > 3 ? word.replace(/e$/, '').replace(/ll$/, 'l') : word;
}
