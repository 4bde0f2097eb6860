import { header, headers, type SipHeader, type SipRequest, type SipResponse } from '../message/sip-message.ts';

const NO_BODY = Buffer.alloc(0);

/**
 * The ACK of a refusal: same branch, Request-URI and Route as the INVITE, To of the response (RFC 3261 §17.1.1.3).
 */
export function makeHopAck(invite: SipRequest, response: SipResponse): SipRequest {
  return hopRequest('ACK', invite, header(response, 'To') ?? header(invite, 'To') ?? '', []);
}

/**
 * The CANCEL of an INVITE: same branch, Request-URI, To, Route and CSeq number (RFC 3261 §9.1).
 *
 * @param extra - headers of the application's CANCEL that travel with it (Reason, X-...).
 */
export function makeCancel(invite: SipRequest, extra: readonly SipHeader[]): SipRequest {
  return hopRequest('CANCEL', invite, header(invite, 'To') ?? '', extra);
}

function hopRequest(method: string, invite: SipRequest, to: string, extra: readonly SipHeader[]): SipRequest {
  const number = (header(invite, 'CSeq') ?? '').split(/\s+/)[0] ?? '';
  return {
    kind: 'request',
    method,
    uri: invite.uri,
    headers: [
      { name: 'Via', value: header(invite, 'Via') ?? '' },
      ...headers(invite, 'Route').map((value) => ({ name: 'Route', value })),
      { name: 'Max-Forwards', value: '70' },
      { name: 'From', value: header(invite, 'From') ?? '' },
      { name: 'To', value: to },
      { name: 'Call-ID', value: header(invite, 'Call-ID') ?? '' },
      { name: 'CSeq', value: `${number} ${method}` },
      ...extra,
    ],
    body: NO_BODY,
  };
}
