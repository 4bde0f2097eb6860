import { formatNameAddr, parseNameAddr } from '../message/name-addr.ts';
import type { SipHeader } from '../message/sip-message.ts';
import { formatSipUri, parseSipUri, type SipUri } from '../message/sip-uri.ts';
import type { Flow } from '../transport/flow.ts';
import { numericTransport, TRANSPORTS } from '../transport/transports.ts';

/**
 * Our own Contact as `sips` where the other side is called by `sips` (RFC 3261 §12.1): so that nothing of the dialog comes back to
 * us unencrypted.
 *
 * @param peerUri - Request-URI or remote target.
 */
export function withSipsContact(headers: readonly SipHeader[], peerUri: string, flow: Flow): readonly SipHeader[] {
  if (!/^sips:/i.test(peerUri) || !TRANSPORTS[flow.transport].secure) return headers;
  return headers.map((header) =>
    header.name === 'Contact' ? { ...header, value: secured(header.value, flow) } : header,
  );
}

function secured(value: string, flow: Flow): string {
  const address = parseNameAddr(value);
  const uri = address ? parseSipUri(address.uri) : undefined;
  if (!address || uri?.scheme !== 'sip') return value;
  const params = new Map(uri.params);
  params.delete('transport');
  const bare: SipUri = { ...uri, scheme: 'sips', params };
  // Said by the scheme alone where that leads to the same (RFC 3261 §26.2.2).
  const secure = numericTransport(bare) === flow.transport ? bare : { ...bare, params: uri.params };
  return formatNameAddr({ ...address, uri: formatSipUri(secure) });
}
