import { describe, expect, it } from 'vitest';
import type { LegInfo } from '../../src/call/leg.ts';
import type { CallSource } from '../../src/core/trunk.ts';
import { isDialogOf, mayTakeOver, replacesIn } from '../../src/sip/replaces.ts';
import { FakeDialog, fakeRequest } from '../support/fake-srf.ts';

const read = (header: string | undefined) =>
  replacesIn(fakeRequest({ headers: header === undefined ? {} : { Replaces: header } }));

describe('a Replaces header', () => {
  it.each([
    [undefined, undefined],
    ['abc@pbx;to-tag=7743;from-tag=6472', { callId: 'abc@pbx', toTag: '7743', fromTag: '6472', earlyOnly: false }],
    [' abc ; from-tag=1 ;To-Tag = 2;early-only', { callId: 'abc', toTag: '2', fromTag: '1', earlyOnly: true }],
    ['abc;to-tag=1;from-tag=2;x=y', { callId: 'abc', toTag: '1', fromTag: '2', earlyOnly: false }],
    ['', 'malformed'],
    ['abc', 'malformed'],
    ['abc;to-tag=1', 'malformed'],
    [';to-tag=1;from-tag=2', 'malformed'],
    ['abc;to-tag=;from-tag=2', 'malformed'],
    ['abc;to-tag=1;from-tag=2, def;to-tag=1;from-tag=2', 'malformed'],
    [`${'a'.repeat(2_000)};to-tag=1;from-tag=2`, 'malformed'],
  ])('%j', (header, expected) => {
    expect(read(header)).toEqual(expected);
  });

  it('names a dialog by our tag and theirs', () => {
    const dialog = new FakeDialog(); // local tag b, remote tag a
    const named = (callId: string, toTag: string, fromTag: string): boolean =>
      isDialogOf({ callId, toTag, fromTag, earlyOnly: false }, dialog);
    expect(named('call', 'b', 'a')).toBe(true);
    expect([named('call', 'a', 'b'), named('other', 'b', 'a'), named('call', 'b', 'x')]).toEqual([false, false, false]);
  });
});

describe('who may take over a call', () => {
  const from = (sourceAddress: string, source?: CallSource): LegInfo => ({
    ...{ sipCallId: 'c', from: 'a', to: 'b', called: 'b', sourceAddress, transport: 'udp', variables: {} },
    ...(source && { source }),
  });
  const [TRUNK, OTHER] = ['t1', 't2'].map((id) => ({ kind: 'trunk', id, name: id, accountId: 'a1' }) as const);
  const [ANNA, BEN, CARL] = [
    ['p1', 'a1'],
    ['p2', 'a1'],
    ['p3', 'a2'],
  ].map(([id, accountId]) => ({ kind: 'phone', id: id!, name: id!, accountId: accountId! }) as const);
  const [HERE, THERE] = ['192.0.2.1:5060', '192.0.2.2:5060'];

  it.each<[string, LegInfo, LegInfo, boolean]>([
    ['the same host, another port', from('192.0.2.1:9'), from(HERE!), true],
    ['another host', from(THERE!), from(HERE!), false],
    ['another host of the trunk', from(THERE!, TRUNK), from(HERE!, TRUNK), true],
    ['another trunk', from(THERE!, OTHER), from(HERE!, TRUNK), false],
    ['a phone of the account', from(THERE!, BEN), from(HERE!, ANNA), true],
    ['a phone of another account', from(THERE!, CARL), from(HERE!, ANNA), false],
    ['a phone where a trunk called', from(THERE!, ANNA), from(HERE!, TRUNK), false],
    ['a phone of another account behind the same NAT', from('192.0.2.1:9', CARL), from(HERE!, ANNA), false],
    [
      'another account by the same exchange',
      from('192.0.2.1:9', { ...OTHER!, accountId: 'a2' }),
      from(HERE!, TRUNK),
      false,
    ],
    ['a phone of the same account behind the same NAT', from('192.0.2.1:9', BEN), from(HERE!, ANNA), true],
    ['this machine', from('127.0.0.2:1', { kind: 'loopback' }), from('127.0.0.1:1', { kind: 'loopback' }), true],
    ['strangers', from(THERE!, { kind: 'anonymous' }), from(HERE!, { kind: 'anonymous' }), false],
  ])('%s', (_name, next, replaced, may) => {
    expect(mayTakeOver(next, replaced)).toBe(may);
  });
});
