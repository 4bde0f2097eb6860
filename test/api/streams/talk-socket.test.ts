import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { TalkAdmission } from '../../../src/api/streams/stream-calls.ts';
import { type ApiRig, apiRig, OTHER_TOKEN, TOKEN, testAgent } from '../../support/api-rig.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import { SocketClient } from '../../support/socket-rig.ts';
import { until } from '../../support/until.ts';

let rig: ApiRig;
let address: string;
let admitted: TalkAdmission[];
let opened: string[];
/** Whether a call that was let in goes on. */
let holds = false;

beforeEach(async () => {
  admitted = [];
  opened = [];
  holds = false;
  rig = apiRig({
    agents: [testAgent('agt_one'), testAgent('agt_two'), testAgent('agt_draft', { status: 'draft' })],
    streams: {
      talk: (socket, _ends, _agentId, admission) => {
        void admission.then((one) => {
          admitted.push(one);
          if (!holds) socket.close(1000);
        });
      },
      carriers: [
        {
          path: '/streams/test',
          admits: ({ secret }) => secret === 'good',
          open: (socket, _ends, { parameters }) => {
            opened.push(parameters.get('to') ?? '');
            socket.close(1000);
          },
        },
      ],
      close: async () => {},
    },
  });
  await rig.app.listen({ host: '127.0.0.1', port: 0 });
  address = `ws://127.0.0.1:${(rig.app.server.address() as AddressInfo).port}`;
});
afterEach(() => rig.app.close());

const connect = (path: string, token?: string): SocketClient =>
  new SocketClient(
    new WebSocket(`${address}${path}`, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }),
  );
const tokenFor = async (id: string, body: object = {}): Promise<string> =>
  (await rig.send({ url: `/v1/agents/${id}/talk/token`, body })).json().token;
async function admission(client: SocketClient): Promise<TalkAdmission> {
  const { length } = admitted;
  await until(() => admitted.length > length || client.refused !== undefined, 'an admission');
  return admitted.at(-1)!;
}

