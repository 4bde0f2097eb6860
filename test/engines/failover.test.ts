import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { failoverReply, firstThatWorks } from '../../src/engines/failover.ts';
import { failoverTts } from '../../src/engines/failover-tts.ts';
import type { ReplyEngine } from '../../src/engines/reply/contract.ts';
import { type SpeechMark, type TtsEngine, withMarks } from '../../src/engines/tts/contract.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { collectSpeech, ttsConformance, ttsRequest } from '../conformance/tts.ts';
import { outcomeOf } from '../support/engine-guards.ts';

const never = new AbortController().signal;
const AVAILABLE = { ok: true } as const;
const TEXT = 'Good morning, how can I help you today?';

interface FakeEngine {
  readonly name: string;
  available(): { readonly ok: true } | { readonly ok: false; readonly why: string };
  run(): AsyncIterable<number>;
}
type Script = { readonly give?: readonly number[]; readonly error?: unknown; readonly missing?: string };

function fake(name: string, script: Script): FakeEngine & { calls: number } {
  return {
    name,
    calls: 0,
    available: () => (script.missing ? { ok: false, why: script.missing } : AVAILABLE),
    async *run() {
      this.calls += 1;
      yield* script.give ?? [];
      if (script.error) throw script.error;
    },
  };
}

describe('firstThatWorks', () => {
  const down = new ServiceError('unavailable');
  it.each([
    { name: 'the first one', scripts: [{ give: [1, 2] }, { give: [9] }], results: [1, 2], calls: [1, 0] },
    { name: 'the next after a failure', scripts: [{ error: down }, { give: [9] }], results: [9], calls: [1, 1] },
    {
      name: 'the next after an odd error',
      scripts: [{ error: new TypeError('x') }, { give: [9] }],
      results: [9],
      calls: [1, 1],
    },
    { name: 'not what is missing', scripts: [{ missing: 'no key' }, { give: [9] }], results: [9], calls: [0, 1] },
    { name: 'an empty answer is an answer', scripts: [{ give: [] }, { give: [9] }], results: [], calls: [1, 0] },
    {
      name: 'no other after a result',
      scripts: [{ give: [1], error: down }, { give: [9] }],
      results: [1],
      code: 'unavailable',
      calls: [1, 0],
    },
    {
      name: 'no other for a bad request',
      scripts: [{ error: new ServiceError('unknown_voice', 'x') }, { give: [9] }],
      results: [],
      code: 'unknown_voice',
      calls: [1, 0],
    },
    {
      name: 'the last error',
      scripts: [{ error: down }, { error: new ServiceError('synthesis_failed') }],
      results: [],
      code: 'synthesis_failed',
      calls: [1, 1],
    },
    {
      name: 'all missing',
      scripts: [{ missing: 'a' }, { missing: 'b' }],
      results: [],
      code: 'unavailable',
      calls: [0, 0],
    },
    { name: 'none at all', scripts: [], results: [], code: 'unavailable', calls: [] },
  ] as { name: string; scripts: Script[]; results: number[]; code?: string; calls: number[] }[])(
    '$name',
    async ({ scripts, results, code, calls }) => {
      const engines = scripts.map((script, n) => fake(`e${n}`, script));
      const outcome = await outcomeOf(firstThatWorks(engines, (engine) => engine.run(), never, silentLogger));
      expect(outcome.results).toEqual(results);
      expect((outcome.error as ServiceError | undefined)?.code).toBe(code);
      expect(engines.map((engine) => engine.calls)).toEqual(calls);
    },
  );

  it('tries nobody once aborted', async () => {
    const engine = fake('e', { give: [1] });
    expect(await outcomeOf(firstThatWorks([engine], (e) => e.run(), AbortSignal.abort(), silentLogger))).toEqual({
      results: [],
    });
    expect(engine.calls).toBe(0);
  });
});

ttsConformance('failover, second engine serves', () => {
  const broken = new ScriptedTts({ failOn: { '': 'at-once' } });
  return failoverTts([broken, new ScriptedTts()], silentLogger);
});

