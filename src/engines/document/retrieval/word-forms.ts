import { stem as replyStem } from '../../reply/fold.ts';
import { readCardinal } from '../../reply/number-words.ts';
import { conceptOf } from './concepts.ts';

/** The forms under which one folded word is compared. */
export interface WordForms {
  readonly folded: string;
  readonly key: string; // light stem, or a number in digits
  /** Other stems the word may have: an Arabic letter at its beginning may be a preposition, or the person of a verb. */
  readonly others: readonly string[];
  /** Arabic: what may be the root, for broken plurals and derived forms (`رسوم`, `رسم`; `توزيع`, `يوزع`). */
  readonly roots: readonly string[];
  readonly concept: string | undefined;
  readonly number: boolean;
}

const ARABIC = /[\u0621-\u06d3]/;
const ARABIC_PREFIXES = ['وبال', 'وكال', 'وال', 'بال', 'كال', 'فال', 'ولل', 'لل', 'ال'];
const PRONOUNS = ['هما', 'كما', 'ها', 'هم', 'هن', 'كم', 'نا'];
const PLURALS = ['تين', 'تان', 'ات', 'ون', 'ين', 'ان', 'ت'];
const ARABIC_SUFFIXES = [...PLURALS.slice(0, -1), 'يه', 'ته', 'وا', 'ه', 'ي', 'ك', 'ا', 'ت'];
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

export function formsOf(folded: string): WordForms {
  if (/^\d/.test(folded)) {
    const plain = folded.replace(/^(\d+)(?:st|nd|rd|th)$/, '$1').replace(/^(\d+)\.0+$/, '$1');
    return { folded, key: plain, others: [], roots: [], concept: undefined, number: true };
  }
  const value = NOT_NUMBERS.has(folded) ? undefined : readCardinal([folded], 0)?.value;
  if (value !== undefined) {
    return { folded, key: String(value), others: [], roots: [], concept: undefined, number: true };
  }
  return ARABIC.test(folded) ? arabicForms(folded) : englishForms(folded);
}

function englishForms(folded: string): WordForms {
  const plain = IRREGULAR.get(folded) ?? folded;
  const key = replyStem(plain);
  return {
    folded,
    key,
    others: [],
    roots: [],
    concept: conceptOf(folded) ?? conceptOf(plain) ?? conceptOf(key),
    number: false,
  };
}

function arabicForms(folded: string): WordForms {
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
  const roots = [...new Set([key, ...others].flatMap(rootsOf))];
  const concept =
    conceptOf(folded) ?? conceptOf(key) ?? [...others].map((one) => conceptOf(one)).find((one) => one !== undefined);
  others.delete(key);
  return { folded, key, others: [...others], roots, concept, number: false };
}

/** Article with what is attached to it, and the commonest endings; longest first, at least two letters stay. */
export function arabicStem(folded: string): string {
  const out = withoutPrefix(folded);
  const bare = withoutSuffix(out, PRONOUNS);
  return withoutSuffix(bare, bare === out ? ARABIC_SUFFIXES : PLURALS);
}

function withoutPrefix(folded: string): string {
  const found = ARABIC_PREFIXES.find((one) => folded.startsWith(one) && folded.length - one.length >= 2);
  return found === undefined ? folded : folded.slice(found.length);
}

function withoutSuffix(word: string, suffixes: readonly string[]): string {
  const found = suffixes.find((one) => word.endsWith(one) && word.length - one.length >= (one.length === 1 ? 3 : 2));
  return found === undefined ? word : word.slice(0, -found.length);
}

/** Patterns of derived words whose captured letters are the root. */
const PATTERNS: readonly RegExp[] = [
  /^ت(.)(.)ي(.)$/, // توزيع
  /^ا(.)(.)ا(.)$/, // اشراف، اسعار
  /^م(.)(.)و(.)$/, // مكتوب
  /^است(.)(.)ا?(.)$/, // استبدال
  /^ا(.)ت(.)ا(.)$/, // اشتراك
  /^ان(.)(.)ا(.)$/,
  /^(.)و?ا(.)ي?(.)$/, // طالب، فواتير
  /^(.)(.)[اوي](.)$/, // رسوم، كتاب
  /^م(.)ا?(.)ي?(.)$/, // مدرسه، مواعيد
  /^ا(.)(.)(.)$/, // اجهزه
  /^(.)(.)(.)$/,
];

function rootsOf(word: string): string[] {
  return PATTERNS.map((pattern) => pattern.exec(word)?.slice(1).join('') ?? '').filter(
    (root) => root.length === 3 && !/ا/.test(root),
  );
}

const SAME = 1;
const SAME_CONCEPT = 0.9;
const OTHER_STEM = 0.85;
const RELATED = 0.7;

/** A stem of two letters is shared by too many words. */
function hasStem(forms: WordForms, other: WordForms): boolean {
  const { key } = other;
  return (key.length >= 3 || key === other.folded) && forms.others.includes(key);
}

/** How surely two words mean the same, 0..1. */
export function likeness(a: WordForms, b: WordForms): number {
  if (a.key === b.key) return SAME;
  if (a.number || b.number) return 0;
  if (a.concept !== undefined && a.concept === b.concept) return SAME_CONCEPT;
  if (hasStem(a, b) || hasStem(b, a)) return OTHER_STEM;
  if (a.others.some((one) => one.length >= 3 && b.others.includes(one))) return RELATED;
  if (a.roots.some((root) => b.roots.includes(root))) return RELATED;
  return relatedEnglish(a.key, b.key) ? RELATED : 0;
}

const LONG_BEGINNING = 6;
const DERIVED =
  /^(?:e?r|ers|or|ion|ions|al|ity|ive|able|ible|ful|less|ness|ance|ence|ant|ent|ist|ism|ship|y|ly|ic|ical|i|iz|at|ation|ment|age|ure|th|d|t|ee|ees|lat|wid|)$/;

/** `cancel`, `cancellation`; `develop`, `developer`: one beginning, endings that make words from words. */
function relatedEnglish(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (shorter < 4 || ARABIC.test(a) || ARABIC.test(b)) return false;
  let same = 0;
  while (same < shorter && a[same] === b[same]) same += 1;
  if (same >= LONG_BEGINNING && Math.max(a.length, b.length) - same <= 4) return true;
  return same >= Math.max(4, shorter - 2) && DERIVED.test(a.slice(same)) && DERIVED.test(b.slice(same));
}
