import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type pg from 'pg';
import { OperatorError } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { EmbeddedPostgres } from '../embedded-postgres.ts';
import { eraseAgain, knownErasures } from '../erasure/erase-again.ts';
import { ERASURES_FILE, type KnownErasure, notedErasures } from '../erasures.ts';
import { readMigrations } from '../migrator.ts';
import { openSecretBox, requireRightKey, SECRET_KEY_FILE } from '../secrets.ts';
import { ArchiveReader } from './archive.ts';
import { FORMAT, type Manifest, pieceName } from './backup.ts';
import { StagedFiles } from './data-files.ts';
import { begin, clear, forgetWhoRan, load, occupants, requireKnown, requireNobody, takeSteps } from './load.ts';
import { whileNobodyRuns } from './quiet-folder.ts';
import { connect, type Table } from './tables.ts';

const decompressed = promisify(gunzip);

export interface RestoreOptions {
  readonly file: string;
  readonly dataFolder: string;
  /** Without it the database is the gateway's own, in the data folder. */
  readonly databaseUrl?: string | undefined;
  readonly secretKey?: string | undefined;
  /** What is there goes. */
  readonly replace: boolean;
  /** Of a database that is lost, from a copy of its `erasures.jsonl`; those of what is there are known. */
  readonly erasures?: readonly KnownErasure[];
  readonly now: Date;
  readonly logger: Logger;
}

export interface RestoreResult extends Pick<Manifest, 'facts' | 'left' | 'madeAt' | 'program'> {
  readonly files: number;
  /** Where files are that the restored ones took the place of. */
  readonly aside: string | undefined;
  /** Rows of people who were erased since the backup was made, and were erased again. */
  readonly erasedAgain: number;
  /** Calls out that were ordered and are dialled when the gateway starts. */
  readonly orders: number;
}

/**
 * Brings back what a backup has: the database in one transaction, which is compared before it is committed, and the files of the
 * data folder after it. Whatever fails or is killed before that leaves everything as it was.
 *
 * @throws OperatorError: it is damaged or newer, a gateway runs, something is there already.
 */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { file, dataFolder, databaseUrl, logger } = options;
  const archive = await ArchiveReader.open<Manifest>(file);
  try {
    const { manifest } = archive;
    if (manifest.format !== FORMAT) throw new OperatorError(`${file} has a form that this version does not know.`);
    requireKnown(manifest, readMigrations());
    mkdirSync(dataFolder, { recursive: true, mode: 0o711 });
    return await whileNobodyRuns(dataFolder, async () => {
      const server = databaseUrl ? undefined : await EmbeddedPostgres.start({ dataFolder, logger });
      const staged = await StagedFiles.begin(dataFolder);
      try {
        for (const name of manifest.files) await staged.put(name, archive.read(`files/${name}`));
        const client = await connect(server?.connection ?? { connectionString: databaseUrl! });
        try {
          const done = await intoDatabase(client, archive, staged, options);
          const aside = `before-restore-${options.now.toISOString().replaceAll(/[:.]/g, '-')}`;
          const isAside = await staged.settle(aside);
          const { facts, left, madeAt, program, files } = manifest;
          return { facts, left, madeAt, program, files: files.length, aside: isAside ? aside : undefined, ...done };
        } finally {
          await client.end();
        }
      } catch (error) {
        await staged.abandon();
        throw error;
      } finally {
        await server?.close();
      }
    });
  } finally {
    await archive.close();
  }
}

async function intoDatabase(
  client: pg.Client,
  archive: ArchiveReader<Manifest>,
  staged: StagedFiles,
  { replace, secretKey, dataFolder, databaseUrl, erasures = [] }: RestoreOptions,
): Promise<Pick<RestoreResult, 'orders' | 'erasedAgain'>> {
  const { manifest } = archive;
  const known = readMigrations();
  if (databaseUrl) await requireNobody(client); // of our own nobody can, for we have the lock of its folder
  const { accounts } = await occupants(client);
  if (accounts > 0 && !replace) {
    throw new OperatorError(
      `The database has ${accounts} ${accounts === 1 ? 'account' : 'accounts'} already. To have the backup in the place of everything that is ` +
        'there, give --replace. Nothing was changed.',
    );
  }
  const before = [...(await knownErasures(client)), ...notedErasures(join(dataFolder, ERASURES_FILE)), ...erasures];
  await begin(client);
  await clear(client);
  await load(client, manifest, known, (table) => rowsIn(archive, table));
  await takeSteps(client, known.slice(manifest.migrations.length));
  await forgetWhoRan(client);
  const keyFolder = manifest.files.includes(SECRET_KEY_FILE) ? staged.folder : dataFolder;
  const { rows: sealed } = await client.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM trunks WHERE sealed IS NOT NULL) OR EXISTS (SELECT 1 FROM phones) OR EXISTS (SELECT 1 FROM webhooks) AS any',
  );
  const erased = [...before, ...(await knownErasures(client))];
  const box =
    sealed[0]?.any || erased.length > 0 ? openSecretBox({ secretKey, dataFolder: keyFolder, make: false }) : undefined;
  if (sealed[0]?.any) await requireRightKey(client, box!);
  const erasedAgain = box ? await eraseAgain(client, erased, box) : 0;
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM dial_orders WHERE state = 'queued' AND expires_at > now()`,
  );
  await client.query('COMMIT');
  return { orders: rows[0]!.count, erasedAgain };
}

async function* rowsIn(archive: ArchiveReader<Manifest>, table: Table): AsyncGenerator<Buffer> {
  const names = new Set(archive.manifest.pieces.map(({ name }) => name));
  for (let number = 1; names.has(pieceName(table, number)); number += 1) {
    yield await decompressed(await buffer(archive.read(pieceName(table, number))));
  }
}
