import { describe, expect, it } from 'vitest';
import { parseSipUri } from '../../../src/sip-server/message/sip-uri.ts';
import type { DnsResolver, NaptrRecord, SrvRecord } from '../../../src/sip-server/transport/dns-resolver.ts';
import type { TransportName } from '../../../src/sip-server/transport/flow.ts';
import { orderSrv, resolveTarget, TargetResolver } from '../../../src/sip-server/transport/resolve-target.ts';

const naptr = (service: string, replacement: string, order = 10, preference = 10, flags = 's'): NaptrRecord => ({
  flags,
  service,
  replacement,
  order,
  preference,
});
const srv = (name: string, port: number, priority = 1, weight = 1): SrvRecord => ({ name, port, priority, weight });

interface Zone {
  readonly naptr?: Readonly<Record<string, readonly NaptrRecord[]>>;
  readonly srv?: Readonly<Record<string, readonly SrvRecord[]>>;
  readonly hosts?: Readonly<Record<string, readonly string[]>>;
}
/** What a zone does not have is an error, as node:dns reports it. */
function resolverOf(zone: Zone): DnsResolver {
  const answer = async <T>(
    table: Readonly<Record<string, readonly T[]>> | undefined,
    name: string,
  ): Promise<readonly T[]> => {
    const found = table?.[name];
    if (!found) throw new Error('ENOTFOUND');
    return found;
  };
  return {
    naptr: (name) => answer(zone.naptr, name),
    srv: (name) => answer(zone.srv, name),
    addresses: (name) => answer(zone.hosts, name),
  };
}

const ALL: readonly TransportName[] = ['udp', 'tcp', 'tls'];
const ZONE: Zone = {
  naptr: {
    'example.com': [
      naptr('SIP+D2T', '_sip._tcp.example.com', 20),
      naptr('SIPS+D2T', '_sips._tcp.example.com', 30),
      naptr('SIP+D2U', '_sip._udp.example.com', 10),
      naptr('E2U+sip', '_other.example.com', 1),
    ],
  },
  srv: {
    '_sip._udp.example.com': [srv('b.example.com', 5070, 2), srv('a.example.com', 5080, 1)],
    '_sip._tcp.example.com': [srv('a.example.com', 5090)],
    '_sips._tcp.example.com': [srv('a.example.com', 5443)],
    '_sip._tcp.tcp-only.example': [srv('a.example.com', 5065)],
    '_sip._udp.closed.example': [srv('.', 0)],
  },
  hosts: {
    'a.example.com': ['192.0.2.1'],
    'b.example.com': ['2001:db8::2', '192.0.2.2'],
    'plain.example': ['192.0.2.9'],
    'closed.example': ['192.0.2.7'],
    pbx: ['10.0.0.5'],
  },
};

const CASES: readonly {
  name: string;
  uri: string;
  have?: readonly TransportName[];
  bytes?: number;
  out: readonly string[];
}[] = [
  { name: 'numeric host', uri: 'sip:u@192.0.2.5', out: ['udp 192.0.2.5 5060'] },
  { name: 'numeric host and port', uri: 'sip:u@192.0.2.5:5099;transport=tcp', out: ['tcp 192.0.2.5 5099'] },
  { name: 'numeric IPv6', uri: 'sip:u@[2001:db8::1]', out: ['udp 2001:db8::1 5060'] },
  { name: 'numeric host by sips', uri: 'sips:u@192.0.2.5', out: ['tls 192.0.2.5 5061'] },
  { name: 'TLS by parameter', uri: 'sip:u@192.0.2.5;transport=TLS', out: ['tls 192.0.2.5 5061'] },
  { name: 'maddr goes before the host', uri: 'sip:u@example.com;maddr=192.0.2.6', out: ['udp 192.0.2.6 5060'] },
  { name: 'port given: no SRV', uri: 'sip:u@a.example.com:5099', out: ['udp 192.0.2.1 5099'] },
  {
    name: 'NAPTR order, SRV priority, both families',
    uri: 'sip:u@example.com',
    out: [
      'udp 192.0.2.1 5080',
      'udp 192.0.2.2 5070',
      'udp 2001:db8::2 5070',
      'tcp 192.0.2.1 5090',
      'tls 192.0.2.1 5443',
    ],
  },
  { name: 'NAPTR only for what we have', uri: 'sip:u@example.com', have: ['tcp'], out: ['tcp 192.0.2.1 5090'] },
  { name: 'sips takes the secure service', uri: 'sips:u@example.com', out: ['tls 192.0.2.1 5443'] },
  { name: 'transport given: its SRV', uri: 'sip:u@example.com;transport=tcp', out: ['tcp 192.0.2.1 5090'] },
  { name: 'no NAPTR: SRV of each transport', uri: 'sip:u@tcp-only.example', out: ['tcp 192.0.2.1 5065'] },
  { name: 'no records: the address by UDP', uri: 'sip:u@plain.example', out: ['udp 192.0.2.9 5060'] },
  { name: 'no records, only TCP here', uri: 'sip:u@plain.example', have: ['tcp'], out: ['tcp 192.0.2.9 5060'] },
  { name: 'a service not offered falls back to the address', uri: 'sip:u@closed.example', out: ['udp 192.0.2.7 5060'] },
  { name: 'a name without dots is a host', uri: 'sip:u@pbx', out: ['udp 10.0.0.5 5060'] },
  { name: 'unknown host', uri: 'sip:u@nowhere.example', out: [] },
  {
    name: 'a browser, by where it came from',
    uri: 'sip:u@192.0.2.5:40000;transport=ws',
    have: ['udp', 'ws'],
    out: ['ws 192.0.2.5 40000'],
  },
  { name: 'a browser is never guessed', uri: 'sip:u@example.com', have: ['ws', 'wss'], out: [] },
  { name: 'nor for sips', uri: 'sips:u@192.0.2.5', have: ['wss'], out: [] },
  { name: 'a browser by a name has no SRV', uri: 'sip:u@example.com;transport=wss', have: ['wss'], out: [] },
  { name: 'who does not know where it is', uri: 'sip:u@df7jal23ls0d.invalid;transport=ws', have: ['ws'], out: [] },
  { name: 'unknown transport', uri: 'sip:u@192.0.2.5;transport=sctp', out: [] },
  { name: 'a transport we lack', uri: 'sip:u@192.0.2.5;transport=tcp', have: ['udp'], out: [] },
  { name: 'sips without TLS here', uri: 'sips:u@192.0.2.5', have: ['udp', 'tcp'], out: [] },
  { name: 'sips over UDP does not exist', uri: 'sips:u@192.0.2.5;transport=udp', out: [] },
  { name: 'plain sip is never guessed to be TLS', uri: 'sip:u@192.0.2.5', have: ['tls'], out: [] },
  { name: '1300 bytes still go by UDP', uri: 'sip:u@192.0.2.5', bytes: 1_300, out: ['udp 192.0.2.5 5060'] },
  {
    name: 'above 1300 bytes TCP first, UDP after',
    uri: 'sip:u@192.0.2.5',
    bytes: 1_301,
    out: ['tcp 192.0.2.5 5060', 'udp 192.0.2.5 5060'],
  },
  { name: 'large, but no TCP here', uri: 'sip:u@192.0.2.5', have: ['udp'], bytes: 9_000, out: ['udp 192.0.2.5 5060'] },
];

