import { OperatorError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import type { FailedJobView } from './desk/desk.ts';
import { emit, table } from './output.ts';

const timeOf = ({ failed_at }: FailedJobView): string => failed_at?.slice(0, 19) ?? '-';
const aboutOf = ({ about }: FailedJobView): string =>
  Object.entries(about)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ') || '-';

export function listJobs(context: CommandContext, options: { readonly queue?: string }): Promise<void> {
  return context.withDesk(async ({ jobs }) => {
    const all = await jobs.list();
    const { queue } = options;
    const rows = queue === undefined ? all : all.filter(({ name }) => name === queue);
    if (queue !== undefined && rows.length === 0) throw unknownQueue(queue);
    emit(context.out, rows, () => {
      table(
        context.out,
        ['queue', 'waiting', 'later', 'at work', 'given up'],
        rows.map(({ name, ...counts }) => [
          ...[name, String(counts.waiting), String(counts.delayed), String(counts.active), String(counts.failed)],
        ]),
      );
      const failed = rows.flatMap(({ name, failed_jobs }) => failed_jobs.map((job) => ({ name, job })));
      if (failed.length === 0) return;
      context.out.write('\n');
      table(
        context.out,
        ['queue', 'given up', 'tries', 'job', 'why'],
        failed.map(({ name, job }) => [name, timeOf(job), String(job.tries), job.id, job.why]),
      );
    });
  });
}

export function showJob(context: CommandContext, queue: string, id: string): Promise<void> {
  return context.withDesk(async ({ jobs }) => {
    const job = await jobs.show(queue, id);
    if (!job) throw new OperatorError(`No job ${id} was given up in ${queue}. \`jobs list\` shows those that were.`);
    emit(context.out, job, () =>
      table(
        context.out,
        ['queue', 'given up', 'tries', 'job', 'for', 'why'],
        [[queue, timeOf(job), String(job.tries), job.id, aboutOf(job), job.why]],
      ),
    );
  });
}

export const retryJobs = (context: CommandContext, queue: string, id: string | undefined): Promise<void> =>
  change(context, queue, id, 'retried');

export const discardJobs = (context: CommandContext, queue: string, id: string | undefined): Promise<void> =>
  change(context, queue, id, 'discarded');

const DONE = {
  retried: { by: 'retry', said: 'begin again' },
  discarded: { by: 'discard', said: 'forgotten' },
} as const;

function change(
  context: CommandContext,
  queue: string,
  id: string | undefined,
  what: keyof typeof DONE,
): Promise<void> {
  return context.withDesk(async ({ jobs }) => {
    const count = await jobs[DONE[what].by](queue, id);
    if (count === undefined) throw unknownQueue(queue);
    if (count === 0 && id !== undefined) throw new OperatorError(`No job ${id} was given up in ${queue}.`);
    emit(context.out, { queue, [what]: count }, () => context.out.write(`${DONE[what].said}: ${count}\n`));
  });
}

const unknownQueue = (name: string): OperatorError => new OperatorError(`No queue ${name}. \`jobs list\` shows them.`);
