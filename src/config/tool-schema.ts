import { Type } from '@sinclair/typebox';
import { notice } from '../core/notice.ts';
import { key, localized, localizedList, may, name, oneOf, slotTypes, text } from './agent-keys.ts';

/** Who may be asked, and how: as `http` actions and tools of models have it. */
export const url = Type.String({ pattern: '^https?://', expected: notice('wanted.http-address') });
export const record = Type.Record(Type.String(), Type.String(), { form: 'names with texts' });

export const request = {
  method: key(oneOf('GET', 'POST'), 'How the tool is called.', 'GET'),
  url: key(
    url,
    'Its address; values go into path and query only, percent-encoded.',
    'https://api.example.com/o/{{order}}',
  ),
  body: may(record, 'Fields of the JSON that a POST sends.', { order: '{{order}}' }),
  headers: may(
    record,
    'Header fields that go with it, as they stand here; `{{secret:name}}` is a secret of `engines.httpTools.secrets`.',
    { authorization: 'Bearer {{secret:shop}}' },
  ),
  timeoutMs: may(Type.Integer({ minimum: 100, maximum: 30_000 }), 'How long the caller waits at most.', 3_000),
};

/** @param rules - keys that hold a value to its kind, as slots have them. */
export const toolsOf = <Rules extends Parameters<typeof Type.Object>[0]>(rules: Rules) => {
  const parameter = Type.Object({
    name: key(name, 'By which the model, the address and the read-back know the value.', 'order'),
    type: key(oneOf(...slotTypes), 'What kind of value it is: what a model gives must be of it.', 'digits'),
    means: may(text, 'What it is, for the model.', 'The number of the order'),
    optional: may(Type.Boolean(), 'Whether it may be left out; not where something is changed.', true),
    prompts: may(localizedList, 'The question when a caller calls the value wrong at the read-back.', {
      en: ['Which order is it?'],
    }),
    ...rules,
  });
  return Type.Array(
    Type.Object({
      name: key(name, 'Its name, for the model and in reports.', 'cancel_order'),
      description: key(text, 'What it does and when to call it, for the model.', 'Cancels an order.'),
      parameters: may(Type.Array(parameter, { maxItems: 20 }), 'The values it takes.', []),
      ...request,
      changes: may(
        Type.Boolean(),
        'Whether it changes something: then it is read back, and done after a yes. A POST does unless this is `false`.',
        true,
      ),
      confirm: may(localized, 'The read-back of one that changes something, with all of its values.', {
        en: 'I cancel order {{order}}. Shall I?',
      }),
      filler: may(localized, 'Said when it takes longer than a moment.', { en: 'One moment, I look it up.' }),
      // biome-ignore lint/suspicious/noThenProperty: the word that agent files use; nothing awaits a schema
      then: may(localized, 'Said when what was agreed on is done; fields of the answer are variables here.', {
        en: 'It is cancelled.',
      }),
      otherwise: may(localized, 'Said when what was agreed on could not be done.', { en: 'I could not cancel it.' }),
    }),
    { maxItems: 20 },
  );
};
