import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../api/auth.ts';
import { fromStore } from '../api/from-store.ts';
import { ROLE_SCOPES, type Role, type Scope } from '../core/management.ts';
import type { Actor } from '../store/audit.ts';
import type { Store } from '../store/store.ts';
import { ManageError } from './manage-error.ts';

/** Whoever asks: a program with a key, or a person who has signed in. */
export interface Who {
  readonly kind: 'key' | 'person';
  readonly id: string;
  readonly name: string; // of the key; the e-mail address of a person
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly role?: Role;
  readonly sessionId?: string;
}

export const SESSION_COOKIE = 'nidaa_session';
/** Scripts of other origins cannot send it without being asked first, and we never say yes. */
export const CONSOLE_HEADER = 'x-nidaa-console';
const COOKIE_SECONDS = 12 * 3_600;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before a route of the management API runs, unless it is for anyone. */
    who: Who;
  }
}

/** The secret of the session cookie, if there is one. */
export function sessionSecret(request: FastifyRequest): string | undefined {
  return new RegExp(`(?:^|;)\\s*${SESSION_COOKIE}=([A-Za-z0-9]{1,100})\\s*(?:;|$)`).exec(
    request.headers.cookie ?? '',
  )?.[1];
}

/** As the browser came: by TLS, or by a proxy that has it. A lie about it hurts only its teller. */
const isSecure = (request: FastifyRequest): boolean =>
  request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https';

/** The cookie of a session, or the end of it. It lives as long in the browser as it would here without a request. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, secret: string | undefined): void {
  const attributes = `HttpOnly; SameSite=Strict; Path=/; Max-Age=${secret === undefined ? 0 : COOKIE_SECONDS}`;
  reply.header('set-cookie', `${SESSION_COOKIE}=${secret ?? ''}; ${attributes}${isSecure(request) ? '; Secure' : ''}`);
}

/**
 * That a change comes from a page of this gateway. Browsers send `Origin` with every request that may change something, and no
 * other site can add a header without a preflight, which is not answered.
 */
export function requireOwnPage(request: FastifyRequest): void {
  const { origin, host } = request.headers;
  const own = origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
  if (!own || request.headers[CONSOLE_HEADER] === undefined) throw new ManageError('foreign_origin');
}

/** Who asks. A key goes before a cookie; a cookie alone changes nothing without `requireOwnPage`. @throws ManageError. */
export async function whoAsks(
  store: Pick<Store, 'managementKeys' | 'personAccess'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Who> {
  if (request.headers.authorization !== undefined) {
    const key = await fromStore(() => store.managementKeys.authenticate(bearerToken(request.headers.authorization)));
    if (!key) throw new ManageError('unauthorized');
    const { keyId: id, name, accountId, scopes } = key;
    return { kind: 'key', id, name, accountId, scopes };
  }
  const secret = sessionSecret(request);
  const session = await fromStore(() => store.personAccess.authenticate(secret));
  if (!session) throw new ManageError('unauthorized');
  if (request.method !== 'GET' && request.method !== 'HEAD') requireOwnPage(request);
  setSessionCookie(request, reply, secret);
  const { personId: id, email: name, accountId, role, sessionId } = session;
  return { kind: 'person', id, name, accountId, role, scopes: ROLE_SCOPES[role], sessionId };
}

export const actorOf = ({ kind, id, name }: Who): Actor => ({ kind, id, name });

/** The person that asks. @throws ManageError `only_people` for a key. */
export function personOf(who: Who): Who & { readonly sessionId: string } {
  if (who.sessionId === undefined) throw new ManageError('only_people');
  return { ...who, sessionId: who.sessionId };
}
