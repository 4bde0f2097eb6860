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

export interface Swept {
  /** Files that no record knows: seen, and of those removed, for they were old enough. */
  readonly unknown: number;
  readonly removed: number;
  /** Recordings that should be there and are not. Nothing is changed for them: a disk may not be mounted. */
  readonly missing: number;
}

interface Seen {
  readonly name: string;
  readonly changed: Date;
}

export interface SweepDeps {
  readonly rows: Pick<RecordingRows, 'known' | 'inHome' | 'node' | 'ensure'>;
  readonly clock: Clock;
  /** Files without a record go when they have been there for so long: until then a database may be restored. */
  readonly orphanDays: number;
}

/** Looks at the files on the disk of this node. Safe to run twice, and to be killed. @throws what disk and database fail with. */
export async function sweepDisk(deps: SweepDeps, files: RecordingFiles): Promise<Omit<Swept, 'missing'>> {
  const swept = { unknown: 0, removed: 0 };
  let batch: Seen[] = [];
  const judge = async (): Promise<void> => {
    const known = await deps.rows.known([...new Set(batch.map(({ name }) => recordingOf(name)))]);
    for (const { name, changed } of batch) {
      const row = known.get(recordingOf(name));
      const ageMs = deps.clock.utc().getTime() - changed.getTime();
      // From now on it is looked after as all are.
      if (row?.unlistedId && row.node === deps.rows.node) await deps.rows.ensure(row.unlistedId, recordingOf(name));
      if (row?.place === 'home' && ageMs > LEFT_BEHIND_MS) await files.removeOne(name);
      if (row) continue;
      swept.unknown += 1;
      if (ageMs <= deps.orphanDays * DAY_MS) continue;
      await files.removeOne(name);
      swept.removed += 1;
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
  return swept;
}

/** Looks at the files in the home, page by page. @returns with `next` where it is not through: where the next sweep goes on. */
export async function sweepHome(
  { rows, clock, orphanDays }: SweepDeps,
  home: RecordingHome,
  after: string | undefined,
): Promise<Swept & { readonly next?: string }> {
  const swept = { unknown: 0, removed: 0, missing: 0 };
  let from = after;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const listed = await home.list(from);
    // Behind the last name of the storage nothing is there any more.
    const last = listed.at(-1)?.name ?? LAST_NAME;
    const names = new Set(listed.map(({ name }) => name));
    const known = await rows.known([...new Set([...names].map(recordingOf))]);
    for (const { name, changed } of listed) {
      if (known.has(recordingOf(name))) continue;
      swept.unknown += 1;
      if (clock.utc().getTime() - changed.getTime() <= orphanDays * DAY_MS) continue;
      await home.remove(name);
      swept.removed += 1;
    }
    const expected = await rows.inHome(from ?? '', last, listed.length + NAMES_AT_ONCE);
    swept.missing += expected.filter((name) => !names.has(name)).length;
    if (listed.length === 0) return swept;
    from = last;
  }
  return { ...swept, ...(from !== undefined && { next: from }) };
}

/** Behind every name of a recording. */
const LAST_NAME = `${RECORDINGS_FOLDER}/\uffff`;
