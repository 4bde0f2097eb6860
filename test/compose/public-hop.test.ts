import { expect, it } from 'vitest';
import { publicHops } from '../../src/compose/public-hop.ts';
import { systemClock } from '../../src/core/clock.ts';
import { PUBLIC_ONLY } from '../../src/core/trunk.ts';
import { TargetResolver } from '../../src/sip-server/transport/resolve-target.ts';
import { plain, SignallingRig } from '../support/signalling-rig.ts';

const hopsTo = (...addresses: readonly string[]) =>
  publicHops(
    new TargetResolver({
      transports: ['udp', 'tcp', 'tls'],
      resolver: { naptr: async () => [], srv: async () => [], addresses: async () => addresses },
    }),
    systemClock,
  );
const NAMED = 'sip:pbx.example.com';

it.each([
  { hop: `${NAMED};transport=udp;${PUBLIC_ONLY}`, to: ['8.8.4.4'], told: { hop: 'sip:8.8.4.4:5060;transport=udp' } },
  {
    hop: `${NAMED}:5070;transport=tcp;${PUBLIC_ONLY}`,
    to: ['2a00::1'],
    told: { hop: 'sip:[2a00::1]:5070;transport=tcp' },
  },
  { hop: `${NAMED};transport=tls;${PUBLIC_ONLY}`, to: ['8.8.4.4'], told: { hop: `${NAMED};transport=tls` } },
  { hop: `${NAMED};transport=tls;${PUBLIC_ONLY}`, to: ['10.0.0.5'], told: { failed: 'not-public' } },
  { hop: `${NAMED};${PUBLIC_ONLY}=no;transport=udp`, to: ['8.8.4.4', '10.0.0.5'], told: { failed: 'not-public' } },
  { hop: `${NAMED};transport=udp;${PUBLIC_ONLY}`, to: [], told: { failed: 'unreachable' } },
  { hop: `${NAMED};transport=udp`, to: ['10.0.0.5'], told: { hop: `${NAMED};transport=udp` } },
])('a server elsewhere is told of $hop, which leads to $to', async ({ hop, to, told }) => {
  expect(await hopsTo(...to)(hop)).toEqual(told);
});

it('a server elsewhere is asked nothing and dials nothing where the hop leads inside', async () => {
  const rig = await SignallingRig.open('connect', systemClock, {}, { hopFor: hopsTo('127.0.0.1') });
  const host = `localhost:${rig.phone.port}`;
  const nextHop = `sip:${host};transport=udp;${PUBLIC_ONLY}`;
  const asked = await rig.server.ask({ method: 'OPTIONS', uri: `sip:${host}`, nextHop, headers: {} }, 5_000);
  expect(asked).toEqual({ failed: 'not-public' });
  const dialled = rig.server.dial({ uri: `sip:bob@${host}`, nextHop, from: 'me', media: plain });
  await expect(dialled).rejects.toMatchObject({ status: 0, end: { party: 'gateway', reason: 'not-allowed' } });
  expect(rig.phone.inbox).toEqual([]);
  await rig.close();
});
