import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { Admission, SenderFacts } from '../../src/call/admission.ts';
import { callEnd } from '../../src/call/call-end.ts';
import type { LegInfo } from '../../src/call/leg.ts';
import type { Trunk } from '../../src/core/trunk.ts';
import { CallAdmission, type CallAdmissionDeps, mayReach, type Strangers } from '../../src/trunks/call-admission.ts';
import { isOwnAddress, OWN_TEST_VARIABLE, OwnTests } from '../../src/trunks/own-tests.ts';
import { RefusalLog, remedyOf } from '../../src/trunks/refusal-log.ts';
import { SourceMatcher } from '../../src/trunks/source-match.ts';
import { TrunkLines } from '../../src/trunks/trunk-lines.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { LogCapture } from '../support/log-capture.ts';
import { trunkOf } from '../support/trunks.ts';

const INFO: LegInfo = {
  ...{ sipCallId: 'c1', from: '0512345678', to: '1000', called: '1000' },
  ...{ sourceAddress: '192.0.2.10:5060', transport: 'udp', variables: { ticket: '7' } },
};
const STRANGER = '203.0.113.66:5060';
const PHONE = { id: 'pho_1', accountId: 'acc_1', name: 'reception', username: 'u' };
const inbound = (changed: Partial<Trunk['definition']['inbound']>) => ({
  inbound: { sources: [], auth: 'none', ...changed } as Trunk['definition']['inbound'],
});

function admission(
  trunks: readonly Trunk[],
  strangers: Strangers = 'refused',
  changed: Partial<CallAdmissionDeps> = {},
) {
  const sources = new SourceMatcher(trunks);
  return new CallAdmission({
    ...{ sources: () => sources, lines: new TrunkLines(new FakeClock()), livingOf: () => 0, strangers },
    ...{ isPhoneAt: () => false, isAllowedSource: undefined, ...changed },
  });
}
const admit = (
  trunks: readonly Trunk[],
  info: Partial<LegInfo> = {},
  facts: Partial<SenderFacts> = {},
  strangers?: Strangers,
) => admission(trunks, strangers).admit({ ...INFO, ...info }, { headers: {}, ...facts });
const seen = (found: Admission): string =>
  found.kind === 'admitted'
    ? [found.info.source?.kind, 'name' in found.info.source! ? found.info.source.name : ''].join(' ').trim()
    : `${found.kind} ${found.end.reason}`;

describe('a trunk that is switched off', () => {
  const off = (changed: Parameters<typeof inbound>[0], accountId?: string): Trunk => ({
    ...trunkOf({ name: 'off', ...inbound(changed) }, accountId),
    enabled: false,
  });
  const wide = trunkOf({ name: 'wide', ...inbound({ sources: ['192.0.2.0/24'] }) });
  it.each([
    { name: 'by its address', trunk: off({ sources: ['192.0.2.10'] }) },
    { name: 'before it has to prove anything', trunk: off({ sources: ['192.0.2.10'], auth: 'digest', username: 'u' }) },
  ])('takes no calls, $name, and no other trunk takes them for it', ({ trunk }) => {
    const found = admission([wide, trunk], 'anonymous').admit(INFO, { headers: {} });
    expect(found).toEqual({
      kind: 'refused',
      end: { party: 'gateway', reason: 'switched-off', detail: 'trunk off is switched off' },
    });
    expect(remedyOf(callEnd('gateway', 'switched-off', 'trunk off is switched off'), INFO)).toContain(
      'Switch the trunk on',
    );
    expect(seen(admission([wide, { ...trunk, enabled: true }]).admit(INFO, { headers: {}, trunkId: trunk.id }))).toBe(
      'trunk off',
    );
  });

  it('takes none by its password either, wherever they come from', () => {
    const trunk = off({ auth: 'digest', username: 'pbx' });
    expect(seen(admit([trunk], {}, { trunkId: trunk.id }))).toBe('refused switched-off');
  });
});

