import { groupsOf, isWeak, type Term } from '../../language/lexicon/lexicon.ts';
import { trigrams } from '../../language/similarity.ts';
import type { Features } from './classifier.ts';
import { norm } from './word-features.ts';

/** What a kind of feature weighs beside a term; tried out on `test/engines/reply/fixtures` with the like examples left out. */
const WORD = 0.4;
const PAIR = 0.5;
const TOGETHER = 0.3;
const TRIGRAM = 0.25;
const GROUP = 0.4;
const GROUPS_TOGETHER = 0.3;
const WEAK = 0.5;
/** Terms, or groups, that are looked at two by two. */
const MAX_TOGETHER = 7;

/**
 * A sentence as the classifier sees it: its terms and its words, terms side by side and anywhere together, the
 * groups its concepts belong to, the trigrams of its letters, and whether it speaks of something that is not the agent's subject. The weights have length one.
 *
 * @param isForeign - whether a term is of a subject that no example speaks of.
 */
export function sentenceFeatures(
  words: readonly string[],
  terms: readonly Term[],
  isForeign: (one: Term) => boolean,
): Features {
  const weights = new Map<string, number>();
  const put = (key: string, weight: number): void => {
    weights.set(key, Math.max(weights.get(key) ?? 0, weight));
  };
  terms.forEach((one, i) => {
    // That a day was said weighs little beside what is to be done on it.
    const factor = (one.word !== '' && isWeak(one.word)) || one.key === '#when' ? WEAK : 1;
    put(one.key, factor);
    if (one.word !== '') put(`w ${one.word}`, WORD * factor);
    if (i > 0) put(`${terms[i - 1]!.key} ${one.key}`, PAIR * factor);
    if (isForeign(one)) put('?foreign', 1);
    for (const group of groupsOf(one.key)) put(`# ${group}`, GROUP * factor);
  });
  const keys = [...new Set(terms.map(({ key }) => key))];
  for (const pair of pairsOf(keys)) put(pair, TOGETHER);
  for (const pair of pairsOf([...new Set(keys.flatMap(groupsOf))])) put(`# ${pair}`, GROUPS_TOGETHER);
  for (const gram of trigrams(words.join(' '))) put(`g ${gram}`, TRIGRAM);
  return unitLength(weights);
}

/** What stands together, two by two, in whatever order. */
function pairsOf(keys: readonly string[]): string[] {
  const sorted = keys.slice(0, MAX_TOGETHER).sort();
  return sorted.flatMap((first, i) => sorted.slice(i + 1).map((second) => `${first} & ${second}`));
}

function unitLength(weights: Map<string, number>): Features {
  const length = norm(weights) || 1;
  for (const [key, weight] of weights) weights.set(key, weight / length);
  return weights;
}
