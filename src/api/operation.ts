import { type TSchema, Type } from '@sinclair/typebox';
import type { FastifyContextConfig } from 'fastify';
import { ERRORS, type ErrorCode } from '../core/errors.ts';

/** Codes that any operation with a token may answer. */
const EVERYWHERE: readonly ErrorCode[] = ['unauthorized', 'rate_limited', 'internal_error', 'unavailable'];
const WITH_BODY: readonly ErrorCode[] = ['invalid_request', 'unsupported_media_type', 'request_too_large'];
const WHEN_PAID: readonly ErrorCode[] = ['insufficient_credit', 'idempotency_in_progress', 'idempotency_mismatch'];

export interface Sample {
  readonly lang: 'Shell' | 'TypeScript' | 'Python';
  readonly label: string;
  readonly source: string;
}

export interface OperationSpec {
  readonly id: string;
  readonly tag: 'Agents' | 'Speech' | 'Text' | 'Transcription' | 'Documents' | 'Voices';
  readonly summary: string;
  readonly description?: string;
  readonly paid?: boolean;
  readonly body?: TSchema | { readonly [mediaType: string]: TSchema };
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** A JSON body, or bodies by media type. */
  readonly answer: TSchema | { readonly [mediaType: string]: TSchema };
  readonly upload?: boolean;
  /** Neither its requests nor its answers are kept anywhere. */
  readonly isPrivate?: boolean;
  /** What `Accept` makes of the answer to `body`; without it nothing. */
  readonly negotiated?: (accept: string | undefined, body: unknown) => string;
  /** What this operation answers besides what every operation may. */
  readonly errors: readonly ErrorCode[];
  readonly samples: readonly Sample[];
}

export interface OperationOptions {
  readonly schema: Record<string, unknown>;
  readonly config: FastifyContextConfig;
}

/** What a route is told: its checks, its serialiser and its page in the reference, from one description. */
export function operation(spec: OperationSpec): OperationOptions {
  const headers = spec.paid ? IDEMPOTENCY_HEADER : undefined;
  return {
    schema: {
      operationId: spec.id,
      tags: [spec.tag],
      summary: spec.summary,
      ...(spec.description !== undefined && { description: spec.description }),
      security: [{ bearer: [] }],
      'x-codeSamples': spec.samples,
      ...(spec.params && { params: spec.params }),
      ...(spec.query && { querystring: spec.query }),
      ...(headers && { headers }),
      ...(spec.body && { body: bodyOf(spec.body) }),
      response: { 200: answerOf(spec) },
    },
    config: {
      ...{ operation: spec, isPaid: spec.paid ?? false },
      ...{ isUpload: spec.upload ?? false, isPrivate: spec.isPrivate ?? false },
    },
  };
}

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: OperationSpec;
  }
}

const IDEMPOTENCY_HEADER = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'Up to 255 characters. The same key with the same request within 24 hours is charged once.',
    }),
  ),
});

function codesOf(spec: OperationSpec): ErrorCode[] {
  const codes = [...spec.errors, ...EVERYWHERE, ...(spec.body ? WITH_BODY : []), ...(spec.paid ? WHEN_PAID : [])];
  // Uploads have a size error of their own.
  return [...new Set(codes)].filter((code) => !(spec.upload && code === 'request_too_large'));
}

/** A shape with a name is written once in the reference, and referred to. */
const byName = (schema: TSchema): TSchema => (schema.$id === undefined ? schema : Type.Ref(schema.$id));

const isSchema = (value: object): value is TSchema => 'type' in value || '$ref' in value || 'anyOf' in value;

function bodyOf(body: NonNullable<OperationSpec['body']>): unknown {
  return isSchema(body) ? byName(body) : content(body);
}

function answerOf({ answer }: OperationSpec): unknown {
  const byMediaType = isSchema(answer) ? { 'application/json': answer } : answer;
  return { description: 'Success.', ...content(byMediaType) };
}

function content(byMediaType: { readonly [mediaType: string]: TSchema }): { content: Record<string, unknown> } {
  const entries = Object.entries(byMediaType).map(([type, schema]) => [type, { schema: byName(schema) }]);
  return { content: Object.fromEntries(entries) };
}

/**
 * Error answers by status, each with an example for every code it may carry. For the reference only: errors are written
 * in one place and need no serialiser a route, which would take most of the start.
 */
export function errorAnswers(spec: OperationSpec): Record<number, unknown> {
  const codes = codesOf(spec);
  const answers: Record<number, unknown> = {};
  for (const status of [...new Set(codes.map((code) => ERRORS[code].status))].sort()) {
    const ofStatus = codes.filter((code) => ERRORS[code].status === status);
    const examples = ofStatus.map((code) => [code, { value: { error: { code, message: ERRORS[code].message } } }]);
    answers[status] = {
      description: ofStatus.map((code) => `\`${code}\``).join(', '),
      content: { 'application/json': { schema: Type.Ref('Error'), examples: Object.fromEntries(examples) } },
    };
  }
  return answers;
}
