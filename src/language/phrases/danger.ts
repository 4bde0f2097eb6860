import { listsOf } from '../lists.ts';
import type { Word } from '../words.ts';
import { isKin } from './kin.ts';
import { inflectedAt, inflectedForms, type PhraseTable, phraseTable, type Span } from './phrases-in.ts';

const list = listsOf('language/phrases/data/danger.tsv');
const table = (name: string): PhraseTable => phraseTable(list(name).join('|'));

/** A present bodily event, how grave it is, and what beside it makes it graver or no danger. */
interface Sign {
  readonly of: string; // the list
  /** `body` and `event`: what happens. `degree`: how much, which alone is nothing. */
  readonly kind: 'body' | 'event' | 'degree';
  readonly weight: number; // from `DANGER` on somebody is in danger
  /** It is the denial of this that counts: `not breathing`. */
  readonly denied?: true;
  /** Must be said of a person; `anybody`: Arabic verbs need no subject. */
  readonly who?: 'named' | 'anybody';
  /** A word of this list must stand near. */
  readonly beside?: string;
  /** Something is done to a person, who is named right behind it. */
  readonly to?: 'people';
  /** No danger beside one of these, right before or behind. */
  readonly not?: string;
  readonly notPast?: true;
  readonly mayBeFigure?: true;
  /** What it weighs where speakers say it of themselves: who is dying mostly waits for something, and tells another sign if not. */
  readonly ofSelf?: number;
}

const SIGNS: readonly Sign[] = [
  { of: 'grave', kind: 'body', weight: 2 },
  { of: 'bleeding', kind: 'body', weight: 2 },
  { of: 'fire', kind: 'body', weight: 2, not: 'no-fire', notPast: true },
  { of: 'breath', kind: 'body', weight: 2, denied: true },
  { of: 'strike', kind: 'body', weight: 2, to: 'people' },
  { of: 'ingesting', kind: 'body', weight: 2, beside: 'poison' },
  { of: 'swallowing', kind: 'body', weight: 2, who: 'named' },
  { of: 'collapsing', kind: 'body', weight: 2, who: 'named' },
  { of: 'dying', kind: 'body', weight: 2, who: 'named', mayBeFigure: true, ofSelf: 1 },
  { of: 'blood', kind: 'body', weight: 1, not: 'no-blood' },
  { of: 'swelling', kind: 'body', weight: 1 },
  { of: 'airway', kind: 'body', weight: 1 },
  { of: 'faint', kind: 'body', weight: 1 },
  { of: 'fever', kind: 'body', weight: 1 },
  { of: 'wound', kind: 'body', weight: 1, beside: 'body' },
  { of: 'ability', kind: 'body', weight: 1, denied: true, who: 'anybody' },
  { of: 'event', kind: 'event', weight: 1, who: 'named' },
  { of: 'ending', kind: 'degree', weight: 1, denied: true },
  { of: 'severe', kind: 'degree', weight: 1 },
  { of: 'slight', kind: 'degree', weight: -1 },
  { of: 'cared', kind: 'degree', weight: -2 },
];
const DANGER = 2;
/** How many words may stand between a sign and what belongs to it. */
const NEAR = 4;
/** Between a denial and what it denies: `مو راضي يوقف`, `not able to breathe`. */
const MAX_DENIED = 3;
/** Between a denial and a sign that it takes away: `ما فيه دم`. */
const MAX_ABSENT = 2;

const TABLES = new Map(SIGNS.map(({ of }) => [of, table(of)]));
const wordsIn = (name: string): ReadonlySet<string> => new Set(table(name).keys());
const BESIDE = new Map(
  ['poison', 'body', 'no-fire', 'no-blood'].map((name): [string, ReadonlySet<string>] => [name, wordsIn(name)]),
);
const PEOPLE = wordsIn('people');
const ARTICLES = wordsIn('article');
const DENIALS = wordsIn('denial');
const ABSENT = wordsIn('absence');
const PAST = wordsIn('past');
const FIGURES = wordsIn('figure');
const UNREAL = table('unreal');
const LONG_AGO = table('long-ago');

