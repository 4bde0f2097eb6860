import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { probeSipServer } from '../../src/sip/probe-server.ts';
import { SipServer } from '../../src/sip/server.ts';
import { DrachtioReal, haveDrachtio } from '../support/drachtio-real.ts';
import { DrachtioStub } from '../support/drachtio-stub.ts';
import { openPolicy } from '../support/leg-rig.ts';
import { freeTcpPort } from '../support/ports.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { hungUp, loopback, offer, plain } from '../support/signalling-rig.ts';
import { TcpRelay } from '../support/tcp-relay.ts';
import { headerOf, UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

/**
 * The same application against a drachtio-server that is not ours: a stub with the ways of the real one, and the real one
 * where `DRACHTIO_SERVER` names it.
 */
const SECRET = 'a-secret-of-the-tests';
const servers = [
  { name: 'stub', run: true, open: () => DrachtioStub.open(SECRET) },
  { name: 'real', run: haveDrachtio, open: () => DrachtioReal.open(SECRET) },
];
if (!haveDrachtio)
  console.warn('SKIPPED: the real drachtio-server. Set DRACHTIO_SERVER to the path of one to run against it.');

interface Application {
  readonly sip: SipServer;
  readonly relay: TcpRelay;
  readonly calls: string[];
  readonly ends: string[];
}

describe.each(servers)('the $name drachtio-server', ({ run, open }) => {
  let server: DrachtioStub | DrachtioReal;
  const opened: { close(): unknown }[] = [];
  const later = <T extends { close(): unknown }>(part: T): T => {
    opened.push(part);
    return part;
  };
  beforeEach(async (context) => {
    if (!run) return context.skip();
    server = later(await open());
  });
  afterEach(async () => {
    for (const part of opened.splice(0).reverse()) await part.close();
  });

  /** A gateway's signalling, as far as a drachtio-server sees it. */
  async function application(secret = SECRET): Promise<Application> {
    const relay = later(await TcpRelay.open(server.adminPort));
    const calls: string[] = [];
    const ends: string[] = [];
    const sip = new SipServer({
      connection: { mode: 'connect', host: '127.0.0.1', port: relay.port, secret },
      ...{ clock: systemClock, logger: silentLogger, policy: openPolicy, transferDomain: '' },
      sessionTimers: { sessionSeconds: 1800, minSeconds: 120 },
      ...{ admit: (info) => ({ kind: 'admitted', info }), availability: () => undefined },
      ...{ onRefused: () => undefined, onAnswered: () => undefined },
      onReplaces: () => undefined,
      onCall: (leg) => {
        calls.push(leg.info.sipCallId);
        leg.setHandlers({
          ...{ onMedia: () => undefined, onDtmf: () => undefined },
          onEnd: ({ party, reason }) => ends.push(`${party} ${reason}`),
        });
        void leg.answer(plain).catch(() => undefined);
      },
    });
    await sip.start();
    later(sip);
    return { sip, relay, calls, ends };
  }
  async function connected(): Promise<Application> {
    const app = await application();
    await app.sip.ready();
    return app;
  }
  async function phone(): Promise<UdpCaller> {
    const caller = await new UdpCaller(server.sipPort).open();
    caller.answerByes();
    return later(caller);
  }
  async function talking(app: Application): Promise<UdpCaller> {
    const caller = await phone();
    await caller.call(offer);
    await until(() => app.sip.living.list()[0]?.state === 'confirmed');
    return caller;
  }

  it('a call: says where it listens, answers, holds, ends both ways', async () => {
    const app = await connected();
    expect(app.sip.hostports).toContain(`udp/127.0.0.1:${server.sipPort}`);
    const caller = await talking(app);
    caller.sendRequest('INVITE', { body: loopback('m=audio 4000 RTP/AVP 0', 'a=sendonly') });
    expect((await caller.final('INVITE')).body).toContain('a=recvonly');
    caller.sendRequest('ACK');
    caller.sendRequest('BYE');
    expect((await caller.final('BYE')).status).toBe(200);
    await until(() => app.sip.legs === 0);
    expect(app.ends).toEqual(['caller caller-hangup']);
  });

  it('a second gateway gets every call of one that drains; calls that are up stay', async () => {
    const [one, two] = [await connected(), await connected()];
    const callers: UdpCaller[] = [];
    for (let i = 0; i < 4; i += 1) {
      const caller = await phone();
      await caller.call(offer);
      callers.push(caller);
    }
    await until(() => one.calls.length === 2 && two.calls.length === 2);
    one.sip.drain();
    await new Promise((resolve) => setTimeout(resolve, 200)); // the server has no answer to it that we are told
    const before = one.calls.length;
    for (let i = 0; i < 6; i += 1) await (await phone()).call(offer);
    expect([before, one.calls.length, two.calls.length]).toEqual([2, 2, 8]);
    const mine = callers.find(({ callId }) => one.calls.includes(callId));
    mine?.sendRequest('BYE');
    expect((await mine?.final('BYE'))?.status).toBe(200);
    await until(() => one.ends.length === 1);
  });

  it('a secret that is refused is called that, and tried seldom', async () => {
    const app = await application('another');
    await until(() => app.sip.refused);
    expect(app.sip.connected).toBe(false);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(app.sip.attempts).toBe(1);
  });

  it('a connection that is cut for a moment: who talks goes on talking, and hangs up as ever', async () => {
    const app = await connected();
    const caller = await talking(app);
    app.relay.cut();
    await until(() => !app.sip.connected);
    await until(() => app.sip.connected);
    expect((await caller.request('OPTIONS')).method).toBe('OPTIONS');
    expect([app.sip.legs, app.ends]).toEqual([1, []]);
    const [leg] = app.sip.living.list();
    await leg?.hangup(hungUp);
    expect(headerOf(await caller.request('BYE'), 'Reason')).toContain('The agent ended the call');
    expect(app.sip.legs).toBe(0);
  });

  it('a caller who hangs up after the cut is noticed', async () => {
    const app = await connected();
    const caller = await talking(app);
    app.relay.cut();
    await until(() => !app.sip.connected);
    caller.sendRequest('BYE');
    expect((await caller.final('BYE')).status).toBe(481);
    await until(() => app.ends.length === 1);
    expect(app.ends).toEqual(['network signalling-lost']);
  });

  it('a call that ends while the connection is away gets its BYE afterwards', async () => {
    const app = await connected();
    const caller = await talking(app);
    app.relay.silent = true;
    app.relay.cut();
    await until(() => !app.sip.connected);
    const [leg] = app.sip.living.list();
    await leg?.hangup(callEnd('agent', 'agent-hangup'));
    expect(app.sip.legs).toBe(0);
    app.relay.silent = false;
    const bye = await caller.request('BYE');
    expect(headerOf(bye, 'Reason')).toContain('The agent ended the call');
  });

  it.runIf(EVERY_TEST)('a server that falls silent is noticed, and met again', async () => {
    const app = await connected();
    app.relay.silent = true;
    await until(() => !app.sip.connected);
    app.relay.silent = false;
    await until(() => app.sip.connected);
    await talking(app);
  });

  it('a probe says whether the secret is taken, and takes no calls', async () => {
    const app = await connected();
    const at = { host: '127.0.0.1', port: server.adminPort };
    expect(await probeSipServer({ ...at, secret: SECRET }, 5_000)).toMatchObject({
      state: 'taken',
      version: expect.stringMatching(/^v0\.9\./),
      listens: expect.arrayContaining([{ transport: 'udp', address: '127.0.0.1', port: server.sipPort }]),
    });
    expect(await probeSipServer({ ...at, secret: 'another' }, 5_000)).toEqual({ state: 'refused' });
    app.relay.silent = true;
    expect(await probeSipServer({ ...at, port: app.relay.port, secret: SECRET }, 500)).toEqual({ state: 'silent' });
    app.relay.close();
    const gone = await probeSipServer({ ...at, port: await freeTcpPort(), secret: SECRET }, 500);
    expect(gone).toEqual({ state: 'away', why: 'ECONNREFUSED' });
  });

  it.runIf(EVERY_TEST)('session timers are ours', async () => {
    const app = await connected();
    const short = await phone();
    const headers = (seconds: number) => [
      ...['Content-Type: application/sdp', 'Supported: timer'],
      `Session-Expires: ${seconds}`,
    ];
    short.sendRequest('INVITE', { body: offer, headers: headers(100) });
    const refusal = await short.final('INVITE');
    expect([refusal.status, headerOf(refusal, 'Min-SE')]).toEqual([422, '120']);
    const caller = await phone();
    const ok = await caller.call(offer, { headers: headers(600) });
    const terms = (message: typeof ok) => [
      headerOf(message, 'Session-Expires').replaceAll(' ', ''),
      headerOf(message, 'Require'),
    ];
    expect(terms(ok)).toEqual(['600;refresher=uac', 'timer']);
    caller.sendRequest('UPDATE', { headers: ['Supported: timer', 'Session-Expires: 600;refresher=uac'] });
    expect(terms(await caller.final('UPDATE'))).toEqual(['600;refresher=uac', 'timer']);
    caller.sendRequest('UPDATE', { headers: ['Supported: timer', 'Session-Expires: 100;refresher=uac'] });
    const tooShort = await caller.final('UPDATE');
    expect([tooShort.status, headerOf(tooShort, 'Min-SE')]).toEqual([422, '120']);
    expect(app.calls.length).toBe(1);
  });

  it.runIf(EVERY_TEST)('a re-INVITE that requires what we do not have is refused', async () => {
    const app = await connected();
    const caller = await talking(app);
    caller.sendRequest('INVITE', { body: offer, headers: ['Content-Type: application/sdp', 'Require: gruu'] });
    const refusal = await caller.final('INVITE');
    expect([refusal.status, headerOf(refusal, 'Unsupported')]).toEqual([420, 'gruu']);
  });

  it.runIf(EVERY_TEST)('an INVITE that comes by two paths is one call', async () => {
    const app = await connected();
    const caller = await phone();
    caller.sendRequest('INVITE', { body: offer });
    const first = caller.inviteBranch;
    caller.sendRequest('INVITE', { body: offer, cseq: 2 });
    const answers = [await caller.final('INVITE'), await caller.final('INVITE')];
    const of = (branch: string) => answers.find((one) => headerOf(one, 'Via').includes(branch))?.status;
    expect(of(first)).toBe(200);
    expect([480, 482]).toContain(of(caller.inviteBranch));
    expect(app.calls.length).toBe(1);
  });
});
