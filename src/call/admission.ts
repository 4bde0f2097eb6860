import type { CallEnd } from './call-end.ts';
import type { LegInfo } from './leg.ts';

/** What a request has proved about its sender, apart from the address that it came from. */
export interface CallerProof {
  /** User of a digest that was right (RFC 7616). */
  readonly username?: string;
  /** Names in the certificate of a TLS client (RFC 5922 §7.1): identities of `subjectAltName`, else the common name. */
  readonly certificateNames?: readonly string[];
  /** `name: value` of the INVITE, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Whether a call may come in.
 * - `admitted`: with `source` filled in, numbers as rules of its trunk rewrite them, and further variables.
 * - `challenge`: a digest may prove who it is. Said of a known and of an unknown sender alike; without anybody who can
 *   challenge it is the refusal `end`.
 */
export type Admission =
  | { readonly kind: 'admitted'; readonly info: LegInfo }
  | { readonly kind: 'challenge'; readonly end: CallEnd }
  | { readonly kind: 'refused'; readonly end: CallEnd };
