import { Type } from '@sinclair/typebox';
import { CALL_RESULTS } from '../core/call-result.ts';
import { key, localized, may, name, oneOf, slotTypes, text } from './agent-keys.ts';

const names = Type.Array(name, { minItems: 1, maxItems: 50 });
const outcomeOfCall = Type.Object({
  name: key(name, 'What calls are listed and counted by, in the place of `done`, `hung-up` and the like.', 'cancelled'),
  label: may(localized, 'How people read it.', { en: 'Order cancelled' }),
  done: may(names, 'One of these flows was done; of several that of the last one that reads back.', ['cancel']),
  meant: may(names, 'The caller wanted one of these: intents, `complaint`, `emergency`.', ['complaint']),
  result: may(
    Type.Array(oneOf(...CALL_RESULTS), { minItems: 1 }),
    'It came to one of these: something was `done`, questions were `answered`, a person took it (`transferred`) or did not ' +
      '(`unreached`), it was `given-up`, the caller `hung-up` in the middle, was `not-understood`, `nothing-said`, it was a ' +
      '`machine`, it `failed`.',
    ['transferred'],
  ),
  means: may(
    text,
    'What it means, for a language model that reads the call. Without a condition it is for that alone.',
    'The caller wants to be called back.',
  ),
});

const fieldOfCall = Type.Object({
  name: key(name, 'What the value is called in lists and webhooks.', 'order'),
  label: may(localized, 'How people read it.', { en: 'Order number' }),
  type: key(oneOf(...slotTypes), 'What kind of value it is; what a language model finds must be of it.', 'digits'),
  from: may(name, 'The slot that has it; the one of the same name without this.', 'order'),
  means: may(
    text,
    'What it is, for a language model. Without a slot it is for that alone.',
    'The number of the order.',
  ),
  choices: may(Type.Array(text, { minItems: 1, maxItems: 50 }), 'Of a `choice` without a slot: what there is.', [
    'refund',
    'exchange',
  ]),
});

/** What is written down of calls that are over. */
export const afterCall = Type.Object({
  outcomes: may(
    Type.Array(outcomeOfCall, { minItems: 1, maxItems: 30 }),
    'What calls may come to; the first that holds counts, and where none does what the dialogue itself knows (`done`, `hung-up` ...).',
    [{ name: 'cancelled', done: ['cancel'] }],
  ),
  fields: may(
    Type.Array(fieldOfCall, { minItems: 1, maxItems: 30 }),
    'Values to be written down, as far as something was done with them or they were read back and agreed.',
    [{ name: 'order', type: 'digits' }],
  ),
  engine: may(
    oneOf('dialogue', 'openai'),
    'What looks at the call: the dialogue alone, or a language model after it, behind the privacy boundary; `engines.afterCall` of ' +
      '`nidaa.yaml` without it, and the dialogue where `replyEngine` is `scripted`.',
    'dialogue',
  ),
  summary: may(Type.Boolean(), 'Whether a sentence or two tell what it was about and what came of it.', true),
});
