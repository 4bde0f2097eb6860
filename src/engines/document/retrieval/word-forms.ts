import { arabicStem, rootsOf, withoutPrefix } from '../../../language/arabic-stem.ts';
import { stemOfAnySpelling } from '../../../language/english-stem.ts';
import { readCardinal } from '../../../language/number-words.ts';
import { pattern } from '../../../language/pattern.ts';
import { BEGINNING_CHARS, beginningsOfMeanings, type Meanings, meaningsOf, NONE } from './concepts.ts';

/** The forms under which one folded word is compared. */
export interface WordForms {
  readonly folded: string;
  readonly key: string; // light stem, or a number in digits
  /** Other stems the word may have: an Arabic letter at its beginning may be a preposition, or the person of a verb. */
  readonly others: readonly string[];
  /** Arabic: what may be the root, for broken plurals and derived forms (`رسوم`, `رسم`; `توزيع`, `يوزع`). */
  readonly roots: readonly string[];
  readonly meanings: Meanings;
  readonly number: boolean;
}

const ARABIC = /[\u0621-\u06d3]/;
const SINGLE_PREFIX = /^[وفبكلس]/;
const PERSON = /^[يتنا]/;

/** Plain forms of common irregular English words. */
const IRREGULAR = new Map(
  `begin began begun;write wrote written;win won;hold held;pay paid;send sent;buy bought;take took taken;give gave given;go went gone;come came;
make made;find found;know knew known;get got gotten;see saw seen;leave left leaves;lose lost;keep kept;tell told;say said;become became;build built;
teach taught;bring brought;rise rose risen;fall fell fallen;grow grew grown;speak spoke spoken;break broke broken;choose chose chosen;drive drove driven;
child children;person people persons;man men;woman women;tooth teeth;foot feet;wife wives;life lives;spend spent;sell sold;lead led;meet met;feed fed;
run ran;sit sat;stand stood;wear wore worn;draw drew drawn;fly flew flown;steal stole stolen;die died dies;lie lay lain;half halves;
die died death;believe belief;analysis analyses;medium media;datum data`
    .split(/;\s*/)
    .flatMap((row) => {
      const [plain = '', ...forms] = row.split(' ');
      return forms.map((form) => [form, plain] as const);
    }),
);
/** Words that look like a form of another and mean something else. */
const NOUNS = new Map([
  ['building', 'building'],
  ['buildings', 'building'],
  ['meeting', 'meeting'],
  ['meetings', 'meeting'],
  ['visitor', 'visitor'],
  ['visitors', 'visitor'],
  ['rating', 'rating'],
  ['early', 'early'],
  ['only', 'only'],
  ['family', 'family'],
  ['رييسي', 'رييسي'],
  ['رييسيه', 'رييسي'],
  ['الرييسي', 'رييسي'],
  ['الرييسيه', 'رييسي'],
]);
/** Small numbers are words of the language first. */
const NOT_NUMBERS = new Set([
  'one',
  'o',
  'oh',
  'a',
  'واحد',
  'واحده',
  'وحده',
  'وحد',
  'ثلث',
  'ست',
  'ميه',
  'الف',
  'hundred',
  'thousand',
  'tree',
  'fife',
]);

/** Words are met again and again; forgotten all at once, for another document has others. */
const MAX_REMEMBERED = 16_384;
const REMEMBERED = new Map<string, WordForms>();

export function formsOf(folded: string): WordForms {
  const known = REMEMBERED.get(folded);
  if (known) return known;
  const forms = workedOut(folded);
  if (REMEMBERED.size >= MAX_REMEMBERED) REMEMBERED.clear();
  REMEMBERED.set(folded, forms);
  return forms;
}

function workedOut(folded: string): WordForms {
  if (/^\d/.test(folded)) {
    const plain = folded.replace(/^(\d+)(?:st|nd|rd|th)$/, '$1').replace(/^(\d+)\.0+$/, '$1');
    return { folded, key: plain, others: [], roots: [], meanings: NONE, number: true };
  }
  const value = NOT_NUMBERS.has(folded) ? undefined : readCardinal([folded], 0)?.value;
  if (value !== undefined) {
    return { folded, key: String(value), others: [], roots: [], meanings: NONE, number: true };
  }
  return ARABIC.test(folded) ? arabicForms(folded) : englishForms(folded);
}

function englishForms(folded: string): WordForms {
  const plain = IRREGULAR.get(folded) ?? folded;
  const key = NOUNS.get(folded) ?? stemOfAnySpelling(plain);
  return {
    folded,
    key,
    others: [],
    roots: [],
    meanings: meaningsOf(NOUNS.has(folded) ? [folded, key] : [folded, plain, key]),
    number: false,
  };
}

