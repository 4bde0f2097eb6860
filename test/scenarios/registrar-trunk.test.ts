import { describe, expect, it } from 'vitest';
import { CarrierRig } from '../support/carrier-rig.ts';
import { haveKamailio, haveKamailioTls } from '../support/kamailio.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { until } from '../support/until.ts';

const transports = [
  { transport: 'udp', run: haveKamailio, needs: 'kamailio' },
  { transport: 'tls', run: haveKamailioTls, needs: 'kamailio kamailio-tls-modules' },
] as const;
for (const { transport, run, needs } of transports) {
  if (!run) process.stderr.write(`SKIPPED: registering at a real trunk over ${transport}. apt-get install ${needs}\n`);
}

type Finally = (what: () => Promise<void>) => void;
async function opened(later: Finally, ...how: Parameters<typeof CarrierRig.open>): Promise<CarrierRig> {
  const rig = await CarrierRig.open(...how);
  later(() => rig.close());
  return rig;
}

describe('a trunk of two proxies that we register at', { concurrent: true }, () => {
  for (const { transport, run } of transports) {
    it.skipIf(!run || (transport === 'tls' && !EVERY_TEST))(
      `takes calls both ways over ${transport}, through a restart of the one and over the other`,
      async ({ onTestFinished }) => {
        const rig = await opened(onTestFinished, transport);
        await rig.registeredAt(0);
        expect(rig.told).toMatchObject({ hosts: [{ state: 'up', answerMs: expect.any(Number) }, { state: 'up' }] });
        expect(await rig.metrics.registry.metrics()).toContain(
          'nidaa_trunk_registrations{trunk="carrier",state="registered"} 1',
        );
        await rig.callIn(0);
        expect(await rig.callOut(0)).toBeLessThan(2_000);

        await rig.stop(0);
        expect(await rig.callOut(1)).toBeLessThan(5_000); // by the second, found by the call itself
        await rig.registeredAt(1);
        await rig.callIn(1);
        expect(rig.told?.hosts.map(({ state }) => state)).toEqual(['down', 'up']);

        await rig.stop(1); // and forgets us
        await until(() => rig.told?.hosts[1]?.state === 'down', 'notice of the restart');
        await rig.start(1);
        await rig.registeredAt(1);
        await rig.callIn(1);
        if (transport === 'tls') expect(rig.isOnOwnConnections).toBe(true); // calls come by what was registered over
      },
      60_000,
    );
  }

  it.skipIf(!EVERY_TEST || !haveKamailioTls)(
    'is registered at again when the connection is gone, though it never was away',
    async ({ onTestFinished }) => {
      const rig = await opened(onTestFinished, 'tls', true, 3);
      await rig.registeredAt(0);
      await rig.pingedAt(0);
      const { since } = rig.told!.registration!;
      await rig.stop(0);
      await rig.start(0);
      await until(() => rig.told?.registration?.since !== since, 'registered again');
      await rig.registeredAt(0);
      await rig.callIn(0);
    },
    60_000,
  );

  it.skipIf(!haveKamailioTls)(
    'is not told a password where nobody vouches for its certificate',
    async ({ onTestFinished }) => {
      const rig = await opened(onTestFinished, 'tls', false);
      await until(
        () => rig.told?.hosts.every(({ state }) => state === 'down'),
        () => JSON.stringify(rig.told),
        15_000,
      );
      expect(rig.told?.registration).toMatchObject({
        state: 'waiting',
        problem: expect.stringContaining('certificate'),
      });
    },
    60_000,
  );
});
