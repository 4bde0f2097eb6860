/** What is written on to the word it belongs to: `لبكرة` to tomorrow, `للخميس` to Thursday, `عالأحد` on Sunday, `ولبعد`. */
const FORMS: readonly (readonly [RegExp, string])[] = [
  [/^[وف]?(?:لل|عال|بال)(?=..)/, 'ال'],
  [/^[وف]?[لبع](?=..)/, ''],
  [/^[وف](?=..)/, ''],
];

/**
 * A folded word without the prepositions and conjunctions written on to it, where what is left is one that is looked for; else
 * the word as it is (`بكرة` itself begins with what may be a preposition).
 */
export function withoutProclitics(word: string, isLookedFor: (bare: string) => boolean): string {
  if (isLookedFor(word)) return word;
  for (const [form, article] of FORMS) {
    const bare = word.replace(form, article);
    if (bare !== word && isLookedFor(bare)) return bare;
  }
  return word;
}
