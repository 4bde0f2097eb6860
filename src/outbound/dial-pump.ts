import type { CallEnd } from '../call/call-end.ts';
import { callEnd } from '../call/call-end.ts';
import type { CallRegistry } from '../call/call-registry.ts';
import type { CallRoute, CallRouter } from '../call/call-router.ts';
import type { OutgoingCalls } from '../call/outgoing-calls.ts';
import type { Agent } from '../core/agent.ts';
import { type Clock, delay, type Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import { randomToken } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { AccountLimit } from '../store/accounts.ts';
import type { DialLimits, DialOrderRow } from '../store/dial-order-rows.ts';
import type { Store } from '../store/store.ts';
import { nextCallingTime, startOfDay } from './calling-hours.ts';
import { DialRun } from './dial-run.ts';
import { dialTarget } from './dialled-number.ts';
import type { OrderEvents } from './order-events.ts';
import type { OrderEvent } from './order-state.ts';
import type { OutboundSettings } from './outbound-settings.ts';
import { Pacer } from './pacer.ts';

export interface DialPumpDeps {
  readonly store: Pick<Store, 'dialOrders' | 'doNotCall' | 'agents' | 'accounts' | 'bookings'>;
  readonly router: CallRouter;
  readonly calls: Pick<OutgoingCalls, 'place' | 'problemOf'>;
  readonly registry: Pick<CallRegistry, 'list' | 'draining'>;
  /** What a trunk takes; undefined of one that is unknown. May be some seconds old. */
  readonly limitsOf: (trunkId: string) => TrunkPace | undefined;
  readonly settings: OutboundSettings;
  readonly events: OrderEvents;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface TrunkPace {
  readonly calls: number; // at once
  readonly perSecond: number;
}

/** Orders of others, and wishes to cancel, are noticed that late. */
const POLL_MS = 400;
/** A trunk or an account that is full is asked again after so long. */
const FULL_WAIT_MS = 150;
/** No host of the trunk answers, or the phone is not registered. */
const UNREACHABLE_WAIT_MS = 15_000;
const ROUND_PAUSE_MS_MIN = 5;
/** What dead gateways left is looked for that often. */
const RECOVER_EVERY_MS = 30_000;
const LANES_MAX = 10_000;
const RUNS_MAX = 10_000;
const COMPLAINT_EVERY_MS = 10_000;
/** After a stop, what is under way is waited for. */
const CLOSE_MS_MAX = 5_000;

/** What a look at one order came to. */
type Look = 'dialled' | 'waits' | 'gone';

/**
 * Dials the orders whose time has come, as fast as trunks and accounts allow and no faster. All that must survive is in the
 * table; what is here is only what goes on now. See README.md for why.
 */
export class DialPump {
  readonly #runs = new Map<string, DialRun>(); // by order
  /** Lanes (account and wished trunk) that need not be looked at before. */
  readonly #restMs = new Map<string, number>();
  readonly #trunkOfLane = new Map<string, TrunkPace & { readonly id: string }>();
  readonly #pacer = new Pacer(); // of orders taken
  readonly #leaving = new Pacer(); // of INVITEs
  #timer: Timer | undefined;
  #round: Promise<void> | undefined;
  #recoverAtMs = Number.NEGATIVE_INFINITY;
  #complainedMs = Number.NEGATIVE_INFINITY;
  #moved = false; // in this round
  #closing = false;

  constructor(private readonly deps: DialPumpDeps) {}

  /** Begins, with what the last run left. */
  start(): void {
    this.#schedule(0);
  }

  /** Calls under way or about to be. */
  get size(): number {
    return this.#runs.size;
  }

  /** No order is taken from now on; calls under way go on. */
  async close(): Promise<void> {
    this.#closing = true;
    this.deps.clock.clearTimer(this.#timer);
    await this.#round;
    const late = this.deps.clock.nowMs() + CLOSE_MS_MAX;
    while (this.#runs.size > 0 && this.deps.clock.nowMs() < late) await delay(this.deps.clock, 20);
  }

  #schedule(afterMs: number): void {
    if (this.#closing) return;
    this.#timer = this.deps.clock.setTimer(afterMs, () => {
      this.#round = this.#goRound()
        .catch((error: unknown) => this.#complain(error))
        .finally(() => this.#schedule(this.#pauseMs()));
    });
  }

  /** Until a lane may go on, but no longer than a new order may wait. After one that went there may be the next. */
  #pauseMs(): number {
    if (this.#moved) return ROUND_PAUSE_MS_MIN;
    const nowMs = this.deps.clock.nowMs();
    let pauseMs = POLL_MS;
    for (const [lane, restMs] of this.#restMs) {
      if (restMs <= nowMs) this.#restMs.delete(lane);
      else pauseMs = Math.min(pauseMs, restMs - nowMs);
    }
    return Math.max(ROUND_PAUSE_MS_MIN, pauseMs);
  }

  async #goRound(): Promise<void> {
    this.#moved = false;
    const { store, clock, settings, registry } = this.deps;
    if (clock.nowMs() >= this.#recoverAtMs) {
      const found = await store.dialOrders.recover(settings.interruptedLineSeconds, [...this.#runs.keys()]);
      this.#recoverAtMs = clock.nowMs() + RECOVER_EVERY_MS;
      for (const order of found) this.#tell(order, foundAs(order), order.endReason);
      for (const order of await store.dialOrders.expire()) this.#tell(order, 'expire', order.endReason);
    }
    if (this.#runs.size > 0) for (const id of await store.dialOrders.cancelWanted()) this.#runs.get(id)?.cancel();
    if (registry.draining) return;
    for (const order of await store.dialOrders.due()) {
      if (this.#closing || this.#runs.size >= RUNS_MAX) return;
      const lane = laneOf(order);
      if ((this.#restMs.get(lane) ?? 0) > clock.nowMs() || this.#runs.has(order.id)) continue;
      const look = await this.#look(order);
      this.#moved ||= look !== 'waits';
      if (look === 'waits' && this.#restMs.size < LANES_MAX && !this.#restMs.has(lane)) {
        this.#restMs.set(lane, clock.nowMs() + FULL_WAIT_MS);
      }
    }
  }

  async #look(order: DialOrderRow): Promise<Look> {
    const { store, clock, router, calls } = this.deps;
    const now = clock.utc();
    if (order.expiresAt <= now) return this.#refuse(order, 'expire', { party: 'gateway', reason: 'expired' });
    const hours = this.#hours(order, now);
    if (hours !== 'open') return hours;
    const { number } = dialTarget(order.target, this.deps.settings.countryCode) ?? {};
    if (number !== undefined && (await store.doNotCall.has(number, order.accountId))) {
      return this.#refuse(order, 'refuse', { party: 'gateway', reason: 'do-not-call' });
    }
    const agent = await store.agents.get(order.accountId, order.agentId);
    if (agent?.status !== 'live') return this.#refuse(order, 'refuse', callEnd('gateway', 'agent-not-live'));
    if (calls.problemOf(agent)) return 'waits';
    if (!this.#mayPass(order)) return 'waits';
    const own = await store.bookings.refusal(order.accountId);
    if (own) return this.#beyondOwn(order, own);
    const { accountId, target, from, trunk, variables } = order;
    const route = await router.route({ accountId, target, from, variables, ...(trunk !== null && { trunk }) });
    if (!('attempts' in route)) return this.#notRouted(order, route);
    try {
      return await this.#take(order, agent, route);
    } catch (error) {
      route.release();
      throw error;
    }
  }

  /** Nobody is called in the night: the order waits for the morning. */
  #hours(order: DialOrderRow, now: Date): 'open' | Look | Promise<Look> {
    if (order.timeZone === null) return 'open';
    const next = nextCallingTime(now, order.timeZone, this.deps.settings.callingHours);
    if (next?.getTime() === now.getTime()) return 'open';
    if (!next || next >= order.expiresAt) {
      return this.#refuse(order, 'refuse', { party: 'gateway', reason: 'outside-calling-hours' });
    }
    return this.deps.store.dialOrders.postpone(order.id, next).then(() => 'gone' as const);
  }

  /** The account sets limits for itself: of calls at once, as of its lines, one ends soon; of a day nothing is left. */
  #beyondOwn(order: DialOrderRow, limit: AccountLimit): Look | Promise<Look> {
    if (limit === 'calls-at-once' || limit === 'every-line') return 'waits';
    const reason = limit === 'calls-a-day' ? 'daily-calls' : 'daily-spend';
    return this.#refuse(order, 'refuse', { party: 'gateway', reason });
  }

  /** Whether the pace of the account, and of the trunk by which this lane went last, lets another one go now. */
  #mayPass(order: DialOrderRow): boolean {
    const lane = laneOf(order);
    const nowMs = this.deps.clock.nowMs();
    const dueMs = this.#dueMs(this.#pacer, order.accountId, this.#trunkOfLane.get(lane));
    if (dueMs <= nowMs) return true;
    this.#restMs.set(lane, dueMs);
    return false;
  }

  #dueMs(pacer: Pacer, accountId: string, trunk: (TrunkPace & { readonly id: string }) | undefined): number {
    const ofAccount = pacer.nextMs(accountId, this.deps.settings.callsPerSecondPerAccount);
    return trunk ? Math.max(ofAccount, pacer.nextMs(trunk.id, trunk.perSecond)) : ofAccount;
  }

  #notRouted(order: DialOrderRow, end: CallEnd): Look | Promise<Look> {
    const { store, clock } = this.deps;
    if (end.reason === 'busy' || end.reason === 'store-unavailable' || end.reason === 'draining') return 'waits';
    if (end.party !== 'network') return this.#refuse(order, 'refuse', end);
    const again = new Date(clock.utc().getTime() + UNREACHABLE_WAIT_MS);
    return store.dialOrders.postpone(order.id, again).then(() => 'gone' as const);
  }

  async #take(order: DialOrderRow, agent: Agent, route: CallRoute): Promise<Look> {
    const trunk = this.#trunkOf(route);
    if (route.trunk && !trunk) {
      route.release(); // It is being removed.
      return 'waits';
    }
    const lane = laneOf(order);
    if (trunk && this.#trunkOfLane.size < LANES_MAX) this.#trunkOfLane.set(lane, trunk);
    if (!this.#mayPass(order)) {
      route.release();
      return 'waits';
    }
    const sipCallId = randomToken(16);
    const outcome = await this.deps.store.dialOrders.claim(order.id, sipCallId, this.#limits(trunk));
    if (outcome !== 'claimed') {
      route.release();
      if (outcome === 'daily-calls' || outcome === 'daily-spend')
        return this.#refuse(order, 'refuse', { party: 'gateway', reason: outcome });
      return outcome === 'gone' ? 'gone' : 'waits';
    }
    const nowMs = this.deps.clock.nowMs();
    this.#pacer.take(order.accountId, nowMs);
    if (trunk) this.#pacer.take(trunk.id, nowMs);
    this.#dial({ order, agent, route, sipCallId, trunk });
    return 'dialled';
  }

  #dial({ order, agent, route, sipCallId, trunk }: Taken): void {
    const { calls, registry, store, events, clock, logger, metrics } = this.deps;
    const run = new DialRun(
      {
        ...{ rows: store.dialOrders, events, clock, logger, metrics },
        pace: () => this.#pace(order.accountId, trunk),
        hangUp: (callId, end) =>
          void registry
            .list()
            .find(({ id }) => id === callId)
            ?.close(end),
        over: () => this.#runs.delete(order.id),
      },
      order,
      order.attempt + 1,
      route,
    );
    this.#runs.set(order.id, run);
    void calls.place({
      ...{ agent, route, from: order.from, to: order.target, variables: order.variables, sipCallId },
      ringTimeoutMs: order.maxRingSeconds * 1000,
      opening: {
        ...{ speakAfterMs: this.deps.settings.speakAfterMs, onMachine: order.onMachine },
        ...(order.message !== null && { message: order.message }),
      },
      onProgress: (status) => run.onProgress(status),
      watch: run,
    });
  }

  /** Between the taking of an order and its INVITE times differ: they are spread again where they leave. */
  async #pace(accountId: string, trunk: Taken['trunk']): Promise<void> {
    const { clock } = this.deps;
    for (;;) {
      const nowMs = clock.nowMs();
      const waitMs = this.#dueMs(this.#leaving, accountId, trunk) - nowMs;
      if (waitMs <= 0) {
        this.#leaving.take(accountId, nowMs);
        if (trunk) this.#leaving.take(trunk.id, nowMs);
        return;
      }
      await delay(clock, waitMs); // A timer may be late, and another call have left meanwhile.
    }
  }

  #trunkOf({ trunk }: CallRoute): Taken['trunk'] {
    const pace = trunk && this.deps.limitsOf(trunk.id);
    return trunk && pace && { id: trunk.id, ...pace };
  }

  #limits(trunk: Taken['trunk']): DialLimits {
    const { settings, clock } = this.deps;
    return {
      trunk,
      accountCalls: settings.callsAtOncePerAccount,
      accountPerSecond: settings.callsPerSecondPerAccount,
      dayStart: startOfDay(clock.utc(), settings.timeZone),
      dayCalls: settings.callsPerDay,
      dayCents: settings.spendCentsPerDay,
    };
  }

  async #refuse(
    order: DialOrderRow,
    event: 'refuse' | 'expire',
    end: { readonly party: string; readonly reason: string; readonly detail?: string },
  ): Promise<Look> {
    if (await this.deps.store.dialOrders.refuse(order.id, end))
      this.#tell({ ...order, state: 'ended' }, event, end.reason);
    return 'gone';
  }

  #tell(order: DialOrderRow, event: OrderEvent, reason: string | null): void {
    const { events, clock, logger, metrics } = this.deps;
    metrics.dialOrders.inc({ event, reason: reason ?? '' });
    logger.info({ order: order.id, event, reason }, 'an order was not dialled');
    const { id, accountId, state, attempt } = order;
    events.tell({ orderId: id, accountId, event, state, attempt, at: clock.utc(), ...(reason && { reason }) });
  }

  /** A database that is away makes every round fail. */
  #complain(error: unknown): void {
    const { clock, logger } = this.deps;
    if (clock.nowMs() - this.#complainedMs < COMPLAINT_EVERY_MS) return;
    this.#complainedMs = clock.nowMs();
    logger.warn({ error: errorText(error) }, 'orders could not be looked at');
  }
}

interface Taken {
  readonly order: DialOrderRow;
  readonly agent: Agent;
  readonly route: CallRoute;
  readonly sipCallId: string;
  readonly trunk: (TrunkPace & { readonly id: string }) | undefined;
}

/** What has become of an order that a dead gateway left. */
function foundAs({ state, endReason }: DialOrderRow): OrderEvent {
  if (state === 'queued') return 'hold';
  return endReason === 'cancelled' ? 'cancel' : 'interrupt';
}

/** Orders of one lane wait for one another; others pass them. */
const laneOf = ({ accountId, trunk }: DialOrderRow): string => `${accountId} ${trunk ?? ''}`;
