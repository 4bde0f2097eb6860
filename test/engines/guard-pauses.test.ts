import { beforeEach, describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/errors.ts';
import { noticeOf } from '../../src/core/notice.ts';
import { FAILURE_EFFECTS } from '../../src/engines/failure-effects.ts';
import { guardTts } from '../../src/engines/guarded-engines.ts';
import { guardStt } from '../../src/engines/guarded-stt.ts';
import { asServiceError, ChatFailure, type ChatFailureKind } from '../../src/engines/openai/chat-failure.ts';
import type { SttEngine } from '../../src/engines/stt/contract.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { collectSpeech, ttsRequest } from '../conformance/tts.ts';
import { HandSource, outcomeOf, settle, testGuard } from '../support/engine-guards.ts';
import type { FakeClock } from '../support/fake-clock.ts';

interface Item {
  readonly n: number;
}
const never = new AbortController().signal;
const COOLDOWN_MS = 10_000;
type Tested = ReturnType<typeof testGuard>;

/** One call of the engine, which fails with `error`, or works. */
async function run({ guard }: Pick<Tested, 'guard'>, error?: unknown): Promise<unknown> {
  const source = new HandSource<Item>();
  if (error === undefined) source.give({ n: 1 }).end();
  else source.fail(error);
  return (await outcomeOf(guard.stream(source.start, never))).error;
}
const why = ({ guard }: Pick<Tested, 'guard'>): string | undefined => {
  const state = guard.available({ ok: true } as const);
  return state.ok ? undefined : state.why;
};

describe('what a failure of a service does', () => {
  it.each(Object.entries(FAILURE_EFFECTS) as [ChatFailureKind, string][])('%s: %s', async (kind, effect) => {
    const tested = testGuard({}, 'tts', 'remote');
    const failure = new ChatFailure(kind, 'status 4xx', kind === 'busy' ? 7_000 : undefined);
    await run(tested, asServiceError(failure));
    const { pause } = tested.guard.breaker;
    const expected = {
      failure: undefined,
      'key-refused': { why: 'key-refused', leftMs: 300_000 },
      'left-alone': { why: 'left-alone', leftMs: 7_000 },
    };
    expect(pause).toEqual(expected[effect as keyof typeof expected]);
    for (let n = 0; n < 2; n += 1) await run(tested, asServiceError(failure));
    expect(tested.guard.breaker.pause?.why).toBe(effect === 'failure' ? 'failures' : effect);
  });

  it.each([
    { name: 'a refused key', failure: new ChatFailure('refused-key', 'x'), code: 'engine.key-refused', seconds: '300' },
    { name: 'a wish', failure: new ChatFailure('busy', 'x', 42_000), code: 'engine.left-alone', seconds: '42' },
    { name: 'failures in a row', failure: new ChatFailure('cut', 'x'), code: 'engine.paused', seconds: '10' },
  ])('says why it is not asked after $name, and until when', async ({ failure, code, seconds }) => {
    const tested = testGuard({}, 'tts', 'remote');
    for (let n = 0; n < 3; n += 1) await run(tested, failure);
    expect(noticeOf(why(tested) ?? '', 'engine')).toMatchObject({ code, params: { seconds } });
    const { values } = await tested.metrics.enginePausedUntil.get();
    const until = values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels.why, value]);
    const at = tested.clock.utc().getTime() / 1000 + Number(seconds);
    expect(until).toEqual([[tested.guard.breaker.pause!.why, at]]);
    tested.clock.advance(Number(seconds) * 1000);
    expect(await run(tested)).toBeUndefined();
    expect(why(tested)).toBeUndefined();
    expect((await tested.metrics.enginePausedUntil.get()).values.every(({ value }) => value === 0)).toBe(true);
  });

  it('lets the longer pause stand, whichever came first', async () => {
    const tested = testGuard({ breakerFailures: 1 }, 'tts', 'remote');
    const early = [0, 1].map(() => new HandSource<Item>());
    const late = early.map((source) => outcomeOf(tested.guard.stream(source.start, never)));
    await settle();
    early[0]!.fail(new ChatFailure('refused-key', 'x'));
    await settle();
    early[1]!.fail(new ChatFailure('busy', 'x', 1_000));
    await Promise.all(late);
    expect(tested.guard.breaker.pause).toEqual({ why: 'key-refused', leftMs: 300_000 });
  });

  it('forgets nothing at a mistake of the request or a barge-in', async () => {
    const tested = testGuard({}, 'tts', 'remote');
    await run(tested, new ChatFailure('cut', 'x'));
    await run(tested, new ServiceError('unknown_voice', 'x'));
    const abort = new AbortController();
    const cut = outcomeOf(tested.guard.stream(new HandSource<Item>().start, abort.signal));
    await settle();
    abort.abort();
    await cut;
    await run(tested, new ChatFailure('cut', 'x'));
    expect(tested.guard.breaker.pause).toBeUndefined();
    await run(tested, new ChatFailure('cut', 'x'));
    expect(tested.guard.breaker.pause?.why).toBe('failures');
  });
});

