import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { RouteOrder } from '../call/call-router.ts';
import { sentence } from '../core/notice.ts';
import type { TrunkRows } from '../store/trunks.ts';
import { refusalsText, trunksForNumber } from './call-targets.ts';

/** Whether some trunk may take a number, as far as the rows tell: why not, or undefined. Other targets are the gateway's to judge. */
export function mayCallBy(
  trunks: Pick<TrunkRows, 'listFor'>,
): (order: Pick<RouteOrder, 'accountId' | 'target' | 'trunk'>) => Promise<CallEnd | undefined> {
  return async ({ accountId, target, trunk }) => {
    if (!/^[+\d]/.test(target)) return undefined;
    const { candidates, refused } = trunksForNumber(target, await trunks.listFor(accountId), trunk);
    if (candidates.length > 0) return undefined;
    return callEnd('gateway', 'not-allowed', refusalsText(refused) || sentence('end.no-such-trunk'));
  };
}
