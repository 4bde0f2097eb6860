import { describe, expect, it } from 'vitest';
import { authorize, chooseChallenge, DigestClient, parseChallenges } from '../../src/sip/digest.ts';

/** RFC 7616 §3.9.1, and RFC 2617 §3.5 for the older forms. */
const mufasa = { username: 'Mufasa', password: 'Circle of Life' };
const modern = {
  realm: 'http-auth@example.org',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};

function challengeOf(header: string) {
  const [challenge] = parseChallenges(header);
  if (!challenge) throw new Error('no challenge read');
  return challenge;
}
const responseIn = (header: string): string | undefined => /response="([0-9a-f]+)"/.exec(header)?.[1];

describe('digest answers', () => {
  it.each([
    {
      name: 'MD5, auth (RFC 7616 §3.9.1)',
      challenge: `Digest realm="${modern.realm}", qop="auth, auth-int", algorithm=MD5, nonce="${modern.nonce}", opaque="FQ"`,
      credentials: mufasa,
      request: { method: 'GET', uri: '/dir/index.html', clientNonce: modern.cnonce },
      response: '8ca523f5e9506fed4657c9700eebdbec',
    },
    {
      name: 'SHA-256, auth (RFC 7616 §3.9.1)',
      challenge: `Digest realm="${modern.realm}", qop="auth, auth-int", algorithm=SHA-256, nonce="${modern.nonce}"`,
      credentials: mufasa,
      request: { method: 'GET', uri: '/dir/index.html', clientNonce: modern.cnonce },
      response: '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    },
    {
      name: 'SHA-512-256 with a name beyond ASCII (RFC 7616 §3.9.2, erratum 4897)',
      challenge:
        'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, ' +
        'nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", ' +
        'charset=UTF-8, userhash=true',
      credentials: { username: 'Jäsøn Doe', password: 'Secret, or not?' },
      request: { method: 'GET', uri: '/doe.json', clientNonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v' },
      response: '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
    },
    {
      name: 'MD5 without algorithm named (RFC 2617 §3.5)',
      challenge:
        'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc"',
      credentials: { username: 'Mufasa', password: 'Circle Of Life' },
      request: { method: 'GET', uri: '/dir/index.html', clientNonce: '0a4f113b' },
      response: '6629fae49393a05397450978507c4ef1',
    },
    {
      name: 'MD5 without qop (RFC 2069, corrected example)',
      challenge: 'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"',
      credentials: { username: 'Mufasa', password: 'CircleOfLife' },
      request: { method: 'GET', uri: '/dir/index.html', clientNonce: '' },
      response: '1949323746fe6a43ef61f9606e7febea',
    },
  ])('$name', ({ challenge, credentials, request, response }) => {
    const header = authorize(challengeOf(challenge), credentials, { ...request, body: '', nonceCount: 1 });
    expect(responseIn(header)).toBe(response);
  });

  it('hashes the name when asked to', () => {
    const challenge = challengeOf(
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="n", userhash=true',
    );
    const credentials = { username: 'Jäsøn Doe', password: 'x' };
    const header = authorize(challenge, credentials, {
      method: 'INVITE',
      uri: 'sip:a',
      body: '',
      nonceCount: 1,
      clientNonce: 'c',
    });
    expect(header).toContain('username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"');
    expect(header).toContain('userhash=true');
  });

  it('covers the body for auth-int and counts in hexadecimal', () => {
    const challenge = challengeOf('Digest realm="r", nonce="n", qop="auth-int", algorithm=MD5');
    const base = { method: 'INVITE', uri: 'sip:bob@example.com', clientNonce: 'c' };
    const one = authorize(challenge, mufasa, { ...base, body: 'v=0', nonceCount: 26 });
    const other = authorize(challenge, mufasa, { ...base, body: 'v=1', nonceCount: 26 });
    expect(responseIn(one)).not.toBe(responseIn(other));
    expect(one).toContain('qop=auth-int, nc=0000001a');
  });

  it('uses the session form: the client nonce goes into the first hash', () => {
    const plain = challengeOf('Digest realm="r", nonce="n", qop="auth", algorithm=MD5');
    const session = challengeOf('Digest realm="r", nonce="n", qop="auth", algorithm=MD5-sess');
    const request = { method: 'INVITE', uri: 'sip:x', body: '', nonceCount: 1, clientNonce: 'c' };
    const answer = authorize(session, mufasa, request);
    expect(responseIn(answer)).not.toBe(responseIn(authorize(plain, mufasa, request)));
    expect(answer).toContain('algorithm=MD5-sess');
  });
});

describe('challenges as they come off the wire', () => {
  it.each([
    { name: 'nothing', header: '', realms: [] },
    { name: 'another scheme', header: 'Basic realm="x"', realms: [] },
    { name: 'garbage', header: 'Digest ====,,,"', realms: [] },
    { name: 'no nonce', header: 'Digest realm="x"', realms: [] },
    { name: 'unknown algorithm', header: 'Digest realm="x", nonce="n", algorithm=ROT13', realms: [] },
    { name: 'unknown qop only', header: 'Digest realm="x", nonce="n", qop="magic"', realms: [] },
    { name: 'comma and quote in the realm', header: 'Digest realm="a, \\"b\\"", nonce="n"', realms: ['a, "b"'] },
    { name: 'unquoted values', header: 'digest realm=x,nonce=n', realms: ['x'] },
    { name: 'open quote', header: 'Digest realm="x", nonce="n', realms: [] },
    {
      name: 'two joined by a comma',
      header: 'Digest realm="a", nonce="1", algorithm=SHA-256, Digest realm="b", nonce="2"',
      realms: ['a', 'b'],
    },
    {
      name: 'unsupported first, then supported',
      header: 'Digest realm="a", nonce="1", algorithm=X, Digest realm="b", nonce="2", algorithm=MD5',
      realms: ['b'],
    },
    {
      name: 'another scheme in between',
      header: 'Digest realm="a", nonce="1", Bearer realm="z", Digest realm="b", nonce="2"',
      realms: ['a', 'b'],
    },
  ])('$name', ({ header, realms }) => {
    expect(parseChallenges(header).map((one) => one.realm)).toEqual(realms);
  });

  it('answers only the configured realm', () => {
    const challenges = parseChallenges('Digest realm="evil", nonce="1", Digest realm="trunk", nonce="2"');
    expect(chooseChallenge(challenges, { ...mufasa, realm: 'trunk' })?.nonce).toBe('2');
    expect(chooseChallenge(challenges, { ...mufasa, realm: 'other' })).toBeUndefined();
    expect(chooseChallenge(challenges, mufasa)?.nonce).toBe('1');
  });

  it('counts the uses of a nonce, and starts anew with the next one', () => {
    const client = new DigestClient(mufasa, () => 'c');
    const request = { method: 'BYE', uri: 'sip:x', body: '' };
    const counts = ['a', 'a', 'b', 'b', 'a'].map((nonce) => {
      const answer = client.answer(`Digest realm="r", nonce="${nonce}", qop="auth"`, request);
      return /nc=0000000(\d)/.exec(answer?.value ?? '')?.[1];
    });
    expect(counts).toEqual(['1', '2', '1', '2', '1']);
  });

  it('stays linear on a long hostile header', () => {
    const header = `Digest realm="${'\\"'.repeat(50_000)}`;
    expect(parseChallenges(header)).toEqual([]);
  });
});
