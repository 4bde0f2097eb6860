import { lazily } from '../../../core/lazily.ts';
import { foldedSet } from '../../../language/fold-word.ts';
import { listsOf } from '../../../language/lists.ts';

const list = listsOf('engines/text/lexicon/data/verbs.tsv');

/**
 * Verbs that take what is counted or paid as their object, or a date as their time: past stem, present stem without its first
 * letter, imperative. A dash: the form is not used.
 */
const VERBS = list('verbs');

/**
 * Verbs without an object, or with a counted subject as often: a number directly after one is its subject (وصل عشرون طالباً),
 * a date after one still its time.
 */
const INTRANSITIVE = list('intransitive');

const PAST_ENDINGS = ['', 'ت', 'نا', 'وا', 'ني', 'تني'];
const PRESENT_BEGINNINGS = ['ي', 'ت', 'ن', 'أ', 'سي', 'ست', 'سن', 'سأ', 'بي', 'بت', 'بن', 'حي'];
const PRESENT_ENDINGS = ['', 'ون', 'وا', 'ني', 'ك'];
const IMPERATIVE_ENDINGS = ['', 'ي', 'وا', 'ها', 'ني'];

function conjugated(entry: string): string[] {
  const [past, present, imperative] = entry.split(' ') as [string, string, string];
  return [
    ...PAST_ENDINGS.map((ending) => past + ending),
    ...PRESENT_BEGINNINGS.flatMap((beginning) => PRESENT_ENDINGS.map((ending) => beginning + present + ending)),
    ...(imperative === '-' ? [] : IMPERATIVE_ENDINGS.map((ending) => imperative + ending)),
  ];
}

/** Nouns and names that a conjugated form happens to be spelled as. */
const NOT_VERBS = foldedSet(
  'كل حل عمل نقل كلف ولد عقد حمل جمع ود فتح سلم حط ضم بع كانت كان يكون تكون كنت ستكون سيكون صارت صار شحن خصم تقديم حقق قدم',
);

/** Folded forms of the verbs above that take an object: a number directly after one is it. */
export const objectVerbForms = lazily(() => formsOf(VERBS));
/** Folded forms of all verbs above: a date after one is its time. */
export const verbForms = lazily(() => new Set([...objectVerbForms(), ...formsOf(INTRANSITIVE)]));

function formsOf(verbs: readonly string[]): ReadonlySet<string> {
  const forms = foldedSet(...verbs.map((entry) => conjugated(entry).join(' ')));
  return new Set([...forms].filter((form) => !NOT_VERBS.has(form)));
}
