import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../core/errors.ts';
import { isTimeZone } from '../../core/time-zone.ts';
import { isOn } from '../../core/trunk.ts';
import type { TrunkStatus } from '../../core/trunk-status.ts';
import type { FaultyCall, SetUp } from '../../store/overview.ts';
import type { RefusedCallRow } from '../../store/refused-calls.ts';
import type { ManageDeps } from '../deps.ts';
import { known, type ManageOperation, operation } from '../operation.ts';
import { NoticeShape, noticesOf, oneOf, orNull, timestamp } from '../schema-names.ts';

const PROBLEMS_MAX = 10;
const Text = Type.String();
const Whole = Type.Integer();
const Share = orNull(Type.Number({ description: 'Percent; null where there is nothing to judge by.' }));
const ITEMS = ['agent-live', 'way-in', 'first-call', 'call-understood', 'password', 'tls'] as const;
/** From the best to the worst that is seen of a trunk. */
const SEEN_STATES = ['up', 'down', 'unknown'] as const;
const TRUNK_STATES = [...SEEN_STATES, 'off'] as const;

const OverviewShape = Type.Object({
  at: timestamp(),
  time_zone: Text,
  calls: Type.Object({
    live: Whole,
    today: Whole,
    days: Type.Array(
      Type.Object({
        ...{ day: Text, calls: Whole, answered: Whole },
        judged_turns: Type.Integer({
          description: 'Turns of callers of which it was judged whether they were understood.',
        }),
        ...{ understood_turns: Whole, understood_percent: Share },
      }),
      { description: 'The last seven, the oldest first; the last one is today. Turns are of calls that are over.' },
    ),
  }),
  understood_percent: Share,
  last_day: Type.Object(
    {
      calls: Type.Integer({ description: 'Answered, and over.' }),
      answers: Type.Object({ count: Whole, p50_ms: orNull(Whole), p95_ms: orNull(Whole) }),
      mos: Type.Object({
        calls: Whole,
        median: orNull(Type.Number()),
        worst: orNull(Type.Number()),
        worst_call_id: orNull(Text),
      }),
    },
    {
      description:
        'Of the last 24 hours, of the latest 2000 calls in them. Answers: end of the words to the first packet.',
    },
  ),
  money: Type.Object({
    ...{ spent_today_cents: Whole, spent_month_cents: Whole },
    ...{ balance_cents: Whole, reserved_cents: Whole, available_cents: Whole },
  }),
  trunks: Type.Array(
    Type.Object({
      ...{
        id: Text,
        name: Text,
        state: oneOf(
          TRUNK_STATES,
          'Up: by one host at least, and registered where it registers. Off: it was switched off.',
        ),
      },
      registration: orNull(Type.String({ description: 'State of the registration at the carrier.' })),
    }),
  ),
  problems: Type.Array(
    Type.Object({
      at: timestamp(),
      kind: oneOf(['refused', 'failed'] as const),
      call_id: orNull(Type.String({ description: 'Of one that failed.' })),
      ...{ from: orNull(Text), to: orNull(Text), reason: Text, detail: Text },
      detail_notice: orNull(NoticeShape),
      remedy: orNull(Type.String({ description: 'What would let it in.' })),
      remedy_notice: orNull(NoticeShape),
    }),
    { description: 'Calls that were refused or broke off, the latest first.' },
  ),
  checklist: Type.Array(Type.Object({ item: oneOf(ITEMS), done: Type.Boolean() })),
});

