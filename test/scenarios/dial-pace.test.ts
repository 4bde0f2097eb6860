import { afterEach, describe, expect, inject, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { DialDesk } from '../../src/outbound/dial-desk.ts';
import type { OutboundSettings } from '../../src/outbound/outbound-settings.ts';
import { Store } from '../../src/store/store.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { configFolder, GREETER } from '../support/config-folder.ts';
import { type Gateway, nidaa, startGateway } from '../support/gateway.ts';
import { temporaryFolder } from '../support/postgres-store.ts';
import { EVERY_TEST, LONG } from '../support/property-runs.ts';
import { sharedDatabase } from '../support/shared-postgres.ts';
import { mostAtOnce, mostInASecond, SippCallee } from '../support/sipp-callee.ts';
import { trunkDefinition } from '../support/trunks.ts';
import { until } from '../support/until.ts';

/** As shipped for one carrier: 200 calls, ordered 10 a second, by a trunk of 5 a second and 20 at once. */
const RUN = LONG
  ? { calls: 200, perSecond: 10, trunk: { callsOut: 20, callsPerSecondOut: 5 }, talkMs: 5000, killAfter: 70 }
  : { calls: 16, perSecond: 10, trunk: { callsOut: 3, callsPerSecondOut: 5 }, talkMs: 500, killAfter: 6 };
const LINE_SECONDS = Math.ceil(RUN.talkMs / 1000) + 4; // what the callee needs to notice that nobody is there
const OUTBOUND = `outbound:
  callsAtOncePerAccount: 100
  callsPerSecondPerAccount: 100
  callsPerDay: 1000
  spendCentsPerDay: 100000
  callingHours: { from: '00:00', to: '24:00' }
  interruptedLineSeconds: ${LINE_SECONDS}
`;
const SETTINGS: OutboundSettings = {
  ...{ callsAtOncePerAccount: 100, callsPerSecondPerAccount: 100, callsPerDay: 1000, spendCentsPerDay: 100_000 },
  ...{ queuedMax: 1000, timeZone: 'Asia/Riyadh', countryCode: '966', maxRingSeconds: 30, expireHours: 1 },
  callingHours: { from: '00:00', to: '24:00', days: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
  retrySeconds: { busy: [1], noAnswer: [], failed: [] },
  ...{ anyCallerId: false, interruptedLineSeconds: LINE_SECONDS, speakAfterMs: 1000 },
};

const canRun = hasCommand('sipp') && hasCommand('espeak-ng');
if (!canRun) console.log('calls out at a carrier: skipped, sipp or espeak-ng is not installed');

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

describe.skipIf(!canRun)('calls out to a carrier', () => {
  it.runIf(EVERY_TEST)(
    `${RUN.calls} calls keep to the trunk's limits, none is lost and none dialled twice though the gateway is killed among them`,
    async () => {
      const callee = await SippCallee.start(RUN.talkMs);
      open.push(() => callee.stop());
      const databaseUrl = await sharedDatabase(inject('postgresDesk'));
      const folder = configFolder({ ...GREETER, 'nidaa.yaml': `media: { recording: false }\n${OUTBOUND}` });
      open.push(() => folder.remove());
      const dataDir = temporaryFolder();
      const start = (): Promise<Gateway> =>
        startGateway({ dataDir, databaseUrl, env: { NIDAA_CONFIG: `${folder.dir}/nidaa.yaml` } });
      const store = await Store.open({ databaseUrl, dataFolder: dataDir, logger: silentLogger });
      open.push(() => store.close());
      const host = { uri: `sip:127.0.0.1:${callee.port}`, priority: 1, weight: 1 };
      const limits = { ...trunkDefinition().limits, ...RUN.trunk };
      await store.trunks.put(undefined, trunkDefinition({ hosts: [host], limits, pingSeconds: 0 }));
      let gateway = await start();
      open.push(() => gateway.dispose());
      const [account] = await store.accounts.list();
      const accountId = account!.id;
      await store.charges.topup(newId('chg'), accountId, 100_000, 'topup', 'test');

      const desk = new DialDesk({ store, settings: SETTINGS, clock: systemClock, firstMinuteCents: 3 });
      const numbers = Array.from({ length: RUN.calls }, (_, n) => `+96650${1_000_000 + n}`);
      const ordering = (async () => {
        for (const to of numbers) {
          const placed = await desk.place({ accountId, agent: 'Greeter', to });
          if ('refusal' in placed) throw new Error(placed.refusal.text);
          await new Promise((resolve) => setTimeout(resolve, 1000 / RUN.perSecond));
        }
      })();
      await until(
        () => callee.calls().length >= RUN.killAfter,
        () => `the calls before the kill\n${gateway.log().slice(-1000)}`,
        LONG ? 120_000 : 40_000,
      );
      await gateway.stop('SIGKILL');
      gateway = await start();
      await ordering;
      await until(
        async () =>
          (await store.dialOrders.list({ states: ['queued', 'dialling', 'ringing', 'answered'] })).length === 0,
        () => `the end of every order\n${gateway.log().slice(-3000)}`,
        LONG ? 300_000 : 90_000,
      );
      const orders = await store.dialOrders.list({ limit: 1000 });
      const seen = callee.calls();
      const figures = {
        orders: orders.length,
        seen: seen.length,
        interrupted: orders.filter(({ endReason }) => endReason === 'interrupted').length,
        ended: orders.filter(({ endReason }) => endReason === 'callee-hangup').length,
        atOnce: mostAtOnce(seen),
        inASecond: mostInASecond(seen),
      };
      console.log(`calls out to a carrier: ${JSON.stringify(figures)}`);
      expect(figures.ended + figures.interrupted).toBe(RUN.calls);
      expect(figures.interrupted).toBeLessThanOrEqual(RUN.trunk.callsOut);
      expect(figures.atOnce).toBeLessThanOrEqual(RUN.trunk.callsOut);
      expect(figures.inASecond).toBeLessThanOrEqual(RUN.trunk.callsPerSecondOut);
      // One INVITE for each number; none only where the gateway died between the mark and the wire.
      expect(new Set(seen.map(({ number }) => number)).size).toBe(seen.length);
      const dialled = new Set(seen.map(({ number }) => number));
      const unseen = orders.filter(({ target }) => !dialled.has(target));
      expect(unseen.every(({ endReason }) => endReason === 'interrupted')).toBe(true);
      expect(new Set(orders.map(({ sipCallId }) => sipCallId))).toEqual(
        new Set([...seen.map(({ callId }) => callId), ...unseen.map(({ sipCallId }) => sipCallId)]),
      );
      const listed = await nidaa(gateway, 'calls', 'out', '--limit', '1000', '--json');
      expect((JSON.parse(listed.stdout) as unknown[]).length).toBe(RUN.calls);
    },
    LONG ? 600_000 : 300_000,
  );
});
