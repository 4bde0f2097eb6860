import { type Static, Type } from '@sinclair/typebox';
import { TokenBuckets } from '../../api/token-bucket.ts';
import { noticeOf } from '../../core/notice.ts';
import type { ManageDeps } from '../deps.ts';
import type { EngineCheck, EngineFacts } from '../engine-desk.ts';
import { idParam, known, type ManageOperation, operation } from '../operation.ts';
import { requireAllowance } from '../rates.ts';
import { NoticeShape, named, oneOf, orNull, timestamp } from '../schema-names.ts';

const Text = Type.String();
/** Of one engine: callers come first, and a service may want money for it. */
const RATE = { perMinute: 6, burst: 3 } as const;

const CheckShape = named(
  'EngineCheck',
  Type.Object({
    at: timestamp(),
    ok: Type.Boolean(),
    detail: orNull(Type.String({ description: 'Why it did not do its work.' })),
    detail_notice: orNull(NoticeShape),
    first_ms: orNull(Type.Number({ description: 'To the first result, as callers wait for it.' })),
    total_ms: Type.Number({
      description: 'Of the whole check; for a recogniser with the sentence that is spoken for it.',
    }),
    answer: orNull(Type.String({ description: 'What was heard or answered.' })),
    audio_ms: orNull(Type.Number({ description: 'Of what was spoken or heard.' })),
    cost_cents: Type.Literal(0),
  }),
);
export const EngineShape = named(
  'Engine',
  Type.Object({
    name: Type.String({ description: 'For the check.' }),
    capability: oneOf(['stt', 'tts', 'reply', 'document'] as const),
    language: orNull(oneOf(['en', 'ar'] as const, 'Of a recogniser.')),
    engine: Type.String({ description: 'As the configuration calls it.' }),
    place: oneOf(['local', 'remote'] as const, 'remote: what it is asked goes to a service.'),
    order: orNull(Type.Integer({ description: '1 is asked first; null: only for agents that name it.' })),
    state: oneOf(['ok', 'down', 'unused'] as const, 'unused: nobody has needed it since the start.'),
    detail: orNull(Text),
    detail_notice: orNull(NoticeShape),
    last_check: orNull(CheckShape),
  }),
);

/** Whether an engine does its work. */
export function engineOperations({ clock, engineDesk }: ManageDeps): ManageOperation[] {
  const rates = new TokenBuckets(RATE, 100);
  return [
    operation(
      {
        ...{ id: 'checkEngine', method: 'POST', path: '/system/engines/{id}/check', tag: 'System', scope: 'operator' },
        summary: 'Ask an engine what callers ask, and measure it; free of charge',
        description:
          'With sentences of the gateway, through the limits that hold for callers. An engine that is paused is tried first: where ' +
          'it does its work again (a bill was paid) callers have it at once, else it says so. A service is sent them too.',
        params: idParam('engine: its `name`'),
        ...{ asksOnly: true, answer: CheckShape },
      },
      async ({ params, reply }) => {
        known(
          engineDesk.list().find(({ name }) => name === params.id),
          'engine',
          params.id,
        );
        requireAllowance(rates.take(params.id, clock.nowMs()), reply);
        return presentCheck(known(await engineDesk.check(params.id), 'engine', params.id));
      },
    ),
  ];
}

const rounded = (ms: number | undefined): number | null => (ms === undefined ? null : Math.round(ms * 10) / 10);

function presentCheck(check: EngineCheck): Static<typeof CheckShape> {
  return {
    ...{ at: check.at.toISOString(), ok: check.ok, detail: check.detail ?? null },
    detail_notice: noticeOf(check.detail ?? '', 'engine') ?? null,
    ...{ first_ms: rounded(check.firstMs), total_ms: Math.round(check.totalMs * 10) / 10 },
    ...{ answer: check.answer ?? null, audio_ms: rounded(check.audioMs), cost_cents: 0 },
  };
}

export function presentEngine({ name, member, state, detail, lastCheck }: EngineFacts): Static<typeof EngineShape> {
  const { capability, engine, place, order } = member;
  return {
    ...{ name, capability, language: member.capability === 'stt' ? member.language : null, engine, place },
    ...{ order: order ?? null, state, detail: detail ?? null },
    detail_notice: noticeOf(detail ?? '', 'engine') ?? null,
    last_check: lastCheck ? presentCheck(lastCheck) : null,
  };
}
