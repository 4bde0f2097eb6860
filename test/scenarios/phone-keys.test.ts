import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { encodeAlaw } from '../../src/audio/g711.ts';
import { uint32 } from '../../src/core/uint.ts';
import { dtmfEventOf, writeDtmfEvent } from '../../src/media/dtmf/dtmf-event.ts';
import { dtmfTone } from '../../src/media/dtmf/dtmf-tone.ts';
import { Baresip } from '../support/baresip.ts';
import { latestCall, recordOf, saidIn, saidTo, texts } from '../support/call-record.ts';
import { hasCommand, microphone, spoken } from '../support/caller-voice.ts';
import type { RunningGateway } from '../support/gateway.ts';
import { withStore } from '../support/gateway-store.ts';
import { Linphone } from '../support/linphone.ts';
import { callWith, missingForCalls, sayUntil } from '../support/phone-call.ts';
import { EVERY_TEST } from '../support/property-runs.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { sdpText } from '../support/sdp-texts.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { isElsewhere } from '../support/sip-backend.ts';
import { UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await sharedGateway(inject('gatewayDesk'));
});

describe.skipIf(missingForCalls.length > 0)('a phone call with keys', { concurrent: true }, () => {
  it.runIf(EVERY_TEST)('collects keys', async () => {
    const { call } = await callWith(gateway, '1000', [], async (phone) => {
      await saidIn(gateway, phone.sipCallId, 'help you today');
      await sayUntil(gateway, phone, spoken('track my order'), 'order number');
      await phone.press('4521');
      await saidIn(gateway, phone.sipCallId, 'coffee machine');
    });
    expect(call.dtmf).toBe('4521');
    expect(texts(call, 'caller')).toEqual(['track my order', '4521']);
    expect(texts(call, 'agent').at(-1)).toContain('coffee machine');
  });

  it.runIf(EVERY_TEST)('talks Arabic with a keypad menu where no Arabic recogniser is configured', async () => {
    const { heard, call } = await callWith(gateway, '2000', [], async (phone) => {
      await sleep(9000);
      await phone.press('1');
      await sleep(6000);
    });
    expect(texts(call, 'agent')[0]).toMatch(/اضغط/);
    expect(call.dtmf).toBe('1');
    expect(texts(call, 'agent').length).toBeGreaterThan(1);
    expect(heard.voicedSeconds(0, 8)).toBeGreaterThan(4);
  });

  it('works over TCP and with keys by INFO', async () => {
    const phone = await Baresip.start({ transport: 'tcp', infoDtmf: true });
    try {
      expect(await phone.call(gateway.sip)).toBeTypeOf('number');
      await sleep(1500);
      await phone.press('15');
      await sleep(1000);
      phone.hangup();
      await phone.finish();
      expect((await recordOf(gateway, phone.sipCallId)).dtmf).toBe('15');
    } finally {
      phone.dispose();
    }
  });

  it('is refused where nobody has the number', async () => {
    const phone = await Baresip.start();
    try {
      expect(await phone.call(`sip:9999@127.0.0.1:${gateway.sipPort}`)).toContain('404');
    } finally {
      phone.dispose();
    }
  });
});

describe.skipIf(missingForCalls.length > 0)('a caller who does not wait', { concurrent: true }, () => {
  it('has his keys taken that he pressed right after the answer, a second before his ACK came', async () => {
    const phone = await new UdpCaller(gateway.sipPort).open();
    const media = await RtpPeer.open();
    try {
      const offer = sdpText({
        session: ['c=IN IP4 127.0.0.1'],
        media: [`m=audio ${media.port} RTP/AVP 0 101`, 'a=rtpmap:101 telephone-event/8000', 'a=ptime:20'],
      });
      phone.sendRequest('INVITE', { body: offer, uri: gateway.sip });
      const ok = await phone.final('INVITE');
      expect(ok.status).toBe(200);
      phone.adopt(ok);
      await pressAt(media, Number(/m=audio (\d+)/.exec(ok.body)?.[1]), '159');
      await sleep(1_000);
      expect(media.heard.length).toBe(0); // nothing is sent before the ACK
      phone.sendRequest('ACK');
      await sleep(1_000);
      phone.sendRequest('BYE');
      expect((await phone.final('BYE')).status).toBe(200);
      expect((await recordOf(gateway, phone.callId)).dtmf).toBe('159');
    } finally {
      phone.close();
      media.close();
    }
  });
});

