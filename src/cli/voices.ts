import type { VoiceNote } from '../core/turn-details.ts';
import type { CommandContext } from './context.ts';
import { emit, paint, table } from './output.ts';
import { msOf, percentOf, quantile, shareOf } from './shares.ts';

/** Of the turns of one language: what a detector and a model took for speech. Shares are 0..1, null of nothing. */
export interface VoiceFigures {
  readonly language: string;
  readonly turns: number;
  /** Those that the model judged in time, all of them. */
  readonly judged: number;
  /** Of those judged and with words: the model would have kept them out. */
  readonly would_miss: number | null;
  /** Of those judged and with words: what the detector took for speech and is none with the model. */
  readonly shorter: number | null;
  /** With words, in what the model alone heard. */
  readonly found_more: number;
  /** How much later they begin with the model. */
  readonly later_p50_ms: number | null;
  readonly later_p95_ms: number | null;
}

export function voiceFigures(notes: readonly VoiceNote[]): VoiceFigures[] {
  const languages = [...new Set(notes.map(({ language }) => language))].sort();
  return languages.map((language) => {
    const own = notes.filter((note) => note.language === language);
    const judged = own.filter(({ found }) => found !== 'away');
    const spoken = judged.filter(({ words }) => words);
    const later = judged.flatMap(({ laterMs }) => (laterMs === undefined ? [] : [laterMs]));
    return {
      ...{ language, turns: own.length, judged: judged.length },
      would_miss: shareOf(spoken, ({ found }) => found === 'denied'),
      shorter: shareOf(spoken, ({ detectorMs, togetherMs }) => togetherMs < detectorMs),
      found_more: spoken.filter(({ found }) => found === 'added').length,
      ...{ later_p50_ms: quantile(later, 0.5), later_p95_ms: quantile(later, 0.95) },
    };
  });
}

/** How the model that judges voices compares with the detector, and with whether there were words, by language. */
export function showVoices(context: CommandContext, { limit }: { readonly limit: number }): Promise<void> {
  return context.withDesk(async ({ calls }) => {
    const figures = voiceFigures((await calls.judged(limit)).flatMap(({ voice }) => voice ?? []));
    const { out } = context;
    emit(out, figures, () => {
      if (figures.length === 0) {
        out.write('No voice was judged in these calls: engines.sherpa.vad names the model that does.\n');
        return;
      }
      table(
        out,
        ['language', 'turns', 'judged', 'would miss', 'shorter', 'found more', 'later p50, p95'],
        figures.map((row) => [
          ...[row.language, `${row.turns}`, `${row.judged}`, percentOf(row.would_miss), percentOf(row.shorter)],
          ...[`${row.found_more}`, `${msOf(row.later_p50_ms)}, ${msOf(row.later_p95_ms)}`],
        ]),
      );
      out.write(
        paint(
          out,
          'dim',
          `\nTurns of the latest ${limit} calls that are not erased. Sounds that were none are counted in metrics.\n`,
        ),
      );
    });
  });
}
