import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerError, sendError } from '../api/error-envelope.ts';
import { fromStore, storeFault } from '../api/from-store.ts';
import { useIdempotency } from '../api/idempotency.ts';
import { RequestRates, useRateLimit } from '../api/rate-limit.ts';
import { UPLOAD_BODY_BYTES, useUploads } from '../api/upload.ts';
import type { NewAuditEntry } from '../store/audit.ts';
import { isOfDatabase } from '../store/database.ts';
import { consoleFiles } from './console-files.ts';
import type { ManageDeps } from './deps.ts';
import { manageDocument } from './document.ts';
import { ManageError } from './manage-error.ts';
import { type Asked, type Change, isRepeatable, type ManageOperation } from './operation.ts';
import { operationsOf } from './operations.ts';
import { actorOf, type Who, whoAsks } from './who.ts';

const BASE = '/manage/v1';
/** Of one key or person: a console that is open in several windows asks a few times a second. */
const RATES = { requestsPerMinute: 1_200, requestBurst: 200 } as const;
const IN_FLIGHT_PER_ACCOUNT = 50;
/** An operator's requests are for this account, where it is given. */
const ACCOUNT_HEADER = 'x-nidaa-account';

/** The management API: its operations, its document, and the pages of the console. */
export async function manageApi(app: FastifyInstance, deps: ManageDeps): Promise<void> {
  const operations = operationsOf(deps);
  let document: string | undefined;
  useManageErrors(app);
  app.addHook('preClose', async () => deps.feed.close());
  app.get(`${BASE}/openapi.json`, { config: { loggedAs: 'getManageDocument' } }, async (_request, reply) => {
    document ??= JSON.stringify(manageDocument(operations, deps.version, BASE));
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(document);
  });
  await consoleFiles(app);
  await app.register(async (scope) => {
    for (const one of operations.filter(({ spec }) => spec.scope === 'anyone')) addRoute(scope, deps, one);
  });
  await app.register(async (scope) => {
    scope.decorateRequest('who');
    scope.decorateRequest('caller');
    scope.addHook('onRequest', async (request, reply) => admit(deps, request, reply));
    const rates = new RequestRates(deps.clock, RATES);
    useRateLimit(scope, { rates, inFlightPerAccount: IN_FLIGHT_PER_ACCOUNT });
    useIdempotency(scope, deps.store.idempotency);
    const closed = operations.filter(({ spec }) => spec.scope !== 'anyone');
    for (const one of closed.filter(({ spec }) => !spec.form)) addRoute(scope, deps, one);
    await scope.register(async (uploads) => {
      await useUploads(uploads);
      for (const one of closed.filter(({ spec }) => spec.form)) addRoute(uploads, deps, one);
    });
  });
}

function useManageErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request, reply) =>
    error instanceof ManageError ? sendError(request, reply, error) : answerError(error, request, reply),
  );
}

declare module 'fastify' {
  interface FastifyContextConfig {
    manage?: ManageOperation['spec'];
  }
}

/** Who asks, whether they may, and for which account: before the body is read. */
async function admit({ store }: ManageDeps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const who = await whoAsks(store, request, reply);
  const { scope } = request.routeOptions.config.manage ?? {};
  if (scope !== undefined && scope !== 'signed-in' && scope !== 'anyone' && !who.scopes.includes(scope)) {
    throw new ManageError('missing_scope', scope);
  }
  request.who = who;
  request.caller = { tokenId: who.id, accountId: await accountOf(store, who, request) };
}

async function accountOf(store: ManageDeps['store'], who: Who, request: FastifyRequest): Promise<string> {
  const wanted = request.headers[ACCOUNT_HEADER];
  if (typeof wanted !== 'string' || wanted === who.accountId) return who.accountId;
  const account = who.scopes.includes('operator') ? await fromStore(() => store.accounts.get(wanted)) : undefined;
  if (!account) throw new ManageError('unknown_resource', `account ${wanted.slice(0, 100)}`);
  return account.id;
}

function addRoute(scope: FastifyInstance, deps: ManageDeps, { spec, handle }: ManageOperation): void {
  scope.route({
    method: spec.method,
    url: `${BASE}${spec.path.replace(/\{(\w+)\}/g, ':$1')}`,
    schema: {
      ...(spec.params && { params: spec.params }),
      ...(spec.query && { querystring: spec.query }),
      ...(spec.body && { body: spec.body }),
    },
    ...(spec.form && { bodyLimit: UPLOAD_BODY_BYTES }),
    config: { manage: spec, loggedAs: spec.id, isPaid: isRepeatable(spec), ...(spec.form && { isUpload: true }) },
    // The shapes are held by types and by the tests: compiling a serialiser for each would slow the start.
    serializerCompiler: () => (value: unknown) => JSON.stringify(value),
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const changes: Change[] = [];
      const answer = await handle(askedOf(request, reply, (change) => changes.push(change))).catch(told);
      if (changes.length > 0) await fromStore(() => deps.store.audit.add(entriesOf(request, spec.id, changes)));
      // An answer that goes on is waited for: when it is over nothing more is sent, however it ended.
      if (answer === reply || reply.raw.headersSent || reply.raw.destroyed) return reply;
      return reply.code(spec.status ?? (answer === undefined ? 204 : 200)).send(answer);
    },
  });
}

/** @throws what the client is told of it: that it may come again where the database was away, and of nothing else. */
function told(error: unknown): never {
  throw isOfDatabase(error) ? storeFault(error) : error;
}

function askedOf(
  request: FastifyRequest,
  reply: FastifyReply,
  changed: (change: Change) => void,
): Asked<never, never, never> {
  const { who, caller, params, query, body } = request;
  return {
    ...{ who, accountId: caller?.accountId ?? '', request, reply, changed },
    ...{ params: params as never, query: query as never, body: body as never },
  };
}

function entriesOf(request: FastifyRequest, action: string, changes: readonly Change[]): NewAuditEntry[] {
  return changes.map(({ kind, id, before, after, actor, accountId }) => ({
    accountId: accountId ?? request.caller.accountId,
    actor: actor ?? actorOf(request.who),
    ...{ action, target: { kind, id }, before, after, requestId: request.id },
  }));
}