describe('failoverTts', () => {
  it('is the engine itself when there is one', () => {
    const engine = new ScriptedTts();
    expect(failoverTts([engine], silentLogger)).toBe(engine);
  });

  it.each([
    {
      name: 'from the word that broke off, where marks tell it',
      marks: true,
      atMs: 300,
      rest: 'morning, how can I help you today?',
    },
    { name: 'from its beginning, where nothing tells it', marks: false, atMs: 300, rest: TEXT },
    { name: 'from its beginning, where its first word broke off', marks: true, atMs: 100, rest: TEXT },
  ])('has the next voice say a sentence that broke off, $name', async ({ marks, atMs, rest }) => {
    const second = new ScriptedTts({ marks });
    const first = new ScriptedTts({ failOn: { morning: 'midway' }, marks, chunkMs: atMs });
    const engine = failoverTts([first, second], silentLogger);
    const heard: SpeechMark[] = [];
    let samples = 0;
    for await (const chunk of engine.synthesize(ttsRequest({ text: TEXT }), never)) {
      samples += chunk.length;
      heard.push(...(chunk.marks ?? []));
    }
    expect(second.requests.map(({ text }) => text)).toEqual([rest]);
    expect(samples).toBe(atMs * 8 + 1600 + rest.length * 400);
    const words = heard.map(({ charStart, charEnd }) => TEXT.slice(charStart, charEnd));
    expect([...new Set(words)].join(' ')).toBe(marks ? TEXT : '');
    expect(heard.map(({ atMs: at }) => at)).toEqual(heard.map(({ atMs: at }) => at).sort((a, b) => a - b));
  });

  it('says nothing again where all of a sentence was heard before its voice broke off', async () => {
    const last: TtsEngine = {
      ...{ name: 'last', available: () => AVAILABLE, soundOf: () => '', close: async () => {} },
      async *synthesize() {
        yield withMarks(new Int16Array(800).fill(4_000), [{ charStart: 0, charEnd: 3, atMs: 0 }]);
        yield new Int16Array(800);
        throw new ServiceError('synthesis_failed');
      },
    };
    const next = new ScriptedTts();
    const heard = await outcomeOf(
      failoverTts([last, next], silentLogger).synthesize(ttsRequest({ text: 'Yes.' }), never),
    );
    expect([heard.error, heard.results.length, next.requests]).toEqual([undefined, 2, []]);
  });

  it('fails when every voice breaks off', async () => {
    const broken = () => new ScriptedTts({ failOn: { morning: 'midway' } });
    const engine = failoverTts([broken(), broken()], silentLogger);
    await expect(collectSpeech(engine, ttsRequest())).rejects.toMatchObject({ code: 'synthesis_failed' });
  });

  it('names every reason when nothing is available', async () => {
    const engine = failoverTts([new ScriptedTts(), new ScriptedTts()], silentLogger);
    await engine.close();
    expect(engine.available()).toEqual({ ok: false, why: 'the synthesiser is closed; the synthesiser is closed' });
    expect(failoverTts([], silentLogger).available()).toEqual({ ok: false, why: 'no engine is configured' });
  });
});

describe('failoverReply', () => {
  const reply = (name: string, ok: boolean): ReplyEngine => ({
    name,
    available: () => (ok ? AVAILABLE : { ok: false, why: `${name} is off` }),
    greeting: () => `greeting of ${name}`,
    async *reply() {
      yield { type: 'text', text: name, language: 'en' } as const;
    },
    expects: () => ({
      hints: { phrases: [name], expect: [] },
      collect: { maxDigits: 1, terminator: '#', timeoutMs: 1 },
    }),
    close: async () => {},
  });

  it('lets the one that is available speak and listen', async () => {
    const engine = failoverReply([reply('a', false), reply('b', true)], silentLogger);
    const agent = { id: 'agt_x' } as never;
    expect(engine.greeting(agent, {}, 'voice')).toBe('greeting of b');
    expect(engine.expects(agent, [], {}).hints.phrases).toEqual(['b']);
    const outcome = await outcomeOf(engine.reply({} as never, never));
    expect(outcome.results).toMatchObject([{ text: 'b' }]);
    expect(engine.name).toBe('a+b');
  });
});
