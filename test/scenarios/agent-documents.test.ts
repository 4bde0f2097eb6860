import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { AgentDefinition } from '../../src/core/agent.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { until } from '../support/until.ts';

const DEFINITION: AgentDefinition = {
  ...{ name: `Documents ${randomInt(1e9)}`, language: 'en-US', voice: 'emma', model: 'sada-1' },
  greeting: { en: 'Palm Courier, how can I help you?' },
  knowledge: [{ question: { en: ['what is your website'] }, answer: { en: 'Our website is palm dot example.' } }],
};
const QUESTION = 'what happens to cash that drivers collect';
const ANSWER = 'It says in courier terms en: Cash that our drivers collect is paid out every Tuesday by bank transfer.';
const YAML = `dialogues:
  - name: from the terms
    steps:
      - caller: ${QUESTION}
        agent: { contains: every tuesday, intent: "document:courier-terms-en.html", action: none }
      - caller: what is your website
        agent: { contains: palm dot example }
`;

interface Document {
  readonly id: string;
  readonly state: string;
}
interface Run {
  readonly id: string;
  readonly state: string;
  readonly dialogues: { readonly first_fault: string | null; readonly turns: { readonly reply: string }[] }[];
}

describe('documents of an agent, with a whole gateway', () => {
  let gateway: RunningGateway;
  let agentId: string;
  let key: string;
  let token: string;
  beforeAll(async () => {
    gateway = await sharedGateway(inject('gatewayDesk'));
    await withStore(gateway, async ({ accounts, agents, charges, managementKeys, numbers, tokens }) => {
      const { id } = await accounts.create(DEFINITION.name);
      await charges.topup(`${id}/credit`, id, 1_000, 'topup', 'of a test');
      agentId = (await agents.create(id, DEFINITION, 'live')).id;
      await numbers.assignIfFree(`7${randomInt(1e8, 1e9)}`, id, agentId);
      key = (await managementKeys.create(id, 'tests', ['read', 'agents'])).secret;
      token = (await tokens.create(id, 'tests')).secret;
    });
  });
  const manage = async <T>(method: string, path: string, body?: object | FormData): Promise<T> => {
    const isForm = body instanceof FormData;
    const answer = await fetch(`${gateway.api}/manage/v1/agents/${agentId}/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  };
  const upload = async (name: string): Promise<Document> => {
    const form = new FormData();
    const bytes = readFileSync(new URL(`../fixtures/agent-documents/b/${name}`, import.meta.url));
    form.append('file', new Blob([new Uint8Array(bytes)], { type: 'text/html' }), name);
    const { id } = await manage<Document>('POST', 'documents', form);
    return until(async () => {
      const one = await manage<Document>('GET', `documents/${id}`);
      return (one.state === 'ready' || one.state === 'failed') && one;
    }, 'the document is read');
  };
  const replyOf = async (text: string): Promise<string> => {
    const answer = await fetch(`${gateway.api}/v1/agents/${agentId}/reply`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    return ((await answer.json()) as { reply: string }).reply;
  };

  it('are read by its jobs, and answer in the API, when the agent is tried and in its tests; deleted ones do not', async () => {
    const without = await manage<{ reply: string }>('POST', 'try', { text: QUESTION });
    expect(without.reply).not.toContain('Tuesday');
    const document = await upload('courier-terms-en.html');
    expect(document.state).toBe('ready');
    // Loaded with the first question, which may be late for it: a caller's phone rings before.
    await until(async () => (await replyOf(QUESTION)) === ANSWER, 'the API answers from the document');
    const tried = await manage<{ reply: string; meant: string[] }>('POST', 'try', { text: QUESTION });
    expect([tried.reply, tried.meant]).toEqual([ANSWER, ['document:courier-terms-en.html']]);
    const run = await manage<Run>('POST', 'tests/run', { mode: 'text', yaml: YAML });
    expect([run.state, run.dialogues[0]!.first_fault]).toEqual(['passed', null]);
    await manage('DELETE', `documents/${document.id}`);
    expect((await manage<{ reply: string }>('POST', 'try', { text: QUESTION })).reply).toBe(without.reply);
  });
});
