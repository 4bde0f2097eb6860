import type { AgentAction } from '../../core/agent.ts';
import { type Clock, timeoutSignal } from '../../core/clock.ts';
import { ForbiddenAddress } from '../../core/guarded-request.ts';
import type { Lookup } from './template.ts';
import { variablesOf } from './template.ts';
import type { Fetcher } from './tool-fetcher.ts';

export interface HttpToolLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}
export type HttpToolResult =
  /** `text`: the whole answer, compact. */
  | { readonly ok: true; readonly facts: Readonly<Record<string, string>>; readonly text: string }
  | {
      readonly ok: false;
      readonly why:
        | 'bad-url'
        | 'timeout'
        | 'status'
        | 'too-large'
        | 'not-json'
        | 'network'
        | 'forbidden'
        | 'no-fetcher';
    };

/** What is asked of a service: an `http` action, or a tool of a model. */
export type HttpRequest = Pick<
  Extract<AgentAction, { type: 'http' }>,
  'method' | 'url' | 'body' | 'headers' | 'timeoutMs'
>;
const MAX_FACTS = 50;
const MAX_FACT_CHARS = 1_000;
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * The address of a tool with its values filled in, percent-encoded. Scheme, host and port come from the agent file
 * alone: a `{{value}}` before the path begins is refused, so is anything but http and https.
 */
export function toolUrl(template: string, lookup: Lookup): URL | undefined {
  const firstValue = template.indexOf('{{');
  const fixed = firstValue < 0 ? template : template.slice(0, firstValue);
  if (!/^https?:\/\/[^/?#@\s]+(?:[/?#]|$)/i.test(fixed) || (firstValue >= 0 && !/^https?:\/\/[^/?#]+[/?]/i.test(fixed)))
    return undefined;
  let filled = template;
  for (const name of variablesOf(template)) {
    filled = filled.replace(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`), () =>
      encodeURIComponent(clean(lookup(name) ?? '')),
    );
  }
  return URL.canParse(filled) ? new URL(filled) : undefined;
}

/** A lone half of a surrogate pair would make encodeURIComponent throw; a path of dots would climb. */
function clean(value: string): string {
  return value.replace(/[\ud800-\udfff]/gu, '\ufffd').replace(/^\.+$/, '');
}

/** Calls an HTTP tool within its time and size. Never throws. A redirect counts as a network error. */
export async function callTool(
  action: HttpRequest,
  lookup: Lookup,
  fetcher: Fetcher | undefined,
  limits: HttpToolLimits,
  signal: AbortSignal,
  clock: Clock,
  traceparent?: string,
): Promise<HttpToolResult> {
  if (!fetcher) return { ok: false, why: 'no-fetcher' };
  const url = toolUrl(action.url, lookup);
  if (!url) return { ok: false, why: 'bad-url' };
  const timeout = timeoutSignal(clock, Math.min(action.timeoutMs ?? limits.timeoutMs, limits.timeoutMs));
  const either = AbortSignal.any([signal, timeout.signal]);
  const body = action.method === 'POST' ? JSON.stringify(filledBody(action.body ?? {}, lookup)) : undefined;
  try {
    const response = await fetcher(url.href, {
      method: action.method,
      headers: {
        ...(traceparent !== undefined && { traceparent }),
        ...action.headers,
        ...{ accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
      },
      ...(body !== undefined && { body }),
      redirect: 'error',
      signal: either,
    });
    if (!response.ok) return { ok: false, why: 'status' };
    const text = await readBounded(response.body, limits.maxBytes, either);
    if (text === undefined) return { ok: false, why: 'too-large' };
    const answer = JSON.parse(text) as unknown;
    return { ok: true, facts: plainFields(answer), text: JSON.stringify(answer) };
  } catch (error) {
    if (timeout.signal.aborted) return { ok: false, why: 'timeout' };
    if (error instanceof ForbiddenAddress) return { ok: false, why: 'forbidden' };
    return { ok: false, why: error instanceof SyntaxError ? 'not-json' : 'network' };
  } finally {
    timeout.cancel();
  }
}

function filledBody(body: Readonly<Record<string, string>>, lookup: Lookup): Record<string, string> {
  const fill = (text: string): string =>
    text.replace(/\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g, (_, name: string) => lookup(name) ?? '');
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, fill(value)]));
}

async function readBounded(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** For records: no value stands in it. */
export function toolLabel({ method, url }: Pick<HttpRequest, 'method' | 'url'>): string {
  const fixed = url.split('{{', 1)[0]!.split('?', 1)[0]!;
  return `${method} ${fixed}`.slice(0, 200);
}

/** The plain fields of the answer's top level: what templates may name. */
export function plainFields(answer: unknown): Record<string, string> {
  const facts: Record<string, string> = {};
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return facts;
  for (const [key, value] of Object.entries(answer).slice(0, MAX_FACTS)) {
    if (!NAME.test(key) || !['string', 'number', 'boolean'].includes(typeof value)) continue;
    facts[key] = String(value).slice(0, MAX_FACT_CHARS);
  }
  return facts;
}
