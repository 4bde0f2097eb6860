import { useTranslation } from 'react-i18next';
import type { Answer } from '../../../api/client.ts';
import { useFormat } from '../../../i18n/use-format.ts';
import { Ltr } from '../../../parts/text.tsx';
import { actionOf } from './chat-state.ts';
import classes from './why.module.css';

/** Below an answer: what was understood, how long it took and what it cost; and, opened, the rules that decided. */
export function Why({ tried }: { tried: Answer<'tryAgent'> }) {
  const { t } = useTranslation('talk');
  const { span, money } = useFormat();
  const { meant, steps, flow, waits_for: waitsFor, values, timings, cost_cents: cents } = tried;
  const action = actionOf(tried);
  const held = Object.entries(values);
  return (
    <>
      {meant.length > 0 && (
        <span>
          {t('meant')} <b>{<Ltr>{meant.join(', ')}</Ltr>}</b>
        </span>
      )}
      {action && (
        <span>
          {t('action')} <b>{<Ltr>{action}</Ltr>}</b>
        </span>
      )}
      <Ltr>{span(timings.total_ms)}</Ltr>
      <span>{cents === 0 ? t('free') : <Ltr>{money(cents)}</Ltr>}</span>
      <details
        className={classes['why']}
        onToggle={({ currentTarget }) => currentTarget.scrollIntoView({ block: 'nearest' })}
      >
        <summary>{t('why')}</summary>
        <dl className={classes['grid']}>
          <dt>{t('flow')}</dt>
          <dd>{flow === null ? t('noFlow') : <Ltr mono>{flow}</Ltr>}</dd>
          <dt>{t('waitsFor')}</dt>
          <dd>
            <Ltr mono>{waitsFor}</Ltr>
          </dd>
          {held.length > 0 && (
            <>
              <dt>{t('values')}</dt>
              <dd>
                {held.map(([name, value]) => (
                  <div key={name}>
                    <Ltr mono>{name}</Ltr>: <bdi dir="auto">{value}</bdi>
                  </div>
                ))}
              </dd>
            </>
          )}
          <dt>{t('steps')}</dt>
          <dd>
            {steps.length === 0
              ? t('noSteps')
              : steps.map(({ rule, why, acts }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: steps of one turn have no other name, and never move
                  <div key={index} className={classes['step']} dir="ltr">
                    {acts.join(' ')} → <b>{rule}</b>: {why}
                  </div>
                ))}
          </dd>
          {timings.first_text_ms !== null && (
            <>
              <dt>{t('firstWords')}</dt>
              <dd>
                <Ltr>{span(timings.first_text_ms)}</Ltr>
              </dd>
            </>
          )}
        </dl>
      </details>
    </>
  );
}
