import type { Command } from 'commander';
import type { CommandContext, ContextFlags } from './context.ts';
import { onlyHere } from './only-here.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

const commands = () => import('./data-life.ts');

/** `backup`, `restore` and `move`: everything that an installation is made of. */
export function addDataLifeCommands(program: Command, { contextOf, example }: ProgramParts): void {
  const here = (command: Command, what: string): CommandContext => {
    onlyHere(command.optsWithGlobals<ContextFlags>(), `${what} works on the machine that has the data folder`);
    return contextOf(command);
  };
  program
    .command('backup')
    .description(
      'write the database, the key of its secrets and the recordings of this disk into one file, while the gateway runs or not',
    )
    .argument('<file>', 'a new file; it has its name when all of it is there. Keep it as well as the key')
    .addHelpText('after', example('backup nidaa.tar'))
    .action(async (file: string, _options: object, command: Command) =>
      (await commands()).makeBackup(here(command, 'backup'), file),
    );
  program
    .command('restore')
    .description('bring back what a backup has, into the data folder and its database; the gateway has to be stopped')
    .argument('<file>', 'that `backup` has made')
    .option('--replace', 'yes, in the place of everything that is there')
    .addHelpText('after', example('restore nidaa.tar', 'restore nidaa.tar --replace'))
    .action(async (file: string, options: { replace?: boolean }, command: Command) =>
      (await commands()).restoreBackup(here(command, 'restore'), file, options.replace === true),
    );
  program
    .command('move')
    .description('copy the database into an empty one elsewhere, and compare the two; the gateway has to be stopped')
    .requiredOption('--to <url>', 'postgres://user:password@host/database')
    .addHelpText('after', example('move --to postgres://nidaa:secret@db.example.com/nidaa'))
    .action(async (options: { to: string }, command: Command) =>
      (await commands()).moveDatabase(here(command, 'move'), options.to),
    );
}
