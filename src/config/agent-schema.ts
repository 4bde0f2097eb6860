import { Type } from '@sinclair/typebox';
import { WEEK_DAYS } from '../core/agent.ts';
import { notice } from '../core/notice.ts';
import { afterCall } from './after-call-schema.ts';
import { key, localized, localizedList, may, name, oneOf, slotTypes, text } from './agent-keys.ts';
import { record, request, toolsOf } from './tool-schema.ts';

/**
 * The shape of an agent file, and its documentation: what a key does and an example of it stand with the key, and the guide
 * (`agent-guide.ts`) and the schema file for editors are made of them.
 */
const digits = Type.Integer({ minimum: 1, maximum: 64 });
const clock = Type.String({
  ...{ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$', expected: notice('wanted.time'), form: 'time of day' },
});
const dayCount = Type.Integer({ minimum: 0, maximum: 1_000 });

const constraints = Type.Object({
  days: may(
    Type.Array(oneOf(...WEEK_DAYS), { minItems: 1 }),
    'Days of the week on which a date may be; every day without it.',
    ['sat', 'sun', 'mon', 'tue', 'wed', 'thu'],
  ),
  earliestDays: may(dayCount, 'How many days from today a date must be away: 0 is today, 1 tomorrow.', 1),
  latestDays: may(dayCount, 'How many days from today a date may be away at most.', 14),
  closed: may(
    Type.Array(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', expected: notice('wanted.day') })),
    'Single days on which a date may not be.',
    ['2026-09-23'],
  ),
  from: may(
    clock,
    'First moment of the opening hours, for a time. It also settles whether "at three" is at night.',
    '09:00',
  ),
  to: may(clock, 'End of the opening hours, for a time: that moment itself is too late.', '21:00'),
  why: may(localized, 'Said when a rule here refuses a value; without it the rule itself is said.', {
    en: 'We deliver from Saturday to Thursday.',
  }),
});

const choice = Type.Object({
  value: key(text, 'What tools and tables get when this is chosen.', 'afternoon'),
  say: key(localizedList, 'How callers say it; the first is how the agent says it.', { en: ['in the afternoon'] }),
  hours: may(
    Type.Object({
      from: key(clock, 'First moment of the part of the day.', '12:00'),
      to: key(clock, 'End of the part of the day, not part of it.', '17:00'),
    }),
    'The part of the day it stands for: a caller who says "at three" has chosen it.',
    { from: '12:00', to: '17:00' },
  ),
});

const rules = {
  minDigits: may(digits, 'Fewest digits of a `digits`, `phone` or `number` slot.', 4),
  maxDigits: may(digits, 'Most digits of such a slot.', 4),
  choices: may(
    Type.Array(choice, { minItems: 1 }),
    'What may be chosen, for a `choice` slot. On a `yesno` slot: what else means `yes` and `no` there.',
    [{ value: 'morning', say: { en: ['in the morning'] } }],
  ),
  constraints: may(constraints, 'What a date or a time must keep to; what does not is refused with the reason.', {
    from: '09:00',
    to: '21:00',
  }),
};

const slot = Type.Object({
  name: key(name, 'By which texts (`{{order}}`), tables and tools know the value.', 'order'),
  type: key(oneOf(...slotTypes), 'What kind of value it is, and how it is understood.', 'digits'),
  prompts: key(localizedList, 'The question, then more helpful ones for when the answer was not understood.', {
    en: ['Which order is it?', 'Please say the four digits one by one.'],
  }),
  confirm: may(localized, 'Reads the value back and waits for a yes before it goes on.', {
    en: 'That is {{phone}}. Is that right?',
  }),
  ...rules,
});

const outcome = {
  // biome-ignore lint/suspicious/noThenProperty: the word that agent files use; nothing awaits a schema
  then: key(localized, 'Said when it worked; columns of the row or fields of the answer are variables here.', {
    en: 'It is {{status}}.',
  }),
  otherwise: key(localized, 'Said when nothing was found or the tool did not answer.', {
    en: 'I cannot find {{order}}.',
  }),
};
const transferTo = may(text, 'Where to: an extension, number or SIP address; `transferTarget` without it.', '1900');
const sayFirst = may(localized, 'Said before it happens.', { en: 'One moment, please.' });
const transfer = Type.Object({ type: Type.Literal('transfer'), target: transferTo, text: sayFirst });
const hangup = Type.Object({ type: Type.Literal('hangup'), text: sayFirst });

const action = Type.Union([
  Type.Object({ type: Type.Literal('say'), text: key(localized, 'What is said.', { en: 'Thank you, {{name}}.' }) }),
  transfer,
  hangup,
  Type.Object({
    type: Type.Literal('http'),
    ...request,
    ...outcome,
  }),
  Type.Object({
    type: Type.Literal('lookup'),
    table: key(name, 'A table of this file.', 'orders'),
    key: key(name, 'The slot whose value is looked for, in the column of the same name.', 'order'),
    open: may(
      Type.Boolean(),
      'Told to everybody who has the key, although the table belongs to people: nothing personal is said or done.',
      true,
    ),
    ...outcome,
  }),
]);

const intent = Type.Object({
  name: key(
    name,
    'Its name, in reports. `human`, `help`, `goodbye` and the like take the place of the built-in one.',
    'track',
  ),
  label: may(localized, 'How it is called in menus and in "did you mean ...?", as a noun phrase.', {
    en: 'tracking an order',
  }),
  examples: key(localizedList, 'Sentences that mean it. Ten that differ do more than fifty that are alike.', {
    en: ['where is my order', 'track my parcel'],
  }),
  answer: may(localized, 'Said at once.', { en: 'We are open every day.' }),
  flow: may(name, 'The flow that it begins.', 'track'),
  action: may(action, 'What is done at once.', { type: 'transfer' }),
});

const flow = Type.Object({
  name: key(name, 'By which intents begin it.', 'track'),
  slots: key(Type.Array(slot), 'The values it needs, asked in this order; what was said already is not asked.', []),
  confirm: may(localized, 'Reads everything back and waits for a yes before the actions run.', {
    en: 'So order {{order}} comes on {{date}}. Is that right?',
  }),
  actions: key(Type.Array(action, { minItems: 1 }), 'What is done when all values are there, in order.', [
    { type: 'say', text: { en: 'Done.' } },
  ]),
});

const route = Type.Object({
  text: key(localized, 'Said first.', { en: 'I am very sorry about that.' }),
  action: may(Type.Union([transfer, hangup]), 'Done after it.', { type: 'transfer' }),
});

const transferRules = Type.Object({
  mode: may(
    oneOf('blind', 'announced', 'attended'),
    'How: sent on at once (`blind`, the default); told to the person first, who may decline (`announced`); the same, and then both are ' +
      'left to each other where their telephone systems can do that (`attended`).',
    'announced',
  ),
  targets: may(
    Type.Array(text, { minItems: 1, maxItems: 8 }),
    'Who is tried, in this order, in the place of `transferTarget`. An action with a target of this list begins there; ' +
      'one with another target tries that alone.',
    ['1900', 'sip:reception@192.0.2.10'],
  ),
  music: may(
    Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', expected: notice('wanted.name'), form: 'name' }),
    'What waiting callers hear: `calm`, `none`, or the name of a `.wav` file in the folder `music` beside `nidaa.yaml`.',
    'calm',
  ),
  whisper: may(localized, 'What the person is told, unheard by the caller; without it a summary of the call so far.', {
    en: 'A caller about order {{order}}.',
  }),
  accept: may(
    oneOf('answer', 'key', 'speech'),
    'What joins the two: that the person has answered and was told (`answer`, the default), key 1 (`key`), or a yes as well ' +
      '(`speech`, where there is a recogniser). Key 2, and a no, declines.',
    'key',
  ),
  ringSeconds: may(
    Type.Integer({ minimum: 3, maximum: 120 }),
    'How long each target rings; `transferTimeoutMs` of `nidaa.yaml` without it.',
    25,
  ),
  transcript: may(
    oneOf('on', 'off'),
    'Whether what caller and person say to each other is written down, as far as it is recognised; in quotes, like `bargeIn`. Off without it.',
    'on',
  ),
  afterPerson: may(
    oneOf('end', 'return'),
    'When the person hangs up: the call ends (`end`, the default), or the agent is back (`return`).',
    'return',
  ),
});

const owner = Type.Object({
  column: key(name, 'The column that a caller must know beside the key; texts know it as `{{name}}` then.', 'name'),
  type: key(
    oneOf('name', 'digits', 'phone', 'date'),
    'What kind of value it is. A name need only sound alike.',
    'name',
  ),
  callerColumn: may(name, "The column with the owner's number: who calls from it is asked nothing.", 'phone'),
  prompts: key(localizedList, 'How it is asked for, then why it is asked for.', {
    en: ['And which name is it under?', 'I ask for the name so that nobody else can change it.'],
  }),
  otherwise: may(localized, 'Said when it does not fit; tell nothing of the row.', {
    en: 'I find nothing under that number and that name.',
  }),
});

const knowledge = Type.Object({
  question: key(localizedList, 'How callers ask it.', { en: ['when are you open'] }),
  answer: key(localized, 'What is answered, word for word.', { en: 'We are open from nine to nine.' }),
});

/** What an agent file may hold besides its number; the written form of `AgentDefinition`. */
export const AgentDefinitionSchema = Type.Object({
  name: key(
    Type.String({ minLength: 1, maxLength: 100 }),
    'What the agent is called in lists and reports.',
    'Swift Delivery',
  ),
  description: may(text, 'What it is for; nobody hears it.', 'Tracks orders and answers questions.'),
  language: key(
    Type.String({ pattern: '^(ar|en)-[A-Z]{2}$', expected: notice('wanted.language') }),
    'The language it speaks when the caller has not shown another.',
    'en-US',
  ),
  country: may(
    Type.String({ pattern: '^[A-Z]{2}$', expected: notice('wanted.country') }),
    'Whose telephone numbers are said without a country code; `SA` without it.',
    'SA',
  ),
  voice: key(text, 'A voice of `voices.yaml` in that language.', 'emma'),
  voices: may(
    Type.Object({
      ar: may(text, 'The voice for Arabic.', 'noura'),
      en: may(text, 'The voice for English.', 'emma'),
    }),
    'Voices for replies in the other language.',
    { ar: 'noura' },
  ),
  model: key(oneOf('sada-1', 'nabra-1'), 'The speech model; it sets the price.', 'sada-1'),
  speed: may(Type.Number({ minimum: 0.5, maximum: 2 }), 'How fast it speaks; 1 is normal.', 1),
  pitch: may(Type.Number({ minimum: -12, maximum: 12 }), 'How much higher it speaks, in semitones.', 0),
  status: may(oneOf('draft', 'live', 'paused'), 'Only a live agent answers calls.', 'live'),
  persona: may(
    Type.String({ maxLength: 20_000, form: 'text' }),
    'How a language model shall speak, for `replyEngine: openai`.',
    'You are Emma, brief and kind.',
  ),
  replyEngine: may(oneOf('scripted', 'openai'), 'What finds the replies; the configured one without it.', 'scripted'),
  greeting: key(localized, 'The first sentence of a call. A variable without a value is left out with its comma.', {
    en: 'Hello {{customer_name}}, how can I help you?',
  }),
  variables: may(record, 'Values for texts; a call may bring others of the same name.', { customer_name: '' }),
  intents: may(Type.Array(intent), 'What callers may want.', []),
  flows: may(Type.Array(flow), 'What is asked and done for a wish.', []),
  knowledge: may(Type.Array(knowledge), 'Questions that are answered and lead nowhere else.', []),
  tools: may(
    toolsOf(rules),
    'What a model that answers by itself may call: HTTP services of yours. For agents without flows.',
    [],
  ),
  mcp: may(
    Type.Array(name, { minItems: 1, maxItems: 8 }),
    'MCP servers of `engines.mcp` whose tools a model that answers by itself may call. For agents without flows.',
    ['crm'],
  ),
  sentences: may(
    Type.Record(Type.String(), Type.Array(text), { form: 'meanings with sentences' }),
    'More sentences of callers, as they said them, by what they mean: an intent, the first wording of a question, `complaint`, or ' +
      '`other` for what is for no line like this. Understood like examples; the English recogniser learns from them which words follow which.',
    { track: ['my mother is waiting for a box of dates and nothing came'] },
  ),
  tables: may(
    Type.Record(Type.String(), Type.Array(record), { form: 'names with rows' }),
    'Rows that `lookup` finds, all cells in quotes or words.',
    {
      orders: [{ order: '4521', status: 'on its way' }],
    },
  ),
  belongsTo: may(
    Type.Record(Type.String(), owner, { form: 'tables with their owners' }),
    'Tables whose rows belong to people: what a caller must know, beside the key, before a row is read out or changed.',
    { orders: { column: 'name', type: 'name', prompts: { en: ['And which name is it under?'] } } },
  ),
  noMatch: may(localizedList, 'Said when nothing was understood, from first to last resort.', {
    en: ['Sorry, I did not get that.'],
  }),
  noInput: may(localizedList, 'Said into silence, from first to last; then the call ends politely.', {
    en: ['Are you still there?'],
  }),
  onGiveUp: may(oneOf('transfer', 'hangup'), 'What is done after the last `noMatch`.', 'transfer'),
  routes: may(
    Type.Object({
      complaint: may(route, 'Anger, a double charge, damage, a complaint about staff, a threat of law.', {
        text: { en: 'I am very sorry about that.' },
        action: { type: 'transfer' },
      }),
      emergency: may(route, 'Danger to life or health: the emergency number first.', {
        text: { en: 'Please call nine nine seven first.' },
        action: { type: 'transfer' },
      }),
    }),
    'What callers in trouble hear; without it regret in a sentence, then a person.',
    {},
  ),
  goodbye: may(localized, 'The last sentence of a call.', { en: 'Thank you for calling. Goodbye!' }),
  endPhrases: may(localizedList, 'What else ends a call, beside the usual goodbyes.', { en: ['that is all'] }),
  transferTarget: may(text, 'Where callers go who ask for a person: an extension, number or SIP address.', '1900'),
  transfer: may(transferRules, 'How callers come to a person; sent on at once without it.', {
    mode: 'announced',
    targets: ['1900'],
  }),
  bargeIn: may(
    oneOf('on', 'off'),
    'Whether callers may interrupt; in quotes, because bare `on` means something else in YAML.',
    'on',
  ),
  backchannels: may(localizedList, 'Listening noises that do not interrupt, beside the usual ones (okay, uh huh).', {
    en: ['splendid'],
  }),
  privacy: may(oneOf('off', 'redact', 'block'), 'What remote models may see of personal data.', 'redact'),
  speechPrivacy: may(
    oneOf('local', 'remote'),
    'Whether the audio of callers, and what the agent says to them, may go to a speech service.',
    'local',
  ),
  maxCallSeconds: may(Type.Integer({ minimum: 10, maximum: 86_400 }), 'A call is ended politely after this time.', 900),
  maxReplyChars: may(Type.Integer({ minimum: 20, maximum: 5000 }), 'Longer replies are cut at a sentence.', 1_200),
  afterCall: may(
    afterCall,
    'What is written down of every call when it is over: its outcome, values, and a summary. Nothing without it.',
    { summary: true },
  ),
});

/** A file in `config/agents/`: who answers which number. The number is dialled: `"1000"`, `"+966112345678"`, `sales`. */
export const AgentFileSchema = Type.Object({
  number: key(
    Type.String({ pattern: '^[A-Za-z0-9+*#._-]{1,64}$', expected: notice('wanted.number-in-quotes') }),
    'The number it answers, in quotes.',
    '1000',
  ),
  sentencesFile: may(
    Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\\.tsv$', expected: notice('wanted.sentences-file') }),
    'A file beside this one with more `sentences`: on each line what is meant, a tab, the sentence.',
    'delivery-en.sentences.tsv',
  ),
  ...AgentDefinitionSchema.properties,
});
