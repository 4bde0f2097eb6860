import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LiveAgent, Presynthesis } from '../../src/compose/presynthesis.ts';
import { PHRASES_MAX, readyPhrases } from '../../src/compose/ready-phrases.ts';
import { rememberedSpeech } from '../../src/compose/remembered-speech.ts';
import { loadVoices } from '../../src/config/voices.ts';
import type { Agent, AgentDefinition } from '../../src/core/agent.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { failoverTts } from '../../src/engines/failover-tts.ts';
import { guardTts } from '../../src/engines/guarded-engines.ts';
import { SpeechPipeline } from '../../src/engines/speech-pipeline.ts';
import { createNormalizer } from '../../src/engines/text/normalize/speakable-normalizer.ts';
import type { TtsEngine } from '../../src/engines/tts/contract.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { ttsRequest } from '../conformance/tts.ts';
import { chatAgent } from '../support/chat-engines.ts';
import { settle, testGuard } from '../support/engine-guards.ts';
import { ROOT } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const VOICES = loadVoices(join(ROOT, 'config/voices.yaml'));
const greeting = ({ definition }: Agent): string => definition.greeting.en ?? '';
const agentWith = (id: string, change: Partial<AgentDefinition> = {}, version = 1): Agent => {
  const greets = { en: `Welcome to ${id}.` };
  return { ...chatAgent({ greeting: greets, ...change }), id, version };
};

