import { describe, expect, it } from 'vitest';
import { hearingRateHz, openStt, turnEndParts } from '../../src/compose/conversation-parts.ts';
import type { Localized } from '../../src/core/agent.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { SttOptions } from '../../src/engines/stt/contract.ts';
import { createScriptedStt } from '../../src/engines/stt/scripted.ts';
import { SttByLanguage } from '../../src/engines/stt-by-language.ts';
import { agentOf } from '../support/reply-agents.ts';
import { ScriptedTurnEnd } from '../support/scripted-turn-end.ts';

it.each<{ greeting: Localized; languages: string[] }>([
  { greeting: { ar: 'حياك الله' }, languages: ['ar-SA'] },
  { greeting: { ar: 'حياك الله', en: 'Welcome' }, languages: ['ar-SA', 'en-US'] },
])(
  'recognisers are told that an agent who greets with $greeting may hear $languages',
  async ({ greeting, languages }) => {
    const asked: SttOptions[] = [];
    const scripted = createScriptedStt({ texts: [] });
    const ears = {
      ...scripted,
      open: (...[options, signal]: Parameters<typeof scripted.open>) => {
        asked.push(options);
        return scripted.open(options, signal);
      },
    };
    const engines = { speechFor: () => ({ hearing: new SttByLanguage({ ar: ears }), speaking: undefined as never }) };
    const agent = agentOf({ name: 'A', language: 'ar-SA', voice: 'v', model: 'sada-1', greeting });
    openStt(engines, agent, { phrases: [], expect: [] }, new AbortController().signal);
    expect(asked.map(({ language, languages: all }) => [language, all])).toEqual([['ar-SA', languages]]);
    await scripted.close();
  },
);

it.each([
  { rates: [8_000, 16_000], at: 16_000 },
  { rates: [8_000], at: 8_000 },
])('callers are heard at $at Hz where the recogniser of their language takes $rates', async ({ rates, at }) => {
  const asked: number[] = [];
  const scripted = createScriptedStt({ texts: [] });
  const ears = {
    ...scripted,
    capabilities: { ...scripted.capabilities, sampleRatesHz: rates },
    open: (...[options, signal]: Parameters<typeof scripted.open>) => {
      asked.push(options.sampleRateHz);
      return scripted.open(options, signal);
    },
  };
  const hearing = new SttByLanguage({ ar: ears, en: scripted });
  const engines = { speechFor: () => ({ hearing, speaking: undefined as never }) };
  const agent = agentOf({ name: 'A', language: 'ar-SA', voice: 'v', model: 'sada-1', greeting: { ar: 'حياك الله' } });
  const { signal } = new AbortController();
  expect(hearingRateHz(engines, agent)).toBe(at);
  for (const sampleRateHz of [8_000, 16_000]) {
    openStt(engines, agent, { phrases: [], expect: [] }, signal, { sampleRateHz });
  }
  openStt(engines, agent, { phrases: [], expect: [] }, signal);
  expect(asked).toEqual([8_000, at, 8_000]);
  await scripted.close();
});

describe('what judges the end of turns', () => {
  const model = new ScriptedTurnEnd([]);

  it('is nobody where no model is configured', () => {
    expect(turnEndParts(undefined, true, createMetrics())).toBeUndefined();
  });

  it('counts pauses by language, by what it said and by what they were; waits of turns that were over alone', async () => {
    const metrics = createMetrics();
    const { acts, settled } = turnEndParts(model, false, metrics)!;
    expect(acts).toBe(false);
    settled({ language: 'ar', said: 'complete', truth: 'over', probability: 0.9, ms: 30, waited: 240 });
    settled({ language: 'ar', said: 'incomplete', truth: 'cut', probability: 0.1, ms: 50, waited: 400 });
    settled({ language: 'en', said: 'late', truth: 'went-on' });
    const text = await metrics.registry.metrics();
    for (const line of [
      'nidaa_turn_end_pauses_total{language="ar",said="complete",truth="over"} 1',
      'nidaa_turn_end_pauses_total{language="ar",said="incomplete",truth="cut"} 1',
      'nidaa_turn_end_pauses_total{language="en",said="late",truth="went-on"} 1',
      'nidaa_turn_end_model_seconds_count 2',
      'nidaa_turn_end_wait_seconds_sum{language="ar",said="complete"} 0.24',
    ])
      expect(text).toContain(line);
    expect(text).not.toContain('nidaa_turn_end_wait_seconds_count{language="ar",said="incomplete"}');
  });
});
