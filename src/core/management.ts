/** What somebody may do in the management API. One does not contain another: who may change agents and see them has both. */
export const SCOPES = ['read', 'agents', 'calls', 'account', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

/** What people may do. Those of an operator reach beyond their account: every account, trunks, the machine. */
export const ROLE_SCOPES = {
  viewer: ['read'],
  editor: ['read', 'agents', 'calls'],
  owner: ['read', 'agents', 'calls', 'account'],
  operator: SCOPES,
} as const satisfies Record<string, readonly Scope[]>;
export type Role = keyof typeof ROLE_SCOPES;
export const ROLES = Object.keys(ROLE_SCOPES) as readonly Role[];

export const MANAGEMENT_KEY_PREFIX = 'manage_sk_';
/** Characters of a password. Length is what counts: no rule asks for signs or digits (NIST SP 800-63B §5.1.1.2). */
export const PASSWORD_CHARS = { min: 10, max: 200 } as const;
/** A link that sets a password works that long, and once. */
export const PASSWORD_LINK_HOURS = 24;

/** As it is kept and compared; undefined where it is none (RFC 5321 §4.5.3.1: 254 characters are the most). */
export function emailAddress(written: string): string | undefined {
  const folded = written.trim().normalize('NFC').toLowerCase();
  return folded.length <= 254 && /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;\\[\]]+$/u.test(folded)
    ? folded
    : undefined;
}

/** Whether whoever has `own` may give somebody `wanted`: nobody makes another mightier than he is. */
export function mayGive(own: readonly Scope[], wanted: readonly Scope[]): boolean {
  return wanted.every((scope) => own.includes(scope));
}

/** The address behind which the one-time secret stands. In the fragment: no browser sends that to anybody. */
export const passwordLink = (baseUrl: string, secret: string): string => `${baseUrl}/console/welcome#${secret}`;
