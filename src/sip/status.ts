import { type CallEnd, type CallEndReason, callEnd } from '../call/call-end.ts';
import { sentence } from '../core/notice.ts';
import type { HostProblem } from '../core/trunk-status.ts';
import type { OfferRefusal } from './stream-choice.ts';

/** How one reason reads on the wire: as the refusal of an INVITE, and as the `Reason` of a BYE. */
interface EndRow {
  readonly status: number;
  /** Q.850 cause; no two reasons share both status and cause, so that the pair tells them apart again. */
  readonly cause: number;
  readonly text: string; // what a person at the other side can act on
  readonly warning?: OfferRefusal['warning'];
  readonly retryAfterS?: number;
}

/** @see RFC 3261 §20.43 Warning, §21 codes; RFC 3326 and RFC 6432 Reason; ITU-T Q.850 causes */
export const END_ROWS: Readonly<Record<CallEndReason, EndRow>> = {
  'no-such-number': { status: 404, cause: 1, text: 'No agent answers this number' },
  'agent-not-live': { status: 480, cause: 20, text: 'The agent of this number is not live: publish it first' },
  'switched-off': { status: 480, cause: 27, text: 'The trunk or number is switched off' },
  'no-credit': { status: 402, cause: 21, text: 'The account has no credit left: top up to take calls' },
  'account-limit': {
    status: 480,
    cause: 42,
    text: 'The account takes no more calls now: a limit of its own is reached',
  },
  'no-codec': { status: 488, cause: 65, text: 'No common codec: offer PCMU, PCMA or G722', warning: 305 },
  'bad-offer': { status: 488, cause: 95, text: 'The session description was not acceptable', warning: 399 },
  'no-engine': { status: 503, cause: 47, text: 'No speech engine is ready', retryAfterS: 10 },
  busy: { status: 503, cause: 42, text: 'All lines of this gateway are in use', retryAfterS: 5 },
  'no-answer': { status: 408, cause: 19, text: 'Nobody answered' },
  draining: { status: 503, cause: 41, text: 'The gateway is going down for maintenance', retryAfterS: 60 },
  'store-unavailable': { status: 503, cause: 38, text: 'The account cannot be checked right now', retryAfterS: 10 },
  'certificate-refused': { status: 503, cause: 58, text: 'The certificate of the other side was refused' },
  'not-allowed': { status: 403, cause: 57, text: 'This source may not call this gateway: ask for it to be allowed' },
  cancelled: { status: 487, cause: 31, text: 'The call was cancelled' },
  'caller-hangup': { status: 487, cause: 16, text: 'The caller hung up' },
  'callee-hangup': { status: 480, cause: 16, text: 'The other party hung up' },
  'agent-hangup': { status: 603, cause: 16, text: 'The agent ended the call' },
  transferred: { status: 603, cause: 31, text: 'The call was transferred' },
  'answering-machine': { status: 480, cause: 31, text: 'An answering machine took the call' },
  'no-input': { status: 480, cause: 19, text: 'Nothing was heard from the caller' },
  'max-duration': { status: 603, cause: 102, text: 'The call reached its maximum length' },
  'credit-exhausted': { status: 402, cause: 50, text: 'The credit of the account ran out during the call' },
  'media-timeout': { status: 500, cause: 102, text: 'No audio arrived from the caller' },
  'ack-timeout': { status: 408, cause: 102, text: 'No ACK arrived for the answer' },
  'session-expired': { status: 408, cause: 31, text: 'The session timer ran out' },
  'media-failed': { status: 500, cause: 47, text: 'The media path failed' },
  'engine-failed': { status: 500, cause: 38, text: 'The speech engine failed' },
  'signalling-lost': { status: 500, cause: 27, text: 'The signalling connection was lost' },
  shutdown: { status: 503, cause: 27, text: 'The gateway is shutting down', retryAfterS: 60 },
  interrupted: { status: 500, cause: 41, text: 'The call was interrupted by a restart' },
  internal: { status: 500, cause: 111, text: 'Something went wrong in the gateway' },
};

/** A refusal ready to be sent. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const WARN_AGENT = 'nidaa';

/** The refusal of an unanswered INVITE for `end`, with `Reason`, `Warning` and where it helps `Retry-After`. */
export function refusalOf(end: CallEnd): Refusal {
  const row = END_ROWS[end.reason];
  return buildRefusal(row, row.status, row.warning ?? 399, row.text);
}

/** The refusal of an offer, more exact than its `CallEnd`: 400 for what cannot be read, else 488 (RFC 3261 §21.4.26). */
export function refusalOfOffer(refused: OfferRefusal): Refusal & { readonly end: CallEnd } {
  const reason = REASON_OF_KIND[refused.kind];
  const row = END_ROWS[reason];
  const status = refused.kind === 'malformed' ? 400 : row.status;
  return {
    ...buildRefusal(row, status, refused.warning, refused.text),
    end: callEnd(reason === 'media-failed' || reason === 'no-engine' ? 'gateway' : 'caller', reason, refused.text),
  };
}

const REASON_OF_KIND = {
  malformed: 'bad-offer',
  unacceptable: 'bad-offer',
  'no-codec': 'no-codec',
  failed: 'media-failed',
  away: 'no-engine',
} as const satisfies Record<OfferRefusal['kind'], CallEndReason>;

function buildRefusal(row: EndRow, status: number, warning: number, text: string): Refusal {
  return {
    status,
    headers: {
      Reason: `Q.850;cause=${row.cause};text="${headerText(row.text)}"`,
      Warning: `${warning} ${WARN_AGENT} "${headerText(text)}"`,
      ...(row.retryAfterS === undefined ? {} : { 'Retry-After': String(row.retryAfterS) }),
    },
  };
}

