import { AFTER_CALL_FIELDS, afterCallShapes } from './after-call-fields.ts';
import { toolShapes } from './tool-fields.ts';

/**
 * What the form of an agent is made of, as data: which fields there are, of which kind, in which order. Their names and hints are
 * texts, `fields.ID.label` and `fields.ID.hint`; everything else of the shape of an agent is reached in the YAML beside the form.
 */
interface Base {
  /** Of its texts; each is used once or means the same. */
  readonly id: string;
  /** From the thing that has the field. */
  readonly path: readonly string[];
  /** Only where another field of the same thing has one of these values. */
  readonly when?: { readonly field: string; readonly is: readonly string[] };
}
export type ShapeName =
  | 'intent'
  | 'flow'
  | 'slot'
  | 'choice'
  | 'knowledge'
  | 'action'
  | 'routeAction'
  | 'outcome'
  | 'callField'
  | 'tool'
  | 'parameter';
export type Field = Base &
  (
    | { readonly kind: 'line'; readonly isCode?: true; readonly example?: string }
    | { readonly kind: 'area' }
    /** One of some words; without one `standard` is in force. */
    | { readonly kind: 'choice'; readonly values: readonly string[]; readonly standard?: string }
    | { readonly kind: 'switch' }
    | {
        readonly kind: 'number';
        readonly min: number;
        readonly max: number;
        readonly step?: number;
        readonly unit?: Unit;
      }
    /** A sentence in each language; `isHeard`: with a button that says it. */
    | { readonly kind: 'spoken'; readonly isHeard?: true }
    /** Sentences in each language, one a line. */
    | { readonly kind: 'phrases' }
    | { readonly kind: 'lines'; readonly isCode?: true; readonly example?: string }
    | { readonly kind: 'days' }
    | { readonly kind: 'voice'; readonly language: 'own' | 'other' }
    | { readonly kind: 'language' }
    /** The name of something of this agent. */
    | { readonly kind: 'reference'; readonly to: 'flows' | 'tables' | 'slots' }
    | { readonly kind: 'list'; readonly shape: ShapeName }
    | { readonly kind: 'group'; readonly fields: readonly Field[] }
    | { readonly kind: 'action'; readonly shape: ShapeName }
    | { readonly kind: 'record' }
    | { readonly kind: 'sentences' }
    | { readonly kind: 'tables' }
    | { readonly kind: 'owners' }
  );
export type Unit = 'seconds' | 'characters' | 'times' | 'semitones' | 'milliseconds';
export type FieldKind = Field['kind'];

/** Things that lists are made of. */
export interface ItemShape {
  readonly fields: readonly Field[];
  /** What its head says: the first of these that it has. */
  readonly heads: readonly (readonly (string | number)[])[];
  /** What a new one begins with; `LANGUAGE` stands for the language of the agent. */
  readonly start: Readonly<Record<string, unknown>>;
}

const at = (name: string) => ({ path: [name] });
const types = (...is: readonly string[]) => ({ when: { field: 'type', is } });
const SLOT_TYPES = ['text', 'name', 'date', 'time', 'number', 'digits', 'phone', 'yesno', 'choice'] as const;

const CONSTRAINTS: readonly Field[] = [
  { id: 'days', kind: 'days', path: ['constraints', 'days'], ...types('date') },
  { id: 'earliestDays', kind: 'number', path: ['constraints', 'earliestDays'], min: 0, max: 1000, ...types('date') },
  { id: 'latestDays', kind: 'number', path: ['constraints', 'latestDays'], min: 0, max: 1000, ...types('date') },
  {
    id: 'closed',
    kind: 'lines',
    path: ['constraints', 'closed'],
    isCode: true,
    example: '2026-09-23',
    ...types('date'),
  },
  { id: 'from', kind: 'line', path: ['constraints', 'from'], isCode: true, example: '09:00', ...types('time') },
  { id: 'to', kind: 'line', path: ['constraints', 'to'], isCode: true, example: '21:00', ...types('time') },
  { id: 'why', kind: 'spoken', path: ['constraints', 'why'], ...types('date', 'time') },
];

