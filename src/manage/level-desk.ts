import type { LiveCall } from '../call/call-registry.ts';
import type { CallLevels } from '../core/call-levels.ts';
import type { Clock } from '../core/clock.ts';

/** So often levels are told. */
export const LEVELS_EVERY_MS = 100;
/** Calls whose levels one reader is told. */
export const LEVEL_CALLS_MAX = 50;
const KEPT_MAX = 2_000;

/** Levels of calls for several readers: a reading of the meter takes what it has, so that it is shared for a while. */
export class LevelDesk {
  readonly #read = new Map<string, { readonly atMs: number; readonly levels: CallLevels | undefined }>();

  constructor(
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly calls: () => readonly LiveCall[],
  ) {}

  /** Of calls of the account, those of `ids` only where they are given, the latest of many: `[caller, agent]` in dBFS. */
  of(accountId: string, ids: ReadonlySet<string> | undefined): Record<string, readonly [number, number]> {
    const mine = this.calls().filter((call) => call.accountId === accountId && (!ids || ids.has(call.id)));
    const told: Record<string, readonly [number, number]> = {};
    for (const call of mine.slice(-LEVEL_CALLS_MAX)) {
      const levels = this.#levelsOf(call);
      if (levels) told[call.id] = [Math.round(levels.heardDb), Math.round(levels.saidDb)];
    }
    return told;
  }

  #levelsOf(call: LiveCall): CallLevels | undefined {
    const nowMs = this.clock.nowMs();
    const known = this.#read.get(call.id);
    if (known && nowMs - known.atMs < LEVELS_EVERY_MS / 2) return known.levels;
    if (this.#read.size >= KEPT_MAX) this.#read.clear();
    const levels = call.levels?.();
    this.#read.set(call.id, { atMs: nowMs, levels });
    return levels;
  }
}
