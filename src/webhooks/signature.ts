import { createHmac } from 'node:crypto';
import { WEBHOOK_SECRET_PREFIX } from '../core/webhook.ts';

export interface Signed {
  readonly id: string;
  readonly at: Date; // of this try
  readonly body: string;
}

/**
 * The headers that prove a message (Standard Webhooks 1.0, "Signature scheme"): HMAC-SHA256 over `id.timestamp.body` by every
 * secret that is in force, so that a receiver that knows one of them is content.
 *
 * @param secrets - `whsec_` and base64 of the key, one at least.
 */
export function signatureHeaders({ id, at, body }: Signed, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
