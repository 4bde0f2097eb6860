import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import type { RtpengineEdge } from '../../src/media/edge/rtpengine-edge.ts';
import { RtpSession } from '../../src/media/rtp/rtp-session.ts';
import { EdgePassage, innerPolicy } from '../../src/sip/edge-passage.ts';
import { MediaExchange } from '../../src/sip/media-exchange.ts';
import { OfferAnswer } from '../../src/sip/offer-answer.ts';
import { isRefusal } from '../../src/sip/stream-choice.ts';
import { BROWSER } from '../support/browser-program.ts';
import { Chromium } from '../support/chromium.ts';
import { EchoGateway } from '../support/echo-gateway.ts';
import { openPolicy } from '../support/leg-rig.ts';
import { edgeOf, HAS_RTPENGINE, Rtpengine } from '../support/rtpengine.ts';
import { UdpCaller } from '../support/udp-caller.ts';
import { until } from '../support/until.ts';

const isTried = HAS_RTPENGINE && BROWSER !== undefined && process.env['NIDAA_TEST_LONG'] === '1';
const FLAGS = ['--allow-loopback-in-peer-connection', '--autoplay-policy=no-user-gesture-required', '--mute-audio'];
const SAYS_HZ = 440;

/** What a page does that calls: a tone in place of a microphone, and an ear for what comes back. */
const PAGE = `
  window.sound = new AudioContext({ sampleRate: 48000 });
  window.connect = () => {
    window.pc = new RTCPeerConnection();
    const tone = sound.createOscillator();
    tone.frequency.value = ${SAYS_HZ};
    const out = sound.createMediaStreamDestination();
    tone.connect(out);
    tone.start();
    window.sender = pc.addTrack(out.stream.getAudioTracks()[0], out.stream);
    pc.ontrack = ({ track }) => {
      const stream = new MediaStream([track]);
      window.speaker = new Audio();
      speaker.srcObject = stream;
      speaker.muted = true;
      speaker.play();
      window.ear = sound.createAnalyser();
      ear.fftSize = 8192;
      sound.createMediaStreamSource(stream).connect(ear);
    };
  };
  window.gathered = () => pc.iceGatheringState === 'complete' ? pc.localDescription.sdp
    : new Promise((resolve) => { pc.onicegatheringstatechange = () => pc.iceGatheringState === 'complete' && resolve(pc.localDescription.sdp); });
  window.heardHz = () => {
    const levels = new Float32Array(ear.frequencyBinCount);
    ear.getFloatFrequencyData(levels);
    const loudest = levels.indexOf(Math.max(...levels));
    return levels[loudest] > -60 ? loudest * sound.sampleRate / ear.fftSize : 0;
  };
  window.figures = async () => {
    const found = {};
    for (const stat of (await pc.getStats()).values()) {
      if (stat.type === 'inbound-rtp') found.received = stat.packetsReceived;
      if (stat.type === 'outbound-rtp') found.sent = stat.packetsSent;
      if (stat.type === 'transport') Object.assign(found, { dtls: stat.dtlsState, suite: stat.srtpCipher, ice: stat.iceState });
    }
    return found;
  };
  true`;

interface Figures {
  readonly received: number;
  readonly sent: number;
  readonly dtls: string;
  readonly suite: string;
  readonly ice: string;
}

/** What a browser sends while the edge has its keys not yet: the one is through with the handshake before the other. */
const SENT_BEFORE_KEYS_MAX = 3;

describe.skipIf(!isTried)('a browser through a real rtpengine', () => {
  let engine: Rtpengine;
  let edge: RtpengineEdge;
  let gateway: EchoGateway;
  let browser: Chromium;
  beforeAll(async () => {
    engine = await Rtpengine.start();
    edge = await edgeOf([engine.address]);
    gateway = await EchoGateway.open(edge);
    browser = await Chromium.start(FLAGS);
    expect(await browser.evaluate(PAGE)).toBe(true);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
    edge?.close();
    await engine?.kill();
  });

  const figures = (): Promise<Figures> => browser.evaluate<Figures>('figures()');
  const json = (value: unknown): string => JSON.stringify(value);

  it('calls: ICE and DTLS, its own tone comes back, and its keys arrive', async () => {
    const offer = await browser.evaluate<string>(
      'connect(), pc.createOffer().then((offer) => pc.setLocalDescription(offer)).then(gathered)',
    );
    expect(offer).toMatch(/^m=audio \d+ UDP\/TLS\/RTP\/SAVPF/m);
    const caller = await new UdpCaller(Number(/:(\d+)$/.exec(gateway.uri)?.[1])).open();
    caller.target = gateway.uri;
    const { body } = await caller.call(offer);
    await browser.evaluate(`pc.setRemoteDescription({ type: 'answer', sdp: ${json(body)} })`);
    await browser.until("pc.connectionState === 'connected'", 20_000);
    const call = gateway.calls.at(-1)!;
    await until(async () => (await figures()).received > 150, 'it hears');
    expect(await figures()).toMatchObject({ dtls: 'connected', ice: expect.any(String) });
    expect(Math.abs((await browser.evaluate<number>('heardHz()')) - SAYS_HZ)).toBeLessThan(15);
    await browser.evaluate("sender.dtmf.insertDTMF('12#', 120, 80)");
    await until(() => call.keys.length === 3, 'keys come');
    caller.sendRequest('BYE');
    await caller.final('BYE');
    const stats = await until(() => call.stats);
    const { sent } = await figures();
    caller.close();
    expect(call.keys).toEqual(['1', '2', '#']);
    expect(call.agreed[0]?.srtp).toBeUndefined();
    expect(stats.packetsReceived).toBeGreaterThan(0.9 * (sent - 50));
    expect(call.outer).toMatchObject({ outerProtocol: 'UDP/TLS/RTP/SAVPF', outerKeys: 'dtls', outerIce: 1 });
    expect(call.outer?.outerErrors).toBeLessThanOrEqual(SENT_BEFORE_KEYS_MAX);
  });

  it('is called: it takes what the edge offers, and both are heard', async () => {
    const session = new OfferAnswer({ sessionId: '7', signallingAddress: '', policy: innerPolicy(openPolicy) });
    const outer = { ...openPolicy, encryption: 'allow', mayCarryKeys: false } as const;
    const passage = new EdgePassage(edge.open(), outer, '127.0.0.1', 'webrtc');
    const { port } = await gateway.openCall();
    const exchange = new MediaExchange(session, new RtpSession(port.local), systemClock, passage);
    const offer = await exchange.offer('sendrecv');
    const answer =
      await browser.evaluate<string>(`connect(), pc.setRemoteDescription({ type: 'offer', sdp: ${json(offer)} })
      .then(() => pc.createAnswer()).then((answer) => pc.setLocalDescription(answer)).then(gathered)`);
    const media = await exchange.accept(answer);
    if (isRefusal(media)) throw new Error(media.text);
    port.configure(media);
    await browser.until("pc.connectionState === 'connected'", 20_000);
    await until(async () => (await figures()).received > 150, 'it hears');
    expect((await port.stats()).packetsReceived).toBeGreaterThan(50);
    expect(Math.abs((await browser.evaluate<number>('heardHz()')) - SAYS_HZ)).toBeLessThan(15);
    expect(await exchange.close()).toMatchObject({ outerKeys: 'dtls', outerIce: 1 });
    await port.close();
  });
});
