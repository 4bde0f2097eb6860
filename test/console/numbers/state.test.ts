import { describe, expect, it } from 'vitest';
import TEXTS from '../../../src/console/i18n/locales/en/numbers.json' with { type: 'json' };
import { type Explained, sourceParts, stepsOf } from '../../../src/console/pages/numbers/model/explained.ts';
import {
  addressOnly,
  isIpAddress,
  isNumber,
  REFUSALS,
  refusalOf,
} from '../../../src/console/pages/numbers/model/refusal.ts';
import {
  placesCalls,
  problemWord,
  takesCalls,
  trunkState,
} from '../../../src/console/pages/numbers/model/trunk-state.ts';
import { noticeOf } from '../../../src/core/notice.ts';
import type { TrunkStatus } from '../../../src/core/trunk-status.ts';
import { NOT_ALLOWED_SOURCE, STRANGER } from '../../../src/trunks/call-admission.ts';

const host = (uri: string, state: 'up' | 'down' | 'unknown', answerMs?: number) => ({
  ...{ uri, state },
  ...(answerMs !== undefined && { answerMs }),
});
const registration = (state: string) => ({ state, since: '2026-01-01T00:00:00Z' });

describe('the state of a trunk', () => {
  it.each<{ name: string; status: TrunkStatus[]; light: string }>([
    { name: 'nobody has looked', status: [], light: 'unknown' },
    { name: 'every host answers', status: [{ hosts: [host('a', 'up', 3), host('b', 'up')] }], light: 'up' },
    { name: 'one of two', status: [{ hosts: [host('a', 'up'), host('b', 'down')] }], light: 'partly' },
    { name: 'one is not asked', status: [{ hosts: [host('a', 'up'), host('b', 'unknown')] }], light: 'partly' },
    { name: 'none', status: [{ hosts: [host('a', 'down')] }], light: 'down' },
    {
      name: 'two gateways differ',
      status: [{ hosts: [host('a', 'up')] }, { hosts: [host('a', 'down')] }],
      light: 'down',
    },
    {
      name: 'it is not registered',
      status: [{ hosts: [host('a', 'up')], registration: registration('waiting') }],
      light: 'down',
    },
    { name: 'it is being refreshed', status: [{ hosts: [], registration: registration('refreshing') }], light: 'up' },
  ])('is told by hosts and registration: $name', ({ status, light }) => {
    expect(trunkState(status).light).toBe(light);
  });

  it('of each host is the worst that a gateway sees', () => {
    const { hosts } = trunkState([{ hosts: [host('a', 'up', 3)] }, { hosts: [host('a', 'down')] }]);
    expect(hosts.map(({ uri, state }) => [uri, state])).toEqual([['a', 'down']]);
  });

  it.each([
    [undefined, undefined],
    ['silent', undefined],
    ['unreachable', 'There is no way to it.'],
    ['not-public', /not on the public internet/],
    ['certificate refused: CERT_HAS_EXPIRED', 'Its certificate was refused.'],
  ] as const)('says why a host is down: %s', (problem, text) => {
    const word = problemWord(problem);
    const said = word && TEXTS.hostProblem[word];
    if (text === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(text);
  });

  it('says whether calls come in and go out; of a trunk that is not described both', () => {
    expect([takesCalls(null), placesCalls(null)]).toEqual([true, true]);
    const inbound = { sources: [] as string[], auth: 'none' as const };
    const of = (part: object) => ({ inbound, hosts: [], allowedPrefixes: [], ...part }) as never;
    expect(takesCalls(of({}))).toBe(false);
    expect(takesCalls(of({ inbound: { ...inbound, sources: ['192.0.2.1'] } }))).toBe(true);
    expect(takesCalls(of({ inbound: { ...inbound, auth: 'digest' } }))).toBe(true);
    expect(placesCalls(of({ hosts: [{}] }))).toBe(false);
    expect(placesCalls(of({ hosts: [{}], allowedPrefixes: ['+966'] }))).toBe(true);
  });
});

describe('a refused call', () => {
  it.each([
    ['no-such-number', '', 'number'],
    ['no-such-number', 'the number is of another account than its trunk or phone', 'other-account'],
    ['agent-not-live', '', 'agent'],
    ['not-allowed', STRANGER, 'stranger'],
    ['not-allowed', NOT_ALLOWED_SOURCE, 'sources'],
    ['not-allowed', 'digest: wrong', 'password'],
    ['not-allowed', 'trunk x has to answer a challenge', 'proof'],
    ['busy', 'trunk x has its 1 calls in', 'trunk-lines'],
    ['busy', '', 'lines'],
    ['switched-off', 'trunk x is switched off', 'trunk-off'],
    ['switched-off', 'the number is switched off', 'number-off'],
    ['something new', '', 'other'],
    [null, '', 'other'],
  ])('by %s, %s, is let in by what "%s" says', (reason, detail, refusal) => {
    expect(refusalOf({ reason, detail_notice: noticeOf(detail, 'end') ?? null })).toBe(refusal);
  });

  it('has a text for each kind', () => {
    expect(Object.keys(TEXTS.refusal).sort()).toEqual([...REFUSALS].sort());
  });

  it.each([
    ['192.0.2.1:5060', '192.0.2.1'],
    ['[2001:db8::1]:5060', '2001:db8::1'],
    ['192.0.2.1', '192.0.2.1'],
  ])('from %s has the address %s', (source, address) => {
    expect(addressOnly(source)).toBe(address);
  });

  it('has a number that can be given only where it is one', () => {
    expect(['1000', '+966112345678', 'a b', '', 'x'.repeat(65), '<b>'].map(isNumber)).toEqual([
      ...[true, true, false, false, false, false],
    ]);
    expect(['192.0.2.1', '2001:db8::1', 'sbc.example', '1.2.3', '300.1.1.1'].map(isIpAddress)).toEqual([
      ...[true, true, false, false, false],
    ]);
  });
});

describe('the way of a call', () => {
  const call: Explained = {
    taken: true,
    sender: 'admitted',
    source: 'trunk stc',
    called: '1',
    agent: 'A',
    reason: null,
  };
  it.each([
    { name: 'answered', of: {}, states: 'yes yes yes yes' },
    { name: 'the agent is not live', of: { taken: false, reason: 'agent-not-live' }, states: 'yes yes no open' },
    { name: 'the number is off', of: { taken: false, reason: 'switched-off' }, states: 'yes no open open' },
    { name: 'nobody has it', of: { taken: false, agent: null }, states: 'yes no open open' },
    { name: 'a stranger', of: { taken: false, sender: 'refused', agent: null }, states: 'no open open open' },
    {
      name: 'who has to prove it',
      of: { taken: false, sender: 'challenge', agent: null },
      states: 'no open open open',
    },
  ] as const)('ends where it does: $name', ({ of, states }) => {
    const steps = stepsOf({ ...call, ...of } as Explained).map(({ state }) => state);
    expect(steps.join(' ')).toBe(states);
  });

  it('comes from somebody with a name or without', () => {
    expect(sourceParts('trunk my carrier')).toEqual({ kind: 'trunk', name: 'my carrier' });
    expect(sourceParts('loopback')).toEqual({ kind: 'loopback', name: '' });
    expect(sourceParts(null)).toEqual({ kind: 'unknown', name: '' });
  });
});
