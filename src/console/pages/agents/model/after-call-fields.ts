/** What is written down of calls that are over: its part of the form. */
const at = (name: string) => ({ path: [name] });

/** @param types - kinds of values. */
export const afterCallShapes = <T extends string>(types: readonly T[]) =>
  ({
    outcome: {
      heads: [['label', 'LANGUAGE'], ['name']],
      start: { name: 'outcome', result: ['done'] },
      fields: [
        { id: 'outcome.name', kind: 'line', ...at('name'), isCode: true },
        { id: 'outcome.label', kind: 'spoken', ...at('label') },
        { id: 'outcome.done', kind: 'lines', ...at('done'), isCode: true, example: 'flow' },
        { id: 'outcome.meant', kind: 'lines', ...at('meant'), isCode: true, example: 'complaint' },
        { id: 'outcome.result', kind: 'lines', ...at('result'), isCode: true, example: 'transferred' },
        { id: 'outcome.means', kind: 'area', ...at('means') },
      ],
    },
    callField: {
      heads: [['label', 'LANGUAGE'], ['name']],
      start: { name: 'value', type: 'text' },
      fields: [
        { id: 'callField.name', kind: 'line', ...at('name'), isCode: true },
        { id: 'callField.label', kind: 'spoken', ...at('label') },
        { id: 'slot.type', kind: 'choice', ...at('type'), values: types },
        { id: 'callField.from', kind: 'reference', ...at('from'), to: 'slots' },
        { id: 'callField.means', kind: 'area', ...at('means') },
        {
          id: 'callField.choices',
          kind: 'lines',
          ...at('choices'),
          example: 'refund',
          when: { field: 'type', is: ['choice'] },
        },
      ],
    },
  }) as const;

export const AFTER_CALL_FIELDS = [
  { id: 'afterCall.engine', kind: 'choice', path: ['afterCall', 'engine'], values: ['dialogue', 'openai'] },
  { id: 'afterCall.summary', kind: 'switch', path: ['afterCall', 'summary'] },
  { id: 'afterCall.outcomes', kind: 'list', path: ['afterCall', 'outcomes'], shape: 'outcome' },
  { id: 'afterCall.fields', kind: 'list', path: ['afterCall', 'fields'], shape: 'callField' },
] as const;
