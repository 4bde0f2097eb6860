import { isDeepStrictEqual } from 'node:util';
import type { HostNotes } from '../call/dial-route.ts';
import { type Clock, repeat } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import { type Notice, textOf } from '../core/notice.ts';
import { isOn, PUBLIC_ONLY, type Trunk } from '../core/trunk.ts';
import type { HostProblem, TrunkStatus } from '../core/trunk-status.ts';
import { unansweredNotice } from '../sip/outside-request.ts';
import { RegistrationClient, type RegistrationOrder } from '../sip/registration-client.ts';
import { seenAs } from '../sip/seen-as.ts';
import type { SipServer } from '../sip/server.ts';
import { TOLD_EVERY_MS, type TrunkStateRows } from '../store/trunk-states.ts';
import type { HostHealth } from '../trunks/host-health.ts';
import { HostWatch } from '../trunks/host-watch.ts';
import type { TrunkDirectory } from '../trunks/trunk-directory.ts';
import { hopOf } from '../trunks/trunk-router.ts';

/** How long an answer to OPTIONS is waited for: the request is sent four times by then. */
const PING_WAIT_MS = 4_000;
/** Changes of trunks are followed, and what is known of them is told, this often. */
const FOLLOW_EVERY_MS = 2_000;

export interface TrunkWatchOptions {
  readonly states: Pick<TrunkStateRows, 'tell' | 'takeBack'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly ask: SipServer['ask'];
}

type TrunkSource = Pick<TrunkDirectory, 'trunks' | 'secretsOf'>;

/** Watches the hosts of trunks, and keeps our registrations at them. */
export class TrunkWatch {
  readonly #hosts: HostWatch;
  readonly #clients = new Map<string, RegistrationClient>();
  #directory: TrunkSource | undefined;
  #told = new Map<string, TrunkStatus>();
  #unread = ''; // trunks whose secrets could not be had, as the log has it
  #toldMs = Number.NEGATIVE_INFINITY;
  #telling: Promise<void> | undefined;
  #stop: () => void = () => undefined;
  #leaving: Promise<void> | undefined;

