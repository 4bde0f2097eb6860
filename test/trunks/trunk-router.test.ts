import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallEnd } from '../../src/call/call-end.ts';
import type { CallRoute, RouteOrder } from '../../src/call/call-router.ts';
import { PUBLIC_ONLY, type Trunk } from '../../src/core/trunk.ts';
import { parseSipUri } from '../../src/sip-server/message/sip-uri.ts';
import { directHosts, parseTarget } from '../../src/trunks/call-targets.ts';
import type { HostState } from '../../src/trunks/host-health.ts';
import { TrunkLines } from '../../src/trunks/trunk-lines.ts';
import { hopOf, TrunkRouter } from '../../src/trunks/trunk-router.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { LogCapture } from '../support/log-capture.ts';
import { runs } from '../support/property-runs.ts';
import { trunkOf } from '../support/trunks.ts';

const ORDER: RouteOrder = { accountId: 'mine', target: '+966512345678', from: '+966112223344' };
const MOBILE = { allowedPrefixes: ['+966'] };

interface Setup {
  readonly down?: readonly string[];
  readonly password?: string;
  readonly secretsFail?: boolean;
  readonly direct?: (host: string) => boolean;
}
function routerOf(trunks: readonly Trunk[], { down = [], password, secretsFail, direct }: Setup = {}) {
  const asked: string[] = [];
  const router = new TrunkRouter({
    directory: {
      trunksFor: (accountId) => [
        ...trunks.filter((trunk) => trunk.accountId === accountId),
        ...trunks.filter((trunk) => trunk.accountId === undefined),
      ],
      secretsOf: async (id) => {
        asked.push(id);
        if (secretsFail) throw new Error('connection refused');
        return password === undefined ? {} : { password };
      },
    },
    phones: {
      get: async (accountId, name) =>
        accountId === 'mine' && ['reception', 'away'].includes(name)
          ? { id: `pho_${name}`, accountId, name, username: name }
          : undefined,
    },
    contacts: {
      contactsOf: (id) =>
        id === 'pho_reception' ? [{ uri: 'sip:r@10.0.0.9:5062', nextHop: 'sip:10.0.0.9:40000;transport=tcp' }] : [],
    },
    health: { statusOf: (_id, uri) => ({ state: (down.includes(uri) ? 'down' : 'unknown') satisfies HostState }) },
    serviceRouteOf: (id, hop) => (id === 'trk_registered' && hop.startsWith('sip:b.') ? ['<sip:edge;lr>'] : []),
    lines: new TrunkLines(new FakeClock()),
    isDirectHost: direct ?? directHosts([], false),
    random: () => 0,
    logger: new LogCapture().logger,
  });
  return { router, asked, route: (order: Partial<RouteOrder> = {}) => router.route({ ...ORDER, ...order }) };
}
const went = (found: CallRoute | CallEnd): string =>
  'reason' in found
    ? `${found.reason}: ${found.detail}`
    : `${found.trunk?.name ?? 'direct'} ${found.attempts.map(({ uri }) => uri).join(' ')}`;

describe('the host of a trunk', () => {
  const hop = (uri: string, accountId?: string, byOperator = false) =>
    hopOf({ ...trunkOf({}, accountId), byOperator }, { uri, priority: 1, weight: 1 });
  const only = `;transport=udp;${PUBLIC_ONLY}`;
  it.each([
    { name: 'is public alone where an account wrote it', uri: 'sip:pbx.example.com', by: 'mine', end: only },
    { name: 'is, too, as a number', uri: 'sip:8.8.4.4;maddr=10.0.0.1', by: 'mine', end: only },
    {
      name: 'may be anywhere where it is the operator’s',
      uri: 'sip:pbx.example.com',
      by: undefined,
      end: ';transport=udp',
    },
    {
      name: 'may lie inside where it says so, which an account may not write',
      uri: 'sip:[fd00::1]',
      by: 'mine',
      end: ';transport=udp',
    },
  ])('$name', ({ uri, by, end }) => {
    expect(hop(uri, by)).toBe(`${uri}${end}`);
  });

  it('may be anywhere where an operator wrote it for an account', () => {
    expect(hop('sip:pbx.example.com', 'mine', true)).toBe('sip:pbx.example.com;transport=udp');
  });

  it('is told to nobody with that', async () => {
    const hosts = [{ uri: 'sip:pbx.example.com', priority: 1, weight: 1 }];
    const { route } = routerOf([trunkOf({ name: 'own', hosts, ...MOBILE }, 'mine')]);
    expect(await route()).toMatchObject({
      attempts: [{ uri: 'sip:+966512345678@pbx.example.com;transport=udp', nextHop: `sip:pbx.example.com${only}` }],
    });
  });
});

