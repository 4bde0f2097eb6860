import { hostKey, isNumericHost } from '../message/host-port.ts';
import { parseNameAddr } from '../message/name-addr.ts';
import { parseSipUri, type SipUri } from '../message/sip-uri.ts';
import type { Flow } from '../transport/flow.ts';
import { numericTransport, portOr } from '../transport/transports.ts';

/** What the choice depends on; `Dialog` has it all. */
export interface RoutedDialog {
  readonly routeSet: readonly string[];
  readonly remoteTarget: string;
  readonly flow: Flow;
  /** The peer asked for `rport`: it listens where it sends from (RFC 3581). */
  readonly peerIsSymmetric: boolean;
}

/**
 * Where a request inside the dialog goes: on the flow the peer was heard on, or to a URI that must be resolved.
 *
 * With a route set, its first route decides (RFC 3261 §12.2.1.1). Without one, the remote target decides, except behind
 * NAT: a Contact with another address than the peer's messages come from cannot be reached, so the source is used.
 */
export function dialogHop(dialog: RoutedDialog): { readonly flow: Flow } | { readonly uri: string } {
  const { flow } = dialog;
  const [route] = dialog.routeSet;
  if (route !== undefined) {
    const uri = parseNameAddr(route)?.uri ?? '';
    const parsed = parseSipUri(uri);
    return !flow.closed && parsed && leadsTo(parsed, flow) ? { flow } : { uri };
  }
  const target = parseSipUri(dialog.remoteTarget);
  if (flow.closed) return { uri: dialog.remoteTarget };
  if (!target || !isNumericHost(target.host)) return { flow };
  if (hostKey(target.host) !== hostKey(flow.remoteAddress)) return { flow };
  if (flow.reliable || dialog.peerIsSymmetric || leadsTo(target, flow)) return { flow };
  return { uri: dialog.remoteTarget };
}

function leadsTo(uri: SipUri, flow: Flow): boolean {
  const transport = numericTransport(uri);
  if (transport !== flow.transport || hostKey(uri.host) !== hostKey(flow.remoteAddress)) return false;
  // The peer of a connection has a passing port; the connection is the way all the same (RFC 5923 in spirit).
  return flow.reliable || portOr(uri.port, transport) === flow.remotePort;
}