describe('resolveTarget', () => {
  it.each(CASES)('$name', async ({ uri, have, bytes, out }) => {
    const parsed = parseSipUri(uri);
    if (!parsed) throw new Error('bad test uri');
    const options = { resolver: resolverOf(ZONE), transports: have ?? ALL, families: [4, 6] as const, random: () => 0 };
    const targets = await resolveTarget(parsed, options, bytes);
    expect(targets.map((t) => `${t.transport} ${t.address} ${t.port}`)).toEqual(out);
  });

  it('names the domain of the URI for the certificate, not the SRV target', async () => {
    const resolver = new TargetResolver({ transports: ALL, resolver: resolverOf(ZONE) });
    expect((await resolver.resolve('sips:u@example.com'))[0]?.serverName).toBe('example.com');
    expect((await resolver.resolve('sips:u@192.0.2.5'))[0]?.serverName).toBeUndefined();
  });

  it('uses only families we can send by', async () => {
    const only = (families: readonly (4 | 6)[]) =>
      new TargetResolver({ transports: ['udp'], families, resolver: resolverOf(ZONE) }).resolve(
        'sip:u@b.example.com:5060',
      );
    expect((await only([6])).map((t) => t.address)).toEqual(['2001:db8::2']);
    expect((await only([6, 4])).map((t) => t.address)).toEqual(['2001:db8::2', '192.0.2.2']);
  });

  it('is bounded however much a zone holds', async () => {
    const many = Array.from({ length: 500 }, (_, i) => srv(`h${i}.example`, 5060, i % 7, i));
    const hosts = Object.fromEntries(many.map((record, i) => [record.name, [`192.0.2.${i % 250}`]]));
    const resolver = new TargetResolver({
      transports: ['udp'],
      resolver: resolverOf({ srv: { '_sip._udp.big.example': many }, hosts }),
    });
    expect(await resolver.resolve('sip:big.example')).toHaveLength(8);
  });

  it('ends at once when aborted, though the name server hangs', async () => {
    const hangs = new Promise<never>(() => undefined);
    const resolver = new TargetResolver({
      transports: ALL,
      resolver: { naptr: () => hangs, srv: () => hangs, addresses: () => hangs },
    });
    const controller = new AbortController();
    const waiting = resolver.resolve('sip:example.com', controller.signal);
    controller.abort();
    expect(await waiting).toEqual([]);
    expect(await resolver.resolve('sip:example.com', controller.signal)).toEqual([]);
  });

  it.each(['', 'tel:+966', 'sip:', 'sip:a b@c', 'nonsense'])('finds nothing for %j', async (uri) => {
    expect(await new TargetResolver({ transports: ALL, resolver: resolverOf(ZONE) }).resolve(uri)).toEqual([]);
  });
});

describe('orderSrv', () => {
  it('draws by weight within a priority', () => {
    const records = [srv('light', 1, 1, 10), srv('heavy', 1, 1, 90), srv('later', 1, 2, 1000)];
    const first = (random: number): string[] => orderSrv(records, () => random).map((record) => record.name);
    expect(first(0)).toEqual(['light', 'heavy', 'later']);
    expect(first(0.09)).toEqual(['light', 'heavy', 'later']);
    expect(first(0.11)).toEqual(['heavy', 'light', 'later']);
    expect(first(0.999)).toEqual(['heavy', 'light', 'later']);
  });
  it('takes zero weights in the order given', () => {
    expect(orderSrv([srv('a', 1, 1, 0), srv('b', 1, 1, 0)], () => 0.5).map((r) => r.name)).toEqual(['a', 'b']);
  });
});
