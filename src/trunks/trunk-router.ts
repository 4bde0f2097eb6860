import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { CallRoute, CallRouter, DialAttempt, RouteOrder } from '../call/call-router.ts';
import type { DialCredentials } from '../call/dialer.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import { isInside } from '../core/guarded-request.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import { dialledNumber, rewriteNumber } from '../core/number-rules.ts';
import { hostOf, type Phone, PUBLIC_ONLY, type Trunk, type TrunkHost } from '../core/trunk.ts';
import type { TrunkSecrets } from '../store/trunks.ts';
import { type CallTarget, parseTarget, refusalsText, type TrunkCandidate, trunksForNumber } from './call-targets.ts';
import { type CallerIdentity, callerIdentity } from './caller-identity.ts';
import type { HostHealth } from './host-health.ts';
import { hostOrder } from './host-order.ts';
import type { PhoneContacts } from './phone-contacts.ts';
import type { TrunkLines } from './trunk-lines.ts';
import { headersOf } from './trunk-variables.ts';

export interface TrunkRouterDeps {
  readonly directory: {
    trunksFor(accountId: string): readonly Trunk[];
    secretsOf(trunkId: string): Promise<TrunkSecrets>;
  };
  readonly phones: { get(accountId: string, idOrName: string): Promise<Phone | undefined> };
  readonly contacts: PhoneContacts;
  readonly health: HostHealth;
  readonly lines: TrunkLines;
  /** Proxies that calls by this host of a trunk are to pass (RFC 3608). */
  readonly serviceRouteOf?: (trunkId: string, nextHop: string) => readonly string[];
  /** Hosts that a `sip:` URI may name without a trunk. */
  readonly isDirectHost: (host: string) => boolean;
  readonly random: () => number;
  readonly logger: Pick<Logger, 'error'>;
}

const freeOfCharge = (): void => undefined;

/** Where calls go: to registered phones, to hosts that the operator allows, and to numbers by trunks. */
export class TrunkRouter implements CallRouter {
  constructor(private readonly deps: TrunkRouterDeps) {}

  async route(order: RouteOrder): Promise<CallRoute | CallEnd> {
    const target = parseTarget(order.target);
    if (!target) return callEnd('gateway', 'no-such-number', sentence('end.no-target'));
    try {
      return await this.#route(order, target);
    } catch (error) {
      this.deps.logger.error({ error: errorText(error) }, 'a call could not be routed');
      const ours = error instanceof OperatorError;
      return callEnd('gateway', ours ? 'internal' : 'store-unavailable', errorText(error));
    }
  }

