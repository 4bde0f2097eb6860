import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../core/errors.ts';
import type { TokenIdentity } from '../store/tokens.ts';
import { bearerToken } from './auth.ts';
import { fromStore } from './from-store.ts';
import type { LoadGauge } from './load-gauge.ts';
import type { RequestRates } from './rate-limit.ts';

/** What decides whether a connection may be upgraded. */
export interface SocketAdmission {
  readonly tokens: { authenticate(presented: string | undefined): Promise<TokenIdentity | undefined> };
  /** The buckets of the HTTP operations: a connection counts as one request of its token. */
  readonly rates: Pick<RequestRates, 'take' | 'admit'>;
  readonly load: Pick<LoadGauge, 'admit'>;
}

/**
 * Judges the token of the header as every operation does, before the upgrade.
 *
 * @throws ServiceError `unauthorized`, `rate_limited` or `unavailable`.
 */
export async function admitByHeader(
  request: FastifyRequest,
  reply: FastifyReply,
  { tokens, rates, load }: SocketAdmission,
): Promise<TokenIdentity> {
  const identity = await fromStore(() => tokens.authenticate(bearerToken(request.headers.authorization)));
  if (!identity) throw new ServiceError('unauthorized');
  const refusal = rates.admit(identity, reply);
  if (refusal) throw refusal;
  const openedAll = load.admit();
  if (!openedAll) throw new ServiceError('unavailable');
  openedAll(); // the connection, and nothing more
  return identity;
}