describe('who calls', () => {
  const near = trunkOf({ name: 'near', ...inbound({ sources: ['192.0.2.10'] }) }, 'acc_1');
  const wide = trunkOf({ name: 'wide', ...inbound({ sources: ['192.0.2.0/24', '2001:db8::/32'] }) });
  const digest = trunkOf({ name: 'digest', ...inbound({ auth: 'digest', username: 'pbx' }) });
  const both = trunkOf({ name: 'both', ...inbound({ sources: ['198.51.100.1'], auth: 'digest', username: 'branch' }) });
  const certified = trunkOf({ name: 'certified', ...inbound({ certificateName: 'SBC.example.net' }) });
  const outOnly = trunkOf({ name: 'out', ...inbound({}) });
  // Another account's, at another address and in a wider network, by the same user.
  const namesake = trunkOf(
    { name: 'namesake', ...inbound({ sources: ['198.51.100.0/24'], auth: 'digest', username: 'branch' }) },
    'acc_2',
  );
  const guarded = trunkOf({
    name: 'guarded',
    ...inbound({ sources: ['192.0.2.77'], auth: 'digest', username: 'guard' }),
  });
  const all = [wide, near, digest, both, certified, outOnly, namesake, guarded];
  const by = (trunk: Trunk): Partial<SenderFacts> => ({ trunkId: trunk.id });

  it("this gateway itself, to test an agent, as long as the run goes on; its secret is nobody's variable", () => {
    const own = new OwnTests((address) => address === '192.0.2.10');
    const { headers, end } = own.letIn();
    const [name, secret] = Object.entries(headers)[0]!;
    const info = { ...INFO, variables: { [OWN_TEST_VARIABLE]: secret, other: 'x' } };
    const changed: Partial<CallAdmissionDeps> = {
      isOwnTest: (...asked) => own.isOne(...asked),
      isAllowedSource: () => false,
    };
    const asks = (sent: Record<string, string>, from = INFO.sourceAddress): Admission =>
      admission([], 'refused', changed).admit({ ...info, sourceAddress: from }, { headers: sent });
    const found = asks({ [name.toLowerCase()]: secret });
    expect([seen(found), found.kind === 'admitted' && found.info.variables]).toEqual(['loopback', { other: 'x' }]);
    expect(seen(asks({ [name]: `${secret.slice(0, -1)}?` }))).toBe('refused not-allowed');
    expect(seen(asks({}))).toBe('refused not-allowed');
    expect(seen(asks({ [name]: secret }, STRANGER))).toBe('refused not-allowed'); // whoever has heard of it
    end();
    expect(seen(asks({ [name]: secret }))).toBe('refused not-allowed');
  });

  it('own addresses are those of this machine, and the one that it is reached at', () => {
    const isOwn = isOwnAddress('203.0.113.1');
    const [first] = Object.values(networkInterfaces()).flatMap((ones) => ones ?? []);
    expect(['127.0.0.1', '::1', '203.0.113.1', first!.address].map(isOwn)).toEqual([true, true, true, true]);
    expect(['203.0.113.2', '8.8.8.8'].map(isOwn)).toEqual([false, false]);
  });

  it('brings how its keys come, where the trunk says that', () => {
    const dtmfOf = (dtmf: 'auto' | 'inband'): unknown => {
      const found = admit([trunkOf({ ...inbound({ sources: ['192.0.2.10'] }), dtmf })]);
      return found.kind === 'admitted' ? found.dtmf : found;
    };
    expect([dtmfOf('inband'), dtmfOf('auto')]).toEqual(['inband', undefined]);
  });

  it.each<{ name: string; from: string; facts: Partial<SenderFacts>; is: string }>([
    { name: 'the narrowest network wins', from: '192.0.2.10:5060', facts: {}, is: 'trunk near' },
    { name: 'a network', from: '192.0.2.99:1', facts: {}, is: 'trunk wide' },
    { name: 'an IPv6 network', from: '[2001:db8::7]:5061', facts: {}, is: 'trunk wide' },
    { name: 'IPv4 in IPv6 form', from: '[::ffff:192.0.2.99]:5061', facts: {}, is: 'trunk wide' },
    { name: 'a digest', from: STRANGER, facts: by(digest), is: 'trunk digest' },
    { name: 'address before digest', from: '192.0.2.10:9', facts: by(digest), is: 'trunk near' },
    {
      name: 'a certificate',
      from: STRANGER,
      facts: { certificateNames: ['x', 'sbc.example.NET'] },
      is: 'trunk certified',
    },
    { name: 'a digest of nobody', from: STRANGER, facts: { trunkId: 'trk_gone' }, is: 'challenge not-allowed' },
    { name: 'an address that needs a digest too', from: '198.51.100.1:5060', facts: {}, is: 'challenge not-allowed' },
    {
      name: 'with the digest of another',
      from: '198.51.100.1:5060',
      facts: by(digest),
      is: 'challenge not-allowed',
    },
    { name: 'with its own', from: '198.51.100.1:5060', facts: by(both), is: 'trunk both' },
    { name: 'that digest from elsewhere', from: STRANGER, facts: by(both), is: 'challenge not-allowed' },
    {
      name: 'of one user the trunk whose password it is',
      from: '198.51.100.1:1',
      facts: by(namesake),
      is: 'trunk namesake',
    },
    {
      name: 'never where that one does not call from',
      from: '198.51.100.9:1',
      facts: by(both),
      is: 'challenge not-allowed',
    },
    {
      name: 'a narrower one that asks, within one that does not',
      from: '192.0.2.77:1',
      facts: {},
      is: 'challenge not-allowed',
    },
    { name: 'and has its answer', from: '192.0.2.77:1', facts: by(guarded), is: 'trunk guarded' },
    { name: 'a phone', from: STRANGER, facts: { phone: PHONE }, is: 'phone reception' },
    {
      name: 'a phone at the address of a trunk that asks',
      from: '198.51.100.1:1',
      facts: { phone: PHONE },
      is: 'challenge not-allowed',
    },
    { name: 'nobody', from: STRANGER, facts: {}, is: 'challenge not-allowed' },
    { name: 'no address at all', from: 'nonsense', facts: {}, is: 'challenge not-allowed' },
  ])('$name: $is', ({ from, facts, is }) => {
    expect(seen(admit(all, { sourceAddress: from }, facts))).toBe(is);
  });

  it.each<[Strangers, string, string]>([
    ['refused', STRANGER, 'refused not-allowed'],
    ['refused', '127.0.0.1:5060', 'refused not-allowed'],
    ['loopback', '127.0.0.1:5060', 'loopback'],
    ['loopback', '[::1]:5060', 'loopback'],
    ['loopback', STRANGER, 'refused not-allowed'], // told of by a SIP server elsewhere
    ['anonymous', STRANGER, 'anonymous'],
  ])('strangers that are %s, from %s: %s', (strangers, sourceAddress, is) => {
    expect(seen(admit([near], { sourceAddress }, {}, strangers))).toBe(is);
  });

  it.each([
    ['ws', '203.0.113.66:40000', 'refused not-allowed'],
    ['wss', '[2001:db8::9]:40000', 'refused not-allowed'],
    ['ws', '127.0.0.1:40000', 'loopback'],
    ['ws', '[::1]:40000', 'loopback'],
    ['udp', '203.0.113.66:5060', 'refused not-allowed'], // a SIP server elsewhere tells of it
    ['udp', '127.0.0.1:5060', 'loopback'],
  ])('whoever comes by %s from %s to a gateway on a loopback address: %s', (transport, sourceAddress, is) => {
    expect(seen(admit([], { transport, sourceAddress }, {}, 'loopback'))).toBe(is);
    expect(seen(admit([], { transport, sourceAddress }, {}, 'anonymous'))).toBe('anonymous');
  });

  it.each([
    ['branch', '198.51.100.1', 'both'],
    ['branch', '198.51.100.9', 'namesake'],
    ['branch', '203.0.113.66', undefined],
    ['pbx', '203.0.113.66', 'digest'],
    ['pbx', '198.51.100.1', 'digest'],
    ['eve', '203.0.113.66', undefined],
  ])('a digest of %s from %s is checked against the password of trunk %s', (username, address, is) => {
    expect(new SourceMatcher(all).digestTrunk(username, address)?.definition.name).toBe(is);
  });

  it('asks where a phone has registered, and where a trunk is known by its digest alone', () => {
    const at = (trunks: readonly Trunk[], changed: Partial<CallAdmissionDeps> = {}) =>
      seen(admission(trunks, 'refused', changed).admit({ ...INFO, sourceAddress: STRANGER }, { headers: {} }));
    expect(at([near])).toBe('refused not-allowed');
    expect(at([near], { isPhoneAt: (address) => address === '203.0.113.66' })).toBe('challenge not-allowed');
    expect(at([near, both])).toBe('refused not-allowed');
    expect(at([near, digest])).toBe('challenge not-allowed');
  });

  it('keeps to sip.allowedSources, which lets in and shuts out', () => {
    const one = admission([near], 'refused', { isAllowedSource: (source) => source === STRANGER });
    expect(seen(one.admit({ ...INFO, sourceAddress: STRANGER }, { headers: {} }))).toBe('anonymous');
    expect(seen(one.admit(INFO, { headers: {} }))).toBe('refused not-allowed');
  });

  it('reaches its own account alone, with a trunk or phone of an account', () => {
    const of = (accountId?: string) => ({ kind: 'trunk', id: 't', name: 't', accountId }) as const;
    expect([mayReach(of('a'), 'a'), mayReach(of('a'), 'b'), mayReach(of(), 'b')]).toEqual([true, false, true]);
    expect([mayReach({ kind: 'loopback' }, 'b'), mayReach(undefined, 'b')]).toEqual([true, true]);
    expect(mayReach({ kind: 'phone', id: 'p', name: 'p', accountId: 'a' }, 'b')).toBe(false);
  });
});

