import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SlotDefinition } from '../../src/core/agent.ts';
import { compileAgent } from '../../src/engines/reply/compiled-agent.ts';
import { initialState } from '../../src/engines/reply/dialogue-state.ts';
import { expectationOf } from '../../src/engines/reply/expectation.ts';
import { refusalText } from '../../src/language/values/refusal.ts';
import { same } from '../../src/language/values/slot.ts';
import { validate } from '../../src/language/values/validate.ts';
import { agentFromConfig } from '../support/reply-agents.ts';

/** A Sunday, ten in the morning. */
const NOW = { today: { year: 2026, month: 11, day: 22 }, minuteOfDay: 600 };

describe('the shipped agents book only what there is', () => {
  const slotsOf = (file: 'clinic-ar' | 'delivery-en', name: string): SlotDefinition[] => {
    const slots = (agentFromConfig(file).definition.flows ?? []).flatMap((flow) => flow.slots);
    return slots.filter((slot) => slot.name === name);
  };
  it.each([
    { file: 'clinic-ar', slot: 'date', value: '2026-11-27', says: 'الجمعة إجازة عندنا.' },
    { file: 'clinic-ar', slot: 'date', value: '2026-11-22', says: undefined },
    { file: 'clinic-ar', slot: 'time', value: '08:00', says: 'الدوام من التاسعة صباحًا إلى التاسعة مساءً.' },
    { file: 'clinic-ar', slot: 'time', value: '20:30', says: undefined },
    { file: 'delivery-en', slot: 'date', value: '2026-11-22', says: /from tomorrow/ },
    { file: 'delivery-en', slot: 'date', value: '2026-11-27', says: /from Saturday to Thursday/ },
    { file: 'delivery-en', slot: 'date', value: '2026-12-06', says: undefined },
    { file: 'delivery-en', slot: 'date', value: '2026-12-07', says: /two weeks/ },
  ] as const)('$file: $slot $value', ({ file, slot: name, value, says }) => {
    const slots = slotsOf(file, name);
    expect(slots.length).toBeGreaterThan(0);
    for (const slot of slots) {
      const refusal = validate(slot, { value, say: same(value) }, NOW);
      const text = refusal && refusalText(refusal, slot, file === 'clinic-ar' ? 'ar' : 'en');
      if (says instanceof RegExp) expect(text).toMatch(says);
      else expect(text).toBe(says);
    }
  });

  it.each(['clinic-ar', 'delivery-en'] as const)('%s sends callers in danger to the emergency number first', (file) => {
    const { routes, language } = agentFromConfig(file).definition;
    const text = routes?.emergency?.text[language.startsWith('ar') ? 'ar' : 'en'];
    expect(text).toMatch(/تسعة تسعة سبعة|nine nine seven/);
    expect(routes?.complaint?.action).toEqual({ type: 'transfer' });
  });

  it('listens for what callers of the delivery line ask first of all: what is not in the grammar is heard as something else', () => {
    const { phrases } = expectationOf(
      compileAgent(agentFromConfig('delivery-en').definition),
      initialState('en'),
    ).hints;
    const asked = [
      ...['what are your opening hours', 'where do you deliver', 'how can i pay', 'do you ship abroad'],
      ...['what is the maximum weight', 'how long does a refund take', 'how long does delivery take'],
    ];
    expect(asked.filter((question) => !phrases.includes(question))).toEqual([]);
  });

  it.each(['clinic-ar', 'delivery-en'] as const)('%s can be read in one go', (file) => {
    const path = new URL(`../../config/agents/${file}.yaml`, import.meta.url);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThan(265);
    expect(lines.filter((line) => line.length > 160)).toEqual([]);
  });
});
