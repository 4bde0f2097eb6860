import { type Command, Option } from 'commander';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './numbers.ts';
import type { DeliveryOptions, ReplayOptions } from './webhooks.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

const commands = () => import('./webhooks.ts');
const SHOWN_MAX = 1_000;

/** `webhooks`: where programs are told what happens, and how that goes. They are made by the management API. */
export function addWebhookCommands(program: Command, { contextOf, example }: ProgramParts): void {
  const webhooks = program.command('webhooks').description('programs that are told what happens');
  webhooks
    .command('list')
    .description('list webhooks, and how it goes with them')
    .option('--account <account>', 'id or name; all accounts without it')
    .addHelpText('after', example('webhooks list'))
    .action(async (options: { account?: string }, command: Command) =>
      (await commands()).listWebhooks(contextOf(command), options),
    );
  webhooks
    .command('deliveries')
    .description('list what a webhook was told, newest first')
    .argument('<webhook-id>', 'as `webhooks list` shows it')
    .addOption(new Option('--state <state>', 'only these').choices(['pending', 'delivered', 'failed']))
    .option('--limit <count>', 'how many', wholeNumber(1, SHOWN_MAX), 20)
    .addHelpText('after', example('webhooks deliveries whk_abcdefghijklmnopqrst --state failed'))
    .action(async (id: string, options: DeliveryOptions, command: Command) =>
      (await commands()).listDeliveries(contextOf(command), id, options),
    );
  webhooks
    .command('replay')
    .description('send again what was given up, or one delivery whatever became of it')
    .argument('<webhook-id>', 'as `webhooks list` shows it')
    .option('--since <time>', 'everything that was given up since then, as 2026-01-31T08:00:00Z')
    .option('--delivery <id>', 'this one, as `webhooks deliveries` shows it')
    .addHelpText('after', example('webhooks replay whk_abcdefghijklmnopqrst --since 2026-01-31T08:00:00Z'))
    .action(async (id: string, options: ReplayOptions, command: Command) =>
      (await commands()).replayDeliveries(contextOf(command), id, options),
    );
}
