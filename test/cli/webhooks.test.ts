import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../support/command-line.ts';
import { callOf, DEFINITION } from '../support/manage-things.ts';
import { openTestStore, type SharedTestStore } from '../support/postgres-store.ts';

let test: SharedTestStore;
let accountId: string;
let id: string;
let secret: string;
beforeAll(async () => {
  test = await openTestStore();
  const { store } = test;
  accountId = (await store.accounts.create('Only')).id;
  const agent = await store.agents.create(accountId, DEFINITION);
  const made = { url: 'https://example.com/in', events: ['call.started'], description: '', enabled: true } as const;
  const created = (await store.webhooks.create(accountId, made)) as { webhook: { id: string }; secret: string };
  ({ secret } = created);
  ({ id } = created.webhook);
  for (let calls = 0; calls < 3; calls += 1) await callOf(store, accountId, agent.id);
  await store.webhooks.disable(id, 'failing');
});
afterAll(() => test?.close());

const run = (...args: string[]) =>
  runHere({ NIDAA_DATA_DIR: test.dataFolder, DATABASE_URL: test.databaseUrl }, ['webhooks', ...args]);
const json = async (...args: string[]): Promise<unknown> => JSON.parse((await run(...args, '--json')).stdout);

describe('webhooks', () => {
  it('are listed with how it goes with them, and without their secrets', async () => {
    const { stdout } = await run('list');
    expect(stdout).toMatch(new RegExp(`${id} +disabled: failing +0 +3 +never +https://example.com/in +call.started`));
    expect(stdout).not.toContain(secret.slice(6));
    expect(await json('list', '--account', 'Only')).toMatchObject([{ webhook_id: id, enabled: false, failed: 3 }]);
  });

  it('tell what they were told, and are sent it again', async () => {
    const all = (await json('deliveries', id)) as { delivery_id: string }[];
    expect(all).toHaveLength(3);
    expect((await run('deliveries', id, '--state', 'pending')).stdout).toContain('nothing to show');
    const refused = await run('replay', id, '--since', '2020-01-01T00:00:00Z');
    expect([refused.code, refused.stderr.includes('is disabled')]).toEqual([1, true]);
    await test.store.webhooks.change(id, accountId, { enabled: true });
    const one = all[0]!.delivery_id;
    expect(await json('replay', id, '--delivery', one)).toEqual({ webhook_id: id, replayed: 1 });
    expect(await json('replay', id, '--since', '2020-01-01T00:00:00Z')).toEqual({ webhook_id: id, replayed: 2 });
    expect(await json('deliveries', id, '--state', 'pending')).toHaveLength(3);
    const [entry] = await test.store.audit.list(accountId, { limit: 1 });
    expect(entry).toMatchObject({ action: 'replayWebhookDeliveries', actorKind: 'shell', targetId: id });
  });

  it.each([
    { args: ['deliveries', 'whk_none'], says: 'No webhook whk_none' },
    { args: ['replay', 'whk_none', '--since', '2020-01-01'], says: 'No webhook whk_none' },
    { args: ['replay', 'ID'], says: 'either --since or --delivery' },
    { args: ['replay', 'ID', '--since', 'yesterday'], says: 'is no time' },
    { args: ['replay', 'ID', '--delivery', 'dlv_none'], says: 'has no delivery dlv_none' },
  ])('refuse $args', async ({ args, says }) => {
    const { code, stderr } = await run(...args.map((one) => (one === 'ID' ? id : one)));
    expect([code, stderr.includes(says)]).toEqual([1, true]);
  });
});
