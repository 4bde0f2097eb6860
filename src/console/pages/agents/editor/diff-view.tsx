import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { directionOf } from '../model/direction.ts';
import { diffLines, withContext } from '../model/line-diff.ts';
import classes from './editor.module.css';

interface Props {
  readonly before: string;
  readonly after: string;
  readonly label: string;
}

/** What is other in a second text: lines that went with `-`, lines that came with `+`. */
export function DiffView({ before, after, label }: Props) {
  const { t } = useTranslation('agents');
  const lines = useMemo(() => withContext(diffLines(before, after)), [before, after]);
  if (before === after) {
    return (
      <Text size="sm" c="dimmed">
        {t('diff.same')}
      </Text>
    );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes['diff']} dir="ltr" aria-label={label} tabIndex={0}>
      {lines.map((line, index) =>
        'skipped' in line ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move
          <div key={index} className={classes['skipped']} dir="auto">
            {t('diff.skipped', { count: line.skipped })}
          </div>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines do not move
          <div key={index} className={classes['line']} data-sign={line.sign}>
            <span className={classes['number']} aria-hidden>
              {line.after ?? line.before}
            </span>
            <span className={classes['sign']}>{line.sign}</span>
            <Content text={line.text} />
          </div>
        ),
      )}
    </section>
  );
}

/** A value in its own direction, behind its key. */
function Content({ text }: { text: string }) {
  const [, key = '', value = ''] = /^(\s*(?:- )?(?:[\w-]+:(?: |$))?)(.*)$/.exec(text) ?? [];
  return (
    <span>
      {key}
      <bdi dir={directionOf(value) ?? 'ltr'}>{value}</bdi>
    </span>
  );
}
