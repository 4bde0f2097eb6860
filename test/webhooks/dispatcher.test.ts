import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookDelivery } from '../../src/store/webhook-deliveries.ts';
import { TRIES_MAX, WAITS_MS } from '../../src/webhooks/back-off.ts';
import type { Post, Posted } from '../../src/webhooks/post.ts';
import { endCall } from '../support/manage-things.ts';
import { EVERY_TEST, someOf } from '../support/property-runs.ts';
import { until } from '../support/until.ts';
import { isSignedBy, type WebhookReceiver, webhookReceiver } from '../support/webhook-receiver.ts';
import { type WebhookRig, webhookRig } from '../support/webhook-rig.ts';

const DAY_MS = 86_400_000;
const LEASE_MS = 30_000;

let rig: WebhookRig;
let receiver: WebhookReceiver;
beforeEach(async () => {
  [rig, receiver] = await Promise.all([webhookRig(), webhookReceiver()]);
});
afterEach(async () => {
  await rig.close();
  await receiver.close();
});

const brief = ({ state, tries, history }: WebhookDelivery) => ({ state, tries, history: history.length });
const answerWith = (status: number, text = ''): void => {
  receiver.answer = (response) => void response.writeHead(status).end(text);
};

describe('a message', () => {
  it('reaches its receiver once, signed, and what was answered is kept', async () => {
    const { id, secret } = await rig.hook(receiver.url, ['call.ended']);
    answerWith(201, `${'é'.repeat(1_000)}`);
    const call = await rig.call();
    await endCall(rig.store, call);
    const dispatcher = rig.dispatcher();
    await dispatcher.idle();
    await dispatcher.idle();
    const [message, ...more] = receiver.received;
    expect(more).toEqual([]);
    const [delivery] = await rig.deliveries(id);
    expect(message!.headers).toMatchObject({
      ...{ 'webhook-id': delivery!.eventId, 'content-type': 'application/json; charset=utf-8' },
      'webhook-timestamp': String(Math.floor(rig.clock.utc().getTime() / 1000)),
    });
    expect(isSignedBy(message!, secret)).toBe(true);
    expect(isSignedBy({ ...message!, body: message!.body.replace('call', 'ball') }, secret)).toBe(false);
    expect(message!.json).toMatchObject({ id: delivery!.eventId, type: 'call.ended', account_id: rig.accountId });
    expect(message!.json.data).toMatchObject({
      id: call,
      cost_cents: 3,
      end: { party: 'callee', reason: 'callee-hangup' },
    });
    expect((message!.json.data['turns'] as { text: string }[]).map(({ text }) => text)).toContain('متى تفتحون');
    expect(delivery).toMatchObject({ state: 'delivered', tries: 1 });
    expect(delivery!.history).toMatchObject([{ status: 201, error: null, answer: 'é'.repeat(500) }]);
  });

  it('is signed by both secrets for a day after a new one was made, and by the new one alone from then on', async () => {
    const { id, secret } = await rig.hook(receiver.url, ['call.started']);
    const second = (await rig.store.webhooks.rotate(id, rig.accountId))!.secret;
    const dispatcher = rig.dispatcher();
    const send = async (): Promise<boolean[]> => {
      await rig.call();
      await dispatcher.idle();
      const message = receiver.received.at(-1)!;
      return [secret, second].map((one) => isSignedBy(message, one));
    };
    expect(await send()).toEqual([true, true]);
    rig.clock.advance(DAY_MS - 1_000);
    expect(await send()).toEqual([true, true]);
    rig.clock.advance(2_000);
    expect(await send()).toEqual([false, true]);
  });

  it('that waits says nothing of a call that was erased meanwhile', async () => {
    await rig.hook(receiver.url, ['call.ended']);
    const call = await rig.call();
    await endCall(rig.store, call);
    await rig.store.calls.erase(call, rig.accountId);
    await rig.dispatcher().idle();
    const [{ body, json } = { body: '', json: { data: {} } }] = receiver.received;
    expect(json.data).toMatchObject({ id: call, erased: true, cost_cents: 3 });
    for (const personal of ['+966', '4521', 'Noura', 'متى']) expect(body).not.toContain(personal);
  });
});

