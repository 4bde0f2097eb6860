import { arabicStem, rootsOf } from '../../../language/arabic-stem.ts';
import { stemOfAnySpelling } from '../../../language/english-stem.ts';
import { fold } from '../../../language/fold.ts';
import { everyListOf, listsOf } from '../../../language/lists.ts';

export interface Meanings {
  /** Concepts of policies and price lists (`=price`): certain. */
  readonly concepts: readonly string[];
  /** Rows of the general table in which the word stands: likely. */
  readonly synonyms: readonly number[];
  /** Rows of words that only belong together. */
  readonly relatives: readonly number[];
}

interface Rows {
  concepts: string[];
  synonyms: number[];
  relatives: number[];
}
export const NONE: Meanings = { concepts: [], synonyms: [], relatives: [] };
const TABLE = new Map<string, Rows>();
const BY_ROOT = new Map<string, number[]>();

/** Letters by which English words are told apart at a glance. */
export const BEGINNING_CHARS = 2;
const BEGINNINGS = new Map<string | number, Set<string>>();

function addTo(row: string | number, beginning: string): void {
  const known = BEGINNINGS.get(row);
  if (known) known.add(beginning);
  else BEGINNINGS.set(row, new Set([beginning]));
}

function learn(word: string, row: string | number, put: (rows: Rows) => void): void {
  const plain = fold(word);
  if (/^[a-z]/.test(plain)) addTo(row, plain.slice(0, BEGINNING_CHARS));
  const forms = /[a-z]/.test(plain) ? [plain, stemOfAnySpelling(plain)] : [plain, arabicStem(plain)];
  for (const form of new Set(forms)) {
    const rows = TABLE.get(form) ?? { concepts: [], synonyms: [], relatives: [] };
    TABLE.set(form, rows);
    put(rows);
  }
}
/** Arabic words of one root mostly belong together: `يفتش`, `تفتيش`. */
function learnRoots(word: string, index: number): void {
  const plain = fold(word);
  if (!/^[\u0621-\u06d3]{4,}$/.test(plain)) return;
  for (const root of rootsOf(arabicStem(plain))) {
    const rows = BY_ROOT.get(root) ?? [];
    BY_ROOT.set(root, rows);
    addOnce(rows, index);
  }
}
function addOnce<T>(list: T[], value: T): void {
  if (!list.includes(value)) list.push(value);
}

let isLearnt = false;
/** Once, with the first word that is looked up: it takes a tenth of a second, and most commands look up none. */
function learnAll(): void {
  isLearnt = true;
  for (const [name, words] of everyListOf('engines/document/retrieval/data/concepts.tsv')) {
    for (const word of words) {
      learn(word, `=${name}`, (rows) => {
        if (rows.concepts.length === 0) rows.concepts.push(`=${name}`);
      });
    }
  }
  const list = listsOf('engines/document/retrieval/data/synonyms.tsv');
  const same = list('same');
  for (const [index, row] of [...same, ...list('kin')].entries()) {
    for (const word of row.split(' ')) {
      learn(word, index, (rows) => addOnce(index < same.length ? rows.synonyms : rows.relatives, index));
      learnRoots(word, index);
    }
  }
}

/** What one word may mean, given its forms from the fullest to the barest: each table by the first form it knows. */
export function meaningsOf(forms: readonly string[], roots: readonly string[] = []): Meanings {
  if (!isLearnt) learnAll();
  const known = forms.map((form) => TABLE.get(form)).filter((rows) => rows !== undefined);
  const byRoot = roots.flatMap((root) => BY_ROOT.get(root) ?? []);
  if (known.length === 0) return byRoot.length === 0 ? NONE : { ...NONE, relatives: byRoot };
  const first = <T>(pick: (rows: Rows) => T[]): T[] => known.map(pick).find((list) => list.length > 0) ?? [];
  return {
    concepts: first((rows) => rows.concepts),
    synonyms: first((rows) => rows.synonyms),
    relatives: [...first((rows) => rows.relatives), ...byRoot],
  };
}

/** The first letters of the English words that may mean the same, or belong to it. */
export function beginningsOfMeanings({ concepts, synonyms, relatives }: Meanings): string[] {
  return [...concepts, ...synonyms, ...relatives].flatMap((row) => [...(BEGINNINGS.get(row) ?? [])]);
}
