import { Anchor, Badge, Group, SimpleGrid, Text } from '@mantine/core';
import { IconPhoneIncoming, IconPhoneOutgoing } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Call } from '../../api/generated/operations.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Figure } from '../../parts/page.tsx';
import { gradeOf } from './answer-times.ts';
import classes from './call-head.module.css';
import { costOf } from './cost.ts';
import { endGrade } from './ends.ts';
import { mosGrade, qualityOf } from './quality.ts';

/** Which way, by which agent, when, and how it ended. */
export function CallLead({ call }: { call: Call }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const isIn = call.direction === 'inbound';
  const Icon = isIn ? IconPhoneIncoming : IconPhoneOutgoing;
  return (
    <Group gap="xs" mt={4}>
      <EndBadge call={call} />
      <Text size="sm" c="dimmed" component="span" className={classes['way']}>
        <Icon size={16} aria-hidden /> {t(isIn ? 'inbound' : 'outbound')}
      </Text>
      <Anchor size="sm" component={Link} to={`/agents/${call.agent_id}`}>
        <bdi>{call.agent}</bdi>
      </Anchor>
      <Text size="sm" c="dimmed" component="span">
        {format.dateTime(call.started_at)}
      </Text>
    </Group>
  );
}

type Ending = Pick<Call, 'ended_at' | 'end' | 'erased_at'>;

/** How it ended, or that it goes on. */
export function EndBadge({ call }: { call: Ending }) {
  const { t } = useTranslation('call');
  if (call.erased_at) return <Badge color="gray">{t('erased')}</Badge>;
  if (!call.ended_at) {
    return (
      <Badge color="nidaa" leftSection={<span className={classes['pulse']} />}>
        {t('live')}
      </Badge>
    );
  }
  const reason = call.end?.reason;
  if (!reason) return null;
  const colour = { good: 'nidaa', quiet: 'gray', slow: 'orange', bad: 'red' }[endGrade(reason)];
  return <Badge color={colour}>{t(`ends.${reason as 'busy'}`, { defaultValue: reason })}</Badge>;
}

/** What one wants to know first. */
export function CallFigures({ call, talkMs }: { call: Call; talkMs: number }) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const { count, p50_ms, p95_ms } = call.answers;
  const quality = qualityOf(call.quality);
  const isHeard = quality !== undefined && quality.packets.received > 0;
  return (
    <SimpleGrid cols={{ base: 2, xs: 3, md: 5 }} spacing="md" className={classes['figures']}>
      <Figure name={t('talk')}>{format.clock(talkMs)}</Figure>
      <Figure name={t('answerMedian')} note={count > 0 && t('answers', { count })}>
        {p50_ms === null ? '—' : <span data-grade={gradeOf(p50_ms)}>{format.span(p50_ms)}</span>}
      </Figure>
      <Figure name={t('answerWorst')}>
        {p95_ms === null ? '—' : <span data-grade={gradeOf(p95_ms)}>{format.span(p95_ms)}</span>}
      </Figure>
      <Figure name={t('quality.mos')}>
        {isHeard ? (
          <span data-grade={mosGrade(quality.mos)}>
            {format.number(quality.mos, { minimumFractionDigits: 1, maximumFractionDigits: 1 })}
          </span>
        ) : (
          '—'
        )}
      </Figure>
      <Figure name={t('cost.title')}>{format.money(costOf(call))}</Figure>
    </SimpleGrid>
  );
}
