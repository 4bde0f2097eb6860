/** A line of two texts: only in the first (`-`), only in the second (`+`), or in both; with its number in each, from 1. */
export interface DiffLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
  readonly before?: number;
  readonly after?: number;
}

/** Lines that are the same and far from every change, as one. */
export interface Skipped {
  readonly skipped: number;
}

/** More changed lines than this are not told apart: the lines between the first and the last are another text. */
const CHANGES_MAX = 2_000;

/** What has to be taken out of and put into the lines of a text to make another (Myers 1986, greedy). Pure. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const signs = [
    ...' '.repeat(head),
    ...changes(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...' '.repeat(tail),
  ] as DiffLine['sign'][];
  let [x, y] = [0, 0];
  return signs.map((sign): DiffLine => {
    if (sign === '-') return { sign, text: a[x]!, before: ++x };
    if (sign === '+') return { sign, text: b[y]!, after: ++y };
    return { sign, text: a[x]!, before: ++x, after: ++y };
  });
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

function changes(a: readonly string[], b: readonly string[]): string {
  const most = Math.min(a.length + b.length, CHANGES_MAX);
  const reached: Int32Array[] = [];
  const furthest = new Int32Array(2 * most + 3);
  for (let d = 0; d <= most; d += 1) {
    reached.push(furthest.slice());
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(furthest, most, k - 1) < at(furthest, most, k + 1));
      let x = down ? at(furthest, most, k + 1) : at(furthest, most, k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1;
      furthest[k + most + 1] = x;
      if (x >= a.length && x - k >= b.length) return wayBack(reached, most, a.length, b.length);
    }
  }
  return '-'.repeat(a.length) + '+'.repeat(b.length);
}

const at = (row: Int32Array, most: number, k: number): number => row[k + most + 1] ?? 0;

function wayBack(reached: readonly Int32Array[], most: number, xEnd: number, yEnd: number): string {
  const signs: string[] = [];
  let [x, y] = [xEnd, yEnd];
  for (let d = reached.length - 1; d > 0; d -= 1) {
    const row = reached[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && at(row, most, k - 1) < at(row, most, k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = at(row, most, fromK);
    const same = down ? x - fromX : x - fromX - 1;
    signs.push(' '.repeat(Math.max(0, same)), down ? '+' : '-');
    [x, y] = [fromX, fromX - fromK];
  }
  signs.push(' '.repeat(x));
  return signs.reverse().join('');
}

/** Changes with so many lines around them. Pure. */
export function withContext(lines: readonly DiffLine[], around = 3): readonly (DiffLine | Skipped)[] {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ sign }, index) => {
    if (sign !== ' ') near.fill(1, Math.max(0, index - around), index + around + 1);
  });
  const shown: (DiffLine | Skipped)[] = [];
  let skipped = 0;
  lines.forEach((line, index) => {
    if (near[index]) {
      if (skipped > 0) shown.push({ skipped });
      skipped = 0;
      shown.push(line);
    } else skipped += 1;
  });
  return skipped > 0 ? [...shown, { skipped }] : shown;
}
