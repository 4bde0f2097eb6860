import { beforeEach, describe, expect, it } from 'vitest';
import type { OutsideAnswer, OutsideRequest } from '../../src/sip/outside-request.ts';
import { LEAVE_WAIT_MS, RegistrationClient } from '../../src/sip/registration-client.ts';
import {
  BACK_OFF_MS,
  backOffMs,
  nextRegistrationState,
  REGISTRATION_TRANSITIONS,
  type RegistrationEvent,
  type RegistrationState,
  refreshMs,
} from '../../src/sip/registration-state.ts';
import { seenAs } from '../../src/sip/seen-as.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { fakeAnswer, fakeRequest } from '../support/fake-srf.ts';
import { LogCapture } from '../support/log-capture.ts';

const EVENTS = ['start', 'accepted', 'failed', 'due', 'lost', 'stop'] as const satisfies readonly RegistrationEvent[];
it.each<[RegistrationState, (RegistrationState | undefined)[]]>([
  ['idle', ['registering', undefined, undefined, undefined, undefined, 'stopped']],
  ['registering', [undefined, 'registered', 'waiting', undefined, undefined, 'leaving']],
  ['registered', [undefined, undefined, undefined, 'refreshing', 'registering', 'leaving']],
  ['refreshing', [undefined, 'registered', 'waiting', undefined, 'registering', 'leaving']],
  ['waiting', [undefined, undefined, undefined, 'registering', 'registering', 'leaving']],
  ['leaving', [undefined, 'stopped', 'stopped', undefined, undefined, undefined]],
  ['stopped', [undefined, undefined, undefined, undefined, undefined, undefined]],
])('a registration that is %s', (state, after) => {
  expect(EVENTS.map((event) => nextRegistrationState(state, event))).toEqual(after);
  expect(Object.keys(REGISTRATION_TRANSITIONS)).toContain(state);
});

it('waits longer after each failure, by chance half as long again, and never more than half an hour', () => {
  expect([1, 2, 3, 7, 50].map((failures) => backOffMs(failures, 0))).toEqual([
    30_000, 60_000, 120_000, 1_800_000, 1_800_000,
  ]);
  expect(backOffMs(1, 0.999)).toBeCloseTo(45_000, -2);
  expect(backOffMs(9, 0.999)).toBe(BACK_OFF_MS.most);
  expect([refreshMs(300), refreshMs(0)]).toEqual([240_000, 1_000]);
});

it.each([
  ['SIP/2.0/TLS 192.0.2.9:5061;branch=z9hG4bK1;rport=40001;received=198.51.100.7', '198.51.100.7:40001'],
  ['SIP/2.0/TLS 192.0.2.9:5061;received=198.51.100.7 ;RPORT = 40001', '198.51.100.7:40001'],
  ['SIP/2.0/UDP 192.0.2.9:5061;rport=5061', ':5061'],
  ['SIP/2.0/UDP 192.0.2.9:5061;rport;branch=z9hG4bK1', undefined],
  ['SIP/2.0/UDP 192.0.2.9:5061;rport=5061x', undefined],
  ['SIP/2.0/UDP 192.0.2.9:5061, SIP/2.0/UDP 192.0.2.8;rport=1', undefined],
  ['', undefined],
])('is seen as Via tells: %s', (via, from) => {
  expect(seenAs(fakeAnswer(200, { headers: { Via: via } }))?.from).toBe(from);
});

const [ONE, TWO] = ['sip:192.0.2.1:5060;transport=udp', 'sip:192.0.2.2:5060;transport=udp'];
const OURS = '<sip:trunk@198.51.100.5:5060>';
interface Script {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly failed?: 'silent' | 'unreachable';
  readonly never?: true;
  readonly after?: Promise<void>;
}

let clock: FakeClock;
let log: LogCapture;
let client: RegistrationClient;
let sent: OutsideRequest[];
let down: Set<string>;
/** What each host says, in turn; its last word again and again. */
let says: Record<string, Script[]>;

beforeEach(() => {
  clock = new FakeClock();
  log = new LogCapture();
  sent = [];
  down = new Set();
  says = { [ONE]: [granted(300)], [TWO]: [granted(300)] };
  client = new RegistrationClient(
    {
      ...{ trunk: 'carrier', hosts: [ONE, TWO], domain: 'sip.carrier.example', expiresSeconds: 300 },
      ...{ username: 'trunk', password: 'trunk-pw', realm: 'carrier' },
    },
    { ask, isDown: (host) => down.has(host), clock, logger: log.logger, random: () => 0 },
  );
});

