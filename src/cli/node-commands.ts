import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import type { DrainOptions } from './nodes.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

/** `nodes` and `drain`: the gateways on one database. */
export function addNodeCommands(program: Command, { contextOf, example }: ProgramParts): void {
  const nodes = program
    .command('nodes')
    .description(
      'list the gateways on the database: those that live, were lost within the hour, or are gone while their disk is waited for',
    )
    .addHelpText('after', example('nodes'))
    .action(async (_options: object, command: Command) => (await import('./nodes.ts')).listNodes(contextOf(command)));
  nodes
    .command('forget')
    .description('give up a gateway whose disk is destroyed: its recordings, and what erasures wait for there')
    .argument('<node>', 'as `nodes` shows it, its beginning, its host or address')
    .option('--yes', 'it never comes back')
    .addHelpText('after', example('nodes forget gw_4kq2 --yes'))
    .action(async (node: string, { yes }: { readonly yes?: boolean }, command: Command) =>
      (await import('./nodes.ts')).forgetNode(contextOf(command), node, yes === true),
    );
  program
    .command('drain')
    .description(
      'have a gateway take no new calls and let those end that it has, until it is started anew or wanted again',
    )
    .argument('[node]', 'as `nodes` shows it, its beginning, its host or address; the only one without it')
    .option('--undo', 'have it take calls again')
    .option('--wait <seconds>', 'until it has no call any more, for so long at most')
    .addHelpText('after', example('drain', 'drain gw_4kq2 --wait 600', 'drain gw_4kq2 --undo'))
    .action(async (node: string | undefined, options: DrainOptions, command: Command) =>
      (await import('./nodes.ts')).drainNode(contextOf(command), node, options),
    );
}
