import type { SaidNotice } from '../i18n/notice-pieces.ts';
import { OPERATIONS, type Operations } from './generated/operations.ts';

/** Names of operations, as the document of the management API has them. */
export type OperationId = keyof Operations & keyof typeof OPERATIONS;
type Part<Id extends OperationId, P extends string> = Operations[Id] extends { [K in P]: infer V } ? V : undefined;
export type Answer<Id extends OperationId> = Part<Id, 'answer'>;
type Given<Id extends OperationId, P extends string> =
  Part<Id, P> extends undefined ? { [K in P]?: undefined } : { [K in P]: Part<Id, P> };
type GivenQuery<Id extends OperationId> = { query?: Part<Id, 'query'> };
/** What an operation is asked with: `params` of its path, `query`, `body`. */
export type Input<Id extends OperationId> = Given<Id, 'params'> & GivenQuery<Id> & Given<Id, 'body'>;

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** The `ETag` of what was read: a change over somebody else's is refused with `edited_meanwhile`. */
  readonly ifMatch?: string;
}

const BASE = '/manage/v1';
const ACCOUNT_KEY = 'nidaa.account';

/** What the gateway answered in place of what was asked for; `unreachable` where it did not answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly requestId?: string,
    /** What the details of the message say, as data. */
    readonly notice?: SaidNotice,
  ) {
    super(message);
  }
}

/** The account that an operator looks at; undefined: the own one. Each tab has its own, so that none changes below a page. */
export function chosenAccount(): string | undefined {
  return sessionStorage.getItem(ACCOUNT_KEY) ?? undefined;
}

export function chooseAccount(id: string | undefined): void {
  if (id === undefined) sessionStorage.removeItem(ACCOUNT_KEY);
  else sessionStorage.setItem(ACCOUNT_KEY, id);
}

/** Headers of every request of the console: the second one is what no other site can send. */
export function ownHeaders(): Record<string, string> {
  const account = chosenAccount();
  return { 'x-nidaa-console': '1', ...(account !== undefined && { 'x-nidaa-account': account }) };
}

/** Address of an operation, for links, players and downloads. */
export function addressOf<Id extends OperationId>(id: Id, input: Input<Id> | Omit<Input<Id>, 'body'>): string {
  const { params = {}, query: asked = {} } = input as {
    params?: Record<string, string>;
    query?: Record<string, unknown>;
  };
  const path = OPERATIONS[id].path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return `${BASE}${path}${text && `?${text}`}`;
}

/** @throws ApiError. */
export async function ask<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: AskOptions = {},
): Promise<Answer<Id>> {
  return (await askTagged(id, input, options)).value;
}

/** With the `ETag` of what was read, for `ifMatch`. @throws ApiError. */
export async function askTagged<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  options: AskOptions = {},
): Promise<{ readonly value: Answer<Id>; readonly tag: string | undefined }> {
  const { method } = OPERATIONS[id];
  const body = input.body === undefined ? undefined : JSON.stringify(input.body);
  const headers = {
    ...ownHeaders(),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(options.ifMatch !== undefined && { 'if-match': options.ifMatch }),
  };
  const answer = await reach(addressOf(id, input), { method, headers, body, signal: options.signal });
  const value = answer.status === 204 ? undefined : await answer.json();
  return { value: value as Answer<Id>, tag: answer.headers.get('etag') ?? undefined };
}

/** A request with the own headers, whose answer is a good one. @throws ApiError. */
export async function reach(address: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(address, {
      ...init,
      headers: { ...ownHeaders(), ...(init.headers as Record<string, string>) },
    });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError('unreachable', 'The gateway does not answer.', 0);
  }
  if (answer.ok) return answer;
  const told = (await answer.json().catch(() => undefined)) as
    | { error?: { code: string; message: string; notice?: SaidNotice } }
    | undefined;
  const requestId = answer.headers.get('x-request-id') ?? undefined;
  throw new ApiError(
    told?.error?.code ?? 'unreachable',
    told?.error?.message ?? answer.statusText,
    answer.status,
    requestId,
    told?.error?.notice,
  );
}
