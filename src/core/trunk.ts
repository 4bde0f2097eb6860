/**
 * What a trunk is, as every part of Nidaa shares it: the file in `config/trunks/`, the row in the database and what routing and
 * signalling work with are this one shape. `src/config/trunk-schema.ts` validates it.
 */

export type TrunkTransport = 'udp' | 'tcp' | 'tls';
/** `none`: media in the clear only. `allow`: whatever is offered. `require`: SRTP or nothing. */
export type MediaEncryption = 'none' | 'allow' | 'require';
export type DtmfWay = 'rfc4733' | 'info' | 'inband' | 'auto';

/** One place that a trunk is reached at. Lower priorities are tried first; within one, by weight (RFC 3263 §4). */
export interface TrunkHost {
  readonly uri: string; // `sip:sbc1.example.net:5060`, or a domain (NAPTR, SRV, A)
  readonly priority: number;
  readonly weight: number;
}

/** The host of a `sip:` URI without a user, IPv6 without brackets; empty where there is none. */
export const hostOf = (uri: string): string =>
  /^sips?:(?:\[([^\]]+)\]|([^:;]+))/i
    .exec(uri)
    ?.slice(1)
    .find((part) => part !== undefined) ?? '';

/** Rewrites a number from its start: `{ match: '05', replace: '+9665', digits: 10 }`. The first rule that fits is taken. */
export interface NumberRule {
  readonly match: string; // what the number begins with; `+` and digits only
  readonly replace: string; // put in its place
  readonly digits?: number; // how many characters the whole number has; any where it is left out
  /** `0512345678 -> +966512345678`: checked when the trunk is read. */
  readonly example?: string;
}

/** How the caller's number is told to the far side, and taken from it. */
export type CallerIdHeader = 'from' | 'p-asserted-identity' | 'remote-party-id';

export interface TrunkLimits {
  readonly callsIn: number; // at once
  readonly callsOut: number;
  readonly callsPerSecondIn: number;
  readonly callsPerSecondOut: number;
}

/** What an operator writes of a trunk. Passwords are not in it: they are stored apart, encrypted. */
export interface TrunkDefinition {
  readonly name: string;
  readonly hosts: readonly TrunkHost[];
  readonly transport: TrunkTransport;
  readonly inbound: {
    readonly sources: readonly string[]; // addresses and networks
    readonly auth: 'none' | 'digest';
    readonly username?: string; // whom a digest must be of
    readonly certificateName?: string; // of a client that came by TLS with a certificate
  };
  readonly outbound: {
    readonly username?: string;
    readonly realm?: string; // challenges of others are not answered
    readonly fromUser?: string; // of carriers that know an account by it; the number is told by `callerId` then
    readonly fromDomain?: string;
  };
  readonly register?: { readonly expiresSeconds: number };
  readonly pingSeconds: number; // 0: never
  readonly encryption: MediaEncryption;
  /** SDES keys in signalling that is not encrypted itself. */
  readonly keysInClear: boolean;
  /** Keys by DTLS, where a media edge speaks it; by SDES where it is left out. */
  readonly dtls?: boolean;
  readonly dtmf: DtmfWay;
  readonly numbersIn: readonly NumberRule[];
  readonly numbersOut: readonly NumberRule[];
  readonly callerId: CallerIdHeader;
  readonly headersIn: readonly string[]; // that become variables of the call
  /** Of the INVITE of a call out; `{name}` stands for a variable of the call, and a header that has nothing to say is left out. */
  readonly headersOut: Readonly<Record<string, string>>;
  readonly limits: TrunkLimits;
  /** What may be called, by the beginning of the number; nothing where it is empty. */
  readonly allowedPrefixes: readonly string[];
}

/** What a leg is told of encryption. */
export type EncryptionTerms = Pick<TrunkDefinition, 'encryption' | 'keysInClear'>;

/** A trunk of an account; of all accounts, where it has none. */
export interface Trunk {
  readonly id: string;
  readonly accountId: string | undefined;
  readonly definition: TrunkDefinition;
  /** Left out: it is. One that is not takes no calls, sends none, and is not registered. */
  readonly enabled?: boolean;
  /** An operator wrote its definition as it stands, for the account. */
  readonly byOperator?: boolean;
}

/**
 * Parameter of the URI of a next hop: only addresses of the public internet may be sent to. It stands for itself and has no value, so
 * that a host that is written with one cannot lift it.
 */
export const PUBLIC_ONLY = 'nidaa-public-only';

export const isOn = ({ enabled }: Pick<Trunk, 'enabled'>): boolean => enabled !== false;

/** A password as a registrar keeps it: `HA1` of its realm (RFC 7616 §3.4.2), in lower-case hex. As good as the password there. */
export interface DigestHashes {
  readonly realm: string;
  readonly md5: string;
  readonly sha256: string;
}

/** A desk or soft phone that registers here. `phone:NAME` calls it. */
export interface Phone {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly username: string;
}

/** Who sent a call in. */
export type CallSource =
  | { readonly kind: 'trunk'; readonly id: string; readonly name: string; readonly accountId: string | undefined }
  | { readonly kind: 'phone'; readonly id: string; readonly name: string; readonly accountId: string }
  /** By WebSocket: the API's own socket, or a carrier that the operator lets in. */
  | { readonly kind: 'stream'; readonly name: 'talk' | 'twilio' | 'asterisk' }
  | { readonly kind: 'loopback' | 'anonymous' };
