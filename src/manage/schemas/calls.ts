import { type Static, Type } from '@sinclair/typebox';
import type { OrderChange } from '../../outbound/order-events.ts';
import type { presentOrder } from '../../outbound/order-view.ts';
import { type CallRow, type CallWithTurns, presentAnalysis, presentCall } from '../../store/call-rows.ts';
import type { ChargeLine } from '../../store/charge-rows.ts';
import { NoticeShape, named, oneOf, orNull, timestamp, withNotice } from '../schema-names.ts';
import { answersOf, presentTurn, slotsAtEnd, TurnShape, withheldIn } from './turns.ts';

export const DIRECTIONS = ['inbound', 'outbound'] as const;
const Text = Type.String();
const Whole = Type.Integer();

const Localized = Type.Object({ ar: Type.Optional(Text), en: Type.Optional(Text) });
const End = orNull(
  Type.Object({
    ...{ party: orNull(Text), reason: orNull(Text), detail: Type.Optional(Text) },
    detail_notice: Type.Optional(NoticeShape),
  }),
);
const Source = orNull(Type.Object({ kind: Text, name: Type.Optional(Text) }));
const HEAD = {
  id: Text,
  sip_call_id: Text,
  direction: oneOf(DIRECTIONS),
  agent_id: Text,
  agent: Type.String({ description: 'Its name at that time.' }),
  agent_version: Type.Integer({ description: '0: a definition that was tried before it was saved.' }),
  from: Text,
  to: Text,
  source: Source,
  started_at: timestamp(),
  answered_at: orNull(timestamp()),
  ended_at: orNull(timestamp('Null while it goes on.')),
  talk_ms: Whole,
  end: End,
  answered_by: orNull(oneOf(['human', 'machine', 'unknown'] as const)),
  cost_cents: Whole,
  recording: orNull(oneOf(['pending', 'ready', 'failed'] as const, 'Ready: there are peaks as well.')),
  recording_answer_ms: orNull(
    Type.Integer({
      description:
        'Where in the recording the call was answered: what is heard before that is recorded, too, and times of turns, keys and transfers ' +
        'are counted from the answer.',
    }),
  ),
  erased_at: orNull(timestamp('Everything personal was removed.')),
  transcript_erased_at: orNull(timestamp('What was said and keyed was removed.')),
  outcome: orNull(
    Type.String({
      description:
        'What it came to, where its agent has that written down: a name of its own, or `done`, `answered`, `transferred`, `unreached`, ' +
        '`given-up`, `hung-up`, `not-understood`, `nothing-said`, `machine`, `failed`.',
    }),
  ),
  outcome_label: orNull(Localized),
  summary: orNull(Type.String({ description: 'A sentence or two, in the language of the agent.' })),
};
export const CallHead = named('CallHead', Type.Object(HEAD));
export const OutcomeShape = named(
  'OutcomeCount',
  Type.Object({ outcome: Text, label: orNull(Localized), calls: Whole }),
);
const Line = orNull(
  Type.Object({ role: oneOf(['caller', 'agent', 'person'] as const), text: Text, started_ms: Whole }),
);
const Transfer = Type.Object({
  ...{ target: Text, by: Text, outcome: Text, detail: Type.Optional(Text), started_ms: Whole },
  detail_notice: Type.Optional(NoticeShape),
  ...{ answered_ms: orNull(Whole), joined_ms: orNull(Whole), ended_ms: orNull(Whole) },
});
const RECORD = {
  dtmf: Type.String({ description: 'Keys that were pressed.' }),
  turns: Type.Array(TurnShape),
  transfers: Type.Array(Transfer),
  quality: orNull(Type.Record(Text, Type.Union([Type.Number(), Text]))),
  services: orNull(
    Type.Record(Text, Type.Record(Text, Type.Number()), {
      description:
        'What it took of services that charge: by service and unit (`audio-seconds`, `characters`, `tokens`, ...), as they count.',
    }),
  ),
  fields: Type.Array(
    Type.Object({
      ...{ name: Text, label: Type.Optional(Localized), value: Text },
      turn: Type.Integer({ description: 'Index of the turn that it rests on.' }),
      words: Type.String({ description: 'What was said there.' }),
    }),
    { description: 'Values that its agent has written down, those that are known.' },
  ),
  analysis: orNull(
    Type.Object({
      state: oneOf(['pending', 'ready'] as const, 'Pending: outcome, summary and fields may still change.'),
      by: orNull(Type.String({ description: '`dialogue`, or the engine that has read the call.' })),
    }),
  ),
};
export const ListedCall = named(
  'ListedCall',
  Type.Object({
    ...{ ...HEAD, excerpt: Type.Optional(Line), last_words: Type.Optional(Line) },
    record: Type.Optional(Type.Object(RECORD, { description: 'With `record=true`.' })),
  }),
);

