import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTrunk } from '../../src/config/trunks.ts';
import type { TrunkStatus } from '../../src/core/trunk-status.ts';
import { WEBHOOK_EVENTS, type WebhookBody } from '../../src/core/webhook.ts';
import type { CallFinish } from '../../src/store/call-rows.ts';
import { inTransaction } from '../../src/store/database.ts';
import type { KeptTransfer } from '../../src/store/schema.ts';
import { TrunkStateRows } from '../../src/store/trunk-states.ts';
import { webhookDeliveries } from '../../src/store/webhook-schema.ts';
import { bodyOf } from '../../src/webhooks/event-data.ts';
import { endCall } from '../support/manage-things.ts';
import { type WebhookRig, webhookRig } from '../support/webhook-rig.ts';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await webhookRig();
});
afterAll(() => rig?.close());

const hook = (...events: Parameters<WebhookRig['hook']>[1]) => rig.hook('https://example.com/', events);
const bodies = async (id: string): Promise<WebhookBody[]> => {
  const found: WebhookBody[] = [];
  for (const { eventId } of await rig.deliveries(id)) {
    found.push(await bodyOf(rig.store, (await rig.store.webhookDeliveries.event(eventId))!));
  }
  return found;
};
const types = async (id: string): Promise<string[]> => (await bodies(id)).map(({ type }) => type);
const END: CallFinish = {
  endedAt: new Date(),
  talkMs: 1,
  party: 'gateway',
  reason: 'interrupted',
  dtmf: '',
};
const transfer = (outcome: string, target: string): KeptTransfer => ({
  target,
  by: 'bridge',
  outcome,
  startedMs: 4_000,
});