describe('a number', () => {
  it('goes by the account’s trunk first, then by the operator’s, never by another’s', async () => {
    const trunks = [trunkOf({ name: 'shared', ...MOBILE }), trunkOf({ name: 'theirs', ...MOBILE }, 'theirs')];
    expect(went(await routerOf(trunks).route())).toBe('shared sip:+966512345678@192.0.2.10:5060;transport=udp');
    const own = trunkOf({ name: 'own', ...MOBILE }, 'mine');
    expect(went(await routerOf([...trunks, own]).route())).toMatch(/^own /);
    expect(went(await routerOf([...trunks, own]).route({ trunk: 'shared' }))).toMatch(/^shared /);
    expect(went(await routerOf([...trunks, own]).route({ trunk: 'theirs' }))).toMatch(/^not-allowed: no trunk/);
    expect(went(await routerOf([...trunks, own]).route({ trunk: 'trk_theirs' }))).toMatch(/^not-allowed: no trunk/);
    expect(went(await routerOf([trunks[1]!]).route())).toMatch(/^not-allowed: no trunk/);
  });

  it('goes by no trunk that is switched off', async () => {
    const off = { ...trunkOf({ name: 'own', ...MOBILE }, 'mine'), enabled: false };
    expect(went(await routerOf([off]).route())).toBe('not-allowed: own: it is switched off');
    expect(went(await routerOf([off, trunkOf({ name: 'shared', ...MOBILE })]).route())).toMatch(/^shared /);
  });

  it('is sent as the trunk writes it: what was checked is what is dialled', async () => {
    const trunk = trunkOf({
      ...{ allowedPrefixes: ['+966'], numbersIn: [{ match: '05', replace: '+9665' }] },
      numbersOut: [{ match: '+966', replace: '0' }],
    });
    for (const target of ['0512345678', '+966512345678', '00966512345678', 'tel:+966-51-234-5678', '٠٥١٢٣٤٥٦٧٨']) {
      expect(went(await routerOf([trunk]).route({ target }))).toBe(
        'carrier sip:0512345678@192.0.2.10:5060;transport=udp',
      );
    }
    const found = await routerOf([trunk]).route();
    expect(!('reason' in found) && found.attempts[0]).toMatchObject({
      from: '0112223344',
      nextHop: 'sip:192.0.2.10:5060;transport=udp',
    });
  });

  it.each([
    '+979123456789',
    '00979123456789',
    '+00979123456789',
    '+881612345678',
    '+966925000000',
    '+12125551234',
    '0900123456',
    '+0966512345678',
  ])('that nobody allowed is not called: %s', async (target) => {
    expect(went(await routerOf([trunkOf(MOBILE)]).route({ target }))).toMatch(/^not-allowed: carrier: /);
  });

  it('passes the proxies that the host wants which we are registered at', async () => {
    const hosts = ['a', 'b'].map((name, priority) => ({ uri: `sip:${name}.example`, priority, weight: 1 }));
    const found = await routerOf([trunkOf({ name: 'registered', hosts, ...MOBILE })]).route();
    const ways = 'attempts' in found ? found.attempts.map(({ nextHop, route }) => [nextHop, route]) : [];
    expect(ways).toEqual([
      ['sip:a.example;transport=udp', undefined],
      ['sip:b.example;transport=udp', ['<sip:edge;lr>']],
    ]);
  });

  it('passes over hosts that are down, and trunks that have none left or no line', async () => {
    const hosts = ['a', 'b'].map((name, priority) => ({ uri: `sip:${name}.example`, priority, weight: 1 }));
    const first = trunkOf({ name: 'first', hosts, ...MOBILE }, 'mine');
    const second = trunkOf({
      name: 'second',
      ...MOBILE,
      limits: { callsIn: 1, callsOut: 1, callsPerSecondIn: 1, callsPerSecondOut: 9 },
    });
    const at = (host: string) => `sip:+966512345678@${host};transport=udp`;
    expect(went(await routerOf([first]).route())).toBe(`first ${at('a.example')} ${at('b.example')}`);
    expect(went(await routerOf([first], { down: ['sip:a.example'] }).route())).toBe(`first ${at('b.example')}`);
    const dead = routerOf([first, second], { down: ['sip:a.example', 'sip:b.example'] });
    const taken = await dead.route();
    expect(went(taken)).toMatch(/^second /);
    expect(went(await dead.route())).toMatch(/^signalling-lost: no host of trunk first/);
    if ('reason' in taken) throw new Error('not taken');
    taken.release();
    expect(went(await dead.route())).toMatch(/^second /);
  });

  it('answers challenges of the trunk’s realm alone, and takes no line where the password cannot be had', async () => {
    const trunk = trunkOf({
      ...MOBILE,
      outbound: { username: 'u', realm: 'carrier.example', fromDomain: 'us.example' },
    });
    const found = await routerOf([trunk], { password: 'p' }).route();
    expect(!('reason' in found) && found.attempts[0]).toMatchObject({
      ...{ credentials: { username: 'u', password: 'p', realm: 'carrier.example' }, fromDomain: 'us.example' },
    });
    const failing = routerOf([trunk], { secretsFail: true });
    expect(went(await failing.route())).toMatch(/^store-unavailable/);
    const open = routerOf([trunkOf(MOBILE)]);
    await open.route();
    expect(open.asked).toEqual([]);
  });

  it('is told variables of the call in the headers of the trunk', async () => {
    const headersOut = { 'X-Ticket': 'no {ticket}', 'X-Customer': '{customer}', 'X-Site': 'riyadh' };
    const variables = { ticket: '7\r\nEvil: 1' };
    const found = await routerOf([trunkOf({ ...MOBILE, headersOut })]).route({ variables });
    expect(!('reason' in found) && found.attempts[0]?.headers).toEqual({
      'X-Ticket': 'no 7  Evil: 1',
      'X-Site': 'riyadh',
    });
  });

  it('is called under the name that the trunk wants', async () => {
    const attempt = async (callerId: 'from' | 'p-asserted-identity' | 'remote-party-id', from = ORDER.from) => {
      const found = await routerOf([trunkOf({ ...MOBILE, callerId, headersOut: { 'X-Site': 'riyadh' } })]).route({
        from,
      });
      return 'reason' in found ? undefined : found.attempts[0];
    };
    expect((await attempt('from'))?.headers).toEqual({ 'X-Site': 'riyadh' });
    expect((await attempt('p-asserted-identity'))?.headers).toMatchObject({
      'P-Asserted-Identity': '<sip:+966112223344@192.0.2.10>',
    });
    expect((await attempt('remote-party-id'))?.headers).toMatchObject({
      'Remote-Party-ID': '<sip:+966112223344@192.0.2.10>;party=calling;screen=yes;privacy=off',
    });
    expect(await attempt('p-asserted-identity', 'anonymous')).toMatchObject({
      ...{ from: 'anonymous', fromDomain: 'anonymous.invalid', displayName: 'Anonymous' },
      headers: { 'X-Site': 'riyadh', Privacy: 'id' },
    });
  });

  it('is called by the account that a carrier looks for in From, whoever calls', async () => {
    const outbound = { fromUser: '500123', fromDomain: 'us.example' };
    const trunk = trunkOf({ ...MOBILE, outbound, callerId: 'p-asserted-identity' });
    for (const [from, headers] of [
      [ORDER.from, { 'P-Asserted-Identity': '<sip:+966112223344@us.example>' }],
      ['anonymous', { Privacy: 'id' }],
    ] as const) {
      const found = await routerOf([trunk]).route({ from });
      const attempt = 'reason' in found ? undefined : found.attempts[0];
      expect(attempt).toMatchObject({ from: '500123', fromDomain: 'us.example', headers });
    }
  });
});

