import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmbeddedSipServer } from '../../src/sip-server/embedded-server.ts';
import { TlsCredentials } from '../../src/sip-server/tls/tls-credentials.ts';
import { connectApp, listenApp, SDP, SECRET, startServer, type TestSrf, udpPort } from '../support/srf-app.ts';
import { until } from '../support/until.ts';

describe('two embedded servers call each other through drachtio-srf', () => {
  let a: EmbeddedSipServer;
  let b: EmbeddedSipServer;
  let caller: TestSrf;
  let callee: TestSrf;

  beforeEach(async () => {
    a = await startServer();
    b = await startServer();
    caller = await connectApp(a);
    callee = await connectApp(b);
  });
  afterEach(async () => {
    caller.disconnect();
    callee.disconnect();
    await a.close();
    await b.close();
  });

  it('answers, talks and hangs up', async () => {
    const ended: string[] = [];
    callee.invite(async (req, res) => {
      const dialog = await callee.createUAS(req, res, { localSdp: SDP });
      dialog.on('destroy', () => ended.push('callee'));
    });
    const dialog = await caller.createUAC(`sip:1000@127.0.0.1:${udpPort(b)}`, { localSdp: SDP, callingNumber: '0500' });
    expect(dialog.remote.sdp).toBe(SDP);
    expect([a.dialogCount, b.dialogCount]).toEqual([1, 1]);
    await dialog.destroy();
    await until(() => ended.length === 1 && a.dialogCount === 0 && b.dialogCount === 0);
  });
});

