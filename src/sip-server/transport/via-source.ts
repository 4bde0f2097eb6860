import { hostKey, sameHost } from '../message/host-port.ts';
import type { SipRequest } from '../message/sip-message.ts';
import { formatVia, parseVia, type Via, withViaParam } from '../message/via.ts';
import type { Flow } from './flow.ts';
import { portOr } from './transports.ts';

/**
 * The request with `received` and `rport` of its top Via saying where it really came from (RFC 3261 §18.2.1, RFC 3581 §4).
 * What the sender wrote there itself is replaced. A request whose top Via cannot be read comes back as it is.
 */
export function markSource(request: SipRequest, address: string, port: number): SipRequest {
  const at = request.headers.findIndex((h) => h.name === 'Via');
  const via = parseVia(request.headers[at]?.value ?? '');
  if (!via) return request;
  const value = formatVia(markVia(via, hostKey(address), port));
  return { ...request, headers: request.headers.with(at, { name: 'Via', value }) };
}

function markVia(via: Via, address: string, port: number): Via {
  // With rport asked for, `received` is set even where it says nothing new (RFC 3581 §4).
  if (via.rport !== undefined) return withViaParam(withViaParam(via, 'received', address), 'rport', String(port));
  return withViaParam(via, 'received', sameHost(via.host, address) ? undefined : address);
}

/**
 * The port an answer without a connection goes to. With `rport`, or from behind NAT (the sender does not know its own address), it is the
 * source port. Otherwise it is the one in the Via (RFC 3261 §18.2.2): some phones send from one port and listen on another.
 */
export function answerPort(
  request: SipRequest,
  flow: Pick<Flow, 'transport' | 'remoteAddress' | 'remotePort'>,
): number {
  const via = parseVia(request.headers.find((h) => h.name === 'Via')?.value ?? '');
  if (!via || via.rport !== undefined || !sameHost(via.host, flow.remoteAddress)) return flow.remotePort;
  return portOr(via.port, flow.transport);
}
