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

/** A light stem of one folded English word: it need not be a word, only the same for `cancel`, `cancelled`, `cancelling`. */
export function englishStem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word;
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
