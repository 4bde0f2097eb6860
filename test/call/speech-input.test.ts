import { describe, expect, it } from 'vitest';
import { SpeechInput } from '../../src/call/speech-input.ts';
import type { SttEvent, SttFeed, SttHints, SttStream } from '../../src/engines/stt/contract.ts';
import { callerFrames, LOUD, run } from '../support/caller-frames.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeMediaPort } from '../support/fake-media-port.ts';
import { LevelVad } from '../support/level-vad.ts';
import { settle } from '../support/reception-rig.ts';

/** A recogniser that keeps what it was given, and says what the test says. */
class TapedStt implements SttStream {
  constructor(public feed: SttFeed = 'whole-stretches') {}
  readonly taped: (number | 'flush')[] = [];
  readonly hints: SttHints[] = [];
  readonly arrays = new Set<ArrayBufferLike>();
  given: AbortSignal | undefined;
  readonly #events: (SttEvent | Error | 'over')[] = [];
  #wake = (): void => {};
  write(frame: { readonly samples: Int16Array }): void {
    this.taped.push(frame.samples[0]!);
    this.arrays.add(frame.samples.buffer);
  }
  flush(): void {
    this.taped.push('flush');
  }
  hint(hints: SttHints): void {
    this.hints.push(hints);
  }
  end(): void {}
  async emit(...events: (SttEvent | Error | 'over')[]): Promise<void> {
    this.#events.push(...events);
    this.#wake();
    await settle();
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<SttEvent> {
    for (;;) {
      const event = this.#events.shift();
      if (event === 'over') return;
      if (event instanceof Error) throw event;
      if (event) yield event;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

const final = (text: string): SttEvent => ({ type: 'final', text, confidence: 0.8, startMs: 0, endMs: 0 });

/** @param enough - whether what is asked for early will do. */
function setup(open: (n: number) => TapedStt | undefined = () => new TapedStt(), enough = false) {
  const clock = new FakeClock();
  const port = new FakeMediaPort(clock);
  const vad = new LevelVad();
  const stts: TapedStt[] = [];
  const told: string[] = [];
  const input = new SpeechInput(
    port,
    vad,
    clock,
    {
      hearingRateHz: 8_000,
      open: (signal) => {
        const stt = open(stts.length);
        if (!stt) return undefined;
        stt.given = signal;
        stts.push(stt);
        return stt;
      },
    },
    {
      speechStart: (atMs, resumed) => told.push(`start ${atMs}${resumed ? ' again' : ''}`),
      speechEnd: (atMs) => told.push(`end ${atMs}`),
      resumed: () => told.push('resumed'),
      interim: (text) => told.push(`interim ${text}`),
      early: ({ text }) => told.push(`early ${text}`) > 0 && enough,
      final: ({ text, confidence, language = '' }) => told.push(`final ${text} ${confidence}${language}`),
      recogniserFailed: (error, lost) => told.push(`failed ${(error as Error).message}${lost ? ', lost' : ''}`),
    },
  );
  return { clock, port, vad, stts, told, input, ...callerFrames(clock, port, input), stt: () => stts.at(-1)! };
}

describe('when the caller spoke', () => {
  it('is when it came over the wire, whatever it waited since then', () => {
    const prompt = setup();
    const late = setup();
    late.port.waitedMs = 90; // 60 in the jitter buffer, 30 until the main thread had time
    for (const s of [prompt, late]) {
      s.silence(20);
      s.speech(10);
      s.silence(10);
    }
    const [start, end] = prompt.told.map((line) => Number(line.split(' ')[1]));
    expect(late.told).toEqual([`start ${start! - 90}`, `end ${end! - 90}`]);
    expect([prompt.input.lagMs, late.input.lagMs]).toEqual([0, 90]);
  });
});

describe('what the caller says', () => {
  it('reaches the recogniser with its lead-in, whole, in order, and nothing else does', () => {
    const s = setup();
    s.silence(40);
    expect(s.stt().taped).toEqual([]);
    s.speech(10);
    s.silence(5);
    s.input.settle();
    s.silence(5);
    // 15 frames from before the detector opened: 14 quiet ones and the loud one that alone was not enough.
    expect(s.stt().taped).toEqual([...run(27, 40), ...run(LOUD + 1, LOUD + 10), ...run(41, 45), 'flush']);
  });

  it('has a shorter lead-in when the call has just begun', () => {
    const s = setup();
    s.silence(2);
    s.speech(3);
    expect(s.stt().taped).toEqual([1, 2, ...run(LOUD + 1, LOUD + 3)]);
  });

  it('makes no array for each frame: fifty a second of every caller would be garbage that takes more than the audio', () => {
    const s = setup();
    s.silence(20);
    s.speech(100);
    expect([s.stt().taped.length, s.stt().arrays.size <= 4]).toEqual([114, true]);
  });

  it('gives every frame to one stretch only', () => {
    const s = setup();
    s.speech(5);
    s.silence(3);
    s.input.settle();
    s.silence(2);
    s.speech(5);
    const given = s.stt().taped.filter((frame) => frame !== 'flush');
    expect(given).toEqual([...run(LOUD + 1, LOUD + 5), ...run(1, 5), ...run(LOUD + 6, LOUD + 10)]);
  });

  it('is timed by where it began and ended, not by when that was noticed', () => {
    const s = setup();
    s.silence(10);
    s.speech(10);
    s.silence(10);
    expect(s.told).toEqual(['start 200', 'end 400']);
    s.speech(10);
    expect(s.told.at(-1)).toBe('start 600');
  });

  it('may come in pieces of any length', () => {
    const s = setup();
    const pieces = [100, 60, 33, 127, 160, 160, 160];
    let position = 0;
    s.port.read = (into) => {
      const piece = pieces.shift();
      if (piece === undefined) return 0;
      const taken = Math.min(piece, into.length);
      if (taken < piece) pieces.unshift(piece - taken);
      for (let i = 0; i < taken; i += 1) into[i] = LOUD + Math.floor(position++ / 160);
      return taken;
    };
    s.input.tick();
    expect(s.stt().taped).toEqual(run(LOUD, LOUD + 4));
    expect(s.told.length).toBe(1);
  });

  it('after a stall is taken in over several ticks', () => {
    const s = setup();
    for (let i = 0; i < 120; i += 1) s.port.hear(20, LOUD + i);
    s.input.tick();
    expect(s.stt().taped.length).toBe(50);
    s.input.tick();
    s.input.tick();
    expect(s.stt().taped).toEqual(run(LOUD, LOUD + 119));
  });
});

describe('a pause', () => {
  it('that is long enough ends the stretch: one final is due', async () => {
    const s = setup();
    expect(s.input.settle()).toBe(false);
    s.speech(5);
    s.silence(5);
    expect([s.input.settle(), s.input.settle(), s.input.pendingFinals]).toEqual([true, false, 1]);
    await s.stt().emit({ type: 'interim', text: 'where' }, final('where is it'));
    expect(s.told.slice(-2)).toEqual(['interim where', 'final where is it 0.8']);
    expect(s.input.pendingFinals).toBe(0);
  });

  it('has its final asked for early, once, and nothing is given after that', async () => {
    const s = setup();
    s.input.speculate();
    expect(s.stt().taped).toEqual([]);
    s.speech(5);
    s.silence(3);
    s.input.speculate();
    s.input.speculate();
    s.silence(5);
    expect([s.input.settle(), s.input.pendingFinals]).toEqual([true, 1]);
    expect(s.stt().taped).toEqual([...run(LOUD + 1, LOUD + 5), 1, 2, 3, 'flush']);
    s.silence(5);
    s.speech(3);
    expect(s.told.filter((line) => line.endsWith('again'))).toEqual([]);
  });

  it('in which the caller goes on was none: the stretch is recognised as one, the early final is forgotten', async () => {
    const s = setup();
    s.speech(5);
    s.silence(4);
    s.input.speculate();
    s.silence(2);
    s.speech(5);
    expect(s.told.at(-1)).toMatch(/again$/);
    expect(s.input.pendingFinals).toBe(0);
    s.silence(4);
    s.input.settle();
    expect(s.input.pendingFinals).toBe(1);
    const early = [...run(LOUD + 1, LOUD + 5), 1, 2, 3, 4];
    const whole = [...early, 5, 6, ...run(LOUD + 6, LOUD + 10), ...run(7, 10)];
    expect(s.stt().taped).toEqual([...early, 'flush', ...whole, 'flush']);
    await s.stt().emit(final('where is'), final('where is my order'));
    expect(s.told.filter((line) => line.startsWith('final'))).toEqual(['final where is my order 0.8']);
    expect(s.input.pendingFinals).toBe(0);
  });

  it('whose early final was there before the caller went on', async () => {
    const s = setup();
    s.speech(5);
    s.silence(4);
    s.input.speculate();
    await s.stt().emit(final('where is'));
    s.speech(5);
    s.silence(4);
    s.input.settle();
    await s.stt().emit(final('where is my order'));
    expect(s.told.filter((line) => line.startsWith('final'))).toEqual([
      ...['final where is 0.8', 'final where is my order 0.8'],
    ]);
    expect(s.input.pendingFinals).toBe(0);
  });

  it('of a very long speech is not asked early: it could not be given again', () => {
    const s = setup();
    s.speech(998);
    s.input.speculate();
    expect(s.stt().taped.at(-1)).toBe('flush');
    const long = setup();
    long.speech(1000);
    long.input.speculate();
    expect(long.stt().taped.at(-1)).toBe(LOUD + 1000);
    long.silence(5);
    long.input.settle();
    expect(long.stt().taped.at(-1)).toBe('flush');
    expect(long.stt().taped.length).toBe(1006);
  });

  it('may be settled after a long one: the next stretch begins with an empty memory', () => {
    const s = setup();
    s.speech(1000);
    s.input.settle();
    s.silence(10);
    s.speech(5);
    s.input.speculate();
    expect(s.stt().taped.at(-1)).toBe('flush');
  });
});

describe('a recogniser that takes every frame once', () => {
  const finals = (told: readonly string[]): string[] => told.filter((line) => line.startsWith('final'));
  /** Speech, a pause in which the final is asked for, speech again, the end. */
  const goneOn = async (feed: SttFeed, early: 'before' | 'after' | 'late') => {
    const s = setup(() => new TapedStt(feed));
    const first: SttEvent = { ...final('where is'), confidence: 0.5, language: 'ar' } as SttEvent;
    s.silence(2);
    s.speech(5);
    s.silence(4);
    s.input.speculate();
    s.silence(2);
    if (early === 'before') await s.stt().emit(first);
    s.speech(5);
    if (early === 'after') await s.stt().emit(first);
    await s.stt().emit({ type: 'interim', text: 'my' });
    s.silence(4);
    s.input.settle();
    if (early === 'late') await s.stt().emit(first);
    await s.stt().emit(final('my order'));
    return s;
  };
  const speech = [1, 2, ...run(LOUD + 1, LOUD + 5), 3, 4, 5, 6];

  it('is given only what is new after an early final, and nothing twice', async () => {
    const { stt } = await goneOn('new-speech', 'after');
    expect(stt().taped).toEqual([...speech, 'flush', 7, 8, ...run(LOUD + 6, LOUD + 10), ...run(9, 12), 'flush']);
  });

  it('is given silence too where it wants all, without a gap', async () => {
    const s = await goneOn('everything', 'after');
    s.silence(3);
    const all = [...speech, 'flush', 7, 8, ...run(LOUD + 6, LOUD + 10), ...run(9, 12), 'flush', 13, 14, 15];
    expect(s.stt().taped).toEqual(all);
    s.input.mute();
    s.silence(3);
    expect(s.stt().taped).toEqual(all);
  });

  it.each([
    { early: 'before', told: ['final where is 0.5ar', 'final where is my order 0.5ar'] },
    { early: 'after', told: ['final where is my order 0.5ar'] },
    { early: 'late', told: ['final where is my order 0.5ar'] },
  ] as const)('has its texts joined, the early one $early', async ({ early, told }) => {
    const s = await goneOn('new-speech', early);
    expect([finals(s.told), s.input.pendingFinals]).toEqual([told, 0]);
    if (early !== 'late') expect(s.told).toContain('interim where is my');
    s.speech(5);
    s.silence(4);
    s.input.settle();
    await s.stt().emit(final('thanks'));
    expect(finals(s.told).at(-1)).toBe('final thanks 0.8');
  });

  it('that dies after an early final gives way to one that hears the whole, once', async () => {
    const s = setup((n) => new TapedStt(n === 0 ? 'new-speech' : 'whole-stretches'));
    s.speech(5);
    s.silence(4);
    s.input.speculate();
    await s.stt().emit(final('where is'));
    s.speech(5);
    await s.stt().emit(new Error('crash'));
    s.silence(4);
    s.input.settle();
    await s.stt().emit(final('where is my order'));
    expect(finals(s.told).at(-1)).toBe('final where is my order 0.8');
  });
});

describe('who hears changes between a pause and the rest of what is said', () => {
  it.each([
    { from: 'whole-stretches', to: 'new-speech', rest: 'where is my order' },
    { from: 'new-speech', to: 'whole-stretches', rest: 'my order' },
  ] as const)('from $from to $to: what is said is whole, and told once', async ({ from, to, rest }) => {
    const s = setup(() => new TapedStt(from));
    s.speech(5);
    s.silence(4);
    s.input.speculate();
    s.stt().feed = to;
    await s.stt().emit(final('where is'));
    s.speech(5);
    s.silence(4);
    s.input.settle();
    await s.stt().emit(final(rest));
    expect(s.told.filter((line) => line.startsWith('final')).at(-1)).toBe('final where is my order 0.8');
    const again = s
      .stt()
      .taped.slice(s.stt().taped.indexOf('flush'))
      .includes(LOUD + 1);
    expect(again).toBe(from === 'whole-stretches');
  });
});

describe('words asked for while the voice only pauses', () => {
  /** 5 frames of speech and 8 of a pause in which the detector still hears it. */
  const paused = (enough: boolean) => {
    const s = setup(undefined, enough);
    s.speech(5);
    s.vad.levelDb = -60;
    s.speech(7);
    s.input.speculateEarly();
    expect(s.stt().taped.at(-1)).toBe(LOUD + 12);
    s.speech(1);
    s.input.speculateEarly();
    s.input.speculateEarly();
    expect(s.stt().taped.slice(-2)).toEqual([LOUD + 13, 'flush']);
    return s;
  };
  const finals = (told: readonly string[]): string[] => told.filter((line) => /^(early|final|resumed)/.test(line));

  it('are the final where they will do, once the voice has ended', async () => {
    const s = paused(true);
    await s.stt().emit(final('stop'));
    expect([finals(s.told), s.input.pendingFinals]).toEqual([['early stop'], 1]);
    s.silence(3);
    expect([finals(s.told), s.input.pendingFinals]).toEqual([['early stop', 'final stop 0.8'], 0]);
    s.input.settle();
    await s.stt().emit();
    expect(finals(s.told).length).toBe(2);
  });

  it('are forgotten where they will not: the whole is recognised as one', async () => {
    const s = paused(false);
    await s.stt().emit(final('st'));
    s.silence(3);
    s.input.settle();
    expect(s.stt().taped.slice(14)).toEqual([...run(LOUD + 1, LOUD + 13), 1, 2, 3, 'flush']);
    await s.stt().emit(final('stop'));
    expect([finals(s.told), s.input.pendingFinals]).toEqual([['early st', 'final stop 0.8'], 0]);
  });

  it.each([
    {
      name: 'were there already',
      before: [final('okay')],
      after: [],
      told: ['early okay', 'resumed', 'final okay but wait 0.8'],
    },
    { name: 'were still to come', before: [], after: [final('okay')], told: ['resumed', 'final okay but wait 0.8'] },
  ])('are forgotten where the voice goes on and they $name', async ({ before, after, told }) => {
    const s = paused(true);
    await s.stt().emit(...before);
    s.vad.levelDb = 0;
    s.speech(2);
    s.silence(3);
    s.input.settle();
    await s.stt().emit(...after, final('okay but wait'));
    expect([finals(s.told), s.input.pendingFinals]).toEqual([told, 0]);
  });

  it('are asked for again while it lasts, not more often', async () => {
    const s = paused(false);
    const flushes = (): number => s.stt().taped.filter((frame) => frame === 'flush').length;
    await s.stt().emit(final('st'));
    s.speech(7);
    s.input.speculateEarly();
    expect(flushes()).toBe(1);
    s.speech(1);
    s.input.speculateEarly();
    expect(flushes()).toBe(2);
  });

  it.each(['mute', 'forgetPending', 'retract'] as const)(
    'are told once at most where nobody listens any more: %s',
    async (how) => {
      const s = paused(true);
      await s.stt().emit(final('stop'));
      s.input[how]();
      await s.stt().emit();
      expect([finals(s.told).slice(1), s.input.pendingFinals]).toEqual([how === 'mute' ? ['final stop 0.8'] : [], 0]);
    },
  );
});

describe('while nobody may listen', () => {
  it('nothing is detected, recognised, or remembered', async () => {
    const s = setup();
    s.silence(5);
    s.input.mute();
    s.speech(20);
    s.silence(20);
    s.speech(20);
    expect([s.told, s.stt().taped, s.input.speaking]).toEqual([[], [], false]);
    s.input.unmute();
    s.silence(2);
    s.speech(5);
    expect(s.stt().taped).toEqual([...run(26, 27), ...run(LOUD + 41, LOUD + 45)]);
  });

  it('what was said before is settled, and its final comes', async () => {
    const s = setup();
    s.speech(5);
    s.input.mute();
    expect([s.stt().taped.at(-1), s.input.pendingFinals, s.input.speaking]).toEqual(['flush', 1, false]);
    s.input.mute();
    await s.stt().emit(final('where is'));
    expect(s.told.at(-1)).toBe('final where is 0.8');
    expect(s.stt().taped.filter((frame) => frame === 'flush').length).toBe(1);
  });

  it('a final that nobody wants any more is dropped, and only that', async () => {
    const s = setup();
    s.speech(5);
    s.input.settle();
    s.input.forgetPending();
    expect(s.input.pendingFinals).toBe(0);
    s.silence(5);
    s.speech(5);
    s.input.settle();
    await s.stt().emit(final('old'), final('new'));
    expect(s.told.filter((line) => line.startsWith('final'))).toEqual(['final new 0.8']);
  });

  it('and afterwards times are right', () => {
    const s = setup();
    s.silence(7);
    s.input.mute();
    s.speech(13);
    s.input.unmute();
    s.silence(10);
    s.speech(10);
    expect(s.told).toEqual(['start 600']);
  });
});

describe('a recogniser', () => {
  it('that fails is replaced, three times, then there is none', async () => {
    const s = setup();
    for (let i = 1; i <= 3; i += 1) {
      s.speech(3);
      s.input.settle();
      await s.stt().emit(new Error(`crash ${i}`));
      expect([s.input.recognising, s.stts.length, s.input.pendingFinals]).toEqual([true, i + 1, 0]);
      s.silence(5);
    }
    await s.stt().emit(new Error('crash 4'));
    expect([s.input.recognising, s.stts.length]).toEqual([false, 4]);
    expect(s.told.filter((line) => line.startsWith('failed'))).toEqual([
      ...run(1, 3).map((n) => `failed crash ${n}, lost`),
      'failed crash 4',
    ]);
    s.speech(5);
    expect([s.input.settle(), s.input.pendingFinals]).toEqual([false, 0]);
    s.input.speculate();
    s.input.hint({ phrases: [], expect: [] });
  });

  it('that replaces another hears what is being said from its beginning, and owes nothing of the old one', async () => {
    const s = setup();
    s.speech(5);
    s.silence(3);
    s.input.speculate();
    s.speech(3); // an early final is to be ignored
    await s.stt().emit(new Error('crash'));
    const before = [...run(LOUD + 1, LOUD + 5), 1, 2, 3, ...run(LOUD + 6, LOUD + 8)];
    expect([s.stt().taped, s.told.at(-1)]).toEqual([before, 'failed crash']);
    s.silence(4);
    expect(s.input.settle()).toBe(true);
    expect(s.stt().taped).toEqual([...before, ...run(4, 7), 'flush']);
    await s.stts[0]!.emit(final('too late'));
    await s.stts[1]!.emit(final('heard'));
    expect(s.told.filter((line) => line.startsWith('final'))).toEqual(['final heard 0.8']);
  });

  it('that dies in a pause is followed by one that is asked for the final too: exactly one comes', async () => {
    const s = setup();
    s.speech(5);
    s.silence(3);
    s.input.speculate();
    await s.stt().emit(new Error('crash'));
    expect(s.stt().taped).toEqual([...run(LOUD + 1, LOUD + 5), 1, 2, 3, 'flush']);
    s.input.settle();
    expect(s.input.pendingFinals).toBe(1);
    await s.stt().emit(final('heard'));
    expect([s.told.slice(-2), s.input.pendingFinals]).toEqual([['failed crash', 'final heard 0.8'], 0]);
  });

  it('that dies twice of the same words is not given them a third time', async () => {
    const s = setup();
    s.speech(5);
    await s.stt().emit(new Error('one'));
    await s.stt().emit(new Error('two'));
    s.speech(5);
    expect([s.stt().taped, s.told.slice(-2), s.input.settle()]).toEqual([
      [],
      ['failed one', 'failed two, lost'],
      false,
    ]);
    s.silence(15);
    s.speech(3);
    expect(s.stt().taped.length).toBe(17);
  });

  it('that ends without being asked to has failed too', async () => {
    const s = setup();
    await s.stt().emit('over');
    expect([s.stts.length, s.told]).toEqual([2, ['failed the recogniser ended']]);
  });

  it('that cannot be opened is none', async () => {
    const s = setup(() => {
      throw new Error('no model');
    });
    await settle();
    expect([s.input.recognising, s.told]).toEqual([false, ['failed no model']]);
    s.speech(5);
    expect(s.told.length).toBe(2);
  });

  it('is given hints', () => {
    const s = setup();
    const hints: SttHints = { phrases: ['yes'], expect: ['yesno'] };
    s.input.hint(hints);
    expect(s.stt().hints).toEqual([hints]);
  });
});

describe('after the end', () => {
  it('nothing is read, given or told', async () => {
    const s = setup();
    s.speech(5);
    const told = s.told.length;
    s.input.close();
    s.input.close();
    expect([s.stt().given?.aborted, s.vad.closed]).toEqual([true, true]);
    s.speech(5);
    await s.stt().emit(final('late'), new Error('crash'));
    expect([s.told.length, s.stts.length, s.stt().taped.length]).toEqual([told, 1, 5]);
  });

  it('every recogniser is told at once, one that came for another too', async () => {
    const s = setup();
    await s.stt().emit(new Error('crash'));
    expect(s.stts.map(({ given }) => given?.aborted)).toEqual([false, false]);
    s.input.close();
    expect(s.stts.map(({ given }) => given?.aborted)).toEqual([true, true]);
  });

  it('comes in the middle of what was read', () => {
    const s = setup();
    for (let i = 0; i < 10; i += 1) s.port.hear(20, LOUD + i);
    const { push } = s.vad;
    s.vad.push = (frame) => {
      if (frame.samples[0] === LOUD + 3) s.input.close();
      return push.call(s.vad, frame);
    };
    s.input.tick();
    expect(s.stt().taped.length).toBeLessThanOrEqual(4);
  });
});
