import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { delay } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { AccountCounts } from '../../core/shared-use.ts';
import type { TokenIdentity } from '../../store/tokens.ts';
import { fromStore } from '../from-store.ts';
import { admitByHeader, type SocketAdmission } from '../socket-admission.ts';
import { type OneUseTokens, SOCKET_TOKEN_PREFIX } from '../socket-tokens.ts';
import { keepUpgradeHeaders, queryToken, refuseOrdinary } from '../websockets.ts';
import type { SocketFault } from './frames.ts';
import { type SessionDeps, TranscribeSession } from './session.ts';

export const TRANSCRIBE_SOCKET_PATH = '/v1/transcribe/ws';
/** When the gateway closes, sessions may say their last this long. */
const CLOSE_MS_MAX = 4_000;
const HANDSHAKE_MS_MAX = 1_000;
/** Connections without a good token take no places, but they are not without limit either. */
const SOCKETS_PER_PLACE = 2;

export interface TranscribeSocketParts extends Omit<SessionDeps, 'sessionMsMax'> {
  readonly tokens: SocketAdmission['tokens'];
  /** Sockets of accounts, with those at other gateways where they are told. */
  readonly socketCounts?: AccountCounts;
  readonly socketTokens: Pick<OneUseTokens<TokenIdentity>, 'redeem'>;
  /** As in the configuration, section `api`. */
  readonly limits: {
    readonly socketsPerAccount: number;
    readonly socketsTotal: number;
    readonly socketMaxSeconds: number;
  };
}
export interface TranscribeSocketDeps extends TranscribeSocketParts, SocketAdmission {}

/**
 * `GET /v1/transcribe/ws`, of an app that has `useWebSockets`. A token in the header is judged before the upgrade (401 as
 * JSON); one in the query after it, since a browser cannot read a failed handshake. No `Origin` is asked for: what opens a
 * socket is a token that a page has to be given, never a cookie that a browser adds by itself. Closing `app` ends every
 * session in order.
 */
export async function transcribeSocketRoute(app: FastifyInstance, deps: TranscribeSocketDeps): Promise<void> {
  const sockets = new Sockets(deps);
  app.onSocketsClose(() => sockets.close());
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) => {
      const { authorization } = request.headers;
      if (authorization !== undefined || queryToken(request) === undefined) {
        identities.set(request, await admitByHeader(request, reply, deps));
      }
      keepUpgradeHeaders(request, reply);
    });
    scope.route({
      method: 'GET',
      url: TRANSCRIBE_SOCKET_PATH,
      schema: { hide: true },
      handler: refuseOrdinary,
      wsHandler: (socket, request) => sockets.accept(socket, identities.get(request) ?? queryToken(request) ?? ''),
    });
  });
}

/** Whose token the header held. */
const identities = new WeakMap<FastifyRequest, TokenIdentity>();

/** A token that is still to be counted: one from a header was, and a one-use token when it was issued. */
const isApiToken = (who: TokenIdentity | string): who is string =>
  typeof who === 'string' && !who.startsWith(SOCKET_TOKEN_PREFIX);

interface Place {
  readonly socket: WebSocket;
  accountId: string | undefined; // once admitted
}

/** Every socket of the process, and how many each account has. */
class Sockets {
  readonly #sessions = new Map<TranscribeSession, Place>();
  readonly #perAccount: AccountCounts;
  #admitted = 0;
  #closing = false;
  #onEmpty: () => void = () => {};

  constructor(private readonly deps: TranscribeSocketDeps) {
    this.#perAccount = deps.socketCounts ?? new AccountCounts();
  }

