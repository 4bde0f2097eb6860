import { createHash } from 'node:crypto';
import type { CallEnd } from '../call/call-end.ts';
import type { RouteOrder } from '../call/call-router.ts';
import type { Agent } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { newId } from '../core/ids.ts';
import { sentence } from '../core/notice.ts';
import { isTimeZone } from '../core/time-zone.ts';
import type { DialOrderRow } from '../store/dial-order-rows.ts';
import type { OnMachine } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { ATTEMPTS_MAX, RETRY_CAUSES, type RetrySeconds } from './attempt-outcome.ts';
import { nextCallingTime, startOfDay } from './calling-hours.ts';
import { canonicalNumber, type DialTarget, dialTarget } from './dialled-number.ts';
import { type OutboundSettings, RING_SECONDS_MAX } from './outbound-settings.ts';
import { timeZoneOf } from './time-zones.ts';

/** A call that somebody wants an agent to make. `to`, `from`, `variables` and `message` are personal data. */
export interface DialRequest {
  readonly accountId: string;
  readonly agent: string; // id or name
  readonly to: string;
  /** The caller's number; the agent's own where it is left out. */
  readonly from?: string;
  /** Id or name; whichever may take it where it is left out. */
  readonly trunk?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly maxRingSeconds?: number;
  readonly startsAt?: Date;
  readonly timeZone?: string; // of whoever is called; by the number where it is left out
  readonly machine?: { readonly detect: boolean; readonly onMachine?: Exclude<OnMachine, 'undetected'> };
  readonly message?: string; // for a machine; the agent's greeting where it is left out
  readonly retrySeconds?: Partial<RetrySeconds>;
  /** A second order of the same key is the first one. */
  readonly idempotencyKey?: string;
}

export type DialRefusalReason =
  | 'no-such-agent'
  | 'agent-not-live'
  | 'bad-number'
  | 'bad-caller-id'
  | 'bad-variables'
  | 'bad-time'
  | 'bad-time-zone'
  | 'bad-ring-time'
  | 'bad-retries'
  | 'bad-key'
  | 'bad-text'
  | 'key-reused'
  | 'outside-calling-hours'
  | 'do-not-call'
  | 'not-allowed'
  | 'no-credit'
  | 'daily-calls'
  | 'daily-spend'
  | 'too-many-queued';

/** Why a call is not made: a stable reason, and a sentence for a person. */
export interface DialRefusal {
  readonly reason: DialRefusalReason;
  readonly text: string;
}
export type Placed = { readonly order: DialOrderRow; readonly isNew: boolean } | { readonly refusal: DialRefusal };

export interface DialDeskDeps {
  readonly store: Store;
  readonly settings: OutboundSettings;
  readonly clock: Clock;
  readonly firstMinuteCents: number;
  /** Whether the number may be called by a trunk, where whoever asks can know; the gateway asks again before it dials. */
  readonly mayCall?: (order: RouteOrder) => Promise<CallEnd | undefined>;
}

const VARIABLES_MAX = 64;
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u;
const VALUE_CHARACTERS_MAX = 2_000;
const MESSAGE_CHARACTERS_MAX = 1_000;
const KEY_CHARACTERS_MAX = 200;
/** What the database has no place for: the character 0, and halves of surrogate pairs. */
const UNSTORABLE = /[\0\p{Cs}]/u;
const RETRY_SECONDS_MAX = 7 * 86_400;
const HOUR_MS = 3_600_000;
/** Beyond this the database has no room. */
const STARTS_BEFORE_MS = Date.UTC(9999, 0);

const refusal = (reason: DialRefusalReason, text: string): { readonly refusal: DialRefusal } => ({
  refusal: { reason, text },
});

/**
 * Where calls out are ordered: by the command line, by the API, by whatever else runs on the database. It refuses what may not
 * be, and writes the rest down; a gateway finds it there.
 */
export class DialDesk {
  constructor(private readonly deps: DialDeskDeps) {}

