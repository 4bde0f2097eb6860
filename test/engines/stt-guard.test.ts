import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { failoverStt } from '../../src/engines/failover.ts';
import { guardStt } from '../../src/engines/guarded-stt.ts';
import { AudioTimes } from '../../src/engines/stt/audio-times.ts';
import { PATIENT_FINAL_MS, type SttEngine, type SttEvent, type SttOptions } from '../../src/engines/stt/contract.ts';
import { SttBacklog } from '../../src/engines/stt-backlog.ts';
import { SttByLanguage } from '../../src/engines/stt-by-language.ts';
import { HandSource, outcomeOf, settle, testGuard } from '../support/engine-guards.ts';

const never = new AbortController().signal;
const OPTIONS: SttOptions = { language: 'en-US', sampleRateHz: 8000, interim: true };
const frame = (value = 1, ms = 20) => ({ samples: new Int16Array(ms * 8).fill(value), sampleRateHz: 8000 });
const final = (text: string): SttEvent => ({ type: 'final', text, confidence: 1, startMs: 0, endMs: 20 });
const HINTS = { phrases: ['yes'], expect: ['yesno'] } as const;

/** A recogniser that writes down what it is told and says what a test wants. */
function recogniser(name = 'fake', languages: readonly string[] = ['en']) {
  const streams: { heard: string[]; source: HandSource<SttEvent>; signal: AbortSignal }[] = [];
  const engine: SttEngine = {
    name,
    capabilities: { interim: true, sampleRatesHz: [8000], languages },
    available: (language) =>
      languages.includes(language.slice(0, 2)) ? { ok: true } : { ok: false, why: `${name}: no` },
    open: (_, signal) => {
      const heard: string[] = [];
      const source = new HandSource<SttEvent>();
      streams.push({ heard, source, signal });
      return {
        write: (audio) => heard.push(`w${audio.samples[0]}`),
        flush: () => heard.push('flush'),
        hint: (hints) => heard.push(`hint ${hints.phrases}`),
        end: () => heard.push('end'),
        [Symbol.asyncIterator]: () => source.start(signal),
      };
    },
    close: async () => {},
  };
  return { engine, streams };
}

describe('SttBacklog', () => {
  it('repeats what happened, in order', () => {
    const { engine, streams } = recogniser();
    const backlog = new SttBacklog(1000);
    const reused = frame(1);
    backlog.write(reused);
    reused.samples.fill(99);
    backlog.hint({ phrases: ['old'], expect: [] });
    backlog.hint(HINTS);
    backlog.flush();
    backlog.flush();
    backlog.write(frame(2));
    backlog.end();
    backlog.replay(engine.open(OPTIONS, never), new AudioTimes());
    expect(streams[0]?.heard).toEqual(['w1', 'hint yes', 'flush', 'w2', 'end']);
  });

  it('keeps the newest audio within its limit, and the hints', () => {
    const { engine, streams } = recogniser();
    const backlog = new SttBacklog(60);
    backlog.hint(HINTS);
    for (let n = 1; n <= 100; n += 1) {
      backlog.write(frame(n));
      if (n < 98) backlog.flush();
      expect(backlog.heldMs).toBeLessThanOrEqual(60);
    }
    backlog.replay(engine.open(OPTIONS, never), new AudioTimes());
    expect(streams[0]?.heard).toEqual(['hint yes', 'w98', 'w99', 'w100']);
    expect(backlog.droppedFrames).toBe(97);
  });
});

describe('SttBacklog.settled', () => {
  it.each([
    { name: 'what a final is about goes', did: ['w1', 'f', 'w2', 'f', 'w3'], left: ['w2', 'flush', 'w3'] },
    { name: 'pauses without audio are no stretch', did: ['f', 'w1', 'f', 'w2'], left: ['w2'] },
    { name: 'the end stays', did: ['w1', 'e'], left: ['end'] },
    { name: 'one that settled by itself', did: ['w1', 'w2'], left: [] },
    { name: 'the newest hints stay', did: ['h', 'w1', 'f', 'w2'], left: ['hint yes', 'w2'] },
  ])('$name', ({ did, left }) => {
    const { engine, streams } = recogniser();
    const backlog = new SttBacklog(1000);
    for (const what of did) {
      if (what === 'f') backlog.flush();
      else if (what === 'e') backlog.end();
      else if (what === 'h') backlog.hint(HINTS);
      else backlog.write(frame(Number(what.slice(1))));
    }
    backlog.settled();
    backlog.replay(engine.open(OPTIONS, never), new AudioTimes());
    expect(streams[0]?.heard).toEqual(left);
    expect(backlog.heldMs).toBe(left.filter((what) => what.startsWith('w')).length * 20);
  });
});

