import { PassThrough } from 'node:stream';
import { wavHeader } from '../../audio/wav.ts';
import { repeat } from '../../core/clock.ts';
import { sentence } from '../../core/notice.ts';
import type { ManageDeps } from '../deps.ts';
import { LISTENERS_MAX, ListenDesk } from '../listen-desk.ts';
import { ManageError } from '../manage-error.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { stillMay } from './live.ts';

/** Two seconds: whoever is further behind hears what is no more, and is let go. */
const BEHIND_MS_MAX = 2_000;
const LOOK_EVERY_MS = 15_000;

/** What is said on a call that goes on, while it is said. */
export function listenOperations({ store, clock, registry }: ManageDeps): ManageOperation[] {
  const desk = new ListenDesk(clock);
  return [
    operation(
      {
        ...{ id: 'listenToCall', method: 'GET', path: '/calls/{id}/listen', tag: 'Calls', scope: 'calls' },
        ...{ params: idParam('call'), files: ['audio/wav'], errors: ['not_possible', 'too_many_readers'] },
        summary: 'Listen to a call that goes on',
        description:
          'A WAV of no known length that goes on as long as the call: 16-bit samples, caller left, agent right, sent as they come. Of this ' +
          `gateway: not of a call that another one on the same database holds. ${LISTENERS_MAX} listeners a call; one that is two seconds ` +
          'behind, or whose key or session has ended, is let go. That somebody listened is in the audit log.',
      },
      async ({ who, accountId, params: { id }, request, reply, changed }) => {
        const live = registry.list().find((call) => call.id === id && call.accountId === accountId);
        if (!live) {
          const { call } = known(await store.calls.get(id, accountId), 'call', id);
          throw new ManageError(
            'not_possible',
            sentence(call.endedAt ? 'refused.call-over' : 'refused.call-elsewhere'),
          );
        }
        const stream = new PassThrough();
        let behindMax = 0;
        const opened = desk.open(live, {
          take: (piece) => {
            if (stream.readableLength + stream.writableLength > behindMax) stream.destroy();
            else if (!stream.destroyed) stream.write(piece);
          },
          end: () => stream.end(),
        });
        if (opened === 'full') throw new ManageError('too_many_readers');
        if (opened === 'not-now') throw new ManageError('not_possible', sentence('refused.nothing-to-hear'));
        const { sampleRateHz, close } = opened;
        behindMax = (BEHIND_MS_MAX * sampleRateHz * 4) / 1_000;
        const stop = repeat(clock, LOOK_EVERY_MS, () => {
          void stillMay(store, request, who, 'calls').then((may) => may || stream.end());
        });
        stream.once('close', () => {
          stop();
          close();
        });
        reply.raw.once('close', () => stream.destroy());
        stream.write(wavHeader({ channels: 2, sampleRateHz }));
        changed({ kind: 'call', id, after: { listened: true } });
        reply.headers({ 'x-accel-buffering': 'no' }).type('audio/wav');
        return stream as never;
      },
    ),
  ];
}
