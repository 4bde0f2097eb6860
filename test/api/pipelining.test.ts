import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNANSWERED_MAX } from '../../src/api/pipelining.ts';
import { type ApiRig, apiRig } from '../support/api-rig.ts';
import { until } from '../support/until.ts';

const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: nidaa\r\n\r\n';
const MANY = 10_000;

describe('requests that do not wait for the answers of those before', () => {
  let rig: ApiRig;
  let port: number;
  const taken = new Map<string, number>(); // requests that were handled, by the port of their client
  beforeAll(async () => {
    rig = apiRig();
    rig.app.addHook('onRequest', async ({ raw: { socket } }) => {
      const client = String(socket.remotePort);
      taken.set(client, (taken.get(client) ?? 0) + 1);
    });
    await rig.app.listen({ port: 0, host: '127.0.0.1' });
    port = (rig.app.server.address() as { port: number }).port;
  });
  afterAll(() => rig.app.close());

  /** What comes back is counted by the first lines of answers. */
  async function connection(): Promise<{ socket: Socket; client: string; answers: () => string[] }> {
    let text = '';
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    socket.on('data', (part) => {
      text += String(part);
    });
    socket.on('error', () => {}); // it is reset in the middle of what is written
    await once(socket, 'connect');
    return { socket, client: String(socket.localPort), answers: () => text.match(/HTTP\/1\.1 \d+/g) ?? [] };
  }

  it('are answered while few are under way, time and again', async () => {
    const { socket, answers } = await connection();
    let asked = 0;
    for (const atOnce of [UNANSWERED_MAX, 8, 8]) {
      socket.write(REQUEST.repeat(atOnce));
      asked += atOnce;
      await until(() => answers().length === asked, 'every answer');
    }
    expect(new Set(answers())).toEqual(new Set(['HTTP/1.1 200']));
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });

  it('end their connection above that, and somebody else is answered beside them', async () => {
    const greedy = await Promise.all([connection(), connection()]);
    const gone = greedy.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)));
    for (const { socket } of greedy) socket.write(REQUEST.repeat(MANY));
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
    await Promise.all(gone);
    for (const { client, answers } of greedy) {
      expect(taken.get(client)).toBe(UNANSWERED_MAX);
      expect(answers().length).toBeLessThanOrEqual(UNANSWERED_MAX);
    }
  });
});
