import type { EncryptionTerms } from '../core/trunk.ts';
import { parseSipUri } from './sip-uri.ts';
import type { OfferPolicy } from './stream-choice.ts';

/** The way to the other side's SIP, as far as it is known: the next hop. */
export interface Hop {
  readonly transport: string; // udp, tcp, tls, ws, wss
  readonly host: string; // without a port
}

/** What holds for the descriptions of every leg. */
export type CommonPolicy = Pick<OfferPolicy, 'isOurs' | 'carries' | 'dtmf'>;

/** What holds for the descriptions of one leg. */
export function legPolicy(common: CommonPolicy, { encryption, keysInClear }: EncryptionTerms, hop: Hop): OfferPolicy {
  return { ...common, encryption, mayCarryKeys: keysInClear || keepsKeys(hop) };
}

/** The way that a request to `uri` takes: scheme and parameters say it, UDP where they do not (RFC 3263 §4.1). */
export function hopTo(uri: string): Hop {
  const { scheme, hostPort = '' } = parseSipUri(uri) ?? {};
  const transport = /;transport=([a-z]{2,4})(?=[;?>]|$)/i.exec(uri)?.[1] ?? 'udp';
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
