import { foldedSet } from '../../../language/fold-word.ts';
import { everyListOf, listsOf } from '../../../language/lists.ts';

const FILE = 'engines/text/redact/data/name-triggers.tsv';
const list = listsOf(FILE);

/**
 * What announces a name. `strong`: whatever follows is one (اسمي, my name is). `title`: a name-like word (السيد, Mr).
 * `self`: a listed name, also one that is an ordinary word (معك). `kin`: a listed name that does not describe a person (بنتي, but not `زوجي سعيد`).
 * `role`: as `weak`, but with a colon as `title` (السائق: …). `me`: أنا, as `kin` where the statement ends or goes on as no
 * adjective would. `weak`: a name that is nothing else (this is).
 * `verb`: what people do, as `weak`, and names that are words as well where the statement goes on after them (ذكرت مشاعل إنها).
 */
export type Trigger = 'strong' | 'title' | 'self' | 'me' | 'kin' | 'role' | 'weak' | 'verb';

/** Longest name, in words. */
export const NAME_TOKENS_MAX = 7;
/** What may stand between the words of a name. */
export const NAME_GAP = /^(?: {1,2}|[ ]?-[ ]?|\. |')$/;

/** The words for each, those in Arabic letters before the others: of two that fit alike the later one holds. */
export function triggerPhrases(trigger: Trigger): readonly string[] {
  return TRIGGER_LISTS.filter(([name]) => name.endsWith(`.${trigger}`)).flatMap(([, phrases]) => phrases);
}
const TRIGGER_LISTS = everyListOf(FILE).filter(([name]) => /^(?:arabic|latin)\./.test(name));

/** Ordinary words that follow triggers. Folded. */
export const NOT_A_NAME = foldedSet(...list('not-a-name'));

/** English words that follow triggers, in lower case. */
export const NOT_A_NAME_LATIN: ReadonlySet<string> = new Set(list('not-a-name-latin'));
