import { beforeEach, describe, expect, it } from 'vitest';
import type { UpFrame } from '../../../src/sip-server/control/app-port.ts';
import { tagOf } from '../../../src/sip-server/message/name-addr.ts';
import { serializeSipMessage } from '../../../src/sip-server/message/serialize-message.ts';
import { header, type SipMessage } from '../../../src/sip-server/message/sip-message.ts';
import { brief, type FakeApp, type FakePeer, LIMITS, OFFER, phoneRequest, SipRig } from '../../support/sip-rig.ts';

let rig: SipRig;
let app: FakeApp;
let stranger: FakePeer;

beforeEach(() => {
  rig = new SipRig({ limits: { ...LIMITS, serverTransactionsMax: 200, unacknowledgedMax: 30 } });
  app = rig.apps[0]!;
  stranger = rig.peer('198.51.100.66', 5066);
});
const FROM_STRANGER = 'SIP/2.0/UDP 198.51.100.66:5066;rport;branch=z9hG4bK';
/** As a phone writes it, with the headers that phones send. */
function invite(callId: string, parts: Parameters<typeof phoneRequest>[1] = {}): string {
  const headers = [
    'User-Agent: a phone',
    'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE',
    'Supported: replaces',
  ];
  const contact = '<sip:stranger@198.51.100.66:5066>';
  return phoneRequest('INVITE', { callId, via: FROM_STRANGER + callId, body: OFFER, contact, headers, ...parts });
}
const cancel = (callId: string): string => phoneRequest('CANCEL', { callId, via: FROM_STRANGER + callId });
/** Answers what came up, as the gateway does at once. */
function answerAll(): void {
  for (const frame of app.take()) {
    if (!frame.text.startsWith('INVITE')) continue;
    app.answer(frame, 180);
    app.answer(frame, 200, [], OFFER);
  }
}
const bytesOf = (messages: readonly SipMessage[]): number =>
  messages.reduce((sum, message) => sum + serializeSipMessage(message).length, 0);

describe('a stranger who acknowledges nothing', () => {
  it.each([
    { name: 'thirty lines, answered as they come', answer: answerAll, lines: 30 },
    { name: 'sixty lines while none is answered', answer: () => undefined, lines: 60 },
  ])('holds $name; the others get 503 with Retry-After, and others are served', ({ answer, lines }) => {
    for (let i = 0; i < 100; i += 1) {
      stranger.deliver(invite(`s${i}`));
      answer();
    }
    const refused = stranger.take().filter((m) => brief(m) === '503 INVITE');
    expect([refused.length, header(refused[0]!, 'Retry-After')]).toEqual([100 - lines, '7']);
    expect(rig.core.layer.size.server).toBe(lines); // refused without keeping anything
    const phone = rig.peer();
    phone.deliver(phoneRequest('INVITE', { callId: 'guest', body: OFFER }));
    expect(phone.takeBriefs()).toEqual(['100 INVITE']);
  });

  it('gets his lines back after 64*T1, and no trace stays', () => {
    for (let i = 0; i < 40; i += 1) stranger.deliver(invite(`s${i}`));
    answerAll();
    rig.clock.advance(100_000);
    expect([rig.core.dialogs.size, rig.core.layer.size, rig.core.transactions.size]).toEqual([
      0,
      { server: 0, client: 0 },
      0,
    ]);
    stranger.deliver(invite('again'));
    expect(app.ups.at(-1)?.text).toContain('again');
  });

  it.each([
    { name: 'refused by the application', end: (frame: UpFrame) => void app.answer(frame, 486) },
    { name: 'cancelled', end: (_frame: UpFrame, i: number) => stranger.deliver(cancel(`s${i}`)) },
    { name: 'left by an application that went away', end: () => rig.core.agent.onAppLost(app) },
  ])('each call that is $name makes room for another', ({ end }) => {
    for (let i = 0; i < 60; i += 1) stranger.deliver(invite(`s${i}`));
    for (const [i, frame] of app.take().entries()) end(frame, i);
    app.take();
    for (let i = 0; i < 70; i += 1) stranger.deliver(invite(`next${i}`));
    expect(app.takeBriefs()).toHaveLength(60);
  });

  it.each([
    { name: 'an ordinary INVITE', parts: {} },
    { name: 'one with an offer to come', parts: { body: '' } },
    { name: 'a short one', parts: { headers: [] } },
    { name: 'one whose Contact is another port', parts: { contact: '<sip:victim@198.51.100.66:9999>' } },
    {
      name: 'one whose Record-Route names a third party',
      parts: { headers: ['Record-Route: <sip:203.0.113.9;lr>'] },
    },
  ])('$name brings at most ten times its bytes in 64 s, and nothing to others', ({ parts }) => {
    const others = [rig.peer('203.0.113.9'), rig.peer('198.51.100.66', 9_999)];
    const text = invite('s', parts);
    stranger.deliver(text);
    answerAll();
    rig.clock.advance(100_000);
    const sent = stranger.take();
    expect(sent.filter((m) => brief(m) === '200 INVITE').length).toBeGreaterThanOrEqual(4);
    expect(sent.some((m) => brief(m).startsWith('BYE'))).toBe(true);
    expect(bytesOf(sent) / Buffer.byteLength(text)).toBeLessThanOrEqual(10);
    expect(others.flatMap((other) => other.takeBriefs())).toEqual([]);
  });

  it.each([180, 486])('so does one that is answered %i only', (status) => {
    const text = invite('s');
    stranger.deliver(text);
    app.answer(app.take()[0]!, status);
    rig.clock.advance(320_000);
    expect(bytesOf(stranger.take()) / Buffer.byteLength(text)).toBeLessThanOrEqual(10);
  });
});

