import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TurnRecord } from '../../src/billing/contract.ts';
import { CallTicker } from '../../src/call/call-ticker.ts';
import { Conversation } from '../../src/call/conversation.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { createEnergyVad } from '../../src/engines/vad/energy.ts';
import { DEFAULT_VAD_OPTIONS } from '../../src/engines/vad/vad-engines.ts';
import type { MediaPlane } from '../../src/media/media-port.ts';
import { AGENT, LevelStt, SETTINGS } from '../support/conversation-rig.ts';
import { openPlane, openPort } from '../support/media-plane-fixture.ts';
import { RtpPeer } from '../support/rtp-peer.ts';
import { tone } from '../support/tones.ts';
import { until } from '../support/until.ts';

/** What the record may differ from the wire by. */
const TOLERANCE_MS = 20;
/** What the packet that came least late may be late by. */
const LATE_MS = 40;
const GREETING_MS = 400;
const PACKET_MS = 20;

/** Hears the same words in whatever is said. */
class OneSentence extends LevelStt {
  override flush(): void {
    this.emit({ type: 'final', text: 'where is my order', confidence: 0.9, startMs: 0, endMs: 0 });
  }
}

let plane: MediaPlane;
beforeAll(async () => {
  plane = await openPlane();
});
afterAll(() => plane.close());

/** Each packet with sound that a peer received: when it was sent, by the media's own time, and when it came. */
function soundsAt(peer: RtpPeer, originMs: number): { sentMs: number; cameMs: number }[] {
  const sequence = peer.heard.map(({ timestamp }) => ((timestamp - peer.heard[0]!.timestamp) | 0) / 8);
  // Whatever held a packet up, none came before it was sent.
  const startMs = Math.min(...peer.arrivedMs.map((atMs, i) => atMs - sequence[i]!)) - originMs;
  return peer.heard.flatMap(({ payload }, i) =>
    payload.every((code) => (code & 0x7f) > 0x60)
      ? []
      : [{ sentMs: startMs + sequence[i]!, cameMs: peer.arrivedMs[i]! - originMs }],
  );
}

describe('the record of a call', () => {
  it('says of the agent what was on the wire: begin, end, and what an interruption left of it', async () => {
    const { port } = await openPort(plane);
    const peer = await RtpPeer.open();
    port.configure(peer.media());
    const turns: TurnRecord[] = [];
    const originMs = performance.now();
    const conversation = new Conversation({
      ...{ agent: AGENT, variables: {}, port, clock: systemClock, logger: silentLogger, metrics: createMetrics() },
      settings: { ...SETTINGS, greetingDelayMs: 100, endpointingMinMs: 300, endpointingMs: 300 },
      vad: createEnergyVad().open({ ...DEFAULT_VAD_OPTIONS, startMs: 100, hangoverMs: 100 }),
      openStt: () => new OneSentence([]),
      reply: {
        ...{ name: 'test', available: () => ({ ok: true }), greeting: () => 'Hello', close: async () => {} },
        expects: () => ({
          hints: { phrases: [], expect: [] },
          collect: { maxDigits: 4, terminator: '#', timeoutMs: 3000 },
        }),
        async *reply() {
          yield { type: 'text', text: 'One two three four five six seven eight nine ten', language: 'en' };
        },
      },
      async *synthesize(text) {
        yield tone(440, (text === 'Hello' ? GREETING_MS : 10 * GREETING_MS) * 8);
      },
      ...{ sink: (turn) => turns.push(turn), transfer: async () => ({ moved: false, cause: 'failed' }), end: () => {} },
    });
    const ticker = new CallTicker(systemClock, silentLogger);
    const ticking = { tick: () => conversation.tick(), broken: () => {} };
    ticker.add(ticking);
    try {
      conversation.greet();
      await until(() => turns.length === 1);
      peer.speak(port.local.port, 700); // another pitch than the agent's, whose echo it would be
      await new Promise((resolve) => setTimeout(resolve, 400));
      peer.quiet();
      await until(() => soundsAt(peer, originMs).length > GREETING_MS / PACKET_MS);
      await new Promise((resolve) => setTimeout(resolve, 700));
      conversation.onDigit('5');
      await until(() => turns.filter(({ role }) => role === 'agent').length === 2);
      const heard = peer.heard.length;
      await until(() => peer.heard.length > heard + 5);
    } finally {
      ticker.remove(ticking);
      conversation.close();
      await port.close();
      peer.close();
    }
    const spoken = turns.filter(({ role }) => role === 'agent');
    expect(spoken.length).toBe(2);
    const [greeting, answer] = spoken as [TurnRecord, TurnRecord];
    const betweenMs = (greeting.startedMs + greeting.heardMs + answer.startedMs) / 2;
    const sounds = soundsAt(peer, originMs);
    for (const { startedMs, heardMs } of spoken) {
      // Packets are counted: a media thread that came late leaves time out, and no sound.
      const own = sounds.filter(({ sentMs }) => sentMs > betweenMs === startedMs > betweenMs);
      expect(startedMs).toBeGreaterThan(own[0]!.sentMs - TOLERANCE_MS - LATE_MS);
      expect(startedMs).toBeLessThan(own[0]!.cameMs + TOLERANCE_MS);
      expect(Math.abs(heardMs - own.length * PACKET_MS)).toBeLessThanOrEqual(TOLERANCE_MS);
    }
    expect(spoken[0]!.heardMs).toBe(GREETING_MS);
    const { speechEndMs, endpointMs, finalTranscriptMs, firstTextMs, firstAudioMs, firstPacketMs } =
      spoken[1]!.timings!;
    const order = [speechEndMs, finalTranscriptMs, endpointMs, firstTextMs, firstAudioMs, firstPacketMs];
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(firstPacketMs).toBe(spoken[1]!.startedMs);
  });
});
