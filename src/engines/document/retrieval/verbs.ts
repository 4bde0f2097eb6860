import { stemOfAnySpelling } from '../../../language/english-stem.ts';
import { listsOf } from '../../../language/lists.ts';

const list = listsOf('engines/document/retrieval/data/verbs.tsv');

/** Plain forms of the verbs that questions are asked with: `where did the keeper live`. */
const VERBS: ReadonlySet<string> = new Set(list('verbs').flatMap((verb) => [verb, stemOfAnySpelling(verb)]));

const PASTS: ReadonlySet<string> = new Set(list('irregular-past'));

/** Whether a folded English word is the plain form of a verb that questions are asked with. */
export function isPlainVerb(word: string): boolean {
  return VERBS.has(word);
}

const NO_PAST = /^(?:shed|sled|hundred|sacred|embed|naked|wicked|kindred|hatred|biped|bed|red)$/;

/** Whether a folded English word looks like the past of a verb: `quarried`, `built`. */
export function isPast(word: string): boolean {
  return (/^[a-z]+[^e]ed$/.test(word) && !NO_PAST.test(word)) || PASTS.has(word);
}

/** `rejects`, `causes`: the present of a verb that questions are asked with. */
export function isPresent(word: string): boolean {
  return /^[a-z]{3,}s$/.test(word) && (VERBS.has(word.slice(0, -1)) || VERBS.has(stemOfAnySpelling(word)));
}