describe('a call', () => {
  it('is told from its begin to its end, each step once however often it is written', async () => {
    const { id } = await hook(...WEBHOOK_EVENTS);
    const call = await rig.call();
    await rig.store.calls.answered(rig.store.pool, call, new Date());
    await rig.store.calls.transferred(rig.store.pool, call, [transfer('busy', '+966500000001')]);
    const both = [transfer('busy', '+966500000001'), transfer('joined', '+966500000002')];
    await rig.store.calls.transferred(rig.store.pool, call, both);
    await rig.store.calls.finish(rig.store.pool, call, { ...END, reason: 'transferred', transfers: both });
    await endCall(rig.store, call);
    const told = (await bodies(id)).filter(({ data }) => data['id'] === call);
    expect(told.map(({ type }) => type)).toEqual(['call.started', 'call.answered', 'call.transferred', 'call.ended']);
    expect(told[2]!.data).toMatchObject({
      transfer: { target: '+966500000002', outcome: 'joined', started_ms: 4_000 },
    });
  });

  it('that leaves by REFER is told as transferred when it has ended', async () => {
    const { id } = await hook('call.transferred', 'call.ended');
    const call = await rig.call();
    const gone = [transfer('transferred', '+966500000003')];
    await rig.store.calls.finish(rig.store.pool, call, { ...END, reason: 'transferred', transfers: gone });
    expect(await types(id)).toEqual(['call.transferred', 'call.ended']);
  });

  it('that was only presumed dead is told again when its true end is known', async () => {
    const { id } = await hook('call.ended');
    const call = await rig.call();
    await rig.store.calls.finish(rig.store.pool, call, END);
    await rig.store.calls.finish(rig.store.pool, call, END);
    await endCall(rig.store, call);
    const [first, second, ...more] = await bodies(id);
    expect([first?.data['corrects'], second?.data['corrects'], more]).toEqual([undefined, true, []]);
    expect(first!.id).not.toBe(second!.id);
    expect(second!.data).toMatchObject({ end: { reason: 'callee-hangup' } });
  });

  it('is told with what came of it, and once more when it was read after its end', async () => {
    const { id } = await hook('call.ended', 'call.analysed');
    const call = await rig.call();
    const analysis = { outcome: 'hung-up', summary: 'About a lamp.', fields: [], by: 'dialogue' };
    await endCall(rig.store, call, undefined, { analysis, analysisState: 'pending' });
    expect((await bodies(id)).map(({ data }) => data)).toMatchObject([
      { outcome: 'hung-up', summary: 'About a lamp.', fields: [], analysis: { state: 'pending', by: 'dialogue' } },
    ]);
    const field = { name: 'order', value: '452190736', turn: 1, words: 'four five two one' };
    await rig.store.callAnalyses.write(call, { ...analysis, outcome: 'sold', fields: [field], by: 'openai' });
    await rig.store.callAnalyses.write(call, analysis);
    const [, second, ...more] = await bodies(id);
    expect([second?.type, second?.data, more]).toMatchObject([
      'call.analysed',
      { id: call, outcome: 'sold', fields: [field], analysis: { state: 'ready', by: 'openai' } },
      [],
    ]);
    await rig.store.calls.erase(call, rig.accountId);
    expect((await bodies(id)).map(({ data }) => JSON.stringify(data)).join()).not.toMatch(/452190736|lamp|sold/);
  });

  it('is told with what happened, or not at all', async () => {
    const { id } = await hook('call.ended');
    const call = await rig.call();
    const broken = inTransaction(rig.store.pool, async (client) => {
      await rig.store.calls.finish(client, call, END);
      throw new Error('killed');
    });
    await expect(broken).rejects.toThrow('killed');
    expect(await types(id)).toEqual([]);
  });

  it('is told to who wants it, of its own account', async () => {
    const other = (await rig.store.accounts.create('other')).id;
    const [mine, theirs] = [
      await hook('call.refused'),
      await rig.hook('https://example.com/', ['call.started'], other),
    ];
    await rig.call();
    expect([await types(mine.id), await types(theirs.id)]).toEqual([[], []]);
  });

  it('that was refused is told, where somebody is known whose it was', async () => {
    const { id } = await hook('call.refused');
    const refused = {
      at: new Date(),
      from: '+966500000009',
      to: '1000',
      sourceAddress: '192.0.2.1:5060',
      transport: 'udp',
    };
    const why = { sipCallId: 'x', reason: 'not-allowed', detail: 'no prefix', remedy: 'allow it' };
    await rig.store.refusedCalls.add([
      { ...refused, ...why },
      { ...refused, ...why, accountId: rig.accountId, trunk: 'carrier' },
    ]);
    const [body, ...more] = await bodies(id);
    expect(more).toEqual([]);
    expect(body!.data).toMatchObject({
      from: '+966500000009',
      to: '1000',
      trunk: 'carrier',
      ...{ reason: 'not-allowed', remedy: 'allow it' },
    });
    await rig.store.pool.query('DELETE FROM refused_calls');
    expect((await bodies(id))[0]!.data).toEqual({ erased: true });
  });

  it('is not told to a receiver for which ten thousand wait, until some are done', async () => {
    const { id } = await hook('call.started');
    await rig.store.pool.query(
      `INSERT INTO webhook_deliveries (id, event_id, webhook_id, account_id, type)
       SELECT 'dlv_' || n || $1, 'evt_none', $1, $2, 'call.started' FROM generate_series(1, 9999) AS n`,
      [id, rig.accountId],
    );
    const told = async (): Promise<number> => {
      await rig.store.webhookDeliveries.noteFull();
      await rig.call();
      return rig.store.db.$count(webhookDeliveries, eq(webhookDeliveries.webhookId, id));
    };
    expect([await told(), await told()]).toEqual([10_000, 10_000]);
    expect((await rig.store.webhooks.get(id))!.isFull).toBe(true);
    await rig.store.pool.query(`DELETE FROM webhook_deliveries WHERE id = 'dlv_1' || $1`, [id]);
    expect(await told()).toBe(10_000);
  });
});

describe('an order', () => {
  it('is told when it has ended, with what it was ordered with', async () => {
    const { id } = await hook('order.ended');
    const call = await rig.call();
    const [body] = await bodies(id);
    expect(body!.data).toMatchObject({ call_id: call, to: '+966501234567', variables: { name: 'Noura' } });
  });
});

