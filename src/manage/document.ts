import type { TSchema } from '@sinclair/typebox';
import { ERRORS } from '../core/errors.ts';
import { SCOPES } from '../core/management.ts';
import { EXAMPLES } from './examples.ts';
import { MANAGE_ERRORS, type ManageCode, manageErrorRow } from './manage-error.ts';
import { isRepeatable, type ManageOperation, type OperationSpec, TAGS } from './operation.ts';
import { nameOf, shownOf } from './schema-names.ts';

type Json = Record<string, unknown>;

const DESCRIPTION =
  'Everything that is set up and looked at: accounts, agents, numbers, trunks, calls. A management key (`manage_sk_...`) or the ' +
  'session of a person who has signed in opens it; an API token (`service_sk_...`) does not. Errors are ' +
  '`{"error": {"code", "message"}}`; `X-Request-Id` names a request. Lists are pages: `next` of one is `after` of the next. A POST may carry an ' +
  '`Idempotency-Key`, and a change `If-Match` with the `ETag` of what was read. Operators name another account by `X-Nidaa-Account`. ' +
  'With a session, changes need `Origin` and the header `X-Nidaa-Console: 1`.';
const EVERYWHERE: readonly ManageCode[] = ['rate_limited', 'internal_error', 'unavailable', 'invalid_request'];

/** The OpenAPI 3.1 document of the operations. */
export function manageDocument(operations: readonly ManageOperation[], version: string, base: string): Json {
  const schemas = new Map<string, unknown>();
  const writer = new SchemaWriter(schemas);
  const paths: Record<string, Json> = {};
  for (const { spec } of operations) {
    const path = `${base}${spec.path}`;
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: entry(spec, writer) };
  }
  schemas.set('Error', ERROR);
  return {
    openapi: '3.1.0',
    info: { title: 'Nidaa management API', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: TAGS.filter((name) => operations.some(({ spec }) => spec.tag === name)).map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: `A management key. Scopes: ${SCOPES.join(', ')}.` },
        session: { type: 'apiKey', in: 'cookie', name: 'nidaa_session' },
      },
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string', enum: [...new Set([...Object.keys(MANAGE_ERRORS), ...Object.keys(ERRORS)])] },
        message: { type: 'string' },
        notice: { $ref: '#/components/schemas/Notice' },
      },
    },
  },
};

function entry(spec: OperationSpec, writer: SchemaWriter): Json {
  const isOpen = spec.scope === 'anyone';
  const ofScope = isOpen || spec.scope === 'signed-in' ? [] : [spec.scope];
  return {
    operationId: spec.id,
    tags: [spec.tag],
    summary: spec.summary,
    ...(spec.description !== undefined && { description: spec.description }),
    security: isOpen ? [] : [{ key: ofScope }, { session: ofScope }],
    ...(ofScope.length > 0 && { 'x-scope': ofScope[0] }),
    parameters: [...parametersOf(spec.params, 'path', writer), ...parametersOf(spec.query, 'query', writer)],
    ...(spec.body && {
      requestBody: {
        required: true,
        content: {
          ...(spec.form && { 'multipart/form-data': { schema: writer.write(spec.form) } }),
          'application/json': content(spec.body, spec, 'request', writer),
        },
      },
    }),
    responses: { ...goodAnswer(spec, writer), ...badAnswers(spec) },
  };
}

function parametersOf(schema: TSchema | undefined, where: 'path' | 'query', writer: SchemaWriter): Json[] {
  const required: readonly string[] = schema?.['required'] ?? [];
  return Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>).map(([name, one]) => {
    const { description, ...shape } = writer.write(one) as Json;
    return {
      ...{ name, in: where, required: where === 'path' || required.includes(name), schema: shape },
      ...(description !== undefined && { description }),
    };
  });
}

function content(schema: TSchema, spec: OperationSpec, direction: 'request' | 'answer', writer: SchemaWriter): Json {
  const example = EXAMPLES[spec.id]?.[direction];
  return { schema: writer.write(schema), ...(example !== undefined && { example }) };
}

function goodAnswer(spec: OperationSpec, writer: SchemaWriter): Json {
  const { answer, files, status = answer || files ? 200 : 204 } = spec;
  const byType = answer
    ? { 'application/json': content(answer, spec, 'answer', writer) }
    : Object.fromEntries((files ?? []).map((type) => [type, {}]));
  return { [status]: { description: 'Success.', ...((answer || files) && { content: byType }) } };
}

/** Errors by status, each with an example for every code it may carry. */
function badAnswers(spec: OperationSpec): Json {
  const answers: Json = {};
  const all = codesOf(spec);
  for (const status of [...new Set(all.map((code) => manageErrorRow(code).status))].sort()) {
    const codes = all.filter((code) => manageErrorRow(code).status === status);
    const examples = codes.map((code) => [code, { value: { error: { code, message: manageErrorRow(code).message } } }]);
    answers[status] = {
      description: codes.map((code) => `\`${code}\``).join(', '),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples: Object.fromEntries(examples) },
      },
    };
  }
  return answers;
}

function codesOf(spec: OperationSpec): ManageCode[] {
  const named = spec.scope !== 'anyone' && spec.scope !== 'signed-in';
  const codes: ManageCode[] = [
    ...EVERYWHERE,
    ...(spec.scope === 'anyone' ? [] : (['unauthorized', 'unknown_resource'] as const)),
    ...(spec.scope !== 'anyone' && spec.method !== 'GET' ? (['foreign_origin'] as const) : []),
    ...(named ? (['missing_scope'] as const) : []),
    ...(spec.body ? (['unsupported_media_type', 'request_too_large'] as const) : []),
    ...(spec.tagged && spec.method !== 'GET' ? (['edited_meanwhile'] as const) : []),
    ...(isRepeatable(spec) ? (['idempotency_in_progress', 'idempotency_mismatch'] as const) : []),
    ...(spec.errors ?? []),
  ];
  return [...new Set(codes)];
}

/** Writes schemas as the document has them: those with a name once, and referred to. */
class SchemaWriter {
  constructor(private readonly schemas: Map<string, unknown>) {}

  write(schema: TSchema): unknown {
    const known = nameOf(schema);
    if (!known) return this.#plain(shownOf(schema));
    if (!this.schemas.has(known.name)) {
      this.schemas.set(known.name, undefined); // itself may be within
      this.schemas.set(known.name, this.#plain(known.shown));
    }
    return { $ref: `#/components/schemas/${known.name}` };
  }

  #plain(value: unknown): unknown {
    const inner = (one: unknown): unknown => (isObject(one) ? this.write(one as TSchema) : this.#plain(one));
    if (Array.isArray(value)) return value.map(inner);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([name, one]) => !isOwnWord(name, one));
    const written = Object.fromEntries(entries.map(([name, one]) => [name, inner(one)]));
    return { ...written, ...withoutDefaults(value as ObjectShape) };
  }
}

interface ObjectShape {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, TSchema>>;
}

/** Readers of files fill in defaults: what has one may be left out. */
function withoutDefaults({ required, properties = {} }: ObjectShape): { readonly required?: readonly string[] } {
  if (!Array.isArray(required)) return {};
  return { required: required.filter((name: string) => properties[name]?.['default'] === undefined) };
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
/** Of the readers of our files: no words of JSON schema. A field may be called so, too. */
const isOwnWord = (name: string, value: unknown): boolean =>
  (name === 'form' && typeof value === 'string') ||
  (name === 'expected' && (typeof value === 'string' || (isObject(value) && 'code' in (value as object))));