/** The headers of a BYE that ends a call for `end` (RFC 3326). */
export function byeHeadersOf(end: CallEnd): Record<string, string> {
  const row = END_ROWS[end.reason];
  return { Reason: `Q.850;cause=${row.cause};text="${headerText(row.text)}"` };
}

/** Reasons by `status cause`, for the way back. */
const REASON_BY_PAIR = new Map(
  Object.entries(END_ROWS).map(([reason, row]) => [`${row.status} ${row.cause}`, reason as CallEndReason]),
);
/** What a refusal without a cause of ours means, by status; anything else by its class. */
const REASON_BY_STATUS: Readonly<Record<number, CallEndReason>> = {
  400: 'bad-offer',
  401: 'not-allowed',
  402: 'no-credit',
  403: 'not-allowed',
  404: 'no-such-number',
  406: 'bad-offer',
  407: 'not-allowed',
  408: 'signalling-lost',
  410: 'no-such-number',
  415: 'bad-offer',
  480: 'no-answer',
  484: 'no-such-number',
  486: 'busy',
  487: 'cancelled',
  488: 'no-codec',
  503: 'busy',
  600: 'busy',
  603: 'not-allowed',
  604: 'no-such-number',
  606: 'no-codec',
};

/**
 * Why our own INVITE was refused.
 *
 * @param reasonHeader - the `Reason` of the response, any content.
 * @returns what `refusalOf` was given where the other side is a gateway like this one, else the nearest reason.
 */
export function endOfRefusal(status: number, phrase: string, reasonHeader: string | undefined): CallEnd {
  const cause = reasonHeader === undefined ? undefined : parseReason(reasonHeader).q850Cause;
  const exact = cause === undefined ? undefined : REASON_BY_PAIR.get(`${status === 400 ? 488 : status} ${cause}`);
  const reason =
    exact ?? REASON_BY_STATUS[status] ?? (status >= 500 && status < 600 ? 'signalling-lost' : 'not-allowed');
  return callEnd('network', reason, headerText(`${status} ${phrase}`));
}

/** The code of a certificate that was not taken, where that is why a request never left: the embedded SIP server says so. */
export const distrustIn = (text: string): string | undefined =>
  /^certificate refused: ([A-Z0-9_]{1,64})$/.exec(text)?.[1];

/** Whether a request never left because it may go to the public internet alone, and its next hop leads elsewhere. */
export const isNotPublic = (text: string): boolean => text === 'next hop is not public';

/** Why our own INVITE never left, as the SIP server put it. */
export function endOfFailure(text: string): CallEnd {
  if (isNotPublic(text)) return endOfProblem('not-public');
  const distrust = distrustIn(text);
  return distrust ? callEnd('network', 'certificate-refused', distrust) : callEnd('network', 'signalling-lost', text);
}

/** Why our own INVITE was not even given to the SIP server. */
export function endOfProblem(problem: HostProblem): CallEnd {
  if (problem === 'not-public') return callEnd('gateway', 'not-allowed', sentence('end.host-not-public'));
  const isPlain = problem === 'silent' || problem === 'unreachable';
  return callEnd('network', 'signalling-lost', isPlain ? sentence(`end.host-is-${problem}`) : problem);
}

/** Texts with which the signalling layer ends a call by itself. */
const UNSOLICITED: readonly (readonly [RegExp, CallEnd['party'], CallEndReason])[] = [
  [/cancel/i, 'caller', 'cancelled'], // before `ack timeout`: "ACK-BYE due to cancel race condition"
  [/ack timeout/i, 'network', 'ack-timeout'],
  [/session timer/i, 'network', 'session-expired'],
];

/** Why a call ended by a BYE that came up: the caller's, or one the signalling layer sent by itself. */
export function endOfBye(reasonHeader: string | undefined, unsolicited: boolean): CallEnd {
  const text = reasonHeader === undefined ? '' : headerText(parseReason(reasonHeader).text ?? '');
  const isOwnWord = text === END_ROWS['caller-hangup'].text; // a gateway like this one says nothing beyond the reason
  if (!unsolicited) return callEnd('caller', 'caller-hangup', ...(text && !isOwnWord ? [text] : []));
  const known = UNSOLICITED.find(([pattern]) => pattern.test(text));
  return known ? callEnd(known[1], known[2], text) : callEnd('network', 'signalling-lost', ...(text ? [text] : []));
}

const REASON_BY_TEXT = new Map(Object.entries(END_ROWS).map(([reason, { text }]) => [text, reason as CallEndReason]));

/** What the text in a `Reason` means where the other side is a gateway like this one; undefined for anybody else's words. */
export function statedReason(text: string | undefined): CallEndReason | undefined {
  return text === undefined ? undefined : REASON_BY_TEXT.get(text);
}

const REASON_CHARACTERS_MAX = 512;

/** Reads what we use of a `Reason` header (RFC 3326); several values may be joined by commas. Never throws. */
export function parseReason(header: string): { q850Cause: number | undefined; text: string | undefined } {
  const value = header.slice(0, REASON_CHARACTERS_MAX);
  const cause = /Q\.850\s*;[^,"]*cause\s*=\s*([0-9]{1,3})/i.exec(value)?.[1];
  const quoted = /text\s*=\s*"([^"]*)"/i.exec(value)?.[1];
  const token = /text\s*=\s*([^\s;,"]+)/i.exec(value)?.[1];
  return { q850Cause: cause === undefined ? undefined : Number(cause), text: quoted ?? token };
}

const HEADER_TEXT_CHARACTERS_MAX = 160;

/** Printable ASCII without quote and backslash: safe inside a quoted string of any header. */
export function headerText(text: string): string {
  return text
    .replace(/[^\x20-\x7e]|["\\]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, HEADER_TEXT_CHARACTERS_MAX);
}