describe('a trunk', () => {
  const host = (state: 'up' | 'down' | 'unknown') => ({ uri: 'sip:sbc.example.net', state });
  const status = (...states: ('up' | 'down' | 'unknown')[]): TrunkStatus => ({ hosts: states.map(host) });
  const registered = (state: string): TrunkStatus => ({
    ...status('up'),
    registration: { state, since: '2026-01-02T03:04:05.678Z' },
  });
  let number = 0;
  const trunkOf = async (accountId: string | undefined): Promise<string> => {
    number += 1;
    const file = {
      name: `trunk${number}`,
      hosts: ['sip:sbc.example.net'],
      inbound: { sources: [`198.51.100.${number}`] },
    };
    const made = await rig.store.trunks.put(accountId, parseTrunk(JSON.stringify(file), 'a test', {}).definition);
    if (made === 'full') throw new Error('full');
    return made.id;
  };

  it('is told once when it goes down and once when it is back, as all gateways see it', async () => {
    const { id } = await hook('trunk.down', 'trunk.up');
    const trunk = await trunkOf(rig.accountId);
    const [one, two] = ['gw_one', 'gw_two'].map((name) => new TrunkStateRows(rig.store.pool, { id: name }));
    const tell = (rows: TrunkStateRows | undefined, told: TrunkStatus) => rows!.tell(new Map([[trunk, told]]));
    await tell(one, status('unknown', 'unknown'));
    await tell(one, status('up', 'down'));
    await tell(two, status('up', 'up'));
    await tell(one, status('down', 'down'));
    expect(await types(id)).toEqual([]); // The other one reaches it.
    await tell(two, status('down', 'down'));
    await tell(two, status('down', 'down'));
    expect(await types(id)).toEqual(['trunk.down']);
    await one!.takeBack();
    await two!.takeBack();
    await tell(one, status('unknown', 'down')); // after a restart
    await tell(one, status('down', 'down'));
    expect(await types(id)).toEqual(['trunk.down']);
    await tell(one, status('up', 'down'));
    await tell(one, status('up', 'up'));
    expect(await types(id)).toEqual(['trunk.down', 'trunk.up']);
    const [down, up] = await bodies(id);
    expect(up!.data).toEqual(down!.data);
    expect(down!.data).toMatchObject({ id: trunk, name: `trunk${number}`, down_since: expect.any(String) });
  });

  it('is down where it cannot be registered at', async () => {
    const { id } = await hook('trunk.down', 'trunk.up');
    const trunk = await trunkOf(rig.accountId);
    for (const state of ['registering', 'waiting', 'registering', 'registered', 'refreshing']) {
      await rig.store.trunkStates.tell(new Map([[trunk, registered(state)]]));
    }
    expect(await types(id)).toEqual(['trunk.down', 'trunk.up']);
  });

  it("of an operator is everybody's, without its hosts; another account's is nobody else's", async () => {
    const other = (await rig.store.accounts.create('third')).id;
    const mine = await hook('trunk.down');
    const theirs = await rig.hook('https://example.com/', ['trunk.down'], other);
    const shared = await trunkOf(undefined);
    const own = await trunkOf(other);
    await rig.store.trunkStates.tell(new Map([shared, own].map((one) => [one, status('down')])));
    expect((await bodies(mine.id)).map(({ data, account_id }) => [data['id'], account_id])).toEqual([
      [shared, rig.accountId],
    ]);
    expect((await bodies(theirs.id)).map(({ data }) => data['id']).sort()).toEqual([shared, own].sort());
    expect(JSON.stringify(await bodies(mine.id))).not.toContain('sbc.example.net');
  });
});

describe('what was told', () => {
  it('goes after 30 days, and with its webhook', async () => {
    const { id } = await hook('call.started');
    const gone = await hook('call.started');
    await rig.call();
    await rig.store.webhooks.remove(gone.id, rig.accountId);
    expect(await rig.deliveries(gone.id)).toEqual([]);
    const [{ eventId } = { eventId: '' }] = await rig.deliveries(id);
    await rig.store.webhookDeliveries.prune();
    expect(await rig.store.webhookDeliveries.event(eventId)).toBeDefined();
    rig.clock.advance(31 * 86_400_000);
    while ((await rig.store.webhookDeliveries.prune()) > 0);
    await rig.store.webhookDeliveries.prune();
    expect(await rig.deliveries(id)).toEqual([]);
    expect(await rig.store.webhookDeliveries.event(eventId)).toBeUndefined();
  });
});