/** What holds a value to its kind. */
const RULES: readonly Field[] = [
  {
    id: 'slot.minDigits',
    kind: 'number',
    ...at('minDigits'),
    min: 1,
    max: 64,
    ...types('digits', 'phone', 'number'),
  },
  {
    id: 'slot.maxDigits',
    kind: 'number',
    ...at('maxDigits'),
    min: 1,
    max: 64,
    ...types('digits', 'phone', 'number'),
  },
  { id: 'slot.choices', kind: 'list', ...at('choices'), shape: 'choice', ...types('choice', 'yesno') },
  ...CONSTRAINTS,
];

const ACTION_FIELDS: readonly Field[] = [
  { id: 'action.target', kind: 'line', ...at('target'), isCode: true, ...types('transfer') },
  { id: 'action.text', kind: 'spoken', ...at('text'), ...types('say', 'transfer', 'hangup') },
  { id: 'action.method', kind: 'choice', ...at('method'), values: ['GET', 'POST'], ...types('http') },
  {
    id: 'action.url',
    kind: 'line',
    ...at('url'),
    isCode: true,
    example: 'https://api.example.com/orders/{{order}}',
    ...types('http'),
  },
  { id: 'action.body', kind: 'record', ...at('body'), ...types('http') },
  { id: 'action.headers', kind: 'record', ...at('headers'), ...types('http') },
  {
    id: 'action.timeoutMs',
    kind: 'number',
    ...at('timeoutMs'),
    min: 100,
    max: 30_000,
    unit: 'milliseconds',
    ...types('http'),
  },
  { id: 'action.table', kind: 'reference', ...at('table'), to: 'tables', ...types('lookup') },
  { id: 'action.key', kind: 'reference', ...at('key'), to: 'slots', ...types('lookup') },
  { id: 'action.open', kind: 'switch', ...at('open'), ...types('lookup') },
  { id: 'action.then', kind: 'spoken', ...at('then'), ...types('lookup', 'http') },
  { id: 'action.otherwise', kind: 'spoken', ...at('otherwise'), ...types('lookup', 'http') },
];
const ACTION_HEADS = [['text', 'LANGUAGE'], ['then', 'LANGUAGE'], ['table'], ['url'], ['target']] as const;

export const SHAPES: Readonly<Record<ShapeName, ItemShape>> = {
  intent: {
    heads: [['label', 'LANGUAGE'], ['name']],
    start: { name: 'wish', examples: { LANGUAGE: [''] }, answer: { LANGUAGE: '' } },
    fields: [
      { id: 'intent.name', kind: 'line', ...at('name'), isCode: true },
      { id: 'intent.label', kind: 'spoken', ...at('label') },
      { id: 'intent.examples', kind: 'phrases', ...at('examples') },
      { id: 'intent.flow', kind: 'reference', ...at('flow'), to: 'flows' },
      { id: 'intent.answer', kind: 'spoken', ...at('answer'), isHeard: true },
      { id: 'intent.action', kind: 'action', ...at('action'), shape: 'action' },
    ],
  },
  flow: {
    heads: [['name']],
    start: { name: 'flow', slots: [], actions: [{ type: 'say', text: { LANGUAGE: '' } }] },
    fields: [
      { id: 'flow.name', kind: 'line', ...at('name'), isCode: true },
      { id: 'flow.slots', kind: 'list', ...at('slots'), shape: 'slot' },
      { id: 'flow.confirm', kind: 'spoken', ...at('confirm') },
      { id: 'flow.actions', kind: 'list', ...at('actions'), shape: 'action' },
    ],
  },
  slot: {
    heads: [['name']],
    start: { name: 'value', type: 'text', prompts: { LANGUAGE: [''] } },
    fields: [
      { id: 'slot.name', kind: 'line', ...at('name'), isCode: true },
      { id: 'slot.type', kind: 'choice', ...at('type'), values: SLOT_TYPES },
      { id: 'slot.prompts', kind: 'phrases', ...at('prompts') },
      { id: 'slot.confirm', kind: 'spoken', ...at('confirm') },
      ...RULES,
    ],
  },
  choice: {
    heads: [['value']],
    start: { value: 'choice', say: { LANGUAGE: [''] } },
    fields: [
      { id: 'choice.value', kind: 'line', ...at('value') },
      { id: 'choice.say', kind: 'phrases', ...at('say') },
      { id: 'choice.from', kind: 'line', path: ['hours', 'from'], isCode: true, example: '12:00' },
      { id: 'choice.to', kind: 'line', path: ['hours', 'to'], isCode: true, example: '17:00' },
    ],
  },
  knowledge: {
    heads: [
      ['question', 'LANGUAGE', 0],
      ['answer', 'LANGUAGE'],
    ],
    start: { question: { LANGUAGE: [''] }, answer: { LANGUAGE: '' } },
    fields: [
      { id: 'knowledge.question', kind: 'phrases', ...at('question') },
      { id: 'knowledge.answer', kind: 'spoken', ...at('answer'), isHeard: true },
    ],
  },
  action: {
    heads: ACTION_HEADS,
    start: { type: 'say', text: { LANGUAGE: '' } },
    fields: [
      { id: 'action.type', kind: 'choice', ...at('type'), values: ['say', 'lookup', 'http', 'transfer', 'hangup'] },
      ...ACTION_FIELDS,
    ],
  },
  routeAction: {
    heads: ACTION_HEADS,
    start: { type: 'transfer' },
    fields: [
      { id: 'action.type', kind: 'choice', ...at('type'), values: ['transfer', 'hangup'] },
      ...ACTION_FIELDS.filter(({ id }) => ['action.target', 'action.text'].includes(id)),
    ],
  },
  ...afterCallShapes(SLOT_TYPES),
  ...toolShapes(SLOT_TYPES, RULES),
};

