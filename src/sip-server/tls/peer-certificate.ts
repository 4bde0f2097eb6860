import type { SipHeader, SipRequest } from '../message/sip-message.ts';

/**
 * Tells the application which names the certificate of a request's sender has (RFC 5922 §7.1), checked up to an authority that
 * we believe. It exists between this server and its application only: what came from outside under this name is thrown away,
 * so that nobody but a certificate can say it.
 */
export const PEER_CERTIFICATE_HEADER = 'Nidaa-Peer-Certificate';
const NAME = PEER_CERTIFICATE_HEADER.toLowerCase();

/** The request with exactly what is known of its sender. */
export function withPeerCertificate(request: SipRequest, names: readonly string[]): SipRequest {
  const isForged = ({ name }: SipHeader): boolean => name.toLowerCase() === NAME;
  if (names.length === 0 && !request.headers.some(isForged)) return request;
  const own = names.length === 0 ? [] : [{ name: PEER_CERTIFICATE_HEADER, value: names.join(', ') }];
  return { ...request, headers: [...request.headers.filter((header) => !isForged(header)), ...own] };
}
