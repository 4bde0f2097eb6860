import { Box, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './said.module.css';

export interface SaidLine {
  readonly id: number;
  readonly role: 'caller' | 'agent';
  readonly text: string;
  /** Not settled yet. */
  readonly interim?: string;
  readonly isOver: boolean;
  /** Small, below the text. */
  readonly facts?: ReactNode;
}

/** How far from its end a list may be scrolled and still follow what is added. */
const FOLLOW_PX = 80;

/** A conversation, newest last; it follows what is added unless somebody has scrolled back. */
export function Said({ lines, label }: { lines: readonly SaidLine[]; label: string }) {
  const { t } = useTranslation('talk');
  const place = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is added moves the end
  useEffect(() => {
    const at = place.current;
    if (at && isFollowing.current) at.scrollTop = at.scrollHeight;
  }, [lines]);
  const last = lines.findLast(({ isOver, text }) => isOver && text !== '');
  return (
    <>
      {/* What scrolls can be scrolled by keys. */}
      <Box
        component="section"
        ref={place}
        className={classes['place']}
        aria-label={label}
        tabIndex={0}
        onScroll={({ currentTarget: at }) => {
          isFollowing.current = at.scrollHeight - at.scrollTop - at.clientHeight < FOLLOW_PX;
        }}
      >
        <ol className={classes['list']}>
          {lines.map(({ id, role, text, interim, facts }) => (
            <li key={id} className={classes['line']} data-role={role}>
              <span className={classes['who']}>{t(`who.${role}`)}</span>
              <div dir="auto">
                {text} {interim && <span className={classes['interim']}>{interim}</span>}
              </div>
              {facts && <div className={classes['facts']}>{facts}</div>}
            </li>
          ))}
        </ol>
      </Box>
      <VisuallyHidden aria-live="polite">{last && `${t(`who.${last.role}`)}: ${last.text}`}</VisuallyHidden>
    </>
  );
}
