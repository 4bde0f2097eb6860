import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorText } from '../core/errors.ts';
import { fold } from '../language/fold.ts';
import type { OwnWords } from '../language/own-words.ts';
import { didYouMean, Problems } from './problems.ts';

/** What a row may be, and whether it says in a third column how that is spoken. */
const LISTS = {
  'pronunciation-ar': { isSpoken: true },
  'pronunciation-en': { isSpoken: true },
  name: { isSpoken: false },
  'never-name': { isSpoken: false },
  product: { isSpoken: false },
  'stop-word': { isSpoken: false },
} as const;
type List = keyof typeof LISTS;
const LIST_NAMES = Object.keys(LISTS) as List[];

const ROWS_MAX = 5_000;
const CHARS_MAX = 80;
const WORDS_MAX = 5;

interface Row {
  readonly file: string;
  readonly line: number;
  readonly list: List;
  readonly entry: string;
  readonly spoken: string;
}

/**
 * Words of this installation: the rows `list<TAB>entry` or `list<TAB>entry<TAB>spoken` of all `*.tsv` in a folder, which may be
 * missing. A line that begins with `#` explains.
 *
 * @throws OperatorError that lists every problem with its file and line.
 */
export function loadLexicon(folder: string, cwd = process.cwd()): OwnWords {
  const problems = new Problems(cwd);
  const seen = new Map<string, Row>();
  for (const row of filesIn(folder, problems).flatMap((file) => rowsOf(file, problems))) {
    const key = `${row.list}\t${fold(row.entry)}`;
    const before = seen.get(key);
    if (before)
      problems.add(
        row.file,
        row.line,
        row.list,
        `${row.entry} stands in ${problems.shown(before.file)}:${before.line} already`,
      );
    else seen.set(key, row);
  }
  const rows = [...seen.values()];
  for (const row of rows) refuseEndless(row, rows, problems);
  if (rows.length > ROWS_MAX) problems.add(folder, 0, '', `expected at most ${ROWS_MAX} rows, got ${rows.length}`);
  problems.throwIfAny();
  const of = (list: List): string[] => rows.flatMap((row) => (row.list === list ? [row.entry] : []));
  const said = (list: List) =>
    new Map(rows.flatMap((row) => (row.list === list ? [[row.entry, row.spoken] as const] : [])));
  return {
    pronunciations: { ar: said('pronunciation-ar'), en: said('pronunciation-en') },
    names: of('name'),
    neverNames: of('never-name'),
    products: of('product'),
    stopWords: of('stop-word'),
  };
}

function filesIn(folder: string, problems: Problems): string[] {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.tsv'));
    return files.sort().map((name) => join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') problems.add(folder, 0, '', errorText(error));
    return [];
  }
}

function rowsOf(file: string, problems: Problems): Row[] {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    problems.add(file, 0, '', errorText(error));
  }
  return text.split(/\r?\n/).flatMap((line, at): Row[] => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [name = '', entry = '', spoken = '', ...more] = line.split('\t').map((one) => one.trim());
    const refuse = (why: string): Row[] => {
      problems.add(file, at + 1, '', why);
      return [];
    };
    const list = LIST_NAMES.find((one) => one === name);
    if (list === undefined)
      return refuse(
        `expected one of ${LIST_NAMES.join(', ')} before a tab, got ${name}${didYouMean(name, LIST_NAMES)}`,
      );
    if (!isPhrase(entry))
      return refuse(`expected a word or up to ${WORDS_MAX} behind ${list} and a tab, ${CHARS_MAX} characters at most`);
    const { isSpoken } = LISTS[list];
    if (isSpoken !== (spoken !== '') || more.length > 0) {
      return refuse(
        isSpoken ? `expected how ${entry} is said behind it and a tab` : `expected nothing behind ${entry}`,
      );
    }
    if (isSpoken && (!isPhrase(spoken, 4 * WORDS_MAX) || /\p{N}/u.test(spoken))) {
      return refuse(`expected words without digits as what is said for ${entry}`);
    }
    return [{ file, line: at + 1, list, entry, spoken }];
  });
}

function isPhrase(text: string, wordsMax = WORDS_MAX): boolean {
  return /[\p{L}\p{N}]/u.test(text) && text.length <= CHARS_MAX && text.split(/\s+/u).length <= wordsMax;
}

/** What is said would be taken for what is written, again and again. */
function refuseEndless({ file, line, list, entry, spoken }: Row, rows: readonly Row[], problems: Problems): void {
  if (spoken === '') return;
  const again = rows.find((row) => row.list === list && ` ${fold(spoken)} `.includes(` ${fold(row.entry)} `));
  if (again)
    problems.add(file, line, list, `${entry} is said with ${again.entry} in it, which is said otherwise itself`);
}
