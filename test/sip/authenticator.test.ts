import { beforeEach, describe, expect, it } from 'vitest';
import { Authenticator, type DigestUser } from '../../src/sip/authenticator.ts';
import { authorize, parseChallenges } from '../../src/sip/digest.ts';
import { DigestServer, NONCE_LIFE_MS } from '../../src/sip/digest-server.ts';
import { BLOCK_MS, FAILURES_MAX, FAILURES_WITHIN_MS, FailureGuard } from '../../src/sip/failure-guard.ts';
import { digestHashes } from '../../src/store/phones.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { fakeRequest } from '../support/fake-srf.ts';
import { LogCapture } from '../support/log-capture.ts';

const realm = 'nidaa';
let clock: FakeClock;
let guard: FailureGuard;
let authenticator: Authenticator;
let log: LogCapture;
let down: boolean;

const users = new Map<string, DigestUser>([
  ['alice', { digest: digestHashes('alice', realm, 'a-secret') }],
  ['bob', { digest: digestHashes('bob', realm, 'b-secret') }],
]);
const find = (username: string) =>
  down ? Promise.reject(new Error('no database')) : Promise.resolve(users.get(username));

beforeEach(() => {
  clock = new FakeClock();
  guard = new FailureGuard(clock);
  log = new LogCapture();
  down = false;
  authenticator = new Authenticator({ digest: new DigestServer(realm, clock), guard, logger: log.logger });
});

const ask = (from: string, authorization?: string) =>
  authenticator.check(
    fakeRequest({
      ...{ method: 'REGISTER', uri: 'sip:pbx', sourceAddress: from },
      ...(authorization !== undefined && { headers: { Authorization: authorization } }),
    }),
    find,
  );
async function challengeFor(from: string) {
  const reply = await ask(from);
  if (!('status' in reply)) throw new Error('let in');
  const [challenge] = parseChallenges(reply.headers['WWW-Authenticate'] ?? '');
  return challenge;
}
let nonces = 0;
async function try_(username: string, password: string, from = '192.0.2.1') {
  const challenge = await challengeFor(from);
  if (!challenge) return { status: 403 };
  nonces += 1;
  const request = { method: 'REGISTER', uri: 'sip:pbx', body: '', nonceCount: 1, clientNonce: `${nonces}` };
  return ask(from, authorize(challenge, { username, password }, request));
}