  /** @param who - identity from the header, or a token that is still to be judged. */
  accept(socket: WebSocket, who: TokenIdentity | string): void {
    const { limits, metrics } = this.deps;
    const isFull = this.#sessions.size >= limits.socketsTotal * SOCKETS_PER_PLACE;
    if (isFull && !this.#dropRefused()) return socket.terminate();
    const sessionMsMax = limits.socketMaxSeconds * 1000;
    const session = new TranscribeSession(newId('ts'), socket, { ...this.deps, sessionMsMax });
    this.#sessions.set(session, { socket, accountId: undefined });
    metrics.socketsActive.set(this.#sessions.size);
    socket.on('message', (data, isBinary) => session.receive(data as Buffer, isBinary));
    socket.on('pong', () => session.answered());
    socket.once('close', () => {
      session.gone();
      this.#leave(session);
    });
    void this.#admit(session, who);
  }

  /** Ends every session, each after its last final if that comes soon. Idempotent. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const session of this.#sessions.keys()) session.expire({ code: 'shutting_down' });
    await this.#emptied(CLOSE_MS_MAX);
    for (const session of this.#sessions.keys()) session.fault({ code: 'shutting_down' });
    await this.#emptied(HANDSHAKE_MS_MAX);
    for (const { socket } of this.#sessions.values()) socket.terminate();
  }

  /** Makes room: one that was refused, and takes its time to close, must not keep others out. */
  #dropRefused(): boolean {
    for (const [session, { socket, accountId }] of this.#sessions) {
      if (accountId !== undefined || session.state !== 'closed') continue;
      socket.terminate();
      this.#leave(session);
      return true;
    }
    return false;
  }

  async #admit(session: TranscribeSession, who: TokenIdentity | string): Promise<void> {
    try {
      const identity = typeof who === 'string' ? await this.#identify(who) : who;
      if (!identity) return session.fault({ code: 'unauthorized' });
      const refusal = isApiToken(who) ? this.#countRequest(identity) : undefined;
      if (refusal) return session.fault(refusal);
      if (typeof who === 'string') {
        const openedAll = this.deps.load.admit();
        if (!openedAll) return session.fault({ code: 'unavailable' });
        openedAll();
      }
      if (this.#closing) return session.fault({ code: 'shutting_down' });
      if (!this.#takePlace(session, identity.accountId)) return session.fault({ code: 'too_many_sessions' });
      await session.admit(identity.accountId);
    } catch (error) {
      this.deps.logger.warn({ sessionId: session.id, error: errorText(error) }, 'session was not admitted');
      session.fault({ code: 'unavailable' });
    }
  }

  #identify(token: string): Promise<TokenIdentity | undefined> {
    if (!isApiToken(token)) return Promise.resolve(this.deps.socketTokens.redeem(token)); // of this process, or of the database
    return fromStore(() => this.deps.tokens.authenticate(token));
  }

  #countRequest(identity: TokenIdentity): SocketFault | undefined {
    const { allowed, retrySeconds } = this.deps.rates.take(identity);
    return allowed ? undefined : { code: 'rate_limited', reason: `retry after ${retrySeconds} s` };
  }

  #takePlace(session: TranscribeSession, accountId: string): boolean {
    const place = this.#sessions.get(session);
    if (!place) return false; // it left meanwhile
    const { socketsPerAccount, socketsTotal } = this.deps.limits;
    if (this.#perAccount.of(accountId) >= socketsPerAccount || this.#admitted >= socketsTotal) return false;
    this.#perAccount.enter(accountId);
    this.#admitted += 1;
    place.accountId = accountId;
    return true;
  }

  #leave(session: TranscribeSession): void {
    const accountId = this.#sessions.get(session)?.accountId;
    this.#sessions.delete(session);
    this.deps.metrics.socketsActive.set(this.#sessions.size);
    if (this.#sessions.size === 0) this.#onEmpty();
    if (accountId === undefined) return;
    this.#admitted -= 1;
    this.#perAccount.leave(accountId);
  }

  /** Resolves when no socket is left, or after `msMax`. */
  async #emptied(msMax: number): Promise<void> {
    if (this.#sessions.size === 0) return;
    const empty = new AbortController();
    this.#onEmpty = () => empty.abort();
    await delay(this.deps.clock, msMax, empty.signal);
  }
}
