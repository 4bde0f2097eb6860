import { PEER_CERTIFICATE_HEADER } from '../../core/peer-certificate.ts';
import type { SipHeader, SipRequest } from '../message/sip-message.ts';

const NAME = PEER_CERTIFICATE_HEADER.toLowerCase();

/** The request with exactly what is known of its sender: what came from outside under this name is thrown away. */
export function withPeerCertificate(request: SipRequest, names: readonly string[]): SipRequest {
  const isForged = ({ name }: SipHeader): boolean => name.toLowerCase() === NAME;
  if (names.length === 0 && !request.headers.some(isForged)) return request;
  const own = names.length === 0 ? [] : [{ name: PEER_CERTIFICATE_HEADER, value: names.join(', ') }];
  return { ...request, headers: [...request.headers.filter((header) => !isForged(header)), ...own] };
}
