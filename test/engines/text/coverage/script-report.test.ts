import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadAgents } from '../../../../src/config/agents.ts';
import { loadVoices } from '../../../../src/config/voices.ts';
import type { AgentDefinition } from '../../../../src/core/agent.ts';
import { createScriptChecker, scriptTexts } from '../../../../src/engines/text/coverage/script-report.ts';

const AGENT: AgentDefinition = {
  name: 'Test',
  language: 'ar-SA',
  voice: 'noura',
  model: 'sada-1',
  greeting: { ar: 'أهلاً {{caller}} في {{clinic}}.', en: 'Hello.' },
  variables: { clinic: 'عيادة Zorba' },
  intents: [
    { name: 'a', label: { ar: 'حجز' }, examples: { ar: ['ابي booking'] }, answer: { ar: 'الكشف بـ150 ريال.' } },
    { name: 'b', examples: {}, action: { type: 'transfer', text: { ar: 'أحولك.' } } },
  ],
  flows: [
    {
      name: 'f',
      slots: [
        {
          name: 's',
          type: 'choice',
          prompts: { ar: ['أي gizmo تبي؟', 'قل الأول أو الثاني.'] },
          confirm: { ar: 'صح؟' },
          choices: [{ value: 'x', say: { ar: ['الأول', 'first one'] } }],
        },
      ],
      confirm: { ar: 'أأكد؟' },
      actions: [
        { type: 'say', text: { ar: 'تم.' } },
        // biome-ignore lint/suspicious/noThenProperty: the word that agent files use
        { type: 'lookup', table: 't', key: 's', then: { ar: 'عندك {{item}}' }, otherwise: { ar: 'ما لقيت.' } },
      ],
    },
  ],
  knowledge: [{ question: { ar: ['وين blorpa'] }, answer: { ar: 'نحن في الرياض. الدوام 8 ص إلى 5 م.' } }],
  tables: { t: [{ s: 'x', item: 'علبة Xylo', hidden: 'Quux' }] },
  noMatch: { ar: ['ما فهمت.'] },
  noInput: { ar: ['معي؟'] },
  goodbye: { ar: 'مع السلامة' },
};

describe('what an agent can say', () => {
  it('is everything it says and nothing its callers say, each with its place', () => {
    expect(scriptTexts(AGENT).map(({ path, text }) => [path.join('.'), text])).toEqual([
      ['greeting.ar', 'أهلاً {{caller}} في {{clinic}}.'],
      ['greeting.en', 'Hello.'],
      ['variables.clinic', 'عيادة Zorba'],
      ['intents.0.label.ar', 'حجز'],
      ['intents.0.answer.ar', 'الكشف بـ150 ريال.'],
      ['intents.1.action.text.ar', 'أحولك.'],
      ['flows.0.slots.0.prompts.ar.0', 'أي gizmo تبي؟'],
      ['flows.0.slots.0.prompts.ar.1', 'قل الأول أو الثاني.'],
      ['flows.0.slots.0.confirm.ar', 'صح؟'],
      ['flows.0.slots.0.choices.0.say.ar.0', 'الأول'],
      ['flows.0.confirm.ar', 'أأكد؟'],
      ['flows.0.actions.0.text.ar', 'تم.'],
      ['flows.0.actions.1.then.ar', 'عندك {{item}}'],
      ['flows.0.actions.1.otherwise.ar', 'ما لقيت.'],
      ['knowledge.0.answer.ar', 'نحن في الرياض. الدوام 8 ص إلى 5 م.'],
      ['tables.t.0.item', 'علبة Xylo'],
      ['noMatch.ar.0', 'ما فهمت.'],
      ['noInput.ar.0', 'معي؟'],
      ['goodbye.ar', 'مع السلامة'],
    ]);
  });
});

describe('the pronunciation of an agent', () => {
  const report = createScriptChecker()(AGENT);

  it('flags what the normaliser leaves, sentence by sentence; numbers it expands are no trouble', () => {
    expect(report.flagged.map(({ path, sentence, token, reason }) => [path[0], sentence, token, reason])).toEqual([
      ['greeting', 'أهلاً {{caller}} في {{clinic}}.', 'Zorba', 'latin_word'],
      ['variables', 'عيادة Zorba', 'Zorba', 'latin_word'],
      ['flows', 'أي gizmo تبي؟', 'gizmo', 'latin_word'],
      ['tables', 'علبة Xylo', 'Xylo', 'latin_word'],
    ]);
    expect(report.flagged.every(({ hint }) => /[\u0621-\u064a]/.test(hint))).toBe(true);
  });

  it('counts sentences, words and flags', () => {
    expect(report.sentences).toBe(20);
    expect(report.flagged_count).toBe(4);
    expect(report.coverage).toBe(Math.round((10_000 * (report.token_count - 4)) / report.token_count) / 10_000);
  });

  it.each([
    ['letters said one by one', 'Your V A T is 15%.', []],
    ['names read as words', 'Enter your PIN, please.', []],
    ['acronyms are spelled by the normaliser', 'The OTP came by SMS.', []],
    ['asset tags are spelled by the normaliser', 'Pump P-101A is off.', []],
  ])('in English: %s', (_name, text, tokens) => {
    const agent = { ...AGENT, language: 'en-US', greeting: { en: text }, intents: [], flows: [], knowledge: [] };
    const { variables: _variables, tables: _tables, ...plain } = agent;
    expect(createScriptChecker()(plain).flagged.map(({ token }) => token)).toEqual(tokens);
  });
});

describe('the agents that come with the gateway', () => {
  const folder = (name: string): string => fileURLToPath(new URL(`../../../../config/${name}`, import.meta.url));
  const files = loadAgents(folder('agents'), loadVoices(folder('voices.yaml')));

  it.each(files.map(({ definition }) => [definition.name, definition] as const))('%s is clean', (_name, definition) => {
    const { flagged, sentences } = createScriptChecker()(definition);
    expect(flagged.map(({ path, token }) => `${path.join('.')} ${token}`)).toEqual([]);
    expect(sentences).toBeGreaterThan(40);
  });
});
