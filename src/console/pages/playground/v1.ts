import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, ask } from '../../api/client.ts';
import type { V1Request } from './v1-request.ts';

/** A good answer, and what it cost. */
export interface V1Answer<T> {
  readonly value: T;
  /** Undefined where the answer does not say: then it is free. */
  readonly costCents: number | undefined;
  readonly headers: Headers;
}

/** A token is good for 15 minutes; another is asked for when less than this is left. */
const LEFT_MS = 60_000;

let held: { readonly secret: string; readonly untilMs: number } | undefined;
let coming: Promise<string> | undefined;

/** The token of this page, as any program has one. @throws ApiError. */
async function tokenNow(): Promise<string> {
  if (held && held.untilMs - Date.now() > LEFT_MS) return held.secret;
  coming ??= ask('createPlaygroundToken', {})
    .then(({ token, secret }) => {
      held = { secret, untilMs: token.expires_at ? Date.parse(token.expires_at) : 0 };
      return secret;
    })
    .finally(() => {
      coming = undefined;
    });
  return coming;
}

/** @throws ApiError with the code of the envelope. */
export async function askV1<T>(
  request: V1Request,
  read: (answer: Response) => Promise<T>,
  signal?: AbortSignal,
): Promise<V1Answer<T>> {
  const answer = await send(request, await tokenNow(), signal);
  if (answer.status === 401) held = undefined; // taken back, by ten others or by hand: the next request has another
  if (!answer.ok) throw await refusalOf(answer);
  const cost = answer.headers.get('x-service-cost-cents');
  const value = await read(answer);
  const inBody = (value as { readonly cost_cents?: number } | undefined)?.cost_cents;
  return { value, costCents: cost === null ? inBody : Number(cost), headers: answer.headers };
}

async function send({ path, json, form }: V1Request, token: string, signal?: AbortSignal): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }) };
  const body = json ? JSON.stringify(json) : form && formOf(form);
  try {
    return await fetch(path, { method: 'POST', headers, body, signal, credentials: 'omit' });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError('unreachable', 'The gateway does not answer.', 0);
  }
}

function formOf({ file, fields }: NonNullable<V1Request['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file.bytes, file.name);
  return form;
}

async function refusalOf(answer: Response): Promise<ApiError> {
  const { error } = ((await answer.json().catch(() => undefined)) ?? {}) as {
    readonly error?: { readonly code: string; readonly message: string };
  };
  const { code = 'unreachable', message = answer.statusText } = error ?? {};
  // What an operator has to set, where that is why.
  const reason = answer.headers.get('x-service-reason');
  const text = reason === null ? message : `${message} (${reason})`;
  return new ApiError(code, text, answer.status, answer.headers.get('x-request-id') ?? undefined);
}

/** One operation of the public API on a page. What it answered stays until it is asked again. */
export function useV1<T>(read: (answer: Response) => Promise<T>) {
  const [sent, setSent] = useState<V1Request>();
  const { mutate, data, error, isPending, reset } = useMutation<V1Answer<T>, ApiError, V1Request>({
    mutationFn: (request) => askV1(request, read),
  });
  return {
    ...{ sent, answer: data, error, isBusy: isPending },
    run: (request: V1Request) => {
      setSent(request);
      mutate(request);
    },
    reset,
  };
}
export type V1Use<T> = ReturnType<typeof useV1<T>>;

export const readJson = <T>(answer: Response): Promise<T> => answer.json() as Promise<T>;
