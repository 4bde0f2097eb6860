import { stemOfAnySpelling as stem } from '../../../language/english-stem.ts';
import { fold } from '../../../language/fold.ts';
import { listsOf } from '../../../language/lists.ts';
import { ofOwnWords } from '../../../language/own-words.ts';

const list = listsOf('engines/document/retrieval/data/stop-words.tsv');

function setOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.map((word) => fold(word)));
}

/** Words that ask, point or join: they carry nothing to look for. */
const STOP = setOf(list('stop'));

const own = ofOwnWords(({ stopWords }) => setOf(stopWords));

/** Verbs and nouns that may stand in any question: worth something when found, little when missing. */
const SOFT = setOf(list('soft'));

const SOFT_STEMS: ReadonlySet<string> = new Set([...SOFT].filter((word) => /^[a-z]/.test(word)).map(stem));

export function isStop(folded: string): boolean {
  return STOP.has(folded) || own().has(folded);
}
export function isSoft(folded: string): boolean {
  return SOFT.has(folded) || (/^[a-z]/.test(folded) && SOFT_STEMS.has(stem(folded)));
}