const route = (name: string): Field => ({
  id: `route.${name}`,
  kind: 'group',
  path: [],
  fields: [
    { id: 'route.text', kind: 'spoken', path: ['routes', name, 'text'], isHeard: true },
    { id: 'route.action', kind: 'action', path: ['routes', name, 'action'], shape: 'routeAction' },
  ],
});

export type SectionId =
  | 'identity'
  | 'greeting'
  | 'intents'
  | 'flows'
  | 'knowledge'
  | 'documents'
  | 'tables'
  | 'people'
  | 'behaviour'
  | 'afterCall'
  | 'engines';
export interface FormSection {
  readonly id: SectionId;
  readonly fields: readonly Field[];
}

/** The form, section by section. */
export const SECTIONS: readonly FormSection[] = [
  {
    id: 'identity',
    fields: [
      { id: 'name', kind: 'line', ...at('name') },
      { id: 'description', kind: 'area', ...at('description') },
      { id: 'language', kind: 'language', ...at('language') },
      { id: 'country', kind: 'line', ...at('country'), isCode: true, example: 'SA' },
      { id: 'voice', kind: 'voice', ...at('voice'), language: 'own' },
      { id: 'voices', kind: 'voice', path: ['voices', 'OTHER'], language: 'other' },
      { id: 'model', kind: 'choice', ...at('model'), values: ['sada-1', 'nabra-1'] },
      { id: 'speed', kind: 'number', ...at('speed'), min: 0.5, max: 2, step: 0.05, unit: 'times' },
      { id: 'pitch', kind: 'number', ...at('pitch'), min: -12, max: 12, step: 1, unit: 'semitones' },
    ],
  },
  {
    id: 'greeting',
    fields: [
      { id: 'greeting', kind: 'spoken', ...at('greeting'), isHeard: true },
      { id: 'goodbye', kind: 'spoken', ...at('goodbye'), isHeard: true },
      { id: 'endPhrases', kind: 'phrases', ...at('endPhrases') },
      { id: 'variables', kind: 'record', ...at('variables') },
    ],
  },
  { id: 'intents', fields: [{ id: 'intents', kind: 'list', ...at('intents'), shape: 'intent' }] },
  { id: 'flows', fields: [{ id: 'flows', kind: 'list', ...at('flows'), shape: 'flow' }] },
  {
    id: 'knowledge',
    fields: [
      { id: 'knowledge', kind: 'list', ...at('knowledge'), shape: 'knowledge' },
      { id: 'sentences', kind: 'sentences', ...at('sentences') },
    ],
  },
  // Files of the agent: no part of its definition.
  { id: 'documents', fields: [] },
  {
    id: 'tables',
    fields: [
      { id: 'tables', kind: 'tables', ...at('tables') },
      { id: 'belongsTo', kind: 'owners', ...at('belongsTo') },
    ],
  },
  {
    id: 'people',
    fields: [
      { id: 'transferTarget', kind: 'line', ...at('transferTarget'), isCode: true, example: '1900' },
      {
        id: 'transfer.mode',
        kind: 'choice',
        path: ['transfer', 'mode'],
        values: ['blind', 'announced', 'attended'],
        standard: 'blind',
      },
      { id: 'transfer.targets', kind: 'lines', path: ['transfer', 'targets'], isCode: true, example: '1900' },
      { id: 'transfer.whisper', kind: 'spoken', path: ['transfer', 'whisper'] },
      {
        id: 'transfer.accept',
        kind: 'choice',
        path: ['transfer', 'accept'],
        values: ['answer', 'key', 'speech'],
        standard: 'answer',
      },
      { id: 'transfer.music', kind: 'line', path: ['transfer', 'music'], isCode: true, example: 'calm' },
      {
        id: 'transfer.ringSeconds',
        kind: 'number',
        path: ['transfer', 'ringSeconds'],
        min: 3,
        max: 120,
        unit: 'seconds',
      },
      {
        id: 'transfer.afterPerson',
        kind: 'choice',
        path: ['transfer', 'afterPerson'],
        values: ['end', 'return'],
        standard: 'end',
      },
      {
        id: 'transfer.transcript',
        kind: 'choice',
        path: ['transfer', 'transcript'],
        values: ['on', 'off'],
        standard: 'off',
      },
      route('complaint'),
      route('emergency'),
    ],
  },
  {
    id: 'behaviour',
    fields: [
      { id: 'bargeIn', kind: 'choice', ...at('bargeIn'), values: ['on', 'off'], standard: 'on' },
      { id: 'backchannels', kind: 'phrases', ...at('backchannels') },
      { id: 'noInput', kind: 'phrases', ...at('noInput') },
      { id: 'noMatch', kind: 'phrases', ...at('noMatch') },
      { id: 'onGiveUp', kind: 'choice', ...at('onGiveUp'), values: ['transfer', 'hangup'], standard: 'transfer' },
      { id: 'maxCallSeconds', kind: 'number', ...at('maxCallSeconds'), min: 10, max: 86_400, unit: 'seconds' },
      { id: 'maxReplyChars', kind: 'number', ...at('maxReplyChars'), min: 20, max: 5_000, unit: 'characters' },
    ],
  },
  { id: 'afterCall', fields: AFTER_CALL_FIELDS },
  {
    id: 'engines',
    fields: [
      { id: 'replyEngine', kind: 'choice', ...at('replyEngine'), values: ['scripted', 'openai'] },
      { id: 'persona', kind: 'area', ...at('persona') },
      { id: 'privacy', kind: 'choice', ...at('privacy'), values: ['off', 'redact', 'block'], standard: 'redact' },
      { id: 'tools', kind: 'list', ...at('tools'), shape: 'tool' },
      { id: 'mcp', kind: 'lines', ...at('mcp'), isCode: true, example: 'crm' },
      { id: 'speechPrivacy', kind: 'choice', ...at('speechPrivacy'), values: ['local', 'remote'] },
    ],
  },
];