function granted(seconds: number, more: Readonly<Record<string, string>> = {}): Script {
  const others = '<sip:trunk@203.0.113.9:5060>;expires=7';
  return { status: 200, headers: { Contact: `${others}, ${OURS};expires=${seconds}`, ...more } };
}
const challenge = (realm = 'carrier', nonce = 'n1', more = ''): Script => ({
  status: 401,
  headers: { 'WWW-Authenticate': `Digest realm="${realm}", nonce="${nonce}", algorithm=SHA-256, qop="auth"${more}` },
});
async function ask(request: OutsideRequest): Promise<OutsideAnswer> {
  sent.push(request);
  const script = says[request.nextHop ?? ''] ?? [];
  const { after, never, failed, status = 200, headers = {} } = (script.length > 1 ? script.shift() : script[0]) ?? {};
  if (never) return new Promise(() => undefined);
  await after;
  if (failed) return { failed };
  const asked = fakeRequest({ method: 'REGISTER', uri: request.uri, headers: { Contact: OURS } });
  return { response: fakeAnswer(status, { headers }), sent: asked };
}
const pass = (ms: number) => clock.advanceAsync(ms, Math.max(10, ms / 100));
const hosts = () => sent.map(({ nextHop }) => (nextHop === ONE ? 1 : 2));
async function started(): Promise<void> {
  client.start();
  await pass(10);
}

describe('a registration', () => {
  it('is no registration where the host grants no time: it is asked the next one, and later again', async () => {
    says[ONE] = [granted(0)];
    says[TWO] = [granted(0)];
    await started();
    expect([sent.length, client.status.state]).toEqual([2, 'waiting']);
    await pass(29_000);
    expect(sent).toHaveLength(2);
  });

  it('is asked for, and refreshed at 80 % of what was granted for our contact', async () => {
    says[ONE] = [granted(100)];
    await started();
    expect(client.status).toMatchObject({
      state: 'registered',
      host: ONE,
      expiresAt: new Date(clock.epochMs + 100_010),
    });
    expect(sent[0]).toMatchObject({
      ...{ method: 'REGISTER', uri: 'sip:sip.carrier.example', nextHop: ONE },
      headers: {
        ...{ To: '<sip:trunk@sip.carrier.example>', CSeq: '1 REGISTER', Expires: '300', Supported: 'path' },
        Contact: '<sip:trunk@localhost>;expires=300',
      },
    });
    await pass(79_000);
    expect(sent.length).toBe(1);
    await pass(2_000);
    expect(sent.length).toBe(2);
    expect(sent[1]?.headers).toMatchObject({ CSeq: '2 REGISTER', 'Call-ID': sent[0]?.headers['Call-ID'] });
  });

  it('answers a challenge of its realm, and a stale nonce once', async () => {
    says[ONE] = [
      challenge(),
      challenge('carrier', 'n2', ', stale=true'),
      granted(300, { 'Service-Route': '<sip:edge;lr>' }),
    ];
    await started();
    expect(sent.map(({ headers }) => /nonce="(\w+)".*nc=(\w+)/.exec(headers['Authorization'] ?? '')?.slice(1))).toEqual(
      [undefined, ['n1', '00000001'], ['n2', '00000001']],
    );
    expect(client.status.state).toBe('registered');
    expect(client.serviceRoute).toEqual(['<sip:edge;lr>']);
  });

  it.each([
    { name: 'another realm', script: [challenge('strange')], requests: 1 },
    { name: 'the same password again', script: [challenge(), challenge('carrier', 'n2')], requests: 2 },
    { name: 'ever staler nonces', script: [challenge('carrier', 'n', ', stale=true')], requests: 3 },
  ])('gives up before $name', async ({ script, requests }) => {
    says[ONE] = script;
    await started();
    const problem = { code: 'registration.refused', params: { host: ONE, status: '401' } };
    expect(client.status).toMatchObject({ state: 'waiting', problem });
    expect(sent.length).toBe(requests);
    expect(log.text).not.toMatch(/trunk-pw|response=/);
    if (requests === 1) expect(sent[0]?.headers).not.toHaveProperty('Authorization');
  });

  it('asks for longer where the time is too short', async () => {
    says[ONE] = [{ status: 423, headers: { 'Min-Expires': '1800' } }, granted(1_800)];
    await started();
    expect(sent.map(({ headers }) => headers['Expires'])).toEqual(['300', '1800']);
    expect(client.status.state).toBe('registered');
    says[ONE] = [{ status: 423, headers: { 'Min-Expires': '3600' } }];
    client.hostUp(ONE);
    await pass(10);
    expect([client.status.state, sent.length]).toEqual(['waiting', 4]);
  });

  it.each([{ failed: 'silent' as const }, { failed: 'unreachable' as const }, { status: 503 }])(
    'goes to the next host after %j',
    async (script) => {
      says[ONE] = [script];
      await started();
      expect([hosts(), client.status.host]).toEqual([[1, 2], TWO]);
    },
  );

  it('does not ask another host what this one has refused', async () => {
    says[ONE] = [{ status: 403 }];
    await started();
    expect([hosts(), client.status.state]).toEqual([[1], 'waiting']);
  });

  it('is tried again with growing waits', async () => {
    for (const host of [ONE, TWO]) says[host] = [{ failed: 'silent' }];
    await started();
    const rounds: number[] = [];
    for (const waitMs of [30_000, 60_000, 120_000]) {
      await pass(waitMs - 1_000);
      rounds.push(sent.length);
      await pass(1_500);
    }
    expect([rounds, sent.length]).toEqual([[2, 4, 6], 8]);
  });

  it('is asked for at once when the host that was waited for is back', async () => {
    for (const host of [ONE, TWO]) says[host] = [{ failed: 'silent' }];
    await started();
    says[TWO] = [granted(300)];
    client.hostUp(TWO);
    await pass(10);
    expect(client.status).toMatchObject({ state: 'registered', host: TWO });
  });

  it('is asked for anew when it is seen that the connection it went by is gone, and only then', async () => {
    const via = (port: number) => ({ Via: `SIP/2.0/TLS 192.0.2.9;rport=${port};received=198.51.100.7` });
    const saw = (port: number, host = ONE, by?: string) => {
      const seen = seenAs(fakeAnswer(200, { headers: via(port) }));
      client.hostSaw(host, seen && { ...seen, by: by ?? seen.by });
    };
    says[ONE] = [granted(300, via(40_001))];
    await started();
    saw(40_002); // What is asked goes another way, whatever the registration does.
    saw(40_001);
    saw(40_002, TWO);
    saw(40_002, ONE, '192.0.2.77:5061');
    await pass(10);
    expect(hosts()).toEqual([1]);
    says[ONE] = [granted(300, via(40_002))];
    saw(40_002);
    await pass(10);
    saw(40_002);
    saw(40_002);
    await pass(10);
    expect([hosts(), client.status.state]).toEqual([[1, 1], 'registered']);
    saw(40_003);
    await pass(10);
    saw(40_003); // Registered anew, and still another way: once is enough.
    await pass(10);
    expect(hosts()).toEqual([1, 1, 1]);
  });

  it('is asked for anew when its registrar was away, and at another while it is', async () => {
    await started();
    client.hostUp(ONE);
    await pass(10);
    expect(hosts()).toEqual([1, 1]);
    client.hostUp(TWO);
    client.hostDown(TWO);
    await pass(10);
    expect(hosts()).toEqual([1, 1]);
    down.add(ONE);
    client.hostDown(ONE);
    await pass(10);
    expect([hosts(), client.status.host]).toEqual([[1, 1, 2], TWO]);
  });
});