  constructor(private readonly options: TrunkWatchOptions) {
    const { clock, logger } = options;
    this.#hosts = new HostWatch({
      ...{ clock, logger, random: Math.random },
      ask: (nextHop) => this.#ping(nextHop),
      onChange: (trunkId, nextHop, state) => {
        const client = this.#clients.get(trunkId);
        if (state === 'up') client?.hostUp(nextHop);
        else if (state === 'down') client?.hostDown(nextHop);
      },
    });
  }

  /** For whoever routes. */
  get health(): HostHealth {
    return this.#hosts;
  }

  /** The proxies that a registrar wants calls to pass which go by that host (RFC 3608), topmost first. */
  serviceRouteOf(trunkId: string, nextHop: string): readonly string[] {
    const client = this.#clients.get(trunkId);
    return client?.status.host === nextHop ? client.serviceRoute : [];
  }

  /** For whoever dials. A real drachtio-server tells of no 100: there a silent host is asked whether it is alive. */
  notes(tellsOfTrying: boolean): HostNotes {
    return {
      onAlive: (nextHop) => this.#hosts.onAlive(nextHop),
      onDead: (nextHop, problem) => this.#hosts.onDead(nextHop, problem),
      ...(!tellsOfTrying && { isAlive: async (nextHop) => typeof (await this.#ping(nextHop)) === 'number' }),
    };
  }

  /** From now on, with the SIP server there. */
  start(directory: TrunkSource): void {
    this.#directory = directory;
    void this.#follow();
    this.#stop = repeat(this.options.clock, FOLLOW_EVERY_MS, () => void this.#follow());
  }

  /** No more calls are wanted: registrations are taken back. Idempotent, never rejects. */
  leave(): Promise<void> {
    this.#leaving ??= this.#leave();
    return this.#leaving;
  }

  async close(): Promise<void> {
    await this.leave();
    await this.#telling;
    await this.options.states.takeBack().catch(() => undefined); // Old rows are passed over.
  }

  async #leave(): Promise<void> {
    this.#stop();
    this.#hosts.close();
    await Promise.all([...this.#clients.values()].map((client) => client.stop()));
  }

  /** What a host says to OPTIONS now. Never rejects. */
  async ask(
    nextHop: string,
  ): Promise<{ readonly status: number; readonly reason: string } | { readonly failed: Notice }> {
    const answer = await this.#options(nextHop);
    if ('failed' in answer) return { failed: unansweredNotice(answer.failed) };
    return { status: answer.response.status, reason: answer.response.reason };
  }

  #options(nextHop: string): ReturnType<SipServer['ask']> {
    const headers = {
      From: '<sip:ping@localhost>',
      To: `<${nextHop.replace(/[;?].*$/, '')}>`,
      Contact: '<sip:ping@localhost>',
      Accept: 'application/sdp',
    };
    return this.options.ask({ method: 'OPTIONS', uri: nextHop, nextHop, headers }, PING_WAIT_MS);
  }

  async #ping(nextHop: string): Promise<number | HostProblem> {
    const { clock } = this.options;
    const startedMs = clock.nowMs();
    const answer = await this.#options(nextHop);
    if ('failed' in answer) return answer.failed;
    const tookMs = Math.round((clock.nowMs() - startedMs) * 10) / 10;
    const seen = seenAs(answer.response);
    for (const client of this.#clients.values()) client.hostSaw(nextHop, seen);
    return tookMs;
  }

  /** Never rejects. */
  async #follow(): Promise<void> {
    const directory = this.#directory;
    if (!directory || this.#leaving) return;
    this.#hosts.watch(directory.trunks.filter(isOn));
    await this.#register(directory);
    if (this.#leaving) return;
    this.#measure(directory.trunks);
    this.#telling ??= this.#tell(directory.trunks).finally(() => {
      this.#telling = undefined;
    });
  }

  async #register(directory: TrunkSource): Promise<void> {
    const wanted = await this.#orders(directory);
    if (this.#leaving) return;
    for (const [id, client] of this.#clients) {
      if (isDeepStrictEqual(wanted.get(id), client.order)) continue;
      this.#clients.delete(id);
      void client.stop();
    }
    for (const [id, order] of wanted) {
      if (this.#clients.has(id)) continue;
      const { ask, clock, logger } = this.options;
      const isDown = (host: string): boolean => this.#hosts.isDown(host);
      const client = new RegistrationClient(order, { ask, isDown, clock, logger, random: Math.random });
      this.#clients.set(id, client);
      client.start();
    }
  }

  /** A trunk whose secret cannot be had stays as it is, and keeps no other from being followed. */
  async #orders(directory: TrunkSource): Promise<ReadonlyMap<string, RegistrationOrder>> {
    const wanted = new Map<string, RegistrationOrder>();
    const unread = new Map<string, string>(); // name of a trunk -> why
    for (const trunk of directory.trunks) {
      if (!trunk.definition.register || !isOn(trunk)) continue;
      try {
        const { password } = await directory.secretsOf(trunk.id);
        const order = orderOf(trunk, password);
        if (order) wanted.set(trunk.id, order);
      } catch (error) {
        unread.set(trunk.definition.name, errorText(error));
        const before = this.#clients.get(trunk.id)?.order;
        if (before) wanted.set(trunk.id, before);
      }
    }
    const [why] = unread.values();
    const names = [...unread.keys()].join(', ');
    if (why !== undefined && names !== this.#unread) {
      this.options.logger.warn({ trunks: names, error: why }, 'registrations at trunks could not be followed');
    }
    this.#unread = names;
    return wanted;
  }

  #measure(trunks: readonly Trunk[]): void {
    const { trunkHosts, trunkRegistrations } = this.options.metrics;
    trunkHosts.reset();
    trunkRegistrations.reset();
    for (const trunk of trunks) {
      for (const { state } of this.#statusOf(trunk).hosts) trunkHosts.inc({ trunk: trunk.definition.name, state });
    }
    for (const { order, status } of this.#clients.values()) {
      trunkRegistrations.inc({ trunk: order.trunk, state: status.state });
    }
  }

  async #tell(trunks: readonly Trunk[]): Promise<void> {
    const { states, clock, logger } = this.options;
    const now = new Map(trunks.map((trunk) => [trunk.id, this.#statusOf(trunk)]));
    const isOld = clock.nowMs() - this.#toldMs >= TOLD_EVERY_MS;
    const changed = [...now].filter(([id, status]) => isOld || !isDeepStrictEqual(status, this.#told.get(id)));
    if (changed.length === 0) return;
    try {
      await states.tell(new Map(changed));
      this.#told = now;
      if (isOld) this.#toldMs = clock.nowMs();
    } catch (error) {
      logger.debug({ error: errorText(error) }, 'the state of trunks could not be written');
    }
  }

  #statusOf({ id, definition }: Trunk): TrunkStatus {
    const registration = this.#clients.get(id)?.status;
    return {
      hosts: definition.hosts.map(({ uri }) => {
        const { state, since, answerMs, problem } = this.#hosts.statusOf(id, uri);
        return {
          uri,
          state,
          ...(since && { since: since.toISOString() }),
          ...(answerMs !== undefined && { answerMs }),
          ...(problem !== undefined && { problem }),
        };
      }),
      ...(registration && {
        registration: {
          ...{ state: registration.state, since: registration.since.toISOString() },
          ...(registration.host !== undefined && { host: shownHop(registration.host) }),
          ...(registration.expiresAt && { expiresAt: registration.expiresAt.toISOString() }),
          ...(registration.problem && problemOf(registration.problem)),
        },
      }),
    };
  }
}

/** A next hop as people know it, wherever it stands in a text. */
const shownHop = (text: string): string => text.replace(`;${PUBLIC_ONLY}`, '');

/** Why we are not registered, in English and as data. */
function problemOf({ code, params }: Notice): { readonly problem: string; readonly problemNotice: Notice } {
  const values = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' ? shownHop(value) : value,
  ]);
  const problemNotice = { code, params: Object.fromEntries(values) };
  return { problem: textOf(problemNotice), problemNotice };
}

/** Where a trunk wants us to register; undefined where it does not say as whom. */
function orderOf(trunk: Trunk, password: string | undefined): RegistrationOrder | undefined {
  const { name, hosts, outbound, register } = trunk.definition;
  const { username, realm, fromDomain } = outbound;
  const [first] = hosts;
  if (!register || !first || username === undefined || realm === undefined || password === undefined) return undefined;
  const sorted = hosts.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight);
  return {
    ...{ trunk: name, username, password, realm, expiresSeconds: register.expiresSeconds },
    hosts: sorted.map((host) => hopOf(trunk, host)),
    domain: fromDomain ?? first.uri.replace(/^sips?:(?:[^@]*@)?/i, '').replace(/(:\d+)?([;?].*)?$/, ''),
  };
}
