import { promises as dns } from 'node:dns';

export interface NaptrRecord {
  readonly flags: string;
  readonly service: string; // SIP+D2U ...
  readonly replacement: string;
  readonly order: number;
  readonly preference: number;
}
export interface SrvRecord {
  readonly name: string;
  readonly port: number;
  readonly priority: number;
  readonly weight: number;
}

/** The questions RFC 3263 asks. Empty: there are none; a rejection (server down, time-out) is treated the same. */
export interface DnsResolver {
  naptr(name: string): Promise<readonly NaptrRecord[]>;
  srv(name: string): Promise<readonly SrvRecord[]>;
  /** Numeric addresses of both families, best first. */
  addresses(name: string): Promise<readonly string[]>;
}

const QUERY_MS = 1_500;
const TRIES = 2;

/**
 * The system's name servers. Addresses come from `getaddrinfo`, so that /etc/hosts counts. Nothing is cached here: the
 * system's resolver keeps to the TTLs.
 */
export function systemResolver(): DnsResolver {
  const resolver = new dns.Resolver({ timeout: QUERY_MS, tries: TRIES });
  return {
    naptr: (name) => resolver.resolveNaptr(name),
    srv: (name) => resolver.resolveSrv(name),
    addresses: async (name) => (await dns.lookup(name, { all: true, order: 'verbatim' })).map((entry) => entry.address),
  };
}
