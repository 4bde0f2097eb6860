import type { DtmfWay, Phone } from '../core/trunk.ts';
import type { CallEnd } from './call-end.ts';
import type { LegInfo } from './leg.ts';

/** What is known of who sent an INVITE, apart from the address that it came from. */
export interface SenderFacts {
  /** Of the INVITE, as they came. Nobody vouches for them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The trunk whose password it knows, by a digest that was right (RFC 7616). */
  readonly trunkId?: string;
  /** The same of a phone. */
  readonly phone?: Phone;
  /** Names in the certificate of a TLS client (RFC 5922 §7.1): identities of `subjectAltName`, else the common name. */
  readonly certificateNames?: readonly string[];
}

/** Policy before any work: who may call. Never throws. */
export type Admit = (info: LegInfo, sender: SenderFacts) => Admission;

/**
 * Whether a call may come in.
 * - `admitted`: with `source` filled in, numbers as the rules of its trunk rewrite them, and further variables; `dtmf` where that is
 *   how keys come, whatever the settings say.
 * - `challenge`: a digest may prove who it is. Said of a known and of an unknown sender alike; without anybody who can
 *   challenge it is the refusal `end`.
 */
export type Admission =
  | { readonly kind: 'admitted'; readonly info: LegInfo; readonly dtmf?: DtmfWay }
  | { readonly kind: 'challenge'; readonly end: CallEnd }
  | { readonly kind: 'refused'; readonly end: CallEnd };
