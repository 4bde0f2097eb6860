import { describe, expect, it } from 'vitest';
import { ScriptedTts, scriptedSamples } from '../../../src/engines/tts/scripted.ts';
import { collectSpeech, ttsConformance, ttsRequest } from '../../conformance/tts.ts';

ttsConformance('scripted', () => new ScriptedTts());
ttsConformance('scripted, with marks', () => new ScriptedTts({ marks: true }));

describe('ScriptedTts', () => {
  it('gives equal samples for equal requests, of a length that can be computed', async () => {
    const engine = new ScriptedTts();
    const one = await collectSpeech(engine, ttsRequest({ text: 'hello' }));
    const two = await collectSpeech(engine, ttsRequest({ text: 'hello' }));
    expect(one.samples).toEqual(two.samples);
    expect(one.samples.length).toBe(5 * 50 * 8);
    expect(scriptedSamples(ttsRequest({ text: 'hello', speed: 2 }))).toBe(5 * 25 * 8);
    expect(engine.requests.map((request) => request.text)).toEqual(['hello', 'hello']);
  });

  it.each([
    { how: 'at-once', chunks: 0 },
    { how: 'midway', chunks: 1 },
  ] as const)('fails $how where a test wants it', async ({ how, chunks }) => {
    const engine = new ScriptedTts({ failOn: { broken: how } });
    let got = 0;
    const run = (async () => {
      for await (const _ of engine.synthesize(ttsRequest({ text: 'a broken one' }), new AbortController().signal))
        got += 1;
    })();
    await expect(run).rejects.toMatchObject({ code: 'synthesis_failed' });
    expect(got).toBe(chunks);
  });
});
