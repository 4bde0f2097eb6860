import { beforeEach, describe, expect, it } from 'vitest';
import { Authenticator } from '../../src/sip/authenticator.ts';
import { DigestServer } from '../../src/sip/digest-server.ts';
import { FailureGuard } from '../../src/sip/failure-guard.ts';
import { Registrar, SAVE_WAIT_MS } from '../../src/sip/registrar.ts';
import { answerTo, FakeKeeper, phonesNamed, REALM } from '../support/bindings.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { fakeRequest } from '../support/fake-srf.ts';
import { LogCapture } from '../support/log-capture.ts';

const limits = { contactsMax: 10, minSeconds: 60, maxSeconds: 3_600, defaultSeconds: 600 };
let clock: FakeClock;
let keeper: FakeKeeper;
let registrar: Registrar;
let log: LogCapture;

function make(): Registrar {
  const authenticator = new Authenticator({
    ...{ digest: new DigestServer(REALM, clock), guard: new FailureGuard(clock), logger: log.logger },
  });
  const directory = phonesNamed('alice', 'bob');
  return new Registrar({ authenticator, directory, keeper, limits, clock, logger: log.logger });
}
beforeEach(async () => {
  clock = new FakeClock();
  keeper = new FakeKeeper();
  log = new LogCapture();
  registrar = make();
  await registrar.open();
});

