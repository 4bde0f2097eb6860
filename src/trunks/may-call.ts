import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { RouteOrder } from '../call/call-router.ts';
import type { TrunkRows } from '../store/trunks.ts';
import { trunksForNumber } from './call-targets.ts';

/** Whether some trunk may take a number, as far as the rows tell: why not, or undefined. Other targets are the gateway's to judge. */
export function mayCallBy(
  trunks: Pick<TrunkRows, 'listFor'>,
): (order: Pick<RouteOrder, 'accountId' | 'target' | 'trunk'>) => Promise<CallEnd | undefined> {
  return async ({ accountId, target, trunk }) => {
    if (!/^[+\d]/.test(target)) return undefined;
    const { candidates, refused } = trunksForNumber(target, await trunks.listFor(accountId), trunk);
    if (candidates.length > 0) return undefined;
    const why = refused.map(({ trunk: one, why: reason }) => `${one.definition.name}: ${reason}`).join('; ');
    return callEnd('gateway', 'not-allowed', why || 'there is no such trunk');
  };
}
