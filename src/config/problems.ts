import { relative } from 'node:path';
import { OperatorError } from '../core/errors.ts';
import { type Notice, textOf } from '../core/notice.ts';

/** Problems listed at once; a file of the wrong kind would fill the screen. */
const LISTED_MAX = 50;

/**
 * Everything that is wrong with the configuration, collected so that a person mends it in one go. One line each:
 * `config/nidaa.yaml:12 sip.port: expected an integer 0..65535, got "abc"`.
 */
export class Problems {
  readonly #lines: string[] = [];
  constructor(readonly cwd: string) {}

  get count(): number {
    return this.#lines.length;
  }

  /** `line` from 1; 0 where there is none (the file itself, the environment). */
  add(file: string, line: number, field: string, said: string | Notice): void {
    const where = line > 0 ? `${this.shown(file)}:${line}` : this.shown(file);
    this.#lines.push(`${where} ${field === '' ? '' : `${field}: `}${textOf(said)}`);
  }

  /** @throws OperatorError when there is any. */
  throwIfAny(): void {
    if (this.#lines.length === 0) return;
    const more = this.#lines.length - LISTED_MAX;
    const lines = [...this.#lines.slice(0, LISTED_MAX), ...(more > 0 ? [`... and ${more} more`] : [])];
    throw new OperatorError(`The configuration cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }

  shown(file: string): string {
    const near = relative(this.cwd, file);
    return near === '' || near.startsWith('..') ? file : near;
  }
}

/** The candidate that `word` was probably meant to be, or undefined. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const folded = word.toLowerCase();
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    const isPrefix = folded.length >= 4 && other.startsWith(folded); // a unit was forgotten: noInput, noInputMs
    const distance = isPrefix ? 1 : editDistance(folded, other);
    if (distance <= Math.floor(folded.length / 3) && distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** For sentences of settings, which have no code. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = closest(word, candidates);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** Letters to insert, delete, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(change, rows[i - 1]![j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
