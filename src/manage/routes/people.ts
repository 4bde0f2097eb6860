import { Type } from '@sinclair/typebox';
import { mayGive, ROLE_SCOPES, type Role } from '../../core/management.ts';
import { sentence } from '../../core/notice.ts';
import type { Person } from '../../store/people.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import {
  idParam,
  known,
  type ManageOperation,
  operation,
  requireMatch,
  tag as setTag,
  versionTag,
} from '../operation.ts';
import { PAGE_QUERY, pageOf, pageOfAll } from '../pages.ts';
import { Email, InvitationShape, PersonShape, presentPerson, RoleWord } from '../schemas/people.ts';
import type { Who } from '../who.ts';
import { goodEmail } from './session.ts';

const tag = 'People';
const LAST = sentence('refused.last-manager');

/** Nobody makes or changes somebody who may do more. @throws ManageError. */
function requireMightOver(who: Who, role: Role): void {
  if (!mayGive(who.scopes, ROLE_SCOPES[role])) throw new ManageError('too_mighty', `the role ${role}`);
}

/** Who may sign in for an account, and as what. */
export function peopleOperations({ store }: ManageDeps): ManageOperation[] {
  const person = async (accountId: string, id: string): Promise<Person> =>
    known(await store.people.get(accountId, id), 'person', id);
  const present = presentPerson;
  const tagOf = ({ id, updatedAt }: Person): string => versionTag(id, updatedAt);
  return [
    operation(
      {
        ...{ id: 'listPeople', method: 'GET', path: '/people', tag, scope: 'read', summary: 'List people, by address' },
        ...{ query: Type.Object(PAGE_QUERY), answer: pageOf(PersonShape) },
      },
      async ({ accountId, query }) => pageOfAll(await store.people.list(accountId), query, ({ id }) => id, present),
    ),
    operation(
      {
        ...{
          id: 'invitePerson',
          method: 'POST',
          path: '/people',
          tag,
          scope: 'account',
          status: 201,
          showsSecret: true,
        },
        summary: 'Invite somebody',
        description: 'The answer has the secret of a one-time link that sets the password. It is shown this once.',
        body: Type.Object({ email: Email, role: RoleWord }),
        answer: InvitationShape,
        errors: ['taken', 'full', 'too_mighty'],
      },
      async ({ who, accountId, body, changed }) => {
        requireMightOver(who, body.role);
        const made = await store.people.create(accountId, goodEmail(body.email), body.role);
        if (made === 'taken') throw new ManageError('taken', sentence('refused.that-person'));
        if (made === 'full') throw new ManageError('full', 'people');
        changed({ kind: 'person', id: made.id, after: present(made) });
        return { person: present(made), link_secret: await store.personAccess.createLink(accountId, made.id) };
      },
    ),
    operation(
      {
        ...{ id: 'getPerson', method: 'GET', path: '/people/{id}', tag, scope: 'read', summary: 'Get a person' },
        ...{ params: idParam('person'), answer: PersonShape, tagged: true },
      },
      async ({ accountId, params, reply }) => {
        const found = await person(accountId, params.id);
        setTag(reply, tagOf(found));
        return present(found);
      },
    ),
    operation(
      {
        ...{ id: 'changePerson', method: 'PATCH', path: '/people/{id}', tag, scope: 'account' },
        ...{ summary: 'Change what a person may do', tagged: true, params: idParam('person') },
        body: Type.Object({ role: RoleWord }),
        answer: PersonShape,
        errors: ['too_mighty', 'not_possible'],
      },
      async ({ who, accountId, params, body, request, reply, changed }) => {
        const before = await person(accountId, params.id);
        requireMightOver(who, before.role);
        requireMightOver(who, body.role);
        requireMatch(request, tagOf(before));
        const after = await store.people.setRole(accountId, params.id, body.role, before.updatedAt);
        if (after === 'stale') throw new ManageError('edited_meanwhile');
        if (after === 'last') throw new ManageError('not_possible', LAST);
        const found = known(after, 'person', params.id);
        changed({ kind: 'person', id: params.id, before: present(before), after: present(found) });
        setTag(reply, tagOf(found));
        return present(found);
      },
    ),
    operation(
      {
        ...{ id: 'removePerson', method: 'DELETE', path: '/people/{id}', tag, scope: 'account' },
        summary: 'Remove a person, with their sessions',
        params: idParam('person'),
        errors: ['too_mighty', 'not_possible'],
      },
      async ({ who, accountId, params, changed }) => {
        requireMightOver(who, (await person(accountId, params.id)).role);
        const gone = await store.people.remove(accountId, params.id);
        if (gone === 'last') throw new ManageError('not_possible', LAST);
        changed({ kind: 'person', id: params.id, before: present(known(gone, 'person', params.id)) });
        return undefined;
      },
    ),
    operation(
      {
        ...{ id: 'createPersonLink', method: 'POST', path: '/people/{id}/link', tag, scope: 'account', status: 201 },
        ...{
          summary: 'Make a new link that sets the password of a person',
          showsSecret: true,
          params: idParam('person'),
        },
        description: 'In place of earlier links of that person; the password stays until it is used.',
        answer: InvitationShape,
        errors: ['too_mighty'],
      },
      async ({ who, accountId, params, changed }) => {
        const found = await person(accountId, params.id);
        requireMightOver(who, found.role);
        changed({ kind: 'person', id: params.id, after: { link: 'made' } });
        return { person: present(found), link_secret: await store.personAccess.createLink(accountId, params.id) };
      },
    ),
  ];
}
