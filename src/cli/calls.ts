import { OperatorError } from '../core/errors.ts';
import { type CallRow, type CallWithTurns, presentCall } from '../store/call-rows.ts';
import { presentRefused } from '../store/refused-calls.ts';
import type { KeptTransfer } from '../store/schema.ts';
import type { CommandContext } from './context.ts';
import { emit, facts, harmless, money, type Output, paint, seconds, table } from './output.ts';

/** A figure of the quality record with one decimal. */
const one = (value: unknown): string => (typeof value === 'number' ? value.toFixed(1) : '?');

/** `trunk carrier`, `phone reception`, `loopback`; empty of calls out, and of calls from before it was kept. */
const sourceOf = ({ sourceKind, sourceName }: CallRow): string => [sourceKind, sourceName].filter(Boolean).join(' ');

const endOf = (call: CallRow): string =>
  call.endReason === null ? 'in progress' : `${call.endReason} (${call.endParty})`;

export function listCalls(context: CommandContext, options: { limit: number }): Promise<void> {
  return context.withStore(async (store) => {
    const rows = await store.calls.list({ limit: options.limit });
    const shown: ReturnType<typeof presentCall>[] = [];
    for (const call of context.out.json ? rows : []) {
      shown.push(presentCall({ call, turns: await store.calls.turnsOf(call.id) }));
    }
    emit(context.out, shown, () =>
      table(
        context.out,
        ['id', 'started', 'direction', 'source', 'to', 'agent', 'talk', 'cost', 'end'],
        rows.map((call) => [
          ...[call.id, call.startedAt.toISOString().slice(0, 19), call.direction, sourceOf(call)],
          ...[call.to, call.agentName],
          ...[seconds(call.talkMs), money(call.costCents), endOf(call)],
        ]),
      ),
    );
  });
}

export function listRefused(context: CommandContext, options: { limit: number }): Promise<void> {
  return context.withStore(async (store) => {
    const rows = await store.refusedCalls.list(options.limit);
    const json = rows.map(presentRefused);
    emit(context.out, json, () =>
      table(
        context.out,
        ['when', 'from', 'to', 'source', 'trunk', 'why', 'what helps'],
        rows.map((row) => [
          ...[row.at.toISOString().slice(0, 19), row.from || '-', row.to || '-', row.sourceAddress, row.trunk ?? '-'],
          ...[row.detail ? `${row.reason}: ${row.detail}` : row.reason, row.remedy],
        ]),
      ),
    );
  });
}

export function showCall(context: CommandContext, id: string): Promise<void> {
  return context.withStore(async (store) => {
    const found = await store.calls.get(id);
    if (!found) throw new OperatorError(`No call ${id}. \`calls list\` shows the latest.`);
    emit(context.out, presentCall(found), () => describe(context, found));
  });
}

function describe({ out }: CommandContext, { call, turns }: CallWithTurns): void {
  const quality = call.quality ?? {};
  facts(out, [
    ['call', call.id],
    ['SIP Call-ID', call.sipCallId],
    ['agent', call.agentName],
    ['direction', call.direction],
    ['source', sourceOf(call) || 'not kept'],
    ['from, to', `${call.from} -> ${call.to}`],
    ['started', call.startedAt.toISOString()],
    ['talked', seconds(call.talkMs)],
    ['end', `${endOf(call)}${call.endDetail ? `: ${call.endDetail}` : ''}`],
    ['keys', call.dtmf || 'none'],
    ['cost', money(call.costCents)],
    [
      'quality',
      call.quality
        ? `MOS ${one(quality.mos)}, loss ${one(quality.lossPercent)} %, jitter ${one(quality.jitterMs)} ms` +
          `${quality.srtpSuite ? `, encrypted (${quality.srtpSuite})` : ''}`
        : 'no media',
    ],
    ['recording', call.recording ?? 'none'],
    ...(call.transfers ?? []).map((one) => ['transfer', transferOf(one)] as const),
  ]);
  if (turns.length > 0) out.write('\n');
  writeTurns(out, turns);
}

/** Who was tried, how, what came of it and when. */
function transferOf({ target, by, outcome, detail, startedMs, joinedMs, endedMs }: KeptTransfer): string {
  const together = joinedMs === undefined ? '' : `, together ${seconds((endedMs ?? joinedMs) - joinedMs)}`;
  return `${target} by ${by}: ${outcome}${detail ? ` (${detail})` : ''}, at ${seconds(startedMs)}${together}`;
}

/** Who said what and when, one line a turn. */
export function writeTurns(out: Output, turns: CallWithTurns['turns']): void {
  for (const turn of turns) {
    const who = paint(out, turn.role === 'agent' ? 'green' : 'yellow', turn.role.padEnd(6));
    const latency = turn.latencyMs === null ? '' : paint(out, 'dim', `  (${turn.latencyMs} ms after the caller)`);
    const aside = turn.heardBy === 'person' ? paint(out, 'dim', '(to the person alone) ') : '';
    out.write(`${seconds(turn.startedMs).padStart(8)}  ${who}  ${aside}${harmless(turn.text)}${latency}\n`);
  }
}
