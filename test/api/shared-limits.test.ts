import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, RequestRates, useRateLimit } from '../../src/api/rate-limit.ts';
import { ServiceError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { EXCHANGE_MS, FRESH_MS, SharedUse, type UseBoard } from '../../src/core/shared-use.ts';
import { RedisServer } from '../../src/store/redis-server.ts';
import { boardInPostgres, boardInRedis } from '../../src/store/use-boards.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { openTestStore, type TestStore } from '../support/postgres-store.ts';
import { haveRedis, RedisProcess } from '../support/redis.ts';

const RULE = { requestsPerMinute: 60, requestBurst: 10 };
const WHO = { tokenId: 'tok_a', accountId: 'acc_a' };

/** A gateway as far as limits go: its own process state, the board shared with the others. */
function gateway(board: UseBoard, clock: FakeClock) {
  let questions = 0;
  const asked: UseBoard = {
    exchange: (...args) => {
      questions += 1;
      return board.exchange(...args);
    },
  };
  const use = new SharedUse({ board: asked, clock, logger: silentLogger });
  const rates = new RequestRates(clock, RULE, use);
  const sockets = use.counts('sockets');
  /** Sockets that are opened up to the limit of the account. @returns how many got in. */
  const open = (limit: number, wanted: number): number => {
    let got = 0;
    for (; got < wanted && sockets.of(WHO.accountId) < limit; got += 1) sockets.enter(WHO.accountId);
    return got;
  };
  const asks = (wanted: number, who: Asking = WHO): number =>
    Array.from({ length: wanted }, () => rates.take(who)).filter(({ allowed }) => allowed).length;
  return { use, rates, sockets, open, asks, questions: () => questions };
}

const BACKENDS = [
  { on: 'PostgreSQL', run: true },
  { on: 'Redis (Debian: redis-server)', run: haveRedis },
];

describe.each(BACKENDS.filter(({ run }) => run))('limits of an account over two gateways, by $on', ({ on }) => {
  let test: TestStore;
  let redis: RedisProcess | undefined;
  let server: RedisServer | undefined;
  let count = 0;
  beforeAll(async () => {
    test = await openTestStore();
    if (on === 'PostgreSQL') return;
    redis = await RedisProcess.start();
    server = await RedisServer.open({ url: redis.url }, { logger: silentLogger });
  });
  afterAll(async () => {
    server?.close();
    await redis?.stop();
    await test?.close();
  });
  const two = async () => {
    await test.store.pool.query('TRUNCATE gateway_use');
    await server?.asking.del('nidaa:use');
    const clock = new FakeClock();
    const board = (): UseBoard => {
      count += 1;
      const id = `gw_${count}`;
      return server ? boardInRedis(server.asking, () => id) : boardInPostgres(test.store.pool, () => id);
    };
    const [here, there] = [gateway(board(), clock), gateway(board(), clock)];
    const tell = async (): Promise<void> => {
      for (const one of [here, there, here]) await one.use.exchange();
    };
    await tell();
    return { clock, here, there, tell };
  };

  it('sockets: no more than the limit over both, but for what the other let in within two seconds', async () => {
    const { here, there, tell } = await two();
    expect(here.open(10, 7)).toBe(7);
    await tell();
    expect(there.open(10, 100)).toBe(3);
    await tell();
    expect([here.open(10, 5), there.open(10, 5)]).toEqual([0, 0]);
    for (let gone = 0; gone < 4; gone += 1) here.sockets.leave(WHO.accountId);
    await tell();
    expect(there.open(10, 100)).toBe(4);
  });

  it('requests: what one lets in is taken from the allowance of the other', async () => {
    const { clock, here, there, tell } = await two();
    expect(here.asks(1)).toBe(1); // both have heard of the token
    await tell();
    expect(here.asks(7)).toBe(7);
    await tell();
    expect(there.asks(100)).toBe(2);
    await tell();
    expect(here.asks(100)).toBe(0);
    let allowed = 0;
    for (let second = 0; second < 60; second += 1) {
      clock.advance(1_000);
      allowed += here.asks(3) + there.asks(3);
      if (second % 2 === 1) await tell();
    }
    // A minute of the rate, and the slack: what each let in since the last exchange.
    expect(allowed).toBeLessThanOrEqual(RULE.requestsPerMinute + 6);
    expect(allowed).toBeGreaterThan(RULE.requestsPerMinute / 2);
  });

  it('requests of an account with a limit of its own: its tokens share it, here and there', async () => {
    const { here, there, tell } = await two();
    const [one, other] = ['tok_b', 'tok_c'].map((tokenId) => ({ ...WHO, tokenId, accountRequestsAMinute: 30 }));
    expect(here.asks(1, one)).toBe(1); // both have heard of it
    await tell();
    expect(here.asks(2, one)).toBe(2);
    await tell();
    expect(there.asks(100, other)).toBe(2); // five at once of the account, ten of a token
    await tell();
    expect([here.asks(100, one), there.asks(100, other)]).toEqual([0, 0]);
    expect(there.asks(100, { tokenId: 'tok_d', accountId: 'acc_d' }), 'another account').toBe(RULE.requestBurst);
  });

  it('an account that one gateway serves has the whole of its limits there, and no question is asked on the way', async () => {
    const { here, there } = await two();
    const before = [here.questions(), there.questions()];
    expect(here.asks(100)).toBe(RULE.requestBurst);
    expect(here.open(1_000, 1_000)).toBe(1_000);
    expect([here.questions(), there.questions()]).toEqual(before);
  });

  it('a gateway that falls silent is forgotten', async () => {
    const { clock, here, there, tell } = await two();
    expect(there.open(10, 8)).toBe(8);
    await tell();
    expect(here.sockets.of(WHO.accountId)).toBe(8);
    clock.advance(FRESH_MS);
    expect(here.sockets.of(WHO.accountId)).toBe(0); // nothing was heard since
  });
});

describe('while the board is away', () => {
  it('what was heard last counts for ten seconds, then each gateway keeps the limit by itself', async () => {
    const clock = new FakeClock();
    let isAway = false;
    const report = { held: { 'sockets acc_a': 6 }, taken: {} };
    const board: UseBoard = {
      exchange: async () => {
        if (isAway) throw new Error('connect ECONNREFUSED');
        return new Map([['gw_other', report]]);
      },
    };
    const { use, sockets, open } = gateway(board, clock);
    await use.exchange();
    isAway = true;
    clock.advance(EXCHANGE_MS);
    await use.exchange();
    expect(sockets.of(WHO.accountId)).toBe(6);
    clock.advance(FRESH_MS);
    expect(open(10, 100)).toBe(10);
    isAway = false;
    await use.exchange();
    expect(sockets.of(WHO.accountId)).toBe(16);
  });

  it('requests at once are counted with those of others', async () => {
    const clock = new FakeClock();
    const report = { held: { 'requests acc_a': 2 }, taken: {} };
    const use = new SharedUse({
      ...{ clock, logger: silentLogger },
      board: { exchange: async () => new Map([['gw_other', report]]) },
    });
    const app: FastifyInstance = Fastify();
    app.decorateRequest('caller');
    app.addHook('onRequest', async (request) => {
      request.caller = WHO;
    });
    const rates = new RequestRates(clock, { requestsPerMinute: 6_000, requestBurst: 100 }, use);
    useRateLimit(app, { rates, inFlightPerAccount: 2, inFlight: use.counts('requests') });
    app.get('/', async () => 'ok');
    expect((await app.inject('/')).statusCode).toBe(200);
    await use.exchange();
    expect((await app.inject('/')).statusCode).toBe(new ServiceError('rate_limited').status);
    await app.close();
  });
});
