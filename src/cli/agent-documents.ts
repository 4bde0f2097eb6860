import { basename } from 'node:path';
import { OperatorError } from '../core/errors.ts';
import { findAgent } from './accounts.ts';
import type { CommandContext } from './context.ts';
import type { Desk, DocumentOwner, DocumentView } from './desk/desk.ts';
import { emit, harmless, table } from './output.ts';
import { fileOf } from './service.ts';

export interface OfAgent {
  readonly account?: string;
}
export interface AddOptions extends OfAgent {
  /** Seconds. */
  readonly wait: number;
}

/** `ready`, `failed: There is no text in it.` */
const stateOf = ({ state, reason_text }: DocumentView): string =>
  reason_text === null ? state : `${state}: ${reason_text}`;
const count = (known: number | null): string => (known === null ? '-' : String(known));
const kilobytes = ({ size_bytes }: DocumentView): string => `${Math.ceil(size_bytes / 1024)} kB`;

/** The documents that an agent answers from, and how far the reading of each is. */
export function listDocuments(context: CommandContext, agent: string, options: OfAgent): Promise<void> {
  return context.withDesk(async (desk) => {
    const all = await desk.documents.list(await ownerOf(desk, options, agent));
    emit(context.out, all, () =>
      table(
        context.out,
        ['id', 'name', 'size', 'pages', 'words', 'state'],
        all.map((one) => [one.id, one.name, kilobytes(one), count(one.pages), count(one.words), stateOf(one)]),
      ),
    );
  });
}

/**
 * Gives an agent a file to answer from, and waits until it was read.
 *
 * @returns whether it can be asked by then; true, too, where nobody waits for it.
 */
export function addDocument(
  context: CommandContext,
  agent: string,
  path: string,
  options: AddOptions,
): Promise<boolean> {
  const bytes = fileOf(path);
  return context.withDesk(async (desk) => {
    const owner = await ownerOf(desk, options, agent);
    const added = await desk.documents.add(owner, { name: basename(path), bytes });
    const waits = options.wait > 0;
    const one = waits ? await desk.documents.settled(owner, added.id, 1_000 * options.wait) : added;
    if (!one) throw new OperatorError(`Document ${added.name} was removed meanwhile.`);
    emit(context.out, one, () => context.out.write(`${harmless(one.name)}: ${told(one)} (${one.id})\n`));
    return !waits || one.state === 'ready';
  });
}

function told(one: DocumentView): string {
  if (one.state === 'ready') return `ready, pages ${count(one.pages)}, words ${count(one.words)}`;
  if (one.state === 'failed') return stateOf(one);
  return `${one.state}: \`agents documents list\` tells when it is ready`;
}

/** @param which - id or name. */
export function removeDocument(context: CommandContext, agent: string, which: string, options: OfAgent): Promise<void> {
  return context.withDesk(async (desk) => {
    const owner = await ownerOf(desk, options, agent);
    const all = await desk.documents.list(owner);
    const one = all.find(({ id }) => id === which) ?? all.find(({ name }) => name === which);
    if (!one || !(await desk.documents.remove(owner, one.id))) {
      throw new OperatorError(`The agent has no document ${which}.`);
    }
    emit(context.out, { id: one.id, name: one.name, removed: true }, () =>
      context.out.write(`${harmless(one.name)} is removed (${one.id}).\n`),
    );
  });
}

async function ownerOf(desk: Desk, { account: wanted }: OfAgent, which: string): Promise<DocumentOwner> {
  const { account, agent } = await findAgent(desk, wanted, which);
  return { accountId: account.id, agentId: agent.id };
}
