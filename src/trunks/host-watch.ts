import type { Clock, Timer } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Trunk } from '../core/trunk.ts';
import type { HostProblem } from '../core/trunk-status.ts';
import type { HostHealth, HostState, HostStatus } from './host-health.ts';
import { type HostEvent, nextHostState } from './host-state.ts';
import { hopOf } from './trunk-router.ts';

/** Hosts of all trunks together that are watched; of more, nothing is known. */
export const HOSTS_MAX = 4_000;
/** One that is down is asked this often at least: its calls wait for it. */
export const DOWN_EVERY_MS = 5_000;
/** What a call found dead, and nobody asks, is tried again after this. */
export const FORGET_DOWN_MS = 30_000;
/** First questions are spread over this time. */
const FIRST_WITHIN_MS = 1_000;

export interface HostWatchDeps {
  /** Asks by OPTIONS. @returns how long the answer took, or why none came. Never rejects. */
  readonly ask: (nextHop: string) => Promise<number | HostProblem>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: () => number;
  /** It is up after it was not, or down after it was not. */
  readonly onChange: (trunkId: string, nextHop: string, state: HostState) => void;
}

interface Watched {
  readonly trunk: Trunk;
  readonly uri: string; // as the definition has it
  readonly nextHop: string; // as requests are sent to it
  readonly everyMs: number; // 0: never
  state: HostState;
  since: Date;
  answerMs: number | undefined;
  problem: HostProblem | undefined; // of one that is down
  timer: Timer | undefined;
}

/** Asks the hosts of trunks how they are, and hears of it from calls. */
export class HostWatch implements HostHealth {
  readonly counters = { asked: 0, answered: 0, silent: 0 };
  readonly #hosts = new Map<string, Watched>();
  #closed = false;

  constructor(private readonly deps: HostWatchDeps) {}

  statusOf(trunkId: string, uri: string): HostStatus {
    const host = this.#hosts.get(keyOf(trunkId, uri));
    if (!host) return { state: 'unknown' };
    const { state, since, answerMs, problem } = host;
    return { state, since, ...(answerMs !== undefined && { answerMs }), ...(problem !== undefined && { problem }) };
  }

  isDown(nextHop: string): boolean {
    return this.#at(nextHop).some(({ state }) => state === 'down');
  }

  /** These trunks from now on. Of a host that was watched before, what is known stays. */
  watch(trunks: readonly Trunk[]): void {
    const wanted = new Map<string, Watched>();
    for (const trunk of trunks) {
      for (const host of trunk.definition.hosts) {
        if (wanted.size >= HOSTS_MAX) break;
        const key = keyOf(trunk.id, host.uri);
        const [nextHop, everyMs] = [hopOf(trunk, host), 1_000 * trunk.definition.pingSeconds];
        const known = this.#hosts.get(key);
        if (known && known.nextHop === nextHop && known.everyMs === everyMs) wanted.set(key, known);
        else wanted.set(key, this.#begin({ trunk, uri: host.uri, nextHop, everyMs }));
      }
    }
    for (const [key, host] of this.#hosts) {
      if (wanted.get(key) !== host) this.deps.clock.clearTimer(host.timer);
    }
    this.#hosts.clear();
    for (const [key, host] of wanted) this.#hosts.set(key, host);
  }

  /** A call heard something of it. */
  onAlive(nextHop: string): void {
    for (const host of this.#at(nextHop)) this.#note(host, 'answered');
  }

  /** A call heard nothing of it. */
  onDead(nextHop: string, problem?: HostProblem): void {
    for (const host of this.#at(nextHop)) {
      this.#note(host, 'silent', problem);
      this.#later(host, host.everyMs === 0 ? FORGET_DOWN_MS : Math.min(host.everyMs, DOWN_EVERY_MS));
    }
  }

  close(): void {
    this.#closed = true;
    for (const { timer } of this.#hosts.values()) this.deps.clock.clearTimer(timer);
  }

  #begin(what: Pick<Watched, 'trunk' | 'uri' | 'nextHop' | 'everyMs'>): Watched {
    const { clock, random } = this.deps;
    const host: Watched = {
      ...{ ...what, state: 'unknown', since: clock.utc() },
      ...{ answerMs: undefined, problem: undefined, timer: undefined },
    };
    if (host.everyMs > 0) this.#later(host, random() * FIRST_WITHIN_MS);
    return host;
  }

  #later(host: Watched, ms: number): void {
    const { clock } = this.deps;
    clock.clearTimer(host.timer);
    if (this.#closed) return;
    host.timer = clock.setTimer(ms, () => {
      if (host.everyMs === 0) this.#note(host, 'forgotten');
      else void this.#ask(host);
    });
  }

  async #ask(host: Watched): Promise<void> {
    this.counters.asked += 1;
    const answer = await this.deps.ask(host.nextHop);
    if (this.#closed || this.#hosts.get(keyOf(host.trunk.id, host.uri)) !== host) return;
    const event = typeof answer === 'number' ? 'answered' : 'silent';
    if (typeof answer === 'number') host.answerMs = answer;
    this.counters[event] += 1;
    this.#note(host, event, typeof answer === 'number' ? undefined : answer);
    this.#later(host, host.state === 'down' ? Math.min(host.everyMs, DOWN_EVERY_MS) : host.everyMs);
  }

  #note(host: Watched, event: HostEvent, problem?: HostProblem): void {
    host.problem = event === 'silent' ? (problem ?? host.problem) : undefined;
    const next = nextHostState(host.state, event);
    if (!next) return;
    const { clock, logger, onChange } = this.deps;
    host.state = next;
    host.since = clock.utc();
    const fields = { trunk: host.trunk.definition.name, host: host.uri, state: next, ...(problem && { problem }) };
    if (next === 'down') logger.warn(fields, 'a host of a trunk does not answer');
    else logger.info(fields, 'host of a trunk');
    onChange(host.trunk.id, host.nextHop, next);
  }

  #at(nextHop: string): readonly Watched[] {
    return [...this.#hosts.values()].filter((host) => host.nextHop === nextHop);
  }
}

const keyOf = (trunkId: string, uri: string): string => `${trunkId} ${uri}`;
