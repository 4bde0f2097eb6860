import { mulaw } from 'alawmulaw';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AudioIntake } from '../../../src/api/transcribe-socket/audio-intake.ts';
import { Outbox } from '../../../src/api/transcribe-socket/outbox.ts';
import { Pace } from '../../../src/api/transcribe-socket/pace.ts';
import { SessionMeter } from '../../../src/api/transcribe-socket/session-meter.ts';
import { SpeechCutter } from '../../../src/api/transcribe-socket/speech-cutter.ts';
import { Heartbeat } from '../../../src/core/heartbeat.ts';
import type { SttStream } from '../../../src/engines/stt/contract.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { LevelVad } from '../../support/level-vad.ts';
import { EVERY_TEST } from '../../support/property-runs.ts';
import { loud, MemorySessions, pcmBytes, quiet } from '../../support/socket-rig.ts';
import { amplitudeAt, tone } from '../../support/tones.ts';

function drained(intake: AudioIntake): Int16Array {
  const frames: Int16Array[] = [];
  for (let frame = intake.take(); frame; frame = intake.take()) frames.push(frame);
  return Int16Array.from(frames.flatMap((frame) => [...frame]));
}

describe('AudioIntake', () => {
  it('gives the same samples however the bytes are cut, odd ones included', () => {
    const samples = Int16Array.from({ length: 800 }, (_, i) => ((i * 7919) % 65_536) - 32_768);
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 30 }), (sizes) => {
        const intake = new AudioIntake('pcm', 8000, 8000);
        const bytes = pcmBytes(samples);
        let at = 0;
        for (const size of sizes) {
          intake.push(bytes.subarray(at, at + size));
          at = Math.min(bytes.length, at + size);
        }
        intake.push(bytes.subarray(at));
        expect(intake.receivedMs).toBe(100);
        expect(drained(intake)).toEqual(samples);
      }),
    );
  });

  it('a last odd byte is no sample', () => {
    const intake = new AudioIntake('pcm', 8000, 8000);
    intake.push(Buffer.of(1, 2, 3));
    expect(intake.receivedMs).toBe(0.125);
  });

  it('reads mu-law', () => {
    const intake = new AudioIntake('mulaw', 8000, 8000);
    const samples = tone(440, 1600);
    intake.push(Buffer.from(mulaw.encode(samples)));
    expect(drained(intake)).toEqual(mulaw.decode(mulaw.encode(samples)));
  });

  it.each([8000, 11_025, 16_000, 22_050, 44_100, 47_999, 48_000])(
    'brings %i Hz to the rate of the recogniser',
    (rateHz) => {
      const intake = new AudioIntake('pcm', rateHz, 8000);
      const samples = tone(1000, rateHz, { rateHz });
      for (let at = 0; at < samples.length; at += 333) intake.push(pcmBytes(samples.slice(at, at + 333)));
      intake.flush();
      expect(intake.receivedMs).toBe(1000);
      const heard = drained(intake);
      expect(heard.length).toBeGreaterThanOrEqual(8000);
      expect(heard.length).toBeLessThanOrEqual(8000 + 480);
      expect(amplitudeAt(heard.subarray(800, 7200), 1000)).toBeCloseTo(0.25, 2);
    },
  );

  it.runIf(EVERY_TEST)(
    'counts what came to the sample and hears all of it, at any rate, in any encoding, in pieces of any size',
    () => {
      const piece = fc.integer({ min: 1, max: 131_072 });
      const rates = fc.integer({ min: 8_000, max: 48_000 });
      fc.assert(
        fc.property(
          rates,
          fc.constantFrom('pcm', 'mulaw'),
          fc.array(piece, { maxLength: 6 }),
          (rate, encoding, sizes) => {
            const toHz = rate >= 16_000 ? 16_000 : 8_000;
            const intake = new AudioIntake(encoding, rate, toHz);
            const bytes = sizes.reduce((sum, size) => sum + size, 0);
            for (const size of sizes) intake.push(Buffer.alloc(size));
            intake.flush();
            const samples = encoding === 'pcm' ? bytes >> 1 : bytes;
            expect(intake.receivedMs).toBe((samples * 1000) / rate);
            expect(intake.bufferedMs).toBeGreaterThanOrEqual(intake.receivedMs);
            expect(intake.bufferedMs).toBeLessThanOrEqual(intake.receivedMs + 60); // the filter's length, and a frame filled up
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  it('of nothing stays nothing', () => {
    const intake = new AudioIntake('pcm', 16_000, 8000);
    intake.flush();
    expect(intake.bufferedMs).toBe(0);
    expect(intake.take()).toBeUndefined();
  });
});

describe('Pace', () => {
  it('lets a burst through, then twice real time, and never saves up more than a burst', () => {
    const pace = new Pace(0);
    const passed = (nowMs: number): number => {
      let ms = 0;
      while (pace.ask(nowMs, 20) === 0) ms += 20;
      return ms;
    };
    expect(passed(0)).toBe(2000);
    expect(passed(1000)).toBe(2000);
    expect(passed(1010)).toBe(20);
    expect(passed(100_000)).toBe(2000);
  });

  it('says when to ask again', () => {
    const pace = new Pace(0);
    while (pace.ask(0, 20) === 0);
    const waitMs = pace.ask(0, 20);
    expect(waitMs).toBe(10);
    expect(pace.ask(waitMs, 20)).toBe(0);
  });
});

class NotedStt implements SttStream {
  readonly noted: string[] = [];
  writtenMs = 0;
  write(frame: { samples: Int16Array; sampleRateHz: number }): void {
    this.writtenMs += (frame.samples.length * 1000) / frame.sampleRateHz;
  }
  flush(): void {
    this.noted.push(`flush ${this.writtenMs}`);
    this.writtenMs = 0;
  }
  hint(): void {}
  end(): void {
    this.noted.push('end');
  }
  async *[Symbol.asyncIterator]() {}
}

describe('Heartbeat', () => {
  const beats = (heartbeat: Heartbeat, atMs: readonly number[]) => atMs.map((nowMs) => heartbeat.due(nowMs));

  it('pings every twenty seconds and gives up after two that were missed in a row', () => {
    expect(beats(new Heartbeat(0), [19_999, 20_000, 39_999, 40_000, 59_999, 60_000])).toEqual([
      ...[undefined, 'ping', undefined, 'ping', undefined, 'lost'],
    ]);
  });

  it('an answer takes all that was missed back', () => {
    const heartbeat = new Heartbeat(0);
    expect(beats(heartbeat, [20_000, 40_000])).toEqual(['ping', 'ping']);
    heartbeat.answered();
    expect(beats(heartbeat, [60_000, 80_000, 100_000])).toEqual(['ping', 'ping', 'lost']);
  });
});

describe('SpeechCutter', () => {
  const cutter = (rateHz = 8000) => {
    const stt = new NotedStt();
    const cut = new SpeechCutter(new LevelVad(), stt, rateHz);
    const say = (samples: Int16Array): void => {
      const size = rateHz / 50;
      for (let at = 0; at < samples.length; at += size) cut.push(samples.slice(at, at + size));
    };
    return { stt, cut, say };
  };

  it.each([8000, 16_000])(
    'gives speech with its lead-in and the pause that ends it, nothing else, at %i Hz',
    (rateHz) => {
      const { stt, cut, say } = cutter(rateHz);
      say(quiet(1000, rateHz));
      say(loud(400, rateHz));
      say(quiet(1000, rateHz));
      expect(stt.noted).toHaveLength(1);
      const writtenMs = Number(stt.noted[0]!.split(' ')[1]);
      expect(writtenMs).toBeGreaterThanOrEqual(300 + 400 + 40);
      expect(writtenMs).toBeLessThanOrEqual(300 + 400 + 80);
      const { startMs, endMs } = cut.settled();
      expect(startMs).toBeGreaterThanOrEqual(980);
      expect(startMs).toBeLessThanOrEqual(1020);
      expect(endMs - startMs).toBeGreaterThanOrEqual(380);
      expect(endMs - startMs).toBeLessThanOrEqual(420);
    },
  );

  it('keeps where each stretch lay, in order, until its final comes', () => {
    const { cut, say } = cutter();
    for (let i = 0; i < 3; i += 1) {
      say(quiet(500));
      say(loud(500));
    }
    cut.end();
    expect([cut.settled(), cut.settled(), cut.settled()].map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [500, 1000],
      [1500, 2000],
      [2500, 3000],
    ]);
  });

  it('settles somebody who never pauses every half minute', () => {
    const { stt, cut, say } = cutter();
    say(loud(65_000));
    cut.end();
    expect(stt.noted.slice(0, 3)).toEqual(['flush 30000', 'flush 30000', 'flush 5000']);
    expect(stt.noted.at(-1)).toBe('end');
    expect([cut.settled(), cut.settled(), cut.settled()].map((one) => one.endMs)).toEqual([30_000, 60_000, 65_000]);
  });

  it('says nothing to the recogniser about silence', () => {
    const { stt, cut, say } = cutter();
    say(quiet(5000));
    cut.end();
    expect(stt.noted).toEqual(['end']);
    expect(stt.writtenMs).toBe(0);
  });
});

describe('Outbox', () => {
  const sink = () => ({
    bufferedAmount: 0,
    sent: [] as string[],
    send(text: string) {
      this.sent.push(text);
    },
  });

  it('drops interims for a slow reader, never finals', () => {
    const slow = sink();
    const outbox = new Outbox(slow);
    expect(outbox.interim('a')).toBe(true);
    expect(outbox.interim('a')).toBe(false); // known already
    slow.bufferedAmount = 20_000;
    expect(outbox.interim('a b')).toBe(false);
    outbox.send({ type: 'done', seconds: 1, cost_cents: 3 });
    slow.bufferedAmount = 0;
    expect(outbox.interim('a b c')).toBe(true);
    expect(slow.sent.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual([
      'transcript',
      'done',
      'transcript',
    ]);
    expect(outbox.droppedInterims).toBe(1);
    outbox.settled();
    expect(outbox.interim('a b c')).toBe(true); // the same words again, of another stretch
  });

  it.each([
    { name: 'nothing unsent', amounts: [0, 0, 0], atMs: [0, 20_000, 40_000], stuck: [false, false, false] },
    { name: 'a megabyte and more', amounts: [1_048_576, 1_048_577], atMs: [0, 1], stuck: [false, true] },
    { name: 'a byte for ten seconds', amounts: [1, 1, 1], atMs: [0, 9_999, 10_000], stuck: [false, false, true] },
    { name: 'a byte now and then', amounts: [1, 0, 1], atMs: [0, 9_000, 15_000], stuck: [false, false, false] },
  ])('$name', ({ amounts, atMs, stuck }) => {
    const slow = sink();
    const outbox = new Outbox(slow);
    const seen = amounts.map((amount, i) => {
      slow.bufferedAmount = amount;
      return outbox.isStuck(atMs[i]!);
    });
    expect(seen).toEqual(stuck);
  });

  it('is silent when closed', () => {
    const closed = sink();
    const outbox = new Outbox(closed);
    outbox.close();
    outbox.send({ type: 'done', seconds: 0, cost_cents: 0 });
    outbox.interim('a');
    expect(closed.sent).toEqual([]);
  });
});

describe('SessionMeter', () => {
  const meter = () => {
    const sessions = new MemorySessions();
    const clock = new FakeClock();
    return { sessions, clock, one: new SessionMeter(sessions, 'ts_one', clock) };
  };

  it('books once, whoever says it first', async () => {
    const { sessions, one } = meter();
    await one.begin('acc');
    expect(one.end(61_000, 'stop', false)).toBe(6);
    expect(one.end(99_000, 'disconnected', true)).toBe(6);
    expect(sessions.ends).toEqual([{ id: 'ts_one', audioMs: 61_000, reason: 'stop', cents: 6 }]);
  });

  it('books nothing that was never begun, nor what could not be paid', async () => {
    const { sessions, one } = meter();
    expect(one.end(0, 'unauthorized', false)).toBe(0);
    expect(sessions.ends).toEqual([]);
    sessions.balanceCents = 0;
    const poor = new SessionMeter(sessions, 'ts_two', new FakeClock());
    expect(await poor.begin('acc')).toBe('insufficient-credit');
    poor.end(0, 'insufficient_credit', false);
    expect(sessions.ends).toEqual([]);
  });

  it.each([
    { name: 'a begin that succeeds', error: undefined },
    { name: 'a begin that fails', error: new Error('gone') },
  ])('an end that comes before $name is booked after it', async ({ error }) => {
    const { sessions, one } = meter();
    let open = (): void => {};
    sessions.beginGate = new Promise((resolve) => {
      open = resolve;
    });
    sessions.beginError = error;
    const begun = one.begin('acc').catch(() => 'failed');
    one.end(0, 'disconnected', false);
    expect(sessions.ends).toEqual([]);
    open();
    await begun;
    expect(sessions.ends).toHaveLength(1);
    expect(sessions.balanceCents).toBe(1000);
  });

  it('does not wait for ever for a database; a refusal that comes late is still heard', async () => {
    const { sessions, clock, one } = meter();
    await one.begin('acc');
    let open = (): void => {};
    sessions.checkpointGate = new Promise((resolve) => {
      open = resolve;
    });
    let refusals = 0;
    const held = one.hold(60_020, () => {
      refusals += 1;
    });
    expect(one.covers(60_020)).toBe(false);
    clock.advance(2_000);
    expect(await held).toBe('ok');
    expect(one.covers(60_020)).toBe(true);
    sessions.balanceCents = 0;
    open();
    await new Promise((resolve) => setImmediate(resolve));
    expect(refusals).toBe(1);
    expect(clock.pending).toBe(0);
  });

  it('notes the first audio, then every ten seconds of it', async () => {
    const { sessions, one } = meter();
    await one.begin('acc');
    for (let ms = 0; ms <= 35_000; ms += 20) one.note(ms);
    expect(sessions.checkpoints).toEqual([20, 10_020, 20_020, 30_020]);
  });
});
