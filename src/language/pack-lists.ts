import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Entries of each list, joined by line ends. */
export type PackedLists = Readonly<Record<string, string>>;

const HEAD = 'list\tentry';

/**
 * Rows of `list<TAB>entry`, as `src/language/README.md` describes them, for `lists.ts`.
 *
 * @param file - named where a row is refused.
 * @throws Error with the line that is no such row, stands twice or away from the others of its list.
 */
export function packLists(text: string, file = ''): PackedLists {
  const lists = new Map<string, Set<string>>();
  let last = '';
  let hasHead = false;
  text.split('\n').forEach((line, at) => {
    if (line === '' || line.startsWith('#')) return;
    const refuse = (why: string): never => {
      throw new Error(`${file}:${at + 1} ${why}`);
    };
    if (!hasHead && line !== HEAD) refuse('begins with no row of the two names `list` and `entry`');
    if (line === HEAD) {
      hasHead = true;
      return;
    }
    const [name = '', entry = '', ...more] = line.split('\t');
    const isRow = name !== '' && entry !== '' && more.length === 0 && name.trim() === name && entry.trim() === entry;
    if (!isRow) refuse('is no row of a list and an entry');
    const entries = lists.get(name) ?? new Set();
    if (name !== last && entries.size > 0) refuse(`belongs to a list that ended before: ${name}`);
    if (entries.has(entry)) refuse(`stands twice: ${entry}`);
    lists.set(name, entries.add(entry));
    last = name;
  });
  return Object.fromEntries([...lists].map(([name, entries]) => [name, [...entries].join('\n')]));
}

/** The files with word lists below a folder, as paths from there: those in folders called `data` that have the head. */
export function listFiles(src: string): string[] {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:^|\/)data\/[^/]+\.tsv$/.test(path))
    .filter((path) => readFileSync(join(src, path), 'utf8').includes(`\n${HEAD}\n`))
    .sort();
}

/** All of them packed, by their folder and by their name. */
export function packFolders(src: string): ReadonlyMap<string, Readonly<Record<string, PackedLists>>> {
  const folders = new Map<string, Readonly<Record<string, PackedLists>>>();
  for (const file of listFiles(src)) {
    const lists = packLists(readFileSync(join(src, file), 'utf8'), file);
    folders.set(dirname(file), { ...folders.get(dirname(file)), [basename(file, '.tsv')]: lists });
  }
  return folders;
}