  /** @returns the order, or why there is none. Rejects where the database does. */
  async place(request: DialRequest): Promise<Placed> {
    const { store, settings } = this.deps;
    if (!isStorable(request)) return refusal('bad-text', sentence('order.unstorable'));
    const hash = sha256Of(request);
    const { accountId, idempotencyKey: key } = request;
    if (key !== undefined && (key === '' || key.length > KEY_CHARACTERS_MAX)) {
      return refusal('bad-key', sentence('order.key-length', { max: KEY_CHARACTERS_MAX }));
    }
    const before = key === undefined ? undefined : await store.dialOrders.byKey(accountId, key);
    if (before) return sameOrder(before, hash);
    const wrong = wrongForm(request);
    if (wrong) return { refusal: wrong };
    const to = dialTarget(request.to, settings.countryCode);
    if (!to) return refusal('bad-number', sentence('order.no-number'));
    const agent = await this.#agent(request);
    if (!agent) return refusal('no-such-agent', `No agent ${request.agent}.`);
    if (agent.status !== 'live') return refusal('agent-not-live', sentence('order.agent-not-live'));
    const from = await this.#callerId(request, agent);
    if (typeof from !== 'string') return { refusal: from };
    const when = this.#when(request, to);
    if ('reason' in when) return { refusal: when };
    const limit = await this.#limit(request, to, from);
    if (limit) return { refusal: limit };
    const detect = request.machine?.detect ?? false;
    const placed = await store.dialOrders.insert({
      ...{ id: newId('ord'), accountId, agentId: agent.id, target: to.target, from, trunk: request.trunk ?? null },
      ...{ variables: request.variables ?? {}, message: request.message ?? null },
      maxRingSeconds: request.maxRingSeconds ?? settings.maxRingSeconds,
      onMachine: detect ? (request.machine?.onMachine ?? 'hangup') : 'undetected',
      retrySeconds: { ...settings.retrySeconds, ...request.retrySeconds },
      ...{ ...when, idempotencyKey: key ?? null, requestSha256: hash },
    });
    return placed.isNew ? placed : sameOrder(placed.order, hash);
  }

  /** A number as lists of numbers know it; undefined of what is none. */
  numberOf(written: string): string | undefined {
    return canonicalNumber(written.trim(), this.deps.settings.countryCode);
  }

  /** @returns the order as it is then; undefined where the account has none of that id. */
  cancel(id: string, accountId?: string): Promise<DialOrderRow | undefined> {
    return this.deps.store.dialOrders.cancel(id, accountId);
  }

  async #agent({ accountId, agent }: DialRequest): Promise<Agent | undefined> {
    const { agents } = this.deps.store;
    return (await agents.get(accountId, agent)) ?? (await agents.getByName(accountId, agent));
  }

  /** A number of the account: whoever calls back reaches it, and nobody calls in another's name. */
  async #callerId({ accountId, from }: DialRequest, agent: Agent): Promise<string | DialRefusal> {
    const { store, settings } = this.deps;
    const numbers = await store.numbers.list(accountId);
    if (from === undefined) {
      const own = numbers.find(({ agentId, enabled }) => agentId === agent.id && enabled)?.number;
      return own ?? { reason: 'bad-caller-id', text: sentence('order.no-number-on') };
    }
    const number = dialTarget(from, settings.countryCode)?.number;
    if (number === undefined) return { reason: 'bad-caller-id', text: sentence('order.caller-no-number') };
    const known = numbers.find((one) => dialTarget(one.number, settings.countryCode)?.number === number);
    if (known?.enabled === false) return { reason: 'bad-caller-id', text: sentence('order.caller-off') };
    if (known || settings.anyCallerId) return known?.number ?? number;
    return { reason: 'bad-caller-id', text: sentence('order.caller-elsewhere') };
  }

  /** When it may be dialled first, and when not any more. */
  #when(
    { startsAt, timeZone }: DialRequest,
    { number }: DialTarget,
  ): { readonly timeZone: string | null; readonly nextAt: Date; readonly expiresAt: Date } | DialRefusal {
    const { clock, settings } = this.deps;
    const now = clock.utc();
    const wished = startsAt && startsAt > now ? startsAt : now;
    const expiresAt = new Date(wished.getTime() + settings.expireHours * HOUR_MS);
    if (!number?.startsWith('+')) return { timeZone: timeZone ?? null, nextAt: wished, expiresAt };
    const zone = timeZone ?? timeZoneOf(number) ?? settings.timeZone;
    const nextAt = nextCallingTime(wished, zone, settings.callingHours);
    if (nextAt && nextAt < expiresAt) return { timeZone: zone, nextAt, expiresAt };
    const text = sentence('order.no-calling-hour', { hours: settings.expireHours });
    return { reason: 'outside-calling-hours', text };
  }

  async #limit({ accountId, trunk }: DialRequest, to: DialTarget, from: string): Promise<DialRefusal | undefined> {
    const { store, settings, clock, firstMinuteCents, mayCall } = this.deps;
    if (to.number !== undefined && (await store.doNotCall.has(to.number, accountId))) {
      return { reason: 'do-not-call', text: sentence('order.do-not-call') };
    }
    const end = await mayCall?.({ accountId, target: to.target, from, ...(trunk !== undefined && { trunk }) });
    if (end) return { reason: 'not-allowed', text: sentence('order.not-allowed', { why: end.detail ?? end.reason }) };
    const balance = await store.charges.balance(accountId);
    if ((balance?.availableCents ?? 0) < firstMinuteCents) {
      return { reason: 'no-credit', text: sentence('order.no-credit') };
    }
    const own = await store.bookings.refusal(accountId);
    if (own === 'calls-a-day') return { reason: 'daily-calls', text: sentence('order.calls-of-today') };
    if (own === 'spend-a-day') return { reason: 'daily-spend', text: sentence('order.spent-of-today') };
    const usage = await store.dialOrders.usage(accountId, startOfDay(clock.utc(), settings.timeZone));
    if (usage.callsToday >= settings.callsPerDay) {
      return { reason: 'daily-calls', text: sentence('order.calls-of-today-max', { calls: settings.callsPerDay }) };
    }
    if (usage.centsToday >= settings.spendCentsPerDay) {
      return {
        reason: 'daily-spend',
        text: sentence('order.spent-of-today-max', { cents: settings.spendCentsPerDay }),
      };
    }
    if (usage.queued < settings.queuedMax) return undefined;
    return { reason: 'too-many-queued', text: sentence('order.too-many-wait', { calls: usage.queued }) };
  }
}

