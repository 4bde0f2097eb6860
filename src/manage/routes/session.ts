import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../core/errors.ts';
import { emailAddress, ROLE_SCOPES } from '../../core/management.ts';
import { sentence } from '../../core/notice.ts';
import type { Person } from '../../store/people.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { Email, presentSession, presentWho, SessionShape, WhoShape } from '../schemas/people.ts';
import { requireGoodPassword, SignIn } from '../sign-in.ts';
import { personOf, requireOwnPage, setSessionCookie } from '../who.ts';

const Password = Type.String({ minLength: 1, maxLength: 1_000 });
const tag = 'Session';

const whoOf = ({ id, email, accountId, role }: Person) =>
  presentWho({ kind: 'person', id, name: email, accountId, role, scopes: ROLE_SCOPES[role] });

/** Signing in and out, and what a person may do with their own sessions and password. */
export function sessionOperations(deps: ManageDeps): ManageOperation[] {
  const { store, passwords } = deps;
  const signIn = new SignIn(deps);
  return [
    operation(
      {
        ...{ id: 'signIn', method: 'POST', path: '/session', tag, scope: 'anyone', summary: 'Sign in' },
        description:
          'Sets the cookie of a session, which ends after 12 hours without a request. The answer is the same, and comes as late, ' +
          'for somebody who is not known.',
        body: Type.Object({ email: Email, password: Password }),
        answer: WhoShape,
        errors: ['wrong_sign_in', 'foreign_origin'],
      },
      async ({ body, request, reply }) => {
        requireOwnPage(request);
        return whoOf(await signIn.byPassword(request, reply, body.email, body.password));
      },
    ),
    operation(
      {
        ...{ id: 'useLink', method: 'POST', path: '/session/link', tag, scope: 'anyone' },
        summary: 'Set a password by a one-time link, and sign in',
        description:
          'Ends every other session of the person. The first link of an installation needs an e-mail address.',
        body: Type.Object({
          secret: Type.String({ minLength: 1, maxLength: 200, description: 'What stands behind `#` in the link.' }),
          password: Password,
          email: Type.Optional(Email),
        }),
        answer: WhoShape,
        errors: ['unknown_link', 'weak_password', 'taken', 'foreign_origin'],
      },
      async ({ body, request, reply, changed }) => {
        requireOwnPage(request);
        signIn.count(request, reply);
        requireGoodPassword(body.password);
        const email = body.email === undefined ? undefined : goodEmail(body.email);
        const used = await store.personAccess.useLink(body.secret, await passwords.hash(body.password), email);
        if (used === 'unknown') throw new ManageError('unknown_link');
        if (used === 'no-email') throw new ServiceError('invalid_request', 'email is required with this link');
        if (used === 'taken') throw new ManageError('taken', sentence('refused.that-person'));
        await signIn.open(request, reply, used.personId);
        const person = known(await store.people.get(used.accountId, used.personId), 'person', used.personId);
        const actor = { kind: 'link', id: person.id, name: person.email } as const;
        changed({ kind: 'person', id: person.id, after: { password: 'set' }, actor, accountId: person.accountId });
        return whoOf(person);
      },
    ),
    operation(
      {
        ...{ id: 'getSession', method: 'GET', path: '/session', tag, scope: 'signed-in' },
        summary: 'Who asks, and what they may do',
        answer: WhoShape,
      },
      async ({ who }) => presentWho(who),
    ),
    operation(
      {
        ...{ id: 'signOut', method: 'DELETE', path: '/session', tag, scope: 'signed-in', summary: 'Sign out' },
        errors: ['only_people'],
      },
      async ({ who, request, reply, changed }) => {
        const { id, sessionId } = personOf(who);
        await store.personAccess.revoke(id, sessionId);
        setSessionCookie(request, reply, undefined);
        changed({ kind: 'session', id: sessionId });
        return undefined;
      },
    ),
    operation(
      {
        ...{ id: 'changePassword', method: 'PUT', path: '/session/password', tag, scope: 'signed-in' },
        summary: 'Change the own password',
        description: 'Ends every other session of the person.',
        body: Type.Object({ current: Password, password: Password }),
        errors: ['only_people', 'wrong_sign_in', 'weak_password'],
      },
      async ({ who, body, request, reply, changed }) => {
        const { id, sessionId } = personOf(who);
        signIn.count(request, reply);
        requireGoodPassword(body.password);
        const hash = await store.people.passwordHashOf(id);
        if (!(await passwords.matches(body.current, hash))) throw new ManageError('wrong_sign_in');
        await store.personAccess.setPassword(id, await passwords.hash(body.password), sessionId);
        changed({ kind: 'person', id, after: { password: 'set' } });
        return undefined;
      },
    ),
    operation(
      {
        ...{ id: 'listSessions', method: 'GET', path: '/sessions', tag, scope: 'signed-in' },
        summary: 'List the own sessions, the latest used first',
        answer: Type.Object({ items: Type.Array(SessionShape) }),
        errors: ['only_people'],
      },
      async ({ who }) => {
        const { id, sessionId } = personOf(who);
        return { items: (await store.personAccess.sessions(id)).map((one) => presentSession(one, sessionId)) };
      },
    ),
    operation(
      {
        ...{ id: 'revokeSession', method: 'DELETE', path: '/sessions/{id}', tag, scope: 'signed-in' },
        summary: 'End one of the own sessions',
        params: idParam('session'),
        errors: ['only_people'],
      },
      async ({ who, params, changed }) => {
        const revoked = await store.personAccess.revoke(personOf(who).id, params.id);
        known(revoked || undefined, 'session', params.id);
        changed({ kind: 'session', id: params.id });
        return undefined;
      },
    ),
  ];
}

/** @throws ServiceError. */
export function goodEmail(written: string): string {
  const email = emailAddress(written);
  if (email === undefined) throw new ServiceError('invalid_request', 'email is no e-mail address');
  return email;
}
