import { describe, expect, it, vi } from 'vitest';
import type { AgentDefinition } from '../../../src/core/agent.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { callTool, toolUrl } from '../../../src/engines/reply/http-tool.ts';
import { createScriptedReplyEngine } from '../../../src/engines/reply/scripted-dialogue.ts';
import type { Fetcher } from '../../../src/engines/reply/tool-fetcher.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { agentOf, compiledAgents } from '../../support/reply-agents.ts';
import { Conversation } from '../../support/reply-conversation.ts';

const values = (name: string): string | undefined =>
  ({ order: '45 21/..?x=1&y', host: 'evil.example', dots: '..' })[name];

describe('toolUrl', () => {
  it.each([
    ['https://api.example/orders/{{order}}', 'https://api.example/orders/45%2021%2F..%3Fx%3D1%26y'],
    ['https://api.example/orders?id={{ order }}', 'https://api.example/orders?id=45%2021%2F..%3Fx%3D1%26y'],
    ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
    ['https://api.example/a/{{dots}}/b', 'https://api.example/a//b'],
    ['https://api.example/{{missing}}', 'https://api.example/'],
    ['https://{{host}}/x', undefined],
    ['https://api.example.{{host}}/x', undefined],
    ['https://user@{{host}}/x', undefined],
    ['{{host}}', undefined],
    ['file:///etc/passwd', undefined],
    ['ftp://api.example/x', undefined],
    ['javascript:alert(1)', undefined],
    ['https://api.example', 'https://api.example/'],
    ['https://', undefined],
  ])('%s -> %s', (template, expected) => {
    expect(toolUrl(template, values)?.href).toBe(expected);
  });
});

type FetchInit = Parameters<Fetcher>[1];
function answering(body: string | readonly string[], status = 200): Fetcher {
  return async () => ({
    ok: status < 400,
    status,
    body: (async function* () {
      for (const piece of typeof body === 'string' ? [body] : body) yield new TextEncoder().encode(piece);
    })(),
  });
}
// biome-ignore lint/suspicious/noThenProperty: the name of the contract
const action = { type: 'http', method: 'GET', url: 'https://api.example/x', then: {}, otherwise: {} } as const;
const limits = { timeoutMs: 1_000, maxBytes: 100 };
const call = (fetcher: Fetcher | undefined, signal = new AbortController().signal) =>
  callTool(action, values, fetcher, limits, signal, systemClock);

describe('callTool', () => {
  it('gives the plain fields of the answer, nothing nested or badly named', async () => {
    const result = await call(
      answering('{"eta":"noon","n":3,"ok":true,"deep":{"x":1},"list":[1],"no-name":"x","none":null}'),
    );
    expect(result.ok && result.facts).toEqual({ eta: 'noon', n: '3', ok: 'true' });
  });

  it.each([
    ['an error status', answering('{}', 500), 'status'],
    ['not JSON', answering('<html>'), 'not-json'],
    ['an empty answer', answering(''), 'not-json'],
    ['too much', answering(Array.from({ length: 30 }, () => '"12345",')), 'too-large'],
    ['a refused connection', () => Promise.reject(new Error('ECONNREFUSED')), 'network'],
    ['no fetcher', undefined, 'no-fetcher'],
  ] as const)('%s', async (_, fetcher, why) => {
    expect(await call(fetcher)).toEqual({ ok: false, why });
  });

  it('a list or a bare value has no fields', async () => {
    expect(await call(answering('[1,2]'))).toEqual({ ok: true, facts: {}, text: '[1,2]' });
    expect(await call(answering('7'))).toEqual({ ok: true, facts: {}, text: '7' });
  });

  it('is given up when the turn is', async () => {
    const abort = new AbortController();
    const hanging: Fetcher = (_url, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        abort.abort();
      });
    expect(await call(hanging, abort.signal)).toEqual({ ok: false, why: 'network' });
  });
});

const BOOKING: AgentDefinition = {
  name: 'Tool',
  language: 'en-US',
  voice: 'emma',
  model: 'sada-1',
  greeting: { en: 'Hello.' },
  transferTarget: '1900',
  intents: [{ name: 'status', label: { en: 'order status' }, examples: { en: ['order status'] }, flow: 'status' }],
  flows: [
    {
      name: 'status',
      slots: [{ name: 'order', type: 'digits', minDigits: 4, maxDigits: 4, prompts: { en: ['Which order?'] } }],
      actions: [
        {
          type: 'http',
          method: 'POST',
          url: 'https://api.example/orders/{{order}}',
          body: { id: '{{order}}', who: '{{caller}}' },
          // biome-ignore lint/suspicious/noThenProperty: the name of the contract
          then: { en: 'It arrives {{eta}}.' },
          otherwise: { en: 'I cannot see it now.' },
        },
        { type: 'say', text: { en: 'Anything else?' } },
      ],
    },
  ],
};

describe('a flow with an HTTP tool', () => {
  it('sends the canonical values, says what came back and goes on', async () => {
    const seen: { url: string; init: FetchInit }[] = [];
    const fetcher: Fetcher = (url, init) => {
      seen.push({ url, init });
      return answering('{"eta":"tomorrow"}')(url, init);
    };
    const engine = createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents, fetcher });
    const conversation = new Conversation(engine, agentOf(BOOKING), 'voice', { caller: '055' });
    await conversation.say('order status');
    expect((await conversation.say('four five two one')).text).toBe('It arrives tomorrow. Anything else?');
    expect(seen).toHaveLength(1);
    expect(seen[0]!.url).toBe('https://api.example/orders/4521');
    expect(JSON.parse(seen[0]!.init.body!)).toEqual({ id: '4521', who: '055' });
    expect(seen[0]!.init.redirect).toBe('error');
    // Later turns replay the history and must not book twice.
    expect((await conversation.say('no')).action).toEqual({ type: 'hangup' });
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['fails', answering('{}', 503)],
    ['is not there', undefined],
  ] as const)('that %s says so and lets the call go on', async (_, fetcher) => {
    const engine = createScriptedReplyEngine({
      clock: new FakeClock(),
      agents: compiledAgents,
      ...(fetcher && { fetcher }),
    });
    const conversation = new Conversation(engine, agentOf(BOOKING));
    await conversation.say('order status');
    expect((await conversation.say('4521')).text).toBe('I cannot see it now.');
    expect((await conversation.say('order status')).text).toBe('Which order?');
  });

  it('never waits for the tool while replaying', async () => {
    const fetcher = vi.fn(answering('{"eta":"noon"}'));
    const engine = createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents, fetcher });
    const history = [
      { role: 'caller' as const, text: 'order status 4521' },
      { role: 'agent' as const, text: 'It arrives noon. Anything else?' },
    ];
    engine.expects(agentOf(BOOKING), history, {});
    expect(fetcher).not.toHaveBeenCalled();
  });
});
