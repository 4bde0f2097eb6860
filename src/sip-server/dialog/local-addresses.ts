import { hostKey } from '../message/host-port.ts';
import { formatNameAddr, parseNameAddr } from '../message/name-addr.ts';
import { formatSipUri, parseSipUri, type SipUri } from '../message/sip-uri.ts';
import { formatVia, newVia, withViaParam } from '../message/via.ts';
import type { Flow, TransportLayer, TransportName } from '../transport/flow.ts';
import { TRANSPORTS } from '../transport/transports.ts';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** What our messages say about where we are: Via, Contact, and the `localhost` that applications write. */
export class LocalAddresses {
  /**
   * @param listening - the transport layer's own list.
   * @param externalAddress - what the world sees of us, where that is not the address listened on.
   */
  constructor(
    private readonly listening: () => TransportLayer['listening'],
    readonly externalAddress: string | undefined,
  ) {}

  /** Host and port at which the peer of this flow reaches us. A connection we opened has a passing port of its own. */
  hostPort(flow: Flow): HostAndPort {
    const own = this.listening().filter((entry) => entry.transport === flow.transport);
    const exact = own.find((entry) => entry.port === flow.localPort) ?? own[0];
    return { host: this.externalAddress ?? flow.localAddress, port: exact?.port ?? flow.localPort };
  }

  via(flow: Flow, branch: string): string {
    const { host, port } = this.hostPort(flow);
    const { via, secure } = TRANSPORTS[flow.transport];
    const made = newVia(via, host, port, branch);
    // Whoever knows us by our certificate may call us back on the connection that we opened (RFC 5923 §8.1).
    return formatVia(secure && flow.opened ? withViaParam(made, 'alias', '') : made);
  }

  /** Contact for dialogs over this flow. */
  contact(flow: Flow): string {
    return `<${formatSipUri(this.#contactUri({ user: undefined }, flow))}>`;
  }

  /** An application's Contact: `localhost` and a missing transport are filled in. */
  completeContact(value: string, flow: Flow): string {
    const address = parseNameAddr(value);
    const uri = address ? parseSipUri(address.uri) : undefined;
    if (!address || !uri || uri.host.toLowerCase() !== 'localhost') return value;
    return formatNameAddr({ ...address, uri: formatSipUri(this.#contactUri(uri, flow)) });
  }

  /** From, To, P-Asserted-Identity: `localhost` becomes our host and port, everything else stays as written. */
  completeAddress(value: string, flow: Flow): string {
    const address = parseNameAddr(value);
    const uri = address ? parseSipUri(address.uri) : undefined;
    if (!address || !uri || uri.host.toLowerCase() !== 'localhost') return value;
    return formatNameAddr({ ...address, uri: formatSipUri({ ...uri, ...this.hostPort(flow) }) });
  }

  /** True for an address we listen on: a request sent there would come back to us. */
  isOwn(transport: TransportName, address: string, port: number): boolean {
    const wanted = hostKey(address);
    return this.listening().some((entry) => {
      if (entry.transport !== transport || entry.port !== port) return false;
      const own = hostKey(entry.address);
      return own === wanted || this.externalAddress === address || (isWildcard(own) && isLoopback(wanted));
    });
  }

  #contactUri(given: { user: string | undefined } | SipUri, flow: Flow): SipUri {
    const { host, port } = this.hostPort(flow);
    const params = new Map('params' in given ? given.params : []);
    const { namedInContact, uriName } = TRANSPORTS[flow.transport];
    if (namedInContact && !params.has('transport')) params.set('transport', uriName);
    return {
      scheme: 'scheme' in given ? given.scheme : 'sip',
      user: given.user,
      password: undefined,
      host,
      port,
      params,
      headers: [],
    };
  }
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
function isLoopback(host: string): boolean {
  return host === '::1' || host.startsWith('127.');
}