function wrongForm(request: DialRequest): DialRefusal | undefined {
  const { maxRingSeconds: ring, startsAt, timeZone, variables = {}, message = '', retrySeconds = {} } = request;
  if (ring !== undefined && !(Number.isInteger(ring) && ring >= 1 && ring <= RING_SECONDS_MAX)) {
    return { reason: 'bad-ring-time', text: sentence('order.ring-time', { seconds: RING_SECONDS_MAX }) };
  }
  if (startsAt && !(startsAt.getTime() < STARTS_BEFORE_MS)) {
    return { reason: 'bad-time', text: sentence('order.no-moment') };
  }
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    return { reason: 'bad-time-zone', text: sentence('order.no-time-zone') };
  }
  const entries = Object.entries(variables);
  const fits = ([name, value]: [string, string]): boolean =>
    NAME.test(name) && typeof value === 'string' && value.length <= VALUE_CHARACTERS_MAX;
  if (entries.length > VARIABLES_MAX || !entries.every(fits) || message.length > MESSAGE_CHARACTERS_MAX) {
    return { reason: 'bad-variables', text: sentence('order.variables') };
  }
  const waits = RETRY_CAUSES.flatMap((cause) => retrySeconds[cause] ?? []);
  const lengths = RETRY_CAUSES.every((cause) => (retrySeconds[cause]?.length ?? 0) < ATTEMPTS_MAX);
  if (lengths && waits.every((wait) => Number.isInteger(wait) && wait >= 1 && wait <= RETRY_SECONDS_MAX))
    return undefined;
  return { reason: 'bad-retries', text: sentence('order.retries', { max: ATTEMPTS_MAX }) };
}

function isStorable({ variables = {}, ...request }: DialRequest): boolean {
  const texts: readonly unknown[] = [...Object.values(request), ...Object.entries(variables).flat()];
  return texts.every((text) => typeof text !== 'string' || !UNSTORABLE.test(text));
}

function sameOrder(order: DialOrderRow, hash: Buffer): Placed {
  if (order.requestSha256.equals(hash)) return { order, isNew: false };
  return refusal('key-reused', sentence('order.key-reused'));
}

/** The same request has the same hash, in whatever order it was written. */
function sha256Of({ idempotencyKey: _, ...request }: DialRequest): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(sorted(request)))
    .digest();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]));
}
