import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import classes from './light.module.css';
import type { Light } from './model/trunk-state.ts';

interface Props {
  readonly light: Light;
  readonly answerMs?: number | undefined;
  /** Instead of the word of the light. */
  readonly word?: string;
}

/** Whether the other side is there: a sign and the word, and how long its last answer took. */
export function LightSign({ light, answerMs, word }: Props) {
  const { t } = useTranslation('numbers');
  const format = useFormat();
  return (
    <span className={classes['light']} data-light={light}>
      {word ?? t(`light.${light}`)}
      {answerMs !== undefined && light !== 'down' && ` · ${format.span(answerMs)}`}
    </span>
  );
}
