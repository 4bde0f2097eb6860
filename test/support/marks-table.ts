import { keepsTo, type MarkFigure, type MarkRow, type Measured } from './mark-rows.ts';

/** How a test of a row ended; `why` says it of one that was left out or failed. */
export interface RowTest {
  readonly row: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly why?: string;
}

export interface MarksTable {
  readonly lines: readonly (readonly string[])[];
  readonly isKept: boolean;
}

const TITLES = ['mark', 'what', 'required', 'measured', 'load', 'verdict', 'from'] as const;

/**
 * Every row in its order, each figure beside its bounds; of a figure measured several times the worst one.
 *
 * @param whole - every row was asked for: one that did not run, or a figure that was not measured, is a failure then; otherwise
 * it is left out.
 */
export function marksTable(
  rows: readonly MarkRow[],
  measured: readonly Measured[],
  tests: readonly RowTest[],
  whole: boolean,
): MarksTable {
  const lines: (readonly string[])[] = [TITLES];
  let isKept = true;
  for (const row of rows) {
    const { told, kept } = linesOf(
      row,
      measured.filter((one) => one.row === row.row),
      tests.filter((one) => one.row === row.row),
      whole,
    );
    lines.push(...told);
    isKept &&= kept;
  }
  return { lines, isKept };
}

function linesOf(
  { row, about, tests, figures }: MarkRow,
  measured: readonly Measured[],
  ran: readonly RowTest[],
  whole: boolean,
): { told: string[][]; kept: boolean } {
  const from = tests.join(', ');
  const head = (verdict: string): string[] => [row, about, '', '', '', verdict, from];
  const failed = ran.find(({ state }) => state === 'failed');
  const leftOut = ran.find(({ state, why }) => state === 'skipped' && why !== undefined);
  const hasRun = ran.some(({ state }) => state !== 'skipped');
  if (!hasRun && leftOut) return { told: [head(`skipped: ${leftOut.why}`)], kept: true };
  if (!hasRun) return whole ? { told: [head('DID NOT RUN')], kept: false } : { told: [], kept: true };
  let kept = true;
  const told: string[][] = [];
  for (const [name, figure] of Object.entries(figures)) {
    const found = measured.filter((one) => one.figure === name);
    if (found.length === 0 && !whole) continue;
    const worst = worstOf(figure, found);
    const isKept = worst ? keepsTo(figure, worst.value ?? Number.NaN) : leftOut !== undefined;
    const missing = leftOut ? `skipped: ${leftOut.why}` : 'NOT MEASURED';
    const verdict = worst ? (isKept ? 'pass' : 'FAIL') : missing;
    kept &&= isKept;
    told.push([row, figure.what, bounds(figure), shown(worst, found.length), load(worst), verdict, from]);
  }
  if (failed) told.push(head(`FAIL: ${failed.why ?? 'its test failed'}`));
  return { told, kept: kept && !failed };
}

function worstOf(figure: MarkFigure, found: readonly Measured[]): Measured | undefined {
  const beyond = ({ value }: Measured): number =>
    value === null ? Infinity : Math.max(value - (figure.atMost ?? Infinity), (figure.atLeast ?? -Infinity) - value);
  return found.toSorted((a, b) => beyond(b) - beyond(a))[0];
}

function bounds({ atLeast, atMost }: MarkFigure): string {
  if (atLeast === atMost) return `= ${atMost}`;
  return [atLeast === undefined ? '' : `>= ${atLeast}`, atMost === undefined ? '' : `<= ${atMost}`].join(' ').trim();
}

function shown(worst: Measured | undefined, count: number): string {
  if (!worst) return '-';
  const { value, of } = worst;
  const figure = value === null ? 'no number' : Number.isInteger(value) ? String(value) : value.toFixed(2);
  return [figure, of === undefined ? '' : `(${of})`, count > 1 ? `worst of ${count}` : ''].filter(Boolean).join(' ');
}

const load = (worst: Measured | undefined): string => worst?.load.toFixed(1) ?? '';

/** As text, a column as wide as the widest of it; the last one as it comes. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = TITLES.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, at) => cell.padEnd(widths[at]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