describe('a receiver that fails', () => {
  it('is not asked again before it wants to be, and what it asks for is not kept', async () => {
    const { id } = await rig.hook(receiver.url, ['call.started']);
    receiver.answer = (response) => void response.writeHead(503, { 'retry-after': '600' }).end();
    await rig.call();
    const dispatcher = rig.dispatcher();
    await dispatcher.idle();
    rig.clock.advance(599_000);
    await dispatcher.idle();
    expect(receiver.received).toHaveLength(1);
    rig.clock.advance(1_000);
    await dispatcher.idle();
    expect(receiver.received).toHaveLength(2);
    const [{ history } = { history: [] }] = await rig.deliveries(id);
    expect(Object.keys(history[0]!).sort()).toEqual(['at', 'error', 'ms', 'status']);
  });

  it.each(
    someOf(
      [
        { status: 500, error: 'answered 500' },
        { status: 302, error: 'redirected (302): not followed' },
        { status: 404, error: 'answered 404' },
      ],
      3,
    ),
  )('with $status is asked 12 times within a day, under the same id', async ({ status, error }) => {
    const { id } = await rig.hook(receiver.url, ['call.started']);
    receiver.answer = (response) => void response.writeHead(status, { location: receiver.url }).end('sorry');
    await rig.call();
    const dispatcher = rig.dispatcher();
    const startedMs = rig.clock.nowMs();
    for (const [tries, waitMs] of WAITS_MS.entries()) {
      await dispatcher.idle();
      expect(receiver.received).toHaveLength(tries + 1);
      rig.clock.advance(waitMs - 1);
      await dispatcher.idle();
      expect(receiver.received).toHaveLength(tries + 1);
      rig.clock.advance(1);
    }
    await dispatcher.idle();
    expect(rig.clock.nowMs() - startedMs).toBeLessThanOrEqual(DAY_MS);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const [delivery] = await rig.deliveries(id);
    expect(brief(delivery!)).toEqual({ state: 'failed', tries: TRIES_MAX, history: TRIES_MAX });
    expect(delivery!.history.at(-1)).toMatchObject({ status, error, answer: 'sorry' });
    rig.clock.advance(DAY_MS);
    await dispatcher.idle();
    expect(receiver.received).toHaveLength(TRIES_MAX);
  });

  it('for a day is disabled, with an entry in the audit log, and what waited is sent again by hand', async () => {
    const { id } = await rig.hook(receiver.url, ['call.started']);
    answerWith(503);
    await rig.call();
    const dispatcher = rig.dispatcher();
    await dispatcher.idle();
    rig.clock.advance(DAY_MS - 1);
    await rig.call();
    await dispatcher.idle();
    expect(await rig.store.webhooks.get(id, rig.accountId)).toMatchObject({ enabled: true });
    rig.clock.advance(WAITS_MS[0]! + 1);
    await dispatcher.idle();
    expect(await rig.store.webhooks.get(id, rig.accountId)).toMatchObject({
      enabled: false,
      disabledReason: 'failing',
    });
    const [entry] = await rig.store.audit.list(rig.accountId, { limit: 1 });
    expect(entry).toMatchObject({ action: 'disableWebhook', actorKind: 'gateway', targetId: id });
    expect((await rig.deliveries(id)).map(({ state }) => state)).toEqual(['failed', 'failed']);
    await rig.call(); // told to nobody
    const asked = receiver.received.length;
    rig.clock.advance(DAY_MS);
    await dispatcher.idle();
    expect(receiver.received).toHaveLength(asked);

    answerWith(200);
    await rig.store.webhooks.change(id, rig.accountId, { enabled: true });
    expect(await rig.store.webhookDeliveries.replayFailed(id, new Date(0))).toBe(2);
    await dispatcher.idle();
    expect((await rig.deliveries(id)).map(({ state }) => state)).toEqual(['delivered', 'delivered']);
    expect(await rig.store.webhooks.get(id, rig.accountId)).toMatchObject({ enabled: true, failingSince: null });
  });

  it('once and works again has not failed since', async () => {
    const { id } = await rig.hook(receiver.url, ['call.started']);
    answerWith(500);
    await rig.call();
    const dispatcher = rig.dispatcher();
    await dispatcher.idle();
    answerWith(204);
    rig.clock.advance(WAITS_MS[0]!);
    await dispatcher.idle();
    expect(await rig.store.webhooks.get(id, rig.accountId)).toMatchObject({ failingSince: null });
    expect((await rig.deliveries(id)).map(brief)).toEqual([{ state: 'delivered', tries: 2, history: 2 }]);
  });

  it('with 410 is disabled at once', async () => {
    const { id } = await rig.hook(receiver.url, ['call.started']);
    answerWith(410);
    await rig.call();
    await rig.dispatcher().idle();
    expect(await rig.store.webhooks.get(id, rig.accountId)).toMatchObject({ enabled: false, disabledReason: 'gone' });
    expect((await rig.deliveries(id)).map(brief)).toEqual([{ state: 'failed', tries: 1, history: 1 }]);
  });

  it('at a test is asked once, and stays as it was', async () => {
    const { id } = await rig.hook(receiver.url, ['call.started']);
    await rig.store.webhooks.change(id, rig.accountId, { enabled: false });
    const before = await rig.store.webhooks.get(id, rig.accountId);
    answerWith(500);
    await rig.store.webhookDeliveries.addTest(id, rig.accountId);
    await rig.dispatcher().idle();
    expect((await rig.deliveries(id)).map(brief)).toEqual([{ state: 'failed', tries: 1, history: 1 }]);
    expect(await rig.store.webhooks.get(id, rig.accountId)).toEqual(before);
    expect(receiver.received[0]!.json).toMatchObject({ type: 'webhook.test', account_id: rig.accountId });
  });
});

