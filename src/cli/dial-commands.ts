import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandContext } from './context.ts';
import type { DialWish, DncWish } from './dial.ts';
import { wholeNumber } from './numbers.ts';

interface ProgramParts {
  readonly contextOf: (command: Command) => CommandContext;
  readonly example: (...lines: string[]) => string;
}

/** Flags of `call --agent`. */
export interface OrderFlags {
  readonly agent?: string;
  readonly to?: string;
  readonly account?: string;
  readonly from?: string;
  readonly trunk?: string;
  readonly variable?: Readonly<Record<string, string>>;
  readonly ringSeconds?: number;
  readonly at?: Date;
  readonly timeZone?: string;
  readonly onMachine?: 'hangup' | 'leave-message' | 'ignore';
  readonly message?: string;
  readonly key?: string;
  readonly wait?: boolean;
}

const ORDERS_MAX = 1_000;
const orderCommands = () => import('./dial.ts'); // The store's tables take half of the start.

/** What an agent's call is made of, as options of `call`. */
export function addOrderOptions(call: Command): void {
  call
    .option('--agent <name>', 'have this agent make the call: its name or id')
    .option('--to <number>', 'whom the agent calls: a number, sip:, tel: or phone:')
    .option('--account <account>', 'id or name; not needed where there is one account only')
    .option('--trunk <trunk>', 'by this trunk; default whichever may take it')
    .option('--variable <name=value>', 'what the agent knows of the call (repeatable)', readVariable)
    .option('--ring-seconds <count>', 'how long it may ring', wholeNumber(1, 300))
    .option('--at <time>', 'not before this time, such as 2030-01-31T16:00:00+03:00', readTime)
    .option('--time-zone <name>', 'whose calling hours hold; default those of the number')
    .addOption(
      new Option('--on-machine <what>', 'notice an answering machine, and do this').choices([
        'hangup',
        'leave-message',
        'ignore',
      ]),
    )
    .option('--message <text>', "what a machine is told; default the agent's greeting")
    .option('--key <text>', 'a second call of the same key is not made')
    .option('--wait', 'tell what happens until the call is over; the exit code is 0 only where it was answered');
}

/** @returns whether it was answered, where that was waited for. */
export async function dialByFlags(context: CommandContext, flags: OrderFlags): Promise<boolean> {
  const { agent, to, account, from, trunk, variable, ringSeconds, at, timeZone, onMachine, message, key, wait } = flags;
  if (agent === undefined || to === undefined) throw new InvalidArgumentError('An agent calls with --agent and --to.');
  const wish: DialWish = {
    ...{ agent, to, wait: wait === true },
    ...(account !== undefined && { account }),
    ...(from !== undefined && { from }),
    ...(trunk !== undefined && { trunk }),
    ...(variable && { variables: variable }),
    ...(ringSeconds !== undefined && { maxRingSeconds: ringSeconds }),
    ...(at && { startsAt: at }),
    ...(timeZone !== undefined && { timeZone }),
    ...(onMachine && { machine: { detect: true, onMachine } }),
    ...(message !== undefined && { message }),
    ...(key !== undefined && { idempotencyKey: key }),
  };
  const { dial } = await orderCommands();
  return dial(context, wish);
}

/** `call status`, `call cancel` and `call dnc`. */
export function addOrderCommands(call: Command, { contextOf, example }: ProgramParts): void {
  call
    .command('status')
    .description('show what has become of a call that was ordered')
    .argument('<id>', 'as it was ordered, ord_...')
    .addHelpText('after', example('call status ord_abcdefghijklmnopqrst'))
    .action(async (id: string, _options: object, command: Command) =>
      (await orderCommands()).showOrder(contextOf(command), id),
    );
  call
    .command('cancel')
    .description('cancel a call that was ordered, wherever it is: one that waits, rings or goes on')
    .argument('<id>', 'as it was ordered, ord_...')
    .addHelpText('after', example('call cancel ord_abcdefghijklmnopqrst'))
    .action(async (id: string, _options: object, command: Command) =>
      (await orderCommands()).cancelOrder(contextOf(command), id),
    );
  // `call` has an --account of its own, which takes what is given to these.
  const wishOf = (command: Command) => command.optsWithGlobals<DncWish & { note?: string }>();
  const dnc = call.command('dnc').description('numbers that agents never call');
  const whose = (command: Command): Command =>
    command
      .option('--account <account>', 'id or name; not needed where there is one account only')
      .option('--all', 'for every account');
  whose(dnc.command('add').description('put a number on the list').argument('<number>', 'such as +966501234567'))
    .option('--note <text>', 'why')
    .addHelpText('after', example('call dnc add +966501234567 --note "asked for it"'))
    .action(async (number: string, _options: object, command: Command) =>
      (await orderCommands()).addDoNotCall(contextOf(command), number, wishOf(command)),
    );
  whose(dnc.command('remove').description('take a number off the list').argument('<number>', 'as it was put there'))
    .addHelpText('after', example('call dnc remove +966501234567'))
    .action(async (number: string, _options: object, command: Command) =>
      (await orderCommands()).removeDoNotCall(contextOf(command), number, wishOf(command)),
    );
  dnc
    .command('list')
    .description('list the numbers')
    .option('--account <account>', 'what holds for this account; everything without it')
    .addHelpText('after', example('call dnc list'))
    .action(async (_options: object, command: Command) =>
      (await orderCommands()).listDoNotCall(contextOf(command), wishOf(command)),
    );
}

/** `calls out`. */
export function addOrderList(calls: Command, { contextOf, example }: ProgramParts): void {
  calls
    .command('out')
    .description('list the latest calls that agents were to make')
    .option('--limit <count>', `how many, 1..${ORDERS_MAX}`, wholeNumber(1, ORDERS_MAX), 20)
    .option('--account <account>', 'id or name; all accounts without it')
    .addHelpText('after', example('calls out --limit 50'))
    .action(async (options: { limit: number; account?: string }, command: Command) =>
      (await orderCommands()).listOrders(contextOf(command), options),
    );
}

function readVariable(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('Expected name=value.');
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function readTime(text: string): Date {
  const at = new Date(text);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(at.getTime())) return at;
  throw new InvalidArgumentError('Expected a time like 2030-01-31T16:00:00+03:00.');
}
