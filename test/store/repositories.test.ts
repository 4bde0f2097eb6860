import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ensureDemo } from '../../src/billing/demo.ts';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { systemClock } from '../../src/core/clock.ts';
import { newId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { IdempotencyRows } from '../../src/store/idempotency.ts';
import { Store } from '../../src/store/store.ts';
import { freeMinute } from '../support/free-minute.ts';
import { beginCall } from '../support/money.ts';
import { moneyFaults, openOwnServer, type TestStore } from '../support/postgres-store.ts';

const definition = (name: string, greeting = 'Hello'): AgentDefinition => ({
  name,
  language: 'en-US',
  voice: 'noura',
  model: 'sada-1',
  greeting: { en: greeting },
});

describe('repositories on PostgreSQL', () => {
  let test: TestStore;
  let store: Store;
  let mine: string;
  let other: string;
  beforeAll(async () => {
    test = await openOwnServer();
    store = test.store;
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    mine = (await store.accounts.create('mine')).id;
    other = (await store.accounts.create('other')).id;
  });

  describe('tokens', () => {
    it('are of the documented form, known by hash only, and show their ends', async () => {
      const { token, secret } = await store.tokens.create(mine, 'ci');
      expect(secret).toMatch(/^service_sk_live_[0-9A-Za-z]{43}$/);
      expect(token).toMatchObject({ accountId: mine, name: 'ci', prefix: 'service_sk_live_', last4: secret.slice(-4) });
      const { rows } = await store.pool.query(`SELECT t::text AS row FROM tokens t WHERE id = $1`, [token.id]);
      expect(rows[0].row).not.toContain(secret.slice(20));
      expect(await store.tokens.authenticate(secret)).toEqual({ tokenId: token.id, accountId: mine });
    });

    it.each([
      { name: 'missing', token: undefined },
      { name: 'empty', token: '' },
      { name: 'malformed', token: 'Bearer x' },
      { name: 'unknown', token: `service_sk_live_${'a'.repeat(43)}` },
      { name: 'huge', token: 'x'.repeat(1_000_000) },
      { name: 'with a zero byte', token: 'service_sk_live_\0' },
    ])('nobody: $name', async ({ token }) => {
      expect(await store.tokens.authenticate(token)).toBeUndefined();
    });

    it('a token knows the limit that its account has set', async () => {
      const { id } = await store.accounts.create('limited');
      await store.accounts.change(id, { requestsAMinuteMax: 90 });
      const { token, secret } = await store.tokens.create(id, 'ci');
      const identity = { tokenId: token.id, accountId: id, accountRequestsAMinute: 90 };
      expect(await store.tokens.authenticate(secret)).toEqual(identity);
    });

    it('a revoked token stops at once, and only its account can revoke it', async () => {
      const { token, secret } = await store.tokens.create(mine, 'ci');
      await store.tokens.authenticate(secret);
      expect(await store.tokens.revoke(token.id, other)).toBe(false);
      expect(await store.tokens.authenticate(secret)).toBeDefined();
      expect(await store.tokens.revoke(token.id, mine)).toBe(true);
      expect(await store.tokens.authenticate(secret)).toBeUndefined();
      expect(await store.tokens.revoke(token.id, mine)).toBe(false);
      expect((await store.tokens.list(mine)).map((row) => row.revokedAt !== null)).toEqual([true]);
      expect(await store.tokens.list(other)).toEqual([]);
    });
  });

  describe('agents', () => {
    it('draft -> live -> paused -> live, a version a publication, older ones come back as new ones', async () => {
      const draft = await store.agents.create(mine, definition('Clinic', 'one'));
      expect(draft).toMatchObject({ version: 1, status: 'draft', accountId: mine });
      expect(draft.id).toMatch(/^agt_[a-z2-7]{20}$/);
      expect(await store.agents.setStatus(mine, draft.id, 'live')).toBeUndefined();
      expect(await store.agents.publish(mine, draft.id)).toMatchObject({ version: 2, status: 'live' });
      expect(await store.agents.publish(mine, draft.id, definition('Clinic', 'two'))).toMatchObject({ version: 3 });
      expect(await store.agents.setStatus(mine, draft.id, 'paused')).toMatchObject({ status: 'paused', version: 3 });
      expect(await store.agents.setStatus(mine, draft.id, 'live')).toMatchObject({ status: 'live' });
      const back = await store.agents.publish(mine, draft.id, { version: 1 });
      expect(back).toMatchObject({ version: 4, definition: { greeting: { en: 'one' } } });
      expect(await store.agents.publish(mine, draft.id, { version: 99 })).toBeUndefined();
      expect((await store.agents.versions(mine, draft.id)).map((row) => row.version)).toEqual([4, 3, 2, 1]);
    });

    it('a version keeps the text that it was written in, which goes where the version goes', async () => {
      const one = '# one\nname: Written';
      const agent = await store.agents.create(mine, definition('Written', 'one'), 'draft', one);
      const textOf = async (version: number) => (await store.agents.version(mine, agent.id, version))?.yaml;
      await store.agents.publish(mine, agent.id);
      await store.agents.change(mine, agent.id, definition('Written', 'two'), { yaml: '# two' });
      await store.agents.publish(mine, agent.id, definition('Written', 'three'));
      await store.agents.publish(mine, agent.id, { version: 3 });
      expect(await Promise.all([1, 2, 3, 4, 5].map(textOf))).toEqual([one, one, '# two', undefined, '# two']);
      await expect(
        store.agents.publish(mine, agent.id, definition('Written'), 'x'.repeat(1_000_001)),
      ).rejects.toThrow();
      await store.agents.remove(mine, agent.id);
      const [imported] = await store.agents.importMissing(mine, [definition('Brought')], () => '# brought');
      expect((await store.agents.version(mine, imported!.id, 1))?.yaml).toBe('# brought');
      await store.agents.remove(mine, imported!.id);
    });

    it('publishing in parallel gives each a version of its own', async () => {
      const { id } = await store.agents.create(mine, definition('Clinic'));
      await Promise.all(
        Array.from({ length: 10 }, (_, n) => store.agents.publish(mine, id, definition('Clinic', `${n}`))),
      );
      expect((await store.agents.versions(mine, id)).map((row) => row.version)).toEqual([
        11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
      ]);
    });

    it('lists the most recently changed first; a removed one is gone everywhere and its name is free', async () => {
      const [a, b] = [
        await store.agents.create(mine, definition('A')),
        await store.agents.create(mine, definition('B')),
      ];
      await store.agents.publish(mine, a.id);
      expect((await store.agents.list(mine)).map((agent) => agent.definition.name)).toEqual(['A', 'B']);
      expect(await store.agents.remove(mine, b.id)).toBe(true);
      expect(await store.agents.remove(mine, b.id)).toBe(false);
      expect(await store.agents.get(mine, b.id)).toBeUndefined();
      expect((await store.agents.create(mine, definition('B'))).id).not.toBe(b.id);
      await expect(store.agents.create(mine, definition('A'))).rejects.toThrow();
    });

    it('of another account are as unknown as none', async () => {
      const { id } = await store.agents.create(mine, definition('A'));
      expect(await store.agents.get(other, id)).toBeUndefined();
      expect(await store.agents.list(other)).toEqual([]);
      expect(await store.agents.publish(other, id, definition('stolen'))).toBeUndefined();
      expect(await store.agents.setStatus(other, id, 'paused')).toBeUndefined();
      expect(await store.agents.remove(other, id)).toBe(false);
      expect(await store.agents.versions(other, id)).toEqual([]);
      expect(await store.agents.get(mine, id)).toMatchObject({ definition: { name: 'A' } });
    });
  });

  describe('numbers', () => {
    it('resolve to the agent as it is now, remembered between changes', async () => {
      const number = newId('num');
      expect(await store.numbers.resolve(number)).toBeUndefined();
      const agent = await store.agents.create(mine, definition('A'), 'live');
      expect(await store.numbers.assign(number, mine, agent.id)).toBe('assigned');
      expect(await store.numbers.resolve(number)).toEqual(agent);
      await store.pool.query('UPDATE numbers SET agent_id = agent_id WHERE false');
      expect(await store.numbers.resolve(number)).toBe(await store.numbers.resolve(number)); // the same object: no second query
      await store.agents.setStatus(mine, agent.id, 'paused');
      expect((await store.numbers.resolve(number))?.status).toBe('paused');
      await store.agents.publish(mine, agent.id, definition('A', 'changed'));
      expect((await store.numbers.resolve(number))?.definition.greeting).toEqual({ en: 'changed' });
      await store.agents.remove(mine, agent.id);
      expect(await store.numbers.resolve(number)).toBeUndefined();
    });

    it('go only to agents of the account, and can be taken away', async () => {
      const number = newId('num');
      const agent = await store.agents.create(mine, definition('A'), 'live');
      expect(await store.numbers.assign(number, other, agent.id)).toBe('no-agent');
      expect(await store.numbers.assignIfFree(number, mine, agent.id)).toBe(true);
      expect(await store.numbers.assignIfFree(number, mine, agent.id)).toBe(false);
      expect(await store.numbers.list(mine)).toEqual([
        { number, accountId: mine, agentId: agent.id, agentName: 'A', enabled: true },
      ]);
      expect(await store.numbers.remove(number, other)).toBe(false);
      expect(await store.numbers.remove(number, mine)).toBe(true);
      expect(await store.numbers.resolve(number)).toBeUndefined();
    });

    it('stay with the account that has them, unless they are taken on purpose', async () => {
      const number = newId('num');
      const agent = await store.agents.create(mine, definition('A'), 'live');
      const sibling = await store.agents.create(mine, definition('B'), 'live');
      const stranger = await store.agents.create(other, definition('C'), 'live');
      expect(await store.numbers.assign(number, mine, agent.id)).toBe('assigned');
      expect(await store.numbers.takenByOthers(mine, [number])).toEqual([]);
      expect(await store.numbers.takenByOthers(other, ['nobody', number])).toEqual([number]);
      expect(await store.numbers.assign(number, mine, sibling.id)).toBe('assigned');
      expect(await store.numbers.assign(number, other, stranger.id)).toBe('taken');
      expect((await store.numbers.resolve(number))?.id).toBe(sibling.id);
      expect(await store.numbers.assign(number, other, stranger.id, { take: true })).toBe('assigned');
      expect((await store.numbers.resolve(number))?.id).toBe(stranger.id);
    });
  });

  describe('idempotency keys', () => {
    const request = (body: string, more = {}) => ({
      accountId: mine,
      path: '/v1/speech',
      key: 'key-1',
      requestSha256: createHash('sha256').update(body).digest(),
      ...more,
    });
    const answer = { status: 200, headers: { 'content-type': 'audio/mpeg' }, body: Buffer.from([0, 255, 1]) };

    it('one of 50 twins runs, the others see it running, later ones get its answer byte for byte', async () => {
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => store.idempotency.begin(request('a'))));
      expect(outcomes.filter((outcome) => outcome.type === 'started')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome.type === 'running')).toHaveLength(49);
      await store.idempotency.complete(request('a'), answer);
      expect(await store.idempotency.begin(request('a'))).toEqual({ type: 'replay', answer });
    });

    it.each([
      { name: 'another body', next: { requestSha256: createHash('sha256').update('b').digest() }, type: 'mismatch' },
      { name: 'another path', next: { path: '/v1/ask' }, type: 'started' },
      { name: 'another key', next: { key: 'key-2' }, type: 'started' },
    ])('$name', async ({ next, type }) => {
      await store.idempotency.begin(request('a'));
      expect(await store.idempotency.begin(request('a', next))).toEqual({ type });
      await store.idempotency.complete(request('a'), answer);
      if (type === 'mismatch') expect(await store.idempotency.begin(request('a', next))).toEqual({ type });
    });

    it('of another account are its own', async () => {
      await store.idempotency.begin(request('a'));
      expect(await store.idempotency.begin(request('a', { accountId: other }))).toEqual({ type: 'started' });
    });

    it('one that another gateway runs is free when that is dead or its time is over', async () => {
      const twin = new IdempotencyRows(store.pool, { id: 'gw_twin' }, systemClock);
      await twin.begin(request('a'));
      expect(await store.idempotency.begin(request('a'))).toEqual({ type: 'running' });
      expect(await store.idempotency.begin(request('b'))).toEqual({ type: 'mismatch' });
      await store.gateways.freeKeys('gw_twin');
      expect(await store.idempotency.begin(request('b'))).toEqual({ type: 'mismatch' });
      expect(await store.idempotency.begin(request('a'))).toEqual({ type: 'started' });
      expect(await twin.begin(request('a'))).toEqual({ type: 'running' });
    });

    it('one whose answer could not be kept because the database was away is answered from memory, then kept', async () => {
      const { pool } = store;
      const rows = new IdempotencyRows(pool, { id: 'gw_self' }, systemClock);
      await rows.begin(request('c', { key: 'key-3' }));
      vi.spyOn(pool, 'query').mockImplementationOnce(() => {
        throw new Error('Connection terminated');
      });
      await expect(rows.complete(request('c', { key: 'key-3' }), answer)).rejects.toThrow();
      expect(await rows.begin(request('d', { key: 'key-3' }))).toEqual({ type: 'mismatch' });
      expect(await rows.begin(request('c', { key: 'key-3' }))).toEqual({ type: 'replay', answer });
      const another = new IdempotencyRows(pool, { id: 'gw_self' }, systemClock);
      expect(await another.begin(request('c', { key: 'key-3' }))).toEqual({ type: 'replay', answer });
    });

    it('one that was left running by a database that went away may run again', async () => {
      const rows = new IdempotencyRows(store.pool, { id: 'gw_self' }, systemClock);
      await rows.begin(request('a'));
      vi.spyOn(store.pool, 'query').mockImplementationOnce(() => {
        throw new Error('Connection terminated');
      });
      await expect(rows.abandon(request('a'))).rejects.toThrow();
      expect(await rows.begin(request('a'))).toEqual({ type: 'started' });
    });

    it('an abandoned one and an expired one can run again', async () => {
      await store.idempotency.begin(request('a'));
      await store.idempotency.abandon(request('a'));
      expect(await store.idempotency.begin(request('a'))).toEqual({ type: 'started' });
      await store.idempotency.complete(request('a'), answer);
      await store.pool.query(`UPDATE idempotency_keys SET expires_at = now() - interval '1 s' WHERE account_id = $1`, [
        mine,
      ]);
      expect(await store.idempotency.begin(request('b'))).toEqual({ type: 'started' });
      await store.pool.query(`UPDATE idempotency_keys SET expires_at = now() - interval '1 s' WHERE account_id = $1`, [
        mine,
      ]);
      expect(await store.idempotency.purge()).toBeGreaterThanOrEqual(1);
    });
  });

  it('calls are listed newest first, page by page, by account', async () => {
    for (let n = 0; n < 5; n += 1) {
      const id = newId('call');
      const call = {
        id,
        sipCallId: id,
        agentId: 'agt_x',
        agentVersion: 1,
        agentName: 'a',
        direction: 'inbound',
        from: '1',
        to: '2',
      } as const;
      const start = { ...call, accountId: mine, startedAt: new Date(Math.floor(n / 2) * 1_000) };
      await beginCall(store, start, freeMinute(id, mine));
    }
    const all = await store.calls.list({ accountId: mine });
    expect(all).toHaveLength(5);
    const first = await store.calls.list({ accountId: mine, limit: 2 });
    const rest = await store.calls.list({ accountId: mine, before: first.at(-1)! });
    expect([...first, ...rest]).toEqual(all);
    expect(await store.calls.list({ accountId: other })).toEqual([]);
  });

  it('the demo is made once; what its owner changes stays changed', async () => {
    const options = {
      accountName: 'demo',
      creditCents: 10_000,
      agents: [definition('Clinic'), definition('Shop')],
      numbers: { '700': 'Clinic', '701': 'Shop', '702': 'Nobody' },
    };
    const [one, two] = await Promise.all([ensureDemo(store, options), ensureDemo(store, options)]);
    expect([one.tokenSecret, two.tokenSecret].filter(Boolean)).toHaveLength(1);
    expect(one.accountId).toBe(two.accountId);
    expect([...one.importedAgents, ...two.importedAgents]).toEqual(['Clinic', 'Shop']);
    expect((await store.numbers.resolve('700'))?.status).toBe('live');

    const clinic = (await store.agents.getByName(one.accountId, 'Clinic'))!;
    const shop = (await store.agents.getByName(one.accountId, 'Shop'))!;
    await store.agents.publish(one.accountId, clinic.id, definition('Clinic', 'mine'));
    await store.agents.remove(one.accountId, shop.id);
    await store.numbers.remove('701');
    const later = await ensureDemo(store, { ...options, agents: [...options.agents, definition('Nobody')] });
    expect(later).toEqual({ accountId: one.accountId, importedAgents: ['Nobody'], importedNumbers: ['702'] });
    expect((await store.numbers.resolve('700'))?.definition.greeting).toEqual({ en: 'mine' });
    expect(await store.numbers.resolve('701')).toBeUndefined();
    expect((await store.accounts.get(one.accountId))?.balanceCents).toBe(10_000);
    expect(await moneyFaults(store)).toEqual([]);
  });

  it('a tool beside the gateway uses its database', async () => {
    const tool = await Store.open({ dataFolder: test.dataFolder, logger: silentLogger, attach: true });
    expect(tool.server).toBeUndefined();
    expect(await tool.accounts.get(mine)).toMatchObject({ name: 'mine' });
    await tool.close();
    expect(await store.isUp()).toBe(true);
  });

  it('a database that cannot be reached is the operator’s to mend', async () => {
    const databaseUrl = 'postgresql://nobody@127.0.0.1:1/none';
    await expect(Store.open({ dataFolder: test.dataFolder, logger: silentLogger, databaseUrl })).rejects.toThrow(
      /DATABASE_URL/,
    );
  });
});
