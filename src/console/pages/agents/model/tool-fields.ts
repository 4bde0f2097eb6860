/** What a model may call: its part of the form. */
const at = (name: string) => ({ path: [name] });

/** @param rules - fields that hold a value to its kind, as slots have them. */
export const toolShapes = <Rule>(types: readonly string[], rules: readonly Rule[]) =>
  ({
    tool: {
      heads: [['name']],
      start: {
        ...{ name: 'tool', description: '', method: 'GET', url: 'https://' },
        parameters: [],
      },
      fields: [
        { id: 'tool.name', kind: 'line', ...at('name'), isCode: true },
        { id: 'tool.description', kind: 'area', ...at('description') },
        { id: 'tool.parameters', kind: 'list', ...at('parameters'), shape: 'parameter' },
        { id: 'action.method', kind: 'choice', ...at('method'), values: ['GET', 'POST'] },
        {
          id: 'action.url',
          kind: 'line',
          ...at('url'),
          isCode: true,
          example: 'https://api.example.com/orders/{{order}}',
        },
        { id: 'action.body', kind: 'record', ...at('body') },
        { id: 'action.headers', kind: 'record', ...at('headers') },
        { id: 'action.timeoutMs', kind: 'number', ...at('timeoutMs'), min: 100, max: 30_000, unit: 'milliseconds' },
        { id: 'tool.changes', kind: 'switch', ...at('changes') },
        { id: 'tool.confirm', kind: 'spoken', ...at('confirm') },
        { id: 'tool.filler', kind: 'spoken', ...at('filler') },
        { id: 'tool.then', kind: 'spoken', ...at('then') },
        { id: 'tool.otherwise', kind: 'spoken', ...at('otherwise') },
      ],
    },
    parameter: {
      heads: [['name']],
      start: { name: 'value', type: 'text' },
      fields: [
        { id: 'slot.name', kind: 'line', ...at('name'), isCode: true },
        { id: 'slot.type', kind: 'choice', ...at('type'), values: types },
        { id: 'parameter.means', kind: 'line', ...at('means') },
        { id: 'parameter.optional', kind: 'switch', ...at('optional') },
        { id: 'slot.prompts', kind: 'phrases', ...at('prompts') },
        ...rules,
      ],
    },
  }) as const;
