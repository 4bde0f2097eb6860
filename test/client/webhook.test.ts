import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { verifyWebhook, type WebhookRefusal } from '../../src/client/webhook.ts';
import { signatureHeaders } from '../../src/webhooks/signature.ts';

/** Of the specification of Standard Webhooks: its secret, id, time and body, and what they come to. */
const KNOWN = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
};
const AT = new Date(1_614_265_330_000);
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const later = (seconds: number): Date => new Date(AT.getTime() + seconds * 1_000);
const ok = { ...KNOWN, at: AT };
const signed = (secret: string, text: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(text)
    .digest('base64')}`;

describe('a message', () => {
  it.each([
    { name: 'of the specification', options: ok },
    {
      name: 'as bytes, with headers of fetch',
      options: { ...ok, body: Buffer.from(ok.body), headers: new Headers(ok.headers) },
    },
    { name: 'five minutes old', options: { ...ok, at: later(300) } },
    { name: 'five minutes early', options: { ...ok, at: later(-300) } },
    { name: 'signed by the second of two secrets', options: { ...ok, secret: [OTHER, ok.secret] } },
    {
      name: 'signed by several, of several kinds',
      options: {
        ...ok,
        headers: {
          ...ok.headers,
          'webhook-signature': `v1a,xyz v1,AAAA v1,%% ${ok.headers['webhook-signature']} v2,x`,
        },
      },
    },
    {
      name: 'with headers in capitals',
      options: {
        ...ok,
        headers: Object.fromEntries(Object.entries(ok.headers).map(([name, one]) => [name.toUpperCase(), one])),
      },
    },
  ])('is believed: $name', async ({ options }) => {
    expect(await verifyWebhook(options)).toEqual({ test: 2_432_232_314 });
  });

  const without = (name: keyof typeof KNOWN.headers) => ({ ...ok.headers, [name]: undefined });
  it.each<{ name: string; options: Parameters<typeof verifyWebhook>[0]; reason: WebhookRefusal }>([
    { name: 'changed', options: { ...ok, body: `${ok.body} ` }, reason: 'wrong-signature' },
    { name: 'of another secret', options: { ...ok, secret: OTHER }, reason: 'wrong-signature' },
    { name: 'of no secret', options: { ...ok, secret: [] }, reason: 'wrong-signature' },
    {
      name: 'of another id',
      options: { ...ok, headers: { ...ok.headers, 'webhook-id': 'msg_x' } },
      reason: 'wrong-signature',
    },
    {
      name: 'moved in time',
      options: { ...ok, headers: { ...ok.headers, 'webhook-timestamp': '1614265331' } },
      reason: 'wrong-signature',
    },
    {
      name: 'of another version',
      options: {
        ...ok,
        headers: { ...ok.headers, 'webhook-signature': ok.headers['webhook-signature'].replace('v1', 'v2') },
      },
      reason: 'wrong-signature',
    },
    { name: 'old', options: { ...ok, at: later(301) }, reason: 'too-old' },
    { name: 'of the future', options: { ...ok, at: later(-301) }, reason: 'too-new' },
    { name: 'old for a strict receiver', options: { ...ok, at: later(11), toleranceSeconds: 10 }, reason: 'too-old' },
    { name: 'without id', options: { ...ok, headers: without('webhook-id') }, reason: 'missing-header' },
    { name: 'without time', options: { ...ok, headers: without('webhook-timestamp') }, reason: 'missing-header' },
    { name: 'without signature', options: { ...ok, headers: without('webhook-signature') }, reason: 'missing-header' },
    {
      name: 'of a time that is none',
      options: { ...ok, headers: { ...ok.headers, 'webhook-timestamp': '1e9' } },
      reason: 'missing-header',
    },
    {
      name: 'that is no JSON',
      options: {
        ...{ secret: OTHER, at: AT, body: 'x' },
        headers: { ...ok.headers, 'webhook-signature': signed(OTHER, `${ok.headers['webhook-id']}.1614265330.x`) },
      },
      reason: 'not-json',
    },
  ])('is refused: $name', async ({ options, reason }) => {
    await expect(verifyWebhook(options)).rejects.toMatchObject({ name: 'WebhookVerificationError', reason });
  });

  it('of the gateway is believed, by the new secret and by the one before', async () => {
    const message = { id: 'evt_1', at: AT, body: '{"id":"evt_1"}' };
    const headers = signatureHeaders(message, [OTHER, KNOWN.secret]);
    for (const secret of [OTHER, KNOWN.secret])
      expect(await verifyWebhook({ secret, headers, body: message.body, at: AT })).toEqual({ id: 'evt_1' });
    expect(signatureHeaders({ id: KNOWN.headers['webhook-id'], at: AT, body: KNOWN.body }, [KNOWN.secret])).toEqual(
      KNOWN.headers,
    );
  });

  it('is not judged with a secret that is none', async () => {
    await expect(verifyWebhook({ ...ok, secret: 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })).rejects.toThrow(TypeError);
  });
});
