import { beforeEach, describe, expect, it } from 'vitest';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import type { Leg, LegInfo } from '../../src/call/leg.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { LOST_SERVER_GRACE_MS, SipServer, type SipServerOptions } from '../../src/sip/server.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeDialog, type FakeMessageParts, FakeSrf, fakeRequest, settle } from '../support/fake-srf.ts';
import { openPolicy, plain } from '../support/leg-rig.ts';
import { sdpText } from '../support/sdp-texts.ts';

let srf: FakeSrf;
let clock: FakeClock;
let server: SipServer;
let legs: Leg[];
let replacing: [Leg, Leg][];
let refused: { info: LegInfo; end: CallEnd }[];
let admit: (info: LegInfo) => CallEnd | undefined;
let availability: CallEnd | undefined;
let away: CallEnd | undefined;

beforeEach(() => open());

async function open(more: Partial<SipServerOptions> = {}): Promise<void> {
  srf = new FakeSrf();
  clock = new FakeClock();
  legs = [];
  replacing = [];
  refused = [];
  admit = () => undefined;
  availability = undefined;
  away = undefined;
  server = new SipServer(
    {
      connection: { mode: 'connect', host: '127.0.0.1', port: 9022, secret: 's' },
      clock,
      logger: silentLogger,
      policy: openPolicy,
      transferDomain: '',
      onReplaces: (leg, replaced) => replacing.push([leg, replaced]),
      onCall: (leg) => legs.push(leg),
      admit: (info) => {
        const end = admit(info);
        return end ? { kind: 'refused', end } : { kind: 'admitted', info };
      },
      availability: () => availability,
      away: () => away,
      onRefused: (info, end) => refused.push({ info, end }),
      onAnswered: () => undefined,
      ...more,
    },
    srf,
  );
  await server.start();
  await server.ready();
}

const HEADERS = {
  'Call-ID': 'abc',
  From: '"Alice" <sip:alice@pbx.example.com>;tag=1',
  To: '<sip:2000@gw>',
  Contact: '<sip:alice@192.0.2.10>',
  'Content-Type': 'application/sdp',
  'X-Customer': '42',
};
const invite = (parts: FakeMessageParts & { headers?: Record<string, string> } = {}) =>
  srf.receive({ body: sdpText(), ...parts, headers: { ...HEADERS, ...parts.headers } });
const without = (name: keyof typeof HEADERS) => {
  const { [name]: _dropped, ...rest } = HEADERS;
  return srf.receive({ body: sdpText(), headers: rest });
};