/** The keys of the file that a section shows. Pure. */
export function rootsOf(section: SectionId): readonly string[] {
  const roots = (fields: readonly Field[]): readonly string[] =>
    fields.flatMap((field) => (field.kind === 'group' ? roots(field.fields) : [field.path[0]!]));
  return roots(SECTIONS.find(({ id }) => id === section)!.fields);
}

/** Where a field of the definition is shown; undefined where only the YAML has it. Pure. */
export function sectionOf(path: readonly (string | number)[]): SectionId | undefined {
  return SECTIONS.find(({ id }) => rootsOf(id).includes(String(path[0])))?.id;
}

/** What a caller must know of a row that belongs to somebody. */
export const OWNER_FIELDS: readonly Field[] = [
  { id: 'owner.column', kind: 'line', path: ['column'], isCode: true },
  { id: 'owner.type', kind: 'choice', path: ['type'], values: ['name', 'digits', 'phone', 'date'], standard: 'name' },
  { id: 'owner.callerColumn', kind: 'line', path: ['callerColumn'], isCode: true, example: 'phone' },
  { id: 'owner.prompts', kind: 'phrases', path: ['prompts'] },
  { id: 'owner.otherwise', kind: 'spoken', path: ['otherwise'] },
];

/** The key of the texts of a field: dots part the levels of a file of texts. */
export const keyOf = (id: string): string => id.replace('.', '_');
