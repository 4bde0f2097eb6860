import { Type } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import type { AgentDefinition, SpeechPrivacy } from '../../src/core/agent.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { localProvider, type ProviderDeps, provider } from '../../src/engines/providers/provider.ts';
import { speechElsewhere, speechSentences } from '../../src/engines/speech-elsewhere.ts';
import { hearElsewhere } from '../../src/engines/speech-privacy.ts';
import { type SpeechChoice, SpeechSet } from '../../src/engines/speech-set.ts';
import type { RemoteStt, SttEngine } from '../../src/engines/stt/contract.ts';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import type { RemoteTts } from '../../src/engines/tts/contract.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { collectSpeech, ttsRequest } from '../conformance/tts.ts';
import { TEST_LIMITS } from '../support/engine-guards.ts';
import { agentOf } from '../support/reply-agents.ts';

/** A provider that tells what was made of it. */
function fakeProvider() {
  const made: string[] = [];
  const deps: ProviderDeps[] = [];
  const row = provider({
    name: 'far',
    settings: Type.Object({ baseUrl: Type.String(), model: Type.String() }),
    needs: {},
    reach: async () => [],
    stt: ({ model }, own) => {
      made.push(`ears ${model}`);
      deps.push(own);
      const { available, ...engine } = createScriptedStt({ texts: ['heard far away'] });
      return { ...engine, available, remote: true } satisfies RemoteStt;
    },
    tts: ({ model }) => {
      made.push(`voice ${model}`);
      const engine = new ScriptedTts();
      return {
        ...{ name: 'far', remote: true as const, available: () => engine.available(), close: () => engine.close() },
        soundOf: (voice) => engine.soundOf(voice),
        synthesize: (request, signal) => engine.synthesize(request, signal),
      } satisfies RemoteTts;
    },
  });
  return { row, made, deps };
}

/** Models on this machine, as far as the set knows them. */
const near = (made: string[]) =>
  localProvider({
    name: 'near',
    settings: Type.Object({ model: Type.String() }),
    lacks: () => undefined,
    stt: ({ model, modelsDir }) => {
      made.push(`ears ${model} of ${modelsDir}`);
      return createScriptedStt({ texts: ['heard here'] });
    },
    tts: ({ model, modelsDir }) => {
      made.push(`voice ${model} of ${modelsDir}`);
      return new ScriptedTts();
    },
  });

const agent = (speechPrivacy?: SpeechPrivacy) =>
  agentOf({ name: 'A', language: 'en-US', voice: 'v', ...(speechPrivacy && { speechPrivacy }) } as AgentDefinition);

function setOf(speechPrivacy: SpeechPrivacy, change: Partial<SpeechChoice> = {}) {
  const { row, made, deps } = fakeProvider();
  const metrics = createMetrics();
  const choice = {
    ...{ stt: { ar: ['far'], en: ['far'] }, tts: ['far'], speechPrivacy },
    limits: { stt: TEST_LIMITS, tts: TEST_LIMITS },
    far: { baseUrl: 'http://127.0.0.1:1', model: 'm' },
    ...change,
  };
  const parts = { clock: systemClock, logger: silentLogger, metrics, cacheDir: '/tmp' };
  return { set: new SpeechSet(choice, parts, [row], [near(made)]), made, deps, metrics };
}

