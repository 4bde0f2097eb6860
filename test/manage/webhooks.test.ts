import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answered, type ManageRig, manageRig } from '../support/manage-rig.ts';
import { callOf, DEFINITION, endCall } from '../support/manage-things.ts';
import { moneyOf } from '../support/money.ts';

interface Hook {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly events: readonly string[];
  readonly pending: number;
  readonly failed: number;
  readonly disabled_reason: string | null;
  readonly secret_before_until: string | null;
}
interface Delivery {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly state: string;
  readonly next_at: string | null;
}
interface Whole extends Delivery {
  readonly body: { readonly data: Record<string, unknown> };
  readonly history: readonly { readonly answer: string | null }[];
}
interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}
interface Code {
  readonly error: { readonly code: string; readonly message: string };
}

let rig: ManageRig;
let agentId: string;
let told = 0;
beforeAll(async () => {
  const tellWebhooks = (): void => {
    told += 1;
  };
  rig = await manageRig(() => ({ tellWebhooks }));
  agentId = (await rig.store.agents.create(rig.accountId, DEFINITION, 'live')).id;
});
afterAll(async () => {
  expect(await rig?.unaudited()).toEqual([]);
  await rig?.close();
});

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const make = (more: object = {}): Promise<Answered<{ webhook: Hook; secret: string }>> =>
  rig.ask('POST /webhooks', { body: { url: 'https://example.com/in', events: ['call.ended'], ...more } });
const deliveries = async (id: string, query = ''): Promise<readonly Delivery[]> =>
  (await rig.ask<Page<Delivery>>(`GET /webhooks/${id}/deliveries?${query}`)).body.items;

describe('webhooks', () => {
  it('are made, changed, and their secret is shown when it is made and never again', async () => {
    const { status, body } = await make({ description: 'orders' });
    expect([status, body.webhook.url, body.webhook.enabled]).toEqual([201, 'https://example.com/in', true]);
    expect(body.secret).toMatch(SECRET);
    const { id } = body.webhook;
    const got = await rig.ask<Hook>(`GET /webhooks/${id}`);
    const stale = { 'if-match': got.headers.get('etag')! };
    const changed = await rig.ask<Hook>(`PATCH /webhooks/${id}`, {
      body: { events: ['call.started', 'trunk.down'] },
      headers: stale,
    });
    expect([changed.status, changed.body.events]).toEqual([200, ['call.started', 'trunk.down']]);
    const late = await rig.ask<Code>(`PATCH /webhooks/${id}`, { body: { enabled: false }, headers: stale });
    expect([late.status, late.body.error.code]).toEqual([412, 'edited_meanwhile']);
    const rotated = await rig.ask<{ webhook: Hook; secret: string }>(`POST /webhooks/${id}/rotate-secret`);
    expect(rotated.body.secret).toMatch(SECRET);
    expect(rotated.body.secret).not.toBe(body.secret);
    expect(await rig.store.webhooks.secretsOf(id)).toEqual([rotated.body.secret, body.secret]);
    const left = Date.parse(rotated.body.webhook.secret_before_until!) - Date.now();
    expect(left).toBeGreaterThan(23.9 * 3_600_000);
    for (const secret of [body.secret, rotated.body.secret]) {
      const answers = [await rig.ask('GET /webhooks'), await rig.ask('GET /audit'), got, changed];
      for (const { text } of answers) expect(text).not.toContain(secret.slice(10));
      for (const table of ['webhooks', 'audit_entries', 'idempotency_keys']) {
        const { rows } = await rig.store.pool.query(
          `SELECT count(*)::int AS hits FROM ${table} t WHERE t::text LIKE $1`,
          [`%${secret.slice(10)}%`],
        );
        expect([table, rows[0].hits]).toEqual([table, 0]);
      }
    }
    expect((await rig.ask(`DELETE /webhooks/${id}`)).status).toBe(204);
    expect((await rig.ask(`GET /webhooks/${id}`)).status).toBe(404);
  });

  it.each([
    { url: 'http://example.com/in', why: 'must begin with https://' },
    { url: 'ftp://example.com/in', why: 'no https URL' },
    { url: 'example.com', why: 'no https URL' },
    { url: 'https://me:you@example.com/', why: 'no user may stand' },
    { url: 'https://10.0.0.1/', why: 'webhooks.allowedHosts' },
    { url: 'https://0x7f.1/', why: 'webhooks.allowedHosts', host: '127.0.0.1' },
    { url: 'https://169.254.169.254/latest', why: 'webhooks.allowedHosts' },
    { url: 'https://100.64.0.1/', why: 'webhooks.allowedHosts' },
    { url: 'https://[::1]/', why: 'webhooks.allowedHosts' },
    { url: 'https://[fd00::1]/', why: 'webhooks.allowedHosts' },
    { url: 'https://[::ffff:10.0.0.1]/', why: 'webhooks.allowedHosts' },
    { url: 'https://printer/', why: 'webhooks.allowedHosts' },
    { url: 'https://metadata.internal./', why: 'webhooks.allowedHosts' },
  ])('refuse $url', async ({ url, why, host }) => {
    const { status, text } = await make({ url });
    if (host === '127.0.0.1') return expect(status).toBe(201); // the operator of this rig allows it, however it is written
    expect([status, text.includes(why)]).toEqual([409, true]);
  });

  it('take a host that the operator allows, by http as well', async () => {
    expect((await make({ url: 'http://127.0.0.1:9/in' })).status).toBe(201);
  });

  it('are as many as an account may have', async () => {
    const { id } = await rig.store.accounts.create('many');
    const one = { url: 'https://example.com/', events: ['call.ended'], description: '', enabled: true } as const;
    for (let made = 0; made < 20; made += 1) expect(await rig.store.webhooks.create(id, one)).not.toBe('full');
    const full = await rig.ask<Code>('POST /webhooks', {
      ...{ headers: { 'x-nidaa-account': id }, body: { url: one.url, events: one.events } },
    });
    expect([full.status, full.body.error.code]).toEqual([409, 'full']);
  });
});

