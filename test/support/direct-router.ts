import { callEnd } from '../../src/call/call-end.ts';
import type { CallRoute, CallRouter, RouteOrder } from '../../src/call/call-router.ts';

/** What can be dialled without a trunk. */
const DIALLABLE = /^sip:/i;

/** Dials SIP addresses as they are, and nothing else: a number needs a trunk. */
export const DIRECT_ROUTER: CallRouter = {
  route: async ({ target, from }: RouteOrder) => {
    if (!DIALLABLE.test(target)) return callEnd('gateway', 'no-such-number', 'a number needs a trunk');
    const route: CallRoute = { attempts: [{ uri: target, from }], release: () => undefined };
    return route;
  },
};
