import { describe, expect, it } from 'vitest';
import { Listener } from '../../src/cli/listener.ts';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeMediaPort } from '../support/fake-media-port.ts';
import { LevelVad } from '../support/level-vad.ts';

const LOUD = 8000;

function rig(texts?: readonly string[]) {
  const clock = new FakeClock();
  const port = new FakeMediaPort(clock);
  const vad = new LevelVad();
  const options = { language: 'en-US', sampleRateHz: 8000, interim: false };
  const stt = texts && createScriptedStt({ texts }).open(options, new AbortController().signal);
  const listener = new Listener({ port, vad, ...(stt && { stt }), nowMs: () => clock.nowMs() });
  /** `ms` of sound that arrives frame by frame. */
  const hear = (ms: number, level: number): void => {
    for (let i = 0; i < ms / 20; i += 1) {
      clock.advance(20);
      port.hear(20, level);
      listener.tick();
    }
  };
  return { listener, vad, hear };
}

describe('a listener', () => {
  it('notes when the other side spoke', async () => {
    const { listener, vad, hear } = rig();
    hear(1000, 0);
    hear(600, LOUD);
    hear(1000, 0);
    hear(400, LOUD);
    hear(1000, 0);
    await listener.finish();
    expect(listener.heard).toEqual([
      { fromMs: 1000, toMs: 1600 },
      { fromMs: 2600, toMs: 3000 },
    ]);
    expect(vad.closed).toBe(true);
  });

  it('counts a breath as part of the stretch', async () => {
    const { listener, hear } = rig();
    hear(400, LOUD);
    hear(500, 0);
    hear(400, LOUD);
    hear(1000, 0);
    await listener.finish();
    expect(listener.heard).toEqual([{ fromMs: 0, toMs: 1300 }]);
  });

  it('ends a stretch that the end of the call cuts', async () => {
    const { listener, hear } = rig();
    hear(200, 0);
    hear(800, LOUD);
    await listener.finish();
    expect(listener.heard).toEqual([{ fromMs: 200, toMs: 1000 }]);
  });

  it('gives each stretch its words, also the one that was not understood', async () => {
    const { listener, hear } = rig(['hello there', '', 'goodbye']);
    for (let i = 0; i < 3; i += 1) {
      hear(400, LOUD);
      hear(1000, 0);
    }
    await listener.finish();
    expect(listener.heard.map(({ text }) => text)).toEqual(['hello there', undefined, 'goodbye']);
  });

  it('knows since when it is quiet', () => {
    const { listener, hear } = rig();
    expect(listener.lastVoiceMs).toBeUndefined();
    hear(400, LOUD);
    expect(listener.speaking).toBe(true);
    hear(2000, 0);
    expect(listener.speaking).toBe(false);
    expect(listener.lastVoiceMs).toBeLessThanOrEqual(460);
  });

  it('reads on when frames come in uneven pieces', async () => {
    const clock = new FakeClock();
    const pieces = [100, 60, 160, 30, 130].map((length) => new Int16Array(length).fill(LOUD));
    const port = {
      read: (into: Int16Array): number => {
        const piece = pieces.shift();
        if (!piece) return 0;
        if (piece.length > into.length) {
          pieces.unshift(piece.subarray(into.length));
          into.set(piece.subarray(0, into.length));
          return into.length;
        }
        into.set(piece);
        return piece.length;
      },
    };
    const listener = new Listener({ port, vad: new LevelVad(), nowMs: () => clock.nowMs() });
    listener.tick();
    expect(listener.speaking).toBe(true); // three whole frames
    await listener.finish();
  });
});
