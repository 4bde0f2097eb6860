import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dialRoute } from '../../src/call/dial-route.ts';
import type { Leg } from '../../src/call/leg.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { Authenticator } from '../../src/sip/authenticator.ts';
import { DigestServer } from '../../src/sip/digest-server.ts';
import { FailureGuard } from '../../src/sip/failure-guard.ts';
import { Registrar } from '../../src/sip/registrar.ts';
import { Baresip } from '../support/baresip.ts';
import { answerTo, FakeKeeper, phonesNamed, REALM } from '../support/bindings.ts';
import { hasCommand } from '../support/caller-voice.ts';
import { believing, pairFor } from '../support/certificates.ts';
import { configFolder } from '../support/config-folder.ts';
import { Linphone } from '../support/linphone.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { hungUp, plain, SignallingRig } from '../support/signalling-rig.ts';
import { headerOf } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

const pair = pairFor(['127.0.0.1']);
const [haveBaresip, haveLinphone] = [hasCommand('baresip'), hasCommand('linphonec')];
if (!haveBaresip || !haveLinphone)
  process.stderr.write('SKIPPED: real phones that register: baresip-core, linphone-cli\n');
const limits = { contactsMax: 10, minSeconds: 60, maxSeconds: 3_600, defaultSeconds: 600 };

