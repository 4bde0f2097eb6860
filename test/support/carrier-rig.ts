import { expect } from 'vitest';
import { dialRoute } from '../../src/call/dial-route.ts';
import { TrunkWatch } from '../../src/compose/trunk-watch.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { TrunkStatus } from '../../src/core/trunk-status.ts';
import type { TrunkStateRows } from '../../src/store/trunk-states.ts';
import { noPhoneContacts } from '../../src/trunks/phone-contacts.ts';
import { TrunkDirectory } from '../../src/trunks/trunk-directory.ts';
import { TrunkLines } from '../../src/trunks/trunk-lines.ts';
import { TrunkRouter } from '../../src/trunks/trunk-router.ts';
import { believing, pairFor } from './certificates.ts';
import { Kamailio } from './kamailio.ts';
import { freeSipPort } from './ports.ts';
import { hungUp, offer, plain, SignallingRig } from './signalling-rig.ts';
import { trunkOf } from './trunks.ts';
import { type headerOf, UdpCaller } from './udp-caller.ts';
import { until } from './until.ts';

const secret = { user: 'trunk', password: 'trunk-pw', realm: 'carrier' };

/** What the gateway does with a trunk that wants to be registered at, and two real proxies that are that trunk. */
export class CarrierRig {
  told: TrunkStatus | undefined;
  /** What we asked outside of calls, as it was answered. */
  readonly answered: { readonly method: string; readonly uri: string }[] = [];
  readonly metrics = createMetrics();
  readonly #pair = pairFor(['127.0.0.1']);
  readonly #callees: UdpCaller[] = []; // whom each proxy calls
  readonly #proxies: Kamailio[] = [];
  readonly #peers = new Set<string>(); // over TLS
  #rig!: SignallingRig;
  #watch!: TrunkWatch;
  #directory!: TrunkDirectory;

  private constructor(private readonly transport: 'udp' | 'tls') {}

  /** @param isKnown - whether we believe the certificate of the proxies. */
  static async open(transport: 'udp' | 'tls', isKnown = true, pingSeconds = 1): Promise<CarrierRig> {
    const rig = new CarrierRig(transport);
    await rig.#open(isKnown, pingSeconds);
    return rig;
  }