describe('other targets', () => {
  it.each([
    ['phone:reception', 'direct sip:r@10.0.0.9:5062'],
    ['phone:away', 'no-answer: the phone is not registered'],
    ['phone:nobody', 'no-such-number: the account has no such phone'],
    ['sip:bob@evil.example', /^not-allowed/],
    ['sip:+966512345678@192.0.2.10', /^not-allowed/],
    ['sips:bob@127.0.0.1', /^not-allowed/],
    ['sip:a@b\r\nX: 1', /^no-such-number/],
    ['sip:a@b?Subject=x', /^no-such-number/],
    ['sip:a@good.example@evil.example', /^no-such-number/],
    ['sip:good.example;x=y@evil_host.example', /^no-such-number/],
    ['sip:good.example:5060;x=y@evil.example:99999', /^not-allowed/],
    ['https://x', /^no-such-number/],
    ['', /^no-such-number/],
  ])('%j: %s', async (target, is) => {
    const found = went(
      await routerOf([trunkOf(MOBILE)], { direct: directHosts(['good.example'], false) }).route({ target }),
    );
    if (typeof is === 'string') expect(found).toBe(is);
    else expect(found).toMatch(is);
  });

  it('another account’s phone is nobody’s', async () => {
    expect(went(await routerOf([]).route({ accountId: 'theirs', target: 'phone:reception' }))).toMatch(
      /^no-such-number/,
    );
  });

  it.each([
    [[], true, '127.0.0.1', true],
    [[], true, 'localhost', true],
    [[], true, '[::1]', true],
    [[], true, '127.0.0.1.evil.example', false],
    [[], false, '127.0.0.1', false],
    [['10.0.0.0/8'], false, '10.9.8.7', true],
    [['10.0.0.0/8'], false, '11.9.8.7', false],
    [['PBX.example'], false, 'pbx.EXAMPLE.', true],
    [['pbx.example'], false, 'notpbx.example', false],
    [['2001:db8::/32'], false, '[2001:db8::5]', true],
  ] as const)('hosts %j, on loopback %s: %s is %s', (allowed, onLoopback, host, is) => {
    expect(directHosts(allowed, onLoopback)(host)).toBe(is);
  });

  it('reads the host that would be dialled', () => {
    expect(parseTarget('sip:u:p@h.example:5070;transport=tcp')).toMatchObject({ host: 'h.example' });
    expect(parseTarget('sip:h.example')).toMatchObject({ host: 'h.example' });
    expect(parseTarget('sip:a@[2001:db8::5]:5060')).toMatchObject({ host: '[2001:db8::5]' });
    expect(parseTarget('sip:a@h.example;maddr=evil.example')).toBeUndefined();
    // Whoever sends it must read the same.
    const parts = [
      'good.example',
      'a',
      ';x=y',
      '@',
      'evil_host',
      ':5060',
      ':',
      ';transport=tcp',
      '[::1]',
      '%40',
      '..',
      '.',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), (pieces) => {
        const uri = `sip:${pieces.join('')}`;
        const target = parseTarget(uri);
        const dialled = parseSipUri(uri)?.host;
        if (target?.kind === 'uri' && dialled !== undefined) expect(target.host.replace(/^\[|\]$/g, '')).toBe(dialled);
      }),
      { numRuns: runs(20_000) },
    );
    expect(parseTarget(`sip:${'a'.repeat(600)}@h`)).toBeUndefined();
  });
});
