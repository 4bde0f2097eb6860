import type { Clock } from '../core/clock.ts';
import { PUBLIC_ONLY } from '../core/trunk.ts';
import type { SipServerOptions } from '../sip/server.ts';
import { leadInside } from '../sip-server/dialog/hop-finder.ts';
import { formatHostPort } from '../sip-server/message/host-port.ts';
import type { TargetResolver } from '../sip-server/transport/resolve-target.ts';
import { TRANSPORTS } from '../sip-server/transport/transports.ts';

/**
 * What a next hop is for a SIP server that is elsewhere, and judges nothing: one that may be public alone is looked up here, and told as
 * the first address that was looked at. By TLS its name stays, which the certificate must be for: the server looks it up again.
 */
export function publicHops(
  resolver: Pick<TargetResolver, 'resolve'>,
  clock: Clock,
): NonNullable<SipServerOptions['hopFor']> {
  return async (nextHop) => {
    if (!MARK.test(nextHop)) return { hop: nextHop };
    const enough = new AbortController();
    const timer = clock.setTimer(RESOLVED_WITHIN_MS, () => enough.abort());
    const targets = await resolver.resolve(nextHop, enough.signal);
    clock.clearTimer(timer);
    const [first] = targets;
    if (!first) return { failed: 'unreachable' };
    if (leadInside(targets)) return { failed: 'not-public' };
    if (TRANSPORTS[first.transport].secure) return { hop: nextHop.replace(MARK, '') };
    const { transport, address, port } = first;
    return { hop: `sip:${formatHostPort(address, port)};transport=${TRANSPORTS[transport].uriName}` };
  };
}

const RESOLVED_WITHIN_MS = 3_000;
const MARK = new RegExp(`;${PUBLIC_ONLY}(=[^;]*)?(?=;|$)`, 'i');
