import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../core/errors.ts';
import { presentJob } from '../../core/job-queues.ts';
import type { ManageDeps } from '../deps.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { named, oneOf, orNull, timestamp } from '../schema-names.ts';

const Text = Type.String();
const Whole = Type.Integer();
const tag = 'System';
const scope = 'operator';

const FailedJobShape = named(
  'FailedJob',
  Type.Object({
    ...{ id: Text, name: Text, tries: Whole, failed_at: orNull(timestamp()), why: Text },
    about: Type.Record(Text, Text, { description: 'Ids of what it is for, such as `callId`.' }),
  }),
);
const QueueShape = named(
  'JobQueue',
  Type.Object({
    name: Text,
    ...{ waiting: Whole, active: Whole },
    delayed: Type.Integer({ description: 'Tried in vain, and tried again later.' }),
    failed: Type.Integer({ description: 'Given up.' }),
    failed_jobs: Type.Array(FailedJobShape, { description: 'The latest 50.' }),
  }),
);
const ErrorShape = named(
  'LoggedError',
  Type.Object({
    at: timestamp('Of the last time.'),
    level: oneOf(['error', 'fatal'] as const),
    component: Type.String({ description: 'Part of the gateway that logged it, such as `billing`.' }),
    message: Text,
    code: orNull(Type.String({ description: 'What the client was answered.' })),
    request_id: orNull(Text),
    call_id: orNull(Text),
    times: Type.Integer({ minimum: 1, description: 'In a row.' }),
  }),
);

const OneJob = Type.Object({
  job_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Only this one.' })),
});
const JobParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 300, description: 'Id of the queue: its `name`.' }),
  job: Type.String({ minLength: 1, maxLength: 200, description: 'Id of the job.' }),
});

/** Work behind the calls, and what went wrong of late. */
export function queueOperations({ queueDesk, errors }: ManageDeps): ManageOperation[] {
  return [
    operation(
      {
        ...{ id: 'listQueues', method: 'GET', path: '/system/queues', tag, scope },
        summary: 'List the queues of jobs of this gateway: what waits, what is done now, what was given up',
        answer: Type.Object({ items: Type.Array(QueueShape) }),
        errors: ['unavailable'],
      },
      async () => {
        const queues = await orUnavailable(queueDesk.states());
        return {
          items: queues.map(({ failedJobs, ...counts }) => ({
            ...counts,
            failed_jobs: failedJobs.map(presentJob),
          })),
        };
      },
    ),
    operation(
      {
        ...{ id: 'getFailedJob', method: 'GET', path: '/system/queues/{id}/jobs/{job}', tag, scope },
        summary: 'Get a job that was given up',
        description: 'Of each queue a thousand are kept, for 30 days.',
        params: JobParams,
        answer: FailedJobShape,
        errors: ['unavailable'],
      },
      async ({ params: { id, job } }) =>
        presentJob(known(await orUnavailable(queueDesk.failedJob(id, job)), 'failed job', job)),
    ),
    operation(
      {
        ...{ id: 'retryFailedJobs', method: 'POST', path: '/system/queues/{id}/retry', tag, scope },
        summary: 'Try the jobs of a queue again that were given up; at most 50 at once',
        params: idParam('queue: its `name`'),
        body: OneJob,
        answer: Type.Object({ retried: Whole }),
        errors: ['unavailable'],
      },
      async ({ params: { id }, body, changed }) => {
        const retried = known(await orUnavailable(queueDesk.retryFailed(id, body.job_id)), 'queue', id);
        changed({ kind: 'queue', id, after: { retried, ...body } });
        return { retried };
      },
    ),
    operation(
      {
        ...{ id: 'discardFailedJobs', method: 'POST', path: '/system/queues/{id}/discard', tag, scope },
        summary: 'Forget the jobs of a queue that were given up; at most 50 at once',
        description:
          'What is still to be done, such as a recording without a waveform, is queued again within a minute.',
        params: idParam('queue: its `name`'),
        body: OneJob,
        answer: Type.Object({ discarded: Whole }),
        errors: ['unavailable'],
      },
      async ({ params: { id }, body, changed }) => {
        const discarded = known(await orUnavailable(queueDesk.discardFailed(id, body.job_id)), 'queue', id);
        changed({ kind: 'queue', id, after: { discarded, ...body } });
        return { discarded };
      },
    ),
    operation(
      {
        ...{ id: 'listErrors', method: 'GET', path: '/system/errors', tag, scope },
        summary: 'List the latest errors of the log of this gateway, without anything personal',
        description:
          'Kept in memory since the start. The whole of each is in the log; who was answered an error has its `X-Request-Id`.',
        query: Type.Object({ request_id: Type.Optional(Type.String({ maxLength: 64 })) }),
        answer: Type.Object({
          items: Type.Array(ErrorShape, { description: 'Newest first.' }),
          since: timestamp('Start of the gateway.'),
          kept_max: Whole,
        }),
      },
      async ({ query }) => ({
        items: errors.list(query.request_id).map(({ at, level, component, message, times, ...error }) => ({
          ...{ at, level, component, message, times, code: error.code ?? null },
          ...{ request_id: error.requestId ?? null, call_id: error.callId ?? null },
        })),
        ...{ since: errors.since.toISOString(), kept_max: errors.keptMax },
      }),
    ),
  ];
}

/** @throws ServiceError `unavailable`: the database of the queues may be another one than ours. */
function orUnavailable<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new ServiceError('unavailable', '', { cause: error });
  });
}
