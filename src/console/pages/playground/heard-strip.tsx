import { Box } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { Ltr } from '../../parts/text.tsx';
import classes from './heard-strip.module.css';
import { BARS_PER_S, barsPath, type HeardStretch, PIXELS_PER_S, placed, ticksOf } from './strip-geometry.ts';

const WAVE_PX = 56;
const AXIS_PX = 18;
const ROW_PX = 44;

interface Props {
  readonly bars: readonly number[];
  readonly stretches: readonly HeardStretch[];
  /** Not settled yet: at the end. */
  readonly interim?: string;
  /** Keeps the end in sight. */
  readonly isLive?: boolean;
}

/** What was heard over time, and the words under it. */
export function HeardStrip({ bars, stretches, interim = '', isLive = false }: Props) {
  const { t } = useTranslation('playground');
  const { clock } = useFormat();
  const scroll = useRef<HTMLDivElement>(null);
  const words = placed(stretches);
  const seconds = Math.max(bars.length / BARS_PER_S, ...stretches.map(({ endS }) => endS));
  const width = Math.ceil((seconds + 1) * PIXELS_PER_S);
  const rows = Math.max(isLive ? 1 : 0, ...words.map(({ row }) => row + 1));
  useEffect(() => {
    if (isLive && scroll.current) scroll.current.scrollLeft = width;
  }, [isLive, width]);
  return (
    <>
      <Box
        dir="ltr"
        ref={scroll}
        className={classes['scroll']}
        tabIndex={0}
        role="region"
        aria-label={t('heard.strip')}
      >
        <div className={classes['strip']} style={{ width, height: WAVE_PX + AXIS_PX + rows * ROW_PX }} aria-hidden>
          <svg width={width} height={WAVE_PX + AXIS_PX}>
            <title>{t('heard.strip')}</title>
            <path d={barsPath(bars, WAVE_PX)} stroke="var(--caller)" strokeWidth={2} strokeLinecap="round" />
            {ticksOf(seconds).map((at) => (
              <text key={at} x={at * PIXELS_PER_S + 2} y={WAVE_PX + 13} fontSize={11} fill="var(--quiet)">
                {clock(at * 1_000)}
              </text>
            ))}
          </svg>
          {words.map(({ text, startS, leftPx, widthPx, row }) => (
            <div
              key={startS}
              dir="auto"
              className={classes['word']}
              style={{ insetInlineStart: leftPx, width: widthPx, insetBlockStart: WAVE_PX + AXIS_PX + row * ROW_PX }}
            >
              {text}
            </div>
          ))}
        </div>
      </Box>
      <ol className={classes['list']}>
        {stretches.map(({ text, startS, endS, confidence }) => (
          <Stretch key={startS} {...{ text, startS, endS, confidence }} />
        ))}
        {interim !== '' && (
          <li>
            <time>…</time>
            <i dir="auto">{interim}</i>
            <small />
          </li>
        )}
      </ol>
    </>
  );
}

function Stretch({ text, startS, endS, confidence }: HeardStretch) {
  const { clock, percent } = useFormat();
  return (
    <li>
      <time>
        <Ltr>
          {clock(startS * 1_000, 1)}–{clock(endS * 1_000, 1)}
        </Ltr>
      </time>
      <span dir="auto">{text}</span>
      <small>{confidence !== undefined && <Ltr>{percent(confidence)}</Ltr>}</small>
    </li>
  );
}
