import type { Command } from 'commander';
import type { CommandContext } from './context.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

const commands = () => import('./jobs.ts');
const QUEUE = ['<queue>', 'recordings, documents, calls or caretaker'] as const;
const JOB = 'as `jobs list` shows it';

/** `jobs`: work behind the calls, wherever it is kept (PostgreSQL or Redis). */
export function addJobCommands(program: Command, { contextOf, example }: ProgramParts): void {
  const jobs = program.command('jobs').description('work behind the calls: what waits, and what was given up');
  jobs
    .command('list')
    .description('list the queues, and the latest jobs that were given up; a thousand of each are kept, for 30 days')
    .option('--queue <name>', 'only this one')
    .addHelpText('after', example('jobs list'))
    .action(async (options: { queue?: string }, command: Command) =>
      (await commands()).listJobs(contextOf(command), options),
    );
  jobs
    .command('show')
    .description('show a job that was given up, and what it was for')
    .argument(...QUEUE)
    .argument('<job>', JOB)
    .addHelpText('after', example('jobs show recordings recording-call_abcdefghijklmnopqrst'))
    .action(async (queue: string, job: string, _options: object, command: Command) =>
      (await commands()).showJob(contextOf(command), queue, job),
    );
  jobs
    .command('retry')
    .description('have a job that was given up begin again, or the latest 50 of a queue; each is safe to be done twice')
    .argument(...QUEUE)
    .argument('[job]', JOB)
    .addHelpText('after', example('jobs retry recordings', 'jobs retry calls call-call_abcdefghijklmnopqrst'))
    .action(async (queue: string, job: string | undefined, _options: object, command: Command) =>
      (await commands()).retryJobs(contextOf(command), queue, job),
    );
  jobs
    .command('discard')
    .description(
      'forget a job that was given up, or the latest 50; what is still to be done is queued again within a minute',
    )
    .argument(...QUEUE)
    .argument('[job]', JOB)
    .addHelpText('after', example('jobs discard documents'))
    .action(async (queue: string, job: string | undefined, _options: object, command: Command) =>
      (await commands()).discardJobs(contextOf(command), queue, job),
    );
}
