import { describe, expect, it } from 'vitest';
import { agentCosts } from '../../src/console/pages/account/agent-costs.ts';
import { CHARGE_COLOURS, callOfCharge, isChargeKind } from '../../src/console/pages/account/charge-kinds.ts';
import { centsOf, dollarsOf, wholeOf } from '../../src/console/pages/account/money.ts';
import { changeOf, draftOf, shortened } from '../../src/console/pages/account/settings-draft.ts';

const NONE = {
  recordings_days: null,
  transcripts_days: null,
  calls_days: null,
  orders_days: null,
  refusals_days: null,
};
const account = {
  ...{ name: 'Bakery', time_zone: 'Asia/Riyadh', balance_alert_cents: null },
  limits: { calls_at_once: 5, calls_a_day: null, spend_a_day_cents: 1_999, requests_a_minute: null },
  retention: { ...NONE, transcripts_days: 90 },
  retention_default: { ...NONE, refusals_days: 30 },
};

describe('settings of an account', () => {
  const draft = draftOf(account);

  it('are shown as they are, and nothing is sent where nothing was changed', () => {
    expect(draft).toMatchObject({
      callsAtOnce: 5,
      callsADay: '',
      spendADay: 19.99,
      days: { recordings_days: '', transcripts_days: 90 },
    });
    expect(changeOf(account, draft)).toBeUndefined();
    expect(changeOf(account, { ...draft, name: ' Bakery ', callsAtOnce: '5' })).toBeUndefined();
  });

  it('are sent where they were changed, and no others', () => {
    expect(changeOf(account, { ...draft, spendADay: 20.1, callsAtOnce: '' })).toEqual({
      limits: { calls_at_once: null, spend_a_day_cents: 2_010 },
    });
    expect(changeOf(account, { ...draft, name: 'Other', days: { ...draft.days, recordings_days: 7 } })).toEqual({
      name: 'Other',
      retention: { recordings_days: 7 },
    });
    expect(changeOf(account, { ...draft, alertBelow: 20 })).toEqual({ balance_alert_cents: 2_000 });
    expect(changeOf(account, { ...draft, alertBelow: 0 })).toBeUndefined();
    expect(changeOf(account, { ...draft, requestsAMinute: 300 })).toEqual({ limits: { requests_a_minute: 300 } });
    expect(changeOf(account, { ...draft, requestsAMinute: 0 })).toBeUndefined();
    expect(changeOf(account, { ...draft, callsADay: 0 })).toEqual({ limits: { calls_a_day: 0 } });
  });

  it.each([
    [{ recordings_days: 7 }, [['recordings_days', 7]]],
    [{ transcripts_days: 89 }, [['transcripts_days', 89]]],
    [{ refusals_days: 31 }, []],
    [{ refusals_days: 29 }, [['refusals_days', 29]]],
    [{ transcripts_days: 91 }, []],
    [{ transcripts_days: null }, []],
    [{}, []],
  ])('that keep less than before are known: %j', (retention, gone) => {
    expect(shortened(account, { retention })).toEqual(gone);
  });
});

describe('money in fields', () => {
  it('is whole cents, however it was typed', () => {
    expect([centsOf(0.29), centsOf('1234.56'), centsOf(''), centsOf('-'), centsOf(1.005)]).toEqual([
      ...[29, 123_456, null, null],
      100,
    ]);
    expect([dollarsOf(1_999), dollarsOf(null), wholeOf('12'), wholeOf(''), wholeOf('x')]).toEqual([
      ...[19.99, '', 12, null, null],
    ]);
  });
});

describe('what agents have cost', () => {
  const line = (agent_id: string | null, cents: number) => ({ agent_id, cents });

  it('is added up, the dearest first, the public API as one', () => {
    expect(agentCosts([line('a', 1), line('b', 5), line('a', 3), line(null, 1), line('free', 0)], 8)).toEqual([
      { key: 'b', agentId: 'b', agents: 1, cents: 5, share: 0.5 },
      { key: 'a', agentId: 'a', agents: 1, cents: 4, share: 0.4 },
      { key: 'api', agentId: null, agents: 0, cents: 1, share: 0.1 },
    ]);
    expect(agentCosts([], 8)).toEqual([]);
  });

  it('has one row for those that are left over', () => {
    const costs = agentCosts([line('a', 4), line('b', 3), line('c', 2), line('d', 1)], 3);
    expect(costs.map(({ key, agents, cents }) => [key, agents, cents])).toEqual([
      ['a', 1, 4],
      ['b', 1, 3],
      ['rest', 2, 3],
    ]);
  });
});

describe('charges', () => {
  it('name the call that they are for', () => {
    expect(callOfCharge('call_5xq2k7w3n4b6c2d7e3fa/minute/0')).toBe('call_5xq2k7w3n4b6c2d7e3fa');
    expect([callOfCharge('req_5xq2'), callOfCharge('acc_1/demo-credit'), callOfCharge('call_../x')]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it('have a colour each, and names of objects are no kinds', () => {
    expect(new Set(Object.values(CHARGE_COLOURS)).size).toBe(Object.keys(CHARGE_COLOURS).length);
    expect([isChargeKind('speech'), isChargeKind('toString')]).toEqual([true, false]);
  });
});