/** One page's worth of everything. */
export function overviewOperations({ store, clock, sip }: ManageDeps): ManageOperation[] {
  return [
    operation(
      {
        ...{ id: 'getOverview', method: 'GET', path: '/overview', tag: 'Overview', scope: 'read' },
        summary: 'What goes on, how it went, what it costs, what is wrong, and what is still to be set up',
        query: Type.Object({
          time_zone: Type.Optional(
            Type.String({ maxLength: 64, description: 'Whose days; those of the account without it.' }),
          ),
        }),
        answer: OverviewShape,
      },
      async ({ who, accountId, query }) => {
        const account = known(await store.accounts.get(accountId), 'account', accountId);
        const timeZone = query.time_zone ?? account.timeZone;
        if (!isTimeZone(timeZone)) throw new ServiceError('invalid_request', 'time_zone is none, such as Asia/Riyadh');
        const now = clock.utc();
        const moment = { accountId, now, timeZone };
        const { overview } = store;
        const strangers = who.scopes.includes('operator');
        const [live, days, recent, spent, setUp] = await Promise.all([
          ...([overview.living(accountId), overview.days(moment), overview.recent(moment)] as const),
          ...([overview.spent(moment), overview.setUp(accountId)] as const),
        ]);
        const [trunks, states, refused, faulty] = await Promise.all([
          ...([store.trunks.listFor(accountId), store.trunkStates.list()] as const),
          ...([
            store.refusedCalls.page({ accountId, strangers, limit: PROBLEMS_MAX }),
            overview.faulty(accountId, PROBLEMS_MAX),
          ] as const),
        ]);
        const { balanceCents, reservedCents } = account;
        const judged = days.reduce((sum, { judgedTurns }) => sum + judgedTurns, 0);
        const understood = days.reduce((sum, { understoodTurns }) => sum + understoodTurns, 0);
        return {
          ...{ at: now.toISOString(), time_zone: timeZone },
          calls: {
            ...{ live, today: days.at(-1)!.calls },
            days: days.map(({ day, calls, answered, judgedTurns, understoodTurns }) => ({
              ...{ day, calls, answered, judged_turns: judgedTurns, understood_turns: understoodTurns },
              understood_percent: percent(understoodTurns, judgedTurns),
            })),
          },
          understood_percent: percent(understood, judged),
          last_day: {
            calls: recent.calls,
            answers: { count: recent.answers, p50_ms: recent.answerP50Ms, p95_ms: recent.answerP95Ms },
            mos: {
              ...{ calls: recent.heardCalls, median: tenths(recent.mosMedian), worst: tenths(recent.mosWorst) },
              worst_call_id: recent.worstCallId,
            },
          },
          money: {
            ...{ spent_today_cents: spent.today, spent_month_cents: spent.month, balance_cents: balanceCents },
            ...{ reserved_cents: reservedCents, available_cents: balanceCents - reservedCents },
          },
          trunks: trunks.map((trunk) => {
            const { id, definition } = trunk;
            return { id, name: definition.name, ...(isOn(trunk) ? stateOf(states.get(id) ?? []) : OFF) };
          }),
          problems: problemsOf(refused, faulty),
          checklist: checklistOf(
            setUp,
            sip.transports.some((one) => one === 'tls' || one === 'wss'),
          ),
        };
      },
    ),
  ];
}

const percent = (part: number, of: number): number | null => (of === 0 ? null : Math.round((1_000 * part) / of) / 10);
const tenths = (value: number | null): number | null => (value === null ? null : Math.round(value * 100) / 100);

/** Of a trunk that was switched off: nobody looks. */
const OFF = { state: 'off', registration: null } as const;
const REGISTERED = new Set(['registered', 'refreshing']);
/** The best of what the gateways see: a trunk that one of them reaches takes calls. */
function stateOf(seen: readonly TrunkStatus[]) {
  const states = seen.map(({ hosts, registration }) => {
    if (registration && !REGISTERED.has(registration.state)) return 'down';
    const hostStates = hosts.map(({ state }) => state);
    return hostStates.includes('up') || (registration && !hostStates.includes('down'))
      ? 'up'
      : (hostStates[0] ?? 'unknown');
  });
  const state = SEEN_STATES.find((one) => states.includes(one)) ?? 'unknown';
  return { state, registration: seen.find(({ registration }) => registration)?.registration?.state ?? null };
}

function problemsOf(refused: readonly RefusedCallRow[], faulty: readonly FaultyCall[]) {
  const all = [
    ...refused.map(({ at, from, to, reason, detail, remedy }) => ({
      ...{ at, kind: 'refused' as const, call_id: null, from, to, reason, detail, remedy },
    })),
    ...faulty.map(({ id, at, reason, detail }) => ({
      ...{ at, kind: 'failed' as const, call_id: id, from: null, to: null, reason, detail: detail ?? '', remedy: null },
    })),
  ];
  return all
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, PROBLEMS_MAX)
    .map((one) => ({ ...one, ...noticesOf(one), at: one.at.toISOString() }));
}

function checklistOf(setUp: SetUp, tls: boolean) {
  const done: Readonly<Record<(typeof ITEMS)[number], boolean>> = {
    ...{
      'agent-live': setUp.liveAgent,
      'way-in': setUp.number || setUp.phone || setUp.trunk,
      'first-call': setUp.called,
    },
    ...{ 'call-understood': setUp.understood, password: setUp.password, tls },
  };
  return ITEMS.map((item) => ({ item, done: done[item] }));
}
