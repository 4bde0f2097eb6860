import { readFileSync } from 'node:fs';
import type { PackedLists } from './pack-lists.ts';

/** Where the build puts what it has packed. */
const BUILT = new URL('../', import.meta.url);

/** What was read, by folder: at most one entry for each folder of data. */
const FOLDERS = new Map<string, Readonly<Record<string, PackedLists>>>();

function listsIn(file: string): PackedLists {
  const end = file.lastIndexOf('/');
  const [folder, name] = [file.slice(0, end), file.slice(end + 1, -'.tsv'.length)];
  const known = FOLDERS.get(folder);
  const files =
    known ?? (JSON.parse(readFileSync(new URL(`${folder}/lists.json`, BUILT), 'utf8')) as Record<string, PackedLists>);
  if (!known) FOLDERS.set(folder, files);
  const lists = files[name];
  if (lists === undefined) throw new Error(`${file} is not among the word lists that were built`);
  return lists;
}

/**
 * Word lists of a data file, as the build has packed them (`scripts/word-lists.mjs`).
 *
 * @param file - below `src`: `engines/text/redact/data/labels.tsv`.
 * @returns the entries of a list by its name, in their order. @throws Error for a list that is not in the file.
 */
export function listsOf(file: string): (name: string) => readonly string[] {
  const lists = listsIn(file);
  return (name) => {
    const entries = lists[name];
    if (entries === undefined) throw new Error(`${file} has no list ${name}`);
    return entries.split('\n');
  };
}

/** All lists of a data file, each under its name, in their order. */
export function everyListOf(file: string): readonly (readonly [name: string, entries: readonly string[]])[] {
  return Object.entries(listsIn(file)).map(([name, entries]) => [name, entries.split('\n')]);
}
