import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialRoute } from '../../src/call/dial-route.ts';
import { TrunkWatch } from '../../src/compose/trunk-watch.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { Trunk } from '../../src/core/trunk.ts';
import type { TrunkStatus } from '../../src/core/trunk-status.ts';
import type { TrunkStateRows } from '../../src/store/trunk-states.ts';
import { noPhoneContacts } from '../../src/trunks/phone-contacts.ts';
import { TrunkDirectory } from '../../src/trunks/trunk-directory.ts';
import { TrunkLines } from '../../src/trunks/trunk-lines.ts';
import { TrunkRouter } from '../../src/trunks/trunk-router.ts';
import { haveKamailio, Kamailio } from '../support/kamailio.ts';
import { freeSipPort } from '../support/ports.ts';
import { hungUp, offer, plain, SignallingRig } from '../support/signalling-rig.ts';
import { trunkOf } from '../support/trunks.ts';
import { headerOf, UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

if (!haveKamailio) process.stderr.write('SKIPPED: registering at a real trunk. apt-get install kamailio\n');

const secret = { user: 'trunk', password: 'trunk-pw', realm: 'carrier' };

/** What the gateway does with a trunk that wants to be registered at, and two real proxies that are that trunk. */
describe.skipIf(!haveKamailio)('a trunk of two proxies that we register at', () => {
  let rig: SignallingRig;
  let watch: TrunkWatch;
  let callees: UdpCaller[]; // whom each proxy calls
  let proxies: Kamailio[];
  let trunk: Trunk;
  let directory: TrunkDirectory;
  let told: TrunkStatus | undefined;
  let metrics: ReturnType<typeof createMetrics>;
  let start: (index: number) => Promise<void>;

  beforeEach(async () => {
    rig = await SignallingRig.open('listen', systemClock, { timerBase: { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 } });
    const ports = [await freeSipPort(), await freeSipPort()];
    callees = await Promise.all(ports.map((port) => new UdpCaller(port).open()));
    proxies = [];
    start = async (index) => {
      proxies[index] = await Kamailio.start({ ...secret, port: ports[index]!, callee: callees[index]!.port });
    };
    await Promise.all([start(0), start(1)]);
    trunk = trunkOf({
      hosts: ports.map((port, index) => ({ uri: `sip:127.0.0.1:${port}`, priority: index, weight: 1 })),
      outbound: { username: 'trunk', realm: 'carrier', fromDomain: 'carrier' },
      register: { expiresSeconds: 300 },
      pingSeconds: 1,
    });
    metrics = createMetrics();
    const states = {
      tell: (all: ReadonlyMap<string, TrunkStatus>) => {
        told = all.get(trunk.id);
        return Promise.resolve();
      },
      takeBack: () => Promise.resolve(),
    } as unknown as TrunkStateRows;
    watch = new TrunkWatch({
      ...{ states, clock: systemClock, logger: silentLogger, metrics },
      ask: (request, waitMs) => rig.server.ask(request, waitMs),
    });
    const rows = {
      list: () => Promise.resolve([trunk]),
      secretsOf: () => Promise.resolve({ password: secret.password }),
    };
    directory = await TrunkDirectory.open({ rows, clock: systemClock, logger: silentLogger });
    watch.start(directory);
    await registeredAt(0);
  });
  afterEach(async () => {
    await watch.close();
    directory.close();
    await rig.close();
    for (const callee of callees) callee.close();
    await Promise.all(proxies.map((proxy) => proxy.stop()));
  });

  const registeredAt = (index: number) =>
    until(
      () => told?.registration?.state === 'registered' && told.registration.host?.includes(`:${proxies[index]?.port};`),
      () => `registered at ${index}: ${JSON.stringify(told)}`,
      15_000,
    );

  /** A stranger calls our number at the carrier, and reaches us. */
  async function callIn(index: number): Promise<void> {
    const caller = await new UdpCaller(proxies[index]?.port ?? 0).open();
    const before = rig.legs.length;
    try {
      const uri = `sip:trunk@127.0.0.1:${proxies[index]?.port}`;
      caller.sendRequest('INVITE', { uri, body: offer });
      const ok = await caller.final('INVITE');
      expect(ok.status).toBe(200);
      caller.adopt(ok);
      caller.sendRequest('ACK', { headers: [`Route: ${headerOf(ok, 'Record-Route')}`] });
      expect(rig.legs[before]?.info.called).toBe('trunk');
      const over = rig.legs[before]?.hangup(hungUp);
      caller.answerByes();
      await over;
    } finally {
      caller.close();
    }
  }

  /** We call somebody by the carrier, who asks for a password. @returns how long it took until he was reached. */
  async function callOut(index: number): Promise<number> {
    const callee = callees[index]!;
    const router = new TrunkRouter({
      ...{ directory, phones: { get: () => Promise.resolve(undefined) }, contacts: noPhoneContacts },
      ...{ health: watch.health, lines: new TrunkLines(systemClock), isDirectHost: () => false },
      ...{ random: Math.random, logger: silentLogger },
    });
    const route = await router.route({ accountId: 'a', target: '+966112223344', from: 'trunk' });
    if ('reason' in route) throw new Error(JSON.stringify(route));
    const startedMs = performance.now();
    const dialled = dialRoute({ dialer: rig.server, clock: systemClock, hosts: watch.notes(true) }, route, {
      media: plain,
    });
    dialled.catch(() => undefined);
    const invite = await callee.request('INVITE');
    const tookMs = performance.now() - startedMs;
    callee.reply(invite, 200, 'OK', [], offer);
    await callee.request('ACK');
    const over = (await dialled).hangup(hungUp);
    callee.reply(await callee.request('BYE'), 200, 'OK');
    await over;
    return tookMs;
  }

  it('takes calls both ways, through a restart of the one and over the other', async () => {
    expect(told).toMatchObject({ hosts: [{ state: 'up', answerMs: expect.any(Number) }, { state: 'up' }] });
    expect(await metrics.registry.metrics()).toContain(
      'nidaa_trunk_registrations{trunk="carrier",state="registered"} 1',
    );
    await callIn(0);
    expect(await callOut(0)).toBeLessThan(2_000);

    await proxies[0]?.stop();
    expect(await callOut(1)).toBeLessThan(5_000); // by the second, found by the call itself
    await registeredAt(1);
    await callIn(1);
    expect(told?.hosts.map(({ state }) => state)).toEqual(['down', 'up']);

    await proxies[1]?.stop(); // and forgets us
    await until(() => told?.hosts[1]?.state === 'down', 'notice of the restart', 10_000);
    await start(1);
    await registeredAt(1);
    await callIn(1);
  }, 60_000);
});
