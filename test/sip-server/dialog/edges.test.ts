import { beforeEach, describe, expect, it } from 'vitest';
import { dialogHop } from '../../../src/sip-server/dialog/dialog-route.ts';
import { LocalAddresses } from '../../../src/sip-server/dialog/local-addresses.ts';
import { tagOf } from '../../../src/sip-server/message/name-addr.ts';
import { header } from '../../../src/sip-server/message/sip-message.ts';
import type { TransportName } from '../../../src/sip-server/transport/flow.ts';
import { brief, type FakeApp, type FakePeer, OFFER, phoneAnswer, phoneRequest, SipRig } from '../../support/sip-rig.ts';

let rig: SipRig;
let app: FakeApp;
let phone: FakePeer;

beforeEach(() => {
  rig = new SipRig({ settings: { serverName: '', sessionTimers: { sessionSeconds: 1_800, minSeconds: 90 } } });
  app = rig.apps[0]!;
  phone = rig.peer();
});

describe('an address is ours', () => {
  const listening = (address: string) => () => [{ transport: 'udp' as TransportName, address, port: 5060 }];
  it.each([
    { name: 'listened on', at: '192.0.2.1', asked: ['udp', '192.0.2.1', 5060], own: true },
    { name: 'another port', at: '192.0.2.1', asked: ['udp', '192.0.2.1', 5061], own: false },
    { name: 'another transport', at: '192.0.2.1', asked: ['tcp', '192.0.2.1', 5060], own: false },
    { name: 'another host', at: '192.0.2.1', asked: ['udp', '192.0.2.2', 5060], own: false },
    { name: 'what the world sees of us', at: '192.0.2.1', asked: ['udp', '203.0.113.1', 5060], own: true },
    { name: 'every address, from inside', at: '0.0.0.0', asked: ['udp', '127.0.0.1', 5060], own: true },
    { name: 'every address, from elsewhere', at: '0.0.0.0', asked: ['udp', '192.0.2.2', 5060], own: false },
    { name: 'one address, from inside', at: '192.0.2.1', asked: ['udp', '127.0.0.1', 5060], own: false },
  ] as const)('$name: $own', ({ at, asked: [transport, host, port], own }) => {
    expect(new LocalAddresses(listening(at), '203.0.113.1').isOwn(transport, host, port)).toBe(own);
  });
});

describe('answers of the application', () => {
  it.each([300, 302])('%i is a refusal and ends the call', (status) => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER }));
    app.answer(app.take()[0]!, status, ['Contact: <sip:elsewhere@192.0.2.7>']);
    expect(phone.takeBriefs()).toEqual(['100 INVITE', `${status} INVITE`]);
    expect([rig.core.dialogs.size, rig.core.transactions.size]).toEqual([0, 0]);
  });

  it('its own Session-Expires wins over ours', () => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER, headers: ['Supported: timer', 'Session-Expires: 900'] }));
    app.answer(app.take()[0]!, 200, ['Session-Expires: 300;refresher=uas'], OFFER);
    const ok = phone.take().at(-1)!;
    expect(header(ok, 'Session-Expires')).toBe('300;refresher=uas');
    phone.deliver(phoneRequest('ACK', { toTag: tagOf(header(ok, 'To') ?? '') }));
    rig.clock.advance(150_000);
    expect(phone.takeBriefs()[0]).toMatch(/^INVITE/);
  });

  it('a 200 that waited for a PRACK is a 200 once it left: CANCEL changes nothing', () => {
    phone.deliver(phoneRequest('INVITE', { branch: 'z9hG4bKh', body: OFFER, headers: ['Supported: 100rel'] }));
    const invite = app.take()[0]!;
    app.answer(invite, 183, ['Require: 100rel'], OFFER);
    app.answer(invite, 200, [], OFFER);
    const progress = phone.take().at(-1)!;
    const toTag = tagOf(header(progress, 'To') ?? '');
    const rack = [`RAck: ${header(progress, 'RSeq')} 1 INVITE`];
    phone.deliver(phoneRequest('PRACK', { toTag, cseq: 2, headers: rack }));
    expect(phone.takeBriefs()).toEqual(['200 INVITE']);
    phone.deliver(phoneRequest('CANCEL', { branch: 'z9hG4bKh' }));
    rig.core.agent.onAppLost(rig.app()); // another application's end concerns nobody here
    expect(phone.takeBriefs()).toEqual(['200 CANCEL']);
    expect(rig.core.dialogs.all()[0]?.state).toBe('confirmed');
  });

  it.each([
    { name: 'a new connection to where the caller said it listens', port: 5077, via: ':5077' },
    { name: 'the port that is usual where it said nothing', port: 5060, via: '' },
  ])('after its connection is gone they go by $name (RFC 3261 §18.2.2)', async ({ port, via }) => {
    const first = rig.peer('198.51.100.1', 33_000, 'tcp');
    const again = rig.peer('198.51.100.1', port, 'tcp');
    first.deliver(phoneRequest('OPTIONS', { via: `SIP/2.0/TCP 198.51.100.1${via};branch=z9hG4bKgone` }));
    first.closed = true;
    app.answer(app.take()[0]!, 200);
    await rig.settle();
    expect(again.takeBriefs()).toEqual(['200 OPTIONS']);
  });
});

