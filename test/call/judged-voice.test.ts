import { describe, expect, it } from 'vitest';
import { VoiceWatch } from '../../src/call/voice-watch.ts';
import { voiceParts } from '../../src/compose/conversation-parts.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { VoiceNote } from '../../src/core/turn-details.ts';
import { rig, SPEECH_LEVEL, SyllableVad } from '../support/conversation-rig.ts';
import { ScriptedVoice } from '../support/scripted-voice.ts';

const NOISE = 3_000; // loud to the detector, and no word

/** A conversation in which a model judges beside the detector: what is louder than noise is a voice to it. */
function call(mode: 'own' | 'shadow' | 'model', judge = (first: number) => (first >= SPEECH_LEVEL ? 0.9 : 0.1)) {
  const model = new ScriptedVoice(judge);
  const metrics = createMetrics();
  const { vad, voice } = voiceParts(new SyllableVad(), model, mode, metrics);
  const c = rig({ vad, ...(voice && { voiceWatch: voice }) });
  const hear = async (ms: number, level: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 20) {
      c.port.hear(20, level);
      await c.run(20);
    }
  };
  const counted = async (): Promise<string[]> =>
    (await metrics.registry.metrics()).split('\n').filter((line) => /^nidaa_voice_(?:found|model)/.test(line));
  return { ...c, model, hear, counted };
}
const greeted = async (c: ReturnType<typeof call>) => {
  c.conversation.greet();
  await c.silence(1_500);
  return c;
};
const softer = (c: ReturnType<typeof call>): boolean => c.port.gainsDb.some((gainDb) => gainDb < 0);

describe('a conversation with a judge of voices', () => {
  it.each([
    { mode: 'own', yields: true },
    { mode: 'shadow', yields: true },
    { mode: 'model', yields: false },
  ] as const)('softens the agent for noise or not: $mode', async ({ mode, yields }) => {
    const c = call(mode);
    c.conversation.greet();
    await c.silence(400);
    await c.hear(800, NOISE);
    expect(softer(c)).toBe(yields);
    expect(c.model.followed).toBe(mode === 'own' ? 0 : 1);
  });

  it('hears the whole of what was doubted at first', async () => {
    const c = await greeted(call('model', (first) => (first === SPEECH_LEVEL + 1 ? 0.9 : 0.1)));
    // The first 300 ms of the words are none to the model.
    await c.say('where is', 300);
    await c.say('my order', 500);
    await c.silence(2_000);
    expect(c.requests.map(({ text }) => text)).toEqual(['where is my order']);
  });

  it('goes on with its detector when the model is late, in the middle of a sentence, too', async () => {
    const c = await greeted(call('model'));
    await c.say('where is', 300);
    c.model.holds = true;
    c.model.leave('late');
    await c.say('my order', 500);
    await c.silence(2_000);
    expect(c.requests.map(({ text }) => text)).toEqual(['where is my order']);
    expect(await c.counted()).toEqual([
      'nidaa_voice_found_total{language="en",found="away",words="yes"} 1',
      'nidaa_voice_model_away_total{why="late"} 1',
    ]);
  });

  it('V5 has on record what each took for speech, and whether there were words in it', async () => {
    const c = await greeted(call('shadow'));
    await c.say('where is my order', 800);
    await c.silence(3_000);
    await c.hear(300, NOISE);
    await c.silence(3_000);
    const [turn] = c.turns.filter(({ role }) => role === 'caller');
    expect(turn!.details!.voice).toEqual({
      ...{ language: 'en', found: 'both', words: true, laterMs: 0 },
      ...{ detectorMs: expect.any(Number), togetherMs: expect.any(Number) },
    });
    expect(await c.counted()).toEqual([
      'nidaa_voice_found_total{language="en",found="both",words="yes"} 1',
      'nidaa_voice_found_total{language="en",found="denied",words="no"} 1',
    ]);
    c.conversation.close();
    expect(c.model.closed).toBe(1);
  });
});

describe('what was found of a turn', () => {
  const stretch = (detectorMs: number, togetherMs: number, more = {}) => ({
    ...{ detectorMs, togetherMs, away: false },
    ...more,
  });
  it.each([
    { stretches: [stretch(400, 300, { laterMs: 100.4 })], found: { found: 'both', detectorMs: 400, laterMs: 100 } },
    { stretches: [stretch(400, 0), stretch(200, 0)], found: { found: 'denied', detectorMs: 600, togetherMs: 0 } },
    { stretches: [stretch(0, 300)], found: { found: 'added', togetherMs: 300 } },
    { stretches: [stretch(0, 300), stretch(300, 0)], found: { found: 'both' } },
    { stretches: [stretch(300, 300), stretch(300, 300, { away: true })], found: { found: 'away' } },
  ])('is $found.found', ({ stretches, found }) => {
    const notes: VoiceNote[] = [];
    const watch = new VoiceWatch((note) => notes.push(note));
    for (const one of stretches) watch.compared(one);
    expect(watch.settle('ar', true)).toMatchObject({ language: 'ar', words: true, ...found });
    expect(watch.settle('ar', false)).toBeUndefined();
    expect(notes).toHaveLength(1);
  });
});
