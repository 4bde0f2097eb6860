import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import type { Trunk } from '../../src/core/trunk.ts';
import { DialDesk } from '../../src/outbound/dial-desk.ts';
import type { OutboundSettings } from '../../src/outbound/outbound-settings.ts';
import { Store } from '../../src/store/store.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, prepared, startGateway } from '../support/gateway.ts';
import { mark } from '../support/marks.ts';
import { worksAfter } from '../support/normal-call.ts';
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

let gateway: Gateway;
let store: Store;
let accountId: string;
const folder = configFolder({ ...GREETER, 'nidaa.yaml': OUTBOUND });

beforeAll(async () => {
  const databaseUrl = await sharedDatabase(inject('postgresDesk'));
  gateway = await startGateway({ databaseUrl, env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml` } });
  await prepared(gateway);
  store = await Store.open({ databaseUrl, dataFolder: temporaryFolder(), logger: silentLogger });
  const [account] = await store.accounts.list();
  accountId = account!.id;
});
afterAll(async () => {
  await store?.close();
  await gateway?.dispose();
  folder.remove();
});

const desk = (): DialDesk =>
  new DialDesk({ store, settings: SETTINGS, clock: systemClock, firstMinuteCents: FIRST_MINUTE_CENTS });

/** All at the same moment. @returns how many were taken. */
async function order(count: number, account: string, from: string): Promise<number> {
  const placed = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      desk().place({ accountId: account, agent: 'Greeter', to: `+96650${from}${1_000 + n}` }),
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
    skip(!hasCommand('sipp'), 'needs sipp');
    const callee = await SippCallee.start(TALK_MS);
    const host = { uri: `sip:127.0.0.1:${callee.port}`, priority: 1, weight: 1 };
    const trunk = await store.trunks.put(undefined, trunkDefinition({ hosts: [host], pingSeconds: 0 }));
    try {
      await store.charges.topup(newId('chg'), accountId, 100_000, 'topup', 'test');
      expect(await order(ORDERS, accountId, '100')).toBe(ORDERS);
      await allOver(accountId);
      expect(callee.calls().length).toBe(ORDERS);
      mark('T4', 'atOnce', mostAtOnce(callee.calls()));

      const before = callee.calls().length;
      const poor = await poorAccount();
      await order(ORDERS, poor, '200');
      await allOver(poor);
      mark('T4', 'made', callee.calls().length - before);
      const left = await until(async () => {
        const balance = await store.charges.balance(poor);
        return balance && balance.availableCents === balance.balanceCents ? balance : undefined;
      }, 'everything is settled');
      mark('T4', 'cents', left.balanceCents);
      await worksAfter('T4', gateway);
    } finally {
      callee.stop();
      await removeTrunk(trunk);
    }
  }, 400_000);

  it('F17: a host that is silent is passed over within 5 s', async () => {
    const [dead, good] = [await new UdpCaller(gateway.sipPort).open(), await new UdpCaller(gateway.sipPort).open()];
    const hosts = [dead, good].map(({ port }, index) => ({ uri: `sip:127.0.0.1:${port}`, priority: index, weight: 1 }));
    const trunk = await store.trunks.put(undefined, trunkDefinition({ name: 'two-hosts', hosts, pingSeconds: 0 }));
    try {
      await until(async () => (await order(1, accountId, '300')) === 1, 'an order is taken');
      await until(() => dead.inbox.some(({ method }) => method === 'INVITE'), 'an INVITE to the dead host');
      const startMs = performance.now();
      await until(() => good.inbox.some(({ method }) => method === 'INVITE'), 'an INVITE to the next', 20_000);
      mark('F17', 'failoverS', (performance.now() - startMs) / 1000);
      good.answerByes();
      good.reply(await good.request('INVITE'), 200, 'OK', [], offer);
      await good.request('ACK');
    } finally {
      await removeTrunk(trunk);
      for (const each of [dead, good]) each.close();
    }
  }, 90_000);
});

async function removeTrunk(trunk: Trunk | 'full'): Promise<void> {
  if (trunk !== 'full') await store.trunks.remove(trunk.id);
}

/** Credit for the first minute of one call, and an agent of its own to make it. */
async function poorAccount(): Promise<string> {
  const { id } = await store.accounts.create('Poor');
  await store.charges.topup(newId('chg'), id, FIRST_MINUTE_CENTS, 'topup', 'test');
  const greeter = await store.agents.getByName(accountId, 'Greeter');
  const [made] = await store.agents.importMissing(id, [greeter!.definition]);
  await store.numbers.assignIfFree('1999', id, made!.id);
  return id;
}
