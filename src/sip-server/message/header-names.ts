/**
 * What is known about header fields by name: canonical spelling, compact form (IANA "SIP Header Fields"), whether several
 * values may share a line with commas (RFC 3261 §7.3.1), and whether a second one makes the message wrong.
 */

/** Compact form -> name. Complete as registered with IANA. */
export const COMPACT_FORMS: Readonly<Record<string, string>> = {
  a: 'Accept-Contact',
  b: 'Referred-By',
  c: 'Content-Type',
  d: 'Request-Disposition',
  e: 'Content-Encoding',
  f: 'From',
  i: 'Call-ID',
  j: 'Reject-Contact',
  k: 'Supported',
  l: 'Content-Length',
  m: 'Contact',
  n: 'Identity-Info',
  o: 'Event',
  r: 'Refer-To',
  s: 'Subject',
  t: 'To',
  u: 'Allow-Events',
  v: 'Via',
  x: 'Session-Expires',
  y: 'Identity',
};

/** One value each, but comma lists by grammar: split when read, one line each when written. */
const LISTS_BY_LINE = [
  'Accept-Contact',
  'Alert-Info',
  'Call-Info',
  'Contact',
  'Diversion',
  'Error-Info',
  'Geolocation',
  'History-Info',
  'P-Asserted-Identity',
  'P-Associated-URI',
  'P-Preferred-Identity',
  'Path',
  'Reason',
  'Record-Route',
  'Reject-Contact',
  'Route',
  'Security-Client',
  'Security-Server',
  'Security-Verify',
  'Service-Route',
  'Via',
  'Warning',
];

/** Comma lists of short tokens: split when read, neighbours joined again when written. */
const LISTS_JOINED = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Allow',
  'Allow-Events',
  'Content-Encoding',
  'Content-Language',
  'In-Reply-To',
  'Proxy-Require',
  'Recv-Info',
  'Request-Disposition',
  'Require',
  'Resource-Priority',
  'Supported',
  'Unsupported',
];

/** Two of these would leave open which one counts (RFC 4475 §3.3.8 multi01, §3.3.9 mcl01). */
const SINGLETONS = [
  'Call-ID',
  'Content-Disposition',
  'Content-Length',
  'Content-Type',
  'CSeq',
  'Event',
  'Expires',
  'From',
  'Max-Forwards',
  'Min-Expires',
  'Min-SE',
  'RAck',
  'Refer-To',
  'Referred-By',
  'Replaces',
  'RSeq',
  'Session-Expires',
  'Subscription-State',
  'Target-Dialog',
  'To',
];

/** Known, neither list nor singleton: repeated lines stay as they came, commas mean nothing. */
const OTHERS = [
  'Answer-Mode',
  'Authentication-Info',
  'Authorization',
  'Date',
  'Flow-Timer',
  'Identity',
  'Identity-Info',
  'Info-Package',
  'Join',
  'MIME-Version',
  'Organization',
  'P-Access-Network-Info',
  'P-Charging-Vector',
  'Priority',
  'Privacy',
  'Proxy-Authenticate',
  'Proxy-Authentication-Info',
  'Proxy-Authorization',
  'Refer-Sub',
  'Remote-Party-ID',
  'Reply-To',
  'Retry-After',
  'Server',
  'Session-ID',
  'SIP-ETag',
  'SIP-If-Match',
  'Subject',
  'Suppress-If-Match',
  'Timestamp',
  'User-Agent',
  'User-to-User',
  'WWW-Authenticate',
];

const lists: ReadonlySet<string> = new Set([...LISTS_BY_LINE, ...LISTS_JOINED]);
const joined: ReadonlySet<string> = new Set(LISTS_JOINED);
const singletons: ReadonlySet<string> = new Set(SINGLETONS);
const canonical: ReadonlyMap<string, string> = new Map([
  ...[...LISTS_BY_LINE, ...LISTS_JOINED, ...SINGLETONS, ...OTHERS].map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries(COMPACT_FORMS),
]);

/** Canonical spelling of a known name or compact form; an unknown name comes back as it is. */
export function canonicalName(name: string): string {
  return canonical.get(name.toLowerCase()) ?? name;
}
/** By canonical name: several values may share one line. */
export function isListHeader(name: string): boolean {
  return lists.has(name);
}
/** By canonical name: neighbours are written as one line. */
export function isJoinedHeader(name: string): boolean {
  return joined.has(name);
}
/** By canonical name: a second one is an error. */
export function isSingletonHeader(name: string): boolean {
  return singletons.has(name);
}
