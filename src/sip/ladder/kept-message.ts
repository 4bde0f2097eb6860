/** What is kept of a SIP message for whoever looks into a call later: no keys, no credentials, no digits. */
export interface KeptMessage {
  readonly line: string; // the first one
  /** The headers that matter to a call, and what is worth of the body. */
  readonly text: string;
  readonly callId: string;
  readonly method: string; // of a response: of the request that it answers
  readonly status: number | undefined; // of a response
  /** An INVITE outside a dialog begins a call. */
  readonly begins: boolean;
}

const HEAD_BYTES_MAX = 16_384;
const BODY_BYTES_MAX = 8_192;
const LINES_MAX = 256;
/** Of one line, and of the whole. */
const LINE_CHARACTERS_MAX = 512;
const TEXT_CHARACTERS_MAX = 4_096;

/** Compact forms (RFC 3261 §20, RFC 3515, RFC 3892, RFC 4028, RFC 6665) of what is kept. */
const COMPACT: Readonly<Record<string, string>> = {
  ...{ v: 'via', i: 'call-id', f: 'from', t: 'to', m: 'contact', c: 'content-type', k: 'supported' },
  ...{ r: 'refer-to', b: 'referred-by', o: 'event', u: 'allow-events', x: 'session-expires' },
};
const KEPT = new Set(
  `via route record-route max-forwards from to call-id cseq contact require supported unsupported allow rseq rack expires path
  service-route session-expires min-se retry-after reason warning content-type refer-to referred-by replaces event subscription-state
  p-asserted-identity p-preferred-identity remote-party-id privacy diversion history-info user-to-user user-agent server`.split(
    /\s+/,
  ),
);
/** Of these the scheme and the realm are told: they say who asked whom. */
const SECRET = new Set(['authorization', 'proxy-authorization', 'www-authenticate', 'proxy-authenticate']);
/** Keys and passwords of a media stream: RFC 4568, RFC 3830, RFC 8866 §5.12, RFC 8839. */
const SECRET_SDP = /^(a=(?:crypto|key-mgmt|ice-pwd|ice-ufrag)[: ]|k=)/i;
export const REMOVED = '[removed]';

/** @returns undefined for what is no SIP message of a call. Never throws. */
export function keptMessage(bytes: Buffer): KeptMessage | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('utf8', 0, Math.min(end < 0 ? bytes.length : end, HEAD_BYTES_MAX));
  const [first = '', ...rest] = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n', LINES_MAX);
  const status = /^SIP\/2\.0 (\d{3})/.exec(first)?.[1];
  if (status === undefined && !/^[A-Z]+ \S+ SIP\/2\.0$/.test(first)) return undefined;
  const found = new Map<string, string>();
  const lines = rest.map((line) => keptHeader(line, found)).filter((line) => line !== undefined);
  const callId = found.get('call-id');
  const method = /^\d+\s+([A-Z]+)/.exec(found.get('cseq') ?? '')?.[1];
  if (callId === undefined || method === undefined) return undefined;
  const body = end < 0 ? '' : bytes.toString('utf8', end + 4, Math.min(bytes.length, end + 4 + BODY_BYTES_MAX));
  const kept = [...lines, ...keptBody(body, found.get('content-type') ?? '')].join('\n');
  return {
    ...{ line: withoutPassword(first).slice(0, LINE_CHARACTERS_MAX), text: kept.slice(0, TEXT_CHARACTERS_MAX) },
    ...{ callId: callId.slice(0, LINE_CHARACTERS_MAX), method },
    status: status === undefined ? undefined : Number(status),
    begins: status === undefined && method === 'INVITE' && !/;\s*tag\s*=/i.test(found.get('to') ?? ''),
  };
}

/** @param found - gets the first of each name. */
function keptHeader(line: string, found: Map<string, string>): string | undefined {
  const colon = line.indexOf(':');
  if (colon < 1) return undefined;
  const written = line.slice(0, colon).trim();
  const lower = written.toLowerCase();
  const name = COMPACT[lower] ?? lower;
  const value = line.slice(colon + 1).trim();
  if (!found.has(name)) found.set(name, value);
  if (SECRET.has(name)) return `${written}: ${withoutCredentials(value)}`;
  if (!KEPT.has(name) && !name.startsWith('x-')) return undefined;
  return `${written}: ${withoutPassword(value)}`.slice(0, LINE_CHARACTERS_MAX);
}

function withoutCredentials(value: string): string {
  const scheme = /^[A-Za-z]{1,16}(?=\s)/.exec(value)?.[0] ?? '';
  const realm = /(?:^|[\s,])realm="([^"]{0,128})"/i.exec(value)?.[1];
  return [scheme, realm === undefined ? '' : `realm="${realm}"`, REMOVED].filter((part) => part !== '').join(' ');
}

/** `sip:user:password@host` (RFC 3261 §19.1.1 advises against it, and it is seen). */
const withoutPassword = (text: string): string =>
  text.replace(/(sips?:[^:@;>\s,]{1,128}):[^@>\s,]{1,128}@/gi, `$1:${REMOVED}@`);

/** Descriptions, and what a NOTIFY says of a transfer; keys pressed are nobody's business. */
function keptBody(body: string, contentType: string): readonly string[] {
  if (body === '') return [];
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'message/sipfrag') return ['', body.split('\r\n', 1)[0]?.slice(0, LINE_CHARACTERS_MAX) ?? ''];
  if (type !== 'application/sdp' && !type.startsWith('multipart/')) return ['', `${type || 'body'} ${REMOVED}`];
  const lines = body.split(/\r?\n/, LINES_MAX).filter((line) => /^[a-z]=/.test(line));
  return ['', ...lines.map((line) => keptSdpLine(line).slice(0, LINE_CHARACTERS_MAX))];
}

function keptSdpLine(line: string): string {
  const secret = SECRET_SDP.exec(line)?.[1];
  return secret === undefined ? line : `${secret}${REMOVED}`;
}