it('an answer that comes when another host was asked meanwhile changes nothing', async () => {
  await started();
  let release: () => void = () => undefined;
  const after = new Promise<void>((resolve) => {
    release = resolve;
  });
  says[ONE] = [{ ...granted(300), after }];
  await pass(241_000); // refreshed, and not answered
  down.add(ONE);
  client.hostDown(ONE);
  await pass(10);
  release();
  await pass(10);
  expect(client.status).toMatchObject({ state: 'registered', host: TWO });
});

describe('taking leave', () => {
  it('takes back what was registered', async () => {
    await started();
    await client.stop();
    expect(sent.at(-1)?.headers).toMatchObject({ Expires: '0', Contact: '<sip:trunk@localhost>;expires=0' });
    expect([client.status.state, clock.pending]).toEqual(['stopped', 0]);
    client.hostUp(ONE);
    client.start();
    await pass(10);
    expect(sent.length).toBe(2);
  });

  it('asks nobody where nothing was registered', async () => {
    says[ONE] = [{ status: 403 }];
    await started();
    await client.stop();
    expect([sent.length, client.status.state, clock.pending]).toEqual([1, 'stopped', 0]);
  });

  it('does not wait for ever', async () => {
    await started();
    says[ONE] = [{ never: true }];
    const stopped = client.stop();
    await pass(LEAVE_WAIT_MS + 100);
    await stopped;
    expect(client.status.state).toBe('stopped');
  });
});
