import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bringsSecret, signedByTwilio } from '../../src/streams/carrier-auth.ts';

const SECRET = 'a-secret-of-some-length';
const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('bringsSecret', () => {
  it.each([
    { name: 'in the path', secret: SECRET, authorization: undefined, ok: true },
    { name: 'as a password', secret: undefined, authorization: basic('asterisk', SECRET), ok: true },
    { name: 'nothing', secret: undefined, authorization: undefined, ok: false },
    { name: 'an empty one', secret: '', authorization: basic('', ''), ok: false },
    { name: 'another', secret: `${SECRET}x`, authorization: undefined, ok: false },
    { name: 'the beginning', secret: SECRET.slice(0, -1), authorization: undefined, ok: false },
    { name: 'as a user', secret: undefined, authorization: basic(SECRET, ''), ok: false },
    { name: 'as a bearer', secret: undefined, authorization: `Bearer ${SECRET}`, ok: false },
  ])('$name', ({ secret, authorization, ok }) => {
    expect(bringsSecret({ url: '/', headers: { authorization }, secret }, SECRET)).toBe(ok);
  });
});

describe('signedByTwilio', () => {
  const sign = (url: string, token = 'auth-token') => createHmac('sha1', token).update(url).digest('base64');
  const knock = (signature: string | undefined) => ({
    ...{ url: '/streams/twilio', secret: undefined },
    headers: { host: 'inner:8080', ...(signature !== undefined && { 'x-twilio-signature': signature }) },
  });
  it.each([
    { name: 'the address as Twilio knows it', signature: sign('wss://voice.example.com/streams/twilio'), ok: true },
    { name: 'another address', signature: sign('wss://inner:8080/streams/twilio'), ok: false },
    { name: 'by another token', signature: sign('wss://voice.example.com/streams/twilio', 'other'), ok: false },
    { name: 'no signature', signature: undefined, ok: false },
    { name: 'an empty one', signature: '', ok: false },
  ])('$name', ({ signature, ok }) => {
    expect(signedByTwilio(knock(signature), 'auth-token', 'wss://voice.example.com')).toBe(ok);
  });
  it('goes by the Host header where no other address is known', () => {
    expect(signedByTwilio(knock(sign('wss://inner:8080/streams/twilio')), 'auth-token', undefined)).toBe(true);
  });
});
