import { describe, expect, it } from 'vitest';
import { readDefinition } from '../../src/config/agent-definition.ts';
import { loadVoices } from '../../src/config/voices.ts';
import { textOf } from '../../src/core/notice.ts';
import { ROOT } from '../support/gateway.ts';
import { agentFromConfig } from '../support/reply-agents.ts';

const voices = loadVoices(`${ROOT}/config/voices.yaml`);
const { sentences: _, ...definition } = agentFromConfig('delivery-en').definition;

/** What is wrong with rules for after the call, by field. */
function problems(afterCall: unknown): readonly string[] {
  const read = readDefinition({ ...definition, afterCall }, voices);
  return 'problems' in read ? read.problems.map(({ field, said }) => `${field}: ${textOf(said)}`) : [];
}
const outcome = (rule: object) => problems({ outcomes: [{ name: 'x', ...rule }] });
const field = (rule: object) => problems({ fields: [{ name: 'x', type: 'text', ...rule }] });

describe('what is written down after a call', () => {
  it('may be what the shipped agents have', () => {
    expect(problems(definition.afterCall)).toEqual([]);
    expect(problems({ summary: true })).toEqual([]);
    expect(outcome({ means: 'Wants to be called back.' })).toEqual([]);
    expect(outcome({ meant: ['complaint', 'emergency', 'human', 'track'], result: ['done'] })).toEqual([]);
  });

  it.each([
    [
      'a flow that there is not',
      outcome({ done: ['cancle'] }),
      'outcomes[0].done[0]: expected a flow, got cancle (did you mean cancel?)',
    ],
    [
      'a wish that there is not',
      outcome({ meant: ['trak'] }),
      'outcomes[0].meant[0]: expected an intent, got trak (did you mean track?)',
    ],
    ['a result that there is not', outcome({ result: ['won'] }), 'outcomes[0].result[0]'],
    [
      'two of one name',
      problems({ outcomes: [{ name: 'x' }, { name: 'x' }] }),
      'outcomes[1].name: expected a name of its own, got x again',
    ],
    [
      'a slot that there is not',
      field({ from: 'ordre' }),
      'fields[0].from: expected a slot, got ordre (did you mean order?)',
    ],
    ['a value that nobody can know', field({}), 'fields[0].name: expected a slot, got x'],
    [
      'another type than the slot has',
      field({ name: 'order' }),
      'fields[0].type: expected digits, the type of the slot order, got text',
    ],
    [
      'choices beside those of the slot',
      field({ name: 'window', type: 'choice', choices: ['a'] }),
      'fields[0].choices: expected no choices',
    ],
    [
      'choices for a text',
      field({ means: 'x', choices: ['a'] }),
      'fields[0].choices: expected no choices for type text',
    ],
    ['a choice of nothing', field({ means: 'x', type: 'choice' }), 'fields[0]: expected choices'],
    [
      'two values of one name',
      problems({
        fields: [
          { name: 'order', type: 'digits' },
          { name: 'order', type: 'digits' },
        ],
      }),
      'fields[1].name',
    ],
  ])('may not be %s', (_name, found, wanted) => {
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(`afterCall.${wanted}`);
  });

  it('takes values for a model alone', () => {
    expect(field({ means: 'Why the caller is angry.' })).toEqual([]);
    expect(field({ type: 'choice', means: 'What they want.', choices: ['refund', 'exchange'] })).toEqual([]);
  });
});
