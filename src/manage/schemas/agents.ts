import { Type } from '@sinclair/typebox';
import { AgentDefinitionSchema } from '../../config/agent-schema.ts';
import { AGENT_TEXT_CHARACTERS_MAX } from '../../config/agent-text/agent-text.ts';
import type { Agent, AgentDefinition } from '../../core/agent.ts';
import { textOf } from '../../core/notice.ts';
import type { AgentFindingView, AgentTemplate } from '../agent-desk.ts';
import { NoticeShape, named, oneOf, orNull, presentNotice, timestamp } from '../schema-names.ts';

/** Checked by the reader of agent files, whose messages name the field; the document has the whole shape. */
export const Definition = named(
  'AgentDefinition',
  Type.Unsafe<AgentDefinition>({ type: 'object' }),
  AgentDefinitionSchema,
);

const HEAD = {
  id: Type.String(),
  name: Type.String(),
  status: oneOf(['draft', 'live', 'paused'] as const, 'Only a live agent answers calls.'),
  version: Type.Integer({ description: 'In force.' }),
  language: Type.String(),
  voice: Type.String(),
  model: Type.String(),
  numbers: Type.Array(Type.String(), { description: 'That it answers.' }),
  updated_at: timestamp(),
};
export const AgentHead = named('AgentHead', Type.Object(HEAD));
/** Of answers. */
const Yaml = orNull(
  Type.String({ description: 'The definition as somebody wrote it, comments and all; null where nobody has.' }),
);
export const SavedBody = Type.Object({
  definition: Type.Optional(Definition),
  yaml: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: AGENT_TEXT_CHARACTERS_MAX },
      description:
        'The definition as it is written, whose comments and order are kept; instead of `definition`, or the text that one is to be put ' +
        'into. Without it, the text of the version before is changed where the definition differs.',
    }),
  ),
  live: Type.Optional(Type.Boolean({ description: 'And it answers calls at once, by this definition.' })),
});
export const AgentShape = named('Agent', Type.Object({ ...HEAD, definition: Definition, yaml: Yaml }));

export const presentAgentHead = (agent: Agent, numbers: readonly string[]) => {
  const { name, language, voice, model } = agent.definition;
  return {
    ...{ id: agent.id, name, status: agent.status, version: agent.version, language, voice, model },
    ...{ numbers: [...numbers], updated_at: agent.updatedAt.toISOString() },
  };
};
export const presentAgent = (agent: Agent, numbers: readonly string[], yaml: string | null) => ({
  ...presentAgentHead(agent, numbers),
  ...{ definition: agent.definition, yaml },
});

export const TemplateShape = named(
  'AgentTemplate',
  Type.Object({
    id: Type.String(),
    origin: oneOf(['starter', 'shipped'] as const),
    name: Type.String(),
    description: Type.String(),
    language: Type.String(),
    definition: Definition,
  }),
);
export const presentTemplate = ({ id, origin, definition }: AgentTemplate) => ({
  ...{ id, origin, definition, name: definition.name, language: definition.language },
  description: definition.description ?? '',
});

export const VersionShape = named(
  'AgentVersion',
  Type.Object({ version: Type.Integer(), created_at: timestamp(), definition: Definition, yaml: Yaml }),
);
export const VersionHead = Type.Object({ version: Type.Integer(), created_at: timestamp() });

export const DifferenceShape = Type.Object({
  path: Type.String({ description: 'A JSON pointer into the definition.' }),
  kind: oneOf(['added', 'removed', 'changed'] as const),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
});

const Flagged = Type.Object({
  path: Type.Array(Type.Union([Type.String(), Type.Integer()])),
  language: oneOf(['ar', 'en'] as const),
  sentence: Type.String(),
  token: Type.String(),
  reason: Type.String(),
  hint: Type.String(),
});
export const ReportShape = named(
  'AgentReport',
  Type.Object({
    ok: Type.Boolean({ description: 'Nothing is wrong; warnings are nothing wrong.' }),
    findings: Type.Array(
      Type.Object({
        severity: oneOf(['error', 'warning'] as const),
        field: Type.String({ description: 'Such as `flows[0].slots[1].type`; empty for the whole.' }),
        message: Type.String(),
        notice: orNull(NoticeShape),
      }),
    ),
    pronunciation: Type.Union([
      Type.Object({
        sentences: Type.Integer(),
        token_count: Type.Integer(),
        flagged_count: Type.Integer(),
        coverage: Type.Number({ description: 'Share of the words that a voice says as meant, 0..1.' }),
        flagged: Type.Array(Flagged),
      }),
      Type.Null(),
    ]),
  }),
);

export const presentFinding = ({ severity, field, said }: AgentFindingView) => ({
  ...{ severity, field, message: textOf(said), notice: presentNotice(said) },
});

export const TryBody = Type.Object({
  text: Type.String({
    maxLength: 4_000,
    description: 'What the caller says; keys where `input` says so; empty is silence.',
  }),
  input: Type.Optional(oneOf(['speech', 'keypad'] as const)),
  history: Type.Optional(
    Type.Array(Type.Object({ role: oneOf(['caller', 'agent'] as const), text: Type.String({ maxLength: 4_000 }) }), {
      maxItems: 200,
      description: 'What was said before, oldest first.',
    }),
  ),
  variables: Type.Optional(
    Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }), Type.String({ maxLength: 1_000 }), {
      maxProperties: 50,
    }),
  ),
  definition: Type.Optional(Definition),
});
export const TriedShape = named(
  'TriedTurn',
  Type.Object({
    greeting: Type.String({ description: 'What the agent says first, for the start of a conversation.' }),
    reply: Type.String(),
    action: Type.Union([Type.Unsafe<{ readonly type: string }>({ type: 'object', required: ['type'] }), Type.Null()]),
    meant: Type.Array(Type.String(), { description: 'What the caller was taken to mean.' }),
    steps: Type.Array(Type.Object({ rule: Type.String(), why: Type.String(), acts: Type.Array(Type.String()) })),
    flow: Type.Union([Type.String(), Type.Null()]),
    waits_for: Type.String({ description: 'What the agent waits for now: `open`, `slot order`, ...' }),
    values: Type.Record(Type.String(), Type.String(), { description: 'What is held, by slot.' }),
    timings: Type.Object({ first_text_ms: Type.Union([Type.Number(), Type.Null()]), total_ms: Type.Number() }),
    cost_cents: Type.Literal(0),
  }),
);
