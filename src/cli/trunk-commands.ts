import type { Command } from 'commander';
import type { RouteOptions } from './call-routing.ts';
import type { CommandContext } from './context.ts';
import type { AddTrunkOptions } from './trunks.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

const several = (value: string, before: string[]): string[] => [...before, value];
const trunkCommands = () => import('./trunks.ts');
const phoneCommands = () => import('./registered-phones.ts');

/** `nidaa trunk`, `nidaa number`, `nidaa phone`, `nidaa route`: who may call in, and where calls go. */
export function addTrunkCommands(program: Command, parts: ProgramParts): void {
  addTrunks(program, parts);
  addNumbers(program, parts);
  addPhones(program, parts);
  addRoute(program, parts);
}

function addTrunks(program: Command, { contextOf, example }: ProgramParts): void {
  const trunk = program.command('trunk').description('carriers and exchanges that call in, and that calls go out by');
  trunk
    .command('add')
    .description(
      'store a trunk, or give the one of that name a new definition; a running gateway takes it within 5 seconds',
    )
    .argument('[file]', 'trunk file; config/trunks/carrier.yaml.sample shows every key')
    .option('--name <name>', 'what it is called, where there is no file')
    .option('--host <uri>', 'where calls go, such as sip:sbc.example.net (repeatable)', several, [])
    .option('--source <address>', 'address or network that its calls come from (repeatable)', several, [])
    .option(
      '--allow <prefix>',
      'beginning of numbers that may be called, such as +966 (repeatable); nothing without',
      several,
      [],
    )
    .option('--transport <transport>', 'udp, tcp or tls')
    .option('--account <account>', 'id or name; all accounts use a trunk that has none')
    .addHelpText(
      'after',
      example('trunk add carrier.yaml', 'trunk add --name pbx --source 192.0.2.10 --host sip:192.0.2.10'),
    )
    .action(async (file: string | undefined, options: AddTrunkOptions, command: Command) => {
      const { addTrunk } = await trunkCommands();
      return addTrunk(contextOf(command), file, options);
    });
  trunk
    .command('list')
    .description('list the trunks')
    .option('--account <account>', 'id or name: those that it calls by')
    .addHelpText('after', example('trunk list'))
    .action(async (options: { account?: string }, command: Command) => {
      const { listTrunks } = await trunkCommands();
      return listTrunks(contextOf(command), options);
    });
  trunk
    .command('show')
    .description('show one trunk; passwords are not shown')
    .argument('<trunk>', 'id or name')
    .addHelpText('after', example('trunk show carrier'))
    .action(async (name: string, _options: object, command: Command) => {
      const { showTrunk } = await trunkCommands();
      return showTrunk(contextOf(command), name);
    });
  trunk
    .command('test')
    .description('ask every host of a trunk by OPTIONS whether it is there; exit code 1 when none answers')
    .argument('<trunk>', 'id or name')
    .addHelpText('after', example('trunk test carrier'))
    .action(async (name: string, _options: object, command: Command) => {
      const { testTrunk } = await trunkCommands();
      if (!(await testTrunk(contextOf(command), name))) process.exitCode = 1;
    });
  for (const [verb, what] of [
    ['on', 'switch a trunk on again'],
    ['off', 'switch a trunk off: it is kept, takes no calls, sends none, and is unregistered'],
  ] as const) {
    trunk
      .command(verb)
      .description(what)
      .argument('<trunk>', 'id or name')
      .addHelpText('after', example(`trunk ${verb} carrier`))
      .action(async (name: string, _options: object, command: Command) => {
        const { switchTrunk } = await trunkCommands();
        return switchTrunk(contextOf(command), name, verb === 'on');
      });
  }
  trunk
    .command('remove')
    .description('remove a trunk: its calls are refused from then on')
    .argument('<trunk>', 'id or name')
    .addHelpText('after', example('trunk remove carrier'))
    .action(async (name: string, _options: object, command: Command) => {
      const { removeTrunk } = await trunkCommands();
      return removeTrunk(contextOf(command), name);
    });
}

function addNumbers(program: Command, { contextOf, example }: ProgramParts): void {
  const number = program.command('number').description('numbers that agents answer');
  for (const [verb, what] of [
    ['on', 'switch a number on again'],
    ['off', 'switch a number off: it keeps its agent, calls to it are refused, and none are placed from it'],
  ] as const) {
    number
      .command(verb)
      .description(what)
      .argument('<number>', 'as it is dialled')
      .option('--account <account>', 'id or name; not needed where there is one account only')
      .addHelpText('after', example(`number ${verb} 1000`))
      .action(async (dialled: string, options: { account?: string }, command: Command) => {
        const { switchNumber } = await trunkCommands();
        return switchNumber(contextOf(command), dialled, options, verb === 'on');
      });
  }
}

function addPhones(program: Command, { contextOf, example }: ProgramParts): void {
  const phone = program.command('phone').description('desk and soft phones that register here');
  phone
    .command('create')
    .description('make a phone; its password is shown this once')
    .argument('<name>', 'what it is called: phone:<name> is a target of transfers')
    .option('--account <account>', 'id or name; not needed where there is one account only')
    .option('--user <user>', 'its SIP user; default its name')
    .addHelpText('after', example('phone create reception --account Demo'))
    .action(async (name: string, options: { account?: string; user?: string }, command: Command) => {
      const { createPhone } = await phoneCommands();
      return createPhone(contextOf(command), name, options);
    });
  phone
    .command('list')
    .description('list the phones')
    .option('--account <account>', 'id or name; all accounts without it')
    .addHelpText('after', example('phone list'))
    .action(async (options: { account?: string }, command: Command) => {
      const { listPhones } = await phoneCommands();
      return listPhones(contextOf(command), options);
    });
  for (const [verb, what] of [
    ['show', 'show one phone; its password is not shown'],
    ['remove', 'remove a phone: it can register no more'],
  ] as const) {
    phone
      .command(verb)
      .description(what)
      .argument('<phone>', 'id or name')
      .option('--account <account>', 'id or name, where several accounts have a phone of that name')
      .addHelpText('after', example(`phone ${verb} reception`))
      .action(async (name: string, options: { account?: string }, command: Command) => {
        const { removePhone, showPhone } = await phoneCommands();
        return (verb === 'show' ? showPhone : removePhone)(contextOf(command), name, options);
      });
  }
}

function addRoute(program: Command, { contextOf, example }: ProgramParts): void {
  program
    .command('route')
    .description('tell what would become of a call, and why; exit code 1 where it would be refused. Calls nobody')
    .argument('<number>', 'the number called; with --out also phone:<name> or a sip: URI')
    .option('--from <address>', 'address that the call comes from')
    .option('--digest <user>', 'SIP user that the sender has proved to be')
    .option('--caller <number>', 'number of the caller', '')
    .option('--out', 'a call of ours')
    .option('--account <account>', 'whose call it is, with --out; not needed where there is one account only')
    .option('--trunk <trunk>', 'by this trunk only, with --out')
    .addHelpText('after', example('route 1000 --from 203.0.113.9', 'route +966512345678 --out --account Demo'))
    .action(async (number: string, options: RouteOptions, command: Command) => {
      const { routeCall } = await import('./call-routing.ts');
      if (!(await routeCall(contextOf(command), number, options))) process.exitCode = 1;
    });
}
