import { Type } from '@sinclair/typebox';
import { SocketTokenSchema, variables } from '../../api/schemas.ts';
import { TokenBuckets } from '../../api/token-bucket.ts';
import type { Agent } from '../../core/agent.ts';
import type { ManageDeps } from '../deps.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { requireAllowance } from '../rates.ts';
import * as agentShapes from '../schemas/agents.ts';
import { presentToken, TokenShape } from '../schemas/people.ts';
import { personOf } from '../who.ts';
import { stillMay } from './live.ts';

const TOKEN_MS = 15 * 60_000;
const TOKENS_MAX = 10;
const FEW = `Of one person ${TOKENS_MAX} are in force at once: one more revokes the oldest.`;
/** Of one account: calls begin, and each may hold a definition until it does. */
const TALKS = { perMinute: 20, burst: 10 } as const;
/** No version of an agent: calls by a definition that was not saved name it. */
const UNSAVED_VERSION = 0;

const TalkBody = Type.Object({
  definition: Type.Optional(agentShapes.Definition),
  from: Type.Optional(Type.String({ maxLength: 64, description: 'Who calls, as the record of the call names them.' })),
  variables: Type.Optional(variables("Override the agent's own values.")),
});

/** What a signed-in person tries things with: the public API as programs use it, and talking to an agent in the browser. */
export function playgroundOperations({ store, clock, agentDesk, talk }: ManageDeps): ManageOperation[] {
  const talks = new TokenBuckets(TALKS);
  return [
    operation(
      {
        ...{ id: 'createPlaygroundToken', method: 'POST', path: '/playground-token', tag: 'Tokens and keys' },
        ...{ scope: 'agents', status: 201, showsSecret: true },
        summary: 'Get an API token that ends after 15 minutes, for pages of the console',
        description: `For people who are signed in. A page asks \`/v1\` with it, for the prices of programs. ${FEW}`,
        answer: Type.Object({ token: TokenShape, secret: Type.String() }),
        errors: ['only_people'],
      },
      async ({ who, accountId, changed }) => {
        const { id: personId, name } = personOf(who);
        const { token, secret } = await store.tokens.createShort({
          ...{ accountId, personId, name: `playground of ${name}`.slice(0, 100) },
          ...{ lifetimeMs: TOKEN_MS, aliveMax: TOKENS_MAX },
        });
        changed({ kind: 'token', id: token.id, after: presentToken(token) });
        return { token: presentToken(token), secret };
      },
    ),
    operation(
      {
        ...{ id: 'talkToAgent', method: 'POST', path: '/agents/{id}/talk', tag: 'Agents', scope: 'agents' },
        ...{ status: 201, showsSecret: true, params: idParam('agent') },
        summary: 'Get a token to talk to an agent in the browser: as it is saved, or by a definition that is not',
        description:
          'Drafts and paused agents too. The token is for one connection to `socket`, within a minute. The call is charged as every call is, ' +
          'and ends with the key or session that asked for the token.',
        body: TalkBody,
        answer: Type.Object({
          ...SocketTokenSchema.properties,
          socket: Type.String({ description: 'Path of the talk socket, for `?token=`.' }),
          agent_version: Type.Integer({ description: 'What the call will be by; 0: the definition that was sent.' }),
          minute_cents: Type.Integer({ description: 'Of every minute begun; words of the agent cost as always.' }),
        }),
        errors: ['invalid_definition'],
      },
      async ({ who, accountId, params: { id }, body, request, reply, changed }) => {
        const saved = known(await store.agents.get(accountId, id), 'agent', id);
        requireAllowance(talks.take(accountId, clock.nowMs()), reply);
        const draft: Agent = body.definition
          ? { ...saved, version: UNSAVED_VERSION, definition: agentDesk.read(body.definition) }
          : saved;
        const { token, expiresAt } = await talk.tokens.issue({
          ...{ identity: { tokenId: who.id, accountId }, agentId: id, draft },
          ...{ from: body.from ?? 'console', variables: body.variables ?? {} },
          stillMay: () => stillMay(store, request, who, 'agents'),
        });
        changed({ kind: 'agent', id, after: { talk: true, version: draft.version, status: saved.status } });
        return {
          ...{ token, expires_at: expiresAt.toISOString(), socket: `/v1/agents/${id}/talk` },
          ...{ agent_version: draft.version, minute_cents: talk.minuteCents },
        };
      },
    ),
  ];
}
