import type { WebhookBody } from '../core/webhook.ts';

export type { WebhookBody, WebhookEventType } from '../core/webhook.ts';

/** Why a message is not to be believed. */
export type WebhookRefusal = 'missing-header' | 'too-old' | 'too-new' | 'wrong-signature' | 'not-json';

/** The message is not from the gateway, or not of now: answer 400, and do nothing. */
export class WebhookVerificationError extends Error {
  constructor(readonly reason: WebhookRefusal) {
    super(`webhook refused: ${reason}`);
    this.name = 'WebhookVerificationError';
  }
}

export interface VerifyOptions {
  /** `whsec_...`, as it was shown; several while one takes the place of another. */
  readonly secret: string | readonly string[];
  /** As `node:http`, `fetch` or a framework has them. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it came, byte for byte: what was parsed and written anew has another signature. */
  readonly body: string | Uint8Array;
  /** How far the clocks may be apart, and how late a message may come. */
  readonly toleranceSeconds?: number;
  /** Now. */
  readonly at?: Date;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
/** A header of that many signatures is nobody's. */
const SIGNATURES_MAX = 10;

/**
 * Whether a message is from who knows the secret (Standard Webhooks 1.0): HMAC-SHA256 over `id.timestamp.body`, at a time that
 * is near. The same `id` may come twice: who must not do a thing twice remembers it.
 *
 * @returns what happened. @throws WebhookVerificationError.
 */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookBody> {
  const { secret, headers, toleranceSeconds = TOLERANCE_SECONDS, at = new Date() } = options;
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (Number.isNaN(seconds)) throw new WebhookVerificationError('missing-header');
  const age = Math.floor(at.getTime() / 1000) - seconds;
  if (age > toleranceSeconds) throw new WebhookVerificationError('too-old');
  if (-age > toleranceSeconds) throw new WebhookVerificationError('too-new');
  const body = typeof options.body === 'string' ? new TextEncoder().encode(options.body) : options.body;
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  const given = headerOf(headers, 'webhook-signature').split(' ').slice(0, SIGNATURES_MAX);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const signatures = given.flatMap((one) => (one.startsWith('v1,') ? (bytesOf(one.slice(3)) ?? []) : []));
  for (const one of secrets) {
    const key = await keyOf(one);
    for (const signature of signatures) {
      // It compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return read(body);
    }
  }
  throw new WebhookVerificationError('wrong-signature');
}

function read(body: Uint8Array): WebhookBody {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookBody;
  } catch {
    throw new WebhookVerificationError('not-json');
  }
}

/** @throws WebhookVerificationError where it is missing, or there twice. */
function headerOf(headers: VerifyOptions['headers'], name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('missing-header');
  return value;
}

/** @throws TypeError where it is no secret of a webhook: that is a mistake here, and not of the sender. */
function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const raw = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined;
  if (!raw || raw.length === 0)
    throw new TypeError(`the secret of a webhook begins with ${PREFIX} and goes on in base64`);
  return crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
