import type { MessageCore } from './message-core.ts';

const COOKIE = 'z9hG4bK';

/**
 * The server transaction a request belongs to (RFC 3261 §17.2.3): branch, sent-by and method, an ACK counting as its
 * INVITE. A branch without the magic cookie comes from an RFC 2543 client, which has no unique branch: there the
 * Request-URI, tags, Call-ID, CSeq number and top Via decide.
 *
 * @param method - the method to look for: `INVITE` finds what a CANCEL wants to cancel.
 */
export function serverKey(core: MessageCore, uri: string, method: string): string {
  const counted = method === 'ACK' ? 'INVITE' : method;
  if (isCookieBranch(core.branch)) return `${core.branch} ${core.sentBy} ${counted}`;
  return `2543 ${uri} ${core.fromTag} ${core.callId} ${core.cseq} ${core.sentBy} ${core.branch} ${counted}`;
}

/** The client transaction a response belongs to (§17.1.3). Branches are ours, so they always carry the cookie. */
export function clientKey(branch: string, cseqMethod: string): string {
  return `${branch} ${cseqMethod}`;
}

/** What two copies of one request share that came by different ways (§8.2.2.2): a merged request. */
export function mergeKey(core: MessageCore): string {
  return `${core.callId} ${core.fromTag} ${core.cseq} ${core.cseqMethod}`;
}

export function isCookieBranch(branch: string): boolean {
  return branch.startsWith(COOKIE) && branch.length > COOKIE.length;
}