  async #open(isKnown: boolean, pingSeconds: number): Promise<void> {
    const { transport } = this;
    const ours = pairFor(['127.0.0.1']);
    this.#rig = await SignallingRig.open('listen', systemClock, {
      timerBase: { t1Ms: 500, t2Ms: 4_000, t4Ms: 5_000 },
      ...(transport === 'tls' && {
        transports: ['udp', 'tls'],
        tls: { credentials: believing(ours, isKnown ? this.#pair : ours) },
        trace: ({ peer }: { peer: string }) => peer.startsWith('tls/') && this.#peers.add(peer),
      }),
    });
    const ports = [await freeSipPort(), await freeSipPort()];
    this.#callees.push(...(await Promise.all(ports.map((port) => new UdpCaller(port).open()))));
    await Promise.all(ports.map((port, index) => this.start(index, port)));
    const trunk = trunkOf({
      hosts: ports.map((port, index) => ({ uri: `sip:127.0.0.1:${port}`, priority: index, weight: 1 })),
      transport,
      outbound: { username: secret.user, realm: secret.realm, fromDomain: 'carrier' },
      register: { expiresSeconds: 300 },
      pingSeconds,
    });
    const states = {
      tell: (all: ReadonlyMap<string, TrunkStatus>) => {
        this.told = all.get(trunk.id);
        return Promise.resolve();
      },
      takeBack: () => Promise.resolve(),
    } as unknown as TrunkStateRows;
    this.#watch = new TrunkWatch({
      ...{ states, clock: systemClock, logger: silentLogger, metrics: this.metrics },
      ask: async (request, waitMs) => {
        const answer = await this.#rig.server.ask(request, waitMs);
        if ('response' in answer) this.answered.push({ method: request.method, uri: request.uri });
        return answer;
      },
    });
    const rows = {
      list: () => Promise.resolve([trunk]),
      secretsOf: () => Promise.resolve({ password: secret.password }),
    };
    this.#directory = await TrunkDirectory.open({ rows, clock: systemClock, logger: silentLogger });
    this.#watch.start(this.#directory);
  }

  /** True where every message came and went by connections that we opened: nobody else's is from the port of a proxy. */
  get isOnOwnConnections(): boolean {
    const ports = this.#proxies.map(({ port }) => String(port));
    return this.#peers.size > 0 && [...this.#peers].every((peer) => ports.includes(peer.split(':').at(-1) ?? ''));
  }

  async start(index: number, port = this.#proxies[index]!.port): Promise<void> {
    const tls = this.transport === 'tls' ? this.#pair : undefined;
    this.#proxies[index] = await Kamailio.start({ ...secret, port, tls, callee: this.#callees[index]!.port });
  }
  async stop(index: number): Promise<void> {
    await this.#proxies[index]?.stop();
  }

  async close(): Promise<void> {
    await this.#watch?.close();
    this.#directory?.close();
    await this.#rig?.close();
    for (const callee of this.#callees) callee.close();
    await Promise.all(this.#proxies.map((proxy) => proxy.stop()));
  }

  registeredAt(index: number): Promise<unknown> {
    const host = `:${this.#proxies[index]?.port};transport=${this.transport}`;
    return until(
      () => this.told?.registration?.state === 'registered' && this.told.registration.host?.endsWith(host),
      () => `registered at ${index}: ${JSON.stringify(this.told)}`,
      15_000,
    );
  }

  /** A proxy has answered whether it is there, after it took the registration: that we go the same way to it is known by then. */
  async pingedAt(index: number): Promise<void> {
    const from = this.answered.findLastIndex(({ method }) => method === 'REGISTER') + 1;
    const port = `:${this.#proxies[index]?.port};`;
    const isPing = ({ method, uri }: { method: string; uri: string }): boolean =>
      method === 'OPTIONS' && `${uri};`.includes(port);
    await until(() => this.answered.slice(from).some(isPing), 'a ping is answered');
  }

  /** A stranger calls our number at the carrier, and reaches us. */
  async callIn(index: number): Promise<void> {
    const port = this.#proxies[index]!.port;
    const caller = await new UdpCaller(port).open();
    const before = this.#rig.legs.length;
    try {
      caller.sendRequest('INVITE', { uri: `sip:trunk@127.0.0.1:${port}`, body: offer });
      const ok = await caller.final('INVITE');
      expect(ok.start).toBe('SIP/2.0 200 OK');
      caller.adopt(ok);
      caller.sendRequest('ACK', { headers: routesOf(ok) });
      const leg = this.#rig.legs[before];
      expect(leg?.info.called).toBe('trunk');
      const over = leg?.hangup(hungUp);
      caller.answerByes();
      await over;
    } finally {
      caller.close();
    }
  }

  /** We call somebody by the carrier, who asks for a password. @returns how long it took until he was reached. */
  async callOut(index: number): Promise<number> {
    const callee = this.#callees[index]!;
    const router = new TrunkRouter({
      ...{ directory: this.#directory, phones: { get: () => Promise.resolve(undefined) }, contacts: noPhoneContacts },
      ...{ health: this.#watch.health, lines: new TrunkLines(systemClock), isDirectHost: () => false },
      ...{ random: Math.random, logger: silentLogger },
    });
    const route = await router.route({ accountId: 'a', target: '+966112223344', from: secret.user });
    if ('reason' in route) throw new Error(JSON.stringify(route));
    const startedMs = performance.now();
    const deps = { dialer: this.#rig.server, clock: systemClock, hosts: this.#watch.notes(true) };
    const dialled = dialRoute(deps, route, { media: plain });
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
}

/** A proxy between two transports is in the route twice, once for each (RFC 5658). */
const routesOf = (ok: Parameters<typeof headerOf>[0]): string[] =>
  ok.headers
    .filter(([name]) => name.toLowerCase() === 'record-route')
    .map(([, value]) => `Route: ${value}`)
    .reverse();
