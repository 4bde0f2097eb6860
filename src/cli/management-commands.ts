import { type Command, InvalidArgumentError, Option } from 'commander';
import { ROLES, SCOPES, type Scope } from '../core/management.ts';
import type { CommandContext } from './context.ts';
import type { InviteOptions, NewKeyOptions } from './management.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

const commands = () => import('./management.ts'); // The store's tables take half of the start.
const ACCOUNT = 'id or name; not needed where there is one account only';

/** `keys` and `console`: who may use the management API. */
export function addManagementCommands(program: Command, { contextOf, example }: ProgramParts): void {
  const keys = program.command('keys').description('keys of the management API');
  keys
    .command('create')
    .description('make a management key; it is shown this once')
    .option('--account <account>', ACCOUNT)
    .option('--name <name>', 'what it is for', 'key')
    .requiredOption('--scope <scope>', `what it may: ${SCOPES.join(', ')} (repeatable)`, readScope)
    .addHelpText('after', example('keys create --name reports --scope read', 'keys create --scope read --scope agents'))
    .action(async (options: NewKeyOptions, command: Command) =>
      (await commands()).createKey(contextOf(command), options),
    );
  keys
    .command('list')
    .description('list management keys, without their secrets')
    .option('--account <account>', 'id or name; all accounts without it')
    .addHelpText('after', example('keys list'))
    .action(async (options: { account?: string }, command: Command) =>
      (await commands()).listKeys(contextOf(command), options),
    );
  keys
    .command('revoke')
    .description('make a management key worthless, at once and for good')
    .argument('<key-id>', 'as `keys list` shows it')
    .addHelpText('after', example('keys revoke mky_abcdefghijklmnopqrst'))
    .action(async (id: string, _options: object, command: Command) =>
      (await commands()).revokeKey(contextOf(command), id),
    );
  const people = program.command('console').description('people who manage');
  people
    .command('invite')
    .description('print a one-time link that lets somebody set a password, new or known')
    .argument('<email>', 'whom')
    .option('--account <account>', ACCOUNT)
    .addOption(new Option('--role <role>', 'what somebody new may; default owner').choices([...ROLES]))
    .addHelpText('after', example('console invite noura@example.com', 'console invite ali@example.com --role viewer'))
    .action(async (email: string, options: InviteOptions, command: Command) =>
      (await commands()).invite(contextOf(command), email, options),
    );
}

function readScope(text: string, before: readonly Scope[] = []): readonly Scope[] {
  const scope = SCOPES.find((one) => one === text);
  if (scope === undefined) throw new InvalidArgumentError(`Expected one of ${SCOPES.join(', ')}.`);
  return [...before, scope];
}
