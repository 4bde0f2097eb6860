import { listsOf } from '../../../language/lists.ts';

const list = listsOf('engines/text/lexicon/data/acronyms.tsv');

/**
 * Acronyms known by name. A missing `ar` is spelled letter by letter in Arabic; a missing `en` is spelled in English.
 * Words that are capitals but read as words have both.
 */
export interface Acronym {
  readonly ar?: string;
  readonly en?: string;
}

export const ACRONYMS: ReadonlyMap<string, Acronym> = new Map<string, Acronym>([
  ...list('spelled-acronyms').map((name): [string, Acronym] => [name, {}]),
  ...list('acronyms').map((row): [string, Acronym] => {
    const [name = '', ar, en] = row.split('|');
    return [name, { ...(ar && { ar }), ...(en && { en }) }];
  }),
]);

/** Capitals that are ordinary English words: emphasis, not acronyms. */
export const CAPITAL_WORDS: ReadonlySet<string> = new Set(list('capital-words'));
