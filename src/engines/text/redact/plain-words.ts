import { listsOf } from '../../../language/lists.ts';

const list = listsOf('engines/text/redact/data/plain-words.tsv');

/** Words that stand in capitals at the start of a sentence or in headings and are nobody's name; in lower case. */
export const PLAIN_CAPITALS: ReadonlySet<string> = new Set(list('plain-capitals'));

/** Companies, banks, authorities and brands heard in Saudi Arabia; in lower case. */
export const ORGANISATIONS: ReadonlySet<string> = new Set(list('organisations'));
