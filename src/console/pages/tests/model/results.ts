/** What a run says of a dialogue; of a dialogue that was not held in it there is nothing. */
export type Outcome = 'passed' | 'failed' | 'skipped';
interface Named {
  readonly name: string;
}
export interface Row<D, R> {
  readonly name: string;
  /** As the text has it; undefined where it has gone from there. */
  readonly dialogue: D | undefined;
  readonly result: R | undefined;
}

/** Dialogues of the text with what came of each, then those that only the run knows. Pure. */
export function rowsOf<D extends Named, R extends Named>(dialogues: readonly D[], results: readonly R[]): Row<D, R>[] {
  const of = new Map(results.map((result) => [result.name, result]));
  const here = dialogues.map((dialogue) => ({ name: dialogue.name, dialogue, result: of.get(dialogue.name) }));
  const names = new Set(dialogues.map(({ name }) => name));
  const gone = results.filter(({ name }) => !names.has(name));
  return [...here, ...gone.map((result) => ({ name: result.name, dialogue: undefined, result }))];
}

interface Counted {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
/** Share of a run that is over, 0..1. Pure. */
export function doneShare({ total, passed, failed, skipped }: Counted): number {
  return total === 0 ? 1 : Math.min(1, (passed + failed + skipped) / total);
}

/** A line of a text without the space around it, in characters from 0; the whole of the first for 0 and beyond the end. Pure. */
export function placeOfLine(text: string, line: number): { readonly from: number; readonly to: number } {
  const lines = text.split('\n');
  const at = line >= 1 && line <= lines.length ? line - 1 : 0;
  const start = lines.slice(0, at).reduce((sum, one) => sum + one.length + 1, 0);
  const written = lines[at] ?? '';
  const from = start + (written.length - written.trimStart().length);
  return { from, to: Math.max(from, start + written.trimEnd().length) };
}
