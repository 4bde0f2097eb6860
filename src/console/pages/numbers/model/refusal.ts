/** What kept a call out, by what would let it in. */
export const REFUSALS = [
  ...(['number', 'other-account', 'agent', 'credit', 'account-limit', 'codec', 'offer', 'engine'] as const),
  ...(['stopping', 'database', 'trunk-lines', 'lines', 'stranger', 'sources', 'password', 'proof', 'other'] as const),
  ...(['trunk-off', 'number-off'] as const),
] as const;
export type Refusal = (typeof REFUSALS)[number];

const BY_REASON: Readonly<Record<string, Refusal>> = {
  'agent-not-live': 'agent',
  'no-credit': 'credit',
  'account-limit': 'account-limit',
  'no-codec': 'codec',
  'bad-offer': 'offer',
  'no-engine': 'engine',
  draining: 'stopping',
  shutdown: 'stopping',
  'store-unavailable': 'database',
};

/** By the code of the detail, where the reason alone does not tell. */
const BY_DETAIL: Readonly<Record<string, Refusal>> = {
  'end.number-elsewhere': 'other-account',
  'end.trunk-off': 'trunk-off',
  'end.number-off': 'number-off',
  'end.trunk-calls-in': 'trunk-lines',
  'end.trunk-rate-in': 'trunk-lines',
  'end.not-among-sources': 'sources',
  'end.stranger': 'stranger',
  'end.digest-asked': 'password',
  'end.digest-stale': 'password',
  'end.digest-wrong': 'password',
  'end.digest-blocked': 'password',
};

interface Refused {
  readonly reason: string | null;
  readonly detail_notice: { readonly code: string } | null;
  readonly trunk?: string | null;
}

/** Pure. Codes are those of `core/notices/call-notices.ts`. */
export function refusalOf({ reason, detail_notice: detail, trunk }: Refused): Refusal {
  const known = BY_DETAIL[detail?.code ?? ''];
  if (known) return known;
  if (reason === 'no-such-number') return 'number';
  if (reason === 'switched-off') return 'number-off';
  if (reason === 'busy') return trunk ? 'trunk-lines' : 'lines';
  if (reason === 'not-allowed') return 'proof';
  return BY_REASON[reason ?? ''] ?? 'other';
}

/** `192.0.2.1:5060`, `[2001:db8::1]:5060`: the address alone. Pure. */
export function addressOnly(source: string): string {
  const bracketed = /^\[([^\]]+)\]/.exec(source);
  return bracketed?.[1] ?? source.replace(/:\d+$/, '');
}

const NUMBER = /^[A-Za-z0-9+*#._-]{1,64}$/;
/** Whether an agent can be given it. Pure. */
export const isNumber = (text: string): boolean => NUMBER.test(text);

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)$/;
/** As far as it has to be told apart from a host name. Pure. */
export const isIpAddress = (text: string): boolean =>
  IPV4.test(text) || /^[0-9a-f:]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text);