/**
 * Where a sentence tells that somebody is in danger: of each kind the gravest sign counts, and they add up. `he fell and does
 * not answer me` and `it won't stop bleeding` are danger, `a mild swelling`, `dying of hunger`, `no blood` are none.
 */
export function dangerIn(words: readonly Word[]): Span | undefined {
  const forms = inflectedForms(words);
  const found = SIGNS.flatMap((sign) => {
    const spans = words.flatMap((_, at) => inflectedAt(forms, at, TABLES.get(sign.of)!) ?? []);
    // Who says it twice means it once: `dying, really dying of hunger`.
    if (sign.mayBeFigure && spans.some(({ end }) => forms[end]?.some((form) => FIGURES.has(form)))) return [];
    const span = spans.find((one) => holds(sign, words, forms, one));
    if (!span) return [];
    const weight = sign.ofSelf !== undefined && isOfSelf(words, span) ? sign.ofSelf : sign.weight;
    return [{ ...span, weight, kind: sign.kind }];
  });
  const sum = found.reduce((all, { weight }) => all + weight, 0);
  const [first] = found.filter(({ kind }) => kind === 'body').sort((a, b) => a.start - b.start);
  return first && sum >= DANGER ? { start: first.start, end: first.end } : undefined;
}

type Forms = ReturnType<typeof inflectedForms>;

function holds(sign: Sign, words: readonly Word[], forms: Forms, span: Span): boolean {
  const { start, end } = span;
  const near = (from: number, to: number, of: ReadonlySet<string>): boolean =>
    forms.slice(Math.max(0, from), Math.max(0, to)).some((some) => some.some((form) => of.has(form)));
  const isDenied = near(start - MAX_DENIED, start, DENIALS);
  if (sign.denied ? !isDenied : isAbsent(near, start) && sign.kind !== 'degree') return false;
  if (sign.kind === 'degree') return true;
  const around = (of: ReadonlySet<string>): boolean => near(start - NEAR, start, of) || near(end, end + NEAR, of);
  if (sign.beside && !around(BESIDE.get(sign.beside)!)) return false;
  if (sign.not && (near(start - 1, start, BESIDE.get(sign.not)!) || near(end, end + 1, BESIDE.get(sign.not)!)))
    return false;
  if (sign.notPast && around(PAST)) return false;
  if (sign.to && !hasPatient(words, end)) return false;
  if (sign.who && !isOfPerson(sign, words, span)) return false;
  return !hasPhrase(forms, start - NEAR, start, UNREAL) && !hasPhrase(forms, end, end + NEAR, LONG_AGO);
}

function isAbsent(near: (from: number, to: number, of: ReadonlySet<string>) => boolean, start: number): boolean {
  return near(start - MAX_ABSENT, start, DENIALS) || near(start - 1, start, ABSENT);
}

function hasPhrase(forms: Forms, from: number, to: number, phrases: PhraseTable): boolean {
  for (let at = Math.max(0, from); at < Math.min(forms.length, to); at += 1) {
    if (inflectedAt(forms, at, phrases)) return true;
  }
  return false;
}

function isPerson({ text }: Word): boolean {
  return PEOPLE.has(text) || isKin(text);
}

/** `hit a boy`: nothing but small words stand before who is hit. */
function hasPatient(words: readonly Word[], from: number): boolean {
  const at = words.findIndex(({ text }, i) => i >= from && !ARTICLES.has(text));
  return at >= 0 && isPerson(words[at]!);
}

/** `بموت`, `طحت`: who speaks. */
const FIRST_PERSON = new Set(['بموت', 'طحت']);

/** The speaker, or the speaker with others: `I`, `we`. */
const SELF = wordsIn('self');

function isOfSelf(words: readonly Word[], { start }: Span): boolean {
  if (FIRST_PERSON.has(words[start]!.text)) return true;
  const nearest = words.slice(Math.max(0, start - NEAR), start).findLast(isPerson);
  return nearest !== undefined && SELF.has(nearest.text);
}

function isOfPerson({ who }: Sign, words: readonly Word[], { start }: Span): boolean {
  const { text } = words[start]!;
  if (FIRST_PERSON.has(text) || (who === 'anybody' && !/^[a-z]/.test(text))) return true;
  return words.slice(Math.max(0, start - NEAR), start).some(isPerson);
}
