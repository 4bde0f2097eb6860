import type { Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { HostAddress } from '../../src/core/guarded-request.ts';
import { createPoster, type PosterOptions } from '../../src/webhooks/post.ts';
import { pairFor } from '../support/certificates.ts';
import { until } from '../support/until.ts';
import { type WebhookReceiver, webhookReceiver } from '../support/webhook-receiver.ts';

let receiver: WebhookReceiver;
beforeEach(async () => {
  receiver = await webhookReceiver();
});
afterEach(() => receiver.close());

const LOOPBACK: HostAddress = { address: '127.0.0.1', family: 4 };
const PUBLIC: HostAddress = { address: '8.8.8.8', family: 4 };
const never = new AbortController().signal;
const post = (url: string, options: Partial<PosterOptions> = {}, end = never) =>
  createPoster({ clock: systemClock, timeoutMs: 20_000, userAgent: 'Nidaa/test', allowedHosts: [], ...options })(
    url,
    { 'webhook-id': 'evt_1' },
    '{}',
    end,
  );
const port = (): number => Number(new URL(receiver.url).port);
const NOT_PUBLIC = 'not a public address: the operator has to allow the host';

describe('a message does not leave', () => {
  it.each([
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '[::1]',
      '[fe80::1]',
    ],
    ...['[fd12::1]', '[::ffff:127.0.0.1]', '[64:ff9b::a00:1]', '2130706433', '0x7f.1'],
  ])('for %s', async (host) => {
    const { status, error } = await post(`https://${host}:${port()}/`);
    expect([status, error]).toEqual([null, NOT_PUBLIC]);
    expect(receiver.received).toEqual([]);
  });

  it.each([
    { name: 'a private one', answers: [LOOPBACK] },
    { name: 'a private one among others', answers: [PUBLIC, LOOPBACK] },
    { name: 'one of IPv6', answers: [{ address: '::ffff:127.0.0.1', family: 6 }] },
  ])('for a name that means $name, whatever it meant when the webhook was made', async ({ answers }) => {
    const { error } = await post(`https://hooks.example.com:${port()}/`, { resolve: async () => answers });
    expect(error).toBe(NOT_PUBLIC);
    expect(receiver.received).toEqual([]);
  });

  it('by http, unless the operator has named the host', async () => {
    const resolve = async () => [PUBLIC];
    expect((await post('http://hooks.example.com/', { resolve })).error).toBe('only https goes to this host');
  });
});

describe('a message goes', () => {
  it('to the address that was checked, though the name means another one a moment later', async () => {
    let asked = 0;
    const resolve = async (): Promise<HostAddress[]> => {
      asked += 1;
      return [asked === 1 ? LOOPBACK : PUBLIC];
    };
    const url = `http://hooks.example.com:${port()}/in`;
    expect(await post(url, { resolve, allowedHosts: ['hooks.example.com'] })).toMatchObject({
      status: 200,
      error: null,
    });
    expect([asked, receiver.received.length]).toEqual([1, 1]);
    expect(receiver.received[0]!.headers).toMatchObject({
      host: `hooks.example.com:${port()}`,
      'user-agent': 'Nidaa/test',
    });
  });

  it('to no host with a certificate that nobody vouches for', async () => {
    const server: Server = createTlsServer(pairFor(['127.0.0.1']), (_request, response) => void response.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port: tlsPort } = server.address() as AddressInfo;
      const { status, error } = await post(`https://127.0.0.1:${tlsPort}/`, { allowedHosts: ['127.0.0.1'] });
      expect([status, error]).toEqual([null, 'could not be reached (DEPTH_ZERO_SELF_SIGNED_CERT)']);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('an answer', () => {
  const allowed = { allowedHosts: ['127.0.0.1'] };

  it('is read as far as it is of use, and not followed', async () => {
    let left = 0;
    receiver.answer = (response) => {
      response.on('close', () => {
        left += 1;
      });
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(1_000)));
        response.once('drain', more);
      };
      response.on('error', () => undefined).writeHead(500);
      more();
    };
    expect(await post(receiver.url, allowed)).toMatchObject({
      status: 500,
      error: 'answered 500',
      answer: 'x'.repeat(500),
    });
    await until(() => left === 1, 'the end of a body that has none');
    receiver.answer = (response) => void response.writeHead(307, { location: receiver.url }).end();
    expect(await post(receiver.url, allowed)).toMatchObject({ status: 307, error: 'redirected (307): not followed' });
    expect(receiver.received).toHaveLength(2);
  });

  it.each([
    { name: 'never begins', answer: () => undefined },
    { name: 'never ends', answer: (response: Parameters<WebhookReceiver['answer']>[0]) => void response.write('x') },
  ])('that $name is not waited for', async ({ answer }) => {
    receiver.answer = answer;
    const { status, error } = await post(receiver.url, { ...allowed, timeoutMs: 300 });
    expect([status, error]).toEqual([null, 'no answer within 0.3 s']);
  });

  it('is not waited for by a gateway that stops', async () => {
    receiver.answer = () => undefined;
    const end = new AbortController();
    const posted = post(receiver.url, allowed, end.signal);
    await until(() => receiver.received.length === 1);
    end.abort();
    expect(await posted).toMatchObject({ status: null });
    expect(await post(receiver.url, allowed, end.signal)).toMatchObject({ status: null });
  });

  it('of nobody is told by its code, without an address', async () => {
    const { url } = receiver;
    await receiver.close();
    expect(await post(url, allowed)).toMatchObject({ status: null, error: 'could not be reached (ECONNREFUSED)' });
  });
});