const Values = Type.Array(orNull(Type.Number()));
export const CallShape = named(
  'Call',
  Type.Object({
    ...HEAD,
    ...RECORD,
    keys: Type.Array(
      Type.Object({ key: Text, at_ms: Whole, means: oneOf(['event', 'tone', 'info'] as const, 'How it came.') }),
      { description: 'The same with their times since the answer; calls of before have none.' },
    ),
    answers: Type.Object(
      { count: Whole, p50_ms: orNull(Whole), p95_ms: orNull(Whole) },
      { description: 'End of the words of the caller to the first packet of the answer.' },
    ),
    slots: Type.Record(Text, Text, { description: 'Values that the dialogue had at the end.' }),
    withheld: Type.Record(Text, Whole, {
      description: 'What the privacy boundary kept from services: kinds, and in how many words. Never the values.',
    }),
    quality_over_time: orNull(
      Type.Object(
        {
          ...{ from_ms: Whole, every_ms: Whole, loss_percent: Values, jitter_ms: Values, mos: Values },
        },
        {
          description:
            'What came from the other side, a value for each stretch of `every_ms`, the first from `from_ms` since the answer on; null where ' +
            'nothing came. Of calls by RTP.',
        },
      ),
    ),
    cost_lines: Type.Array(Type.Object({ id: Text, kind: Text, cents: Whole, created_at: timestamp() })),
    variables: orNull(Type.Record(Text, Text, { description: 'What a call out was ordered with; null of calls in.' })),
  }),
);

export function presentCallHead(call: CallRow): Static<typeof CallHead> {
  const { id, sip_call_id, direction, agent, from, to, started_at, ended_at, end, answered_by, cost_cents } =
    presentCall({
      ...{ call, turns: [] },
    });
  const source = call.sourceKind && {
    kind: call.sourceKind,
    ...(call.sourceName !== null && { name: call.sourceName }),
  };
  return {
    ...{ id, sip_call_id, direction, agent_id: call.agentId, agent, agent_version: call.agentVersion, from, to },
    ...{ source, started_at, answered_at: call.answeredAt?.toISOString() ?? null, ended_at, talk_ms: call.talkMs },
    ...{ end: end && withNotice(end), answered_by, cost_cents },
    ...{ recording: call.recording === null ? null : (call.recordingState ?? 'pending') },
    recording_answer_ms: call.recording === null ? null : (call.recordingAnswerMs ?? 0),
    erased_at: call.erasedAt?.toISOString() ?? null,
    transcript_erased_at: call.transcriptErasedAt?.toISOString() ?? null,
    ...presentAnalysisHead(call),
  };
}

function presentAnalysisHead(call: CallRow) {
  const { outcome, outcome_label, summary } = presentAnalysis(call);
  return { outcome, outcome_label: outcome_label && { ...outcome_label }, summary };
}

/** What was said on a call and how it went, for a list of calls. */
export function presentRecord(found: CallWithTurns): Static<typeof ListedCall>['record'] {
  const { dtmf, transfers = [], quality } = presentCall(found);
  const { fields, analysis } = presentAnalysis(found.call);
  const turns = found.turns.map(presentTurn);
  return {
    dtmf,
    turns,
    transfers: transfers.map(withNotice),
    quality: quality ? { ...quality } : null,
    services: servicesOf(found),
    fields,
    analysis,
  };
}

export function presentWholeCall(
  found: CallWithTurns,
  lines: readonly ChargeLine[],
  variables: Readonly<Record<string, string>> | undefined,
): Static<typeof CallShape> {
  const { dtmf, transfers, quality } = presentCall(found);
  const turns = found.turns.map(presentTurn);
  const { fields, analysis } = presentAnalysis(found.call);
  return {
    ...presentCallHead(found.call),
    ...{ dtmf, turns, answers: answersOf(turns), slots: slotsAtEnd(turns), withheld: withheldIn(turns) },
    keys: (found.call.keys ?? []).map(({ key, atMs, means }) => ({ key, at_ms: atMs, means })),
    ...{
      transfers: (transfers ?? []).map(withNotice),
      quality: quality ? { ...quality } : null,
      services: servicesOf(found),
      variables: variables ? { ...variables } : null,
    },
    ...{ fields, analysis },
    quality_over_time: qualityOf(found),
    cost_lines: lines.map(({ id, kind, cents, createdAt }) => ({
      id,
      kind,
      cents,
      created_at: createdAt.toISOString(),
    })),
  };
}