describe('a call of a trunk', () => {
  const rules = {
    numbersIn: [
      { match: '05', replace: '+9665' },
      { match: '1', replace: '+9661' },
    ],
  };
  const taken = (changed: Parameters<typeof trunkOf>[0], info: Partial<LegInfo>, headers = {}) => {
    const found = admit([trunkOf({ ...rules, ...changed })], info, { headers });
    if (found.kind !== 'admitted') throw new Error(found.end.detail);
    return found.info;
  };

  it('has its numbers rewritten, Arabic-Indic digits too, and names left alone', () => {
    expect(taken({}, { called: '١٢٣' })).toMatchObject({ called: '+966123', from: '+966512345678' });
    expect(taken({}, { called: 'sales', from: 'anonymous' })).toMatchObject({ called: 'sales', from: 'anonymous' });
  });

  it('is of whom the trunk asserts, unless that is withheld', () => {
    const headers = {
      'P-Asserted-Identity': '"A" <sip:0511111111@sbc>, <tel:+1>',
      'Remote-Party-ID': '<sip:0522222222@sbc>',
    };
    expect(taken({}, {}, headers).from).toBe('+966512345678');
    expect(taken({ callerId: 'p-asserted-identity' }, {}, headers).from).toBe('+966511111111');
    expect(taken({ callerId: 'remote-party-id' }, {}, headers).from).toBe('+966522222222');
    const hidden = { ...headers, Privacy: 'id;critical' };
    expect(taken({ callerId: 'p-asserted-identity' }, { from: 'anonymous' }, hidden).from).toBe('anonymous');
    expect(taken({ callerId: 'p-asserted-identity' }, {}, { 'P-Asserted-Identity': '<<>' }).from).toBe('+966512345678');
  });

  it('brings the headers along that are asked for', () => {
    const headers = {
      Diversion: '<sip:1@x>;reason=unconditional',
      'X-Campaign': 'a\r\nb',
      'P-Charging-Vector': 'secret',
    };
    const { variables } = taken({ headersIn: ['diversion', 'x-campaign'] }, {}, headers);
    expect(variables).toEqual({ ticket: '7', diversion: '<sip:1@x>;reason=unconditional', campaign: 'a  b' });
  });

  it('is refused over the limits, so that it may come again', () => {
    const limits = { callsIn: 5, callsOut: 1, callsPerSecondIn: 2, callsPerSecondOut: 1 };
    let living = 0;
    const one = admission([trunkOf({ limits })], 'refused', { livingOf: () => living });
    const again = () => seen(one.admit(INFO, { headers: {} }));
    expect([again(), again(), again()]).toEqual(['trunk carrier', 'trunk carrier', 'refused busy']);
    living = 5;
    expect(again()).toBe('refused busy');
  });
});