describe('a caller whom nobody knew', () => {
  it('repeats an INVITE of which it heard nothing, and is answered for it as often as it asks', () => {
    const text = invite('s', { headers: [], body: '' });
    stranger.deliver(text);
    answerAll();
    rig.clock.advance(31_000);
    const before = stranger.take().length;
    stranger.deliver(text);
    rig.clock.advance(500);
    expect([before > 3, stranger.takeBriefs().length]).toEqual([true, 1]);
  });

  it.each([
    { name: 'its ACK', method: 'ACK', cseq: 1 },
    { name: 'an INFO', method: 'INFO', cseq: 2 },
  ])('is known from $name on: what it is sent then is not counted', ({ method, cseq }) => {
    stranger.deliver(invite('s'));
    answerAll();
    const toTag = tagOf(header(stranger.take().at(-1)!, 'To') ?? '')!;
    const via = `${FROM_STRANGER}next`;
    stranger.deliver(phoneRequest(method, { callId: 's', toTag, cseq, via }));
    stranger.deliver(invite('s2', { headers: [], body: '' }));
    answerAll();
    stranger.take();
    rig.clock.advance(31_900);
    expect(stranger.takeBriefs().filter((text) => text === '200 INVITE').length).toBeGreaterThanOrEqual(10);
  });

  it('who acknowledged much gets much, but not while an answer of ours waits for its ACK for longer than T2', () => {
    const known = (count: number, prefix: string): number => {
      for (let i = 0; i < count; i += 1) stranger.deliver(invite(`${prefix}${i}`));
      return app.ups.filter((frame) => frame.text.includes(`Call-ID: ${prefix}`)).length;
    };
    for (let round = 0; round < 2; round += 1) {
      known(25, `round${round}-`);
      answerAll();
      for (const message of stranger.take().filter((m) => brief(m) === '200 INVITE')) {
        const callId = header(message, 'Call-ID')!;
        const toTag = tagOf(header(message, 'To') ?? '')!;
        stranger.deliver(phoneRequest('ACK', { callId, toTag, via: `${FROM_STRANGER}a${callId}` }));
        stranger.deliver(phoneRequest('BYE', { callId, toTag, cseq: 2, via: `${FROM_STRANGER}b${callId}` }));
      }
      rig.clock.advance(40_000); // the table of a test is small
    }
    app.take();
    expect(known(40, 'more')).toBe(40);
    answerAll();
    rig.clock.advance(4_100);
    expect(known(1, 'late')).toBe(0);
  });

  it('a tag of ours made up proves nothing', () => {
    stranger.deliver(invite('s'));
    answerAll();
    stranger.deliver(phoneRequest('ACK', { callId: 's', toTag: '0123456789abcdef', via: `${FROM_STRANGER}x` }));
    stranger.deliver(
      phoneRequest('BYE', { callId: 's', toTag: '0123456789abcdef', cseq: 2, via: `${FROM_STRANGER}y` }),
    );
    expect(rig.core.callers.isProven('198.51.100.66')).toBe(false);
  });

  it('a trunk of 20 calls a second that ring for a second and are acknowledged is never refused', () => {
    const most = { dialogsMax: 1_000, callsMax: 1_000, serverTransactionsMax: 1_000 };
    rig = new SipRig({ limits: { ...LIMITS, ...most, unacknowledgedMax: 30 } });
    app = rig.apps[0]!;
    const trunk = rig.peer('198.51.100.66', 5066);
    const seen: string[] = [];
    for (let i = 0; i < 200; i += 1) {
      trunk.deliver(invite(`t${i}`));
      for (const frame of app.take()) {
        if (frame.text.startsWith('INVITE')) rig.clock.setTimer(1_000, () => app.answer(frame, 200, [], OFFER));
      }
      rig.clock.advance(50);
      for (const message of trunk.take()) {
        seen.push(brief(message));
        if (brief(message) !== '200 INVITE') continue;
        const callId = header(message, 'Call-ID')!;
        const toTag = tagOf(header(message, 'To') ?? '')!;
        trunk.deliver(phoneRequest('ACK', { callId, toTag, via: `${FROM_STRANGER}a${callId}` }));
      }
    }
    expect(seen).not.toContain('503 INVITE');
    expect(seen.filter((text) => text === '200 INVITE').length).toBeGreaterThan(170);
  });
});
