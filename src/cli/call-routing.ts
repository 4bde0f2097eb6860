import { isIP } from 'node:net';
import { OperatorError } from '../core/errors.ts';
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
  return context.withDesk(async ({ routing }) => {
    const call = { number, address, caller, ...(digest !== undefined && { digest }) };
    const { sender, account_id, reason, detail, remedy, ...seen } = await routing.in(call);
    const json = { ...seen, ...(reason !== null && { reason, detail, remedy }) };
    emit(context.out, json, () =>
      facts(context.out, [
        [
          'comes from',
          seen.source ?? (sender === 'challenge' ? 'nobody known: it may prove who it is' : 'nobody who may call'),
        ],
        ['called', seen.called === number ? number : `${number}, which is ${seen.called} by the rules of its trunk`],
        ['caller', seen.caller || 'not given'],
        reason !== null
          ? ['refused', [reason, detail].filter(Boolean).join(': ')]
          : ['answered by', `${seen.agent} (${account_id})`],
        ...(remedy ? [['what helps', remedy] as const] : []),
      ]),
    );
    return seen.taken;
  });
}

async function routeOut(context: CommandContext, target: string, options: RouteOptions): Promise<boolean> {
  return context.withDesk(async (desk) => {
    const { id: accountId } = await findAccount(desk, options.account);
    const { trunk } = options;
    const way = await desk.routing.out({
      ...{ accountId, target, from: options.caller },
      ...(trunk !== undefined && { trunk }),
    });
    emit(context.out, way, () => {
      if (!way.allowed)
        return facts(context.out, [['not called', [way.reason, way.detail].filter(Boolean).join(': ')]]);
      facts(context.out, [['goes by', way.trunk === null ? 'no trunk' : `trunk ${way.trunk}`]]);
      table(
        context.out,
        ['try', 'request', 'from'],
        way.attempts.map(({ uri, from }, index) => [String(index + 1), uri, from]),
      );
      for (const { trunk: other, why } of way.passed_over) context.out.write(`not by ${other}: ${why}\n`);
    });
    return way.allowed;
  });
}
