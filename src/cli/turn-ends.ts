import { type PauseNote, pausesOf } from '../core/turn-details.ts';
import type { CommandContext } from './context.ts';
import { emit, paint, table } from './output.ts';
import { msOf, percentOf, quantile, shareOf } from './shares.ts';

/** Of the pauses of one language: what they were, and what the model would have done. Shares are 0..1, null of nothing. */
export interface TurnEndFigures {
  readonly language: string;
  readonly pauses: number;
  /** Those that it judged in time; the rest was left to the words and the clock. */
  readonly judged: number;
  /** Of those judged, where it said what was so. */
  readonly right: number | null;
  /** Of turns that went on: it said complete, and they would have been cut. */
  readonly would_cut: number | null;
  /** Of turns that were over: it said incomplete, and they would have waited. */
  readonly would_wait: number | null;
  /** Of all turns that were taken as over: the caller went on. */
  readonly were_cut: number | null;
  /** Waited after it had rightly said complete, half of them longer, milliseconds. */
  readonly to_gain_ms: number | null;
  readonly answer_p50_ms: number | null;
  readonly answer_p95_ms: number | null;
}

/** @param complete - how likely a turn has to be complete, where that is to be tried; else as it was judged. */
export function turnEndFigures(pauses: readonly PauseNote[], complete?: number): TurnEndFigures[] {
  const languages = [...new Set(pauses.map(({ language }) => language))].sort();
  return languages.map((language) => {
    const own = pauses.filter((pause) => pause.language === language);
    const judged = own.flatMap((pause) => {
      const said = saidOf(pause, complete);
      return said === undefined ? [] : [{ ...pause, said, isOver: pause.truth === 'over' }];
    });
    const over = judged.filter(({ isOver }) => isOver);
    const more = judged.filter(({ isOver }) => !isOver);
    const taken = own.filter(({ truth }) => truth !== 'went-on');
    const saysComplete = ({ said }: { readonly said: string }): boolean => said === 'complete';
    const times = own.flatMap(({ ms }) => (ms === undefined ? [] : [ms]));
    const waits = over.filter(saysComplete).flatMap(({ waited }) => (waited === undefined ? [] : [waited]));
    return {
      ...{ language, pauses: own.length, judged: judged.length },
      right: shareOf(judged, (pause) => saysComplete(pause) === pause.isOver),
      would_cut: shareOf(more, saysComplete),
      would_wait: shareOf(over, (pause) => !saysComplete(pause)),
      were_cut: shareOf(taken, ({ truth }) => truth === 'cut'),
      to_gain_ms: quantile(waits, 0.5),
      answer_p50_ms: quantile(times, 0.5),
      answer_p95_ms: quantile(times, 0.95),
    };
  });
}

function saidOf({ said, probability }: PauseNote, complete: number | undefined): 'complete' | 'incomplete' | undefined {
  if (said !== 'complete' && said !== 'incomplete') return undefined;
  if (complete === undefined || probability === undefined) return said;
  return probability >= complete ? 'complete' : 'incomplete';
}

/** How the model that judges pauses compares with what callers did, by language. */
export function showTurnEnds(
  context: CommandContext,
  { limit, complete }: { readonly limit: number; readonly complete?: number },
): Promise<void> {
  return context.withDesk(async ({ calls }) => {
    const figures = turnEndFigures((await calls.judged(limit)).flatMap(pausesOf), complete);
    const { out } = context;
    emit(out, figures, () => {
      if (figures.length === 0) {
        out.write('No pause was judged in these calls: engines.sherpa.turnEnd names the model that does.\n');
        return;
      }
      table(
        out,
        ['language', 'pauses', 'judged', 'right', 'would cut', 'would wait', 'were cut', 'to gain', 'answers p50, p95'],
        figures.map((row) => [
          ...[row.language, `${row.pauses}`, `${row.judged}`, percentOf(row.right)],
          ...[percentOf(row.would_cut), percentOf(row.would_wait), percentOf(row.were_cut), msOf(row.to_gain_ms)],
          `${msOf(row.answer_p50_ms)}, ${msOf(row.answer_p95_ms)}`,
        ]),
      );
      out.write(
        paint(out, 'dim', `\nOf the latest ${limit} calls that are not erased. --complete tries another limit.\n`),
      );
    });
  });
}
