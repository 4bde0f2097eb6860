import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAsk } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Section } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { Copyable } from '../../parts/text.tsx';
import classes from './checklist.module.css';
import { dialled, type SetUp, type SetUpItem, type Step } from './set-up.ts';

const NUMBERS_SHOWN = 4;
const WHERE: Readonly<Partial<Record<SetUpItem, string>>> = {
  ...{ 'agent-live': '/agents', 'way-in': '/numbers', 'call-understood': '/calls', password: '/people?tab=me' },
};

/** What is to be done until a call was understood. */
export function Checklist({ setUp }: { setUp: SetUp }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const { steps, next, done } = setUp;
  return (
    <Section
      title={t('setUp.title')}
      aside={
        <Text size="sm" c="dimmed" className="figures">
          {t('setUp.done', { done: format.number(done), all: format.number(steps.length) })}
        </Text>
      }
    >
      <ol className={classes['steps']}>
        {steps.map((step) => (
          <StepRow key={step.item} step={step} isNext={step.item === next} />
        ))}
      </ol>
    </Section>
  );
}

function StepRow({ step: { item, isDone, isAdvice }, isNext }: { step: Step; isNext: boolean }) {
  const { t } = useTranslation('overview');
  const where = WHERE[item];
  return (
    <li className={classes['step']} data-done={isDone || undefined} aria-current={isNext ? 'step' : undefined}>
      <span className={classes['sign']} role="img" aria-label={t(isDone ? 'setUp.isDone' : 'setUp.isOpen')}>
        {isDone ? <IconCheck size={16} stroke={2.4} /> : <IconCircleDashed size={20} stroke={1.6} />}
      </span>
      <div className={classes['body']}>
        <Text fw={isNext ? 600 : undefined}>
          {t(`setUp.items.${item}.title`)}
          {isAdvice && !isDone && (
            <Text span size="sm" c="dimmed">
              {' '}
              · {t('setUp.advice')}
            </Text>
          )}
        </Text>
        {!isDone && (
          <Text size="sm" c="dimmed">
            {t(`setUp.items.${item}.text`)}{' '}
            {where && (
              <Anchor component={Link} to={where} size="sm" underline="always">
                {t(`setUp.items.${item as 'agent-live'}.go`)}
              </Anchor>
            )}
          </Text>
        )}
        {isNext && (item === 'first-call' || item === 'call-understood') && <WhatToDial />}
      </div>
    </li>
  );
}

/** Numbers with their agents, as a phone is told to dial them. */
function WhatToDial() {
  const { t } = useTranslation('overview');
  const numbers = useAsk('listNumbers', { query: { limit: NUMBERS_SHOWN } });
  const recipes = useAsk('listTrunkRecipes', {});
  return (
    <Shown of={numbers} height={72}>
      {({ items }) => (
        <Shown of={recipes} height={72}>
          {({ gateway }) => (
            <Stack gap="xs" mt="xs">
              <ul className={classes['numbers']}>
                {items.map(({ number, agent_id, agent_name }) => (
                  <li key={number}>
                    <Copyable value={dialled(number, gateway)} />
                    <Anchor component={Link} to={`/agents/${agent_id}`} size="sm">
                      <bdi>{agent_name}</bdi>
                    </Anchor>
                  </li>
                ))}
              </ul>
              {gateway.only_local && (
                <Text size="sm" c="var(--slow)">
                  {t('setUp.onlyLocal')}
                </Text>
              )}
              {items[0] && (
                <div>
                  <Text size="sm" c="dimmed">
                    {t('setUp.noPhone')}
                  </Text>
                  <Group className={classes['command']}>
                    <Copyable value={`./scripts/nidaa call ${dialled(items[0].number, gateway)} --say "Hello"`} />
                  </Group>
                </div>
              )}
            </Stack>
          )}
        </Shown>
      )}
    </Shown>
  );
}
