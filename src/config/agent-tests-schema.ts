import { type TSchema, Type } from '@sinclair/typebox';
import { DIALOGUES_MAX, STEPS_MAX } from '../core/agent-tests.ts';
import { notice } from '../core/notice.ts';

/** The shape of a file of dialogues that an agent must hold (`NAME.tests.yaml`); the schema file for editors is made of it. */
const text = Type.String({ minLength: 1, maxLength: 2000 });
const texts = Type.Union([text, Type.Array(text, { minItems: 1, maxItems: 20 })]);
const duration = Type.String({ pattern: '^[0-9]{1,6}(\\.[0-9]{1,3})? ?(ms|s)$', expected: notice('wanted.duration') });
const oneOf = <T extends string>(...values: readonly T[]) => Type.Union(values.map((value) => Type.Literal(value)));

/** A key with what it does and an example of it. */
function may<T extends TSchema>(schema: T, description: string, example: unknown) {
  return Type.Optional({ ...schema, description, examples: [example] } as T);
}

const agent = Type.Object(
  {
    contains: may(
      texts,
      'The answer has this in it, or all of these. Case, vowel signs and spaces do not count.',
      'order 4521',
    ),
    not_contains: may(texts, 'The answer has this, or any of these, not in it.', 'cancelled'),
    matches: may(
      texts,
      'A regular expression that the answer fits, whatever its case; or several.',
      'order (number|id)',
    ),
    intent: may(
      text,
      'What the caller was taken to want: an intent by its name, a question of the knowledge by its first wording, or one that ' +
        'every agent has (human, repeat, cancel, goodbye, hello, thanks, help, wait); `document:fees.pdf` for what a document of the ' +
        'agent says; `none` where it was an answer, or nothing.',
      'track',
    ),
    slot: may(
      Type.Record(Type.String(), Type.String({ maxLength: 500 }), { minProperties: 1 }),
      'Values that are held after the answer, as tools get them (a date is 2026-11-24); "" for none.',
      { order: '4521' },
    ),
    action: may(oneOf('transfer', 'hangup', 'none'), 'What the agent does after its last word.', 'transfer'),
    within_ms: may(
      Type.Integer({ minimum: 1, maximum: 120_000 }),
      "The answer begins so soon: on the wire after the caller's last sound; as text, what the engines take.",
      1500,
    ),
  },
  { minProperties: 1, expected: notice('wanted.expectation') },
);

const step = Type.Object(
  {
    caller: may(text, 'The caller says this.', 'where is my order'),
    keys: may(
      Type.String({ pattern: '^[0-9*#]{1,40}$', expected: notice('wanted.keys') }),
      'The caller presses these keys.',
      '4521#',
    ),
    silence: may(duration, 'The caller says nothing for so long.', '8s'),
    interrupt: may(
      Type.Object({ after_ms: Type.Integer({ minimum: 0, maximum: 60_000 }), says: text }),
      'The caller says this over what the agent is saying, so long after it began.',
      { after_ms: 900, says: 'no wait' },
    ),
    mishears: may(
      Type.Object({
        says: text,
        heard: Type.String({ maxLength: 2000 }),
        confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
      }),
      'The caller says one thing and another is recognised; `confidence` 0 to 1, 1 without it. "" where nothing is.',
      { says: 'four five two one', heard: 'four five two', confidence: 0.4 },
    ),
    noise: may(duration, 'A sound without words. Under half a second it is nothing.', '1s'),
    agent: may(agent, 'What is expected of the answer; in a step of its own, of the last one further.', {
      contains: 'order number',
    }),
  },
  { expected: notice('wanted.step') },
);

export const AgentTestsSchema = Type.Object({
  dialogues: Type.Array(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 120, description: 'What it is about; its own in the file.' }),
      language: may(
        oneOf('ar', 'en'),
        "What the caller speaks, the agent's language without it: the voice of spoken runs.",
        'en',
      ),
      now: may(
        Type.String({
          pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?(Z|[+-][0-9]{2}:[0-9]{2})?$',
          expected: notice('wanted.moment'),
        }),
        'When the call begins, so that "tomorrow" is a date; in Riyadh unless it has an offset.',
        '2026-11-22T10:00',
      ),
      variables: may(Type.Record(Type.String(), Type.String({ maxLength: 500 })), 'What the call brings along.', {
        customer_name: 'Sara',
      }),
      tools: may(
        Type.Array(
          Type.Object({
            url: text,
            status: Type.Integer({ minimum: 200, maximum: 599, default: 200 }),
            answer: Type.String({ maxLength: 10_000, default: '' }),
          }),
          { maxItems: 20 },
        ),
        'What HTTP tools answer whose address begins so, for runs as text: no tool is really called by them, and one without an ' +
          'answer here fails.',
        [{ url: 'https://api.example.com/orders/', answer: '{"status": "on its way"}' }],
      ),
      steps: Type.Array(step, { minItems: 1, maxItems: STEPS_MAX }),
      after: may(
        Type.Object(
          {
            outcome: may(
              text,
              'What it came to: an outcome of `afterCall`, or `done`, `hung-up` and the like.',
              'cancelled',
            ),
            fields: may(
              Type.Record(Type.String(), Type.String({ maxLength: 500 }), { minProperties: 1 }),
              'Values that are written down; "" for none.',
              { order: '4521' },
            ),
          },
          { minProperties: 1, expected: notice('wanted.after') },
        ),
        'What `afterCall` of the agent writes down when the caller hangs up after the last step, unless the agent has ended it; for runs as text.',
        { outcome: 'cancelled' },
      ),
    }),
    { minItems: 1, maxItems: DIALOGUES_MAX },
  ),
});