/** Requests that end when they are told to. */
function heldPosts() {
  const under: { readonly url: string; readonly end: (posted?: Partial<Posted>) => void }[] = [];
  const post: Post = (url, _headers, _body, end) =>
    new Promise((resolve) => {
      const done = (posted: Partial<Posted> = {}): void => {
        end.removeEventListener('abort', stop);
        under.splice(under.indexOf(one), 1);
        resolve({ status: 200, ms: 1, error: null, ...posted });
      };
      const stop = (): void => done({ status: null, error: 'broken off' });
      const one = { url, end: done };
      under.push(one);
      end.addEventListener('abort', stop);
      if (end.aborted) stop();
    });
  return { under, post };
}

describe('a gateway that dies', () => {
  it.runIf(EVERY_TEST)(
    'loses nothing: what it had under way is made by another when its lease is over, under the same id',
    async () => {
      const { id } = await rig.hook(receiver.url, ['call.started']);
      await rig.call();
      const held = heldPosts();
      void rig.dispatcher({ post: held.post }).look(); // Killed from here on: nothing of it is written.
      await until(() => held.under.length === 1);
      const [before] = await rig.deliveries(id);
      const other = rig.dispatcher();
      await other.idle();
      expect(receiver.received).toEqual([]);
      rig.clock.advance(LEASE_MS - 1);
      await other.idle();
      expect(receiver.received).toEqual([]);
      rig.clock.advance(1);
      await other.idle();
      expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([before!.eventId]);
      held.under[0]!.end({ status: 500, error: 'answered 500' }); // It comes back from the dead, too late.
      expect((await rig.deliveries(id)).map(brief)).toEqual([{ state: 'delivered', tries: 2, history: 1 }]);
    },
  );

  it('and one that is stopped gives back what it has under way', async () => {
    const { id } = await rig.hook(receiver.url, ['call.started']);
    await rig.call();
    const held = heldPosts();
    const dispatcher = rig.dispatcher({ post: held.post });
    await dispatcher.look();
    let isClosed = false;
    void dispatcher.close().then(() => {
      isClosed = true;
    });
    await until(() => {
      rig.clock.advance(100);
      return isClosed;
    });
    expect((await rig.deliveries(id)).map(brief)).toEqual([{ state: 'pending', tries: 0, history: 0 }]);
    await rig.dispatcher().idle();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('requests at a time', () => {
  const counted = (held: ReturnType<typeof heldPosts>, count: number) =>
    until(
      () => held.under.length === count,
      () => `${count} requests, not ${held.under.length}`,
    );

  it.runIf(EVERY_TEST)('are two to one webhook, and one to a receiver that is slow', async () => {
    const { id } = await rig.hook('http://127.0.0.1:9/one', ['call.started']);
    for (let calls = 0; calls < 5; calls += 1) await rig.call();
    const held = heldPosts();
    const dispatcher = rig.dispatcher({ post: held.post });
    await dispatcher.look();
    await counted(held, 2);
    const isUnderWay = ({ lease }: WebhookDelivery): boolean => lease !== null;
    expect((await rig.deliveries(id)).filter(isUnderWay)).toHaveLength(2);
    for (const one of [...held.under]) one.end({ ms: 2_000 });
    await until(async () => (await rig.store.webhooks.get(id, rig.accountId))!.isSlow);
    await until(async () => (await rig.deliveries(id)).filter(({ state }) => state === 'delivered').length >= 2);
    for (let rounds = 0; rounds < 3; rounds += 1) for (const one of [...held.under]) one.end({ ms: 3_000 });
    await until(async () => {
      const all = await rig.deliveries(id);
      expect(held.under.length).toBeLessThanOrEqual(2);
      for (const one of [...held.under]) one.end({ ms: 3_000 });
      return all.every(({ state }) => state === 'delivered');
    });
    for (let calls = 0; calls < 3; calls += 1) await rig.call(); // It is known to be slow.
    await dispatcher.look();
    await counted(held, 1);
    expect((await rig.deliveries(id)).filter(isUnderWay)).toHaveLength(1);
  });

  it.runIf(EVERY_TEST)('leave room for others beside receivers that never answer, be they many', async () => {
    const LATE = { status: null, ms: 10_000, error: 'no answer within 10 s' };
    for (let dead = 0; dead < 20; dead += 1) await rig.hook(`http://127.0.0.1:9/dead${dead}`, ['call.started']);
    await rig.call();
    await rig.call();
    const held = heldPosts();
    const dispatcher = rig.dispatcher({ post: held.post });
    await dispatcher.look();
    await counted(held, 16); // Nobody knows them yet.
    const other = (await rig.store.accounts.create('other')).id;
    const { id } = await rig.hook('http://127.0.0.1:9/well', ['balance.low'], other);
    await rig.store.accounts.change(other, { balanceAlertCents: 100 });
    held.under[0]!.end(LATE); // The one place goes to whoever has none, though others have waited longer.
    (await until(() => held.under.find(({ url }) => url.endsWith('/well')), 'a place for the other account')).end();
    await until(async () => (await rig.deliveries(id))[0]?.state === 'delivered');
    // What was taken before they were known as dead is on its way still, and counts for a receiver that is none.
    let isIdle = false;
    const idle = dispatcher.idle().then(() => {
      isIdle = true;
    });
    await until(() => {
      for (const one of [...held.under]) one.end(LATE);
      return isIdle;
    }, 'nothing to be under way');
    await idle;
    const all = await rig.store.webhooks.list(rig.accountId);
    expect(all.filter(({ isSlow }) => !isSlow)).toEqual([]);
    rig.clock.advance(60_000);
    await dispatcher.look();
    await counted(held, 8); // however many wait
    await dispatcher.look();
    expect(held.under).toHaveLength(8);
  });
});
