import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAsk } from '../../api/hooks.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { Section } from '../../parts/page.tsx';
import { useOutcomeName } from '../call/outcome-name.tsx';
import classes from './outcomes.module.css';

const WEEK_MS = 7 * 86_400_000;
const EVERY_MS = 300_000;
const SHOWN_MAX = 6;

/** What calls of the last seven days came to, where agents have that written down. */
export function Outcomes() {
  const { t } = useTranslation('call');
  const format = useFormat();
  const nameOf = useOutcomeName();
  const [since] = useState(() => new Date(Date.now() - WEEK_MS).toISOString());
  const known = useAsk('listOutcomes', { query: { since } }, { everyMs: EVERY_MS });
  const items = (known.data?.items ?? []).filter(({ calls }) => calls > 0);
  if (items.length === 0) return null;
  const all = items.reduce((sum, { calls }) => sum + calls, 0);
  return (
    <Section title={t('outcome.share')}>
      <ul className={classes['list']}>
        {items.slice(0, SHOWN_MAX).map(({ outcome, label, calls }) => (
          <li key={outcome}>
            <Anchor component={Link} to={`/calls?range=week&outcome=${encodeURIComponent(outcome)}`} size="sm">
              <bdi>{nameOf({ outcome, outcome_label: label })}</bdi>
            </Anchor>
            <span className="figures">
              {format.number(calls)} · {format.percent(calls / all)}
            </span>
            <span className={classes['bar']} aria-hidden>
              <span style={{ inlineSize: `${(100 * calls) / all}%` }} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
