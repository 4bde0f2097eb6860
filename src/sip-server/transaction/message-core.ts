import { cseqOf, fromTag, topVia, toTag } from '../message/header-values.ts';
import { formatHostPort } from '../message/host-port.ts';
import { header, type SipMessage } from '../message/sip-message.ts';

/** The few values by which messages find their transaction and their dialog. */
export interface MessageCore {
  readonly branch: string; // '' when the top Via has none
  readonly sentBy: string; // host and port of the top Via, lower case
  readonly callId: string;
  readonly cseq: number;
  readonly cseqMethod: string;
  readonly fromTag: string; // '' when there is none (RFC 2543)
  readonly toTag: string | undefined;
}

/** Reads them, or undefined when Via, Call-ID or CSeq cannot be read: nothing can be done with such a message. */
export function messageCore(message: SipMessage): MessageCore | undefined {
  const via = topVia(message);
  const cseq = cseqOf(message);
  const callId = header(message, 'Call-ID');
  if (!via || !cseq || callId === undefined) return undefined;
  return {
    branch: via.branch ?? '',
    sentBy: formatHostPort(via.host, via.port).toLowerCase(),
    callId,
    cseq: cseq.number,
    cseqMethod: cseq.method,
    fromTag: fromTag(message) ?? '',
    toTag: toTag(message),
  };
}
