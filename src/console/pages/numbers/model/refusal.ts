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

interface Refused {
  readonly reason: string | null;
  readonly detail: string;
  readonly trunk?: string | null;
}

/** Pure. The details are those of `trunks/call-admission.ts` and `trunks/explain-call.ts`. */
export function refusalOf({ reason, detail, trunk }: Refused): Refusal {
  if (reason === 'no-such-number') return detail === '' ? 'number' : 'other-account';
  if (reason === 'switched-off') return detail.startsWith('trunk ') ? 'trunk-off' : 'number-off';
  if (reason === 'busy') return trunk || detail.startsWith('trunk ') ? 'trunk-lines' : 'lines';
  if (reason !== 'not-allowed') return BY_REASON[reason ?? ''] ?? 'other';
  if (detail.includes('sip.allowedSources')) return 'sources';
  if (detail.startsWith('no trunk and no phone')) return 'stranger';
  return detail.startsWith('digest: ') ? 'password' : 'proof';
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