describe('the talk socket', () => {
  it('opens once with a token for one call, which brings who calls and what is known', async () => {
    const token = await tokenFor('agt_one', { from: '+966500000001', variables: { plan: 'gold' } });
    expect(await admission(connect(`/v1/agents/agt_one/talk?token=${token}`))).toMatchObject({
      ...{ agent: { id: 'agt_one' }, from: '+966500000001', variables: { plan: 'gold' } },
    });
    expect(await admission(connect(`/v1/agents/agt_one/talk?token=${token}`))).toEqual({ code: 'unauthorized' });
  });

  it('opens for an agent that is not live, where the token brings it', async () => {
    const draft = { ...testAgent('agt_draft', { status: 'draft' }), version: 0 };
    const identity = { tokenId: 'key_of_an_editor', accountId: draft.accountId };
    const grant = { identity, agentId: draft.id, from: undefined, variables: {}, draft };
    const { token } = await rig.deps.talkTokens.issue(grant);
    expect(await admission(connect(`/v1/agents/agt_one/talk?token=${token}`))).toEqual({ code: 'unauthorized' });
    const again = (await rig.deps.talkTokens.issue(grant)).token;
    expect(await admission(connect(`/v1/agents/agt_draft/talk?token=${again}`))).toMatchObject({
      agent: { id: 'agt_draft', version: 0 },
      from: 'web',
    });
  });

  it('opens no more for whoever may not talk any more, and ends with that', async () => {
    let may = true;
    const grant = (stillMay: () => Promise<boolean>) => ({
      ...{
        identity: { tokenId: 'key_of_an_editor', accountId: 'acc_1' },
        agentId: 'agt_one',
        from: undefined,
        stillMay,
      },
      ...{ variables: {}, draft: testAgent('agt_one') },
    });
    const late = (await rig.deps.talkTokens.issue(grant(async () => false))).token;
    expect(await admission(connect(`/v1/agents/agt_one/talk?token=${late}`))).toEqual({ code: 'unauthorized' });
    holds = true;
    const { token } = await rig.deps.talkTokens.issue(grant(async () => may));
    const client = connect(`/v1/agents/agt_one/talk?token=${token}`);
    expect(await admission(client)).toMatchObject({ agent: { id: 'agt_one' } });
    rig.clock.advance(15_000);
    may = false;
    rig.clock.advance(15_000);
    await until(() => client.closed !== undefined, 'the end');
    expect(client.closed).toEqual({ code: 4401, reason: 'unauthorized' });
    expect(client.frames.at(-1)).toMatchObject({ type: 'error', error: { code: 'unauthorized' } });
  });

  it('opens with the token of the account in the header', async () => {
    expect(await admission(connect('/v1/agents/agt_one/talk', TOKEN))).toMatchObject({
      agent: { id: 'agt_one' },
      from: 'web',
    });
  });

  it.each([
    { name: 'of another agent', path: '/v1/agents/agt_two/talk', issued: 'agt_one', code: 'unauthorized' },
    { name: 'that nobody issued', path: '/v1/agents/agt_one/talk', issued: undefined, code: 'unauthorized' },
  ])('does not open with a token $name', async ({ path, issued, code }) => {
    const token = issued === undefined ? 'service_tt_none' : await tokenFor(issued);
    expect(await admission(connect(`${path}?token=${token}`))).toEqual({ code });
  });

  it('does not take the token of an account from the address, nor a talk token for transcription', async () => {
    expect(await admission(connect(`/v1/agents/agt_one/talk?token=${TOKEN}`))).toEqual({ code: 'unauthorized' });
    expect(await rig.deps.socketTokens.redeem(await tokenFor('agt_one'))).toBeUndefined();
  });

  it('is too late after a minute', async () => {
    const token = await tokenFor('agt_one');
    rig.clock.advance(60_001);
    expect(await admission(connect(`/v1/agents/agt_one/talk?token=${token}`))).toEqual({ code: 'unauthorized' });
  });

  it('knows the agents of the account alone', async () => {
    const unknown = { code: 'unknown_agent', detail: 'agt_one' };
    expect(await admission(connect('/v1/agents/agt_one/talk', OTHER_TOKEN))).toEqual(unknown);
    expect(await admission(connect('/v1/agents/agt_draft/talk', TOKEN))).toMatchObject({ code: 'agent_not_live' });
    for (const [id, code] of [
      ['agt_none', 404],
      ['agt_draft', 409],
    ] as const) {
      expect((await rig.send({ url: `/v1/agents/${id}/talk/token`, body: {} })).statusCode).toBe(code);
    }
  });

  it('answers 401 before the upgrade to a bad token in the header, and to none', async () => {
    for (const client of [connect('/v1/agents/agt_one/talk', 'nonsense'), connect('/v1/agents/agt_one/talk')]) {
      await until(() => client.refused !== undefined, 'a refusal');
      expect([client.refused!.status, JSON.parse(client.refused!.body).error.code]).toEqual([401, 'unauthorized']);
    }
    expect(admitted).toEqual([]);
  });

  it('is no ordinary path', async () => {
    const answer = await rig.send({ method: 'GET', url: '/v1/agents/agt_one/talk' });
    expect([answer.statusCode, answer.headers['upgrade']]).toEqual([400, 'websocket']);
  });
});

describe('the door of a carrier', () => {
  it('opens to its secret, and tells what the address says', async () => {
    connect('/streams/test/good?to=1000');
    await until(() => opened.length === 1, 'a connection');
    expect(opened).toEqual(['1000']);
  });

  it.each(EVERY_TEST ? ['/streams/test', '/streams/test/bad', '/streams/test/good/more'] : ['/streams/test/bad'])(
    'stays shut to %s',
    async (path) => {
      const client = connect(path);
      await until(() => client.refused !== undefined, 'a refusal');
      expect([401, 404]).toContain(client.refused!.status);
      expect(opened).toEqual([]);
    },
  );
});