describe('a probe', () => {
  let tested: Tested;
  let clock: FakeClock;
  let probes: { readonly signal: AbortSignal; resolve(): void; reject(error: unknown): void }[];
  beforeEach(async () => {
    tested = testGuard({ breakerFailures: 1 }, 'tts', 'remote');
    clock = tested.clock;
    probes = [];
    tested.guard.probe = (signal) =>
      new Promise((resolve, reject) => {
        probes.push({ signal, resolve, reject });
      });
    await run(tested, new Error('down'));
  });
  const passes = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settle();
  };

  it('is made when somebody would have used the engine, and nobody waits in its place', async () => {
    expect(why(tested)).toMatch(/not asked for 10 s/);
    await passes(COOLDOWN_MS);
    expect(probes).toHaveLength(1);
    expect(why(tested)).toBe('fake was paused and is being tried again');
    expect(await run(tested)).toMatchObject({ code: 'unavailable' });
    expect(probes).toHaveLength(1);
    probes[0]!.resolve();
    await settle();
    expect(why(tested)).toBeUndefined();
    expect(await run(tested)).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('is made when somebody asks, where nobody did before', async () => {
    await passes(COOLDOWN_MS * 10);
    expect(probes).toHaveLength(0);
    expect(why(tested)).toMatch(/tried again/);
    expect(probes).toHaveLength(1);
  });

  it('that fails pauses the engine once more, and is not repeated for nobody', async () => {
    expect(why(tested)).toBeDefined();
    await passes(COOLDOWN_MS);
    probes[0]!.reject(new Error('still down'));
    await settle();
    expect(tested.guard.breaker.pause).toEqual({ why: 'failures', leftMs: COOLDOWN_MS });
    expect(await tested.errors('probe-failed')).toBe(1);
    await passes(COOLDOWN_MS * 10);
    expect(probes).toHaveLength(1);
  });

  it('of a key that is still refused has it rest for five minutes', async () => {
    expect(why(tested)).toBeDefined();
    await passes(COOLDOWN_MS);
    probes[0]!.reject(asServiceError(new ChatFailure('refused-key', 'x')));
    await settle();
    expect(tested.guard.breaker.pause).toEqual({ why: 'key-refused', leftMs: 300_000 });
  });

  it('that hangs is given up, and so is one of an engine that is closed', async () => {
    expect(why(tested)).toBeDefined();
    await passes(COOLDOWN_MS);
    await passes(tested.guard.limits.firstResultMs);
    expect([probes[0]!.signal.aborted, tested.guard.breaker.state]).toEqual([true, 'open']);
    expect(why(tested)).toBeDefined();
    await passes(COOLDOWN_MS);
    tested.guard.close();
    probes[1]!.reject(new Error('closed'));
    await settle();
    expect([probes[1]!.signal.aborted, clock.pending]).toEqual([true, 0]);
  });

  it('is made at once when somebody has mended what was wrong', async () => {
    const mended = tested.guard.retry();
    probes[0]!.resolve();
    await mended;
    expect(why(tested)).toBeUndefined();
    await tested.guard.retry();
    expect(probes).toHaveLength(1);
  });
});

describe('guardTts', () => {
  it.each([
    { name: 'words without a sound', text: 'Good morning.', sounds: false, left: 1 },
    { name: 'a text without words', text: '...', sounds: false, left: 0 },
  ])('$name', async ({ text, left }) => {
    const { guard } = testGuard({ breakerFailures: 2 }, 'tts');
    const mute = { ...new ScriptedTts(), name: 'mute', soundOf: () => '', available: () => ({ ok: true }) as const };
    const engine = guardTts({ ...mute, close: async () => {}, async *synthesize() {} }, guard);
    const failing = guardTts(new ScriptedTts({ failOn: { down: 'at-once' } }), guard);
    await expect(collectSpeech(failing, ttsRequest({ text: 'down' }))).rejects.toBeDefined();
    const error = await collectSpeech(engine, ttsRequest({ text })).catch((failure: unknown) => failure);
    expect(error instanceof ServiceError).toBe(left === 1);
    expect(guard.breaker.state).toBe(left === 1 ? 'open' : 'closed');
    if (left === 1) return;
    // The failure before it still counts.
    await expect(collectSpeech(failing, ttsRequest({ text: 'down' }))).rejects.toBeDefined();
    expect(guard.breaker.state).toBe('open');
  });

  it('tries a service with a word of its own, in the voice that was asked for last', async () => {
    const { guard, clock } = testGuard({ breakerFailures: 1 }, 'tts', 'remote');
    const service = new ScriptedTts({ failOn: { down: 'at-once' } });
    const engine = guardTts(service, guard);
    await expect(collectSpeech(engine, ttsRequest({ text: 'down' }))).rejects.toBeDefined();
    expect(engine.available().ok).toBe(false);
    clock.advance(COOLDOWN_MS);
    await settle();
    expect(service.requests.at(-1)).toMatchObject({ text: 'Yes', voice: ttsRequest().voice });
    expect(engine.available()).toEqual({ ok: true });
  });

  it('lets a caller try what works on this machine', async () => {
    const { guard, clock } = testGuard({ breakerFailures: 1 }, 'tts');
    const engine = guardTts(new ScriptedTts({ failOn: { down: 'at-once' } }), guard);
    await expect(collectSpeech(engine, ttsRequest({ text: 'down' }))).rejects.toBeDefined();
    clock.advance(COOLDOWN_MS);
    expect(engine.available()).toEqual({ ok: true });
    await collectSpeech(engine, ttsRequest());
    expect(guard.breaker.state).toBe('closed');
  });
});

describe('guardStt', () => {
  /** Says what it heard of every stretch, and fails where a test says so. */
  function ears(): SttEngine & { fails: boolean; written: number; opened: number } {
    const engine = {
      ...{ name: 'ears', fails: false, written: 0, opened: 0 },
      capabilities: { interim: false, sampleRatesHz: [8000], languages: ['en-US'] },
      available: () => ({ ok: true }) as const,
      open: (_: unknown, signal: AbortSignal) => {
        engine.opened += 1;
        let flushed = (): void => {};
        const due = new Promise<void>((resolve) => {
          flushed = resolve;
        });
        return {
          write: ({ samples }: { samples: Int16Array }) => {
            engine.written += samples.length;
          },
          ...{ hint: () => {}, flush: () => flushed(), end: () => flushed() },
          async *[Symbol.asyncIterator]() {
            await due;
            if (engine.fails) throw new ServiceError('transcription_failed');
            yield { type: 'final', text: '', confidence: 1 } as const;
            await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())); // the call goes on
          },
        };
      },
      close: async () => {},
    };
    return engine as never;
  }
  const OPTIONS = { language: 'en-US', sampleRateHz: 8000, interim: false };

  it('tries a service with half a second of silence, and is back once that is answered', async () => {
    const { guard, clock } = testGuard({ breakerFailures: 1 }, 'stt', 'remote');
    const service = ears();
    const engine = guardStt(service, guard);
    service.fails = true;
    const stream = engine.open(OPTIONS, never);
    stream.write({ samples: new Int16Array(160), sampleRateHz: 8000 });
    stream.flush();
    expect((await outcomeOf(stream)).error).toMatchObject({ code: 'transcription_failed' });
    expect(engine.available('en-US').ok).toBe(false);
    service.fails = false;
    service.written = 0;
    clock.advance(COOLDOWN_MS);
    await settle();
    expect([service.opened, service.written]).toEqual([2, 4_000]);
    expect(engine.available('en-US')).toEqual({ ok: true });
  });

  it('is back in use with the first words of the caller who tries it, not with the end of the call', async () => {
    const { guard, clock } = testGuard({ breakerFailures: 1 }, 'stt');
    await run({ guard }, new Error('down'));
    clock.advance(COOLDOWN_MS);
    const abort = new AbortController();
    const stream = guardStt(ears(), guard).open(OPTIONS, abort.signal);
    const heard = outcomeOf(stream);
    stream.write({ samples: new Int16Array(160), sampleRateHz: 8000 });
    stream.flush();
    await settle();
    expect(guard.breaker.state).toBe('closed');
    abort.abort();
    await heard;
    expect(guard.slots.held).toBe(0);
  });
});
