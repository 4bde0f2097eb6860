import { opendir, stat } from 'node:fs/promises';
import type { Clock } from '../core/clock.ts';
import { RECORDINGS_FOLDER, type RecordingFiles, recordingOf } from '../recordings/recording-files.ts';
import type { RecordingHome } from '../recordings/recording-home.ts';
import type { RecordingRows } from '../store/recordings.ts';

const DAY_MS = 86_400_000;
const NAMES_AT_ONCE = 500;
/** A copy whose twin in the home was believed is left behind only by a death between the two. */
const LEFT_BEHIND_MS = 3_600_000;
/** Of one sweep of the home, a thousand names each; the next one goes on from there. */
const PAGES_MAX = 200;

/** Removed by one sweep; the rest by the next ones. */
const REMOVED_MAX = 10_000;

export interface Swept {
  /** Files that no record knows: seen, and of those removed, for they were old enough. */
  readonly unknown: number;
  readonly removed: number;
  /** Recordings that should be there and are not. Nothing is changed for them: a disk may not be mounted. */
  readonly missing: number;
}

/**
 * Files without a record. They are removed only where more files have one than have none: else this is another database than the
 * one that they were recorded with, and they are kept and told of.
 */
class Unknown {
  #known = 0;
  #seen = 0;
  readonly #old: string[] = [];
  constructor(private readonly deps: Pick<SweepDeps, 'clock' | 'orphanDays'>) {}

  knows(): void {
    this.#known += 1;
  }

  sees({ name, changed }: Seen): void {
    this.#seen += 1;
    const isOld = this.deps.clock.utc().getTime() - changed.getTime() > this.deps.orphanDays * DAY_MS;
    if (isOld && this.#old.length < REMOVED_MAX) this.#old.push(name);
  }

  async remove(one: (name: string) => Promise<void>): Promise<Omit<Swept, 'missing'>> {
    if (this.#seen >= this.#known) return { unknown: this.#seen, removed: 0 };
    for (const name of this.#old) await one(name);
    return { unknown: this.#seen, removed: this.#old.length };
  }
}

interface Seen {
  readonly name: string;
  readonly changed: Date;
}

export interface SweepDeps {
  readonly rows: Pick<RecordingRows, 'known' | 'inHome' | 'node' | 'ensure'>;
  readonly clock: Clock;
  /** Files without a record may go when they have been there for so long: until then a database may be restored. */
  readonly orphanDays: number;
}

/** Looks at the files on the disk of this node. Safe to run twice, and to be killed. @throws what disk and database fail with. */
export async function sweepDisk(deps: SweepDeps, files: RecordingFiles): Promise<Omit<Swept, 'missing'>> {
  const unknown = new Unknown(deps);
  let batch: Seen[] = [];
  const judge = async (): Promise<void> => {
    const known = await deps.rows.known([...new Set(batch.map(({ name }) => recordingOf(name)))]);
    for (const one of batch) {
      const row = known.get(recordingOf(one.name));
      if (!row) {
        unknown.sees(one);
        continue;
      }
      unknown.knows();
      // From now on it is looked after as all are.
      if (row.unlistedId && row.node === deps.rows.node) await deps.rows.ensure(row.unlistedId, recordingOf(one.name));
      const ageMs = deps.clock.utc().getTime() - one.changed.getTime();
      if (row.place === 'home' && ageMs > LEFT_BEHIND_MS) await files.removeOne(one.name);
    }
    batch = [];
  };
  const folder = await opendir(files.pathOf(RECORDINGS_FOLDER)!);
  for await (const entry of folder) {
    if (!entry.isFile()) continue;
    const name = `${RECORDINGS_FOLDER}/${entry.name}`;
    const found = await stat(files.pathOf(name)!).catch(() => undefined);
    if (found) batch.push({ name, changed: found.mtime });
    if (batch.length >= NAMES_AT_ONCE) await judge();
  }
  await judge();
  return unknown.remove((name) => files.removeOne(name));
}

/** Looks at the files in the home, page by page. @returns with `next` where it is not through: where the next sweep goes on. */
export async function sweepHome(
  deps: SweepDeps,
  home: RecordingHome,
  after: string | undefined,
): Promise<Swept & { readonly next?: string }> {
  const unknown = new Unknown(deps);
  let missing = 0;
  let from = after;
  let isThrough = false;
  for (let page = 0; page < PAGES_MAX && !isThrough; page += 1) {
    const listed = await home.list(from);
    // Behind the last name of the storage nothing is there any more.
    const last = listed.at(-1)?.name ?? LAST_NAME;
    const names = new Set(listed.map(({ name }) => name));
    const known = await deps.rows.known([...new Set([...names].map(recordingOf))]);
    for (const one of listed) {
      if (known.has(recordingOf(one.name))) unknown.knows();
      else unknown.sees(one);
    }
    const expected = await deps.rows.inHome(from ?? '', last, listed.length + NAMES_AT_ONCE);
    missing += expected.filter((name) => !names.has(name)).length;
    isThrough = listed.length === 0;
    from = last;
  }
  const swept = await unknown.remove((name) => home.remove(name));
  return { ...swept, missing, ...(!isThrough && from !== undefined && { next: from }) };
}

/** Behind every name of a recording. */
const LAST_NAME = `${RECORDINGS_FOLDER}/\uffff`;