const servicesOf = ({ call: { services } }: CallWithTurns) =>
  services && Object.fromEntries(Object.entries(services).map(([service, units]) => [service, { ...units }]));

function qualityOf({ qualityOverTime }: CallWithTurns) {
  if (!qualityOverTime) return null;
  const { fromMs, everyMs, lossPercent, jitterMs, mos } = qualityOverTime;
  return {
    ...{ from_ms: fromMs, every_ms: everyMs },
    ...{ loss_percent: [...lossPercent], jitter_ms: [...jitterMs], mos: [...mos] },
  };
}

export const LadderShape = named(
  'SipLadder',
  Type.Object({
    ...{
      call_id: orNull(Text),
      sip_call_id: Text,
      started_at: timestamp(),
      direction: oneOf(DIRECTIONS),
      answered: Type.Boolean(),
    },
    messages: Type.Array(
      Type.Object({
        ...{
          at: Text,
          direction: oneOf(['in', 'out'] as const, 'Seen from the gateway.'),
          peer: Text,
          line: Text,
          text: Text,
        },
        again: Type.Optional(Type.Literal(true)),
        skipped: Type.Optional(Type.Integer({ description: 'So many before it were not kept.' })),
      }),
    ),
  }),
);

export const PeaksShape = Type.Object({
  version: Type.Literal(1),
  sample_rate: Whole,
  seconds: Type.Number(),
  channels: Type.Array(Type.Array(Type.Array(Type.Number())), {
    description: 'Caller, then agent: the lowest and highest sample of pieces of equal length, -1..1.',
  }),
});

const STATES = [
  'queued',
  'dialling',
  'ringing',
  'answered',
  'ended',
] as const satisfies readonly OrderChange['state'][];
export const OrderState = oneOf(STATES);
export const OrderShape = named(
  'Order',
  Type.Object({
    ...{ id: Text, state: OrderState, agent_id: Text, to: Text, from: Text, trunk: orNull(Text) },
    on_machine: oneOf(['undetected', 'hangup', 'leave-message', 'ignore'] as const),
    ...{ attempt: Whole, call_id: orNull(Text), sip_call_id: orNull(Text), cancel_wanted: Type.Boolean() },
    ...{
      created_at: orNull(timestamp()),
      next_at: orNull(timestamp('Not dialled before.')),
      sent_at: orNull(timestamp()),
    },
    ...{ ringing_at: orNull(timestamp()), answered_at: orNull(timestamp()), ended_at: orNull(timestamp()), end: End },
    attempts: Type.Array(
      Type.Object({
        ...{
          attempt: Whole,
          sip_call_id: Text,
          dialling_at: timestamp(),
          ended_at: orNull(timestamp()),
          reason: orNull(Text),
        },
      }),
    ),
  }),
);
export type OrderView = ReturnType<typeof presentOrder>;

export const OrderBody = Type.Object({
  agent: Type.String({ minLength: 1, maxLength: 100, description: 'Id or name of a live agent.' }),
  to: Type.String({ minLength: 1, maxLength: 300, description: 'A number, `sip:`, `tel:` or `phone:NAME`.' }),
  from: Type.Optional(
    Type.String({ maxLength: 100, description: "A number of the account; the agent's own without it." }),
  ),
  trunk: Type.Optional(Type.String({ maxLength: 100, description: 'Id or name; whichever may take it without it.' })),
  variables: Type.Optional(Type.Record(Text, Text)),
  ring_seconds: Type.Optional(Type.Integer({ minimum: 1 })),
  starts_at: Type.Optional(Type.String({ format: 'date-time', description: 'Not before.' })),
  time_zone: Type.Optional(
    Type.String({ maxLength: 64, description: 'Of whoever is called; by the number without it.' }),
  ),
  on_machine: Type.Optional(
    oneOf(['hangup', 'leave-message', 'ignore'] as const, 'Notice an answering machine, and do this.'),
  ),
  message: Type.Optional(Type.String({ description: "For a machine; the agent's greeting without it." })),
});
