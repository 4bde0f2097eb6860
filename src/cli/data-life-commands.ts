import type { Command } from 'commander';
import { type CommandContext, type ContextFlags, commandContext } from './context.ts';
import type { RestoreFlags } from './data-life.ts';
import { onlyHere } from './only-here.ts';
import type { EraseFlags } from './person-data.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

const personData = () => import('./person-data.ts');
const commands = () => import('./data-life.ts');

/** `backup`, `restore` and `move`: everything that an installation is made of. `erase` and `export`: what is kept of one person. */
export function addDataLifeCommands(program: Command, { contextOf, example }: ProgramParts): void {
  const here = (command: Command, what: string): CommandContext => {
    onlyHere(command.optsWithGlobals<ContextFlags>(), `${what} works on the machine that has the data folder`);
    return contextOf(command);
  };
  // Recordings are opened with the keys of recordings.
  const withRecordings = (command: Command, what: string): CommandContext => {
    here(command, what);
    return commandContext(command.optsWithGlobals<ContextFlags>(), ['recordings']);
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
    .option(
      '--erasures <file>',
      'a copy of erasures.jsonl of the data folder, where that was lost: who was erased since is erased again',
    )
    .addHelpText('after', example('restore nidaa.tar', 'restore nidaa.tar --replace'))
    .action(async (file: string, options: RestoreFlags, command: Command) =>
      (await commands()).restoreBackup(here(command, 'restore'), file, options),
    );
  program
    .command('move')
    .description('copy the database into an empty one elsewhere, and compare the two; the gateway has to be stopped')
    .requiredOption('--to <url>', 'postgres://user:password@host/database')
    .addHelpText('after', example('move --to postgres://nidaa:secret@db.example.com/nidaa'))
    .action(async (options: { to: string }, command: Command) =>
      (await commands()).moveDatabase(here(command, 'move'), options.to),
    );
  program
    .command('erase')
    .description('erase a person by their number, however it is written, from everything that is kept; amounts stay')
    .argument('<number>', 'such as +966501234567, 0501234567, or the name of a SIP caller')
    .option('--account <account>', 'id or name; all accounts without it')
    .option('--dry-run', 'say what there is, and change nothing')
    .addHelpText('after', example('erase +966501234567 --dry-run', 'erase 0501234567 --account "Acme Clinic"'))
    .action(async (number: string, options: EraseFlags, command: Command) =>
      (await personData()).erasePerson(withRecordings(command, 'erase'), number, options),
    );
  program
    .command('export')
    .description('write what is kept of a person into a tar archive: a JSON that can be read, and recordings')
    .argument('<number>', 'as for `erase`')
    .argument('<file>', 'a new file')
    .option('--account <account>', 'id or name; all accounts without it')
    .addHelpText('after', example('export +966501234567 person.tar'))
    .action(async (number: string, file: string, options: { account?: string }, command: Command) =>
      (await personData()).exportPerson(withRecordings(command, 'export'), number, file, options),
    );
}
