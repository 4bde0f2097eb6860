import { delay, systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import type { NodesDesk, NodeView } from './desk/desk.ts';
import { emit, table } from './output.ts';

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

/** @param wanted - the id of a gateway, of its data folder, its host, or how one of these begins; the only one without it. */
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
    if (!found || found.state === 'lost') throw new OperatorError(`Gateway ${asked.id} ended while it was waited for.`);
    row = found;
  }
  if (waitSeconds > 0 && (row.state !== 'draining' || row.calls !== 0))
    throw new OperatorError(`Gateway ${row.id} still has ${row.calls ?? 'its'} calls after ${waitSeconds} s.`);
  return row;
}

function chosen(rows: readonly NodeView[], wanted: string | undefined): NodeView {
  const living = rows.filter(({ state }) => state !== 'lost');
  const fits = ({ id, node, host }: NodeView): boolean =>
    wanted === undefined || host === wanted || [id, node].some((name) => name.startsWith(wanted));
  const found = living.filter(fits);
  if (found.length === 1) return found[0]!;
  const names = living.map(({ id, host }) => `${id} (${host ?? 'unknown'})`).join(', ');
  if (found.length === 0) throw new OperatorError(`No gateway ${wanted ?? ''} lives here. Living: ${names || 'none'}.`);
  throw new OperatorError(`Which gateway? Living: ${names}.`);
}

function show(context: CommandContext, rows: readonly NodeView[]): void {
  table(
    context.out,
    ['gateway', 'host', 'state', 'calls', 'capacity', 'version', 'sip', 'api', 'seen'],
    rows.map(({ id, host, state, calls, capacity, version, sip, api, seen_at, drain_asked }) => [
      ...[
        id,
        host ?? '-',
        drain_asked && state === 'serving' ? 'to drain' : state,
        String(calls ?? '-'),
        String(capacity ?? '-'),
      ],
      ...[version ?? '-', sip ?? '-', api ?? '-', seen_at.slice(0, 19)],
    ]),
  );
}
