import { networkInterfaces } from 'node:os';
import type { MediaEndpoint } from '../media/description.ts';

/** Everything of this gateway that takes packets. */
export interface OwnPorts {
  readonly rtp: { readonly min: number; readonly max: number }; // inclusive; a free one is the next call's
  /** SIP, HTTP, metrics: what is listened on now. */
  readonly services: () => readonly number[];
  /** Addresses that lead here besides loopback and those of the interfaces: the external one, the SIP server's. */
  readonly addresses: () => readonly string[];
}

/**
 * Tells whether media sent to an endpoint would reach this gateway itself. Two calls that name each other's ports would
 * talk to each other until their limit, at somebody's cost, and packets to a service port are an attack on it. Any other
 * port of this machine may be a phone's.
 *
 * @param interfaces - of the machine, asked anew each time a port is one of ours: addresses come and go.
 */
export function ownEndpoints(own: OwnPorts, interfaces = networkInterfaces): (endpoint: MediaEndpoint) => boolean {
  const isOurPort = (port: number): boolean =>
    (port >= own.rtp.min && port <= own.rtp.max) || own.services().includes(port);
  const isOurAddress = (address: string): boolean =>
    address.startsWith('127.') ||
    own.addresses().includes(address) ||
    Object.values(interfaces()).some((list) => list?.some((one) => one.address === address));
  return ({ address, port }) => isOurPort(port) && isOurAddress(address);
}

/** One listening point of a SIP server. */
export interface HostPort {
  readonly transport: string; // udp, tcp, tls
  readonly address: string; // as the server writes it, brackets cut off
  readonly port: number;
}

const HOSTPORTS_MAX = 64;

/** Reads what a SIP server says it listens on: `udp/192.0.2.1:5060,tcp/[2001:db8::1]:5060`. Never throws. */
export function parseHostports(text: string): readonly HostPort[] {
  return text
    .split(',', HOSTPORTS_MAX)
    .map((part) => /^\s*([a-z]{2,4})\/\[?([^\]]{1,255}?)\]?:([0-9]{1,5})\s*$/i.exec(part))
    .filter((match) => match !== null)
    .map(([, transport = '', address = '', port]) => ({
      transport: transport.toLowerCase(),
      address,
      port: Number(port),
    }));
}
