import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialRoute } from '../../src/call/dial-route.ts';
import { systemClock } from '../../src/core/clock.ts';
import { PUBLIC_ONLY } from '../../src/core/trunk.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { mark } from '../support/marks.ts';
import { hungUp, loopback, offer, plain, SignallingRig } from '../support/signalling-rig.ts';
import { headerOf, type WireMessage } from '../support/udp-caller.ts';

it('a refresh of a call we made answers a challenge', async () => {
  const clock = new FakeClock();
  const rig = await SignallingRig.open('listen', clock);
  const credentials = { username: 'u', password: 'p' };
  const uri = `sip:bob@127.0.0.1:${rig.phone.port}`;
  const dialled = rig.server.dial({ uri, from: 'me', media: plain, credentials });
  dialled.catch(() => undefined);
  const agreed = ['Allow: INVITE, ACK, BYE, UPDATE', 'Session-Expires: 90;refresher=uac', 'Require: timer'];
  rig.phone.reply(await rig.phone.request('INVITE'), 200, 'OK', agreed, offer);
  await rig.phone.request('ACK');
  const leg = await dialled;
  clock.advance(36_000);
  const first = await rig.phone.request('UPDATE');
  expect(headerOf(first, 'Session-Expires')).toBe('90;refresher=uac');
  rig.phone.reply(first, 407, 'Proxy Authentication Required', ['Proxy-Authenticate: Digest realm="r", nonce="n"']);
  const fits = (m: WireMessage) => m.method === 'UPDATE' && headerOf(m, 'CSeq') !== headerOf(first, 'CSeq');
  const second = await rig.phone.next(fits, 'a second UPDATE');
  expect(headerOf(second, 'Proxy-Authorization')).toMatch(/^Digest username="u", realm="r", nonce="n"/);
  rig.phone.reply(second, 200, 'OK', agreed);
  const over = leg.hangup(hungUp);
  rig.phone.reply(await rig.phone.request('BYE'), 200, 'OK');
  await over;
  await rig.close();
});

it('nothing leaves for a host that may be public alone and is not, and whoever asked is told', async () => {
  const rig = await SignallingRig.open('listen');
  const nextHop = `sip:localhost:${rig.phone.port};transport=udp;${PUBLIC_ONLY}`;
  const uri = `sip:bob@localhost:${rig.phone.port}`;
  for (const method of ['OPTIONS', 'REGISTER'] as const) {
    expect(await rig.server.ask({ method, uri, nextHop, headers: {} }, 5_000)).toEqual({ failed: 'not-public' });
  }
  const end = { party: 'gateway', reason: 'not-allowed', detail: expect.stringMatching(/^not-public/) };
  const dialled = rig.server.dial({ uri, nextHop, from: 'me', media: plain });
  await expect(dialled).rejects.toMatchObject({ status: 0, end });
  expect(rig.phone.inbox).toEqual([]);
  await rig.close();
});

