import type { SipUri } from '../message/sip-uri.ts';

/** What differs between transports. Whoever needs to know asks here; nobody compares names. */
export interface TransportRow {
  /** In Via (RFC 3261 §20.42). */
  readonly via: string;
  /** No retransmission timers (RFC 3261 §17). */
  readonly reliable: boolean;
  /** The peer's certificate is checked, and `sips` may go by it. */
  readonly secure: boolean;
  readonly defaultPort: number;
  /** Where it is listened on, above the SIP port. Those with 0 share that port; without one, connections are handed in. */
  readonly portOffset: number | undefined;
  /** `transport` of a `sip` URI (RFC 3261 §19.1.1). */
  readonly uriName: string;
  /** `transport` of a `sips` URI: what lies below the security. None where it cannot be secured. */
  readonly sipsNames: readonly string[];
  /** Our Contact names it: all but what a URI without `transport` means anyway. */
  readonly namedInContact: boolean;
  /** RFC 3263 §4.1. Empty where nobody can be called by it. */
  readonly naptrService: string;
  readonly srvPrefix: string;
  /** Bytes above which a request goes by `largeBy` first, where that is to be had (RFC 3261 §18.1.1). */
  readonly bytesMax: number;
  readonly largeBy: string | undefined;
}

/** In order of preference where a URI leaves the choice. A further transport is a row here and an entry in `transport-layer`. */
const ROWS = {
  udp: {
    ...{ via: 'UDP', reliable: false, secure: false, defaultPort: 5060, portOffset: 0 },
    ...{ uriName: 'udp', sipsNames: [], namedInContact: false },
    ...{ naptrService: 'SIP+D2U', srvPrefix: '_sip._udp.', bytesMax: 1_300, largeBy: 'tcp' },
  },
  tcp: {
    ...{ via: 'TCP', reliable: true, secure: false, defaultPort: 5060, portOffset: 0 },
    ...{ uriName: 'tcp', sipsNames: [], namedInContact: true },
    ...{ naptrService: 'SIP+D2T', srvPrefix: '_sip._tcp.', bytesMax: Infinity, largeBy: undefined },
  },
  tls: {
    ...{ via: 'TLS', reliable: true, secure: true, defaultPort: 5061, portOffset: 1 },
    ...{ uriName: 'tls', sipsNames: ['tls', 'tcp'], namedInContact: true },
    ...{ naptrService: 'SIPS+D2T', srvPrefix: '_sips._tcp.', bytesMax: Infinity, largeBy: undefined },
  },
  ws: {
    ...{ via: 'WS', reliable: true, secure: false, defaultPort: 80, portOffset: undefined },
    ...{ uriName: 'ws', sipsNames: [], namedInContact: true },
    ...{ naptrService: '', srvPrefix: '', bytesMax: Infinity, largeBy: undefined },
  },
  wss: {
    ...{ via: 'WSS', reliable: true, secure: true, defaultPort: 443, portOffset: undefined },
    ...{ uriName: 'wss', sipsNames: ['ws', 'wss'], namedInContact: true },
    ...{ naptrService: '', srvPrefix: '', bytesMax: Infinity, largeBy: undefined },
  },
} satisfies Readonly<Record<string, TransportRow>>;

export type TransportName = keyof typeof ROWS;
export const TRANSPORTS: Readonly<Record<TransportName, TransportRow>> = ROWS;
export const TRANSPORT_NAMES = Object.keys(ROWS) as readonly TransportName[];

/** What a URI says about how to get there, before any name is looked up. */
export interface UriTransports {
  readonly secure: boolean; // `sips`, or a secure transport by name
  readonly named: boolean; // the URI leaves no choice
  readonly allowed: readonly TransportName[]; // best first
}

export function transportsOf(uri: SipUri): UriTransports {
  const name = uri.params.get('transport')?.toLowerCase();
  const sips = uri.scheme === 'sips';
  const allowed = TRANSPORT_NAMES.filter((transport) => {
    const { secure, uriName, sipsNames, portOffset } = TRANSPORTS[transport];
    // Who comes by a connection that only they can open is reached where that is named.
    if (name === undefined) return portOffset !== undefined && (secure || !sips);
    return sips ? sipsNames.includes(name) : uriName === name;
  });
  const named = name !== undefined || sips;
  return { secure: sips || (named && allowed.some((transport) => TRANSPORTS[transport].secure)), named, allowed };
}

/** The transport of a URI with a numeric host: the one it names, else the first (RFC 3263 §4.1). */
export function numericTransport(uri: SipUri): TransportName {
  return transportsOf(uri).allowed[0] ?? TRANSPORT_NAMES[0]!;
}

/** The port of a URI or a Via by this transport. */
export function portOr(port: number | undefined, transport: TransportName): number {
  return port ?? TRANSPORTS[transport].defaultPort;
}
