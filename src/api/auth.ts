import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../core/errors.ts';
import type { TokenIdentity } from '../store/tokens.ts';
import { fromStore } from './from-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose token the request came with. Set before anything else runs in a `/v1` route. */
    caller: TokenIdentity;
  }
}

/** The token of an `Authorization: Bearer` header (RFC 6750 §2.1); undefined when there is none. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

/**
 * Every route of `scope` needs a token. Runs before the body is read, and takes the same way for missing, malformed,
 * unknown and revoked tokens.
 */
export function useBearerAuth(
  scope: FastifyInstance,
  authenticate: (token: string | undefined) => Promise<TokenIdentity | undefined>,
): void {
  scope.decorateRequest('caller');
  scope.addHook('onRequest', async (request) => {
    const identity = await fromStore(() => authenticate(bearerToken(request.headers.authorization)));
    if (!identity) throw new ServiceError('unauthorized');
    request.caller = identity;
  });
}