describe.each(['listen', 'connect'] as const)('calls we make, application in %s mode', (mode) => {
  let rig: SignallingRig;
  beforeEach(async () => {
    rig = await SignallingRig.open(mode);
  });
  afterEach(() => rig.close());

  const uri = () => `sip:bob@127.0.0.1:${rig.phone.port}`;

  it('is answered and ends both ways', async () => {
    const dialled = rig.server.dial({
      uri: uri(),
      from: '+9662',
      media: plain,
      headers: { 'X-Campaign': 'c1', 'X-Two_words': 'c2' },
    });
    dialled.catch(() => undefined);
    const invite = await rig.phone.request('INVITE');
    expect(headerOf(invite, 'From')).toMatch(/^<sip:\+9662@127\.0\.0\.1:\d+>;tag=/);
    expect(headerOf(invite, 'X-Campaign')).toBe('c1');
    expect(headerOf(invite, 'X-Two_words')).toBe('c2');
    rig.phone.reply(invite, 180, 'Ringing');
    rig.phone.reply(invite, 200, 'OK', [], loopback('m=audio 4800 RTP/AVP 8'));
    await rig.phone.request('ACK');
    const leg = await dialled;
    expect(leg.media).toMatchObject({ codec: 'PCMA', signallingAddress: '127.0.0.1', remote: { port: 4800 } });
    const over = leg.hangup(hungUp);
    rig.phone.reply(await rig.phone.request('BYE'), 200, 'OK');
    await over;
    expect(rig.server.legs).toBe(0);
  });

  it('sends keys by INFO where they go so, each after the answer to the one before', async () => {
    const dialled = rig.server.dial({ uri: uri(), from: 'me', media: plain, dtmf: 'info' });
    dialled.catch(() => undefined);
    const invite = await rig.phone.request('INVITE');
    expect(invite.body).not.toContain('telephone-event');
    rig.phone.reply(invite, 200, 'OK', [], loopback('m=audio 4800 RTP/AVP 8'));
    await rig.phone.request('ACK');
    const leg = await dialled;
    leg.press?.('5#');
    const first = await rig.phone.request('INFO');
    expect([headerOf(first, 'Content-Type'), first.body]).toEqual([
      'application/dtmf-relay',
      'Signal=5\r\nDuration=160\r\n',
    ]);
    rig.phone.reply(first, 200, 'OK');
    const fits = (m: WireMessage) => m.method === 'INFO' && headerOf(m, 'CSeq') !== headerOf(first, 'CSeq');
    const second = await rig.phone.next(fits, 'a second INFO');
    expect(second.body).toContain('Signal=#\r\n');
    rig.phone.reply(second, 200, 'OK');
    const over = leg.hangup(hungUp);
    rig.phone.reply(await rig.phone.request('BYE'), 200, 'OK');
    await over;
  });

  it('answers a SHA-256 challenge', async () => {
    const credentials = { username: 'u', password: 'p' };
    const dialled = rig.server.dial({ uri: uri(), from: 'me', media: plain, credentials });
    dialled.catch(() => undefined);
    const first = await rig.phone.request('INVITE');
    rig.phone.reply(first, 401, 'Unauthorized', [
      'WWW-Authenticate: Digest realm="t, x", nonce="n", algorithm=SHA-256, qop="auth,auth-int"',
    ]);
    await rig.phone.request('ACK');
    const fits = (m: WireMessage) => m.method === 'INVITE' && headerOf(m, 'CSeq') !== headerOf(first, 'CSeq');
    const second = await rig.phone.next(fits, 'a second INVITE');
    expect(headerOf(second, 'Authorization')).toMatch(/realm="t, x".*algorithm=SHA-256.*qop=auth, nc=00000001/);
    expect(headerOf(second, 'Call-ID')).toBe(headerOf(first, 'Call-ID'));
    expect(headerOf(second, 'From')).toBe(headerOf(first, 'From'));
    expect(Number.parseInt(headerOf(second, 'CSeq'), 10)).toBe(Number.parseInt(headerOf(first, 'CSeq'), 10) + 1);
    rig.phone.reply(second, 200, 'OK', [], offer);
    await rig.phone.request('ACK');
    const over = (await dialled).hangup(hungUp);
    rig.phone.reply(await rig.phone.request('BYE'), 200, 'OK');
    await over;
  });

  it('is refused, redirected, cancelled', async () => {
    const seen = new Set<string>();
    const newInvite = async () => {
      // A copy of an INVITE that was answered late may still lie about.
      const fits = (m: WireMessage) => m.method === 'INVITE' && m.status === 0 && !seen.has(headerOf(m, 'Call-ID'));
      const invite = await rig.phone.next(fits, 'a new INVITE');
      seen.add(headerOf(invite, 'Call-ID'));
      return invite;
    };
    for (const [status, reason] of [
      [486, 'busy'],
      [302, 'not-allowed'],
    ] as const) {
      const dialled = rig.server.dial({ uri: uri(), from: 'me', media: plain });
      dialled.catch(() => undefined);
      rig.phone.reply(await newInvite(), status, 'No');
      await expect(dialled).rejects.toMatchObject({ status, end: { reason } });
    }
    const controller = new AbortController();
    const dialled = rig.server.dial({ uri: uri(), from: 'me', media: plain, signal: controller.signal });
    dialled.catch(() => undefined);
    const invite = await newInvite();
    rig.phone.reply(invite, 180, 'Ringing');
    await new Promise((resolve) => setTimeout(resolve, 50));
    controller.abort();
    const cancel = await rig.phone.request('CANCEL');
    rig.phone.reply(cancel, 200, 'OK');
    rig.phone.reply(invite, 487, 'Request Terminated');
    await expect(dialled).rejects.toMatchObject({ status: 487, end: { reason: 'cancelled' } });
  });

  it('a host that cannot be reached is not busy', async () => {
    const gone = await rig.newPhone();
    const { port } = gone;
    gone.close();
    await expect(rig.server.dial({ uri: `sip:9@127.0.0.1:${port}`, from: 'me', media: plain })).rejects.toMatchObject({
      status: 503,
      end: { party: 'network', reason: 'signalling-lost', detail: 'the host is unreachable' },
    });
  });

  it('a route is dialled past a closed port, a silent host and one without a line', async () => {
    const [gone, silent, full, good] = await Promise.all([
      rig.newPhone(),
      rig.newPhone(),
      rig.newPhone(),
      rig.newPhone(),
    ]);
    const attempts = [gone, silent, full, good].map((phone) => ({ uri: `sip:9@127.0.0.1:${phone.port}`, from: 'me' }));
    gone.close();
    const dead: string[] = [];
    const hosts = { onAlive: () => undefined, onDead: (host: string) => dead.push(host) };
    const route = { attempts, release: () => undefined };
    const dialled = dialRoute({ dialer: rig.server, clock: systemClock, hosts }, route, {
      media: plain,
      sipCallId: mode,
    });
    dialled.catch(() => undefined);
    full.reply(await full.request('INVITE'), 503, 'Service Unavailable');
    const invite = await good.request('INVITE');
    good.reply(invite, 100, 'Trying');
    good.reply(invite, 200, 'OK', [], offer);
    await good.request('ACK');
    const branches = [await silent.request('INVITE'), invite].map((message) => headerOf(message, 'Via'));
    expect(new Set(branches).size).toBe(2);
    expect(headerOf(invite, 'Call-ID')).toBe(mode);
    expect(dead).toEqual([attempts[1]?.uri]);
    const over = (await dialled).hangup(hungUp);
    good.reply(await good.request('BYE'), 200, 'OK');
    await over;
    for (const phone of [silent, full, good]) phone.close();
  });

  it('T3: gives a strange realm nothing to guess our password by, for an INVITE or a BYE', async () => {
    const strange = (header: string) => [`${header}: Digest realm="strange", nonce="n", algorithm=MD5, qop="auth"`];
    const credentials = { username: 'u', password: 'p', realm: 'ours' };
    const [asking, later] = [rig.phone, await rig.newPhone()];
    const dial = (port: number) => {
      const dialled = rig.server.dial({ uri: `sip:bob@127.0.0.1:${port}`, from: 'me', media: plain, credentials });
      dialled.catch(() => undefined);
      return dialled;
    };
    const refused = dial(asking.port);
    asking.reply(await asking.request('INVITE'), 407, 'No', strange('Proxy-Authenticate'));
    await expect(refused).rejects.toMatchObject({ status: 407 });
    await asking.request('ACK');
    const dialled = dial(later.port);
    later.reply(await later.request('INVITE'), 200, 'OK', [], offer);
    await later.request('ACK');
    const over = (await dialled).hangup(hungUp);
    later.reply(await later.request('BYE'), 401, 'No', strange('WWW-Authenticate'));
    await over;
    later.close();
    const names = [...asking.inbox, ...later.inbox].flatMap(({ headers }) =>
      headers.map(([name]) => name.toLowerCase()),
    );
    mark('T3', 'leaked', names.filter((name) => name.endsWith('authorization')).length);
  });
});
