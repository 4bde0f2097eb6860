import { Type } from '@sinclair/typebox';
import { OperatorError } from '../../core/errors.ts';
import { sentence } from '../../core/notice.ts';
import { WALKS } from '../../store/erasure/places.ts';
import type { Search } from '../../store/erasure/search.ts';
import type { Erasure } from '../../store/erasures.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { PAGE_QUERY, pageOf, pageOfAll } from '../pages.ts';
import { named, oneOf, orNull, timestamp } from '../schema-names.ts';

const tag = 'Calls';
const Count = Type.Integer({ minimum: 0 });
/** What a request looks through before it is answered: some 2,500 calls. */
const PIECES_MAX = 8;
const PersonNumber = Type.String({
  ...{ minLength: 2, maxLength: 128 },
  description:
    'However it is written: +966501234567, 0501234567, sip:0501234567@example.com; or the name of a SIP caller.',
});
const ErasureShape = named(
  'Erasure',
  Type.Object({
    id: Type.String(),
    asked_at: timestamp(),
    state: oneOf(
      ['waiting', 'done', 'tried'] as const,
      'waiting: for the search, for calls that go on, or for nodes that have a file.',
    ),
    search: orNull(
      Type.Object({
        calls: Type.Integer({ minimum: 0, description: 'That were looked through so far.' }),
        back_to: orNull(
          timestamp(
            'When the last of those began: it goes back in time. Null: calls are not what is looked through now.',
          ),
        ),
      }),
    ),
    done_at: orNull(timestamp()),
    found: Type.Object({
      ...{ calls: Count, turns: Count, recordings: Count, orders: Count, refused_calls: Count },
      named_elsewhere: Type.Integer({
        minimum: 0,
        description: 'In texts and entries of others, from where the number was taken out.',
      }),
      do_not_call: Type.Integer({
        minimum: 0,
        description: 'Entries of lists of numbers that are not called: they stay.',
      }),
    }),
    waits_for: Type.Object({
      ...{ calls: Count, recordings: Count },
      in_storage: Type.Integer({ minimum: 0, description: 'Of the recordings: in the storage that all nodes share.' }),
      nodes: Type.Array(Type.String(), {
        description:
          'On whose disks something is yet. Each removes it within a minute, one that is down when it is back.',
      }),
    }),
  }),
);
const present = ({ id, askedAt, doneAt, found, waits, search, onNodes, inHome }: Erasure, isTried = false) => ({
  ...{ id, asked_at: askedAt.toISOString() },
  state: isTried ? ('tried' as const) : doneAt ? ('done' as const) : ('waiting' as const),
  search: search && { calls: search.calls, back_to: backTo(search) },
  done_at: isTried ? null : (doneAt?.toISOString() ?? null),
  found: {
    ...{ calls: found.calls, turns: found.turns, recordings: found.recordings, orders: found.orders },
    ...{ refused_calls: found.refusals, named_elsewhere: found.mentions, do_not_call: found.doNotCall },
  },
  waits_for: {
    ...{ calls: waits.calls.length + waits.orders.length, recordings: waits.recordings.length },
    ...{ in_storage: inHome, nodes: onNodes },
  },
});

const backTo = ({ walk, after }: Search): string | null =>
  WALKS[walk]?.table === 'calls' && after?.time ? new Date(after.time).toISOString() : null;

const Anything = Type.Record(Type.String(), Type.Unknown());