describe('INVITE', () => {
  it('becomes a leg that knows who calls whom', () => {
    invite({ uri: 'sip:+966112@gw;user=phone', sourceAddress: '127.0.0.1' });
    expect(legs[0]?.info).toEqual({
      sipCallId: 'abc',
      from: 'alice',
      to: '2000',
      called: '+966112',
      sourceAddress: '127.0.0.1:5070',
      localAddress: '127.0.0.1',
      transport: 'udp',
      variables: { customer: '42' },
    });
    expect([server.legs, server.counters.calls]).toEqual([1, 1]);
  });

  it.each([
    { dtmf: 'inband', agreed: ['inband', undefined] },
    { dtmf: 'auto', agreed: [undefined, 101] },
  ] as const)('agrees to the keys that its trunk has: $dtmf', async ({ dtmf, agreed }) => {
    await open({ admit: (info) => ({ kind: 'admitted', info, dtmf }) });
    invite();
    void legs[0]?.answer(plain).catch(() => undefined);
    await settle();
    expect([legs[0]?.media?.dtmf, legs[0]?.media?.dtmfPayloadType]).toEqual(agreed);
  });

  it('without an offer becomes a leg as well', () => {
    invite({ body: '' });
    expect(legs.length).toBe(1);
  });

  it.each<{ name: string; send: () => ReturnType<typeof invite>; status: number; header?: [string, string] }>([
    {
      name: 'inside a dialog we do not have',
      send: () => invite({ headers: { To: '<sip:2000@gw>;tag=9' } }),
      status: 481,
    },
    { name: 'without Contact', send: () => without('Contact'), status: 400 },
    {
      name: 'that requires too much',
      send: () => invite({ headers: { Require: 'timer, foo' } }),
      status: 420,
      header: ['Unsupported', 'foo'],
    },
    {
      name: 'with another body',
      send: () => invite({ headers: { 'Content-Type': 'text/plain' } }),
      status: 415,
      header: ['Accept', 'application/sdp'],
    },
    { name: 'with a broken offer', send: () => invite({ body: 'x' }), status: 400 },
    {
      name: 'without a common codec',
      send: () => invite({ body: sdpText({ media: ['m=audio 4000 RTP/AVP 18'] }) }),
      status: 488,
    },
    {
      name: 'with a port of our own',
      send: () => invite({ body: sdpText({ session: ['c=IN IP4 198.51.100.5'], media: ['m=audio 20000 RTP/AVP 0'] }) }),
      status: 488,
      header: ['Warning', '301 nidaa "The media address belongs to this gateway: offer a port of your own"'],
    },
    {
      name: 'with SRTP only',
      send: () => invite({ body: sdpText({ media: ['m=audio 4000 RTP/SAVP 0'] }) }),
      status: 488,
    },
  ])('$name: $status', ({ send, status, header }) => {
    const { res } = send();
    expect(res.last?.status).toBe(status);
    if (header) expect(res.last?.headers?.[header[0]]).toBe(header[1]);
    expect([legs.length, server.legs, server.counters.refused, refused.length]).toEqual([0, 0, 1, 1]);
  });

  it('from a source that is not allowed: refused before its offer is read', () => {
    admit = (info) => (info.sourceAddress.startsWith('192.0.2.') ? callEnd('gateway', 'not-allowed') : undefined);
    expect(invite({ body: 'x' }).res.last?.status).toBe(403);
    expect(refused[0]?.end.reason).toBe('not-allowed');
  });

  it('while draining: 503 with Retry-After; OPTIONS says the same', () => {
    availability = callEnd('gateway', 'draining');
    expect(invite().res.last).toMatchObject({ status: 503, headers: { 'Retry-After': '60' } });
    expect(srf.receive({ method: 'OPTIONS' }).res.last?.status).toBe(503);
  });

  it('is taken while calls should go elsewhere: that is what OPTIONS says, with the reason', () => {
    away = callEnd('gateway', 'store-unavailable');
    expect(srf.receive({ method: 'OPTIONS' }).res.last).toMatchObject({
      status: 503,
      headers: { Reason: expect.stringContaining('cause=38'), 'Retry-After': '10' },
    });
    invite();
    expect(legs.length).toBe(1);
  });

  it('that makes our handler throw is answered 500, and the next one is taken', () => {
    admit = () => {
      throw new Error('broken');
    };
    expect(invite().res.last?.status).toBe(500);
    expect(server.counters.handlerErrors).toBe(1);
    admit = () => undefined;
    invite();
    expect(legs.length).toBe(1);
  });
});

it('OPTIONS tells what we can', () => {
  const { res } = srf.receive({ method: 'OPTIONS' });
  expect(res.last).toMatchObject({ status: 200, headers: { Supported: 'timer, replaces' } });
  expect(Object.keys(res.last?.headers ?? {})).toEqual(['Allow', 'Accept', 'Supported']);
});

it('ACK is never answered', () => {
  expect(srf.receive({ method: 'ACK' }).res.sent).toEqual([]);
});

it('a leg is forgotten when it is over', async () => {
  invite();
  await legs[0]?.reject(callEnd('gateway', 'busy'));
  expect(server.legs).toBe(0);
});

it('a copy of an INVITE by another path is no second call', () => {
  invite({ headers: { CSeq: '7 INVITE' } });
  expect(invite({ headers: { CSeq: '7 INVITE' } }).res.last?.status).toBe(482);
  expect([legs.length, refused.length, server.counters.merged]).toEqual([1, 0, 1]);
  invite({ headers: { CSeq: '8 INVITE' } });
  clock.advance(32_001);
  invite({ headers: { CSeq: '7 INVITE' } });
  expect(legs.length).toBe(3);
});

