import { Type } from '@sinclair/typebox';
import { ServiceError } from '../../core/errors.ts';
import { DO_NOT_CALL_MAX, type DoNotCallEntry, type DoNotCallRow } from '../../store/do-not-call-rows.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation, requireScope } from '../operation.ts';
import { afterNumber, limitOf, PAGE_QUERY, page, pageOf } from '../pages.ts';
import { named, oneOf, orNull, timestamp } from '../schema-names.ts';

const tag = 'Calls';
const PREFIX = 'dnc_';
const IMPORT_CHARACTERS_MAX = 900_000; // a body has a megabyte
const LINES_MAX = 100_000;
const SHOWN_MAX = 20;

const Reason = Type.String({ maxLength: 500, description: 'Why, such as: asked not to be called.' });
const Owner = oneOf(['account', 'operator'] as const, 'operator: it holds for all accounts.');
const ENTRY = {
  ...{ id: Type.String(), number: Type.String(), reason: Type.String() },
  until: orNull(timestamp('Null: for ever.')),
  owner: Owner,
  created_at: timestamp(),
};
export const EntryShape = named('DoNotCallEntry', Type.Object(ENTRY));
export const AddedShape = Type.Object({
  ...ENTRY,
  added: Type.Boolean({ description: 'It was not on the list yet.' }),
});
const present = ({ id, number, note, until, accountId, createdAt }: DoNotCallRow) => ({
  ...{ id: `${PREFIX}${id}`, number, reason: note, until: until?.toISOString() ?? null },
  owner: accountId === null ? ('operator' as const) : ('account' as const),
  created_at: createdAt.toISOString(),
});
/** For the audit log, which outlives the entry: without the number. */
const noted = ({ note, until }: DoNotCallRow) => ({ reason: note, until: until?.toISOString() ?? null });

/** Numbers that no agent of the account calls. */
export function doNotCallOperations({ store, dialDesk, clock }: ManageDeps): ManageOperation[] {
  const untilOf = (text: string | undefined): Date | null => {
    const until = text === undefined ? null : new Date(text);
    if (until && until <= clock.utc()) throw new ServiceError('invalid_request', 'until has passed');
    return until;
  };
  return [
    operation(
      {
        ...{ id: 'listDoNotCall', method: 'GET', path: '/do-not-call', tag, scope: 'read' },
        summary: 'List numbers that are not called, latest first; those of the operator, which hold for all, too',
        query: Type.Object({
          ...PAGE_QUERY,
          number: Type.Optional(Type.String({ maxLength: 64, description: 'Only this one, however it is written.' })),
        }),
        answer: pageOf(EntryShape),
      },
      async ({ accountId, query }) => {
        const limit = limitOf(query);
        const before = afterNumber(query);
        const number = query.number === undefined ? undefined : (dialDesk.numberOf(query.number) ?? '');
        const rows = await store.doNotCall.page(accountId, {
          limit: limit + 1,
          ...(before !== undefined && { before }),
          ...(number !== undefined && { number }),
        });
        return page(rows, limit, ({ id }) => [id], present);
      },
    ),
    operation(
      {
        ...{ id: 'addDoNotCall', method: 'POST', path: '/do-not-call', tag, scope: 'calls', status: 201 },
        summary: 'Have nobody call a number, for ever or for a time; one that is on the list gets this reason and end',
        description: 'Orders of such a number are refused, and those that wait end before they are dialled.',
        body: Type.Object({
          number: Type.String({ minLength: 1, maxLength: 64 }),
          reason: Type.Optional(Reason),
          until: Type.Optional(Type.String({ format: 'date-time' })),
          owner: Type.Optional(Owner),
        }),
        answer: AddedShape,
        errors: ['full'],
      },
      async ({ who, accountId, body, changed }) => {
        const forAll = body.owner === 'operator';
        if (forAll) requireScope(who, 'operator');
        const number = dialDesk.numberOf(body.number);
        if (number === undefined) throw new ServiceError('invalid_request', 'number is none');
        const until = untilOf(body.until);
        if ((await store.doNotCall.countOf(accountId)) >= DO_NOT_CALL_MAX) throw new ManageError('full', 'numbers');
        const entry = { number, note: body.reason ?? '', until };
        const [row] = await store.doNotCall.put([entry], forAll ? undefined : accountId);
        changed({ kind: 'do-not-call', id: `${PREFIX}${row!.id}`, after: noted(row!) });
        return { ...present(row!), added: row!.isNew };
      },
    ),
    operation(
      {
        ...{ id: 'importDoNotCall', method: 'POST', path: '/do-not-call/import', tag, scope: 'calls' },
        summary: `Put a list of numbers on it: one a line, a reason after a comma, ${LINES_MAX} lines at most`,
        description: 'A line without a number is passed over and told; the others are taken.',
        body: Type.Object({
          text: Type.String({ minLength: 1, maxLength: IMPORT_CHARACTERS_MAX }),
          reason: Type.Optional(Reason),
          until: Type.Optional(Type.String({ format: 'date-time' })),
        }),
        answer: Type.Object({
          added: Type.Integer(),
          known: Type.Integer({ description: 'Were on the list already, or stand twice in the text.' }),
          refused: Type.Integer(),
          first_refused: Type.Array(Type.Object({ line: Type.Integer(), text: Type.String() })),
        }),
        errors: ['full'],
      },
      async ({ accountId, body, changed }) => {
        const until = untilOf(body.until);
        const lines = body.text.split(/\r\n|\r|\n/).map((text, index) => ({ text: text.trim(), line: index + 1 }));
        const filled = lines.filter(({ text }) => text !== '');
        if (filled.length > LINES_MAX)
          throw new ServiceError('invalid_request', `text has more than ${LINES_MAX} lines`);
        const entries = new Map<string, DoNotCallEntry>();
        const refused: { line: number; text: string }[] = [];
        for (const { text, line } of filled) {
          const [written = '', ...more] = text.split(/[,;\t]/);
          const number = dialDesk.numberOf(unquoted(written));
          const note = unquoted(more.join(',')) || (body.reason ?? '');
          if (number === undefined) refused.push({ line, text: text.slice(0, 100) });
          else entries.set(number, { number, note, until });
        }
        if ((await store.doNotCall.countOf(accountId)) + entries.size > DO_NOT_CALL_MAX) {
          throw new ManageError('full', 'numbers');
        }
        const rows = await store.doNotCall.put([...entries.values()], accountId);
        const added = rows.filter(({ isNew }) => isNew).length;
        const counts = { added, known: filled.length - refused.length - added, refused: refused.length };
        changed({ kind: 'do-not-call', id: 'import', after: counts });
        return { ...counts, first_refused: refused.slice(0, SHOWN_MAX) };
      },
    ),
    operation(
      {
        ...{ id: 'removeDoNotCall', method: 'DELETE', path: '/do-not-call/{id}', tag, scope: 'calls' },
        ...{
          summary: 'Take a number off the list: one of the account, or for operators one of all',
          params: idParam('entry'),
        },
      },
      async ({ who, accountId, params: { id }, changed }) => {
        const ofAll = who.scopes.includes('operator');
        const [, number] = /^dnc_(\d{1,15})$/.exec(id) ?? [];
        const found =
          number === undefined ? undefined : await store.doNotCall.removeId(Number(number), accountId, ofAll);
        changed({ kind: 'do-not-call', id, before: noted(known(found, 'entry', id)) });
        return undefined;
      },
    ),
  ];
}

const unquoted = (text: string): string => text.trim().replace(/^"|"$/g, '').trim();
