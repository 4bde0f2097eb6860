import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../core/errors.ts';
import { shown } from '../characters.ts';
import type { ServiceDeps } from '../deps.ts';
import { fromStore } from '../from-store.ts';
import { operation } from '../operation.ts';
import { jsonSamples } from '../samples.ts';
import {
  IdParamsSchema,
  type SocketTokenBody,
  SocketTokenSchema,
  type TalkTokenBody,
  TalkTokenBodySchema,
} from '../schemas.ts';

/** `POST /v1/agents/{id}/talk/token`: a token for one call with the agent, for browsers. Free; the call is not. */
export function talkTokenRoute(app: FastifyInstance, deps: Pick<ServiceDeps, 'agents' | 'talkTokens'>): void {
  const options = operation({
    id: 'createTalkToken',
    tag: 'Agents',
    summary: 'Get a token for one call with an agent',
    description:
      'Valid for 60 seconds and one connection: `/v1/agents/{id}/talk?token=...`. A browser never needs the API token. The call is charged as a phone call is.',
    params: IdParamsSchema,
    body: TalkTokenBodySchema,
    answer: SocketTokenSchema,
    errors: ['unknown_agent', 'agent_not_live'],
    samples: jsonSamples(
      'POST',
      '/v1/agents/<AGENT_ID>/talk/token',
      { from: 'web' },
      'createTalkToken',
      "'<AGENT_ID>'",
    ),
  });
  type Route = { Params: { id: string }; Body: TalkTokenBody };
  app.post<Route>('/v1/agents/:id/talk/token', options, async (request): Promise<SocketTokenBody> => {
    const { caller: identity, params, body } = request;
    const agent = await fromStore(() => deps.agents.get(identity.accountId, params.id));
    if (!agent) throw new ServiceError('unknown_agent', shown(params.id));
    if (agent.status !== 'live') throw new ServiceError('agent_not_live', shown(params.id));
    const grant = { identity, agentId: agent.id, from: body.from, variables: body.variables ?? {} };
    const { token, expiresAt } = await deps.talkTokens.issue(grant);
    return { token, expires_at: expiresAt.toISOString() };
  });
}