describe('an INVITE with Replaces', () => {
  const REPLACES = 'call;to-tag=b;from-tag=a'; // of FakeDialog
  async function talking(): Promise<void> {
    invite();
    void legs[0]?.answer(plain);
    await settle();
    const dialog = new FakeDialog();
    srf.uas[0]?.done(null, dialog);
    dialog.emit('ack', fakeRequest({ method: 'ACK' }));
  }
  const next = (replaces: string, sourceAddress?: string) =>
    invite({
      headers: { 'Call-ID': 'new', Replaces: replaces, CSeq: '1 INVITE' },
      ...(sourceAddress && { sourceAddress }),
    });

  it('is to take the place of the leg that it names', async () => {
    await talking();
    const { res } = next(REPLACES);
    expect([res.sent, legs.length, replacing.length]).toEqual([[], 1, 1]);
    expect(replacing[0]![1]).toBe(legs[0]);
    expect(replacing[0]![0].info.sipCallId).toBe('new');
  });

  it.each<[string, string, number, string?]>([
    ['names no call', 'call;to-tag=b;from-tag=x', 481],
    ['comes from somebody else', REPLACES, 481, '203.0.113.9'],
    ['wants one that is not answered', `${REPLACES};early-only`, 486],
    ['cannot be read', 'call;to-tag=b', 400],
  ])('is refused where it %s', async (_name, replaces, status, sourceAddress) => {
    await talking();
    const { res } = next(replaces, sourceAddress);
    expect([res.last?.status, res.last?.headers?.['Warning'], legs.length, replacing]).toEqual([
      ...[status, expect.stringContaining('eplace'), 1, []],
    ]);
  });

  it('is refused where the call is not up yet', async () => {
    invite();
    expect(next(REPLACES).res.last?.status).toBe(481);
  });
});

it('a SIP server that leaves session timers to us: 422 when they are too short', async () => {
  await open({ sessionTimers: { sessionSeconds: 1800, minSeconds: 120 } });
  const { res } = invite({ headers: { Supported: 'timer', 'Session-Expires': '100' } });
  expect(res.last).toMatchObject({ status: 422, headers: { 'Min-SE': '120' } });
  invite({ headers: { Supported: 'timer', 'Session-Expires': '600', CSeq: '2 INVITE' } });
  void legs[0]?.answer(plain);
  await settle();
  expect(srf.uas[0]?.headers).toMatchObject({ 'Session-Expires': '600;refresher=uac', Require: 'timer' });
});

describe('a lost connection', () => {
  const watch = (leg: Leg | undefined): CallEnd[] => {
    const ends: CallEnd[] = [];
    leg?.setHandlers({ onMedia: () => undefined, onDtmf: () => undefined, onEnd: (end) => ends.push(end) });
    return ends;
  };
  const lost = [callEnd('network', 'signalling-lost')];

  it('ends what was not answered at once; it is refused when the server is back', () => {
    const { res } = invite();
    const ends = watch(legs[0]);
    srf.emit('close');
    expect([server.legs, server.connected, ends]).toEqual([0, false, lost]);
    expect(res.sent).toEqual([]);
    srf.emit('connect', null, 'udp/198.51.100.5:5060'); // nobody asked for it yet
    expect(server.connected).toBe(false);
    clock.advance(1_000);
    expect([server.connected, res.last?.status]).toEqual([true, 500]);
  });

  it('leaves who talks talking, for a while', async () => {
    invite();
    const ends = watch(legs[0]);
    void legs[0]?.answer(plain);
    await settle();
    const dialog = new FakeDialog();
    srf.uas[0]?.done(null, dialog);
    dialog.emit('ack', fakeRequest({ method: 'ACK' }));
    srf.deaf = true;
    srf.emit('close');
    expect([server.legs, ends]).toEqual([1, []]);
    clock.advance(LOST_SERVER_GRACE_MS);
    expect([server.legs, ends]).toEqual([0, lost]);
  });
});

it('close refuses what waits, disconnects, and takes no more calls', async () => {
  const { res } = invite();
  const closing = server.close();
  expect(invite().res.last?.status).toBe(503);
  await closing;
  await server.close();
  await settle();
  expect(res.last?.status).toBe(503);
  expect([srf.disconnects, server.legs]).toEqual([1, 0]);
});