describe('deliveries', () => {
  it('are listed by what they are, shown whole, and sent again', async () => {
    const { body } = await make({ events: ['call.started', 'call.ended'] });
    const { id } = body.webhook;
    const { call } = await callOf(rig.store, rig.accountId, agentId);
    await endCall(rig.store, call);
    const [ended, started, ...more] = await deliveries(id);
    expect([started?.type, ended?.type, more]).toEqual(['call.started', 'call.ended', []]);
    expect((await deliveries(id, 'event=call.ended')).map((one) => one.id)).toEqual([ended!.id]);
    expect(await deliveries(id, 'state=failed')).toEqual([]);
    expect(await deliveries(id, 'until=2020-01-01T00:00:00Z')).toEqual([]);
    const first = await rig.ask<Page<Delivery>>(`GET /webhooks/${id}/deliveries?limit=1`);
    expect((await deliveries(id, `limit=1&after=${first.body.next}`)).map((one) => one.id)).toEqual([started!.id]);
    const whole = (await rig.ask<Whole>(`GET /webhooks/${id}/deliveries/${ended!.id}`)).body;
    expect(whole.body).toMatchObject({
      ...{ id: ended!.event_id, type: 'call.ended', account_id: rig.accountId },
      data: { id: call, from: '+966112345678', cost_cents: 3, dtmf: '4521', variables: { name: 'Noura' } },
    });
    expect((await rig.ask<Hook>(`GET /webhooks/${id}`)).body).toMatchObject({ pending: 2, failed: 0 });

    await rig.ask(`PATCH /webhooks/${id}`, { body: { enabled: false } });
    expect((await rig.ask<Hook>(`GET /webhooks/${id}`)).body).toMatchObject({
      pending: 0,
      failed: 2,
      disabled_reason: null,
    });
    const path = `/webhooks/${id}/deliveries/${ended!.id}/replay`;
    expect((await rig.ask(`POST ${path}`)).status).toBe(409);
    expect((await rig.ask(`POST /webhooks/${id}/replay`, { body: { since: '2020-01-01T00:00:00Z' } })).status).toBe(
      409,
    );
    await rig.ask(`PATCH /webhooks/${id}`, { body: { enabled: true } });
    const before = told;
    const again = await rig.ask<Delivery>(`POST ${path}`);
    expect([again.status, again.body.state, again.body.event_id]).toEqual([202, 'pending', ended!.event_id]);
    const rest = await rig.ask<{ replayed: number }>(`POST /webhooks/${id}/replay`, {
      body: { since: '2020-01-01T00:00:00Z' },
    });
    expect([rest.status, rest.body.replayed]).toEqual([202, 1]);
    expect(told).toBe(before + 2);
    const other = (await make()).body.webhook.id;
    expect((await rig.ask(`GET /webhooks/${other}/deliveries/${ended!.id}`)).status).toBe(404);
    expect((await rig.ask(`POST /webhooks/${other}/deliveries/${ended!.id}/replay`)).status).toBe(404);
  });

  it('of a test go to a webhook that is disabled, too', async () => {
    const { id } = (await make({ enabled: false })).body.webhook;
    const { status, body } = await rig.ask<Delivery>(`POST /webhooks/${id}/test`);
    expect([status, body.type, body.state]).toEqual([202, 'webhook.test', 'pending']);
    expect((await deliveries(id)).map((one) => one.id)).toEqual([body.id]);
  });

  it('tell nothing of a call that was erased, nor what was answered to it', async () => {
    const { id } = (await make({ events: ['call.started', 'call.ended', 'order.ended'] })).body.webhook;
    const { call, order } = await callOf(rig.store, rig.accountId, agentId);
    await endCall(rig.store, call);
    await rig.store.pool.query(
      `UPDATE webhook_deliveries SET history = '[{"at": "2026-01-02T03:04:05.678Z", "status": 200,
      "ms": 1, "error": null, "answer": "got +966501234567"}]' WHERE webhook_id = $1`,
      [id],
    );
    expect((await rig.ask(`DELETE /calls/${call}`)).status).toBe(204);
    const all = await deliveries(id);
    expect(all.map(({ type }) => type).sort()).toEqual(['call.ended', 'call.started', 'order.ended']);
    for (const one of all) {
      const { text, body } = await rig.ask<Whole>(`GET /webhooks/${id}/deliveries/${one.id}`);
      for (const personal of ['+966', '4521', 'Noura', 'متى', 'Hello']) expect(text).not.toContain(personal);
      expect(body.body.data).toMatchObject({ id: one.type === 'order.ended' ? order : call, erased: true });
      expect(body.history).toMatchObject([{ status: 200, answer: null }]);
    }
  });
});

