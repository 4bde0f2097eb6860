import { fold } from '../fold.ts';
import type { Word } from '../words.ts';

/** Words `start` up to `end`, `end` not included. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Phrases by their first word, the longest first. */
export type PhraseTable = ReadonlyMap<string, readonly (readonly string[])[]>;

export function phraseTable(list: string): PhraseTable {
  const table = new Map<string, string[][]>();
  for (const phrase of list.split('|')) {
    const words = fold(phrase).split(' ');
    table.set(words[0]!, [...(table.get(words[0]!) ?? []), words]);
  }
  for (const phrases of table.values()) phrases.sort((a, b) => b.length - a.length);
  return table;
}

/** The longest phrase that begins at a word. */
export function phraseAt(words: readonly Word[], at: number, table: PhraseTable): Span | undefined {
  const found = table
    .get(words[at]?.text ?? '')
    ?.find((phrase) => phrase.every((word, i) => words[at + i]?.text === word));
  return found && { start: at, end: at + found.length };
}

/** The first phrase at or after `from`. */
export function firstPhrase(words: readonly Word[], table: PhraseTable, from = 0): Span | undefined {
  for (let at = from; at < words.length; at += 1) {
    const span = phraseAt(words, at, table);
    if (span) return span;
  }
  return undefined;
}

/** All of them, none within another. */
export function phrasesIn(words: readonly Word[], table: PhraseTable): Span[] {
  const found: Span[] = [];
  for (let next = firstPhrase(words, table); next; next = firstPhrase(words, table, next.end)) found.push(next);
  return found;
}

/** Written onto the word after it: and, so. */
const CONJUNCTION = /^[وف](?=.{2})/;

/** The first where an Arabic `and` or `so` may be written on to its first word: `والدم ما وقف`, `فابغى الغيه`. */
export function firstPhraseJoined(words: readonly Word[], table: PhraseTable, from = 0): Span | undefined {
  for (let at = from; at < words.length; at += 1) {
    const word = words[at]!;
    const joined = CONJUNCTION.test(word.text) ? { ...word, text: word.text.slice(1) } : undefined;
    const span = phraseAt(words, at, table) ?? (joined && phraseAt(words.with(at, joined), at, table));
    if (span) return span;
  }
  return undefined;
}

const PERSONS = ['ا', 'ي', 'ت', 'ن'] as const;
const MIN_VERB = 4;

/** An Arabic word as it may be listed: without the `and` that is written on to it, and a verb in any person (`اتنفس`, `يتنفس`). */
function formsOf(text: string): readonly string[] {
  if (!/^[؀-ۿ]/.test(text)) return [text];
  const bare = [...new Set([text, text.replace(CONJUNCTION, '')])];
  const verbs = bare.filter((word) => word.length >= MIN_VERB && PERSONS.some((person) => word.startsWith(person)));
  return [...bare, ...verbs.flatMap((verb) => PERSONS.map((person) => person + verb.slice(1)))];
}

/** Of each word the forms that it may be listed in. */
export function inflectedForms(words: readonly Word[]): readonly (readonly string[])[] {
  return words.map(({ text }) => formsOf(text));
}

/** The phrase that begins at a word in any form of its words: `والدم ما وقف`, `مو قادر يتنفس`. */
export function inflectedAt(
  forms: readonly (readonly string[])[],
  start: number,
  table: PhraseTable,
): Span | undefined {
  const phrases = (forms[start] ?? []).flatMap((form) => table.get(form) ?? []);
  const found = phrases.find((phrase) => phrase.every((word, i) => i === 0 || forms[start + i]?.includes(word)));
  return found && { start, end: start + found.length };
}

/** The first phrase that is said in any form of its words. */
export function firstInflected(words: readonly Word[], table: PhraseTable): Span | undefined {
  const forms = inflectedForms(words);
  for (let at = 0; at < forms.length; at += 1) {
    const span = inflectedAt(forms, at, table);
    if (span) return span;
  }
  return undefined;
}

export function without(words: readonly Word[], spans: readonly Span[]): Word[] {
  return words.filter((_, at) => !spans.some(({ start, end }) => at >= start && at < end));
}

/** The words without any of the phrases. */
export function withoutPhrases(words: readonly Word[], table: PhraseTable): Word[] {
  const left: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const span = phraseAt(words, at, table);
    if (!span) left.push(words[at]!);
    at = span?.end ?? at + 1;
  }
  return left;
}
