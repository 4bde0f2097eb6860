import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { languageOf } from '../../../src/core/agent.ts';
import { variablesOf } from '../../../src/engines/reply/template.ts';
import { agentFromConfig } from '../../support/reply-agents.ts';

describe.each(['delivery-en', 'clinic-ar'] as const)('%s.yaml', (file) => {
  const { definition } = agentFromConfig(file);
  const language = languageOf(definition.language);

  it('every intent leads somewhere and every flow is reached', () => {
    const flows = new Set((definition.flows ?? []).map((flow) => flow.name));
    const used = new Set<string>();
    for (const intent of definition.intents ?? []) {
      expect(Boolean(intent.flow ?? intent.answer ?? intent.action), intent.name).toBe(true);
      if (intent.flow === undefined) continue;
      expect(flows).toContain(intent.flow);
      used.add(intent.flow);
    }
    expect(used).toEqual(flows);
  });

  it('every look-up names a table with that key, and its columns are what the texts need', () => {
    for (const flow of definition.flows ?? []) {
      const slots = flow.slots.map((slot) => slot.name);
      for (const action of flow.actions) {
        if (action.type !== 'lookup') continue;
        expect(slots).toContain(action.key);
        const rows = definition.tables?.[action.table] ?? [];
        expect(rows.length).toBeGreaterThanOrEqual(5);
        for (const row of rows) {
          expect(row[action.key], 'keys are quoted strings').toBeTypeOf('string');
          for (const name of variablesOf(action.then[language] ?? ''))
            expect([...slots, ...Object.keys(row)]).toContain(name);
        }
      }
    }
  });

  it('says everything in its language, in short sentences', () => {
    const texts = [
      ...(definition.knowledge ?? []).map((item) => item.answer[language] ?? ''),
      ...(definition.flows ?? []).flatMap((flow) => flow.slots.flatMap((slot) => slot.prompts[language] ?? [])),
    ];
    for (const text of texts) {
      expect(text).not.toBe('');
      expect(text.length, text).toBeLessThan(160);
    }
  });

  it('speaks with a voice of the catalogue', () => {
    const text = readFileSync(new URL('../../../config/voices.yaml', import.meta.url), 'utf8');
    const voices = (parse(text) as { voices: { id: string; language: string }[] }).voices;
    expect(voices.find((voice) => voice.id === definition.voice)?.language).toBe(definition.language);
  });
});