describe('who asks', () => {
  it('with a nonce that is too old is asked again, and nobody is looked up for it', async () => {
    const challenge = await challengeFor('192.0.2.1');
    const request = { method: 'REGISTER', uri: 'sip:pbx', body: '', nonceCount: 1, clientNonce: 'c' };
    const header = authorize(challenge!, { username: 'alice', password: 'a-secret' }, request);
    clock.advance(NONCE_LIFE_MS);
    down = true;
    for (let i = 0; i < 2 * FAILURES_MAX; i += 1) {
      expect(await ask('192.0.2.1', header)).toMatchObject({ status: 401, why: 'stale' });
    }
  });

  it('without a word is challenged twice, in two headers', async () => {
    expect(await ask('192.0.2.1')).toMatchObject({
      status: 401,
      headers: {
        'WWW-Authenticate': expect.stringMatching(
          /^Digest [^\r]*SHA-256[^\r]*\r\nWWW-Authenticate: Digest [^\r]*MD5[^\r]*$/,
        ),
      },
    });
  });

  it('with the right password is let in', async () => {
    expect(await try_('alice', 'a-secret')).toMatchObject({ user: users.get('alice'), username: 'alice' });
  });

  it('without an answer, as phones do that know MD5 alone, is offered MD5 alone, and so it stays', async () => {
    const offered = async (from = '192.0.2.1', authorization?: string) => {
      const reply = await ask(from, authorization);
      return 'status' in reply
        ? parseChallenges(reply.headers['WWW-Authenticate']?.replaceAll('\r\nWWW-Authenticate:', ',') ?? '')
        : [];
    };
    const names = async (from?: string) => (await offered(from)).map(({ algorithm }) => algorithm);
    expect([await names(), await names(), await names('192.0.2.2')]).toEqual([
      ['SHA-256', 'MD5'],
      ['MD5'],
      ['SHA-256', 'MD5'],
    ]);
    const [only] = await offered();
    const request = { method: 'REGISTER', uri: 'sip:pbx', body: '', nonceCount: 1, clientNonce: 'c' };
    const header = authorize(only!, { username: 'alice', password: 'a-secret' }, request);
    expect(await ask('192.0.2.1', header)).toMatchObject({ username: 'alice' });
    clock.advance(1_000_000);
    expect(await offered('192.0.2.1', header)).toMatchObject([{ algorithm: 'MD5', stale: true }]);
    expect(await names()).toEqual(['MD5']);
  });

  it('is told the same whether he is known or not', async () => {
    const shape = (reply: object) => JSON.stringify(reply).replace(/nonce=\\"[\w-]+/g, '');
    const [known, unknown] = [await try_('alice', 'x'), await try_('nobody', 'x')];
    expect(shape(known)).toBe(shape(unknown));
    expect(await try_('alice', 'x')).toMatchObject({ why: 'wrong' });
    expect(known).toMatchObject({ status: 401 });
  });

  it('is told to come later when nobody can be looked up', async () => {
    down = true;
    expect(await try_('alice', 'a-secret')).toMatchObject({ status: 503, headers: { 'Retry-After': '10' } });
    expect(guard.counters.failures).toBe(0);
  });

  it('leaves no name or answer in the log outside pii', async () => {
    await try_('alice', 'guess');
    expect(log.lines.length).toBe(1);
    expect(log.text).toContain('authentication failed');
    expect(log.text).not.toMatch(/alice|nonce|response/);
  });
});

describe('guessing', () => {
  it('is over after ten failures, for more than a minute, and also the right password is not looked at', async () => {
    const statuses: unknown[] = [];
    for (let i = 0; i < FAILURES_MAX + 2; i += 1) {
      const reply = await try_('alice', `guess-${i}`);
      statuses.push('status' in reply ? reply.status : 'in');
    }
    expect(statuses).toEqual([...Array<number>(FAILURES_MAX).fill(401), 403, 403]);
    expect(await try_('alice', 'a-secret')).toMatchObject({ status: 403 });
    clock.advance(60_000);
    expect(await try_('alice', 'a-secret')).toMatchObject({ status: 403 });
    clock.advance(BLOCK_MS - 60_000);
    expect(await try_('alice', 'a-secret')).toMatchObject({ username: 'alice' });
  });

  it('of many users from one address ends that address, and no other', async () => {
    for (let i = 0; i < FAILURES_MAX; i += 1) await try_(`user-${i}`, 'x');
    expect(await try_('bob', 'b-secret')).toMatchObject({ status: 403 });
    expect(await try_('bob', 'b-secret', '192.0.2.2')).toMatchObject({ username: 'bob' });
  });

  it('of one user from many addresses ends for that user, but not where he is at home', async () => {
    expect(await try_('alice', 'a-secret', '192.0.2.99')).toMatchObject({ username: 'alice' });
    for (let i = 0; i < FAILURES_MAX; i += 1) await try_('alice', 'x', `198.51.100.${i}`);
    expect(await try_('alice', 'a-secret', '203.0.113.1')).toMatchObject({ status: 403 });
    expect(await try_('alice', 'a-secret', '192.0.2.99')).toMatchObject({ username: 'alice' });
  });

  it('all at once is no quicker', async () => {
    const challenge = await challengeFor('192.0.2.1');
    const tries = Array.from({ length: 100 }, (_, index) => {
      const request = { method: 'REGISTER', uri: 'sip:pbx', body: '', nonceCount: index + 1, clientNonce: 'c' };
      return ask('192.0.2.1', authorize(challenge!, { username: 'alice', password: `${index}` }, request));
    });
    await Promise.all(tries);
    expect(authenticator.counters.wrong).toBe(FAILURES_MAX);
  });

  it('slowly is a mistake now and then', async () => {
    for (let i = 0; i < 3 * FAILURES_MAX; i += 1) {
      await try_('alice', 'x');
      clock.advance(FAILURES_WITHIN_MS / 5);
    }
    expect(await try_('alice', 'a-secret')).toMatchObject({ username: 'alice' });
  });

  it('from ever new addresses with ever new names fills no memory', () => {
    const small = new FailureGuard(clock, 10);
    for (let i = 0; i < 1_000; i += 1) {
      small.failed(`a${i}`, `u${i}`);
      small.succeeded(`a${i}`, `v${i}`);
    }
    for (let i = 0; i < FAILURES_MAX; i += 1) small.failed('a', 'u');
    expect([small.isBlocked('a'), small.isBlocked('a999'), small.counters.failures]).toEqual([true, false, 1_010]);
  });
});