describe('guardStt', () => {
  const open = (limits = {}) => {
    const { engine, streams } = recogniser();
    const test = testGuard({ concurrency: 1, ...limits }, 'stt');
    return { ...test, streams, guarded: guardStt(engine, test.guard) };
  };

  it('passes everything both ways and gives the place back at the end', async () => {
    const { guarded, streams, guard, clock } = open();
    const stream = guarded.open(OPTIONS, never);
    const run = outcomeOf(stream);
    stream.write(frame(1));
    stream.hint(HINTS);
    stream.flush();
    expect(streams[0]?.heard).toEqual(['w1', 'hint yes', 'flush']);
    streams[0]?.source.give({ type: 'interim', text: 'ye' }, final('yes'));
    await settle();
    expect(clock.pending).toBe(0);
    stream.end();
    streams[0]?.source.end();
    expect((await run).results).toEqual([{ type: 'interim', text: 'ye' }, final('yes')]);
    expect(guard.slots.held).toBe(0);
    expect(guard.breaker.state).toBe('closed');
  });

  it('keeps what is said while it waits for a place', async () => {
    const { guarded, streams, guard } = open();
    const first = new AbortController();
    guarded.open(OPTIONS, first.signal);
    const second = guarded.open(OPTIONS, never);
    const run = outcomeOf(second);
    second.write(frame(1));
    second.flush();
    await settle();
    expect(streams).toHaveLength(1);
    first.abort();
    await settle();
    expect(streams[1]?.heard).toEqual(['w1', 'flush']);
    second.write(frame(2));
    expect(streams[1]?.heard).toEqual(['w1', 'flush', 'w2']);
    streams[1]?.source.give(final('one')).end();
    expect((await run).results).toEqual([final('one')]);
    expect(guard.slots.held).toBe(0);
  });

  it('refuses beyond its queue', async () => {
    const { guarded, errors } = open({ queue: 0 });
    guarded.open(OPTIONS, never);
    expect(await outcomeOf(guarded.open(OPTIONS, never))).toMatchObject({ error: { code: 'unavailable' } });
    expect(await errors('queue-full')).toBe(1);
  });

  it('waits longer where nobody is on a line', async () => {
    const { guarded, streams, clock } = open();
    const stream = guarded.open({ ...OPTIONS, patient: true }, never);
    const run = outcomeOf(stream);
    await settle();
    stream.write(frame());
    stream.end();
    clock.advance(PATIENT_FINAL_MS - 1);
    streams[0]?.source.give(final('late')).end();
    expect(await run).toMatchObject({ results: [final('late')] });
    const stuck = guarded.open({ ...OPTIONS, patient: true }, never);
    const never45 = outcomeOf(stuck);
    await settle();
    stuck.write(frame());
    stuck.end();
    clock.advance(PATIENT_FINAL_MS);
    expect(await never45).toMatchObject({ error: { code: 'unavailable' } });
  });

  it.each(['flush', 'end'] as const)('gives up when no final follows a %s', async (what) => {
    const { guarded, streams, guard, clock, errors } = open();
    const stream = guarded.open(OPTIONS, never);
    const run = outcomeOf(stream);
    await settle();
    stream.flush(); // nothing was said: nothing is due
    clock.advance(100_000);
    stream.write(frame());
    stream[what]();
    await settle();
    clock.advance(1000);
    expect(await run).toMatchObject({ results: [], error: { code: 'unavailable' } });
    expect(await errors('first-result-timeout')).toBe(1);
    expect(await errors('failed')).toBe(0);
    expect(streams[0]?.signal.aborted).toBe(true);
    expect(guard.slots.held).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('hands on a failure, and pauses the engine after several', async () => {
    const { guarded, streams, guard } = open();
    for (let n = 0; n < 3; n += 1) {
      const run = outcomeOf(guarded.open(OPTIONS, never));
      streams[n]?.source.fail(new ServiceError('transcription_failed'));
      expect(await run).toMatchObject({ error: { code: 'transcription_failed' } });
    }
    expect(guarded.available('en-US')).toMatchObject({ ok: false });
    expect(await outcomeOf(guarded.open(OPTIONS, never))).toMatchObject({ error: { code: 'unavailable' } });
    expect(streams).toHaveLength(3);
    expect(guard.slots.held).toBe(0);
  });

  it('stays open for everybody when finals are late: the machine has too much to do', async () => {
    const { guarded, guard, clock } = open();
    for (let n = 0; n < 10; n += 1) {
      const stream = guarded.open(OPTIONS, never);
      const run = outcomeOf(stream);
      stream.write(frame());
      stream.flush();
      await settle();
      clock.advance(1000);
      expect(await run).toMatchObject({ error: { code: 'unavailable' } });
    }
    expect(guard.breaker.state).toBe('closed');
    expect(guarded.available('en-US')).toEqual({ ok: true });
  });

  it('fails when the engine cannot even be opened', async () => {
    const { guard } = testGuard({}, 'stt');
    const { engine } = recogniser();
    const broken = {
      ...engine,
      open: () => {
        throw new Error('no library');
      },
    };
    const stream = guardStt(broken, guard).open(OPTIONS, never);
    stream.write(frame());
    expect(await outcomeOf(stream)).toMatchObject({ error: { code: 'transcription_failed' } });
    expect(guard.slots.held).toBe(0);
  });

  it.each([
    { name: 'closes its breaker when it had answered', answers: true, state: 'closed' },
    { name: 'says nothing of an engine that had nothing to answer', answers: false, state: 'half-open' },
  ])('a call that ends in the middle $name', async ({ answers, state }) => {
    const { guarded, streams, guard, clock } = open();
    for (let n = 0; n < 3; n += 1) {
      const run = outcomeOf(guarded.open(OPTIONS, never));
      streams[n]?.source.fail(new ServiceError('transcription_failed'));
      await run;
    }
    clock.advance(10_000);
    const call = new AbortController();
    const run = outcomeOf(guarded.open(OPTIONS, call.signal));
    await settle();
    if (answers) streams[3]?.source.give(final('yes'));
    await settle();
    call.abort();
    streams[3]?.source.end();
    await run;
    expect([guard.breaker.state, guard.slots.held]).toEqual([state, 0]);
  });

  it('ends without an error when aborted, also while nobody iterates', async () => {
    const { guarded, streams, guard } = open({ concurrency: 2 });
    const abort = new AbortController();
    const run = outcomeOf(guarded.open(OPTIONS, abort.signal));
    guarded.open(OPTIONS, abort.signal);
    await settle();
    abort.abort();
    streams[0]?.source.end();
    expect(await run).toEqual({ results: [] });
    await settle();
    expect(guard.slots.held).toBe(0);
  });
});

describe('failoverStt', () => {
  it('repeats what was said to the next engine', async () => {
    const a = recogniser('a');
    const b = recogniser('b');
    const engine = failoverStt([a.engine, b.engine], silentLogger);
    const stream = engine.open(OPTIONS, never);
    const run = outcomeOf(stream);
    stream.write(frame(1));
    stream.flush();
    a.streams[0]?.source.fail(new Error('gone'));
    await settle();
    stream.write(frame(2));
    stream.end();
    expect(b.streams[0]?.heard).toEqual(['w1', 'flush', 'w2', 'end']);
    b.streams[0]?.source.give(final('one')).end();
    expect(await run).toEqual({ results: [final('one')] });
  });

  it('decides for each stretch: after a final the next engine is given what was said since then, with its hints', async () => {
    const a = recogniser('a');
    const b = recogniser('b');
    const stream = failoverStt([a.engine, b.engine], silentLogger).open(OPTIONS, never);
    const run = outcomeOf(stream);
    stream.hint(HINTS);
    stream.write(frame(1));
    stream.flush();
    a.streams[0]?.source.give(final('one'), { type: 'interim', text: 'tw' });
    await settle();
    stream.write(frame(2));
    stream.write(frame(3));
    a.streams[0]?.source.fail(new ServiceError('unavailable'));
    await settle();
    stream.flush();
    expect(b.streams[0]?.heard).toEqual(['hint yes', 'w2', 'w3', 'flush']);
    b.streams[0]?.source.give(final('two'));
    await settle();
    stream.write(frame(4));
    b.streams[0]?.source.fail(new Error('gone too'));
    await settle();
    stream.end();
    expect(a.streams[1]?.heard).toEqual(['hint yes', 'w4', 'end']);
    a.streams[1]?.source.give(final('three')).end();
    // Each engine dates by what it was given: times go on all the same.
    expect((await run).results).toEqual([
      final('one'),
      { type: 'interim', text: 'tw' },
      { ...final('two'), startMs: 20, endMs: 40 },
      { ...final('three'), startMs: 60, endMs: 80 },
    ]);
  });

  it('fails when all have failed at one stretch, and when engines answer and fail in turn for ever', async () => {
    const a = recogniser('a');
    const b = recogniser('b');
    const stream = failoverStt([a.engine, b.engine], silentLogger).open(OPTIONS, never);
    const run = outcomeOf(stream);
    stream.write(frame(1));
    a.streams[0]?.source.fail(new ServiceError('unavailable'));
    await settle();
    b.streams[0]?.source.fail(new ServiceError('transcription_failed'));
    expect(await run).toMatchObject({ results: [], error: { code: 'transcription_failed' } });
    const engine: SttEngine = {
      ...a.engine,
      open: () => ({
        ...{ write: () => {}, flush: () => {}, hint: () => {}, end: () => {} },
        async *[Symbol.asyncIterator]() {
          yield final('again');
          throw new ServiceError('unavailable');
        },
      }),
    };
    const endless = await outcomeOf(failoverStt([engine, { ...engine }], silentLogger).open(OPTIONS, never));
    expect([endless.results.length, endless.error]).toMatchObject([20, { code: 'unavailable' }]);
  });

  it('feeds as the engine that hears now wants it', async () => {
    const a = recogniser('a');
    const b = recogniser('b');
    const { open } = a.engine;
    const first: SttEngine = {
      ...a.engine,
      open: (...asked) => ({ ...open(...asked), feed: 'everything' }),
    };
    const stream = failoverStt([first, b.engine], silentLogger).open(OPTIONS, never);
    const run = outcomeOf(stream);
    expect(stream.feed).toBe('everything');
    a.streams[0]?.source.fail(new Error('gone'));
    await settle();
    expect(stream.feed).toBe('whole-stretches');
    b.streams[0]?.source.end();
    await run;
  });

  it('dates words by the audio written, where a recogniser was given the end of it only', async () => {
    const { engine, streams } = recogniser('a');
    const { guard } = testGuard({ concurrency: 1, firstResultMs: 60_000, totalMs: 60_000 }, 'stt');
    const place = guard.tryAdmit()!;
    const stream = guardStt(engine, guard).open(OPTIONS, never);
    const run = outcomeOf(stream);
    for (let n = 0; n < 600; n += 1) stream.write(frame(n)); // 12 s, of which 10 are kept while it waits
    place.finish('success');
    await settle();
    const word = { text: 'late', startMs: 9_000, endMs: 9_500 };
    streams[0]?.source.give({ ...final('late'), startMs: 0, endMs: 10_000, words: [word] } as SttEvent).end();
    expect((await run).results).toMatchObject([
      { startMs: 2_000, endMs: 12_000, words: [{ startMs: 11_000, endMs: 11_500 }] },
    ]);
  });

  it('passes over who does not know the language', async () => {
    const a = recogniser('a', ['ar']);
    const b = recogniser('b', ['en']);
    const engine = failoverStt([a.engine, b.engine], silentLogger);
    engine.open(OPTIONS, never);
    expect([a.streams.length, b.streams.length]).toEqual([0, 1]);
    expect(engine.available('ar-SA')).toEqual({ ok: true });
    expect(engine.available('fr')).toEqual({ ok: false, why: 'a: no; b: no' });
    expect(await outcomeOf(engine.open({ ...OPTIONS, language: 'fr' }, never))).toMatchObject({
      error: { code: 'unavailable' },
    });
  });
});

describe('SttByLanguage', () => {
  it('sends each language to its engine, and says what to set where there is none', async () => {
    const { engine, streams } = recogniser();
    const stt = new SttByLanguage({ en: engine });
    expect(stt.available('en-GB')).toEqual({ ok: true });
    expect(stt.available('ar-SA')).toMatchObject({ ok: false, why: expect.stringContaining('engines.stt.ar') });
    stt.open(OPTIONS, never);
    expect(streams).toHaveLength(1);
    const stream = stt.open({ ...OPTIONS, language: 'ar-SA' }, never);
    stream.write(frame());
    stream.end();
    expect(await outcomeOf(stream)).toMatchObject({ error: { code: 'unavailable' } });
    expect(stt.capabilities).toEqual({ interim: true, sampleRatesHz: [8000], languages: ['en'] });
    await stt.close();
  });
});
