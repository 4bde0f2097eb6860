import { Type } from '@sinclair/typebox';
import { WEEK_DAYS } from '../core/agent.ts';

const text = Type.String({ minLength: 1, maxLength: 4000 });
const name = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$', expected: 'a name of letters, digits, _ and -' });
const localized = Type.Object({ ar: Type.Optional(text), en: Type.Optional(text) }, { minProperties: 1 });
const texts = Type.Array(text, { minItems: 1 });
const localizedList = Type.Object({ ar: Type.Optional(texts), en: Type.Optional(texts) }, { minProperties: 1 });
const digits = Type.Optional(Type.Integer({ minimum: 1, maximum: 64 }));
const record = Type.Record(Type.String(), Type.String());

const slotTypes = ['text', 'name', 'date', 'time', 'number', 'digits', 'phone', 'yesno', 'choice'] as const;

const clock = Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', expected: 'a time like "09:00"' });
const moment = Type.Optional(clock);
const dayCount = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000 }));
const constraints = Type.Object({
  days: Type.Optional(Type.Array(Type.Union(WEEK_DAYS.map((day) => Type.Literal(day))), { minItems: 1 })),
  earliestDays: dayCount,
  latestDays: dayCount,
  closed: Type.Optional(
    Type.Array(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', expected: 'a day like "2026-09-23"' })),
  ),
  from: moment,
  to: moment,
  why: Type.Optional(localized),
});

const choice = Type.Object({
  value: text,
  say: localizedList,
  hours: Type.Optional(Type.Object({ from: clock, to: clock })),
});

const slot = Type.Object({
  name,
  type: Type.Union(slotTypes.map((type) => Type.Literal(type))),
  prompts: localizedList,
  confirm: Type.Optional(localized),
  minDigits: digits,
  maxDigits: digits,
  choices: Type.Optional(Type.Array(choice, { minItems: 1 })),
  constraints: Type.Optional(constraints),
});

const outcome = {
  // biome-ignore lint/suspicious/noThenProperty: the word that agent files use; nothing awaits a schema
  then: localized,
  otherwise: localized,
};

const transfer = Type.Object({
  type: Type.Literal('transfer'),
  target: Type.Optional(text),
  text: Type.Optional(localized),
});
const hangup = Type.Object({ type: Type.Literal('hangup'), text: Type.Optional(localized) });
const route = Type.Object({ text: localized, action: Type.Optional(Type.Union([transfer, hangup])) });

const action = Type.Union([
  Type.Object({ type: Type.Literal('say'), text: localized }),
  transfer,
  hangup,
  Type.Object({
    type: Type.Literal('http'),
    method: Type.Union([Type.Literal('GET'), Type.Literal('POST')]),
    url: Type.String({ pattern: '^https?://', expected: 'an http(s) address' }),
    body: Type.Optional(record),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 30_000 })),
    ...outcome,
  }),
  Type.Object({ type: Type.Literal('lookup'), table: name, key: name, ...outcome }),
]);

const intent = Type.Object({
  name,
  label: Type.Optional(localized),
  examples: localizedList,
  answer: Type.Optional(localized),
  flow: Type.Optional(name),
  action: Type.Optional(action),
});

const flow = Type.Object({
  name,
  slots: Type.Array(slot),
  confirm: Type.Optional(localized),
  actions: Type.Array(action, { minItems: 1 }),
});

/** What an agent file may hold besides its number; the written form of `AgentDefinition`. */
export const AgentDefinitionSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  description: Type.Optional(text),
  language: Type.String({ pattern: '^(ar|en)-[A-Z]{2}$', expected: 'a language like ar-SA or en-US' }),
  voice: text,
  voices: Type.Optional(Type.Object({ ar: Type.Optional(text), en: Type.Optional(text) })),
  model: Type.Union([Type.Literal('sada-1'), Type.Literal('nabra-1')]),
  speed: Type.Optional(Type.Number({ minimum: 0.5, maximum: 2 })),
  pitch: Type.Optional(Type.Number({ minimum: -12, maximum: 12 })),
  status: Type.Optional(Type.Union([Type.Literal('draft'), Type.Literal('live'), Type.Literal('paused')])),
  persona: Type.Optional(Type.String({ maxLength: 20_000 })),
  replyEngine: Type.Optional(Type.Union([Type.Literal('scripted'), Type.Literal('openai')])),
  greeting: localized,
  variables: Type.Optional(record),
  intents: Type.Optional(Type.Array(intent)),
  flows: Type.Optional(Type.Array(flow)),
  knowledge: Type.Optional(Type.Array(Type.Object({ question: localizedList, answer: localized }))),
  tables: Type.Optional(Type.Record(Type.String(), Type.Array(record))),
  documents: Type.Optional(Type.Array(text)),
  noMatch: Type.Optional(localizedList),
  noInput: Type.Optional(localizedList),
  onGiveUp: Type.Optional(Type.Union([Type.Literal('transfer'), Type.Literal('hangup')])),
  routes: Type.Optional(Type.Object({ complaint: Type.Optional(route), emergency: Type.Optional(route) })),
  goodbye: Type.Optional(localized),
  endPhrases: Type.Optional(localizedList),
  transferTarget: Type.Optional(text),
  bargeIn: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')])),
  privacy: Type.Optional(Type.Union([Type.Literal('off'), Type.Literal('redact'), Type.Literal('block')])),
  maxCallSeconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 86_400 })),
  maxReplyChars: Type.Optional(Type.Integer({ minimum: 20, maximum: 5000 })),
});

/** A file in `config/agents/`: who answers which number. The number is dialled: `"1000"`, `"+966112345678"`, `sales`. */
export const AgentFileSchema = Type.Object({
  number: Type.String({ pattern: '^[A-Za-z0-9+*#._-]{1,64}$', expected: 'a number in quotes, like "1000"' }),
  ...AgentDefinitionSchema.properties,
});
