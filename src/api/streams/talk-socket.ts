import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { type Clock, repeat } from '../../core/clock.ts';
import { TALK_ERRORS, talkErrorMessage } from '../../core/talk-errors.ts';
import { shown } from '../characters.ts';
import type { ServiceDeps } from '../deps.ts';
import { fromStore } from '../from-store.ts';
import { admitByHeader, type SocketAdmission } from '../socket-admission.ts';
import type { TalkGrant } from '../socket-tokens.ts';
import { keepUpgradeHeaders, queryToken, refuseOrdinary } from '../websockets.ts';
import { socketEnds } from './socket-ends.ts';
import type { TalkAdmission, TalkCalls } from './stream-calls.ts';

export interface TalkSocketDeps extends SocketAdmission, Pick<ServiceDeps, 'agents' | 'talkTokens' | 'clock'> {
  readonly calls: TalkCalls;
}

/** Whom the record of a call names where nobody says who calls. */
const FROM_DEFAULT = 'web';
const LOOK_EVERY_MS = 15_000;

/**
 * `GET /v1/agents/{id}/talk`, of an app that has `useWebSockets`: a call with an agent. The account's token is taken from the
 * header, and judged before the upgrade (401 as JSON); from the query only a token for one call, judged after it.
 */
export async function talkSocketRoute(app: FastifyInstance, deps: TalkSocketDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const { authorization } = request.headers;
      if (authorization !== undefined || queryToken(request) === undefined) {
        const identity = await admitByHeader(request, reply, deps);
        grants.set(request, { identity, agentId: idOf(request), from: undefined, variables: {} });
      }
      keepUpgradeHeaders(request, reply);
    });
    scope.route({
      method: 'GET',
      url: '/v1/agents/:id/talk',
      schema: { hide: true },
      handler: refuseOrdinary,
      wsHandler: (socket, request) => {
        deps.calls.talk(socket, socketEnds(request), idOf(request), admit(request, socket, deps));
      },
    });
  });
}

/** Ends the call when whoever got its token may not any more. */
function endWith(stillMay: () => Promise<boolean>, socket: WebSocket, clock: Clock): void {
  const code = 'unauthorized';
  const end = (): void => {
    socket.send(JSON.stringify({ type: 'error', error: { code, message: talkErrorMessage(code) } }));
    socket.close(TALK_ERRORS[code], code);
  };
  const stop = repeat(clock, LOOK_EVERY_MS, () => void stillMay().then((may) => may || end()));
  socket.once('close', stop);
}

/** What the token in the header allows. */
const grants = new WeakMap<FastifyRequest, TalkGrant>();

const idOf = (request: FastifyRequest): string => (request.params as { readonly id: string }).id;

/** A token for one call was counted when it was issued. */
async function admit(
  request: FastifyRequest,
  socket: WebSocket,
  { agents, load, talkTokens, clock }: TalkSocketDeps,
): Promise<TalkAdmission> {
  const id = idOf(request);
  const grant = grants.get(request) ?? (await talkTokens.redeem(queryToken(request) ?? ''));
  if (grant?.stillMay) endWith(grant.stillMay, socket, clock);
  if (!grant || grant.agentId !== id) return { code: 'unauthorized' };
  if (grant.stillMay && !(await grant.stillMay())) return { code: 'unauthorized' };
  const openedAll = grants.has(request) ? () => {} : load.admit();
  if (!openedAll) return { code: 'unavailable' };
  openedAll();
  const { from = FROM_DEFAULT, variables } = grant;
  if (grant.draft) return { agent: grant.draft, from, variables };
  const agent = await fromStore(() => agents.get(grant.identity.accountId, id));
  if (!agent) return { code: 'unknown_agent', detail: shown(id) };
  if (agent.status !== 'live') return { code: 'agent_not_live', detail: shown(id) };
  return { agent, from, variables };
}
