import { describe, expect, it } from 'vitest';
import type { PcmFrame } from '../../src/audio/pcm.ts';
import { Line } from '../../src/call/line.ts';
import { SpeechInput } from '../../src/call/speech-input.ts';
import type { SttEvent, SttFeed, SttStream } from '../../src/engines/stt/contract.ts';
import { callerFrames, LOUD, run } from '../support/caller-frames.ts';
import { EchoingPort, reading } from '../support/echoing-port.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeMediaPort } from '../support/fake-media-port.ts';
import { LevelVad } from '../support/level-vad.ts';
import { settle } from '../support/reception-rig.ts';

/** In wideband a frame is called by its level and this. */
const WIDE = 10_000;

/** A port with wideband beside the telephone's rate. A frame's level is its name; reads take `pieces` samples at most. */
class WidePort extends FakeMediaPort {
  readonly isWideband = true;
  pieces = 160;
  #waiting = new Int16Array(0);
  override hear(_ms: number, level: number): void {
    const frame = new Int16Array(160).fill(level);
    this.#waiting = Int16Array.from([...this.#waiting, ...frame]);
  }
  override read(into: Int16Array, wide?: Int16Array): number {
    const part = this.#waiting.subarray(0, Math.min(into.length, this.pieces));
    this.#waiting = this.#waiting.slice(part.length);
    into.set(part);
    for (const [i, sample] of part.entries()) wide?.fill(sample + WIDE, 2 * i, 2 * i + 2);
    return part.length;
  }
}

