/** A loudness that changes twenty times a second: told to whoever draws it, past everything else of the page. */
export class Level {
  readonly #watchers = new Set<(share: number) => void>();

  /** @param level - root mean square, 0..1. */
  tell(level: number): void {
    const share = shareOf(level);
    for (const watcher of this.#watchers) watcher(share);
  }

  watch(watcher: (share: number) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }
}

/** Quieter than this is nothing. */
const QUIET_DB = -54;
const LOUD_DB = -9;

/** What part of a meter is filled, 0..1: ears hear in decibels. */
export const shareOf = (level: number): number => shareOfDb(20 * Math.log10(Math.max(level, 1e-6)));

/** The same of decibels of full scale. */
export const shareOfDb = (db: number): number => Math.max(0, Math.min(1, (db - QUIET_DB) / (LOUD_DB - QUIET_DB)));
