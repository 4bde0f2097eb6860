import { isLoopback } from '../core/address-filter.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { Store } from '../store/store.ts';
import { directHosts, parseTarget, trunksForNumber } from './call-targets.ts';
import { unwatchedHosts } from './host-health.ts';
import { TrunkLines } from './trunk-lines.ts';
import { TrunkRouter } from './trunk-router.ts';

export interface ExplainedCallOut {
  readonly accountId: string;
  readonly target: string;
  readonly from: string;
  readonly trunk?: string; // id or name
}

/** Which way a call out would go, or why it would not. */
export interface CallOutExplanation {
  readonly allowed: boolean;
  readonly trunk: string | null;
  readonly attempts: readonly { readonly uri: string; readonly from: string; readonly next_hop: string | null }[];
  readonly passed_over: readonly { readonly trunk: string; readonly why: string }[];
  readonly reason?: string;
  readonly detail?: string;
}

interface Deps {
  readonly store: Pick<Store, 'trunks' | 'phones'>;
  readonly sip: { readonly host: string; readonly directHosts: Parameters<typeof directHosts>[0] };
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * By the rules as they are stored. Secrets stay closed: what is shown needs none. Where phones are, and which hosts are down, is
 * known to the running gateway alone.
 */
export async function explainCallOut(deps: Deps, wish: ExplainedCallOut): Promise<CallOutExplanation> {
  const { store, sip, clock, logger } = deps;
  const trunks = await store.trunks.listFor(wish.accountId);
  const router = new TrunkRouter({
    directory: { trunksFor: () => trunks, secretsOf: async () => ({}) },
    phones: store.phones,
    contacts: { contactsOf: () => [{ uri: 'wherever it is registered at the running gateway' }] },
    ...{ health: unwatchedHosts, lines: new TrunkLines(clock), random: Math.random, logger },
    isDirectHost: directHosts(sip.directHosts, isLoopback(sip.host)),
  });
  const route = await router.route(wish);
  const parsed = parseTarget(wish.target);
  const { refused } = parsed?.kind === 'number' ? trunksForNumber(parsed.number, trunks, wish.trunk) : { refused: [] };
  const passed_over = refused.map(({ trunk, why }) => ({ trunk: trunk.definition.name, why }));
  if ('reason' in route) {
    const { reason, detail = '' } = route;
    return { allowed: false, trunk: null, attempts: [], passed_over, reason, detail };
  }
  const attempts = route.attempts.map(({ uri, from, nextHop }) => ({ uri, from, next_hop: nextHop ?? null }));
  return { allowed: true, trunk: route.trunk?.name ?? null, attempts, passed_over };
}
