import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/errors.ts';
import { guardTts } from '../../src/engines/guarded-engines.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { ttsConformance, ttsRequest } from '../conformance/tts.ts';
import { HandSource, outcomeOf, settle, TEST_LIMITS, testGuard } from '../support/engine-guards.ts';

const never = new AbortController().signal;
type Item = { readonly n: number };
const item = (n: number): Item => ({ n });

ttsConformance('scripted behind a guard', () => {
  const { guard } = testGuard({ concurrency: 8 });
  return guardTts(new ScriptedTts(), guard);
});

describe('EngineGuard.stream', () => {
  it('passes results on in order and observes the time to the first', async () => {
    const { clock, guard, metrics } = testGuard();
    const source = new HandSource<Item>();
    const run = outcomeOf(guard.stream(source.start, never));
    await settle();
    clock.advance(250);
    source.give(item(1), item(2), item(3)).end();
    expect(await run).toEqual({ results: [item(1), item(2), item(3)] });
    const { values } = await metrics.engineSeconds.get();
    expect(values.find((value) => value.metricName?.endsWith('_sum'))?.value).toBeCloseTo(0.25);
    expect(guard.slots.held).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it('does not start the engine before anybody listens', async () => {
    const { guard } = testGuard();
    const source = new HandSource<Item>();
    const stream = guard.stream(source.start, never);
    await settle();
    expect(source.started).toBe(0);
    await stream.return(undefined);
    expect(guard.slots.held).toBe(0);
  });

  it('gives the place back when the engine is done, before its consumer is', async () => {
    const { guard } = testGuard();
    const source = new HandSource<Item>().give(item(1), item(2)).end();
    const stream = guard.stream(source.start, never);
    expect((await stream.next()).value).toEqual(item(1));
    await settle();
    expect(guard.slots.held).toBe(0);
    expect((await stream.next()).value).toEqual(item(2));
    expect((await stream.next()).done).toBe(true);
  });

  it('lets the engine be 64 results ahead and no more, without counting that time', async () => {
    const { clock, guard } = testGuard();
    const source = new HandSource<Item>();
    source.give(...Array.from({ length: 200 }, (_, n) => item(n))).end();
    const stream = guard.stream(source.start, never);
    await stream.next();
    await settle();
    expect(source.taken).toBeLessThanOrEqual(66);
    clock.advance(60_000);
    const rest = await outcomeOf(stream);
    expect(rest.error).toBeUndefined();
    expect(rest.results).toEqual(Array.from({ length: 199 }, (_, n) => item(n + 1)));
  });

  it.each([
    { name: 'no result in time', give: [], waits: [999, 1], kind: 'first-result-timeout' },
    { name: 'too long in all', give: [item(1)], waits: [4999, 1], kind: 'total-timeout' },
  ])('gives up: $name', async ({ give, waits, kind }) => {
    const { clock, guard, errors } = testGuard();
    const source = new HandSource<Item>().give(...give);
    const run = outcomeOf(guard.stream(source.start, never));
    await settle();
    clock.advance(waits[0]!);
    await settle();
    expect(guard.slots.held).toBe(1);
    clock.advance(waits[1]!);
    expect(await run).toMatchObject({ results: give, error: { code: 'unavailable' } });
    expect(await errors(kind)).toBe(1);
    expect(source.signal?.aborted).toBe(true);
    expect(guard.slots.held).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it.each([
    { name: 'a service error', error: new ServiceError('unavailable'), code: 'unavailable' },
    { name: 'anything else', error: new TypeError('oops'), code: 'synthesis_failed' },
  ])('hands on $name, after the results before it', async ({ error, code }) => {
    const { guard, errors } = testGuard();
    const source = new HandSource<Item>().give(item(1)).fail(error);
    expect(await outcomeOf(guard.stream(source.start, never))).toMatchObject({ results: [item(1)], error: { code } });
    expect(await errors('failed')).toBe(1);
    expect(guard.slots.held).toBe(0);
  });

  it('ends without an error at an abort, drops what is buffered, and leaves a source that does not listen', async () => {
    const { clock, guard } = testGuard();
    const source = new HandSource<Item>().give(item(1), item(2), item(3));
    const abort = new AbortController();
    const stream = guard.stream(source.start, abort.signal);
    await stream.next();
    await settle();
    abort.abort();
    expect((await stream.next()).done).toBe(true);
    expect(source.signal?.aborted).toBe(true);
    expect(guard.slots.held).toBe(0);
    expect(clock.pending).toBe(0);
    expect(guard.breaker.state).toBe('closed');
  });

  it('tells a source that waits in its yield that nobody comes back', async () => {
    const { guard } = testGuard();
    const source = new HandSource<Item>().give(...Array.from({ length: 200 }, (_, n) => item(n)));
    const stream = guard.stream(source.start, never);
    await stream.next();
    await settle();
    await stream.return(undefined);
    await settle();
    expect(source.left).toBe(true);
    expect(guard.slots.held).toBe(0);
  });

  it('queues beyond its concurrency and refuses beyond its queue', async () => {
    const { clock, guard, errors, metrics } = testGuard();
    const sources = [1, 2, 3, 4, 5].map(() => new HandSource<Item>());
    const runs = sources.map((source) => outcomeOf(guard.stream(source.start, never)));
    expect(await runs[4]).toMatchObject({ results: [], error: { code: 'unavailable' } });
    expect(await errors('queue-full')).toBe(1);
    expect((await metrics.engineQueue.get()).values[0]?.value).toBe(2);
    expect(sources.map((source) => source.started)).toEqual([1, 1, 0, 0, 0]);
    sources[0]?.give(item(1)).end();
    await settle();
    expect(sources.map((source) => source.started)).toEqual([1, 1, 1, 0, 0]);
    clock.advance(1000); // the others give up: one for a place, two for a first result
    expect(await runs[3]).toMatchObject({ error: { code: 'unavailable' } });
    expect(await errors('queue-timeout')).toBe(1);
    expect(await runs[1]).toMatchObject({ error: { code: 'unavailable' } });
    expect(guard.slots.held).toBe(0);
  });

  const coded = (code: string): Error => Object.assign(new Error('x'), { code });
  it.each<{ name: string; place?: 'remote'; error?: unknown; lateMs?: number; paused: boolean; code: string }>([
    { name: 'here, what crashed', error: new Error('crashed'), paused: true, code: 'synthesis_failed' },
    { name: 'here, what failed', error: new ServiceError('synthesis_failed'), paused: true, code: 'synthesis_failed' },
    { name: 'here, what is full', error: new ServiceError('unavailable'), paused: false, code: 'unavailable' },
    { name: 'here, what is slow', paused: false, code: 'unavailable' },
    { name: 'here, no descriptor', error: coded('EMFILE'), paused: false, code: 'unavailable' },
    {
      name: 'there, what refuses',
      place: 'remote',
      error: new ServiceError('unavailable'),
      paused: true,
      code: 'unavailable',
    },
    { name: 'there, what does not answer', place: 'remote', paused: true, code: 'synthesis_failed' },
    {
      name: 'there, as far as we can tell: we were held up',
      place: 'remote',
      lateMs: 501,
      paused: false,
      code: 'unavailable',
    },
    { name: 'there, no descriptor', place: 'remote', error: coded('EMFILE'), paused: false, code: 'unavailable' },
    {
      name: 'a mistake of the request',
      place: 'remote',
      error: new ServiceError('empty_text'),
      paused: false,
      code: 'empty_text',
    },
  ])('$name: pauses the engine $paused', async ({ place, error, lateMs = 0, paused, code }) => {
    const { clock, guard } = testGuard({}, 'tts', place);
    for (let n = 0; n < 3; n += 1) {
      const source = new HandSource<Item>();
      if (error !== undefined) source.fail(error);
      const run = outcomeOf(guard.stream(source.start, never));
      await settle();
      clock.leap(TEST_LIMITS.firstResultMs + lateMs);
      expect(await run).toMatchObject({ error: { code } });
    }
    expect(guard.breaker.refuses).toBe(paused);
  });

  it('pauses the engine after failures in a row, and tries again later', async () => {
    const { clock, guard, errors } = testGuard();
    const failing = () => outcomeOf(guard.stream(new HandSource<Item>().fail(new Error('down')).start, never));
    for (let i = 0; i < 3; i += 1) await failing();
    const refused = new HandSource<Item>().end();
    expect(await outcomeOf(guard.stream(refused.start, never))).toMatchObject({ error: { code: 'unavailable' } });
    expect(refused.started).toBe(0);
    expect(await errors('paused')).toBe(1);
    expect(guard.available({ ok: true })).toMatchObject({ ok: false, why: expect.stringContaining('paused') });
    clock.advance(10_000);
    expect(guard.available({ ok: true })).toEqual({ ok: true });
    expect(await outcomeOf(guard.stream(new HandSource<Item>().give(item(1)).end().start, never))).toEqual({
      results: [item(1)],
    });
    expect(guard.breaker.state).toBe('closed');
  });

  it('does not blame the engine for mistakes of the request', async () => {
    const { guard } = testGuard();
    for (let i = 0; i < 10; i += 1) {
      const source = new HandSource<Item>().fail(new ServiceError('unknown_voice', 'x'));
      expect(await outcomeOf(guard.stream(source.start, never))).toMatchObject({ error: { code: 'unknown_voice' } });
    }
    expect(guard.breaker.state).toBe('closed');
  });
});

describe('EngineGuard.call', () => {
  it('gives the one result, or undefined when aborted', async () => {
    const { guard } = testGuard();
    expect(await guard.call(async () => item(7), never)).toEqual(item(7));
    expect(await guard.call(async () => item(7), AbortSignal.abort())).toBeUndefined();
    await expect(guard.call(() => Promise.reject(new Error('no')), never)).rejects.toMatchObject({
      code: 'synthesis_failed',
    });
    await settle();
    expect(guard.slots.held).toBe(0);
  });
});

describe('guardTts', () => {
  it('frees the place of a sentence that is cut short', async () => {
    const { guard } = testGuard();
    const engine = guardTts(new ScriptedTts(), guard);
    for (let i = 0; i < 20; i += 1) {
      for await (const _ of engine.synthesize(ttsRequest(), never)) break;
    }
    await settle();
    expect(guard.slots.held).toBe(0);
  });
});
