import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASYNCAPI } from '../../src/api/asyncapi.ts';
import type { Sample } from '../../src/api/operation.ts';
import { addressOf } from '../../src/api/reference-address.ts';
import { jsLiteral, pythonLiteral, shellWord } from '../../src/api/sample-literals.ts';
import { jsonSamples } from '../../src/api/samples.ts';
import type { ServerFrame as TypedFrame } from '../../src/api/socket-schemas.ts';
import type { ServerFrame as SentFrame } from '../../src/api/transcribe-socket/frames.ts';
import { DEFAULT_PRICES } from '../../src/billing/prices.ts';
import { ApiClient } from '../../src/client/api-client.ts';
import { ERRORS } from '../../src/core/errors.ts';
import { type ApiRig, apiRig } from '../support/api-rig.ts';

interface Operation {
  readonly operationId: string;
  readonly description: string;
  readonly 'x-codeSamples': readonly Sample[];
  readonly 'x-price': string;
  readonly 'x-limits': readonly string[];
}

let rig: ApiRig;
beforeAll(() => {
  rig = apiRig({ service: { prices: { ...DEFAULT_PRICES, askCents: 7 } } });
});
afterAll(() => rig.app.close());

const ask = (url: string, headers: Record<string, string> = {}) =>
  rig.app.inject({ url, headers: { host: 'api.example.com:8080', ...headers } });
async function operations(headers: Record<string, string> = {}): Promise<Operation[]> {
  const { paths } = (await ask('/openapi.json', headers)).json() as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

describe('samples', () => {
  it('are there for every operation, in three languages and with the client', async () => {
    const found = await operations();
    expect(found.length).toBeGreaterThan(10);
    for (const { operationId, 'x-codeSamples': samples } of found) {
      expect([operationId, samples.slice(0, 4).map(({ lang, label }) => `${lang} ${label}`)]).toEqual([
        ...[operationId, ['Shell curl', 'TypeScript TypeScript', 'Python Python', 'TypeScript Client']],
      ]);
      expect(new Set(samples.map(({ label }) => label)).size).toBe(samples.length);
      for (const { source } of samples) expect(source).not.toMatch(/undefined|\[object|\{base_url\}|\{ws_url\}/);
      expect(samples[3]!.source).toContain(`client.${operationId}`);
    }
  });

  it('call a method that the client has, one for every operation', async () => {
    const methods = Object.getOwnPropertyNames(ApiClient.prototype);
    for (const { operationId } of await operations()) expect(methods).toContain(operationId);
    expect(methods).toContain('transcribeLive');
  });

  it('are there for the socket', async () => {
    const { transcribe } = (await ask('/asyncapi.json')).json().channels;
    expect(transcribe['x-codeSamples'].map(({ label }: Sample) => label)).toEqual([
      ...['nidaa', 'TypeScript', 'Python', 'Client'],
    ]);
    for (const { source } of transcribe['x-codeSamples']) expect(source).not.toMatch(/\{base_url\}|\{ws_url\}/);
    expect(transcribe['x-codeSamples'][1].source).toContain('ws://api.example.com:8080/v1/transcribe/ws');
  });

  it.each([
    { name: 'as it was asked', headers: {}, address: 'http://api.example.com:8080' },
    {
      name: 'behind a proxy with TLS',
      headers: { 'x-forwarded-proto': 'https' },
      address: 'https://api.example.com:8080',
    },
    { name: 'an IPv6 address', headers: { host: '[::1]:8080' }, address: 'http://[::1]:8080' },
    { name: 'a host that is a shell command', headers: { host: "a';rm -rf /;'" }, address: 'http://localhost' },
    { name: 'a host that is markup', headers: { host: '"><script>' }, address: 'http://localhost' },
    { name: 'no host', headers: { host: '' }, address: 'http://localhost' },
  ])('use the address, $name', async ({ headers, address }) => {
    expect(addressOf({ headers: { host: 'api.example.com:8080', ...headers } })).toBe(address);
  });

  it('carry any text', () => {
    const text = `it's "so" \\ \n`;
    expect(Function(`return ${jsLiteral({ 'a-b': [text, null, 1.5, true] })}`)()).toEqual({
      'a-b': [text, null, 1.5, true],
    });
    expect(pythonLiteral({ a: [true, null, 'true'] })).toBe('{"a": [True, None, "true"]}');
    expect(shellWord("it's")).toBe(`'it'\\''s'`);
    expect(jsonSamples('POST', '/v1/x', { text: "it's" }, 'x')[0]!.source).toContain(`-d '{"text":"it'\\''s"}'`);
  });
});

describe('facts of this installation', () => {
  it('are its own prices and limits', async () => {
    const all = new Map((await operations()).map((operation) => [operation.operationId, operation]));
    expect(all.get('askDocument')!['x-price']).toBe('7 cents a question, answered or not.');
    expect(all.get('normalizeText')!['x-price']).toBe('Free.');
    expect(all.get('createSpeech')!['x-price']).toContain('sada-1 5 cents, nabra-1 10 cents');
    expect(all.get('createAgentReply')!['x-limits'].join(' ')).toMatch(/4,000 characters.*20 turns/);
    for (const { description, ...operation } of all.values()) {
      expect(operation['x-price'].length).toBeGreaterThan(3);
      for (const fact of [`Price: ${operation['x-price']}`, ...operation['x-limits']])
        expect(description).toContain(`- ${fact}`);
    }
  });

  it('begin with what holds for all: the token, the limits, every error', async () => {
    const { description } = (await ask('/openapi.json')).json().info;
    expect(description).toContain('requests a minute on one token');
    expect(description).toContain('(/docs/guides/sockets)');
    for (const [code, { status }] of Object.entries(ERRORS))
      expect(description).toContain(`| ${status} | \`${code}\` |`);
  });

  it('name every frame of the socket with an example that is one', () => {
    for (const [name, message] of Object.entries(ASYNCAPI.components.messages)) {
      const type = name.replace('talk.', '');
      if (type === 'audio') continue;
      expect(message.examples?.[0]?.payload).toMatchObject({ type });
    }
  });

  it('type the frames that the socket sends', () => {
    const asTyped = (frame: SentFrame): TypedFrame => frame;
    expect(asTyped({ type: 'done', seconds: 1, cost_cents: 3 }).type).toBe('done');
  });
});