describe('who may be heard and answered by a service', () => {
  it('nobody, before it was written: the service is not even made, and everything says what to write', async () => {
    const { set, made } = setOf('local');
    const { hearing, speaking } = set.byDefault;
    for (const state of [hearing.available('ar-SA'), hearing.available('en-US'), speaking.available()]) {
      expect(state).toMatchObject({ ok: false, why: expect.stringContaining('speechPrivacy: remote') });
    }
    const stream = hearing.open(
      { language: 'ar-SA', sampleRateHz: 8000, interim: false },
      new AbortController().signal,
    );
    stream.write({ samples: new Int16Array(160), sampleRateHz: 8000 });
    await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(collectSpeech(speaking, ttsRequest())).rejects.toMatchObject({ code: 'unavailable' });
    expect(set.for(agent('local')).hearing.available('ar-SA').ok).toBe(false);
    expect(made).toEqual([]);
    await set.close();
  });

  it('nobody, by a second recogniser either: a service for the other language is not asked', async () => {
    const { set, made } = setOf('local', { stt: { ar: ['far'], en: ['near'] }, near: { model: 'n' } } as object);
    const languages = ['ar-SA', 'en-US'];
    const { hearing } = set.byDefault;
    hearing.warmUp({ language: 'en-US', languages });
    const options = { language: 'en-US', languages, sampleRateHz: 8000, interim: false };
    const stream = hearing.open(options, new AbortController().signal);
    stream.write({ samples: new Int16Array(8000), sampleRateHz: 8000 });
    stream.flush();
    expect((await stream[Symbol.asyncIterator]().next()).value).toMatchObject({ text: 'heard here' });
    expect(made).toEqual([expect.stringContaining('ears n')]);
    await set.close();
  });

  it('all, where the configuration says so, but callers of an agent that says otherwise', async () => {
    const { set, made } = setOf('remote');
    expect(set.byDefault.hearing.available('ar-SA')).toEqual({ ok: true });
    expect((await collectSpeech(set.for(agent()).speaking, ttsRequest())).seconds).toBeGreaterThan(1);
    const { hearing, speaking } = set.for(agent('local'));
    expect([hearing.available('ar-SA').ok, speaking.available().ok]).toEqual([false, false]);
    expect(made.sort()).toEqual(['ears m', 'voice m']);
    await set.close();
  });

  it('callers of one agent, where only its file says so', async () => {
    const { set, made } = setOf('local');
    expect(made).toEqual([]);
    expect(set.for(agent('remote')).hearing.available('ar-SA')).toEqual({ ok: true });
    expect([set.byDefault.hearing.available('ar-SA').ok, set.for(agent()).speaking.available().ok]).toEqual([
      ...[false, false],
    ]);
    await set.close();
  });

  it('by those at home where a service is only one of several', async () => {
    const { set } = setOf('local', { tts: ['far', 'espeak'] });
    expect(set.byDefault.speaking.available()).toEqual({ ok: true });
    expect((await collectSpeech(set.byDefault.speaking, ttsRequest())).seconds).toBeGreaterThan(1);
    await set.close();
  });

  it('by models on this machine without being asked, which are made when they are named', async () => {
    const own = { near: { model: 'm', modelsDir: '/models' } };
    const { set, made } = setOf('local', {
      stt: { ar: ['far', 'near'], en: ['pocketsphinx'] },
      tts: ['near'],
      ...own,
    } as object);
    expect(set.byDefault.hearing.available('ar-SA')).toEqual({ ok: true });
    expect((await collectSpeech(set.byDefault.speaking, ttsRequest())).seconds).toBeGreaterThan(1);
    expect(made.sort()).toEqual(['ears m of /models', 'voice m of /models']);
    const places = set.members().map(({ capability, engine, place }) => `${capability} ${engine} ${place}`);
    expect(places).toEqual(['stt pocketsphinx local', 'stt far remote', 'stt near local', 'tts near local']);
    await set.close();
    expect(() => setOf('local', { tts: ['near'] })).toThrow('engines.near: expected its settings');
  });

  it('refuses an engine that does not exist, and a service without its settings', () => {
    expect(() => setOf('remote', { tts: ['nobody'] })).toThrow('engines.tts: expected one of espeak, far, near, none');
    expect(() => setOf('local', { stt: { ar: ['espeak'], en: [] } })).toThrow('engines.stt: expected one of');
    expect(() => setOf('remote', { ...{ far: undefined } } as object)).toThrow('engines.far: expected its settings');
  });

  it('counts what a service was sent', async () => {
    const { set, deps, metrics } = setOf('remote');
    deps[0]?.used('far', 'audio-seconds', 1.5);
    deps[0]?.used('far', 'audio-seconds', 2);
    const { values } = await metrics.engineUsed.get();
    expect(values).toEqual([{ value: 3.5, labels: { capability: 'stt', engine: 'far', unit: 'audio-seconds' } }]);
    await set.close();
  });

  it('fits nowhere but behind the gate', () => {
    const remote: RemoteStt = { ...createScriptedStt({ texts: [] }), remote: true };
    // @ts-expect-error: ears of a service are no `SttEngine`.
    const wrong: SttEngine = remote;
    const right: SttEngine = hearElsewhere(remote);
    expect([wrong.remote, right.remote]).toEqual([true, undefined]);
  });
});

describe('what is told of services', () => {
  const choice = {
    ...{ stt: { ar: ['openai'], en: ['pocketsphinx', 'openai'] }, tts: ['espeak'], speechPrivacy: 'local' as const },
    limits: { stt: TEST_LIMITS, tts: TEST_LIMITS },
    openai: { baseUrl: 'https://speech.example.com:8443/v1' },
  };
  it('names each, its host and what it gets', () => {
    expect(speechSentences(choice)).toEqual([
      'openai at speech.example.com:8443 gets the audio of callers (engines.stt.ar)',
      'openai at speech.example.com:8443 gets the audio of callers (engines.stt.en)',
    ]);
    expect(speechSentences({ ...choice, stt: { ar: [], en: [] }, tts: ['openai', 'espeak'] })).toEqual([
      'openai at speech.example.com:8443 gets what agents say, with the names and numbers in it (engines.tts)',
    ]);
    expect(speechElsewhere({ ...choice, stt: { ar: ['none'], en: ['pocketsphinx'] } })).toEqual([]);
  });

  it.each([
    {
      name: 'wyoming',
      settings: { baseUrl: 'tcp://10.0.0.7:10300', speechUrl: 'tcp://10.0.0.8:10200' },
      hosts: ['10.0.0.7:10300', '10.0.0.8:10200'],
    },
    { name: 'wyoming', settings: { baseUrl: 'tcp://10.0.0.7:10300' }, hosts: ['10.0.0.7:10300', '10.0.0.7:10300'] },
    {
      name: 'azure',
      settings: { baseUrl: 'https://uaenorth.stt.speech.microsoft.com' },
      hosts: ['uaenorth.stt.speech.microsoft.com', 'uaenorth.tts.speech.microsoft.com'],
    },
  ])('names where it speaks beside where it hears: $name, $hosts', ({ name, settings, hosts }) => {
    const told = { ...choice, stt: { ar: [name], en: [] }, tts: [name], [name]: settings };
    expect(speechElsewhere(told).map(({ host }) => host)).toEqual(hosts);
  });
});
