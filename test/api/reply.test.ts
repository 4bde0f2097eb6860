import { afterEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/errors.ts';
import { ScriptedReplies } from '../../src/engines/reply/scripted.ts';
import { createScriptedReplyEngine } from '../../src/engines/reply/scripted-dialogue.ts';
import { type ApiRig, apiRig, type RigOptions, testAgent } from '../support/api-rig.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { agentFromConfig, compiledAgents } from '../support/reply-agents.ts';

let rig: ApiRig;
const open = (options: RigOptions = {}): ApiRig => {
  rig = apiRig(options);
  return rig;
};
afterEach(() => rig.app.close());
const ask = (body: object, headers: Record<string, string> = {}, id = 'agt_one') =>
  rig.send({ url: `/v1/agents/${id}/reply`, body, headers });
const WAV = { accept: 'audio/wav' };

describe('POST /v1/agents/{id}/reply', () => {
  it('answers text only for two cents when no audio is wanted', async () => {
    open();
    const answer = await ask({ text: 'hello', audio: false });
    expect(answer.json()).toEqual({
      ...{ reply: 'How can I help you?', greeting: 'Welcome {{name}}.', audio: null, content_type: null },
      cost_cents: 2,
    });
    expect(answer.headers['x-service-cost-cents']).toBe('2');
    expect(answer.headers['server-timing']).toMatch(/^llm;dur=[\d.]+$/);
    expect(rig.tts.requests).toEqual([]);
  });

  it('speaks by default, and charges the speech at the agent’s model', async () => {
    open({
      agents: [testAgent('agt_one', { definition: { ...testAgent('x').definition, model: 'nabra-1', pitch: 2 } })],
    });
    const answer = (await ask({ text: 'hello' }, WAV)).json();
    expect(answer.content_type).toBe('audio/wav');
    expect(Buffer.from(answer.audio, 'base64').toString('latin1', 0, 4)).toBe('RIFF');
    expect(answer.cost_cents).toBe(3);
    expect(rig.tts.requests[0]).toMatchObject({ text: 'How can I help you?', pitchSemitones: 2 });
    expect(rig.ledger.spent()).toBe(3);
  });

  it('uses the last 20 turns, cuts long texts, and says so', async () => {
    open();
    const history = Array.from({ length: 30 }, (_, i) => ({ text: `turn ${i}`, role: i % 2 ? 'agent' : 'caller' }));
    const answer = await ask({ text: 'x'.repeat(4_500), history, audio: false });
    expect(answer.headers['x-service-truncated']).toBe('true');
    const [request] = rig.replies.requests;
    expect(request!.text).toHaveLength(4_000);
    expect(request!.history.map((turn) => turn.text)).toEqual(history.slice(-20).map((turn) => turn.text));
    expect((await ask({ text: 'short', audio: false })).headers['x-service-truncated']).toBeUndefined();
  });

  it('lets variables of the request go before those of the agent', async () => {
    open();
    await ask({ text: 'hi', audio: false, variables: { other: 'b' } });
    await ask({ text: 'hi', audio: false, variables: { name: 'Sara' } });
    const given = rig.replies.requests.map((request) => ({ ...request.variables }));
    expect(given).toEqual([{ name: 'friend', other: 'b' }, { name: 'Sara' }]);
    expect(rig.replies.requests[0]!.variables['constructor']).toBeUndefined();
  });

  it.each([
    { name: 'unknown', id: 'agt_none', status: 404, code: 'unknown_agent' },
    { name: 'draft', id: 'agt_draft', status: 409, code: 'agent_not_live' },
    { name: 'paused', id: 'agt_paused', status: 409, code: 'agent_not_live' },
  ])('an agent that is $name: $code', async ({ id, status, code }) => {
    open({ agents: [testAgent('agt_draft', { status: 'draft' }), testAgent('agt_paused', { status: 'paused' })] });
    const answer = await ask({ text: 'hi', audio: false }, {}, id);
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
    expect(answer.json().error.message).toContain(id);
  });

  it('charges nothing when the synthesis or the reply fails', async () => {
    open({ service: { reply: new ScriptedReplies([{ text: 'FAIL_AT_ONCE' }]) } });
    expect((await ask({ text: 'hi' }, WAV)).json().error.code).toBe('synthesis_failed');
    expect([rig.ledger.spent(), rig.ledger.held('acc_one')]).toEqual([0, 0]);
    await rig.app.close();
    const failing = new ScriptedReplies([]);
    failing.reply = async function* () {
      yield { type: 'text', text: 'half', language: 'en' };
      throw new ServiceError('reply_failed');
    };
    open({ service: { reply: failing } });
    expect((await ask({ text: 'hi' }, WAV)).json().error.code).toBe('reply_failed');
    expect([rig.ledger.spent(), rig.ledger.held('acc_one')]).toEqual([0, 0]);
  });

  it.each([
    { balance: 1, audio: false, status: 402 },
    { balance: 2, audio: false, status: 200 },
    { balance: 2, audio: true, status: 402 },
    { balance: 3, audio: true, status: 200 },
  ])('with $balance cents, audio $audio: $status, and never below zero', async ({ balance, audio, status }) => {
    open();
    rig.ledger.balances.set('acc_one', balance);
    expect((await ask({ text: 'hi', audio }, WAV)).statusCode).toBe(status);
    expect(rig.ledger.balances.get('acc_one')).toBeGreaterThanOrEqual(0);
    expect(rig.ledger.held('acc_one')).toBe(0);
  });

  it.each([
    { action: { type: 'hangup' } as const, header: 'hangup' },
    { action: { type: 'transfer', target: 'sip:a b@x' } as const, header: 'transfer; target="sip%3Aa%20b%40x"' },
  ])('names what the agent wants to happen: $header', async ({ action, header }) => {
    open({ service: { reply: new ScriptedReplies([{ text: 'Bye.', action }]) } });
    expect((await ask({ text: 'bye', audio: false })).headers['x-service-action']).toBe(header);
  });

  it.runIf(EVERY_TEST)('holds a conversation with the agents that are shipped', async () => {
    const agent = { ...agentFromConfig('delivery-en'), id: 'agt_one', accountId: 'acc_one' };
    open({
      agents: [agent],
      service: { reply: createScriptedReplyEngine({ clock: new FakeClock(), agents: compiledAgents }) },
    });
    const history: { text: string; role: string }[] = [];
    for (const text of ['Where is my order?', '4 8 2 1 5 9']) {
      const answer = (await ask({ text, history, audio: false })).json();
      expect(answer.reply).not.toBe('');
      expect(answer.greeting).not.toBe('');
      history.push({ text, role: 'caller' }, { text: answer.reply, role: 'agent' });
    }
    expect(history[1]!.text).not.toBe(history[3]!.text);
  });
});

describe('GET /v1/agents', () => {
  it('shows the seven fields of every agent of the account', async () => {
    open({ agents: [testAgent('agt_b'), testAgent('agt_a', { status: 'draft' })] });
    const { agents } = (await rig.send({ method: 'GET', url: '/v1/agents?limit=1' })).json();
    expect(agents).toHaveLength(2);
    expect(agents[0]).toEqual({
      ...{ id: 'agt_b', name: 'Agent agt_b', voice_id: 'emma', model: 'sada-1', language: 'en-US', status: 'live' },
      updated_at: '2026-01-02T03:04:05.678Z',
    });
  });

  it.each([
    { gateAgentsList: true, status: 402 },
    { gateAgentsList: false, status: 200 },
  ])('with nothing left and gate $gateAgentsList: $status', async ({ gateAgentsList, status }) => {
    open({ settings: { gateAgentsList } });
    rig.ledger.balances.set('acc_one', 0);
    expect((await rig.send({ method: 'GET', url: '/v1/agents' })).statusCode).toBe(status);
    expect(rig.ledger.charges.size).toBe(0);
  });
});