  #route(order: RouteOrder, target: CallTarget): CallRoute | CallEnd | Promise<CallRoute | CallEnd> {
    switch (target.kind) {
      case 'phone':
        return this.#toPhone(order, target.name);
      case 'uri':
        return this.#toHost(order, target);
      case 'number':
        return this.#byTrunk(order, target.number);
    }
  }

  async #toPhone({ accountId, from }: RouteOrder, name: string): Promise<CallRoute | CallEnd> {
    const phone = await this.deps.phones.get(accountId, name);
    if (!phone) return callEnd('gateway', 'no-such-number', sentence('end.no-phone'));
    const contacts = this.deps.contacts.contactsOf(phone.id);
    if (contacts.length === 0) return callEnd('network', 'no-answer', sentence('end.phone-away'));
    return { attempts: contacts.map((contact) => ({ ...contact, from: from || 'anonymous' })), release: freeOfCharge };
  }

  #toHost({ from }: RouteOrder, { uri, host }: Extract<CallTarget, { kind: 'uri' }>): CallRoute | CallEnd {
    if (this.deps.isDirectHost(host)) return { attempts: [{ uri, from: from || 'anonymous' }], release: freeOfCharge };
    return callEnd('gateway', 'not-allowed', sentence('end.no-direct-host'));
  }

  async #byTrunk(order: RouteOrder, number: string): Promise<CallRoute | CallEnd> {
    const trunks = this.deps.directory.trunksFor(order.accountId);
    const { candidates, refused } = trunksForNumber(number, trunks, order.trunk);
    if (candidates.length === 0) {
      return callEnd('gateway', 'not-allowed', refusalsText(refused) || sentence('end.no-trunk'));
    }
    let problem: CallEnd | undefined;
    for (const candidate of candidates) {
      const found = await this.#byCandidate(order, candidate);
      if (!('reason' in found)) return found;
      problem ??= found; // Of the one that would have been the first choice.
    }
    return problem ?? callEnd('gateway', 'internal');
  }

  async #byCandidate(order: RouteOrder, { trunk, number }: TrunkCandidate): Promise<CallRoute | CallEnd> {
    const { id, definition } = trunk;
    const { name, hosts } = definition;
    const { health, lines, random, serviceRouteOf } = this.deps;
    const alive = hostOrder(hosts, random).filter(({ uri }) => health.statusOf(id, uri).state !== 'down');
    if (alive.length === 0) return callEnd('network', 'signalling-lost', sentence('end.no-host-answers', { name }));
    const credentials = await this.#credentialsOf(trunk);
    const line = lines.takeOut(trunk);
    if (line === 'calls') return callEnd('gateway', 'busy', sentence('end.trunk-calls-out', { name }));
    if (line === 'rate') return callEnd('gateway', 'busy', sentence('end.trunk-rate-out', { name }));
    const attempts = alive.map((host) => attemptBy(trunk, host, number, order, credentials));
    const routed = attempts.map((attempt) => ({ ...attempt, route: serviceRouteOf?.(id, attempt.nextHop) ?? [] }));
    return {
      attempts: routed.map(({ route, ...attempt }) => (route.length > 0 ? { ...attempt, route } : attempt)),
      trunk: { id, name },
      release: line,
    };
  }

  async #credentialsOf({ id, definition }: Trunk): Promise<DialCredentials | undefined> {
    const { username, realm } = definition.outbound;
    if (username === undefined || realm === undefined) return undefined;
    const { password } = await this.deps.directory.secretsOf(id);
    return password === undefined ? undefined : { username, password, realm };
  }
}

/** The host of a trunk as requests are sent to it. */
export function hostUri({ uri }: TrunkHost, transport: Trunk['definition']['transport']): string {
  return /;\s*transport=/i.test(uri) ? uri : `${uri};transport=${transport}`;
}

/**
 * The host of a trunk as the gateway sends to it: what an account wrote itself may lead to the public internet alone, whatever its
 * name means by then. A host inside that is written as what it is was put there by an operator.
 */
export function hopOf({ accountId, byOperator, definition: { transport } }: Trunk, host: TrunkHost): string {
  const hop = hostUri(host, transport);
  const isTrusted = accountId === undefined || byOperator === true || isInside(hostOf(host.uri));
  return isTrusted ? hop : `${hop};${PUBLIC_ONLY}`;
}

/** A carrier that knows an account by the user of From is told it also by who does not want to be told of (RFC 3325 §7). */
function withUser(identity: CallerIdentity, fromUser: string | undefined): CallerIdentity {
  return fromUser === undefined ? identity : { from: fromUser, headers: identity.headers };
}

function attemptBy(
  trunk: Trunk,
  host: TrunkHost,
  number: string,
  { from, variables = {} }: RouteOrder,
  credentials: DialCredentials | undefined,
): DialAttempt & { readonly nextHop: string } {
  const { transport, numbersOut, outbound, callerId, headersOut, encryption, keysInClear, dtls, dtmf } =
    trunk.definition;
  const nextHop = hopOf(trunk, host);
  const hostPart = hostUri(host, transport).replace(/^sips?:(?:[^@]*@)?/i, '');
  const domain = outbound.fromDomain ?? hostPart.replace(/[;?].*$/, '').replace(/:\d+$/, '');
  const caller = dialledNumber(from);
  const shown = caller === undefined ? from : rewriteNumber(numbersOut, caller);
  const { headers, ...identity } = withUser(callerIdentity(shown, callerId, domain), outbound.fromUser);
  return {
    uri: `sip:${number.replaceAll('#', '%23')}@${hostPart}`,
    nextHop,
    ...(outbound.fromDomain !== undefined && { fromDomain: outbound.fromDomain }),
    ...identity,
    headers: { ...headersOf(headersOut, variables), ...headers },
    ...(credentials && { credentials }),
    ...{ encryption, keysInClear, dtmf },
    ...(dtls && { dtls }),
  };
}