describe('the application side', () => {
  let a: EmbeddedSipServer;
  let b: EmbeddedSipServer;
  let caller: TestSrf;
  const others: TestSrf[] = [];
  const connectTo = async (server: EmbeddedSipServer): Promise<TestSrf> => {
    const srf = await connectApp(server);
    others.push(srf);
    return srf;
  };
  const target = (): string => `sip:1000@127.0.0.1:${udpPort(b)}`;

  beforeEach(async () => {
    a = await startServer();
    b = await startServer();
    caller = await connectApp(a);
  });
  afterEach(async () => {
    caller.disconnect();
    for (const srf of others.splice(0)) srf.disconnect();
    await a.close();
    await b.close();
  });
  const ask = (method: string, uri = target(), options: object = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      caller.request(uri, { method, ...options }, (error, req) =>
        error ? reject(error) : req.on('response', (res) => resolve(res.status)),
      );
    });

  it('with a wrong secret is refused', async () => {
    await expect(connectApp(a, 'wrong')).rejects.toThrow('failed to authenticate');
  });

  it('gets new requests in turn, only for the verbs it routed', async () => {
    const served: number[] = [];
    for (const number of [1, 2]) {
      const srf = await connectTo(b);
      srf.use('options', (_req, res) => {
        served.push(number);
        res.send(200);
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (let i = 0; i < 4; i += 1) expect(await ask('OPTIONS')).toBe(200);
    expect([...served].sort()).toEqual([1, 1, 2, 2]);
    expect(served[0]).not.toBe(served[1]);
    expect(await ask('REGISTER')).toBe(503);
  });

  it('dies in a call: the caller gets a BYE, waiting callers 503', async () => {
    const srf = await connectTo(b);
    let waiting = 0;
    srf.invite((req, res) => {
      if (req.uri.includes('wait')) waiting += 1;
      else void srf.createUAS(req, res, { localSdp: SDP });
    });
    const dialog = await caller.createUAC(target(), { localSdp: SDP });
    const ended = new Promise((resolve) => dialog.on('destroy', resolve));
    const refused = expect(caller.createUAC(target().replace('1000', 'wait'), { localSdp: SDP })).rejects.toMatchObject(
      {
        status: 503,
      },
    );
    await until(() => waiting === 1);
    others.pop()?.disconnect();
    await Promise.all([ended, refused]);
    await until(() => b.dialogCount === 0);
  });

  it('sends and receives bodies that are not ASCII', async () => {
    const srf = await connectTo(b);
    const bodies: string[] = [];
    srf.use('message', (req, res) => {
      bodies.push(req.body);
      res.send(200);
    });
    const options = { headers: { 'Content-Type': 'text/plain;charset=utf-8' }, body: 'مرحبا 🎈\r\n\r\nنداء' };
    expect(await ask('MESSAGE', target(), options)).toBe(200);
    expect(bodies).toEqual([options.body]);
  });

  it('is told where nothing listens: 503 made up, or NOK where nothing can be sent', async () => {
    await expect(caller.createUAC('sip:1000@127.0.0.1:9', { localSdp: SDP })).rejects.toMatchObject({ status: 503 });
    await expect(caller.createUAC('sip:1000@host.invalid', { localSdp: SDP })).rejects.toThrow('not available');
  });

  it('works over TCP, with the transport in Contact', async () => {
    const srf = await connectTo(b);
    const seen: string[] = [];
    srf.invite((req, res) => {
      seen.push(req.protocol, req.get('Contact'));
      void srf.createUAS(req, res, { localSdp: SDP });
    });
    const dialog = await caller.createUAC(`${target()};transport=tcp`, { localSdp: SDP });
    expect(seen).toEqual(['tcp', expect.stringContaining('transport=tcp')]);
    await dialog.destroy();
    await until(() => b.dialogCount === 0);
  });

  it('works over TLS, to a sips URI too', async () => {
    const pem = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
    const credentials = new TlsCredentials({ cert: pem('cert'), key: pem('key') });
    const tls = { credentials, rejectUnauthorized: false };
    const [near, far] = [
      await startServer({ transports: ['tls'], tls }),
      await startServer({ transports: ['tls'], tls }),
    ];
    const [from, to] = [await connectTo(near), await connectTo(far)];
    const seen: string[] = [];
    to.invite((req, res) => {
      seen.push(req.protocol);
      void to.createUAS(req, res, { localSdp: SDP });
    });
    const port = far.listening[0]?.port;
    for (const uri of [`sip:1000@127.0.0.1:${port};transport=tls`, `sips:1000@127.0.0.1:${port}`]) {
      const dialog = await from.createUAC(uri, { localSdp: SDP });
      await dialog.destroy();
    }
    expect(seen).toEqual(['tls', 'tls']);
    for (const srf of others.splice(-2)) srf.disconnect();
    await near.close();
    await far.close();
  });

  it('drains: 503 for new calls, running ones go on', async () => {
    const srf = await connectTo(b);
    srf.invite((req, res) => void srf.createUAS(req, res, { localSdp: SDP }));
    const dialog = await caller.createUAC(target(), { localSdp: SDP });
    b.drain();
    await expect(caller.createUAC(target(), { localSdp: SDP })).rejects.toMatchObject({ status: 503 });
    expect((await dialog.request({ method: 'INFO' })).status).toBe(200);
    await dialog.destroy();
  });

  it('hears of pressed keys, holds and resumes', async () => {
    const srf = await connectTo(b);
    const heard: string[] = [];
    srf.invite((req, res) => {
      void srf.createUAS(req, res, { localSdp: SDP }).then((dialog) => {
        dialog.on('modify', (again, answer) => {
          heard.push(again.body.includes('a=inactive') ? 'hold' : 'resume');
          answer.send(200, { body: SDP });
        });
        dialog.on('info', (info, answer) => {
          heard.push(info.body);
          answer.send(200);
        });
      });
    });
    const dialog = await caller.createUAC(target(), { localSdp: SDP });
    await dialog.modify('hold');
    await dialog.modify('unhold');
    const headers = { 'Content-Type': 'application/dtmf-relay' };
    await dialog.request({ method: 'INFO', headers, body: 'Signal=5\r\nDuration=160\r\n' });
    await dialog.destroy();
    expect(heard).toEqual(['hold', 'resume', 'Signal=5\r\nDuration=160\r\n']);
  });

  it('that calls its own server is told so', async () => {
    await expect(caller.createUAC(`sip:1000@127.0.0.1:${udpPort(a)}`, { localSdp: SDP })).rejects.toThrow(
      'can not send request to myself',
    );
  });
});

describe('dialled on a Unix socket', () => {
  it('serves calls both ways, and is dialled again when it comes back', async () => {
    const app = await listenApp();
    const b = await startServer({ control: { mode: 'dial', unixSocketPath: app.path, secret: SECRET } });
    const a = await startServer();
    const caller = await connectApp(a);
    try {
      await app.ready;
      app.srf.invite((req, res) => void app.srf.createUAS(req, res, { localSdp: SDP }));
      caller.invite((req, res) => void caller.createUAS(req, res, { localSdp: SDP }));
      const inward = await caller.createUAC(`sip:1000@127.0.0.1:${udpPort(b)}`, { localSdp: SDP });
      await inward.destroy();
      const outward = await app.srf.createUAC(`sip:1000@127.0.0.1:${udpPort(a)}`, { localSdp: SDP });
      await outward.destroy();
      // Nobody handles REGISTER: srf answers 404 and ends the connection, and the server dials again.
      const status = await new Promise<number>((resolve) => {
        caller.request(`sip:127.0.0.1:${udpPort(b)}`, { method: 'REGISTER' }, (_error, req) =>
          req.on('response', (res) => resolve(res.status)),
        );
      });
      expect(status).toBe(404);
      await until(() => b.appCount === 1);
      const again = await caller.createUAC(`sip:1000@127.0.0.1:${udpPort(b)}`, { localSdp: SDP });
      await again.destroy();
    } finally {
      caller.disconnect();
      app.close();
      await a.close();
      await b.close();
    }
  });
});
