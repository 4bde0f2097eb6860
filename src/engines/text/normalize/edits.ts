/** `text.slice(start, end)` was replaced by `to`, which begins at `outputStart` of the result. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly outputStart: number;
  readonly to: string;
}

/** A stretch of the middle text, with where it comes from. */
interface Piece {
  readonly from: number;
  readonly until: number;
}

/**
 * Two rounds of edits as one: `first` turned the source into `middle`, `second` edits `middle`. Edits that touch become one.
 * Both lists are in order and without overlap; so is the result.
 */
export function composeEdits(first: readonly Edit[], middle: string, second: readonly Edit[]): Edit[] {
  const composed: Edit[] = [];
  let grown = 0; // how much longer the result is than the middle text, up to here
  let one = 0;
  let two = 0;
  while (one < first.length || two < second.length) {
    const piece = nextPiece(first, one, second, two);
    const source = { start: sourceOf(first, one, piece.from), end: 0 };
    let to = '';
    let copied = piece.from;
    let until = piece.until;
    let grew = true;
    while (grew) {
      grew = false;
      while (one < first.length && (first[one]!.outputStart < until || first[one]!.outputStart === piece.from)) {
        until = Math.max(until, outputEnd(first[one]!));
        one += 1;
        grew = true;
      }
      while (two < second.length && second[two]!.start < until) {
        to += middle.slice(copied, second[two]!.start) + second[two]!.to;
        copied = second[two]!.end;
        until = Math.max(until, second[two]!.end);
        two += 1;
        grew = true;
      }
    }
    to += middle.slice(copied, until);
    source.end = sourceOf(first, one, until);
    composed.push({ ...source, outputStart: piece.from + grown, to });
    grown += to.length - (until - piece.from);
  }
  return composed;
}

function nextPiece(first: readonly Edit[], one: number, second: readonly Edit[], two: number): Piece {
  const a = first[one];
  const b = second[two];
  if (b === undefined || (a !== undefined && a.outputStart <= b.start)) {
    return { from: a!.outputStart, until: outputEnd(a!) };
  }
  return { from: b.start, until: b.end };
}

function outputEnd(edit: Edit): number {
  return edit.outputStart + edit.to.length;
}

/** Where a place of the middle text that is in no edit comes from; `next` is the first edit not before it. */
function sourceOf(first: readonly Edit[], next: number, place: number): number {
  const upcoming = first[next];
  if (upcoming !== undefined && upcoming.outputStart === place) return upcoming.start;
  const last = first[next - 1];
  return last === undefined ? place : last.end + (place - outputEnd(last));
}
