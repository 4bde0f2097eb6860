import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { processEnvironment } from '../config/load.ts';
import { loadTrunks, parseTrunk, type TrunkFile } from '../config/trunks.ts';
import { OperatorError } from '../core/errors.ts';
import type { TrunkDefinition } from '../core/trunk.ts';
import { requirePasswords } from '../trunks/import-trunks.ts';
import { accountIdOf, findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import type { Desk, PingedHost, TrunkView } from './desk/desk.ts';
import { emit, facts, type Output, paint, table } from './output.ts';
import { hostsText, registrationText } from './trunk-status.ts';

export interface AddTrunkOptions {
  readonly name?: string;
  readonly account?: string;
  readonly host: readonly string[];
  readonly source: readonly string[];
  readonly allow: readonly string[];
  readonly transport?: string;
}

/** A trunk of a file, or of the options alone. One that has the name already is given the new definition. */
export function addTrunk(context: CommandContext, file: string | undefined, options: AddTrunkOptions): Promise<void> {
  const given = file === undefined ? ofOptions(options) : ofFile(file, options);
  requirePasswords(given);
  return context.withDesk(async (desk) => {
    const { definition, password, inboundPassword } = given;
    const accountId = await accountIdOf(desk, options.account ?? given.account);
    const trunk = await desk.trunks.put(accountId, { definition, password, inboundPassword });
    emit(context.out, jsonOf(trunk), () => {
      describe(context.out, trunk, false);
      context.out.write('\nA running gateway takes it within 5 seconds.\n');
    });
  });
}

function ofFile(file: string, { name, host, source, allow, transport }: AddTrunkOptions): TrunkFile {
  if (name !== undefined || transport !== undefined || host.length + source.length + allow.length > 0) {
    throw new OperatorError('Give a file, or --name with --host, --source and --allow: not both.');
  }
  const [first, ...more] = loadTrunks(resolve(file), processEnvironment());
  if (!first || more.length > 0) throw new OperatorError(`${file} is not one trunk file (*.yaml).`);
  return first;
}

function ofOptions({ name, host, source, allow, transport }: AddTrunkOptions): TrunkFile {
  if (name === undefined) throw new OperatorError('Name a trunk file, or give --name with --host and --source.');
  const inbound = source.length > 0 ? { inbound: { sources: source } } : {};
  const written = { name, hosts: host, ...(transport && { transport }), ...inbound, allowedPrefixes: allow };
  return parseTrunk(stringify(written, { lineWidth: 0 }), 'options', processEnvironment());
}

export function listTrunks(context: CommandContext, options: { account?: string }): Promise<void> {
  return context.withDesk(async (desk) => {
    const trunks = await desk.trunks.list(await accountIdOf(desk, options.account));
    const json = trunks.map(({ status, ...trunk }) => ({ ...jsonOf(trunk), status }));
    emit(context.out, json, () =>
      table(
        context.out,
        ['id', 'name', 'account', 'hosts', 'registered', 'calls in from', 'may call'],
        trunks.map(({ id, name, accountId, definition, status, enabled }) => [
          ...[id, enabled ? name : `${name} (off)`, accountId ?? 'operator'],
          hostsText(definition?.hosts.map(({ uri }) => uri) ?? [], status),
          registrationText(definition?.register !== undefined, status),
          ...(definition ? [callersOf(definition), definition.allowedPrefixes.join(' ') || 'nothing'] : ['-', '-']),
        ]),
      ),
    );
  });
}

export function showTrunk(context: CommandContext, wanted: string): Promise<void> {
  return context.withDesk(async (desk) => {
    const trunk = await findTrunk(desk, wanted);
    const hasPassword = await desk.trunks.hasPassword(trunk);
    emit(context.out, { ...jsonOf(trunk), has_password: hasPassword }, () => describe(context.out, trunk, hasPassword));
  });
}

/** Asks every host of a trunk whether it is there. @returns whether one is. */
export function testTrunk(context: CommandContext, wanted: string): Promise<boolean> {
  return context.withDesk(async (desk) => {
    const trunk = await findTrunk(desk, wanted);
    if (trunk.definition?.hosts.length === 0) {
      throw new OperatorError(`Trunk ${trunk.name} has no hosts: there is nobody to ask.`);
    }
    const { asked, hosts } = await desk.trunks.ping(trunk);
    emit(context.out, hosts, () => {
      for (const host of hosts) context.out.write(`${answerText(context.out, host)}\n`);
      context.out.write(`${asked}\n`);
    });
    return hosts.some(({ ok }) => ok);
  });
}

function answerText(out: Output, { ok, uri, status, phrase, answer_ms, why, address }: PingedHost): string {
  const at = address === undefined ? '' : ` (${address})`;
  if (!ok) return `${paint(out, 'red', 'silent ')}  ${uri}  ${why}${at}`;
  return `${paint(out, 'green', 'answers')}  ${uri}  ${status} ${phrase} after ${answer_ms} ms${at}`;
}

export function switchTrunk(context: CommandContext, wanted: string, enabled: boolean): Promise<void> {
  return context.withDesk(async (desk) => {
    const trunk = await findTrunk(desk, wanted);
    await desk.trunks.setEnabled(trunk, enabled);
    const what = enabled
      ? 'it takes and sends calls'
      : 'its calls in are refused, none go out by it, and it is unregistered';
    emit(context.out, { trunk_id: trunk.id, enabled }, () =>
      context.out.write(`${trunk.name} is ${enabled ? 'on' : 'off'}: ${what}, within 5 seconds\n`),
    );
  });
}

export function switchNumber(
  context: CommandContext,
  number: string,
  options: { account?: string },
  enabled: boolean,
): Promise<void> {
  return context.withDesk(async (desk) => {
    const account = await findAccount(desk, options.account);
    if (!(await desk.agents.setNumberEnabled(account.id, number, enabled))) {
      throw new OperatorError(`Account ${account.name} has no number ${number}.`);
    }
    emit(context.out, { number, enabled }, () =>
      context.out.write(`${number} is ${enabled ? 'on' : 'off: calls to it are refused'}, within 5 seconds\n`),
    );
  });
}

export function removeTrunk(context: CommandContext, wanted: string): Promise<void> {
  return context.withDesk(async (desk) => {
    const trunk = await findTrunk(desk, wanted);
    await desk.trunks.remove(trunk);
    emit(context.out, { trunk_id: trunk.id, removed: true }, () =>
      context.out.write(`removed ${trunk.name}: its calls in are refused, and none go out by it, within 5 seconds\n`),
    );
  });
}

/** By id, or by a name that only one has. */
async function findTrunk({ trunks }: Desk, wanted: string): Promise<TrunkView> {
  const all = await trunks.list(undefined);
  const matching = all.filter(({ id, name }) => id === wanted || name === wanted);
  if (matching.length === 1) {
    const { status: _, ...trunk } = matching[0]!;
    return trunk;
  }
  const known = all.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none';
  throw new OperatorError(`No single trunk ${wanted}. There are: ${known}`);
}

const jsonOf = ({ id, name, accountId, definition, enabled }: TrunkView) => ({
  ...{ trunk_id: id, account_id: accountId ?? null, name, enabled },
  ...definition,
});

function callersOf({ inbound: { sources, auth, username, certificateName } }: TrunkDefinition): string {
  const proof = [auth === 'digest' && `digest ${username}`, certificateName && `certificate ${certificateName}`];
  return [...sources, ...proof.filter((each) => typeof each === 'string')].join(' ') || 'nobody';
}

function describe(out: Output, { id, name, accountId, definition: d }: TrunkView, hasPassword: boolean): void {
  const owner = accountId ?? 'operator: all accounts call by it';
  if (!d) {
    return facts(out, [
      ['trunk', `${id} (${name})`],
      ['account', owner],
    ]);
  }
  const rules = (list: typeof d.numbersIn): string =>
    list
      .map(({ match, replace, digits }) => `${match}${digits ? ` (${digits} digits)` : ''} -> ${replace}`)
      .join(', ') || 'none';
  facts(out, [
    ['trunk', `${id} (${name})`],
    ['account', owner],
    [
      'hosts',
      d.hosts.map(({ uri, priority, weight }) => `${uri} (priority ${priority}, weight ${weight})`).join(', ') ||
        'none',
    ],
    ['transport', `${d.transport}, media encryption ${d.encryption}, DTMF ${d.dtmf}`],
    ['calls in from', callersOf(d)],
    [
      'signs in as',
      d.outbound.username
        ? `${d.outbound.username} in ${d.outbound.realm}, password ${hasPassword ? 'stored' : 'missing'}`
        : 'nobody',
    ],
    ['registers', d.register ? `for ${d.register.expiresSeconds} s` : 'no'],
    ['numbers in', rules(d.numbersIn)],
    ['numbers out', rules(d.numbersOut)],
    ['caller id', d.callerId],
    ['calls in', `${d.limits.callsIn} at once, ${d.limits.callsPerSecondIn} a second`],
    ['calls out', `${d.limits.callsOut} at once, ${d.limits.callsPerSecondOut} a second`],
    ['may call', d.allowedPrefixes.join(' ') || 'nothing: allowedPrefixes is empty'],
  ]);
}
