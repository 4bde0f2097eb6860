import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError } from '../core/errors.ts';
import { backup } from '../store/backup/backup.ts';
import { move } from '../store/backup/move.ts';
import { whetherAtRest, whileNobodyRuns } from '../store/backup/quiet-folder.ts';
import { restore } from '../store/backup/restore.ts';
import type { DatabaseFacts } from '../store/backup/tables.ts';
import { explained } from '../store/database-trouble.ts';
import { notedErasures } from '../store/erasures.ts';
import type { CommandContext } from './context.ts';
import { requireDatabase } from './data-folder.ts';
import { emit, facts, money, table } from './output.ts';
import { ownVersion } from './own-version.ts';

export async function makeBackup(context: CommandContext, path: string): Promise<void> {
  const { dataDir, store } = context.config;
  if (store.databaseUrl === 'embedded') requireDatabase(dataDir); // before anything is made in the folder
  const made = await whetherAtRest(dataDir, (atRest) =>
    context.withStore((opened) =>
      backup({
        ...{ connection: opened.reachable, dataFolder: dataDir, node: opened.recordings.node, atRest },
        ...{ file: resolve(path), program: ownVersion(), madeAt: new Date() },
      }),
    ),
  );
  emit(context.out, { file: resolve(path), ...made }, () => {
    showTables(context, made.facts);
    facts(context.out, [
      ...sums(made.facts),
      ['files', String(made.files)],
      ...leftOut(made.left),
      ['written', `${resolve(path)}, ${made.bytes} bytes`],
    ]);
  });
}

export interface RestoreFlags {
  readonly replace?: boolean;
  readonly erasures?: string;
}

export async function restoreBackup(
  context: CommandContext,
  path: string,
  { replace = false, erasures }: RestoreFlags,
): Promise<void> {
  const { dataDir, secretKey } = context.config;
  const databaseUrl = urlOf(context);
  if (erasures !== undefined && !existsSync(resolve(erasures)))
    throw new OperatorError(`There is no file ${erasures}: nobody would be erased again. Nothing was changed.`);
  const work = () =>
    restore({
      ...{ file: resolve(path), dataFolder: dataDir, databaseUrl, secretKey, replace },
      ...{ now: new Date(), logger: context.logger },
      ...(erasures !== undefined && { erasures: notedErasures(resolve(erasures)) }),
    });
  const made = await (databaseUrl === undefined ? work() : explained({ connectionString: databaseUrl }, work));
  emit(context.out, made, () => {
    showTables(context, made.facts);
    facts(context.out, [
      ...sums(made.facts),
      ['files', String(made.files)],
      ...leftOut(made.left),
      ...(made.aside === undefined
        ? []
        : [['put aside', `what was there before is in ${dataDir}/${made.aside}`] as const]),
      ...(made.erasedAgain === 0
        ? []
        : [
            ['erased again', `${made.erasedAgain} calls, orders and refusals of people who were erased since`] as const,
          ]),
      ...(made.orders === 0
        ? []
        : [
            ['calls out', `${made.orders} wait and are dialled at the start; \`nidaa calls orders\` has them`] as const,
          ]),
      ['restored', `as it was at ${made.madeAt}, of version ${made.program}; compared, and the same`],
    ]);
  });
}

export async function moveDatabase(context: CommandContext, to: string): Promise<void> {
  const { dataDir } = context.config;
  if (!/^postgres(ql)?:\/\/.+/.test(to))
    throw new OperatorError('--to: expected postgres://user:password@host/database');
  if (urlOf(context) === undefined) requireDatabase(dataDir);
  const moved = await whileNobodyRuns(dataDir, () =>
    context.withStore(({ reachable }) =>
      explained({ connectionString: to }, () => move(reachable, { connectionString: to })),
    ),
  );
  emit(context.out, moved, () => {
    showTables(context, moved);
    facts(context.out, [
      ...sums(moved),
      ['copied', 'compared, and the same; the database that it came from is as it was'],
      ['now set', 'DATABASE_URL to that of --to (store.databaseUrl), keep the data folder, and start the gateway'],
    ]);
  });
}

const urlOf = ({ config }: CommandContext): string | undefined =>
  config.store.databaseUrl === 'embedded' ? undefined : config.store.databaseUrl;

function showTables({ out }: CommandContext, { tables }: DatabaseFacts): void {
  const filled = Object.entries(tables).filter(([, { rows }]) => rows > 0);
  table(
    out,
    ['table', 'rows'],
    filled.map(([name, { rows }]) => [name, String(rows)]),
  );
}

const sums = ({ money: { ledger, balances, reserved } }: DatabaseFacts): (readonly [string, string])[] => [
  ['sum of the ledger', money(ledger)],
  ['sum of balances', money(balances)],
  ['reserved', money(reserved)],
];

const leftOut = (left: { elsewhere: number; home: number; missing: number }): (readonly [string, string])[] => {
  const told = [
    [left.elsewhere, 'on the disks of other nodes: back those folders up there'],
    [left.home, 'in the storage of recordings, which has to be kept by itself'],
    [left.missing, 'should be on this disk, and are not'],
  ] as const;
  return told
    .filter(([count]) => count > 0)
    .map(([count, what]) => ['recordings', `${count} not in it: ${what}`] as const);
};
