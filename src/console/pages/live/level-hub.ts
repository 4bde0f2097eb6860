import { shareOfDb } from '../../audio/levels.ts';

/** Parts of a meter that are filled, 0..1. */
export type LevelWatcher = (caller: number, agent: number) => void;

/** Loudness of calls, ten times a second, to whoever draws it: past everything else of the page. */
export class LevelHub {
  readonly #watchers = new Map<string, Set<LevelWatcher>>();

  /** Every watcher is told each time, of silence where nothing was measured: what it draws moves on. */
  tell(levels: Readonly<Record<string, unknown>>): void {
    for (const [id, watchers] of this.#watchers) {
      const [caller, agent] = pairOf(levels[id]);
      for (const watcher of watchers) watcher(caller, agent);
    }
  }

  watch(id: string, watcher: LevelWatcher): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers.add(watcher));
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(id);
    };
  }
}

/** `[caller, agent]` in dBFS. */
function pairOf(told: unknown): readonly [number, number] {
  if (!Array.isArray(told)) return [0, 0];
  const [caller, agent] = told as readonly unknown[];
  return [typeof caller === 'number' ? shareOfDb(caller) : 0, typeof agent === 'number' ? shareOfDb(agent) : 0];
}
