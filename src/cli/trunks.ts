import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { processEnvironment } from '../config/load.ts';
import { loadTrunks, parseTrunk, type TrunkFile } from '../config/trunks.ts';
import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import type { Trunk } from '../core/trunk.ts';
import type { TrunkStatus } from '../core/trunk-status.ts';
import type { Store } from '../store/store.ts';
import { storeTrunk } from '../trunks/import-trunks.ts';
import { hostUri } from '../trunks/trunk-router.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { pingHost } from './options-ping.ts';
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
  return context.withStore(async (store) => {
    const trunk = await storeTrunk(
      store,
      { ...given, account: options.account ?? given.account },
      context.config.sip.realm,
    );
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
  return context.withStore(async (store) => {
    const accountId = options.account === undefined ? undefined : (await findAccount(store, options.account)).id;
    const trunks = await (accountId === undefined ? store.trunks.list() : store.trunks.listFor(accountId));
    const states = await store.trunkStates.list();
    const statusOf = (id: string): readonly TrunkStatus[] => states.get(id) ?? [];
    const json = trunks.map((trunk) => ({ ...jsonOf(trunk), status: statusOf(trunk.id) }));
    emit(context.out, json, () =>
      table(
        context.out,
        ['id', 'name', 'account', 'hosts', 'registered', 'calls in from', 'may call'],
        trunks.map(({ id, accountId: owner, definition }) => [
          ...[id, definition.name, owner ?? 'operator'],
          hostsText(
            definition.hosts.map(({ uri }) => uri),
            statusOf(id),
          ),
          registrationText(definition.register !== undefined, statusOf(id)),
          ...[callersOf(definition), definition.allowedPrefixes.join(' ') || 'nothing'],
        ]),
      ),
    );
  });
}

export function showTrunk(context: CommandContext, wanted: string): Promise<void> {
  return context.withStore(async (store) => {
    const trunk = await findTrunk(store, wanted);
    const { password } = await store.trunks.secretsOf(trunk.id);
    emit(context.out, { ...jsonOf(trunk), has_password: password !== undefined }, () =>
      describe(context.out, trunk, password !== undefined),
    );
  });
}

/** Asks every host of a trunk whether it is there. @returns whether one is. */
export async function testTrunk(context: CommandContext, wanted: string): Promise<boolean> {
  const trunk = await context.withStore((store) => findTrunk(store, wanted));
  const { hosts, transport, name } = trunk.definition;
  if (hosts.length === 0) throw new OperatorError(`Trunk ${name} has no hosts: there is nobody to ask.`);
  const { caFile, ...tls } = context.config.sip.tls;
  const trust = { ...tls, ...(caFile !== undefined && { ca: readFileSync(caFile, 'utf8') }) };
  const results = await Promise.all(
    hosts.map(async (host) => ({ uri: host.uri, ...(await pingHost(hostUri(host, transport), systemClock, trust)) })),
  );
  const json = results.map((result) =>
    result.ok
      ? {
          uri: result.uri,
          ok: true,
          status: result.status,
          phrase: result.phrase,
          answer_ms: result.answerMs,
          address: result.address,
        }
      : { uri: result.uri, ok: false, why: result.why, ...(result.address && { address: result.address }) },
  );
  emit(context.out, json, () => {
    for (const result of results) {
      const what = result.ok
        ? `${paint(context.out, 'green', 'answers')}  ${result.uri}  ${result.status} ${result.phrase} after ${result.answerMs} ms (${result.address})`
        : `${paint(context.out, 'red', 'silent ')}  ${result.uri}  ${result.why}${result.address ? ` (${result.address})` : ''}`;
      context.out.write(`${what}\n`);
    }
    context.out.write('Asked by OPTIONS from a free port of this command, not from the port of the gateway.\n');
  });
  return results.some(({ ok }) => ok);
}

export function removeTrunk(context: CommandContext, wanted: string): Promise<void> {
  return context.withStore(async (store) => {
    const { id, definition } = await findTrunk(store, wanted);
    await store.trunks.remove(id);
    emit(context.out, { trunk_id: id, removed: true }, () =>
      context.out.write(
        `removed ${definition.name}: its calls in are refused, and none go out by it, within 5 seconds\n`,
      ),
    );
  });
}

/** By id, or by a name that only one has. */
export async function findTrunk(store: Store, wanted: string): Promise<Trunk> {
  const all = await store.trunks.list();
  const matching = all.filter(({ id, definition }) => id === wanted || definition.name === wanted);
  if (matching.length === 1) return matching[0]!;
  const known = all.map(({ id, definition }) => `${id} (${definition.name})`).join(', ') || 'none';
  throw new OperatorError(`No single trunk ${wanted}. There are: ${known}`);
}

const jsonOf = ({ id, accountId, definition }: Trunk) => ({
  trunk_id: id,
  account_id: accountId ?? null,
  ...definition,
});

function callersOf({ inbound: { sources, auth, username, certificateName } }: Trunk['definition']): string {
  const proof = [auth === 'digest' && `digest ${username}`, certificateName && `certificate ${certificateName}`];
  return [...sources, ...proof.filter((each) => typeof each === 'string')].join(' ') || 'nobody';
}

function describe(out: Output, { id, accountId, definition: d }: Trunk, hasPassword: boolean): void {
  const rules = (list: typeof d.numbersIn): string =>
    list
      .map(({ match, replace, digits }) => `${match}${digits ? ` (${digits} digits)` : ''} -> ${replace}`)
      .join(', ') || 'none';
  facts(out, [
    ['trunk', `${id} (${d.name})`],
    ['account', accountId ?? 'operator: all accounts call by it'],
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
