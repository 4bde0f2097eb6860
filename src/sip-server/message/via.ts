import { isSpace, isToken, parseUint, trimSpace } from './ascii.ts';
import { formatParams, type Params, parseParams, withParam } from './header-params.ts';
import { formatHostPort, parseHostPort } from './host-port.ts';

/** One Via value (RFC 3261 §20.42, RFC 3581). The fields after `params` are read from it: change it with `withViaParam`. */
export interface Via {
  readonly transport: string; // upper case: UDP, TCP, TLS, or whatever was sent
  readonly host: string; // sent-by, IPv6 without brackets
  readonly port: number | undefined; // sent-by
  readonly params: Params;
  readonly branch: string | undefined;
  readonly received: string | undefined; // IPv6 without brackets
  readonly rport: number | 'asked' | undefined; // `asked`: the parameter without a value
  readonly maddr: string | undefined;
  readonly ttl: number | undefined; // 0..255
}

/** Branch prefix of RFC 3261 transactions. */
export const MAGIC_COOKIE = 'z9hG4bK';

export function parseVia(value: string): Via | undefined {
  const semicolon = value.indexOf(';');
  const params = parseParams(semicolon < 0 ? '' : value.slice(semicolon));
  const [protocol, version, rest] = splitProtocol(semicolon < 0 ? value : value.slice(0, semicolon));
  if (!params || protocol?.toUpperCase() !== 'SIP' || version !== '2.0' || rest === undefined) return undefined;
  // `UDP   host : 5060`: the transport ends at the first white space.
  let end = 0;
  while (end < rest.length && !isSpace(rest.charCodeAt(end))) end += 1;
  const transport = rest.slice(0, end);
  const sentBy = parseHostPort(trimSpace(rest.slice(end)));
  if (!isToken(transport) || !sentBy) return undefined;
  return makeVia(transport, sentBy.host, sentBy.port, params);
}

/** `SIP / 2.0 / rest`, white space allowed around the slashes. */
function splitProtocol(text: string): string[] {
  const parts = text.split('/').map(trimSpace);
  return parts.length === 3 ? parts : [];
}

/** Undefined when a parameter that has a fixed form does not have it. */
function makeVia(transport: string, host: string, port: number | undefined, params: Params): Via | undefined {
  const rportText = params.get('rport');
  const rport = rportText === undefined ? undefined : rportText === '' ? 'asked' : parseUint(rportText, 65_535);
  const ttlText = params.get('ttl');
  const ttl = ttlText === undefined ? undefined : parseUint(ttlText, 255);
  const branch = params.get('branch');
  const received = plainHost(params.get('received'));
  const maddr = plainHost(params.get('maddr'));
  const wrong =
    (rportText !== undefined && rport === undefined) ||
    (ttlText !== undefined && ttl === undefined) ||
    (branch !== undefined && !isToken(branch)) ||
    received === '' ||
    maddr === '';
  if (wrong) return undefined;
  return { transport: transport.toUpperCase(), host, port, params, branch, received, rport, maddr, ttl };
}

function plainHost(value: string | undefined): string | undefined {
  return value?.startsWith('[') && value.endsWith(']') ? value.slice(1, -1) : value;
}

/** A Via of ours: asks for `rport`, so that answers come back through NAT (RFC 3581 §3). */
export function newVia(transport: string, host: string, port: number | undefined, branch: string): Via {
  const via = makeVia(
    transport,
    host,
    port,
    new Map([
      ['branch', branch],
      ['rport', ''],
    ]),
  );
  if (!via) throw new RangeError('branch is not a token');
  return via;
}

/** A copy with one parameter set ('' for a flag) or, with undefined, removed. A value of the wrong form is not taken over. */
export function withViaParam(via: Via, name: string, value: string | undefined): Via {
  return makeVia(via.transport, via.host, via.port, withParam(via.params, name, value)) ?? via;
}

export function formatVia(via: Via): string {
  return `SIP/2.0/${via.transport} ${formatHostPort(via.host, via.port)}${formatParams(via.params)}`;
}
