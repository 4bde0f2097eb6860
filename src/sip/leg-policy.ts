import type { DialOptions } from '../call/dialer.ts';
import type { DtmfWay, EncryptionTerms } from '../core/trunk.ts';
import type { SrfRequest } from './drachtio.ts';
import { parseSipUri } from './sip-uri.ts';
import { type OfferPolicy, withDtmf } from './stream-choice.ts';

/** The way to the other side's SIP, as far as it is known: the next hop. */
export interface Hop {
  readonly transport: string; // udp, tcp, tls, ws, wss
  readonly host: string; // without a port
}

/** What holds for the descriptions of every leg. */
export type CommonPolicy = Pick<OfferPolicy, 'isOurs' | 'carries' | 'dtmf'>;

/** Whatever is offered is taken, keys where they are safe. */
export const TAKE_ALL: EncryptionTerms = { encryption: 'allow', keysInClear: false };

/** What holds for a call of ours. */
export function dialPolicy(
  common: CommonPolicy,
  {
    encryption = 'none',
    keysInClear = false,
    nextHop,
    uri,
  }: Pick<DialOptions, keyof EncryptionTerms | 'nextHop' | 'uri'>,
): OfferPolicy {
  return legPolicy(common, { encryption, keysInClear }, hopTo(nextHop ?? uri));
}

/** What holds for a call that came in by `req`. */
export function takePolicy(
  common: CommonPolicy,
  dtmf: DtmfWay | undefined,
  terms: EncryptionTerms,
  { protocol, source_address }: Pick<SrfRequest, 'protocol' | 'source_address'>,
): OfferPolicy {
  return legPolicy(withDtmf(common, dtmf), terms, { transport: protocol, host: source_address });
}

/** What holds for the descriptions of one leg. */
function legPolicy(common: CommonPolicy, { encryption, keysInClear }: EncryptionTerms, hop: Hop): OfferPolicy {
  return { ...common, encryption, mayCarryKeys: keysInClear || keepsKeys(hop) };
}

/** The way that a request to `uri` takes: scheme and parameters say it, UDP where they do not (RFC 3263 §4.1). */
export function hopTo(uri: string): Hop {
  const { scheme, hostPort = '' } = parseSipUri(uri) ?? {};
  const transport = /;transport=([a-z]{2,4})(?=[;?>]|$)/i.exec(uri.slice(uri.lastIndexOf('@') + 1))?.[1] ?? 'udp';
  return {
    transport: scheme === 'sips' ? 'tls' : transport,
    host: hostPort.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'),
  };
}

const PROTECTED = new Set(['tls', 'wss']);
const LOOPBACK = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|::ffff:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost)$/i;

/** Whether keys stay between the two sides: signalling is encrypted itself, or does not leave this machine. */
export function keepsKeys({ transport, host }: Hop): boolean {
  return PROTECTED.has(transport.toLowerCase()) || LOOPBACK.test(host);
}
