import { OperatorError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import type { CallView, ShownCall } from './desk/desk.ts';
import { emit, facts, harmless, money, type Output, paint, seconds, table } from './output.ts';

/** A figure of the quality record with one decimal. */
const one = (value: unknown): string => (typeof value === 'number' ? value.toFixed(1) : '?');
const toSecond = (time: string): string => time.slice(0, 19);

/** `trunk carrier`, `phone reception`, `loopback`; empty of calls out, and of calls from before it was kept. */
const sourceOf = ({ source }: CallView): string => (source ? [source.kind, source.name].filter(Boolean).join(' ') : '');

const endOf = ({ end }: CallView): string => (end ? `${end.reason} (${end.party})` : 'in progress');

export function listCalls(context: CommandContext, { limit }: { limit: number }): Promise<void> {
  return context.withDesk(async ({ calls }) => {
    const shown = await calls.list({ limit, record: context.out.json });
    const json = shown.map(({ call }) => call);
    emit(context.out, json, () =>
      table(
        context.out,
        ['id', 'started', 'direction', 'source', 'to', 'agent', 'talk', 'cost', 'end'],
        shown.map(({ call, talkMs }) => [
          ...[call.id, toSecond(call.started_at), call.direction, sourceOf(call)],
          ...[call.to, call.agent],
          ...[seconds(talkMs), money(call.cost_cents), endOf(call)],
        ]),
      ),
    );
  });
}

export function listRefused(context: CommandContext, options: { limit: number }): Promise<void> {
  return context.withDesk(async ({ calls }) => {
    const rows = await calls.refused(options.limit);
    emit(context.out, rows, () =>
      table(
        context.out,
        ['when', 'from', 'to', 'source', 'trunk', 'why', 'what helps'],
        rows.map((row) => [
          ...[toSecond(row.at), row.from || '-', row.to || '-', row.source_address, row.trunk ?? '-'],
          ...[row.detail ? `${row.reason}: ${row.detail}` : row.reason, row.remedy],
        ]),
      ),
    );
  });
}

export function showCall(context: CommandContext, id: string): Promise<void> {
  return context.withDesk(async ({ calls }) => {
    const found = await calls.get(id);
    if (!found) throw new OperatorError(`No call ${id}. \`calls list\` shows the latest.`);
    emit(context.out, found.call, () => describe(context, found));
  });
}

function describe({ out }: CommandContext, { call, talkMs }: ShownCall): void {
  const quality = call.quality ?? {};
  facts(out, [
    ['call', call.id],
    ['SIP Call-ID', call.sip_call_id],
    ['agent', call.agent],
    ['direction', call.direction],
    ['source', sourceOf(call) || 'not kept'],
    ['from, to', `${call.from} -> ${call.to}`],
    ['started', call.started_at],
    ['talked', seconds(talkMs)],
    ['end', `${endOf(call)}${call.end?.detail ? `: ${call.end.detail}` : ''}`],
    ['keys', call.dtmf || 'none'],
    ['cost', money(call.cost_cents)],
    [
      'quality',
      call.quality
        ? `MOS ${one(quality.mos)}, loss ${one(quality.lossPercent)} %, jitter ${one(quality.jitterMs)} ms` +
          `${quality.srtpSuite ? `, encrypted (${quality.srtpSuite})` : ''}`
        : 'no media',
    ],
    ['recording', call.recording ?? 'none'],
    ...outcomeOf(call),
    ...(call.transfers ?? []).map((one) => ['transfer', transferOf(one)] as const),
  ]);
  if (call.turns.length > 0) out.write('\n');
  writeTurns(out, call.turns);
}

/** What its agent has written down of it. */
function outcomeOf({ outcome, summary, fields = [], analysis }: CallView): (readonly [string, string])[] {
  if (!analysis) return [];
  const still = analysis.state === 'pending' ? ' (still being read)' : '';
  return [
    ['outcome', `${outcome ?? 'not known yet'}${still}`],
    ...(summary ? [['summary', harmless(summary)] as const] : []),
    ...fields.map(({ name, value, words }) => [name, `${harmless(value)} ("${harmless(words)}")`] as const),
  ];
}

/** Who was tried, how, what came of it and when. */
function transferOf(transfer: NonNullable<CallView['transfers']>[number]): string {
  const { target, by, outcome, detail, started_ms, joined_ms, ended_ms } = transfer;
  const together = joined_ms === null ? '' : `, together ${seconds((ended_ms ?? joined_ms) - joined_ms)}`;
  return `${target} by ${by}: ${outcome}${detail ? ` (${detail})` : ''}, at ${seconds(started_ms)}${together}`;
}

/** Who said what and when, one line a turn. */
export function writeTurns(out: Output, turns: CallView['turns']): void {
  for (const turn of turns) {
    const who = paint(out, turn.role === 'agent' ? 'green' : 'yellow', turn.role.padEnd(6));
    const latency = turn.latency_ms === null ? '' : paint(out, 'dim', `  (${turn.latency_ms} ms after the caller)`);
    const aside = turn.heard_by === 'person' ? paint(out, 'dim', '(to the person alone) ') : '';
    out.write(`${seconds(turn.started_ms).padStart(8)}  ${who}  ${aside}${harmless(turn.text)}${latency}\n`);
  }
}
