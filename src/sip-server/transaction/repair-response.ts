import { withHeader } from '../message/build-message.ts';
import { parseNameAddr } from '../message/name-addr.ts';
import { header, type SipResponse } from '../message/sip-message.ts';

/**
 * The response with its To readable, where all that is wrong with it is a second tag: servers that add their tag to
 * every answer do that inside dialogs. The first tag is the one we sent. Anything else comes back as it is.
 */
export function repairedResponse(response: SipResponse): SipResponse {
  const to = header(response, 'To');
  if (to === undefined || parseNameAddr(to) !== undefined) return response;
  const second = to.lastIndexOf(';tag=');
  const once = to.slice(0, second);
  if (second < 0 || !once.includes(';tag=') || parseNameAddr(once) === undefined) return response;
  return withHeader(response, 'To', once);
}
