/**
 * A SIP message as the embedded server holds it: an ordered header list, nothing interpreted that nobody asked for.
 * Structured values (Via, From, CSeq ...) are read on demand by the functions of `header-values.ts`.
 */
export interface SipHeader {
  readonly name: string; // canonical spelling (`Via`, `Call-ID`), unknown names as they came
  readonly value: string; // unfolded, trimmed; one value for headers that may be listed with commas (split at parsing)
}

interface MessageBase {
  readonly headers: readonly SipHeader[];
  readonly body: Buffer; // empty when there is none
}
export interface SipRequest extends MessageBase {
  readonly kind: 'request';
  readonly method: string; // upper case as sent
  readonly uri: string; // Request-URI as sent
}
export interface SipResponse extends MessageBase {
  readonly kind: 'response';
  readonly status: number; // 100..699
  readonly reason: string;
}
export type SipMessage = SipRequest | SipResponse;

/** The first value of a header, by canonical name. */
export function header(message: SipMessage, name: string): string | undefined {
  return message.headers.find((h) => h.name === name)?.value;
}
/** All values of a header, in order. */
export function headers(message: SipMessage, name: string): readonly string[] {
  return message.headers.filter((h) => h.name === name).map((h) => h.value);
}
