import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Call } from '../../api/generated/operations.ts';
import { useLiveTurns } from '../call/use-live-call.ts';
import classes from './said.module.css';

/** What was said, the newest at the foot; what is being said below it, dimmed. Only what is settled is read out. */
export function Said({ call, interim }: { call: Call; interim: string }) {
  const { t } = useTranslation('live');
  const turns = useLiveTurns(call);
  const box = useRef<HTMLDivElement>(null);
  const isAtFoot = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls to what is new.
  useEffect(() => {
    if (box.current && isAtFoot.current) box.current.scrollTop = box.current.scrollHeight;
  }, [turns.length, interim]);
  return (
    <section
      ref={box}
      className={classes['box']}
      aria-label={t('said')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtFoot.current = scrollTop + clientHeight > scrollHeight - 24;
      }}
    >
      {turns.length === 0 && interim === '' && (
        <Text size="sm" c="dimmed">
          {t('nothingYet')}
        </Text>
      )}
      <ol className={classes['turns']} aria-live="polite">
        {turns.map(({ index, role, text }) => (
          <li key={index} data-role={role}>
            <Text size="xs" component="div" className={classes['role']}>
              {t(`roles.${role}`)}
            </Text>
            <Text size="sm" component="div">
              <bdi>{text}</bdi>
            </Text>
          </li>
        ))}
      </ol>
      <Text size="sm" component="div" dir="auto" c="dimmed" className={classes['interim']}>
        {interim}
      </Text>
    </section>
  );
}