/** Real phones, the SIP server, the registrar: what they say of each other is seen from outside. */
describe.each(['listen', 'connect'] as const)('phones that register, application in %s mode', (mode) => {
  let rig: SignallingRig;
  let registrar: Registrar;
  let guard: FailureGuard;
  let authenticator: Authenticator;
  beforeEach(async () => {
    guard = new FailureGuard(systemClock);
    const digest = new DigestServer(REALM, systemClock);
    authenticator = new Authenticator({ digest, guard, logger: silentLogger });
    registrar = new Registrar({
      ...{ authenticator, directory: phonesNamed('alice', 'bob'), keeper: new FakeKeeper(), limits },
      ...{ clock: systemClock, logger: silentLogger },
    });
    await registrar.open();
    rig = await SignallingRig.open(
      mode,
      systemClock,
      mode === 'listen' ? { transports: ['udp', 'tcp', 'tls'], tls: { credentials: believing(pair), port: 0 } } : {},
      { registrar },
    );
  });
  afterEach(async () => {
    await rig.close();
    await registrar.close();
  });

  const port = () => rig.embedded.listening[0]?.port ?? 0; // UDP and TCP share it
  const contacts = (user: string) => registrar.contactsOf(`pho_${user}`);
  const dial = (user: string): Promise<Leg> => {
    const attempts = contacts(user).map((contact) => ({ ...contact, from: 'agent' }));
    const dialled = dialRoute(
      { dialer: rig.server, clock: systemClock },
      { attempts, release: () => undefined },
      { media: plain },
    );
    dialled.catch(() => undefined); // a phone that does not answer fails its own test, and no other
    return dialled;
  };

  const transports = mode === 'listen' ? (['udp', 'tcp', 'tls'] as const) : (['udp', 'tcp'] as const);
  it.skipIf(!haveBaresip).each(transports)('baresip by %s is called where it registered from', async (transport) => {
    const listens = rig.embedded.listening.find((point) => point.transport === transport);
    const line = { port: listens?.port ?? 0, password: 'alice-secret' };
    const folder = configFolder({ 'phone.pem': pair.cert + pair.key, 'ca.pem': pair.cert });
    const tls = { certificate: join(folder.dir, 'phone.pem'), authorities: join(folder.dir, 'ca.pem') };
    const start = () => Baresip.start({ user: 'alice', registrar: line, transport, tls, maxSeconds: 20 });
    const first = await start(); // gives up at SHA-256, and would try again in half a minute
    await until(() => authenticator.counters.challenged > 0, 'the first REGISTER');
    first.dispose();
    const phone = await start();
    try {
      await until(() => contacts('alice').length === 1, 'the registration');
      const dialled = dial('alice');
      expect(await phone.answer(20_000)).toBe(true);
      const leg = await dialled;
      expect(leg.info.transport).toBe(transport);
      const over = leg.hangup(hungUp);
      expect(await phone.closed(20_000)).toBeDefined();
      await over;
      phone.command('quit'); // takes leave
      await until(() => contacts('alice').length === 0, 'the leave');
    } finally {
      folder.remove();
      phone.dispose();
    }
  });

  const isTried = haveLinphone && (EVERY_TEST || mode === 'listen');
  it.runIf(isTried)('linphone is called where it registered from', async () => {
    const line = { user: 'bob', password: 'bob-secret', port: port() };
    const phone = await Linphone.start(new Int16Array(8_000), line);
    try {
      await until(() => contacts('bob').length === 1, 'the registration');
      const dialled = dial('bob');
      expect(await phone.answer(20_000)).toBe(true);
      const over = (await dialled).hangup(hungUp);
      expect(await phone.endedWithin(20_000)).toBe(true);
      await over;
    } finally {
      await phone.quit(); // nothing was said to it: it may have no sound to give
      phone.dispose();
    }
  });

  it.runIf(isTried)('a phone with a wrong password is no phone', async () => {
    const phone = await Linphone.start(new Int16Array(8_000), { user: 'alice', password: 'x', port: port() });
    try {
      await until(() => guard.counters.failures > 0, 'a wrong answer');
      expect(contacts('alice')).toEqual([]);
    } finally {
      phone.dispose();
    }
  });

  it('two challenges come as two headers, and either is answered', async () => {
    const { phone } = rig;
    const contact = `<sip:alice@127.0.0.1:${phone.port}>`;
    const uri = `sip:127.0.0.1:${port()}`;
    phone.toHeader = '<sip:alice@pbx>';
    for (const algorithm of ['SHA-256', 'MD5']) {
      phone.sendRequest('REGISTER', { uri });
      const refused = await phone.final('REGISTER');
      const challenges = refused.headers.filter(([name]) => name.toLowerCase() === 'www-authenticate');
      expect(challenges.map(([, value]) => /algorithm=([\w-]+)/.exec(value)?.[1])).toEqual(['SHA-256', 'MD5']);
      const [, challenge = ''] = challenges.find(([, value]) => value.includes(`=${algorithm},`)) ?? [];
      const who = { user: 'alice', password: 'alice-secret', method: 'REGISTER', uri };
      phone.sendRequest('REGISTER', { uri, headers: [`Authorization: ${answerTo(challenge, who)}`] });
      const taken = await phone.final('REGISTER');
      expect([taken.status, headerOf(taken, 'Contact')]).toEqual([200, `${contact};expires=600`]);
    }
  });

  it('a phone behind a proxy is called by way of it, where the SIP server takes a Route', async () => {
    const { phone: edge } = rig;
    const uri = `sip:127.0.0.1:${port()}`;
    const path = `<sip:flow-token@127.0.0.1:${edge.port};lr>`;
    edge.toHeader = '<sip:alice@pbx>';
    const register = async (...headers: readonly string[]) => {
      edge.sendRequest('REGISTER', { uri, headers: [`Path: ${path}`, 'Supported: path', ...headers] });
      return edge.final('REGISTER');
    };
    const challenge = headerOf(await register(), 'WWW-Authenticate');
    const who = { user: 'alice', password: 'alice-secret', method: 'REGISTER', uri };
    const taken = await register(`Authorization: ${answerTo(challenge, who)}`);
    expect([taken.status, headerOf(taken, 'Path')]).toEqual([200, path]);
    const dialled = dial('alice');
    dialled.catch(() => undefined);
    const invite = await edge.request('INVITE');
    expect(invite.start).toBe(`INVITE sip:alice@127.0.0.1:${edge.port} SIP/2.0`);
    expect(headerOf(invite, 'Route')).toBe(path);
    edge.reply(invite, 486, 'Busy Here');
    await expect(dialled).rejects.toMatchObject({ status: 486 });
    const ack = await edge.request('ACK');
    expect(headerOf(ack, 'Route')).toBe(path);
  });
});
