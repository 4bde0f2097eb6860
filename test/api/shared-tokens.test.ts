import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SharedTalkTokens, sharedSocketTokens } from '../../src/api/shared-tokens.ts';
import type { TalkGrant } from '../../src/api/socket-tokens.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { Store } from '../../src/store/store.ts';
import { openTestStore, type SharedTestStore, temporaryFolder } from '../support/postgres-store.ts';

/** Two gateways on one database. */
let one: SharedTestStore;
let other: Store;
beforeAll(async () => {
  one = await openTestStore();
  const { databaseUrl } = one;
  other = await Store.open({ dataFolder: temporaryFolder(), databaseUrl, logger: silentLogger });
});
afterAll(async () => {
  await other?.close();
  await one?.close();
});
const WHO = { accountId: 'acc_a', tokenId: 'tok_a' };
const GRANT: TalkGrant = { identity: WHO, agentId: 'agt_a', from: 'web', variables: { name: 'ن\0ورة' } };

describe('a token for one socket', () => {
  it('is taken by another gateway than issued it, once, and by none for another kind of socket', async () => {
    const [here, there] = [one.store, other].map((store) => sharedSocketTokens(store.oneUseTokens, systemClock));
    const talks = new SharedTalkTokens(other.oneUseTokens, systemClock);
    const { token, expiresAt } = await here!.issue(WHO);
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now() + 50_000);
    expect(await talks.redeem(token)).toBeUndefined();
    expect(await there!.redeem('service_st_never')).toBeUndefined();
    const taken = await Promise.all([there!.redeem(token), here!.redeem(token), there!.redeem(token)]);
    expect(taken.filter(Boolean)).toEqual([WHO]);
  });

  it('to talk keeps whom it is for; one that ends with a session stays where it was issued', async () => {
    const [here, there] = [one.store, other].map((store) => new SharedTalkTokens(store.oneUseTokens, systemClock));
    const { token } = await here!.issue(GRANT);
    expect(await there!.redeem(token)).toEqual({ ...GRANT, variables: { name: 'نورة' } });
    const own = await here!.issue({ ...GRANT, stillMay: async () => true });
    expect(await there!.redeem(own.token)).toBeUndefined();
    expect(await here!.redeem(own.token)).toMatchObject({ agentId: 'agt_a' });
  });

  it('is worth nothing after a minute, and is forgotten with all that is in it', async () => {
    const { store } = one;
    const tokens = new SharedTalkTokens(store.oneUseTokens, systemClock);
    const { token } = await tokens.issue(GRANT);
    const { rows } = await store.pool.query('SELECT held::text FROM one_use_tokens');
    expect(JSON.stringify(rows)).not.toContain(token.slice(11));
    await store.pool.query(`UPDATE one_use_tokens SET expires_at = now() - interval '1 second'`);
    expect(await tokens.redeem(token)).toBeUndefined();
    await store.oneUseTokens.purge();
    expect((await store.pool.query('SELECT 1 FROM one_use_tokens')).rowCount).toBe(0);
  });
});
