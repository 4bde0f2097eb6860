import { describe, expect, it } from 'vitest';
import type { AgentDefinition } from '../../src/core/agent.ts';
import { ServiceUse } from '../../src/core/service-use.ts';
import { SpeechPipeline } from '../../src/engines/speech-pipeline.ts';
import { createNormalizer } from '../../src/engines/text/normalize/speakable-normalizer.ts';
import type { SpeechMark } from '../../src/engines/tts/contract.ts';
import { ScriptedTts } from '../../src/engines/tts/scripted.ts';
import { TEST_VOICE, TEST_VOICE_AR } from '../conformance/tts.ts';
import { agentOf } from '../support/reply-agents.ts';

const never = new AbortController().signal;

async function said(change: Partial<AgentDefinition>, text: string, language: 'ar' | 'en', none = false) {
  const list = none ? [] : [TEST_VOICE, TEST_VOICE_AR];
  const tts = new ScriptedTts();
  const voices = { list, get: (id: string) => list.find((voice) => voice.id === id) };
  const pipeline = new SpeechPipeline({ normalizer: createNormalizer(), ttsFor: () => tts, voices });
  const definition = { name: 'Test', language: 'en-US', voice: TEST_VOICE.id, model: 'sada-1', ...change };
  const agent = agentOf(definition as unknown as AgentDefinition);
  for await (const _chunk of pipeline.speechOf(agent)(text, language, never));
  return tts.requests[0]!;
}

describe('SpeechPipeline', () => {
  it('says a text as it is spoken, at the telephone rate', async () => {
    const request = await said({}, 'It costs 25 SAR.', 'en');
    expect(request.text).toContain('twenty-five');
    expect(request).toMatchObject({ sampleRateHz: 8000, speed: 1, pitchSemitones: 0, voice: { id: TEST_VOICE.id } });
  });

  it('chooses a voice that speaks the language of the sentence', async () => {
    expect((await said({}, 'مرحبا', 'ar')).voice.id).toBe(TEST_VOICE_AR.id);
  });

  it.each([
    { model: 'sada-1', pitchSemitones: 0 },
    { model: 'nabra-1', pitchSemitones: 3 },
  ])('$model: pitch $pitchSemitones', async ({ model, pitchSemitones }) => {
    const request = await said({ model, pitch: 3, speed: 1.5 } as Partial<AgentDefinition>, 'Hi.', 'en');
    expect(request).toMatchObject({ pitchSemitones, speed: 1.5 });
  });

  it('gives the marks of the synthesiser as places of the text that was written', async () => {
    const voices = { list: [TEST_VOICE], get: () => TEST_VOICE };
    const pipeline = new SpeechPipeline({
      normalizer: createNormalizer(),
      ttsFor: () => new ScriptedTts({ marks: true }),
      voices,
    });
    const agent = agentOf({ name: 'Test', language: 'en-US', voice: TEST_VOICE.id } as unknown as AgentDefinition);
    const text = 'It costs 25 SAR today.';
    const marks: SpeechMark[] = [];
    for await (const chunk of pipeline.speechOf(agent)(text, 'en', never)) marks.push(...(chunk.marks ?? []));
    const said = marks.map(({ charEnd }) => text.slice(0, charEnd).trim());
    expect([...new Set(said)]).toEqual(['It', 'It costs', 'It costs 25 SAR', 'It costs 25 SAR today.']);
    expect(marks.map(({ atMs }) => atMs)).toEqual(marks.map(({ atMs }) => atMs).sort((a, b) => a - b));
  });

  it('passes on who is to be told what it takes of services', async () => {
    const tts = new ScriptedTts();
    const voices = { list: [TEST_VOICE], get: () => TEST_VOICE };
    const pipeline = new SpeechPipeline({ normalizer: createNormalizer(), ttsFor: () => tts, voices });
    const agent = agentOf({ name: 'Test', language: 'en-US', voice: TEST_VOICE.id } as unknown as AgentDefinition);
    const use = new ServiceUse();
    for await (const _chunk of pipeline.speechOf(agent, use.tell)('Hi.', 'en', never));
    expect([tts.requests[0]?.used, use.totals]).toEqual([use.tell, undefined]);
  });

  it('fails as the synthesiser does where there is no voice at all', async () => {
    await expect(said({}, 'Hi.', 'en', true)).rejects.toMatchObject({ code: 'synthesis_failed' });
  });
});
