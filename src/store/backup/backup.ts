import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type pg from 'pg';
import { OperatorError } from '../../core/errors.ts';
import { ArchiveWriter } from './archive.ts';
import { copyOut } from './copy.ts';
import { contentOf, type LeftOut, recordingFiles, settledFiles } from './data-files.ts';
import type { Snapshot } from './load.ts';
import { connect, countersOf, factsOf, partitionsOf, quoted, type Table, tablesOf } from './tables.ts';

/** Of this form of the file. */
export const FORMAT = 1;
const PIECE_BYTES = 4 * 1024 * 1024;
const compressed = promisify(gzip);

export interface Manifest extends Snapshot {
  readonly format: number;
  readonly program: string; // version
  readonly madeAt: string; // ISO 8601
  readonly files: readonly string[];
  readonly left: LeftOut;
}

export interface BackupOptions {
  readonly connection: pg.PoolConfig;
  readonly dataFolder: string;
  readonly node: string; // as rows of recordings name it
  readonly file: string;
  readonly program: string;
  readonly madeAt: Date;
  /** No gateway runs on the data folder, and none starts before this is done. */
  readonly atRest: boolean;
}

export interface BackupResult extends Pick<Manifest, 'facts' | 'left'> {
  readonly bytes: number;
  readonly files: number;
}

/** Reads a database as it is at one moment. @param work - within that moment. */
export async function atOneMoment<T>(
  config: pg.PoolConfig,
  work: (client: pg.Client, snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = await connect(config);
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: migrations } = await client.query<Snapshot['migrations'][number]>(
      'SELECT number, name, sha256 FROM schema_migrations ORDER BY number',
    );
    const tables = await tablesOf(client);
    const [partitions, counters] = [await partitionsOf(client), await countersOf(client)];
    const facts = await factsOf(client, tables);
    return await work(client, { migrations, tables, partitions, counters, facts });
  } finally {
    await client.end();
  }
}

export const rowsOut = (client: pg.Client, { name, columns }: Table): AsyncIterable<Buffer> =>
  copyOut(client, `COPY (SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(name)}) TO STDOUT`);

/**
 * Writes everything that an installation is made of into one file, while it runs or not. The file has its name when it is whole.
 *
 * @throws OperatorError, and what disk and database fail with: nothing is left behind then.
 */
export async function backup(options: BackupOptions): Promise<BackupResult> {
  const { connection, dataFolder, node, file, program, madeAt, atRest } = options;
  const archive = await ArchiveWriter.create(file);
  try {
    return await atOneMoment(connection, async (client, snapshot) => {
      for (const table of snapshot.tables) {
        let number = 0;
        for await (const piece of inPieces(rowsOut(client, table))) {
          number += 1;
          await archive.add(pieceName(table, number), piece.length, [piece]);
        }
      }
      const recordings = await recordingFiles(client, dataFolder, node);
      const files: string[] = [];
      let missing = recordings.left.missing;
      for (const one of [...(await settledFiles(dataFolder, atRest)), ...recordings.files]) {
        const content = await contentOf(dataFolder, one);
        if (content) {
          await archive.add(`files/${one.name}`, one.bytes, content);
          files.push(one.name);
        } else missing += 1;
      }
      const left = { ...recordings.left, missing };
      const head = { format: FORMAT, program, madeAt: madeAt.toISOString(), files, left };
      const bytes = await archive.finish({ ...head, ...snapshot } satisfies Manifest);
      return { bytes, files: files.length, facts: snapshot.facts, left };
    });
  } catch (error) {
    await archive.abandon();
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    throw new OperatorError(`The disk is full: ${file} was not written.`, { cause: error });
  }
}

export const pieceName = ({ name }: Pick<Table, 'name'>, number: number): string =>
  `database/${name}/${String(number).padStart(6, '0')}.copy.gz`;

/** Rows in pieces that memory has room for, each compressed. */
async function* inPieces(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of rows) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < PIECE_BYTES) continue;
    yield await compressed(Buffer.concat(waiting));
    [waiting, bytes] = [[], 0];
  }
  if (bytes > 0) yield await compressed(Buffer.concat(waiting));
}