describe('requests of an application that went away', () => {
  it('are forgotten at once, their answers drop', async () => {
    app.command('sip||', 'MESSAGE sip:bob@198.51.100.1 SIP/2.0\r\n\r\n');
    await rig.settle();
    const message = phone.take()[0]!;
    expect(rig.core.transactions.size).toBe(1);
    app.open = false;
    rig.core.agent.onAppLost(app);
    expect(rig.core.transactions.size).toBe(0);
    phone.deliver(phoneAnswer(message, 200));
    phone.deliver(phoneAnswer(message, 200).replace('z9hG4bK', 'z9hG4bKnobody'));
    expect([app.take(), rig.core.layer.counters.strayResponses]).toEqual([[], 1]);
  });

  it('an INVITE that rings is cancelled', async () => {
    app.command('sip||', `INVITE sip:bob@198.51.100.1 SIP/2.0\r\n\r\n${OFFER}`);
    await rig.settle();
    phone.deliver(phoneAnswer(phone.take()[0]!, 180));
    app.open = false;
    rig.core.agent.onAppLost(app);
    expect(phone.take().map((m) => brief(m).split(' ')[0])).toEqual(['CANCEL']);
  });
});

describe('a failed flow', () => {
  it('fails the requests of ours that wait on it, and no other', async () => {
    const other = rig.peer('198.51.100.2');
    for (const host of ['198.51.100.1', '198.51.100.2']) {
      app.command('sip||', `MESSAGE sip:bob@${host} SIP/2.0\r\n\r\n`);
    }
    await rig.settle();
    rig.core.layer.flowFailed(phone, 'ECONNREFUSED');
    expect(app.takeBriefs()).toEqual(['503 MESSAGE']);
    phone.deliver(phoneAnswer(other.take()[0]!, 200));
    expect(app.takeBriefs()).toEqual(['200 MESSAGE']);
  });
});

describe('the way of a request inside a dialog', () => {
  const flow = (transport: TransportName, port: number, closed = false) => ({
    ...{ transport, remoteAddress: '198.51.100.1', remotePort: port, localAddress: '192.0.2.1', localPort: 5060 },
    ...{ reliable: transport !== 'udp', closed, send: () => undefined },
  });
  const HERE = 'sip:a@198.51.100.1';
  it.each([
    { name: 'Contact is where it sends from', target: `${HERE}:5060`, to: 'flow' },
    { name: 'Contact is another port', target: `${HERE}:5070`, to: `${HERE}:5070` },
    {
      name: 'the same, but it listens where it sends from (rport)',
      target: `${HERE}:5070`,
      symmetric: true,
      to: 'flow',
    },
    { name: 'the same over a connection', target: `${HERE}:5070`, by: 'tcp', to: 'flow' },
    { name: 'Contact is a private address', target: 'sip:a@10.0.0.7', to: 'flow' },
    { name: 'Contact is a name', target: 'sip:a@phone.example', to: 'flow' },
    {
      name: 'the connection is gone',
      target: `${HERE};transport=tcp`,
      by: 'tcp',
      gone: true,
      to: `${HERE};transport=tcp`,
    },
    { name: 'a route leads back', target: 'sip:a@10.0.0.7', routes: ['<sip:198.51.100.1;lr>'], to: 'flow' },
    { name: 'a route leads elsewhere', target: HERE, routes: ['<sip:203.0.113.1;lr>'], to: 'sip:203.0.113.1;lr' },
    {
      name: 'a route by another transport',
      target: HERE,
      routes: ['<sip:198.51.100.1;transport=tcp;lr>'],
      to: 'sip:198.51.100.1;transport=tcp;lr',
    },
  ] as const)('$name', (row) => {
    const {
      target,
      to,
      symmetric = false,
      by = 'udp',
      gone = false,
      routes = [],
    } = { ...row } as {
      target: string;
      to: string;
      symmetric?: boolean;
      by?: TransportName;
      gone?: boolean;
      routes?: readonly string[];
    };
    const used = flow(by, 5060, gone);
    const hop = dialogHop({ routeSet: routes, remoteTarget: target, flow: used, peerIsSymmetric: symmetric });
    expect('flow' in hop ? 'flow' : hop.uri).toBe(to);
  });

  it.each([
    { name: 'an ACK', method: 'ACK', cseq: 1 },
    { name: 'an INFO', method: 'INFO', cseq: 2 },
  ])('$name from another port of its NAT moves it there', ({ method, cseq }) => {
    const via = 'SIP/2.0/UDP 10.0.0.7;rport;branch=z9hG4bK';
    const before = rig.peer('198.51.100.1', 40_000);
    const after = rig.peer('198.51.100.1', 40_001);
    before.deliver(phoneRequest('INVITE', { via: `${via}1`, contact: '<sip:a@10.0.0.7>', body: OFFER }));
    app.answer(app.take()[0]!, 200, [], OFFER);
    const toTag = tagOf(header(before.take().at(-1)!, 'To') ?? '');
    if (method !== 'ACK') before.deliver(phoneRequest('ACK', { via: `${via}2`, toTag }));
    after.deliver(phoneRequest(method, { via: `${via}3`, toTag, cseq }));
    app.command('sip||call-1;from-tag=phone', 'BYE sip:placeholder SIP/2.0\r\n\r\n');
    expect([before.takeBriefs(), after.take().map((m) => brief(m).split(' ')[0])]).toEqual([[], ['BYE']]);
  });
});

