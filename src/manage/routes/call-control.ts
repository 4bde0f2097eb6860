import { Type } from '@sinclair/typebox';
import { callEnd } from '../../call/call-end.ts';
import type { LiveCall } from '../../call/call-registry.ts';
import { NOTES_MAX } from '../../call/notes.ts';
import { sentence } from '../../core/notice.ts';
import type { ManageDeps } from '../deps.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { oneOf } from '../schema-names.ts';

const tag = 'Calls';
const params = idParam('call');
const SAID_CHARS_MAX = 500;
const OF_THIS_GATEWAY = 'Of this gateway: not of a call that another one on the same database holds.';
const CallId = Type.Object({ id: Type.String() });

/** What may be done to a call that goes on. */
export function callControlOperations({ store, registry }: ManageDeps): ManageOperation[] {
  const liveOf = async (accountId: string, id: string): Promise<LiveCall> => {
    const live = registry.list().find((call) => call.id === id && call.accountId === accountId);
    if (live) return live;
    const { call } = known(await store.calls.get(id, accountId), 'call', id);
    throw new ManageError('not_possible', sentence(call.endedAt ? 'refused.call-over' : 'refused.call-elsewhere'));
  };
  return [
    operation(
      {
        ...{ id: 'hangUp', method: 'POST', path: '/calls/{id}/hangup', tag, scope: 'calls', params, status: 202 },
        ...{
          summary: 'End a call that goes on',
          description: OF_THIS_GATEWAY,
          answer: CallId,
          errors: ['not_possible'],
        },
      },
      async ({ accountId, params: { id }, changed }) => {
        const live = await liveOf(accountId, id);
        changed({ kind: 'call', id, after: { hung_up: true } });
        void live.close(callEnd('gateway', 'cancelled', sentence('end.by-management')));
        return { id };
      },
    ),
    operation(
      {
        ...{
          id: 'transferCall',
          method: 'POST',
          path: '/calls/{id}/transfer',
          tag,
          scope: 'calls',
          params,
          status: 202,
        },
        summary: 'Put the caller of a call that goes on through to somebody',
        description:
          `${OF_THIS_GATEWAY} What the agent says ends, and the caller is told to wait. The target is called by the rules of the agent (\`transfer\` in ` +
          'its definition) and of the trunks; where nobody takes the call, the agent goes on. What became of it is on the record of the call.',
        body: Type.Object({
          target: Type.String({
            minLength: 1,
            maxLength: 300,
            description: 'A number, `sip:`, `tel:` or `phone:NAME`.',
          }),
        }),
        ...{ answer: CallId, errors: ['not_possible', 'not_called'] },
      },
      async ({ accountId, params: { id }, body, changed }) => {
        const live = await liveOf(accountId, id);
        const outcome = (await live.sendTo?.(body.target)) ?? 'not-now';
        if (outcome === 'not-now') throw notNow();
        if (outcome !== 'begun') throw new ManageError('not_called', `${outcome.detail ?? outcome.reason}.`);
        changed({ kind: 'call', id, after: { transfer: 'begun' } }); // to whom is personal, and on the record of the call
        return { id };
      },
    ),
    operation(
      {
        ...{ id: 'sayOnCall', method: 'POST', path: '/calls/{id}/say', tag, scope: 'calls', params, status: 202 },
        summary: 'Have the agent of a call that goes on say something now, or know something',
        description:
          `${OF_THIS_GATEWAY} \`say\`: in the voice of the agent, in the place of what it says; the caller may interrupt it, and on the record ` +
          'it is a turn of the agent. `note`: the caller hears nothing; the agent heeds it from its next reply on, in its own words. The latest ' +
          `${NOTES_MAX} notes of a call count. That takes an agent that a model answers for: an agent of flows and intents says what its file ` +
          'has, and takes no notes. Notes cross the privacy boundary as words of the caller do.',
        body: Type.Object({
          text: Type.String({ minLength: 1, maxLength: SAID_CHARS_MAX, pattern: '\\S' }),
          mode: Type.Optional(oneOf(['say', 'note'] as const, '`say` without it.')),
        }),
        ...{ answer: CallId, errors: ['not_possible'] },
      },
      async ({ accountId, params: { id }, body, changed }) => {
        const live = await liveOf(accountId, id);
        if (body.mode === 'note') {
          const taking = live.note?.(body.text.trim()) ?? 'not-now';
          if (taking !== 'taken')
            throw taking === 'not-now' ? notNow() : new ManageError('not_possible', WHY_NO_NOTE[taking]);
          changed({ kind: 'call', id, after: { noted_chars: body.text.trim().length } });
          return { id };
        }
        if (!live.say?.(body.text.trim())) throw notNow();
        changed({ kind: 'call', id, after: { said_chars: body.text.trim().length } });
        return { id };
      },
    ),
  ];
}

const WHY_NO_NOTE = {
  no: sentence('refused.no-model'),
  withheld: sentence('refused.note-withheld'),
};

const notNow = (): ManageError => new ManageError('not_possible', sentence('refused.no-agent-talks'));
