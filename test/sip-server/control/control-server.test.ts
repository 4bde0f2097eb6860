import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FRAME_BYTES_MAX, FrameReader } from '../../../src/sip-server/control/frame-reader.ts';
import type { EmbeddedSipServer } from '../../../src/sip-server/embedded-server.ts';
import { SECRET, startServer } from '../../support/srf-app.ts';
import { until } from '../../support/until.ts';

/** An application that speaks the protocol by hand. */
class RawApp {
  readonly frames: string[] = [];
  readonly socket: Socket;
  closed = false;
  #ids = 0;
  constructor(port: number) {
    const reader = new FrameReader();
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('error', () => undefined);
    this.socket.on('close', () => {
      this.closed = true;
    });
    this.socket.on('data', (segment) => {
      const payloads = reader.push(segment);
      if (typeof payloads !== 'string') this.frames.push(...payloads);
    });
  }
  /** Sends a command and waits for its answer: the tokens after `response|<id>`. */
  async ask(command: string): Promise<string[]> {
    this.#ids += 1;
    const id = `app-${this.#ids}`;
    const payload = `${id}|${command}`;
    this.socket.write(`${Buffer.byteLength(payload)}#${payload}`);
    const find = (): string[] | undefined =>
      this.frames
        .map((frame) => (frame.split('\r\n')[0] ?? '').split('|'))
        .find((t) => t[1] === 'response' && t[2] === id);
    await until(() => find() !== undefined || this.closed);
    return find()?.slice(3) ?? ['closed'];
  }
}

let server: EmbeddedSipServer;
let apps: RawApp[] = [];
const open = (): RawApp => {
  const app = new RawApp(server.controlPort);
  apps.push(app);
  return app;
};
beforeEach(async () => {
  server = await startServer();
});
afterEach(async () => {
  for (const app of apps) app.socket.destroy();
  apps = [];
  await server.close();
});

describe('the control connection', () => {
  it('answers authenticate with addresses and a version that makes srf ping', async () => {
    const [status, hostports, version, local] = await open().ask(`authenticate|${SECRET}|tag`);
    const { port } = server.listening[0]!;
    expect(status).toBe('OK');
    expect(hostports).toBe(`udp/127.0.0.1:${port},tcp/127.0.0.1:${port}`);
    expect(version).toMatch(/^v(0\.(8\.[2-9]|9|[1-9]\d)|[1-9])/);
    expect(local).toBe(hostports);
  });

  it.each(['', 'wrong', `${SECRET} `, SECRET.slice(0, -1)])('refuses the secret %j and closes', async (secret) => {
    const app = open();
    expect(await app.ask(`authenticate|${secret}|`)).toEqual(['NO', 'incorrect secret']);
    await until(() => app.closed);
    expect(server.appCount).toBe(0);
  });

  it.each(['ping', 'route|invite', 'sip||\r\nOPTIONS sip:127.0.0.1 SIP/2.0\r\n\r\n', 'proxy|x'])(
    'does nothing for %j before authentication',
    async (command) => {
      const app = open();
      expect((await app.ask(command))[0]).toBe('NO');
      await until(() => app.closed);
    },
  );

  it('knows ping, route (again and again), remove_route, and refuses to proxy', async () => {
    const app = open();
    await app.ask(`authenticate|${SECRET}|`);
    expect(await app.ask('ping')).toEqual(['OK', 'pong']);
    expect(await app.ask('route|invite')).toEqual(['OK']);
    expect(await app.ask('route|invite')).toEqual(['OK']);
    expect(await app.ask('remove_route|invite')).toEqual(['OK']);
    expect(await app.ask('proxy|txn|||')).toEqual(['NOK', 'proxy not supported by the embedded SIP server']);
  });

  it('answers what it does not know NO, and closes', async () => {
    const app = open();
    await app.ask(`authenticate|${SECRET}|`);
    expect(await app.ask('dance|now')).toEqual(['NO', 'Unknown message type']);
    await until(() => app.closed);
  });

  it.each(['x#', '100000#', '0#'])('drops a connection that sends the length %j', async (bytes) => {
    const app = open();
    await app.ask(`authenticate|${SECRET}|`);
    app.socket.write(bytes);
    await until(() => app.closed);
    expect(server.appCount).toBe(0);
  });

  it('takes a frame of the largest size, and answers NOK to a message it cannot send', async () => {
    const app = open();
    await app.ask(`authenticate|${SECRET}|`);
    const head = 'sip||\r\nMESSAGE sip:a@127.0.0.1:9 SIP/2.0\r\ncontent-type: text/plain\r\n\r\n';
    const room = FRAME_BYTES_MAX - Buffer.byteLength(`app-2|${head}`);
    expect((await app.ask(head + 'x'.repeat(room)))[0]).toBe('NOK');
    expect(await app.ask('ping')).toEqual(['OK', 'pong']);
  });

  it.each([
    {
      name: 'an answer to nothing',
      command: 'sip|no-such-id|\r\nSIP/2.0 200 OK\r\ncseq: 1 INVITE\r\n\r\n',
      reason: 'Response not sent due to unknown transaction',
    },
    {
      name: 'a CANCEL of nothing',
      command: 'sip|gone|\r\nCANCEL sip:a@b SIP/2.0\r\n\r\n',
      reason: 'unable to cancel unknown transaction id: gone',
    },
    {
      name: 'a request in no dialog',
      command: 'sip||x;from-tag=y\r\nINFO sip:placeholder SIP/2.0\r\n\r\n',
      reason: 'Server error: unable to find dialog for dialog id provided',
    },
    {
      name: 'a bar in the next hop',
      command: 'sip|||sip:a|b@127.0.0.1\r\nOPTIONS sip:a@b SIP/2.0\r\n\r\n',
      reason: 'invalid next hop uri',
    },
  ])('answers $name with its reason', async ({ command, reason }) => {
    const app = open();
    await app.ask(`authenticate|${SECRET}|`);
    expect(await app.ask(command)).toEqual(['NOK', reason]);
  });
});
