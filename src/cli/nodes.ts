import { delay, systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import type { NodesDesk, NodeView } from './desk/desk.ts';
import { emit, facts, table } from './output.ts';

const isGone = ({ state }: NodeView): boolean => state === 'lost' || state === 'ended';
const LOOK_MS = 1_000;
const WAIT_SECONDS_MAX = 86_400;

export function listNodes(context: CommandContext): Promise<void> {
  return context.withDesk(async ({ nodes }) => {
    const rows = await nodes.list();
    emit(context.out, rows, () => show(context, rows));
  });
}

export interface DrainOptions {
  readonly undo?: boolean;
  /** Seconds; until its last call has ended. */
  readonly wait?: string;
}

/** Gives up a node that never comes back. @param wanted - as in `drainNode`, of one that is gone. */
export function forgetNode(context: CommandContext, wanted: string, isSure: boolean): Promise<void> {
  return context.withDesk(async ({ nodes }) => {
    const gone = (await nodes.list()).filter(isGone);
    const { id, host, recordings } = only(gone, wanted, 'is gone here and waited for', 'Gone');
    const what = `${recordings ?? 0} recordings that only the disk of ${host ?? id} has, and what its journal of charges may have that no other gateway knows`;
    if (!isSure) throw new OperatorError(`This gives up ${what}, for good. If its disk is destroyed, say --yes.`);
    const lost = await nodes.forget(id);
    if (lost === undefined)
      throw new OperatorError(`Gateway ${id} has come back meanwhile, or somebody has forgotten it.`);
    emit(context.out, { id, recordings: lost }, () =>
      facts(context.out, [
        ['forgotten', id],
        ['recordings lost', String(lost)],
      ]),
    );
  });
}

/** @param wanted - the id of a gateway or of its data folder, how one of these begins, its host or an address of it; the only one without it. */
export function drainNode(context: CommandContext, wanted: string | undefined, options: DrainOptions): Promise<void> {
  const waitSeconds = options.wait === undefined ? 0 : Number(options.wait);
  if (!Number.isInteger(waitSeconds) || waitSeconds < 0 || waitSeconds > WAIT_SECONDS_MAX)
    throw new OperatorError(`--wait: expected 0 to ${WAIT_SECONDS_MAX} seconds`);
  return context.withDesk(async ({ nodes }) => {
    const { id } = chosen(await nodes.list(), wanted);
    const asked = await nodes.drain(id, options.undo !== true);
    if (!asked) throw new OperatorError(`Gateway ${id} has ended meanwhile. \`nidaa nodes\` shows those that live.`);
    const row = options.undo === true ? asked : await emptied(nodes, asked, waitSeconds);
    emit(context.out, row, () => show(context, [row]));
  });
}

async function emptied(nodes: NodesDesk, asked: NodeView, waitSeconds: number): Promise<NodeView> {
  let row = asked;
  for (let left = waitSeconds; left > 0 && (row.state !== 'draining' || row.calls !== 0); left -= 1) {
    await delay(systemClock, LOOK_MS);
    const found = (await nodes.list()).find(({ id }) => id === asked.id);
    if (!found || isGone(found)) throw new OperatorError(`Gateway ${asked.id} ended while it was waited for.`);
    row = found;
  }
  if (waitSeconds > 0 && (row.state !== 'draining' || row.calls !== 0))
    throw new OperatorError(`Gateway ${row.id} still has ${row.calls ?? 'its'} calls after ${waitSeconds} s.`);
  return row;
}

function chosen(rows: readonly NodeView[], wanted: string | undefined): NodeView {
  const living = rows.filter((row) => !isGone(row));
  return only(living, wanted, 'lives here', 'Living');
}

function only(rows: readonly NodeView[], wanted: string | undefined, is: string, such: string): NodeView {
  const fits = (row: NodeView): boolean =>
    wanted === undefined ||
    [row.host, ...addresses(row)].includes(wanted) ||
    [row.id, row.node].some((name) => name.startsWith(wanted));
  const found = rows.filter(fits);
  if (found.length === 1) return found[0]!;
  const names = rows.map(({ id, host, sip }) => `${id} (${[host ?? 'unknown', ...(sip ? [sip] : [])].join(', ')})`);
  if (found.length === 0)
    throw new OperatorError(`No gateway ${wanted ?? ''} ${is}. ${such}: ${names.join(', ') || 'none'}.`);
  throw new OperatorError(`Which gateway? ${such}: ${names.join(', ')}.`);
}

/** Where it says that it is reached, with its ports and without: several on one machine differ in those alone. */
function addresses({ sip, api }: NodeView): readonly string[] {
  return [sip, api].flatMap((told) => {
    const at = told?.replace(/^https?:\/\//, '');
    return at ? [at, at.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')] : [];
  });
}

function show(context: CommandContext, rows: readonly NodeView[]): void {
  table(
    context.out,
    ['gateway', 'host', 'state', 'calls', 'capacity', 'version', 'sip', 'api', 'seen', 'on its disk'],
    rows.map(({ id, host, state, calls, capacity, version, sip, api, seen_at, drain_asked, recordings }) => [
      ...[
        id,
        host ?? '-',
        drain_asked && state === 'serving' ? 'to drain' : state,
        String(calls ?? '-'),
        String(capacity ?? '-'),
      ],
      ...[
        version ?? '-',
        sip ?? '-',
        api ?? '-',
        seen_at.slice(0, 19),
        recordings === null ? '-' : `${recordings} recordings`,
      ],
    ]),
  );
}
