import { networkInterfaces } from 'node:os';
import { beforeEach, describe, expect, it } from 'vitest';
import { PUBLIC_ONLY } from '../../../src/core/trunk.ts';
import type { SrvRecord } from '../../../src/sip-server/transport/dns-resolver.ts';
import { TargetResolver } from '../../../src/sip-server/transport/resolve-target.ts';
import { brief, type FakePeer, OFFER, phoneAnswer, SipRig } from '../../support/sip-rig.ts';

const PUBLIC = '8.8.4.4';
const HOP = `sip:pbx.example.com;transport=udp;${PUBLIC_ONLY}`;
const OPTIONS = 'OPTIONS sip:pbx.example.com SIP/2.0\r\nfrom: sip:ping@localhost\r\n\r\n';
const REGISTER = 'REGISTER sip:pbx.example.com SIP/2.0\r\nfrom: sip:1@localhost\r\n\r\n';
const INVITE = `INVITE sip:bob@pbx.example.com SIP/2.0\r\nfrom: sip:1@localhost\r\ncontact: sip:1@localhost\r\n\r\n${OFFER}`;
const own = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));

/** What the name servers say; a test changes it between two questions. */
const zone: { naptr?: string; srv?: SrvRecord[]; addresses: string[] } = { addresses: [] };
const resolver = new TargetResolver({
  transports: ['udp', 'tcp'],
  resolver: {
    naptr: async () =>
      zone.naptr ? [{ flags: 's', service: 'SIP+D2U', replacement: zone.naptr, order: 1, preference: 1 }] : [],
    srv: async () => zone.srv ?? [],
    addresses: async () => zone.addresses,
  },
});

let rig: SipRig;
let far: FakePeer;
beforeEach(() => {
  rig = new SipRig({ resolver, externalAddress: '9.9.9.9' });
  far = rig.peer(PUBLIC);
  Object.assign(zone, { naptr: undefined, srv: undefined, addresses: [PUBLIC] });
});

/** @returns what the application is told. */
async function send(request: string, hop = HOP): Promise<string> {
  const id = rig.apps[0]!.command(`sip|||${hop}`, request);
  await rig.settle();
  const reply = rig.apps[0]!.replies.get(id);
  return reply?.ok ? 'sent' : (reply?.reason ?? 'nothing');
}

describe('a next hop that may lead to the public internet alone', () => {
  it.each([
    ['OPTIONS', OPTIONS],
    ['REGISTER', REGISTER],
    ['INVITE', INVITE],
  ])('is sent %s where its name leads there, and nowhere a moment later', async (method, request) => {
    expect(await send(request)).toBe('sent');
    expect(far.takeBriefs()[0]).toMatch(new RegExp(`^${method}`));
    const inside = rig.peer('10.0.0.5');
    zone.addresses = ['10.0.0.5'];
    expect(await send(request)).toBe('next hop is not public');
    expect(inside.take()).toEqual([]);
  });

  it.each([
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '::1',
      'fe80::1',
      'fd00:ec2::254',
    ],
    ...['::ffff:10.0.0.1', '64:ff9b::a00:1', '9.9.9.9'],
    ...own,
  ])('is sent nothing where its name leads to %s', async (address) => {
    const inside = rig.peer(address);
    zone.addresses = [address];
    expect(await send(INVITE)).toBe('next hop is not public');
    zone.addresses = [PUBLIC, address];
    expect(await send(INVITE)).toBe('next hop is not public');
    expect([...inside.take(), ...far.take()]).toEqual([]);
  });

  it('is judged by where SRV and NAPTR lead', async () => {
    const inside = rig.peer('10.0.0.5', 5070);
    zone.naptr = '_sip._udp.elsewhere.example';
    zone.srv = [{ name: 'sbc.elsewhere.example', port: 5070, priority: 1, weight: 1 }];
    zone.addresses = ['10.0.0.5'];
    expect(await send(OPTIONS, `sip:pbx.example.com;${PUBLIC_ONLY}`)).toBe('next hop is not public');
    zone.naptr = undefined;
    expect(await send(OPTIONS)).toBe('next hop is not public');
    expect(inside.take()).toEqual([]);
    zone.addresses = [PUBLIC];
    const outside = rig.peer(PUBLIC, 5070);
    expect(await send(OPTIONS)).toBe('sent');
    expect(outside.takeBriefs()).toHaveLength(1);
  });

  it.each([
    `sip:127.1;${PUBLIC_ONLY}`,
    `sip:8.8.4.4;maddr=10.0.0.5;${PUBLIC_ONLY}`,
    `sip:pbx.example.com;${PUBLIC_ONLY}=no`,
  ])('is judged however it is written: %s', async (hop) => {
    zone.addresses = ['10.0.0.5']; // as the system reads 127.1, too
    expect(await send(OPTIONS, hop)).toBe('next hop is not public');
  });

  it('has its call hung up nowhere else, whatever route it asks for', async () => {
    const inside = rig.peer('10.0.0.5', 5070);
    expect(await send(INVITE)).toBe('sent');
    const [invite] = far.take();
    far.deliver(phoneAnswer(invite!, 200, { body: OFFER, headers: ['Record-Route: <sip:10.0.0.5:5070;lr>'] }));
    await rig.settle();
    const { dialogId } = rig.apps[0]!.last;
    rig.apps[0]!.command(`sip||${dialogId}`, 'ACK sip:bob@pbx.example.com SIP/2.0\r\n\r\n');
    await rig.settle();
    rig.apps[0]!.command(`sip||${dialogId}`, 'BYE sip:bob@pbx.example.com SIP/2.0\r\n\r\n');
    await rig.settle();
    expect(inside.take().map(brief)).toEqual([]);
  });
});

it('any other next hop leads inside as well', async () => {
  const inside = rig.peer('10.0.0.5');
  zone.addresses = ['10.0.0.5'];
  expect(await send(OPTIONS, 'sip:pbx.example.com;transport=udp')).toBe('sent');
  expect(inside.takeBriefs()).toHaveLength(1);
});
