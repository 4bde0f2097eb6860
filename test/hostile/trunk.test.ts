import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { DialDesk } from '../../src/outbound/dial-desk.ts';
import type { OutboundSettings } from '../../src/outbound/outbound-settings.ts';
import { Store } from '../../src/store/store.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { mark } from '../support/marks.ts';
import { worksAfter } from '../support/normal-call.ts';
import { freeSipPort } from '../support/ports.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { offer } from '../support/signalling-rig.ts';
import { mostAtOnce, SippCallee } from '../support/sipp-callee.ts';
import { trunkDefinition } from '../support/trunks.ts';
import { UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

const AT_ONCE = 3;
const ORDERS = 100;
const TALK_MS = 300;
const OPEN_STATES = ['queued', 'dialling', 'ringing', 'answered'] as const;
const OUTBOUND = `outbound:
  callsAtOncePerAccount: ${AT_ONCE}
  callsPerSecondPerAccount: 100
  callsPerDay: 1000
  spendCentsPerDay: 100000
  callingHours: { from: '00:00', to: '24:00' }
`;
const SETTINGS: OutboundSettings = {
  ...{ callsAtOncePerAccount: AT_ONCE, callsPerSecondPerAccount: 100, callsPerDay: 1000, spendCentsPerDay: 100_000 },
  ...{ queuedMax: 1000, timeZone: 'Asia/Riyadh', countryCode: '966', maxRingSeconds: 30, expireHours: 1 },
  callingHours: { from: '00:00', to: '24:00', days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
  retrySeconds: { busy: [], noAnswer: [], failed: [] },
  ...{ anyCallerId: false, interruptedLineSeconds: 5, speakAfterMs: 1000 },
};
/** A started minute on the phone (config/prices.yaml). */
const FIRST_MINUTE_CENTS = 3;

const canDial = hasCommand('sipp');
let gateway: Gateway;
let store: Store;
let accountId: string;
let callee: SippCallee; // the carrier
let [dead, good]: UdpCaller[] = []; // the hosts of another one
const folder = configFolder({ ...GREETER, 'nidaa.yaml': OUTBOUND });

beforeAll(async () => {
  const sipPort = await freeSipPort();
  [dead, good] = await Promise.all([0, 1].map(() => new UdpCaller(sipPort).open()));
  const databaseUrl = await sharedDatabase(inject('postgresDesk'));
  store = await Store.open({ databaseUrl, dataFolder: temporaryFolder(), logger: silentLogger });
  const put = (name: string, ports: readonly number[]) => {
    const hosts = ports.map((port, priority) => ({ uri: `sip:127.0.0.1:${port}`, priority, weight: 1 }));
    return store.trunks.put(undefined, trunkDefinition({ name, hosts, pingSeconds: 0 }));
  };
  if (canDial) {
    callee = await SippCallee.start(TALK_MS);
    await put('carrier', [callee.port]);
  }
  await put('two-hosts', [dead!.port, good!.port]);
  const env = { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml`, NIDAA_SIP_PORT: String(sipPort) };
  gateway = await startGateway({ databaseUrl, env });
  await prepared(gateway);
  const [account] = await store.accounts.list();
  accountId = account!.id;
});
afterAll(async () => {
  await gateway?.dispose();
  await store?.close();
  callee?.stop();
  for (const each of [dead, good]) each?.close();
  folder.remove();
});

const desk = (): DialDesk =>
  new DialDesk({ store, settings: SETTINGS, clock: systemClock, firstMinuteCents: FIRST_MINUTE_CENTS });

/** All at the same moment. @returns how many were taken. */
async function order(count: number, account: string, trunk: string): Promise<number> {
  const placed = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      desk().place({ accountId: account, agent: 'Greeter', trunk, to: `+96650${1_000_000 + n}` }),
    ),
  );
  return placed.filter((one) => !('refusal' in one)).length;
}
const allOver = (account: string): Promise<true> =>
  until(
    async () => (await store.dialOrders.list({ accountId: account, states: [...OPEN_STATES] })).length === 0,
    'the end of every order',
    240_000,
  );

describe('calls out', () => {
  it('T4: a hundred orders at once keep to the calls that may be up, and to the credit', async ({ skip }) => {
    skip(!canDial, 'needs sipp');
    await store.charges.topup(newId('chg'), accountId, 100_000, 'topup', 'test');
    expect(await order(ORDERS, accountId, 'carrier')).toBe(ORDERS);
    await allOver(accountId);
    expect(callee.calls().length).toBe(ORDERS);
    mark('T4', 'atOnce', mostAtOnce(callee.calls()));

    const poor = await poorAccount();
    await order(ORDERS, poor, 'carrier');
    await allOver(poor);
    mark('T4', 'made', callee.calls().length - ORDERS);
    const left = await until(async () => {
      const balance = await store.charges.balance(poor);
      return balance && balance.availableCents === balance.balanceCents ? balance : undefined;
    }, 'everything is settled');
    mark('T4', 'cents', left.balanceCents);
    await worksAfter('T4', gateway);
  }, 400_000);

  it('F17: a host that is silent is passed over within 5 s', async () => {
    const hasInvite = (host: UdpCaller | undefined) => (): boolean =>
      host?.inbox.some(({ method }) => method === 'INVITE') ?? false;
    await store.charges.topup(newId('chg'), accountId, 1_000, 'topup', 'test');
    expect(await order(1, accountId, 'two-hosts')).toBe(1);
    await until(hasInvite(dead), 'an INVITE to the dead host');
    const startMs = performance.now();
    await until(hasInvite(good), 'an INVITE to the next', 20_000);
    mark('F17', 'failoverS', (performance.now() - startMs) / 1000);
    good!.answerByes();
    good!.reply(await good!.request('INVITE'), 200, 'OK', [], offer);
    await good!.request('ACK');
  }, 90_000);
});

/** Credit for the first minute of one call, and an agent of its own to make it. */
async function poorAccount(): Promise<string> {
  const { id } = await store.accounts.create('Poor');
  await store.charges.topup(newId('chg'), id, FIRST_MINUTE_CENTS, 'topup', 'test');
  const greeter = await store.agents.getByName(accountId, 'Greeter');
  const [made] = await store.agents.importMissing(id, [greeter!.definition]);
  await store.numbers.assignIfFree('1999', id, made!.id);
  return id;
}
