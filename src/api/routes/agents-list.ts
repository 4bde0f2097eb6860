import type { FastifyInstance } from 'fastify';
import type { Agent } from '../../core/agent.ts';
import { ServiceError } from '../../core/errors.ts';
import type { ServiceDeps } from '../deps.ts';
import { fromStore } from '../from-store.ts';
import { operation } from '../operation.ts';
import { jsonSamples } from '../samples.ts';
import { type AgentItem, type AgentList, AgentsSchema } from '../schemas.ts';

type Deps = Pick<ServiceDeps, 'agents' | 'ledger' | 'settings'>;

/** `GET /v1/agents`: every agent of the token's account, most recently changed first. Free, but not for a used-up account. */
export function agentsListRoute(app: FastifyInstance, { agents, ledger, settings }: Deps): void {
  const options = operation({
    id: 'listAgents',
    tag: 'Agents',
    summary: 'List agents',
    answer: AgentsSchema,
    errors: ['insufficient_credit'],
    samples: jsonSamples('GET', '/v1/agents', undefined, 'listAgents'),
  });
  app.get('/v1/agents', options, async (request): Promise<AgentList> => {
    const { accountId } = request.caller;
    if (settings.gateAgentsList) {
      const balance = await ledger.balance(accountId);
      if (!balance || balance.balanceCents <= 0) throw new ServiceError('insufficient_credit');
    }
    const rows = await fromStore(() => agents.list(accountId));
    return { agents: rows.map(agentItem) };
  });
}

function agentItem({ id, status, updatedAt, definition }: Agent): AgentItem {
  const { name, voice, model, language } = definition;
  return { id, name, voice_id: voice, model, language, status, updated_at: updatedAt.toISOString() };
}