/** What is kept of one person in the account: shown to them, and erased. Numbers stand in bodies, which no log has. */
export function erasureOperations({
  store,
  countryCode,
  recordings,
  logger,
  forgetSoFar,
}: ManageDeps): ManageOperation[] {
  const ofOne = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      if (!(error instanceof OperatorError)) throw error;
      throw new ManageError('not_possible', sentence('refused.own-number'), { cause: error });
    });
  const troubled = (error: unknown): void =>
    logger.warn({ error }, 'the search for a person broke off, and goes on with the next round');
  /** Files that this node has go now, the others with the next round of theirs. */
  const removeFiles = async ({ waits }: Erasure): Promise<void> => {
    for (const callId of waits.recordings) {
      await recordings
        .removeOf(callId)
        .catch((error: unknown) => logger.warn({ error, call_id: callId }, 'a recording could not be removed'));
    }
    await store.erasures.goOn();
    await store.erasures.forgetOn(store.recordings.node, forgetSoFar);
  };
  return [
    operation(
      {
        ...{ id: 'erasePerson', method: 'POST', path: '/erasures', tag, scope: 'account', status: 201 },
        summary: 'Erase a person by their number from everything that the account keeps; amounts stay',
        description:
          'Calls with what was said, recordings on all nodes and in their home, orders, refusals, and the number where others have said it. ' +
          'Their calls and waiting orders are erased at once; all that the account keeps is then searched for the number, within the answer where that is ' +
          'little, else beside it (`search` says how far, and `found` grows). It is done when that is over, every file is gone and every call of theirs ' +
          'is over: `getErasure` says so. What is kept of it then does not have the number.',
        body: Type.Object({
          number: PersonNumber,
          dry_run: Type.Optional(
            Type.Boolean({
              description:
                'Says what there is, and changes nothing. With `search` in the answer that is what was found so far.',
            }),
          ),
        }),
        answer: ErasureShape,
        errors: ['not_possible'],
      },
      async ({ accountId, body, changed }) => {
        const isTried = body.dry_run === true;
        const options = { isTried, piecesMax: PIECES_MAX, troubled };
        const erasure = await ofOne(store.erasures.erase(body.number, { countryCode, accountId }, options));
        if (!isTried) await removeFiles(erasure);
        const now = isTried ? erasure : ((await store.erasures.get(erasure.id)) ?? erasure);
        const shown = present(now, isTried);
        changed({ kind: 'erasure', id: isTried ? 'dry-run' : erasure.id, after: shown.found });
        return shown;
      },
    ),
    operation(
      {
        ...{ id: 'listErasures', method: 'GET', path: '/erasures', tag, scope: 'read' },
        ...{ summary: 'List who was erased, without numbers, latest first' },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(ErasureShape) },
      },
      async ({ accountId, query }) =>
        pageOfAll(
          await store.erasures.list(accountId),
          query,
          ({ id }) => id,
          (one) => present(one),
        ),
    ),
    operation(
      {
        ...{ id: 'getErasure', method: 'GET', path: '/erasures/{id}', tag, scope: 'read' },
        ...{ summary: 'Get an erasure: whether all of it is done', params: idParam('erasure'), answer: ErasureShape },
      },
      async ({ accountId, params }) =>
        present(known(await store.erasures.get(params.id, accountId), 'erasure', params.id)),
    ),
    operation(
      {
        ...{ id: 'exportPerson', method: 'POST', path: '/person-exports', tag, scope: 'account' },
        summary: 'Get what the account keeps of a person: calls with what was said, orders, refusals',
        description:
          'Recordings are asked for by the ids of calls (`getRecording`). `nidaa export` writes both into one file.',
        body: Type.Object({ number: PersonNumber }),
        answer: named(
          'PersonData',
          Type.Object({
            ...{
              number: Type.String({ description: 'Digits with the code of the country.' }),
              calls: Type.Array(Anything),
            },
            ...{ orders: Type.Array(Anything), refused_calls: Type.Array(Anything), do_not_call: Type.Array(Anything) },
            named_elsewhere: Type.Record(Type.String(), Count),
          }),
        ),
        errors: ['not_possible'],
      },
      async ({ accountId, body, changed }) => {
        const data = await ofOne(store.erasures.collect(body.number, { countryCode, accountId }));
        changed({ kind: 'erasure', id: 'export', after: { calls: data.calls.length, orders: data.orders.length } });
        return JSON.parse(JSON.stringify(data));
      },
    ),
  ];
}
