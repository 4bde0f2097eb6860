import { Tooltip } from '@mantine/core';
import { IconEar } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { TalkLine } from '../../../audio/talk-state.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Ltr } from '../../../parts/text.tsx';
import classes from './said.module.css';

/** Milliseconds below which a pause is a good one, and one that people put up with. */
const GOOD_MS = 800;
const SLOW_MS = 1_500;
export const colourOf = (ms: number): string =>
  ms < GOOD_MS ? 'var(--good)' : ms < SLOW_MS ? 'var(--slow)' : 'var(--bad)';

/** Below an answer: how long the person waited for it, what the gateway has measured, and whether it was cut short. */
export function Waits({ line: { earMs, gatewayMs, isCut } }: { line: TalkLine }) {
  const { t } = useTranslation('talk');
  const { span } = useFormat();
  if (earMs === undefined && gatewayMs === undefined && !isCut) return null;
  return (
    <>
      {isCut && <span className={classes['cut']}>{t('cut')}</span>}
      {earMs !== undefined && (
        <Tooltip label={t('earNote')} multiline maw={280}>
          <span>
            <IconEar size={13} style={{ verticalAlign: '-2px' }} aria-hidden /> {t('ear')}{' '}
            <b style={{ color: colourOf(earMs) }}>
              <Ltr>{span(earMs)}</Ltr>
            </b>
          </span>
        </Tooltip>
      )}
      {gatewayMs !== undefined && (
        <span>
          {t('gateway')}{' '}
          <b>
            <Ltr>{span(gatewayMs)}</Ltr>
          </b>
        </span>
      )}
    </>
  );
}
