import { isIP } from 'node:net';
import { isLoopback } from '../core/address-filter.ts';
import { systemClock } from '../core/clock.ts';
import { OperatorError } from '../core/errors.ts';
import type { Trunk } from '../core/trunk.ts';
import type { Store } from '../store/store.ts';
import { directHosts, parseTarget, trunksForNumber } from '../trunks/call-targets.ts';
import { explainCall, sourceText } from '../trunks/explain-call.ts';
import { unwatchedHosts } from '../trunks/host-health.ts';
import { TrunkLines } from '../trunks/trunk-lines.ts';
import { TrunkRouter } from '../trunks/trunk-router.ts';
import { findAccount } from './accounts.ts';
import type { CommandContext } from './context.ts';
import { emit, facts, table } from './output.ts';

export interface RouteOptions {
  readonly from?: string; // the address that the call comes from
  readonly caller: string;
  readonly digest?: string;
  readonly out?: boolean;
  readonly account?: string;
  readonly trunk?: string;
}

/** What would become of a call. @returns whether it would be taken. */
export function routeCall(context: CommandContext, number: string, options: RouteOptions): Promise<boolean> {
  return options.out ? routeOut(context, number, options) : routeIn(context, number, options);
}

async function routeIn(context: CommandContext, number: string, options: RouteOptions): Promise<boolean> {
  const { from: address, caller, digest } = options;
  if (address === undefined || isIP(address) === 0) {
    throw new OperatorError('Say where the call comes from, as an address: --from 203.0.113.9. For a call out: --out.');
  }
  const { sip } = context.config;
  return context.withStore(async (store) => {
    const call = { number, address, caller, ...(digest !== undefined && { digest }) };
    const { sender, seen, agent, end, remedy } = await explainCall(store, sip, systemClock, call);
    const json = {
      ...{ taken: !end, source: sender === 'admitted' ? sourceText(seen.source) : null },
      ...{ called: seen.called, caller: seen.from, agent: agent?.definition.name ?? null },
      ...(end && { reason: end.reason, detail: end.detail ?? '', remedy }),
    };
    emit(context.out, json, () =>
      facts(context.out, [
        [
          'comes from',
          json.source ?? (sender === 'challenge' ? 'nobody known: it may prove who it is' : 'nobody who may call'),
        ],
        ['called', seen.called === number ? number : `${number}, which is ${seen.called} by the rules of its trunk`],
        ['caller', seen.from || 'not given'],
        end
          ? ['refused', [end.reason, end.detail].filter(Boolean).join(': ')]
          : ['answered by', `${agent!.definition.name} (${agent!.accountId})`],
        ...(remedy ? [['what helps', remedy] as const] : []),
      ]),
    );
    return !end;
  });
}

async function routeOut(context: CommandContext, target: string, options: RouteOptions): Promise<boolean> {
  return context.withStore(async (store) => {
    const { id: accountId } = await findAccount(store, options.account);
    const trunks = await store.trunks.listFor(accountId);
    const router = routerOf(context, store, trunks);
    const wish = {
      accountId,
      target,
      from: options.caller,
      ...(options.trunk !== undefined && { trunk: options.trunk }),
    };
    const route = await router.route(wish);
    const parsed = parseTarget(target);
    const { refused } =
      parsed?.kind === 'number' ? trunksForNumber(parsed.number, trunks, options.trunk) : { refused: [] };
    const isRefused = 'reason' in route;
    const attempts = isRefused
      ? []
      : route.attempts.map(({ uri, from, nextHop }) => ({ uri, from, next_hop: nextHop ?? null }));
    const passed = refused.map(({ trunk, why }) => ({ trunk: trunk.definition.name, why }));
    const json = {
      ...{ allowed: !isRefused, trunk: isRefused ? null : (route.trunk?.name ?? null), attempts, passed_over: passed },
      ...(isRefused && { reason: route.reason, detail: route.detail ?? '' }),
    };
    emit(context.out, json, () => {
      if (isRefused) facts(context.out, [['not called', [route.reason, route.detail].filter(Boolean).join(': ')]]);
      else {
        facts(context.out, [['goes by', route.trunk ? `trunk ${route.trunk.name}` : 'no trunk']]);
        table(
          context.out,
          ['try', 'request', 'from'],
          attempts.map(({ uri, from }, index) => [String(index + 1), uri, from]),
        );
      }
      if (isRefused) return;
      for (const { trunk, why } of passed) context.out.write(`not by ${trunk}: ${why}\n`);
    });
    return !isRefused;
  });
}

/** Secrets stay closed: what is shown needs none. Where phones are is known to the running gateway alone. */
function routerOf(context: CommandContext, store: Store, trunks: readonly Trunk[]): TrunkRouter {
  const { sip } = context.config;
  const isDirectHost = directHosts(sip.directHosts, isLoopback(sip.host));
  return new TrunkRouter({
    directory: { trunksFor: () => trunks, secretsOf: async () => ({}) },
    phones: store.phones,
    contacts: { contactsOf: () => [{ uri: 'wherever it is registered at the running gateway' }] },
    ...{ health: unwatchedHosts, lines: new TrunkLines(systemClock), isDirectHost, random: Math.random },
    logger: context.logger,
  });
}