describe('readyPhrases', () => {
  const texts = (change: Partial<AgentDefinition> = {}): string[] =>
    readyPhrases(agentWith('agt_a', change), { greeting }, 'voice').map(({ text }) => text);

  it('begins with the greeting, and has what is said into silence, apologies and words while something takes long', () => {
    const all = texts({ noInput: { en: ['Hello? Anybody there?'] }, goodbye: { en: 'Bye now.' } });
    expect(all[0]).toBe('Welcome to agt_a.');
    for (const text of ['Hello?', 'Anybody there?', 'Bye now.', 'One moment, please.', 'One moment.'])
      expect(all).toContain(text);
    expect(all.some((text) => text.startsWith('Sorry, I had a problem'))).toBe(true);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each([
    ['has words of persons only where there is one', {}, /connect you/, false],
    ['has words of persons where there is one', { transferTarget: 'sip:a@example.org' }, /connect you/, true],
    ['leaves out what is filled in when it is said', { noMatch: { en: ['I heard {{x}}.'] } }, /I heard/, false],
    ['has the fillers of tools', { tools: [{ filler: { en: 'Looking it up.' } } as never] }, /Looking it up/, true],
    ['has both languages of an agent that greets in both', { greeting: { en: 'Hi', ar: 'هلا' } }, /لحظة/, true],
    ['has no language that the agent does not speak', {}, /[؀-ۿ]/, false],
  ] as const)('%s', (_, change, wanted, has) => {
    const all = texts(change as Partial<AgentDefinition>);
    expect(all.some((text) => wanted.test(text))).toBe(has);
    expect(all.length).toBeLessThanOrEqual(PHRASES_MAX);
  });
});

describe('Presynthesis', () => {
  let folder: string;
  let service: ScriptedTts;
  let agents: Agent[];
  let ending: AbortController;
  let tested: ReturnType<typeof testGuard>;
  let tts: TtsEngine;
  let speech: SpeechPipeline;
  let presynthesis: Presynthesis;

  const open = async (first: TtsEngine = service): Promise<void> => {
    tested = testGuard({}, 'tts', 'remote');
    const { clock, metrics, guard } = tested;
    const remember = await rememberedSpeech({ dataDir: folder, clock, logger: silentLogger, metrics });
    const spare = remember(guardTts(new ScriptedTts(), testGuard().guard));
    tts = failoverTts([remember(guardTts(first, guard)), { ...spare, name: 'spare' }], silentLogger);
    speech = new SpeechPipeline({ normalizer: createNormalizer(), voices: VOICES as never, ttsFor: () => tts });
    presynthesis = new Presynthesis({
      live: async () => agents.map(({ id, accountId, version }): LiveAgent => ({ id, accountId, version })),
      agentOf: async ({ id }) => agents.find((agent) => agent.id === id),
      phrasesOf: (agent) => readyPhrases(agent, { greeting }, 'voice'),
      speechOf: (agent) => speech.aheadOf(agent),
      ...{ clock, metrics, logger: silentLogger },
    });
  };
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'presynthesis-'));
    service = new ScriptedTts({ marks: true });
    agents = [agentWith('agt_a'), agentWith('agt_b')];
    ending = new AbortController();
    await open();
  });
  afterEach(() => {
    ending.abort();
    rmSync(folder, { recursive: true, force: true });
  });

  /** What a call hears of a sentence, and whether it came from memory. */
  const call = async (agent: Agent, text: string) => {
    const before = service.requests.length;
    const marks: unknown[] = [];
    let samples = 0;
    for await (const chunk of speech.speechOf(agent)(text, 'en', new AbortController().signal)) {
      samples += chunk.length;
      marks.push(...(chunk.marks ?? []));
    }
    const { values } = await tested.metrics.speechCache.get();
    const results = Object.fromEntries(values.map(({ labels, value }) => [labels.result, value]));
    return { samples, marks: marks.length, spoken: service.requests.length - before, results };
  };

  it('has the greeting of the first call come from memory, with its marks', async () => {
    await presynthesis.greet(ending.signal);
    expect(service.requests.map(({ text }) => text)).toEqual(['Welcome to agt_a.', 'Welcome to agt_b.']);
    const heard = await call(agents[0]!, 'Welcome to agt_a.');
    expect(heard).toMatchObject({ spoken: 0, results: { hit: 1 } });
    expect(heard.samples).toBeGreaterThan(0);
    expect(heard.marks).toBeGreaterThan(0);
  });

  it('speaks every phrase once for each text and voice, and an agent anew when it is published', async () => {
    await presynthesis.look(ending.signal);
    const texts = service.requests.map(({ text }) => text);
    expect(texts.slice(0, 2)).toEqual(['Welcome to agt_a.', 'Welcome to agt_b.']);
    const repeated = texts.length - new Set(texts).size;
    expect(repeated).toBe(0);
    await presynthesis.look(ending.signal);
    expect(service.requests.length).toBe(texts.length);
    agents = [agents[0]!, agentWith('agt_b', { greeting: { en: 'Welcome once more.' } }, 2)];
    await presynthesis.look(ending.signal);
    expect(service.requests.slice(texts.length).map(({ text }) => text)).toEqual(['Welcome once more.']);
  });

  it('asks nothing of a voice while a call uses it, and gives up when one does', async () => {
    const held = await tested.guard.admit(ending.signal);
    const looking = presynthesis.look(ending.signal);
    for (let second = 0; second < 5; second += 1) {
      await settle();
      tested.clock.advance(1_000);
    }
    expect(service.requests).toEqual([]);
    held!.finish('success');
    await until(async () => {
      tested.clock.advance(1_000);
      return service.requests.length > 0;
    }, 'it goes on');
    await until(async () => {
      tested.clock.advance(1_000);
      return Promise.race([looking.then(() => true), settle().then(() => false)]);
    });
  });

  it('gives up a sentence in the middle when a call needs the voice, remembers nothing of it, and says it later', async () => {
    let waits = false;
    let aborted = 0;
    const slow: TtsEngine = {
      ...{ name: 'slow', available: () => ({ ok: true }) as const, soundOf: () => 'slow', close: async () => {} },
      async *synthesize({ text }, signal) {
        yield new Int16Array(800);
        if (text !== 'Hold on.' && aborted === 0) {
          await new Promise<void>((resolve) => {
            waits = true;
            signal.addEventListener('abort', () => resolve(), { once: true });
          });
          aborted += Number(signal.aborted);
        }
        if (!signal.aborted) yield new Int16Array(800);
      },
    };
    agents = [agents[0]!];
    await open(slow);
    const looking = presynthesis.look(ending.signal);
    await until(() => waits, 'it speaks');
    let samples = 0;
    for await (const chunk of tts.synthesize(ttsRequest({ text: 'Hold on.' }), ending.signal)) samples += chunk.length;
    expect([samples, aborted]).toEqual([1_600, 1]);
    await until(async () => {
      tested.clock.advance(1_000);
      return Promise.race([looking.then(() => true), settle().then(() => false)]);
    }, 'all is said in the end');
    expect((await call(agents[0]!, 'Welcome to agt_a.')).samples).toBe(1_600);
  });

  it('leaves a phrase that fails to the calls, and asks no other voice for it', async () => {
    service = new ScriptedTts({ failOn: { agt_a: 'at-once' } });
    await open();
    for (let look = 0; look < 6; look += 1) await presynthesis.look(ending.signal);
    const asked = service.requests.filter(({ text }) => text === 'Welcome to agt_a.');
    expect(asked).toHaveLength(3);
    expect(
      (await tested.metrics.speechAhead.get()).values.find(({ labels }) => labels.outcome === 'failed')?.value,
    ).toBe(3);
  });

  it('stops with the gateway', async () => {
    void presynthesis.run(ending.signal);
    ending.abort();
    await settle();
    tested.clock.advance(120_000);
    await settle();
    expect([service.requests.length, tested.clock.pending]).toEqual([0, 0]);
  });
});
