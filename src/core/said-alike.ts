/**
 * What English callers say for one another: a recogniser may write either where a phrase has one of them. Closed classes,
 * own lists.
 */

/** They sound alike within a sentence and mean nothing there: any of them, or none, will do. */
export const DETERMINERS: ReadonlySet<string> = new Set(['my', 'the', 'a', 'an', 'your', 'our']);
/** At the end of a phrase they stand for the same. */
export const PRONOUNS: ReadonlySet<string> = new Set(['it', 'that', 'this']);
/** The words, and what they become in speech. */
export const CONTRACTIONS: readonly (readonly [long: string, short: string])[] = [
  ['where is', "where's"], ['what is', "what's"], ['when is', "when's"], ['who is', "who's"], ['how is', "how's"],
  ['that is', "that's"], ['it is', "it's"], ['there is', "there's"], ['i am', "i'm"], ['i would', "i'd"], ['i have', "i've"],
  ['i will', "i'll"], ['you are', "you're"], ['we are', "we're"], ['do not', "don't"], ['does not', "doesn't"], ['is not', "isn't"],
  ['can not', "can't"], ['cannot', "can't"], ['have not', "haven't"], ['did not', "didn't"], ['want to', 'wanna'],
]; // biome-ignore format: a table

const LONG = new Map([...CONTRACTIONS].reverse().map(([long, short]) => [short, long.split(' ')] as const));

/** The words in one of the ways they may be said: those that are said alike become the same. */
export function saidAlike(words: readonly string[]): string[] {
  const long = words.flatMap((word) => LONG.get(word) ?? (word === 'cannot' ? ['can', 'not'] : [word]));
  const last = long.length - 1;
  return long.flatMap((word, at) => {
    if (at > 0 && at < last && DETERMINERS.has(word)) return [];
    return at > 0 && at === last && PRONOUNS.has(word) ? ['it'] : [word];
  });
}