describe.skipIf(missingForCalls.length > 0)('a telephone that knows no events', () => {
  it('has the tones of its keys taken as keys, and not as speech', async () => {
    const phone = await new UdpCaller(gateway.sipPort).open();
    const media = await RtpPeer.open();
    try {
      const offer = sdpText({
        session: ['c=IN IP4 127.0.0.1'],
        media: [`m=audio ${media.port} RTP/AVP 8`, 'a=ptime:20'],
      });
      phone.sendRequest('INVITE', { body: offer, uri: gateway.sip });
      const ok = await phone.final('INVITE');
      expect(ok.body).not.toContain('telephone-event');
      phone.adopt(ok);
      phone.sendRequest('ACK');
      await playKeys(media, Number(/m=audio (\d+)/.exec(ok.body)?.[1]), '159#');
      phone.sendRequest('BYE');
      expect((await phone.final('BYE')).status).toBe(200);
      const call = await recordOf(gateway, phone.callId);
      expect(call.dtmf).toBe('159#');
      expect(texts(call, 'caller')).toEqual(['159']);
      const steps = await withStore(gateway, ({ ladders }) =>
        until(async () => (await ladders.of(call.id))[0]?.steps, 'the SIP messages of the call'),
      );
      const lines = steps.filter(({ again }) => !again).map(({ direction, line }) => `${direction} ${line}`);
      expect(lines[0]).toMatch(/^in INVITE /);
      // A drachtio-server sends it by itself and does not tell of it.
      if (!isElsewhere) expect(lines).toContain('out SIP/2.0 100 Trying');
      expect(lines.slice(-4).map((line) => line.replace(/ sip:\S+/, ''))).toEqual([
        ...['out SIP/2.0 200 OK', 'in ACK SIP/2.0', 'in BYE SIP/2.0', 'out SIP/2.0 200 OK'],
      ]);
    } finally {
      phone.close();
      media.close();
    }
  });
});

/** Each key as a tone of 80 ms, with 80 ms between them; silence before and after. */
async function playKeys(media: RtpPeer, port: number, keys: string): Promise<void> {
  const frames: Int16Array[] = Array.from({ length: 75 }, () => new Int16Array(160));
  for (const key of keys) {
    for (let n = 0; n < 8; n += 1) {
      const frame = new Int16Array(160);
      if (n < 4) dtmfTone(frame, dtmfEventOf(key), n * 160, 8_000);
      frames.push(frame);
    }
  }
  frames.push(...Array.from({ length: 75 }, () => new Int16Array(160)));
  const startMs = performance.now();
  for (const [n, frame] of frames.entries()) {
    media.send(port, encodeAlaw(frame), { payloadType: 8, timestamp: media.timestamp });
    media.timestamp = uint32(media.timestamp + 160);
    await sleep(Math.max(0, startMs + (n + 1) * 20 - performance.now()));
  }
}

/** Each key as RFC 4733 events of 60 ms with one end. */
async function pressAt(media: RtpPeer, port: number, keys: string): Promise<void> {
  for (const key of keys) {
    for (const [duration, end] of [
      [160, false],
      [320, false],
      [480, true],
    ] as const) {
      const event = new Uint8Array(4);
      writeDtmfEvent(event, 0, { event: dtmfEventOf(key), end, volume: 10, duration });
      media.send(port, event, { payloadType: 101, timestamp: media.timestamp });
      await sleep(20);
    }
    media.timestamp = uint32(media.timestamp + 640);
  }
}

const noLinphone = !hasCommand('linphonec') || missingForCalls.length > 0;
if (noLinphone) console.warn('\n!!! NO CALL BY LINPHONE IS TESTED: linphonec not installed !!!\n');

describe.skipIf(noLinphone)('a phone call by linphone', { concurrent: true }, () => {
  it.runIf(EVERY_TEST)('hears the greeting and is understood', async () => {
    const samples = spoken('where is my order');
    const phone = await Linphone.start(microphone(45, { atS: 6, samples }, { atS: 18, samples }, { atS: 30, samples }));
    try {
      expect(await phone.call(gateway.sip), phone.output).toBe(true);
      await saidTo(gateway, 'lin', 'order number');
      await phone.press('45');
      await sleep(500);
      phone.hangup();
      expect(await phone.endedWithin(20_000)).toBe(true);
      const heard = (await phone.finish())!;
      const call = await latestCall(gateway, 'lin');
      expect(heard.voicedSeconds(0, 5)).toBeGreaterThan(2);
      expect(call.dtmf).toBe('45');
      expect(texts(call, 'caller')[0]).toMatch(/^where(?: is|'s) my order$/);
      expect(texts(call, 'agent')[1]).toContain('order number');
    } finally {
      phone.dispose();
    }
  });
});