interface Parts {
  readonly user?: string;
  readonly password?: string;
  readonly to?: string;
  readonly contact?: string;
  readonly cseq?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
let cseq = 0;
/** REGISTER as a phone sends it: without credentials first. */
async function register({ user = 'alice', password = `${user}-secret`, to = user, contact, headers }: Parts = {}) {
  const send = (authorization?: string) => {
    cseq += 1;
    return registrar.answer(
      fakeRequest({
        ...{ method: 'REGISTER', uri: 'sip:pbx', sourceAddress: '192.0.2.7' },
        headers: {
          ...{ To: `<sip:${to}@pbx>`, From: `<sip:${user}@pbx>;tag=1`, CSeq: `${cseq} REGISTER`, 'Call-ID': user },
          ...(contact !== undefined && { Contact: contact }),
          ...(authorization !== undefined && { Authorization: authorization }),
          ...headers,
        },
      }),
    );
  };
  const first = await send();
  if (first.status !== 401) return first;
  const challenge = first.headers['WWW-Authenticate'] ?? '';
  return send(answerTo(challenge, { user, password, method: 'REGISTER', uri: 'sip:pbx' }));
}

describe('REGISTER', () => {
  it('binds a contact, and requests go to the address that it came from', async () => {
    const reply = await register({ contact: '<sip:alice@10.0.0.9:5060>;expires=120' });
    expect(reply).toMatchObject({ status: 200, headers: { Contact: '<sip:alice@10.0.0.9:5060>;expires=120' } });
    expect(registrar.contactsOf('pho_alice')).toEqual([
      { uri: 'sip:alice@10.0.0.9:5060', nextHop: 'sip:192.0.2.7:5070' },
    ]);
    expect(registrar.contactsOf('pho_bob')).toEqual([]);
    expect([registrar.isRegisteredFrom('192.0.2.7'), registrar.isRegisteredFrom('10.0.0.9')]).toEqual([true, false]);
    await register({ contact: '*', headers: { Expires: '0' } });
    expect(registrar.isRegisteredFrom('192.0.2.7')).toBe(false);
  });

  it.each([
    ['too long', `<sip:${'a'.repeat(300)}@edge;lr>`],
    ['not in ASCII', `<sip:${'a'.repeat(248)}\u{1f600}@edge;lr>`],
  ])('with a Path that is %s is refused: a route that is cut leads somewhere else', async (_what, path) => {
    const reply = await register({ contact: '<sip:alice@h>', headers: { Path: path } });
    expect([reply.status, registrar.contactsOf('pho_alice')]).toEqual([400, []]);
  });

  it('from one address by two phones is known there until both have left, or their time is over', async () => {
    await register({ contact: '<sip:alice@h>;expires=60' });
    await register({ user: 'bob', contact: '<sip:bob@h>;expires=600' });
    await register({ user: 'bob', contact: '<sip:bob@h>;expires=600' });
    await clock.advanceAsync(120_000, 1_000);
    expect(registrar.isRegisteredFrom('192.0.2.7')).toBe(true);
    await register({ user: 'bob', contact: '*', headers: { Expires: '0' } });
    expect(registrar.isRegisteredFrom('192.0.2.7')).toBe(false);
  });

  it('without a contact asks what is bound', async () => {
    await register({ contact: '<sip:alice@h>' });
    expect(await register()).toMatchObject({ status: 200, headers: { Contact: '<sip:alice@h>;expires=600' } });
    expect(await register({ user: 'bob' })).toMatchObject({ status: 200, headers: { Supported: 'path, outbound' } });
  });

  it('takes everything back', async () => {
    await register({ contact: '<sip:alice@h>' });
    expect((await register({ contact: '*', headers: { Expires: '0' } })).headers).not.toHaveProperty('Contact');
    expect([registrar.contactsOf('pho_alice'), registrar.phones, keeper.phones.size]).toEqual([[], 0, 0]);
  });

  it.each<{ name: string; parts: Parts; status: number }>([
    { name: "another's address", parts: { user: 'bob', to: 'alice', contact: '<sip:x@h>' }, status: 403 },
    { name: 'a wrong password', parts: { password: 'guess', contact: '<sip:x@h>' }, status: 401 },
    { name: 'nobody', parts: { user: 'nobody', contact: '<sip:x@h>' }, status: 401 },
    { name: 'a contact that is none', parts: { contact: '<tel:1>' }, status: 400 },
    { name: 'too short a time', parts: { contact: '<sip:x@h>;expires=5' }, status: 423 },
    { name: 'what we do not do', parts: { headers: { Require: 'path, gruu' } }, status: 420 },
    { name: 'a CSeq that is none', parts: { contact: '<sip:x@h>', headers: { CSeq: 'x' } }, status: 400 },
  ])('is refused: $name', async ({ parts, status }) => {
    expect(await register(parts)).toMatchObject({ status });
    expect(registrar.phones).toBe(0);
  });

  it('tells Path back, and that it follows the flows of RFC 5626', async () => {
    const contact = '<sip:alice@h;ob>;+sip.instance="<urn:uuid:1>";reg-id=1';
    const headers = { Supported: 'path, outbound', Path: '<sip:edge.example;lr>' };
    expect(await register({ contact, headers })).toMatchObject({
      status: 200,
      headers: {
        ...{ Require: 'outbound', Path: '<sip:edge.example;lr>' },
        Contact: '<sip:alice@h;ob>;+sip.instance="<urn:uuid:1>";reg-id=1;expires=600',
      },
    });
  });

  it('prefers what the phone prefers, then what is newest', async () => {
    for (const contact of ['<sip:a@h>', '<sip:b@h>;q=0.5', '<sip:c@h>']) await register({ contact });
    expect(registrar.contactsOf('pho_alice').map(({ uri }) => uri)).toEqual(['sip:c@h', 'sip:a@h', 'sip:b@h']);
  });

  it('has more contacts than ten at no time', async () => {
    for (let i = 0; i < 11; i += 1) await register({ contact: `<sip:a${i}@h>` });
    expect(registrar.contactsOf('pho_alice').length).toBe(10);
  });
});

describe('what a restart finds', () => {
  it('is what was registered, for what is left of its time', async () => {
    await register({ contact: '<sip:alice@h>;expires=120' });
    await register({ user: 'bob', contact: '<sip:bob@h>;expires=60' });
    clock.advance(61_000);
    await registrar.close();
    registrar = make();
    await registrar.open();
    expect(registrar.contactsOf('pho_alice')).toMatchObject([{ uri: 'sip:alice@h' }]);
    expect(registrar.contactsOf('pho_bob')).toEqual([]);
    expect((await register()).headers['Contact']).toBe('<sip:alice@h>;expires=59');
  });

  it('is written before the phone is told, many phones at a time', async () => {
    let release: () => void = () => undefined;
    keeper.held = new Promise((resolve) => {
      release = resolve;
    });
    const replies: number[] = [];
    const all = ['alice', 'bob', 'alice', 'bob'].map((user, index) =>
      register({ user, contact: `<sip:${user}${index}@h>` }).then(({ status }) => replies.push(status)),
    );
    await clock.advanceAsync(100);
    expect([replies, keeper.saves]).toEqual([[], 1]);
    release();
    await Promise.all(all);
    expect([replies, keeper.saves]).toEqual([[200, 200, 200, 200], 2]);
    expect(keeper.phones.size).toBe(2);
  });

  it('is written later where the database is away, and the phone is not kept waiting', async () => {
    keeper.failing = true;
    expect(await register({ contact: '<sip:alice@h>' })).toMatchObject({ status: 200 });
    expect([keeper.phones.size, registrar.contactsOf('pho_alice').length]).toEqual([0, 1]);
    keeper.failing = false;
    await clock.advanceAsync(6_000, 100);
    expect(keeper.phones.size).toBe(1);
    keeper.held = new Promise(() => undefined);
    const late = register({ user: 'bob', contact: '<sip:bob@h>' });
    await clock.advanceAsync(SAVE_WAIT_MS + 100, 100);
    expect(await late).toMatchObject({ status: 200 });
  });

  it('is no more than what is good: what ran out is forgotten', async () => {
    await register({ contact: '<sip:alice@h>;expires=60' });
    await clock.advanceAsync(91_000, 500);
    expect([registrar.phones, keeper.phones.size]).toEqual([0, 0]);
  });
});
