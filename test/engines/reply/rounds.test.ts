import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SlotDefinition, SlotType } from '../../../src/core/agent.ts';
import { takeTurn } from '../../../src/engines/reply/dialogue.ts';
import { initialState } from '../../../src/engines/reply/dialogue-state.ts';
import { readSlots } from '../../../src/language/values/slot-filling.ts';
import { wordsOf } from '../../../src/language/words.ts';
import { TODAY } from '../../language/values/read-slot.ts';
import { EVERY_TEST, someOf } from '../../support/property-runs.ts';
import { agentFromConfig, compiledAgents } from '../../support/reply-agents.ts';

/** The labelled rounds of `fixtures/`: all of them have been seen since, so this only holds what was reached. */
function rowsOf(file: string): string[][] {
  return readFileSync(new URL(`./fixtures/${file}.tsv`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}

/** Shares of a third are further from those of all of them. */
const OF_SOME = EVERY_TEST ? 1 : 1.5;

describe.each(['delivery-en', 'clinic-ar'] as const)('first sentences to %s', (file) => {
  const shipped = agentFromConfig(file);
  const { definition } = shipped;
  const agent = compiledAgents.get(shipped);
  const rows = rowsOf(`utterances-${file}`);
  const asked = new Map(rows.filter(([key]) => key!.startsWith('@')).map(([key, text]) => [key!.slice(1), text!]));
  const idOf = (meaning: string): string => {
    if (!meaning.startsWith('?')) return agent.meaning(`intent:${meaning}`) ? `intent:${meaning}` : `stock:${meaning}`;
    const first = asked.get(meaning.slice(1)) ?? '';
    const index = (definition.knowledge ?? []).findIndex(({ question }) =>
      [...(question.ar ?? []), ...(question.en ?? [])].includes(first),
    );
    return `knowledge:${index}`;
  };

  it('are mostly understood, rarely wrongly', () => {
    const all = rows.filter(([key]) => !key!.startsWith('@'));
    expect(all.length).toBeGreaterThan(700);
    const said = someOf(all, 3);
    const inScope = said.filter(([, , meaning]) => meaning !== 'none');
    let right = 0;
    let wrong = 0;
    let takenOfIdle = 0;
    for (const [, , meaning, text] of said) {
      const allowed = meaning!.split('|').map(idOf);
      const { meant, state } = takeTurn(agent, initialState(agent.language), text!, {
        today: TODAY,
        mode: 'voice',
        variables: {},
        trusted: true,
      });
      if (state.pending.kind === 'choose' || meant.length === 0) continue; // asked back, or not understood
      if (meaning === 'none') takenOfIdle += 1;
      else if (meant.some((id) => allowed.includes(id))) right += 1;
      else wrong += 1;
    }
    expect(right / inScope.length).toBeGreaterThan(0.8);
    expect(wrong / inScope.length).toBeLessThan(0.035 * OF_SOME);
    expect(takenOfIdle / (said.length - inScope.length)).toBeLessThan(0.14 * OF_SOME);
  });
});

describe.each(['en', 'ar'] as const)('values said in %s', (language) => {
  it('are read, and hardly ever another one', () => {
    const rows = rowsOf(`slots-${language}`);
    let right = 0;
    let wrong = 0;
    for (const [, kind, expected, text] of rows) {
      const [type, digits] = kind!.split(':');
      const bounds = digits ? { minDigits: Number(digits), maxDigits: Number(digits) } : {};
      const slot: SlotDefinition = { name: 'slot', type: type as SlotType, prompts: {}, ...bounds };
      const value = readSlots(wordsOf(text!), [slot], TODAY, 'slot').values.slot?.value ?? '-';
      if (value === expected) right += 1;
      else if (value !== '-') wrong += 1;
    }
    expect(rows.length).toBeGreaterThan(200);
    expect(right / rows.length).toBeGreaterThan(0.97);
    expect(wrong).toBeLessThanOrEqual(2);
  });
});
