import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { authorize, type DigestChallenge, parseChallenges } from '../../src/sip/digest.ts';
import { DigestServer, NONCE_LIFE_MS } from '../../src/sip/digest-server.ts';
import { digestHashes } from '../../src/store/phones.ts';
import { FakeClock } from '../support/fake-clock.ts';

const realm = 'nidaa';
const source = '192.0.2.7';
const user = { username: 'reception', password: 'long "and" good' };
const ha1 = digestHashes(user.username, realm, user.password);
const request = { method: 'REGISTER', uri: 'sip:pbx.example' };

let clock: FakeClock;
let server: DigestServer;
beforeEach(() => {
  clock = new FakeClock();
  server = new DigestServer(realm, clock);
});

const challenge = (algorithm = 'SHA-256', stale = false): DigestChallenge => {
  const found = parseChallenges(server.challenges(source, stale).join(', ')).find((one) => one.algorithm === algorithm);
  if (!found) throw new Error('not offered');
  return found;
};
const answer = (
  to: DigestChallenge,
  parts: Partial<typeof request> & { nonceCount?: number; password?: string } = {},
) =>
  authorize(
    to,
    { username: user.username, password: parts.password ?? user.password },
    { ...request, body: '', clientNonce: 'c', nonceCount: 1, ...parts },
  );
const check = (header: string, from = source, known: typeof ha1 | null = ha1) => {
  const read = server.read(header, from);
  return read ? server.verify(read, known ?? undefined, request) : 'none';
};

it('offers SHA-256 before MD5, and no nonce twice', () => {
  const [first, second] = server.challenges(source, false);
  expect(first).toMatch(/^Digest realm="nidaa", nonce="[\w-]+", algorithm=SHA-256, qop="auth"$/);
  expect(second).toContain('algorithm=MD5');
  expect(challenge().nonce).not.toBe(challenge().nonce);
  expect(challenge('MD5', true).stale).toBe(true);
});

describe.each(['SHA-256', 'MD5'])('an answer by %s', (algorithm) => {
  it.each([
    { name: 'is taken', parts: {}, verdict: 'good' },
    { name: 'of another password', parts: { password: 'guess' }, verdict: 'wrong' },
    { name: 'for another method', parts: { method: 'INVITE' }, verdict: 'wrong' },
    { name: 'for another host', parts: { uri: 'sip:other.example' }, verdict: 'wrong' },
    { name: 'for the host by another transport', parts: { uri: 'sip:PBX.example;transport=tcp' }, verdict: 'good' },
  ])('$name', ({ parts, verdict }) => {
    expect(check(answer(challenge(algorithm), parts))).toBe(verdict);
  });

  it('by somebody unknown is as wrong', () => {
    expect(check(answer(challenge(algorithm)), source, null)).toBe('wrong');
    expect(check(answer(challenge(algorithm), { password: '' }), source, null)).toBe('wrong');
  });

  it('made from the hashes that stand for nobody is as wrong', () => {
    const to = challenge(algorithm);
    const hash = (text: string) => createHash(algorithm.replace('-', '').toLowerCase()).update(text).digest('hex');
    const nobody = '0'.repeat(hash('').length);
    const response = hash(`${nobody}:${to.nonce}:00000001:c:auth:${hash(`${request.method}:${request.uri}`)}`);
    expect(check(answer(to).replace(/response="\w+"/, `response="${response}"`), source, null)).toBe('wrong');
  });

  it('counts, and no count comes twice', () => {
    const to = challenge(algorithm);
    const counts = [1, 2, 2, 1, 7, 5, 8];
    expect(counts.map((nonceCount) => check(answer(to, { nonceCount })))).toEqual([
      'good',
      'good',
      'stale',
      'stale',
      'good',
      'stale',
      'good',
    ]);
  });

  it('that is wrong uses no count up', () => {
    const to = challenge(algorithm);
    expect(check(answer(to, { nonceCount: 9, password: 'guess' }))).toBe('wrong');
    expect(check(answer(to))).toBe('good');
  });
});

describe('a nonce', () => {
  it('is good for its time', () => {
    const header = answer(challenge());
    clock.advance(NONCE_LIFE_MS - 1);
    expect(check(header)).toBe('good');
    clock.advance(1);
    expect(check(header)).toBe('stale');
  });

  it('is good from one address', () => {
    expect(check(answer(challenge()), '192.0.2.8')).toBe('stale');
  });

  it.each(['', 'AAAA', 'a'.repeat(38), `${'A'.repeat(37)}=`])('that we did not make is none: %j', (nonce) => {
    expect(check(answer({ ...challenge(), nonce }))).toBe(nonce === '' ? 'none' : 'stale');
  });

  it('is no good any more when its count had to be forgotten', () => {
    server = new DigestServer(realm, clock, 2);
    const old = challenge();
    expect(check(answer(old))).toBe('good');
    clock.advance(10);
    for (const to of [challenge(), challenge()]) expect(check(answer(to))).toBe('good');
    expect(check(answer(old))).toBe('stale');
    expect(check(answer(old, { nonceCount: 2 }))).toBe('stale');
  });
});

describe('what is no answer to our challenge', () => {
  const good = () => answer(challenge());
  it.each([
    ['nothing', () => undefined],
    ['another scheme', () => 'Basic YTpi'],
    ['another realm', () => good().replace('realm="nidaa"', 'realm="x"')],
    ['no qop', () => good().replace(', qop=auth', '')],
    ['auth-int', () => good().replace('qop=auth', 'qop=auth-int')],
    ['no count', () => good().replace(/, nc=\w+/, '')],
    ['a count in decimal words', () => good().replace(/nc=\w+/, 'nc=one')],
    ['no client nonce', () => good().replace(/cnonce="c", /, '')],
    ['an algorithm that we did not offer', () => good().replace('algorithm=SHA-256', 'algorithm=MD5-sess')],
    ['a user of 10,000 letters', () => good().replace('reception', 'u'.repeat(10_000))],
    ['broken quotes', () => 'Digest realm="nidaa'],
  ])('%s', (_name, header) => {
    expect(server.read(header(), source)).toBeUndefined();
  });

  it('is passed over where the right one follows', () => {
    expect(check(`${good().replace('realm="nidaa"', 'realm="x"')}, ${good()}`)).toBe('good');
  });
});

it('takes as long for a user that is unknown', () => {
  const to = challenge();
  const time = (known: typeof ha1 | undefined): number => {
    const read = server.read(answer(to, { password: 'guess' }), source);
    if (!read) throw new Error('none');
    const startMs = performance.now();
    for (let i = 0; i < 50; i += 1) server.verify(read, known, request);
    return performance.now() - startMs;
  };
  time(ha1);
  // The quickest of many: on a busy machine only that is our own time.
  const best = { known: Infinity, unknown: Infinity };
  for (let round = 0; round < 25; round += 1) {
    best.known = Math.min(best.known, time(ha1));
    best.unknown = Math.min(best.unknown, time(undefined));
  }
  expect(best.unknown / best.known).toBeGreaterThan(0.7);
  expect(best.unknown / best.known).toBeLessThan(1.4);
});