function arabicForms(folded: string): WordForms {
  const noun = NOUNS.get(folded);
  if (noun) return { folded, key: noun, others: [], roots: [], meanings: meaningsOf([noun]), number: false };
  const key = arabicStem(folded);
  const others = new Set<string>();
  if (key.length >= 4 && SINGLE_PREFIX.test(key)) others.add(key.slice(1));
  if (key.length >= 3 && PERSON.test(key)) others.add(key.slice(1));
  if (key.length >= 5 && /^(?:[سوفل][يتنا]|ست)/.test(key)) others.add(key.slice(2));
  // What looks like an ending may belong to the word: `ديوان`, `بثه`.
  const whole = withoutPrefix(folded);
  others.add(whole);
  if (/[هيكا]$/.test(whole) && whole.length >= 3) others.add(whole.slice(0, -1));
  // و before a word without the article: `ورسوم`.
  if (/^[وفبل]/.test(folded) && folded.length >= 5) others.add(arabicStem(folded.slice(1)));
  if (/^[وف]/.test(folded) && folded.length >= 4) others.add(folded.slice(1));
  const roots = [...new Set([key, ...others].flatMap(rootsOf))];
  others.delete(key);
  const meanings = meaningsOf([folded, key, ...others, ...pastsOf([key, ...others])], roots);
  return { folded, key, others: [...others], roots, meanings, number: false };
}

/** The past, or the noun's plain form, under which tables know a verb: `يستخدم`, `مستخدم`: `استخدم`; `يعتمد`: `اعتمد`. */
function pastsOf(stems: readonly string[]): string[] {
  return stems.flatMap((stem) => (/^[يتنم]\p{L}{3,}$/u.test(stem) ? [`ا${stem.slice(1)}`] : []));
}

const NUMBER_BEGINNINGS = 'ze on tw th fo fi si se ei ni te el hu mi bi do ha qu'.split(' ');

/** The first two letters of every English word that may be like one of these: for telling quickly which cannot. */
export function beginningsOf(words: readonly WordForms[]): ReadonlySet<string> {
  const out = new Set(words.some((word) => word.number) ? NUMBER_BEGINNINGS : []);
  for (const { key, folded, meanings } of words) {
    for (const form of [key, folded]) if (/^[a-z]/.test(form)) out.add(form.slice(0, BEGINNING_CHARS));
    for (const beginning of beginningsOfMeanings(meanings)) out.add(beginning);
  }
  // `went` for `go`: cheaper to let all irregular forms through than to look which are wanted.
  for (const form of IRREGULAR.keys()) out.add(form.slice(0, BEGINNING_CHARS));
  return out;
}

/** How two words are alike. */
export const LIKENESS = { none: 0, related: 1, synonym: 2, concept: 3, same: 4 } as const;
export type Likeness = (typeof LIKENESS)[keyof typeof LIKENESS];

/** A stem of two letters is shared by too many words. */
function hasStem(forms: WordForms, other: WordForms): boolean {
  const { key } = other;
  return (key.length >= 3 || key === other.folded) && forms.others.includes(key);
}

/** How surely two words mean the same. */
export function likeness(a: WordForms, b: WordForms): Likeness {
  if (a.key === b.key) return LIKENESS.same;
  if (a.number || b.number) return LIKENESS.none;
  if (hasStem(a, b) || hasStem(b, a)) return LIKENESS.same;
  if (shares(a.meanings.concepts, b.meanings.concepts)) return LIKENESS.concept;
  if (shares(a.meanings.synonyms, b.meanings.synonyms)) return LIKENESS.synonym;
  if (a.others.some((one) => one.length >= 3 && b.others.includes(one))) return LIKENESS.related;
  if (shares(a.roots, b.roots)) return LIKENESS.synonym;
  if (related(a.meanings, b.meanings)) return LIKENESS.related;
  return relatedEnglish(a.key, b.key) ? LIKENESS.related : LIKENESS.none;
}

function related(a: Meanings, b: Meanings): boolean {
  return shares(a.relatives, b.relatives) || shares(a.relatives, b.synonyms) || shares(a.synonyms, b.relatives);
}

function shares<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length > 0 && b.length > 0 && a.some((one) => b.includes(one));
}

const LONG_BEGINNING = 6;
const DERIVED = pattern()`
  ^(?:e?r|ers|or|ion|ions|al|ity|ive|able|ible|ful|less|ness|ance|ence|ant|ent|ist|ism|ship|y|ly|ic|ical|i|iz|at|ation|ment|age|ure|th|d|
  t|ee|ees|lat|wid|ature|r|rs|an|ean|ian|ans|ians|ese|ish|ous|ward|)$
`;

/** `cancel`, `cancellation`; `develop`, `developer`: one beginning, endings that make words from words. */
function relatedEnglish(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (shorter < 4 || ARABIC.test(a) || ARABIC.test(b)) return false;
  let same = 0;
  while (same < shorter && a[same] === b[same]) same += 1;
  if (same >= LONG_BEGINNING && Math.max(a.length, b.length) - same <= 4) return true;
  return same >= Math.max(4, shorter - 2) && DERIVED.test(a.slice(same)) && DERIVED.test(b.slice(same));
}
