import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../core/management.ts';
import type { Actor } from '../store/audit.ts';
import { type ManageCode, ManageError } from './manage-error.ts';
import type { Who } from './who.ts';

/** Groups of operations, in the order of the document. */
export const TAGS = [
  ...([
    'Overview',
    'Session',
    'Account',
    'Tokens and keys',
    'People',
    'Agents',
    'Numbers',
    'Trunks and phones',
  ] as const),
  ...(['Calls', 'Live', 'Webhooks', 'System'] as const),
] as const;

/** One operation: its checks, and its entry in the document, from one description. */
export interface OperationSpec {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/manage/v1`, parameters as `{id}`. */
  readonly path: string;
  readonly tag: (typeof TAGS)[number];
  /** Who may: a scope, whoever is signed in or has a key, or anyone. */
  readonly scope: Scope | 'signed-in' | 'anyone';
  readonly summary: string;
  readonly description?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** The same as a form with a file: then `body` takes the file in base64. */
  readonly form?: TSchema;
  /** Of a JSON answer; without it there is none (204), or the media types of `files`. */
  readonly answer?: TSchema;
  readonly files?: readonly string[];
  readonly status?: 200 | 201 | 202;
  /** What it answers besides what every operation may. */
  readonly errors?: readonly ManageCode[];
  /** A secret is in what is sent or answered: nothing of it is kept, so that the request cannot be repeated under a key. */
  readonly showsSecret?: boolean;
  /** Its answer has an `ETag`, or it takes one as `If-Match`. */
  readonly tagged?: boolean;
  /** Asks, and changes nothing, although it is no GET: not in the audit log. */
  readonly asksOnly?: boolean;
}

/** Whether its answer may be kept and given again for an `Idempotency-Key`. */
export const isRepeatable = ({ method, showsSecret, scope, asksOnly }: OperationSpec): boolean =>
  method === 'POST' && !showsSecret && scope !== 'anyone' && !asksOnly;

/** What was done to what, for the audit log. */
export interface Change {
  readonly kind: string;
  readonly id: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Where nobody had signed in yet. */
  readonly actor?: Actor;
  readonly accountId?: string;
}

export interface Asked<P, Q, B> {
  readonly who: Who;
  /** Whose things are seen and changed: another's are as unknown as none. */
  readonly accountId: string;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Goes into the audit log when the operation has succeeded. */
  changed(change: Change): void;
}

export interface ManageOperation {
  readonly spec: OperationSpec;
  readonly handle: (asked: Asked<never, never, never>) => Promise<unknown>;
}

type Shape<S> = S extends TSchema ? Static<S> : undefined;
/** What is answered is only read. */
type Settled<T> = T extends readonly (infer U)[]
  ? readonly Settled<U>[]
  : T extends object
    ? { readonly [K in keyof T]: Settled<T[K]> }
    : T;
type Answer<S extends OperationSpec> = S['answer'] extends TSchema
  ? Settled<Static<S['answer']>>
  : undefined | FastifyReply;

/** An operation whose handler is held to the shapes of its description. */
export function operation<const S extends OperationSpec>(
  spec: S,
  handle: (asked: Asked<Shape<S['params']>, Shape<S['query']>, Shape<S['body']>>) => Promise<Answer<S>>,
): ManageOperation {
  return { spec, handle: handle as ManageOperation['handle'] };
}

export const idParam = (what: string): TObject<{ id: ReturnType<typeof Type.String> }> =>
  Type.Object({ id: Type.String({ minLength: 1, maxLength: 300, description: `Id of the ${what}.` }) });

/** For what only some may within an operation that is for more. @throws ManageError. */
export function requireScope(who: Who, scope: Scope): void {
  if (!who.scopes.includes(scope)) throw new ManageError('missing_scope', scope);
}

/** What was asked for, unless the account has none. @throws ManageError. */
export function known<T>(found: T | undefined, what: string, id: string): T {
  if (found === undefined) throw new ManageError('unknown_resource', `${what} ${id.slice(0, 100)}`);
  return found;
}

/** The version that an `If-Match` must name (RFC 9110 §8.8.3). */
export const versionTag = (...parts: readonly (string | number | Date)[]): string =>
  `"${parts.map((part) => (part instanceof Date ? part.getTime() : part)).join('-')}"`;

/** Told with an answer, to be sent back with the next change. */
export function tag(reply: FastifyReply, value: string): void {
  reply.header('etag', value);
}

/** @throws ManageError `edited_meanwhile` where the request is made for another version than there is (RFC 9110 §13.1.1). */
export function requireMatch(request: FastifyRequest, current: string): void {
  const wanted = request.headers['if-match'];
  if (wanted === undefined || wanted.trim() === '*') return;
  if (!wanted.split(',').some((one) => one.trim() === current)) throw new ManageError('edited_meanwhile');
}
