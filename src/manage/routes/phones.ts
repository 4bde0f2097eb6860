import { Type } from '@sinclair/typebox';
import { sentence } from '../../core/notice.ts';
import type { KeptBinding } from '../../core/registration.ts';
import type { Phone } from '../../core/trunk.ts';
import { PHONE_NAME } from '../../store/phones.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { PAGE_QUERY, pageOf, pageOfAll } from '../pages.ts';
import { named, orNull } from '../schema-names.ts';

const tag = 'Trunks and phones';
const Text = Type.String();
const PhoneName = Type.String({ pattern: PHONE_NAME.source, description: 'Letters, digits, dot, _ and -.' });
const PHONE = {
  ...{ id: Text, name: Text, user: Text },
  contacts: Type.Array(Type.Object({ uri: Text, user_agent: Text, expires_at: Text }), {
    description: 'Where it has registered; none: it cannot be called.',
  }),
};
export const PhoneShape = named('Phone', Type.Object(PHONE));
export const WholePhone = Type.Object({
  ...PHONE,
  realm: orNull(Type.String({ description: 'Of its password.' })),
  usable: Type.Boolean({ description: 'That is the realm of this gateway: else the phone has to be made anew.' }),
});
const present = ({ id, name, username }: Phone, bindings: readonly KeptBinding[] = []) => ({
  ...{ id, name, user: username },
  contacts: bindings.map(({ uri, userAgent, expiresAt }) => ({ uri, user_agent: userAgent, expires_at: expiresAt })),
});

/** Phones that register here. */
export function phoneOperations({ store, sip }: ManageDeps): ManageOperation[] {
  return [
    operation(
      {
        ...{ id: 'listPhones', method: 'GET', path: '/phones', tag, scope: 'read', query: Type.Object(PAGE_QUERY) },
        ...{ summary: 'List phones and where they have registered', answer: pageOf(PhoneShape) },
      },
      async ({ accountId, query }) => {
        const phones = await store.phones.list(accountId);
        const shown = pageOfAll(
          phones,
          query,
          ({ id }) => id,
          (phone) => phone,
        );
        const kept = await store.registrations.of(shown.items.map(({ id }) => id));
        const of = new Map(kept.map(({ phoneId, bindings }) => [phoneId, bindings]));
        return { items: shown.items.map((phone) => present(phone, of.get(phone.id))), next: shown.next };
      },
    ),
    operation(
      {
        ...{ id: 'getPhone', method: 'GET', path: '/phones/{id}', tag, scope: 'read', params: idParam('phone') },
        ...{ summary: 'Get a phone, and whether its password can be used', answer: WholePhone },
      },
      async ({ accountId, params: { id } }) => {
        const phone = known(await store.phones.get(accountId, id), 'phone', id);
        const [[kept], digest] = await Promise.all([
          store.registrations.of([phone.id]),
          store.phones.digestOf(phone.username),
        ]);
        const realm = digest?.digest.realm ?? null;
        return { ...present(phone, kept?.bindings), realm, usable: realm === sip.realm };
      },
    ),
    operation(
      {
        ...{
          id: 'createPhone',
          method: 'POST',
          path: '/phones',
          tag,
          scope: 'account',
          status: 201,
          showsSecret: true,
        },
        summary: 'Make a phone that may register',
        description: 'Its password is shown this once; what it is checked against is kept, sealed.',
        body: Type.Object({ name: PhoneName, user: Type.Optional(PhoneName) }),
        answer: Type.Object({ phone: PhoneShape, password: Text, realm: Text }),
        errors: ['taken'],
      },
      async ({ accountId, body, changed }) => {
        const { realm } = sip;
        const made = await store.phones.create(accountId, { name: body.name, username: body.user ?? body.name, realm });
        if (made === 'taken') throw new ManageError('taken', sentence('refused.that-phone'));
        changed({ kind: 'phone', id: made.phone.id, after: present(made.phone) });
        return { phone: present(made.phone), password: made.password, realm };
      },
    ),
    operation(
      {
        ...{
          id: 'deletePhone',
          method: 'DELETE',
          path: '/phones/{id}',
          tag,
          scope: 'account',
          params: idParam('phone'),
        },
        summary: 'Delete a phone: it can register no more',
      },
      async ({ accountId, params: { id }, changed }) => {
        const phone = known(await store.phones.get(accountId, id), 'phone', id);
        await store.phones.remove(phone.id);
        changed({ kind: 'phone', id: phone.id, before: present(phone) });
        return undefined;
      },
    ),
  ];
}
