import { listsOf } from '../../../language/lists.ts';

const list = listsOf('engines/text/lexicon/data/transliterations.tsv');

/** Latin words met in Arabic business text, in lower case, as they are said in Arabic. Multi-word names come first in a match. */
export const TRANSLITERATIONS: ReadonlyMap<string, string> = new Map(
  list('transliterations').map((entry): [string, string] => {
    const space = entry.indexOf(' ');
    return [entry.slice(0, space), entry.slice(space + 1)];
  }),
);