/** Keeps what it was given, checked to be whole frames of one rate, and dies when it is told to. */
class TapedStt implements SttStream {
  readonly taped: (number | 'flush')[] = [];
  #die: (error: Error) => void = () => {};
  constructor(
    readonly sampleRateHz: number,
    readonly feed: SttFeed,
  ) {}
  write({ samples, sampleRateHz }: PcmFrame): void {
    expect([sampleRateHz, samples.length]).toEqual([this.sampleRateHz, this.sampleRateHz / 50]);
    expect(new Set(samples).size).toBe(1);
    this.taped.push(samples[0]!);
  }
  flush(): void {
    this.taped.push('flush');
  }
  hint(): void {}
  end(): void {}
  async die(): Promise<void> {
    this.#die(new Error('crash'));
    await settle();
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<SttEvent> {
    await new Promise<void>((_, reject) => {
      this.#die = reject;
    });
  }
}

function setup(options: { hearingRateHz?: number; port?: (clock: FakeClock) => FakeMediaPort; feed?: SttFeed } = {}) {
  const { hearingRateHz = 16_000, feed = 'whole-stretches' } = options;
  const clock = new FakeClock();
  const port = options.port?.(clock) ?? new WidePort(clock);
  const vad = new LevelVad();
  const detected: number[] = [];
  const { push } = vad;
  vad.push = (frame) => {
    expect([frame.sampleRateHz, frame.samples.length]).toEqual([8_000, 160]);
    detected.push(frame.samples[0]!);
    return push.call(vad, frame);
  };
  const stts: TapedStt[] = [];
  const open = (_signal: AbortSignal, sampleRateHz: number): TapedStt => {
    stts.push(new TapedStt(sampleRateHz, feed));
    return stts.at(-1)!;
  };
  const nothing = (): void => {};
  const input = new SpeechInput(
    port,
    vad,
    clock,
    { hearingRateHz, open },
    {
      ...{ speechStart: nothing, speechEnd: nothing, resumed: nothing, interim: nothing, early: () => false },
      ...{ final: nothing, recogniserFailed: nothing },
    },
  );
  return { clock, port, stts, input, detected, ...callerFrames(clock, port, input), stt: () => stts.at(-1)! };
}

const wide = (from: number, to: number): number[] => run(from + WIDE, to + WIDE);

describe('a caller who is heard in wideband', () => {
  it.each([160, 37, 1])(
    'has the wide frame of each other one recognised, lead-in and all, read by %i samples',
    (pieces) => {
      const port = (clock: FakeClock): WidePort => Object.assign(new WidePort(clock), { pieces });
      const s = setup({ port });
      s.silence(40);
      s.speech(10);
      s.silence(5);
      s.input.settle();
      s.silence(5);
      expect(s.stt().taped).toEqual([...wide(27, 40), ...wide(LOUD + 1, LOUD + 10), ...wide(41, 45), 'flush']);
      expect(s.detected).toEqual([...run(1, 40), ...run(LOUD + 1, LOUD + 10), ...run(41, 50)]);
    },
  );

  it('is given in wideband again where they go on after a pause, and to the recogniser that follows one that died', async () => {
    const s = setup();
    s.silence(2);
    s.speech(5);
    s.silence(4);
    s.input.speculate();
    s.silence(1);
    s.speech(3);
    const early = [...wide(1, 2), ...wide(LOUD + 1, LOUD + 5), ...wide(3, 6)];
    const whole = [...early, ...wide(7, 7), ...wide(LOUD + 6, LOUD + 8)];
    expect(s.stt().taped).toEqual([...early, 'flush', ...whole]);
    await s.stt().die();
    s.silence(4);
    s.input.settle();
    expect(s.stts.map(({ sampleRateHz }) => sampleRateHz)).toEqual([16_000, 16_000]);
    expect(s.stt().taped).toEqual([...whole, ...wide(8, 11), 'flush']);
  });

  it('is given so to one that hears everything, silence too', () => {
    const s = setup({ feed: 'everything' });
    s.silence(3);
    s.speech(3);
    expect(s.stt().taped).toEqual([...wide(1, 3), ...wide(LOUD + 1, LOUD + 3)]);
  });

  it.each([
    { name: 'the recogniser takes the rate of telephones alone', options: { hearingRateHz: 8_000 } },
    { name: 'the port has no more', options: { port: (clock: FakeClock) => new FakeMediaPort(clock) } },
  ])('is heard as every other where $name', ({ options }) => {
    const s = setup(options);
    s.silence(20);
    s.speech(5);
    expect([s.stt().sampleRateHz, s.stt().taped]).toEqual([8_000, [...run(7, 20), ...run(LOUD + 1, LOUD + 5)]]);
  });
});

describe('the line of such a caller', () => {
  it('has wideband where its port has', () => {
    const clock = new FakeClock();
    expect(new Line(new WidePort(clock)).isWideband).toBe(true);
    expect(new Line(new FakeMediaPort(clock)).isWideband).toBe(false);
  });

  it.each([160, 37])('hands both on, frame by frame, read by %i samples', (pieces) => {
    const port = Object.assign(new WidePort(new FakeClock()), { pieces });
    const line = new Line(port);
    for (const level of [1, 2, 3]) port.hear(20, level);
    const heard: [number, number, number, number][] = [];
    for (let reads = 0; reads < 20; reads += 1) {
      const into = new Int16Array(160);
      const both = new Int16Array(320);
      if (line.read(into, both) > 0) heard.push([into[0]!, into[159]!, both[0]!, both[319]!]);
    }
    expect(heard).toEqual([1, 2, 3].map((level) => [level, level, level + WIDE, level + WIDE]));
  });

  it('is as silent in wideband as it is where what came back was the agent', () => {
    /** Its wideband is never silent by itself. */
    class WideEcho extends EchoingPort {
      readonly isWideband = true;
      override read(into: Int16Array, wide?: Int16Array): number {
        wide?.fill(1);
        return super.read(into);
      }
    }
    const clock = new FakeClock();
    const line = new Line(new WideEcho(clock, { delayMs: 160, lossDb: 20 }));
    for (const clip of reading()) line.write(clip);
    const silenced: { readonly narrow: boolean; readonly wide: boolean }[] = [];
    for (let slot = 0; slot < 300; slot += 1) {
      clock.advance(20);
      const into = new Int16Array(160).fill(7);
      const both = new Int16Array(320).fill(7);
      if (line.read(into, both) === 0) continue;
      const [narrow = false, wide = false] = [into, both].map((samples) => samples.every((sample) => sample === 0));
      silenced.push({ narrow, wide });
    }
    expect(silenced.filter(({ wide }) => wide).length).toBeGreaterThan(100);
    expect(silenced.filter(({ narrow, wide }) => wide && !narrow)).toEqual([]);
  });
});