describe('what ends', () => {
  it('a BYE in place of the ACK stops the repetition of our 200', () => {
    phone.deliver(phoneRequest('INVITE', { body: OFFER }));
    app.answer(app.take()[0]!, 200, [], OFFER);
    const toTag = tagOf(header(phone.take().at(-1)!, 'To') ?? '');
    phone.deliver(phoneRequest('BYE', { toTag, cseq: 2 }));
    app.answer(app.take()[0]!, 200);
    expect(phone.takeBriefs()).toEqual(['200 BYE']);
    rig.clock.advance(40_000);
    expect([phone.takeBriefs(), rig.clock.pending]).toEqual([[], 0]);
  });

  it('a request counts as merged only while the first one is held', () => {
    const same = { callId: 'twice', body: '' };
    phone.deliver(phoneRequest('OPTIONS', same));
    app.answer(app.take()[0]!, 200);
    phone.deliver(phoneRequest('OPTIONS', same));
    rig.clock.advance(33_000);
    phone.deliver(phoneRequest('OPTIONS', same));
    expect([phone.takeBriefs(), app.takeBriefs()]).toEqual([['200 OPTIONS', '482 OPTIONS'], ['OPTIONS 1']]);
  });

  it('closing leaves no timer', async () => {
    phone.deliver(phoneRequest('OPTIONS'));
    app.answer(app.take()[0]!, 200);
    app.command('sip||', 'MESSAGE sip:bob@198.51.100.1 SIP/2.0\r\n\r\n');
    await rig.settle();
    expect(rig.clock.pending).toBeGreaterThan(0);
    rig.core.close();
    expect([rig.clock.pending, rig.core.layer.size]).toEqual([0, { server: 0, client: 0 }]);
  });
});

describe('a SUBSCRIBE of ours', () => {
  it.each([
    { name: 'makes a dialog with the 2xx', tag: 'notifier', dialogs: 1, answer: undefined },
    { name: 'makes none where the 2xx has no tag', tag: '', dialogs: 0, answer: '481 NOTIFY' },
  ])('$name', async ({ tag, dialogs, answer }) => {
    app.command('sip||', 'SUBSCRIBE sip:bob@198.51.100.1 SIP/2.0\r\nEvent: presence\r\n\r\n');
    await rig.settle();
    const subscribe = phone.take()[0]!;
    phone.deliver(phoneAnswer(subscribe, 200, { tag }));
    expect(rig.core.dialogs.size).toBe(dialogs);
    app.take();
    const callId = header(subscribe, 'Call-ID')!;
    const parts = { callId, fromTag: tag || 'x', toTag: tagOf(header(subscribe, 'From') ?? '') };
    phone.deliver(
      phoneRequest('NOTIFY', { ...parts, cseq: 1, headers: ['Event: presence', 'Subscription-State: active'] }),
    );
    expect([app.takeBriefs(), phone.takeBriefs()]).toEqual(answer ? [[], [answer]] : [['NOTIFY 1'], []]);
  });
});
