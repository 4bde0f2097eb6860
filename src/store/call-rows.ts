import { and, asc, desc, eq, getTableColumns, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { AnalysisState, CallAnalysis } from '../core/call-analysis.ts';
import { spanOf } from '../core/ids.ts';
import type { ServicesUsed } from '../core/service-use.ts';
import type { CallSource } from '../core/trunk.ts';
import type { TurnDetails } from '../core/turn-details.ts';
import { type CallQuery, conditionsOf } from './call-query.ts';
import type { Database, Queryable } from './database.ts';
import type { GatewayIdentity } from './gateway-identity.ts';
import { nodeOf, unwanting } from './recordings.ts';
import {
  type CallDirection,
  calls,
  dialOrders,
  type KeptKeyPress,
  type KeptQuality,
  type KeptTransfer,
  sipLadders,
  turns,
} from './schema.ts';
import { storedJson } from './stored-text.ts';

/** Without what only the database reads, and what is long. */
const { words: _, qualityOverTime: __, ...LISTED } = getTableColumns(calls);
export type CallRow = Omit<typeof calls.$inferSelect, 'words' | 'qualityOverTime'>;
export type TurnRow = typeof turns.$inferSelect;
export interface CallWithTurns {
  readonly call: CallRow;
  readonly qualityOverTime?: KeptQuality | null;
  readonly turns: readonly TurnRow[];
}

export interface CallStart {
  readonly id: string;
  readonly sipCallId: string;
  readonly direction: CallDirection;
  readonly accountId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly agentName: string;
  readonly from: string;
  readonly to: string;
  readonly startedAt: Date;
  readonly source?: CallSource; // of a call in
  /** Where it is recorded, if it is: path below the data folder. */
  readonly recording?: string;
}

export interface CallFinish {
  readonly endedAt: Date;
  readonly talkMs: number;
  readonly party: string;
  readonly reason: string;
  readonly detail?: string;
  readonly dtmf: string;
  readonly keys?: readonly KeptKeyPress[];
  readonly quality?: Readonly<Record<string, number | string | undefined>>;
  readonly qualityOverTime?: KeptQuality;
  readonly recording?: string;
  readonly transfers?: readonly KeptTransfer[];
  readonly answeredBy?: string;
  readonly services?: ServicesUsed;
  readonly analysis?: CallAnalysis;
  /** `unlooked`: nobody has made one, where its agent wants one. */
  readonly analysisState?: AnalysisState | 'unlooked';
}

export interface TurnFacts {
  readonly index: number;
  readonly role: 'caller' | 'agent' | 'person';
  readonly text: string;
  readonly startedMs: number;
  readonly heardMs: number;
  readonly latencyMs?: number;
  readonly timings?: object;
  readonly details?: TurnDetails;
  readonly heardBy?: 'person';
}

const LIST_MAX = 1_000;
const HITS_MAX = 2_000;
/** Words that so many of the latest calls have are found by time: all that have them need not be looked up first. */
const LATEST = 1_000;
const FREQUENT = 50;
const TURNS_MAX = 5_000;
const TEXT_CHARS_MAX = 20_000; // of one turn as kept
/** PostgreSQL text holds no zero character; speech engines and SIP peers may send anything. */
const clean = (text: string): string => text.replaceAll('\0', '').slice(0, TEXT_CHARS_MAX);
/** Of an end, what a call that was erased meanwhile does not get. */
const PERSONAL_END = `dtmf = CASE WHEN coalesce(erased_at, transcript_erased_at) IS NULL THEN $7 ELSE '' END,
  (end_detail, recording, recording_state, transfers) = (SELECT $6::text, $9::text,
    CASE WHEN $9::text IS NOT NULL THEN 'pending' END, $10::jsonb WHERE erased_at IS NULL),
  (keys, outcome, analysis, analysis_state, words) = (SELECT $12::jsonb, $14::text, $15::jsonb,
    CASE WHEN $16::text IS DISTINCT FROM 'unlooked' THEN $16::text WHEN wants_analysis(agent_id, agent_version) THEN 'pending' END,
    call_words(id, $15::jsonb ->> 'summary') WHERE coalesce(erased_at, transcript_erased_at) IS NULL)`;
const wholeMs = (ms: number): number =>
  Number.isFinite(ms) ? Math.min(Math.max(Math.round(ms), 0), 2_147_483_647) : 0;

const chargedBetween = (id: string): readonly string[] => spanOf('call', [id]) ?? [id, id];

/** Records of calls. Writers take a connection, since they run inside the transaction that also moves the money. */
export class CallRows {
  constructor(
    private readonly db: Database,
    private readonly owner: GatewayIdentity,
  ) {}

  /** Calls of everybody, or of one account; newest first. */
  async list(query: CallQuery = {}): Promise<readonly CallRow[]> {
    return await this.db
      .select(LISTED)
      .from(calls)
      .where(conditionsOf(query, await this.#hits(query)))
      .orderBy(desc(calls.startedAt), desc(calls.id))
      .limit(Math.min(query.limit ?? 50, LIST_MAX));
  }

  /** Calls with rare words, by the index of words; undefined where there are many, of which the latest are found sooner by their time. */
  async #hits(query: CallQuery): Promise<readonly string[] | undefined> {
    const { words, accountId } = query;
    if (words === undefined) return undefined;
    const mine = accountId === undefined ? sql`true` : sql`account_id = ${accountId}`;
    const { rows } = await this.db.execute<{ hits: readonly string[] | null }>(sql`SELECT
      CASE WHEN (SELECT count(*) FROM (SELECT words FROM calls WHERE ${mine} ORDER BY started_at DESC, id LIMIT ${LATEST}) AS latest
          WHERE words @@ words_query(${words}, '&')) < ${FREQUENT}
        THEN calls_with_words(${accountId ?? null}, ${words}, ${HITS_MAX + 1}) END AS hits`);
    const hits = rows[0]?.hits;
    return hits && hits.length <= HITS_MAX ? hits : undefined;
  }

  /**
   * One call with its turns, by our id or by the SIP Call-ID (its latest call: the peer chose it). Another account's call is
   * as unknown as none.
   */
  async get(idOrSipCallId: string, accountId?: string): Promise<CallWithTurns | undefined> {
    const one = (which: SQL) =>
      this.db
        .select({ ...LISTED, qualityOverTime: calls.qualityOverTime })
        .from(calls)
        .where(and(which, accountId === undefined ? undefined : eq(calls.accountId, accountId)))
        .orderBy(desc(calls.startedAt))
        .limit(1);
    const [ours] = await one(eq(calls.id, idOrSipCallId));
    const found = ours ?? (await one(eq(calls.sipCallId, idOrSipCallId)))[0]; // in all months
    if (!found) return undefined;
    const { qualityOverTime, ...call } = found;
    return { call, qualityOverTime, turns: await this.turnsOf(call.id) };
  }

  /** What was said on a call, in order. */
  turnsOf(callId: string): Promise<readonly TurnRow[]> {
    return this.db.select().from(turns).where(eq(turns.callId, callId)).orderBy(asc(turns.index)).limit(TURNS_MAX);
  }

  /**
   * Removes everything personal of a call that is over, for good: numbers, words, keys, messages. What it cost stays.
   * Its recording is not wanted any more, and waits to be removed.
   *
   * @returns its recording as it was; `live` where it goes on, undefined where the account has no such call.
   */
  async erase(id: string, accountId: string): Promise<{ readonly recording: string | null } | 'live' | undefined> {
    return this.db.transaction(async (tx) => {
      const mine = and(eq(calls.id, id), eq(calls.accountId, accountId));
      const [call] = await tx.select(LISTED).from(calls).where(mine).for('update');
      if (!call) return undefined;
      if (!call.endedAt) return 'live';
      await tx.execute(unwanting(id));
      await tx.delete(turns).where(eq(turns.callId, id));
      await tx.delete(sipLadders).where(eq(sipLadders.callId, id));
      await tx
        .update(dialOrders)
        .set({ target: '', from: '', variables: {}, message: null })
        .where(and(eq(dialOrders.callId, id), eq(dialOrders.state, 'ended')));
      const gone = {
        from: '',
        to: '',
        dtmf: '',
        keys: null,
        words: null,
        endDetail: null,
        transfers: null,
        sourceName: null,
        ...{ outcome: null, analysis: null, analysisState: null },
      };
      const noRecording = { recording: null, recordingState: null };
      await tx
        .update(calls)
        .set({ ...gone, ...noRecording, erasedAt: new Date() })
        .where(mine);
      return { recording: call.recording };
    });
  }

  async setRecordingState(id: string, state: 'ready' | 'failed'): Promise<void> {
    await this.db.update(calls).set({ recordingState: state }).where(eq(calls.id, id));
  }

  #fields(call: CallStart): (string | number | Date)[] {
    const { id, accountId, agentId, agentVersion, startedAt } = call;
    const head = [id, clean(call.sipCallId), accountId, agentId, agentVersion];
    return [...head, clean(call.agentName), clean(call.from), clean(call.to), this.owner.id, startedAt, call.direction];
  }

  #source({ source }: CallStart): (string | null)[] {
    return [source?.kind ?? null, source && 'name' in source ? clean(source.name) : null];
  }

  /** Opens the record; a second time it does nothing. */
  async begin(on: Queryable, call: CallStart): Promise<void> {
    await on.query({
      name: 'call-begin',
      text: `WITH opened AS (
        INSERT INTO calls (id, sip_call_id, account_id, agent_id, agent_version, agent_name, from_number, to_number,
          gateway, started_at, direction, source_kind, source_name)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (id) DO NOTHING RETURNING id)
        INSERT INTO recordings (call_id, node, name) SELECT id, $14, $15 FROM opened WHERE $15::text IS NOT NULL ON CONFLICT DO NOTHING`,
      values: [...this.#fields(call), ...this.#source(call), nodeOf(this.owner.id), call.recording ?? null],
    });
  }

  /** @param recordedMs - what its recording has from before the answer. */
  async answered(on: Queryable, id: string, at: Date, recordedMs = 0): Promise<void> {
    await on.query({
      name: 'call-answered',
      text: `UPDATE calls SET answered_at = coalesce(answered_at, $2), recording_answer_ms = coalesce(recording_answer_ms, $3)
        WHERE id = $1`,
      values: [id, at, wholeMs(recordedMs)],
    });
  }

  /** Who was tried so far, while the call goes on. */
  async transferred(on: Queryable, id: string, transfers: readonly KeptTransfer[]): Promise<void> {
    await on.query('UPDATE calls SET transfers = $2 WHERE id = $1 AND ended_at IS NULL', [
      id,
      JSON.stringify(transfers),
    ]);
  }

  async turn(on: Queryable, callId: string, turn: TurnFacts): Promise<void> {
    await on.query({
      name: 'call-turn',
      text: `INSERT INTO turns (call_id, index, role, text, started_ms, heard_ms, latency_ms, timings, heard_by, details)
        SELECT $1, $2::integer, $3, $4, $5::integer, $6::integer, $7::integer, $8::jsonb, $9, $10::jsonb
        WHERE NOT EXISTS (SELECT 1 FROM calls WHERE id = $1 AND coalesce(erased_at, transcript_erased_at) IS NOT NULL)
          ON CONFLICT (call_id, index) DO NOTHING`,
      values: [
        callId,
        turn.index,
        turn.role,
        clean(turn.text),
        wholeMs(turn.startedMs),
        wholeMs(turn.heardMs),
        turn.latencyMs === undefined ? null : wholeMs(turn.latencyMs),
        turn.timings ? JSON.stringify(turn.timings) : null,
        turn.heardBy ?? null,
        turn.details ? storedJson(turn.details) : null,
      ],
    });
  }

  /** Whether everything personal of it was removed. */
  async isErased(id: string): Promise<boolean> {
    return (await this.db.$count(calls, and(eq(calls.id, id), isNotNull(calls.erasedAt)))) > 0;
  }

  /** What it has cost, where it is over: a minute that began as it ended may be booked after its end. */
  async recount(on: Queryable, id: string): Promise<void> {
    await on.query({
      name: 'call-recount',
      text: `UPDATE calls SET cost_cents = (SELECT coalesce(sum(settled_cents), 0) FROM charges WHERE owner = $1 AND id BETWEEN $2 AND $3)
        WHERE id = $1 AND ended_at IS NOT NULL`,
      values: [id, ...chargedBetween(id)],
    });
  }

  /** Writes the end once: a call that has one keeps it, unless it was only presumed dead; one that was erased since stays so. */
  async finish(on: Queryable, id: string, end: CallFinish): Promise<void> {
    await on.query({
      name: 'call-finish',
      text: `WITH unrecorded AS (DELETE FROM recordings WHERE call_id = $1 AND $9::text IS NULL AND wanted AND place = 'node')
        UPDATE calls SET ended_at = $2, talk_ms = $3, end_party = $4, end_reason = $5, quality = $8,
        cost_cents = (SELECT coalesce(sum(settled_cents), 0) FROM charges WHERE owner = $1 AND id BETWEEN $18 AND $19),
        answered_by = $11, ${PERSONAL_END}, quality_over_time = $13, services = $17,
        answer_ms = ARRAY(SELECT latency_ms FROM turns WHERE call_id = $1 AND latency_ms IS NOT NULL ORDER BY index LIMIT 1000),
        (judged_turns, understood_turns) = (SELECT count(*), count(*) FILTER (WHERE details->'understood' = 'true') FROM turns
          WHERE call_id = $1 AND role = 'caller' AND details ? 'understood')
        WHERE id = $1 AND (ended_at IS NULL OR end_reason = 'interrupted')`,
      values: [
        id,
        end.endedAt,
        wholeMs(end.talkMs),
        end.party,
        end.reason,
        end.detail === undefined ? null : clean(end.detail),
        clean(end.dtmf),
        end.quality ? JSON.stringify(end.quality) : null,
        end.recording ?? null,
        end.transfers ? JSON.stringify(end.transfers) : null,
        end.answeredBy ?? null,
        end.keys ? JSON.stringify(end.keys) : null,
        end.qualityOverTime ? JSON.stringify(end.qualityOverTime) : null,
        ...analysisFields(end),
        end.services ? storedJson(end.services) : null,
        ...chargedBetween(id),
      ],
    });
  }
}

const analysisFields = ({ analysis, analysisState }: CallFinish): (string | null)[] => {
  const { outcome, ...rest } = analysis ?? {};
  return [outcome ?? null, analysis ? storedJson(rest) : null, analysisState ?? null];
};

/** A call as tools show it, a fixed shape that others build on. Times are RFC 3339 in UTC; amounts cents; the rest as in `TurnRecord`. */
export function presentCall({ call, turns: said }: CallWithTurns) {
  const end = { party: call.endParty, reason: call.endReason, ...(call.endDetail && { detail: call.endDetail }) };
  return {
    id: call.id,
    sip_call_id: call.sipCallId,
    direction: call.direction,
    agent: call.agentName,
    from: call.from,
    to: call.to,
    source: call.sourceKind && { kind: call.sourceKind, ...(call.sourceName !== null && { name: call.sourceName }) },
    started_at: call.startedAt.toISOString(),
    ended_at: call.endedAt?.toISOString() ?? null,
    end: call.endedAt ? end : null,
    dtmf: call.dtmf,
    answered_by: call.answeredBy,
    turns: said.map((turn) => ({
      role: turn.role,
      text: turn.text,
      started_ms: turn.startedMs,
      heard_ms: turn.heardMs,
      latency_ms: turn.latencyMs,
      ...(turn.timings && { timings: turn.timings }),
      ...(turn.heardBy && { heard_by: turn.heardBy }),
    })),
    ...(call.transfers && { transfers: call.transfers.map(presentTransfer) }),
    ...(call.analysisState && presentAnalysis(call)),
    quality: call.quality,
    ...(call.services && { services: call.services }),
    cost_cents: call.costCents,
    recording: call.recording,
  };
}

/** What was made of a call; null where its agent wants nothing made of it, and until it is. */
export function presentAnalysis({ outcome, analysis, analysisState }: CallRow) {
  const { label, summary, fields = [], by } = analysis ?? {};
  return {
    ...{
      outcome,
      outcome_label: label ?? null,
      summary: summary ?? null,
      fields: fields.map((field) => ({ ...field })),
    },
    analysis: analysisState && { state: analysisState, by: by ?? null },
  };
}

function presentTransfer({ target, by, outcome, detail, startedMs, answeredMs, joinedMs, endedMs }: KeptTransfer) {
  return {
    ...{ target, by, outcome, ...(detail && { detail }), started_ms: startedMs },
    ...{ answered_ms: answeredMs ?? null, joined_ms: joinedMs ?? null, ended_ms: endedMs ?? null },
  };
}
