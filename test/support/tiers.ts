import { readFileSync } from 'node:fs';
import { EVERY_TEST } from './property-runs.ts';

/** A test file that only long runs have, and which ones keep what it is about. All are below `test`, without their ending. */
export interface LongFile {
  readonly file: string;
  readonly why: string;
  readonly kept: readonly string[];
}

export const LONG_FILES = JSON.parse(
  readFileSync(new URL('../long-files.json', import.meta.url), 'utf8'),
) as readonly LongFile[];

export const pathOf = (file: string): string => `test/${file}.test.ts`;

/** What a run leaves out: nothing where it is long, nor what it was asked for by name. */
export function leftOut(args: readonly string[], isLong = EVERY_TEST): readonly string[] {
  const names = LONG_FILES.map(({ file }) => file).filter((file) => !args.some((arg) => arg.includes(file)));
  return isLong ? [] : names.map(pathOf);
}
