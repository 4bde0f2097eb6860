import { PassThrough } from 'node:stream';
import { Type } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { bearerToken } from '../../api/auth.ts';
import { repeat } from '../../core/clock.ts';
import { ROLE_SCOPES, type Scope } from '../../core/management.ts';
import type { ManageDeps } from '../deps.ts';
import { LEVEL_CALLS_MAX, LEVELS_EVERY_MS, LevelDesk } from '../level-desk.ts';
import { LIVE_TYPES, type LiveEvent, PASSING_TYPES } from '../live-feed.ts';
import { ManageError } from '../manage-error.ts';
import { type ManageOperation, operation } from '../operation.ts';
import { oneOf } from '../schema-names.ts';
import { sessionSecret, type Who } from '../who.ts';

/** A reader that is so far behind is let go, and comes back with what it has seen. */
const BEHIND_BYTES_MAX = 256 * 1_024;
/** What passes is left out for one that is so far behind: the rest matters more. */
const BUSY_BYTES = 32 * 1_024;
const KEEP_ALIVE_MS = 15_000;

/** What goes on, as server-sent events (HTML §9.2). */
export function liveOperations({ store, clock, feed, registry }: ManageDeps): ManageOperation[] {
  const desk = new LevelDesk(clock, () => registry.list());
  return [
    operation(
      {
        ...{ id: 'watchLive', method: 'GET', path: '/live', tag: 'Live', scope: 'read', files: ['text/event-stream'] },
        summary: 'Watch what goes on in this gateway, as server-sent events',
        description:
          `Events: ${LIVE_TYPES.map((type) => `\`${type}\``).join(', ')}; each with JSON. With \`Last-Event-ID\` what was missed comes ` +
          'first; where that is not known any more, or at another gateway, `reset` does: ask for lists again. A reader that is too ' +
          'slow, or whose key or session has ended, is let go. Words of a call come turn by turn. ' +
          `Asked for, and without an id: ${PASSING_TYPES.map((type) => `\`${type}\``).join(' and ')}.`,
        query: Type.Object({
          interim: Type.Optional(
            oneOf(
              ['true', 'false'] as const,
              'Also `call.interim`: words of callers while they are recognised; they may be revised.',
            ),
          ),
          levels: Type.Optional(
            Type.String({
              ...{ minLength: 1, maxLength: 3_000 },
              description:
                'Also `call.levels`, ten times a second: how loud caller and agent are, in dBFS. `all`, or ids with commas; ' +
                `of ${LEVEL_CALLS_MAX} calls at most.`,
            }),
          ),
        }),
        errors: ['too_many_readers'],
      },
      async ({ who, accountId, query, request, reply }) => {
        const stream = new PassThrough();
        const send = (event: LiveEvent): void => {
          if (stream.readableLength + stream.writableLength > BEHIND_BYTES_MAX) stream.destroy();
          else if (!stream.destroyed && (event.id !== '' || !isBusy())) {
            stream.write(textOf(event.type, event.data, event.id));
          }
        };
        const isBusy = (): boolean => stream.readableLength + stream.writableLength > BUSY_BYTES;
        const last = request.headers['last-event-id'];
        const opened = feed.open(
          accountId,
          typeof last === 'string' ? last : undefined,
          send,
          () => stream.end(),
          query.interim === 'true',
        );
        if (opened === 'full') throw new ManageError('too_many_readers');
        const stop = repeat(clock, KEEP_ALIVE_MS, () => {
          stream.write(': keep-alive\n\n');
          void stillMay(store, request, who, 'read').then((may) => may || stream.end());
        });
        const ids = query.levels === 'all' ? undefined : new Set(query.levels?.split(','));
        const tellLevels = (): void =>
          send({ id: '', type: 'call.levels', accountId, data: { levels: desk.of(accountId, ids) } });
        const stopLevels = query.levels === undefined ? undefined : repeat(clock, LEVELS_EVERY_MS, tellLevels);
        stream.once('close', () => {
          stop();
          stopLevels?.();
          opened.close();
        });
        reply.raw.once('close', () => stream.destroy());
        stream.write(': open\n\n');
        if (opened.missed === 'lost') stream.write(textOf('reset', {}));
        else opened.missed.forEach(send);
        reply.headers({ 'x-accel-buffering': 'no' }).type('text/event-stream; charset=utf-8');
        return reply.send(stream);
      },
    ),
  ];
}

const textOf = (type: string, data: object, id?: string): string =>
  `${id === undefined || id === '' ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Whether key or session are in force and may do what needs a scope, as far as the database can be asked. */
export async function stillMay(
  store: ManageDeps['store'],
  request: FastifyRequest,
  who: Who,
  needed: Scope,
): Promise<boolean> {
  try {
    if (who.kind === 'key') {
      return (await store.managementKeys.authenticate(bearerToken(request.headers.authorization))) !== undefined;
    }
    const session = await store.personAccess.authenticate(sessionSecret(request));
    return session !== undefined && ROLE_SCOPES[session.role].some((scope) => scope === needed);
  } catch {
    return true;
  }
}
