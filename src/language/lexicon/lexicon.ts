import { fold } from '../fold.ts';
import { everyListOf } from '../lists.ts';
import { stem } from '../stem.ts';
import { COMMON_WORDS, FILLER_WORDS, TOPIC_WORDS, WEAK_WORDS } from './common-words.ts';
import { CONCEPT_GROUPS } from './groups.ts';

/** Concepts by the words that are listed for them. */
const LISTED = new Map<string, string>();
for (const [name, words] of [
  ...everyListOf('language/lexicon/data/service-words.tsv'),
  ...everyListOf('language/lexicon/data/concepts.tsv'),
]) {
  for (const word of words) LISTED.set(fold(word), `=${name}`);
}
export const LISTED_WORDS: readonly string[] = [...LISTED.keys()];
/** What is listed itself goes before what only has the stem of a listed word. */
const CONCEPTS = new Map(LISTED);
for (const [word, concept] of LISTED) {
  const stemmed = stem(word);
  if (stemmed.length >= 3 && !CONCEPTS.has(stemmed)) CONCEPTS.set(stemmed, concept);
}

const folded = (words: readonly string[]): ReadonlySet<string> => new Set(words.map((word) => fold(word)));
const WEAK = folded(WEAK_WORDS);
const FILLERS = folded(FILLER_WORDS);
const COMMON = folded(COMMON_WORDS);
const TOPICS = folded(TOPIC_WORDS);
const TOPIC_STEMS = new Set([...TOPICS].map(stem).filter((stemmed) => stemmed.length >= 3));

/** One-letter words that Arabic writes onto the next: and, so, with, for, will. */
const PROCLITIC = /^[وفبلحس](?=.{3})/;
/** Pronouns written onto a verb: `تلغينه`, `احجزلي`. */
const ENCLITIC = /(?<=.{3})(?:لي|لك|له|لها|لنا|لكم|ها|هم|وا|ه|ك)$/;

const ARTICLE = /^[وفبك]?(?:ال|لل)(?=.{3})/;

const REMEMBERED_TERMS = 20_000;
const terms = new Map<string, string>();

/** The concept a folded word stands for (`=cancel`), else its stem. */
export function term(word: string): string {
  let found = terms.get(word);
  if (found === undefined) {
    if (terms.size >= REMEMBERED_TERMS) terms.clear();
    found = conceptOf(word) ?? stem(word);
    terms.set(word, found);
  }
  return found;
}

function conceptOf(word: string): string | undefined {
  const forms = formsOf(word);
  const listed = forms.find((form) => LISTED.has(form));
  if (listed !== undefined) return LISTED.get(listed);
  const stemmed = forms.map(stem).find((form) => CONCEPTS.has(form));
  return stemmed === undefined ? undefined : CONCEPTS.get(stemmed);
}

/** A word, and what is left of it without the small words that Arabic writes together with it. */
function formsOf(word: string): string[] {
  if (!/[؀-ۿ]/.test(word)) return [word];
  const bare = word.replace(PROCLITIC, '');
  return [word, bare, word.replace(ENCLITIC, ''), bare.replace(ENCLITIC, ''), word.replace(ARTICLE, '')];
}

export function isWeak(word: string): boolean {
  return WEAK.has(word);
}

export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}

/** An everyday word: where an agent does not know it, it says little. */
export function isCommon(word: string): boolean {
  return WEAK.has(word) || COMMON.has(word) || COMMON.has(word.replace(PROCLITIC, ''));
}

/** A word of the general lists: said as it stands, so no misspelling of another. */
export function isListed(word: string): boolean {
  return isCommon(word) || CONCEPTS.has(word) || isTopic(word);
}

/** A word of a subject that services and small talk are about. */
export function isTopic(word: string): boolean {
  if (TOPICS.has(word)) return true;
  return TOPIC_STEMS.has(stem(word)) && !formsOf(word).some((form) => LISTED.has(form));
}

/** A phrase by its words; `*` stands for up to `MAX_GAP` words. */
interface Phrase {
  readonly concept: string;
  readonly words: readonly string[];
}
const MAX_GAP = 2;
/** The list of phrases that mean nothing else. */
const POLITENESS = '-';
const PHRASES = new Map<string, Phrase[]>(); // by first word, the longest first
for (const [name, list] of everyListOf('language/lexicon/data/phrases.tsv')) {
  for (const text of list) {
    const words = text.split(' ').map((word) => (word === '*' ? word : fold(word)));
    PHRASES.set(words[0]!, [
      ...(PHRASES.get(words[0]!) ?? []),
      { concept: name === POLITENESS ? '' : `=${name}`, words },
    ]);
  }
}
for (const phrases of PHRASES.values()) phrases.sort((a, b) => b.words.length - a.words.length);

/** One unit of meaning: a phrase's concept, or a word's concept or stem. */
export interface Term {
  readonly key: string; // '' for politeness
  readonly word: string; // as it was said; '' for a phrase
}

/** The terms of an utterance, in order, without politeness unless there is nothing else. */
export function termsOf(words: readonly string[]): Term[] {
  const all = allTermsOf(words);
  const said = all.filter(({ key }) => key !== '');
  return said.length > 0 ? said : words.map((word) => ({ key: term(word), word }));
}

/** What stood inside a phrase's gap follows the phrase. */
function allTermsOf(words: readonly string[]): Term[] {
  const out: Term[] = [];
  for (let at = 0; at < words.length; ) {
    const hit = phraseAt(words, at);
    if (hit) {
      out.push({ key: hit.concept, word: '' }, ...hit.gap.map((word) => ({ key: term(word), word })));
      at = hit.end;
    } else {
      const word = words[at]!;
      out.push({ key: term(word), word });
      at += 1;
    }
  }
  return out;
}

function phraseAt(
  words: readonly string[],
  at: number,
): { readonly concept: string; readonly gap: readonly string[]; readonly end: number } | undefined {
  const first = PHRASES.has(words[at]!) ? words[at]! : words[at]!.replace(/^و(?=.{2})/, ''); // وكم الكشف
  for (const { concept, words: wanted } of PHRASES.get(first) ?? []) {
    const gap: string[] = [];
    let i = at;
    let fits = true;
    for (let j = 0; j < wanted.length && fits; j += 1) {
      if (wanted[j] === '*') {
        const next = wanted[j + 1];
        while (gap.length < MAX_GAP && i < words.length && words[i] !== next) gap.push(words[i++]!);
      } else if ((i === at ? first : words[i]) === wanted[j]) i += 1;
      else fits = false;
    }
    if (fits) return { concept, gap, end: i };
  }
  return undefined;
}

const GROUPS = new Map<string, string[]>();
for (const [group, concepts] of CONCEPT_GROUPS) {
  for (const concept of concepts.split(' ')) GROUPS.set(`=${concept}`, [...(GROUPS.get(`=${concept}`) ?? []), group]);
}

/** The groups of concepts that a term belongs to. */
export function groupsOf(key: string): readonly string[] {
  return GROUPS.get(key) ?? [];
}