describe('the alert of the balance', () => {
  it('is told once for each time that the balance comes below it', async () => {
    const { store } = rig;
    const account = await store.accounts.create('low');
    const headers = { 'x-nidaa-account': account.id };
    await store.charges.topup(`${account.id}/1`, account.id, 100, 'topup', '');
    const made = await rig.ask<{ webhook: Hook }>('POST /webhooks', {
      ...{ headers, body: { url: 'https://example.com/', events: ['balance.low'] } },
    });
    const { id } = made.body.webhook;
    let charges = 0;
    const spend = (cents: number) => {
      charges += 1;
      const charge = {
        id: `${account.id}/c${charges}`,
        accountId: account.id,
        cents,
        owner: 'x',
        kind: 'reply',
      } as const;
      return moneyOf(store).charge(charge);
    };
    const alerts = async (): Promise<number> =>
      (await rig.ask<Page<Delivery>>(`GET /webhooks/${id}/deliveries`, { headers })).body.items.length;
    const setAlert = (cents: number | null) =>
      rig.ask('PATCH /account', { headers, body: { balance_alert_cents: cents } });
    await spend(10);
    expect(await alerts()).toBe(0);
    expect((await setAlert(50)).body).toMatchObject({ balance_cents: 90, balance_alert_cents: 50 });
    await spend(40);
    expect(await alerts()).toBe(0); // at it, and not below
    await spend(1);
    expect(await alerts()).toBe(1);
    await spend(20);
    expect(await alerts()).toBe(1);
    await store.charges.topup(`${account.id}/2`, account.id, 100, 'topup', '');
    await spend(100);
    expect(await alerts()).toBe(2);
    await setAlert(null);
    await setAlert(60); // above the balance
    expect(await alerts()).toBe(3);
    await setAlert(70);
    expect(await alerts()).toBe(3);

    expect((await rig.ask('PATCH /account', { headers, body: { balance_alert_cents: 0 } })).status).toBe(400);
  });
});
