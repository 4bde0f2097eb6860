import { resolve } from 'node:path';
import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import { openLibrary } from '../recordings/open-library.ts';
import { ArchiveWriter } from '../store/backup/archive.ts';
import type { PersonCall } from '../store/erasure/collect-person.ts';
import type { Store } from '../store/store.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { storeDesk } from './desk/store-desk.ts';
import { emit, facts } from './output.ts';

export interface EraseFlags {
  readonly account?: string;
  readonly dryRun?: boolean;
}

const REMOVED_MAX = 10_000;
const ABOUT = `What is kept of one person: person.json has calls with what was said, orders to call them, calls of theirs that were refused, and lists
of numbers that are not called; recordings/ has the sound of those calls that were recorded, the caller on the left, the agent on the right.
\`named_elsewhere\` counts where the number stands in what belongs to others.
`;

const whose = async (context: CommandContext, store: Store, wanted: string | undefined) => ({
  countryCode: context.config.outbound.countryCode,
  accountId: wanted === undefined ? undefined : (await findAccount(storeDesk(store, context), wanted)).id,
});

/** Erases a person, and says what there was and what it waits for. */
export async function erasePerson(context: CommandContext, number: string, options: EraseFlags): Promise<void> {
  const { config, logger } = context;
  await context.withStore(async (store) => {
    const of = await whose(context, store, options.account);
    const troubled = (error: unknown): void =>
      logger.warn({ error }, 'the search broke off; a gateway goes on with it within a minute');
    const erasure = await store.erasures.erase(number, of, { isTried: options.dryRun === true, troubled });
    if (!options.dryRun) {
      // Whoever has the file removes it: this machine now, the others in their next round.
      const opened = openLibrary(config.dataDir, config.recordings, store.recordings, systemClock);
      await opened.library
        .removeUnwanted(REMOVED_MAX)
        .catch((error: unknown) => logger.warn({ error }, 'a recording could not be removed'))
        .finally(() => opened.close());
      await store.erasures.goOn();
    }
    const now = options.dryRun ? erasure : ((await store.erasures.get(erasure.id)) ?? erasure);
    const { calls, turns, recordings, orders, refusals, mentions, doNotCall } = now.found;
    const { waits, onNodes } = now;
    const left = [
      ...(now.search ? ['not all of it is looked through'] : []),
      `${waits.calls.length + waits.orders.length} calls go on`,
      `${waits.recordings.length} recordings are to be removed`,
    ].join(', ');
    const onDisks = onNodes.length > 0 ? `; something is on the disk of ${onNodes.join(', ')} yet` : '';
    const state = now.doneAt ? 'done' : left + onDisks;
    emit(context.out, { ...now, dryRun: options.dryRun === true }, () =>
      facts(context.out, [
        ...(options.dryRun ? [] : [['erasure', now.id] as const]),
        ['calls', `${calls}, with ${turns} turns and ${recordings} recordings`],
        ...([
          ['orders', String(orders)],
          ['refused calls', String(refusals)],
        ] as const),
        ['named elsewhere', String(mentions)],
        ['not to be called', doNotCall === 0 ? '0' : `${doNotCall}: kept, for that is what the list is for`],
        ['state', options.dryRun ? 'nothing was changed' : state],
      ]),
    );
  });
}

/** Writes what is kept of a person into one archive, with the recordings that can be reached from here. */
export async function exportPerson(
  context: CommandContext,
  number: string,
  path: string,
  options: Pick<EraseFlags, 'account'>,
): Promise<void> {
  const file = resolve(path);
  await context.withStore(async (store) => {
    const data = await store.erasures.collect(number, await whose(context, store, options.account));
    if (data.calls.length + data.orders.length + data.refused_calls.length + data.do_not_call.length === 0)
      throw new OperatorError('Nothing is kept of that number.');
    const archive = await ArchiveWriter.create(file);
    try {
      await addText(archive, 'README.txt', ABOUT);
      const recordings = await addRecordings(archive, context, store, data.calls);
      await addText(archive, 'person.json', `${JSON.stringify({ ...data, recordings }, undefined, 2)}\n`);
      const bytes = await archive.finish({ format: 1 });
      const written = recordings.filter(({ state }) => state === 'here').length;
      emit(context.out, { file, bytes, calls: data.calls.length, recordings }, () =>
        facts(context.out, [
          ['calls', String(data.calls.length)],
          ['recordings', `${written} of ${recordings.length}`],
          ['written', `${file}, ${bytes} bytes`],
        ]),
      );
    } catch (error) {
      await archive.abandon();
      throw error;
    }
  });
}

async function addText(archive: ArchiveWriter, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await archive.add(name, bytes.length, [bytes]);
}

/** @returns where each is: in the archive, on another node, or nowhere. */
async function addRecordings(
  archive: ArchiveWriter,
  { config }: CommandContext,
  store: Store,
  calls: readonly PersonCall[],
): Promise<readonly { readonly call: string; readonly state: string }[]> {
  const opened = openLibrary(config.dataDir, config.recordings, store.recordings, systemClock);
  try {
    const told: { call: string; state: string }[] = [];
    for (const { id, recording, gateway } of calls) {
      if (recording === null) continue;
      const found = await opened.library.find({ id, recording, gateway });
      if (found && 'size' in found) {
        await archive.add(`recordings/${id}.wav`, found.size, found.read({ start: 0, end: found.size - 1 }));
        told.push({ call: id, state: 'here' });
      } else told.push({ call: id, state: found ? `on node ${found.node}` : 'missing' });
    }
    return told;
  } finally {
    opened.close();
  }
}
