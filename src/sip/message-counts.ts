import type { Metrics } from '../core/metrics.ts';
import type { SipTrace, TracedMessage } from '../core/sip-ladder.ts';

/** Methods that are counted by name (RFC 3261 and its extensions): a peer may send any word. */
const METHODS = new Set(
  'ACK BYE CANCEL INFO INVITE MESSAGE NOTIFY OPTIONS PRACK PUBLISH REFER REGISTER SUBSCRIBE UPDATE'.split(' '),
);
const OTHER = 'OTHER';
const STATUS_LINE = Buffer.from('SIP/2.0 ');
const CSEQ = Buffer.from('\r\nCSeq:');
/** No method is longer, and neither is the number before it (RFC 3261 §8.1.1.5). */
const CSEQ_CHARACTERS = 40;

/** Counts every message by what it is, then hands it on. Looks at two places of a message, and reads none. */
export function countMessages(metrics: Pick<Metrics, 'sipRequests' | 'sipResponses'>, next: SipTrace): SipTrace {
  return (message) => {
    const { direction, bytes } = message;
    if (bytes.subarray(0, STATUS_LINE.length).equals(STATUS_LINE)) {
      metrics.sipResponses.inc({ direction, method: answeredMethod(bytes), class: classOf(bytes) });
    } else {
      metrics.sipRequests.inc({ direction, method: known(bytes.toString('latin1', 0, bytes.indexOf(' '))) });
    }
    next(message);
  };
}

const known = (method: string): string => (METHODS.has(method) ? method : OTHER);

function classOf(bytes: TracedMessage['bytes']): string {
  const digit = String.fromCharCode(bytes[STATUS_LINE.length] ?? 0);
  return /[1-6]/.test(digit) ? `${digit}xx` : 'other';
}

/** The method that a response answers stands in its CSeq alone. */
function answeredMethod(bytes: Buffer): string {
  const at = bytes.indexOf(CSEQ);
  const from = at + CSEQ.length;
  const line =
    at >= 0
      ? bytes.toString('latin1', from, from + CSEQ_CHARACTERS)
      : (/\ncseq\s*:(.*)/i.exec(bytes.toString('latin1'))?.[1] ?? '');
  return known(/^\s*\d+\s+(\S+)/.exec(line)?.[1] ?? '');
}
