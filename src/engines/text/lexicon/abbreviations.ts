import { listsOf } from '../../../language/lists.ts';

const list = listsOf('engines/text/lexicon/data/abbreviations.tsv');

/** What an abbreviation stands for, and where it may be read so. */
export interface Abbreviation {
  readonly to: string;
  /** `name`: only before a name; `number`: only before a number; `dotted`: only when written with its dot or slash. */
  readonly when?: 'name' | 'number' | 'dotted';
  /** With its dot also before a small letter: `apt. for rent`. */
  readonly inside?: true;
}

/** A list whose rows are what is written and what it stands for. */
function pairs(name: string): ReadonlyMap<string, string> {
  return new Map(list(name).map((row) => row.split('|') as [string, string]));
}

/** Arabic titles before a name, written with a dot or slash: masculine, feminine, without the article (after يا). */
export const ARABIC_TITLES: ReadonlyMap<string, readonly [string, string, string, string]> = new Map(
  list('arabic-titles').map((row) => {
    const [title, ...forms] = row.split('|') as [string, string, string, string, string];
    return [title, forms];
  }),
);
/** Arabic abbreviations by their letters without dots; those of two or more dotted letters need the dots. */
export const ARABIC_DOTTED = pairs('arabic-dotted');
/** Whole Arabic words that are abbreviations with or without a dot. */
export const ARABIC_WORDS = pairs('arabic-words');
/** One Arabic letter before a colon, dot or slash and a number. */
export const ARABIC_LABELS = pairs('arabic-labels');

/** English abbreviations in lower case without the final dot. */
export const ENGLISH_ABBREVIATIONS: ReadonlyMap<string, Abbreviation> = new Map(
  list('english-abbreviations').map((row) => {
    const [written = '', to = '', when, inside] = row.split('|');
    const isLimit = (one?: string): one is 'name' | 'number' | 'dotted' => one !== undefined && one !== '';
    return [written, { to, ...(isLimit(when) && { when }), ...(inside && { inside: true }) }];
  }),
);
/** Words shortened with an apostrophe, in lower case. */
export const ENGLISH_CONTRACTED = pairs('english-contracted');

/** Given names that follow a title so often that a dot before them does not end a sentence: `الدور 5 م. خالد`. */
export const GIVEN_NAMES: readonly string[] = list('given-names');

/** Given names of women that show no feminine ending, and men's names that do. */
export const FEMALE_NAMES: readonly string[] = list('female-names');
export const MALE_NAMES_LIKE_FEMALE: readonly string[] = list('male-names-like-female');
