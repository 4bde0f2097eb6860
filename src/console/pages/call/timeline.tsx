import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { isolated } from '../../i18n/isolated.ts';
import { useFormat } from '../../i18n/use-format.ts';
import { FittedTexts } from './fitted-texts.ts';
import { markNear } from './marks.ts';
import { Overview } from './overview-strip.tsx';
import { paintTimeline, type Scene } from './paint-timeline.ts';
import { HEIGHT, ROWS } from './rows.ts';
import type { Drawn } from './scene.ts';
import { beginning, firstSight, fitting, following, msAt, type View, zoomed } from './time-axis.ts';
import classes from './timeline.module.css';
import { usePalette } from './use-palette.ts';
import type { Player } from './use-player.ts';

interface Props {
  readonly scene: Drawn;
  readonly player: Player;
  readonly activeTurn: number | undefined;
  readonly onSeek: (ms: number) => void;
  /** What is said at the place, for screen readers. */
  readonly saidNow: string;
  readonly zoom: { readonly step: number; readonly by: number };
}

const MARK_REACH = 10;
/** At both ends of the call, so that what stands there is seen whole. */
const PAD = 8;
const WHEEL_STEP = 0.0016;

/** Both sides of a call over its time. It scrolls as any box does; what is in sight is drawn anew for each frame. */
export function Timeline({ scene, player, activeTurn, onSeek, saidNow, zoom }: Props) {
  const { t } = useTranslation('call');
  const format = useFormat();
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = usePalette(scroller);
  const [width, setWidth] = useState(0);
  const [msPerPoint, setMsPerPoint] = useState<number>();
  const [tip, setTip] = useState<{ readonly x: number; readonly text: string }>();
  const hover = useRef<number | undefined>(undefined);
  const frame = useRef(0);
  const anchor = useRef<{ readonly ms: number; readonly x: number } | undefined>(undefined);
  const { durationMs } = scene;
  const room = Math.max(1, width - 2 * PAD);
  const scale = msPerPoint ?? firstSight(durationMs, room);

  const viewNow = useCallback(
    (): View => ({ fromMs: ((scroller.current?.scrollLeft ?? 0) - PAD) * scale, msPerPoint: scale, width }),
    [scale, width],
  );
  // The font comes with the palette: what was measured in another one is of no use.
  const drawn = useMemo((): Scene | undefined => {
    const gapLabels = scene.gaps.map(({ ms }) => isolated(format.span(ms)));
    return palette && { ...scene, palette, gapLabels, clock: format.clock, texts: fittedTexts() };
  }, [scene, palette, format]);
  const paint = useCallback(() => {
    frame.current = 0;
    const ctx = canvas.current?.getContext('2d');
    if (!ctx || !drawn || width === 0) return;
    const ratio = devicePixelRatio;
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintTimeline(ctx, drawn, viewNow(), { headMs: player.nowMs(), hoverX: hover.current, activeTurn });
  }, [drawn, width, viewNow, player, activeTurn]);
  const later = useRef(() => {});
  useLayoutEffect(() => {
    later.current = () => {
      if (frame.current === 0) frame.current = requestAnimationFrame(paint);
    };
    later.current();
    return () => {
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [paint]);

  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const seen = new ResizeObserver(() => setWidth(box.clientWidth));
    seen.observe(box);
    return () => seen.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element || width === 0) return;
    element.width = Math.round(width * devicePixelRatio);
    element.height = Math.round(HEIGHT * devicePixelRatio);
    later.current();
  }, [width]);

  const jump = useCallback(
    (fromMs: number) => {
      if (scroller.current) scroller.current.scrollLeft = fromMs <= 0 ? 0 : fromMs / scale + PAD;
    },
    [scale],
  );
  useEffect(
    () =>
      player.watch((ms) => {
        const next = following(viewNow(), ms, durationMs);
        if (next !== undefined) jump(next);
        later.current();
      }),
    [player, viewNow, durationMs, jump],
  );
  // A place that was linked to is in sight from the start.
  const isPlaced = useRef(false);
  useEffect(() => {
    if (isPlaced.current || width === 0) return;
    isPlaced.current = true;
    const next = following(viewNow(), player.nowMs(), durationMs);
    if (next !== undefined) jump(next);
  }, [width, viewNow, player, durationMs, jump]);

  const zoomTo = useCallback(
    (factor: number, x: number) => {
      anchor.current = { ms: msAt(viewNow(), x), x };
      setMsPerPoint(zoomed(scale, factor, durationMs, room));
    },
    [viewNow, scale, durationMs, room],
  );
  useLayoutEffect(() => {
    const { ms, x } = anchor.current ?? {};
    anchor.current = undefined;
    if (ms !== undefined && x !== undefined) jump(beginning(ms, x, scale, durationMs, width));
  }, [scale, durationMs, width, jump]);
  const zoomRef = useRef(zoomTo);
  useEffect(() => {
    zoomRef.current = zoomTo;
  }, [zoomTo]);
  useEffect(() => {
    if (zoom.step > 0) zoomRef.current(zoom.by, (scroller.current?.clientWidth ?? 0) / 2);
  }, [zoom]);
  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault(); // the page itself would zoom
      zoomRef.current(Math.exp(event.deltaY * WHEEL_STEP), event.clientX - box.getBoundingClientRect().left);
    };
    box.addEventListener('wheel', onWheel, { passive: false });
    return () => box.removeEventListener('wheel', onWheel);
  }, []);

  const placeOf = (event: PointerEvent): number => event.clientX - scroller.current!.getBoundingClientRect().left;
  const onMove = (event: PointerEvent) => {
    const x = placeOf(event);
    hover.current = event.pointerType === 'mouse' ? x : undefined;
    const view = viewNow();
    const mark = markNear(scene.marks, msAt(view, x), MARK_REACH * scale);
    setTip(mark && { x, text: `${t(`marks.${mark.kind}`)}${mark.what && ` · ${mark.what}`}` });
    later.current();
  };
  const onLeave = () => {
    hover.current = undefined;
    setTip(undefined);
    later.current();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { Home: 0, End: durationMs }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onSeek(to);
  };
  const isLong = fitting(durationMs, room) > scale * 1.02;
  return (
    <div className={classes['frame']} dir="ltr">
      {isLong && palette && (
        <div className={classes['over']}>
          <Overview
            lanes={scene.lanes}
            speech={scene.speech}
            {...{ durationMs, palette, player, scroller, msPerPoint: scale }}
          />
        </div>
      )}
      <div className={classes['gutter']} aria-hidden>
        <span
          style={{ insetBlockStart: ROWS.caller.y + ROWS.caller.height / 2 - 10, color: 'var(--caller)' }}
          dir="auto"
        >
          {t('roles.caller')}
        </span>
        <span style={{ insetBlockStart: ROWS.agent.y + ROWS.agent.height / 2 - 10, color: 'var(--agent)' }} dir="auto">
          {t('roles.agent')}
        </span>
      </div>
      <div className={classes['lanes']}>
        <div
          ref={scroller}
          className={classes['scroller']}
          style={{ height: HEIGHT + 12 }}
          role="slider"
          tabIndex={0}
          aria-label={t('timeline')}
          aria-valuemin={0}
          aria-valuemax={Math.round(durationMs / 1_000)}
          aria-valuenow={Math.round(player.nowMs() / 1_000)}
          aria-valuetext={`${format.clock(player.nowMs())}. ${saidNow}`}
          onScroll={() => later.current()}
          onPointerMove={onMove}
          onPointerLeave={onLeave}
          onClick={(event) => onSeek(msAt(viewNow(), event.clientX - scroller.current!.getBoundingClientRect().left))}
          onKeyDown={onKeyDown}
        >
          <div className={classes['length']} style={{ width: Math.floor(durationMs / scale) + 2 * PAD }}>
            <canvas ref={canvas} className={classes['canvas']} style={{ width, height: HEIGHT }} aria-hidden />
          </div>
        </div>
        {tip && (
          <div
            className={classes['tip']}
            style={{ insetInlineStart: Math.min(tip.x, Math.max(0, width - 140)) }}
            dir="auto"
          >
            {tip.text}
          </div>
        )}
      </div>
    </div>
  );
}

function fittedTexts(): FittedTexts {
  const ctx = document.createElement('canvas').getContext('2d')!;
  return new FittedTexts((text, font) => {
    ctx.font = font;
    return ctx.measureText(text).width;
  });
}
