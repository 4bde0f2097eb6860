import { isIP } from 'node:net';
import { hostKey } from '../message/host-port.ts';
import { parseSipUri } from '../message/sip-uri.ts';

/** What is read of a certificate, as `node:tls` gives it. */
export interface NamedCertificate {
  readonly subject?: { readonly CN?: string | readonly string[] | undefined } | undefined;
  /** `DNS:a.example, URI:sip:b.example, IP Address:192.0.2.1`; values that could be misread are JSON texts. */
  readonly subjectaltname?: string | undefined;
}

interface AlternativeName {
  readonly kind: string; // DNS, URI, IP Address ...
  readonly value: string;
}

/** A certificate of a provider has a handful. */
const NAMES_MAX = 64;
const ENTRY = /([^:,"]{1,32}):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/y;

/** Empty for a text that cannot be read as a whole: half of it could say what nobody certified. */
function alternativeNames(text: string): readonly AlternativeName[] {
  const found: AlternativeName[] = [];
  ENTRY.lastIndex = 0;
  while (ENTRY.lastIndex < text.length) {
    const match = ENTRY.exec(text);
    if (!match || found.length >= NAMES_MAX) return [];
    const [, kind = '', written = ''] = match;
    const value = unquoted(written);
    if (value === undefined) return [];
    found.push({ kind, value });
  }
  return found;
}

function unquoted(written: string): string | undefined {
  if (!written.startsWith('"')) return written;
  try {
    return String(JSON.parse(written));
  } catch {
    return undefined;
  }
}

const domainKey = (domain: string): string => domain.toLowerCase().replace(/\.$/, '');

/** The domain that a `URI` of a certificate stands for: `sip` without a user (RFC 5922 §7.1). */
function sipIdentity(value: string): string | undefined {
  const uri = parseSipUri(value);
  return uri?.scheme === 'sip' && uri.user === undefined ? uri.host : undefined;
}

/**
 * The domains that a certificate is for (RFC 5922 §7.1): its SIP identities; without any, its DNS names; the common name
 * only where it has no alternative names at all. Lower case. Never throws; a certificate that cannot be read has none.
 */
export function certificateNames(certificate: NamedCertificate): readonly string[] {
  const { subjectaltname: text, subject } = certificate;
  if (text === undefined || text === '') {
    const { CN } = subject ?? {};
    return typeof CN === 'string' && isDomain(CN) ? [domainKey(CN)] : [];
  }
  const names = alternativeNames(text);
  const identities = names.flatMap(({ kind, value }) => (kind === 'URI' ? (sipIdentity(value) ?? []) : []));
  const domains = names.filter(({ kind }) => kind === 'DNS').map(({ value }) => value);
  return [...new Set((identities.length > 0 ? identities : domains).filter(isDomain).map(domainKey))];
}

/** A wildcard is a name too: whether it counts is `isCertifiedFor`'s to say. */
function isDomain(text: string): boolean {
  return /^(?:\*\.)?[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?$/.test(text) && text.length <= 253;
}

/**
 * Whether a certificate is for `host`, a domain or a numeric address.
 *
 * @param wildcards - `*.example.net` stands for `sbc.example.net`. RFC 5922 §7.2 forbids it; some providers have nothing else.
 */
export function isCertifiedFor(host: string, certificate: NamedCertificate, wildcards: boolean): boolean {
  if (isIP(host) !== 0) {
    const addresses = alternativeNames(certificate.subjectaltname ?? '').filter(({ kind }) => kind === 'IP Address');
    return addresses.some(({ value }) => hostKey(value) === hostKey(host));
  }
  const wanted = domainKey(host);
  const parent = wanted.slice(wanted.indexOf('.'));
  // A name of one label, or right below the top, is never covered by a wildcard.
  const covered = wildcards && parent.startsWith('.') && parent.indexOf('.', 1) > 0;
  return certificateNames(certificate).some((name) => name === wanted || (covered && name === `*${parent}`));
}
