import { type Clock, repeat } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Trunk } from '../core/trunk.ts';
import type { TrunkRows, TrunkSecrets } from '../store/trunks.ts';
import { TRUNKS_MAX } from '../store/trunks.ts';
import { TtlCache } from '../store/ttl-cache.ts';
import { SourceMatcher } from './source-match.ts';

/** What others (the command line, another gateway) change is seen this much later. */
export const REFRESH_MS = 5_000;

export interface TrunkDirectoryDeps {
  readonly rows: Pick<TrunkRows, 'list' | 'secretsOf'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Every trunk, in memory: who calls in is known without asking the database, and while that is away. */
export class TrunkDirectory {
  #trunks: readonly Trunk[] = [];
  #matcher = new SourceMatcher([]);
  #failing = false;
  #stop: () => void = () => undefined;
  #refreshing: Promise<void> | undefined;
  readonly #secrets: TtlCache<TrunkSecrets>;

  private constructor(private readonly deps: TrunkDirectoryDeps) {
    this.#secrets = new TtlCache(deps.clock, REFRESH_MS, TRUNKS_MAX);
  }

  /** Rejects where the trunks cannot be read: a gateway that knows none would refuse every carrier. */
  static async open(deps: TrunkDirectoryDeps): Promise<TrunkDirectory> {
    const directory = new TrunkDirectory(deps);
    directory.#take(await deps.rows.list());
    directory.#stop = repeat(deps.clock, REFRESH_MS, () => void directory.refresh());
    return directory;
  }

  get trunks(): readonly Trunk[] {
    return this.#trunks;
  }
  get sources(): SourceMatcher {
    return this.#matcher;
  }

  get(id: string): Trunk | undefined {
    return this.#trunks.find((trunk) => trunk.id === id);
  }

  /** Those that an account may call by: its own first, then the operator's; each in order of name. */
  trunksFor(accountId: string): readonly Trunk[] {
    return [...this.#trunks.filter((t) => t.accountId === accountId), ...this.#trunks.filter((t) => !t.accountId)];
  }

  /** @throws OperatorError where they cannot be opened. */
  secretsOf(trunkId: string): Promise<TrunkSecrets> {
    return this.#secrets.get(trunkId, () => this.deps.rows.secretsOf(trunkId));
  }

  /** Reads them again. What is known stays where that fails; never rejects, and one reading is under way at a time. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  close(): void {
    this.#stop();
  }

  async #refresh(): Promise<void> {
    try {
      this.#take(await this.deps.rows.list());
      this.#failing = false;
    } catch (error) {
      if (!this.#failing)
        this.deps.logger.warn({ error: errorText(error) }, 'trunks cannot be read: the known ones serve');
      this.#failing = true;
    }
  }

  #take(trunks: readonly Trunk[]): void {
    const changed = JSON.stringify(trunks) !== JSON.stringify(this.#trunks);
    if (!changed) return;
    this.#trunks = trunks;
    this.#matcher = new SourceMatcher(trunks);
    this.#secrets.clear();
  }
}