describe('the log of refused calls', () => {
  it('writes what waits once a second, what is above its bound only counted, and what failed again', async () => {
    const clock = new FakeClock();
    const written: string[][] = [];
    let fails = true;
    const rows = {
      add: async (calls: readonly { from: string }[]) => {
        if (fails) throw new Error('away');
        written.push(calls.map(({ from }) => from));
      },
    };
    const log = new RefusalLog({ rows, clock, logger: new LogCapture().logger });
    const end = { party: 'gateway', reason: 'not-allowed', detail: 'no trunk and no phone of ours' } as const;
    for (let i = 0; i < 1200; i += 1) log.add({ ...INFO, from: `${i}` }, end);
    expect(log.counters.dropped).toBe(200);
    await clock.advanceAsync(1000, 1000);
    fails = false;
    await clock.advanceAsync(3000, 1000);
    expect(written.map((calls) => [calls.length, calls[0]])).toEqual([
      [500, '0'],
      [500, '500'],
    ]);
    log.add(INFO, end);
    await log.close();
    expect(written.at(-1)).toEqual([INFO.from]);
    expect(clock.pending).toBe(0);
  });

  it('says what would let the call in', () => {
    const refused = admit([], { sourceAddress: STRANGER });
    if (refused.kind === 'admitted') throw new Error('let in');
    expect(remedyOf(refused.end, { ...INFO, sourceAddress: STRANGER })).toContain('203.0.113.66');
    expect(remedyOf({ party: 'gateway', reason: 'no-such-number' }, INFO)).toContain('agents import');
  });
});
