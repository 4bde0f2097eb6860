import { type PointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Speech } from './paint-timeline.ts';
import type { Palette } from './palette.ts';
import { beginning, fitting, type View, xOf } from './time-axis.ts';
import classes from './timeline.module.css';
import type { Player } from './use-player.ts';
import { barsOf, type Lane } from './waveform.ts';

interface Props {
  readonly lanes: readonly Lane[];
  readonly speech: readonly Speech[];
  readonly durationMs: number;
  readonly palette: Palette;
  readonly player: Player;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly msPerPoint: number;
}
const HEIGHT = 34;

/** The whole call in one line, with the window that is looked at: it can be drawn along. For mice; the lanes scroll by themselves. */
export function Overview({ lanes, speech, durationMs, palette, player, scroller, msPerPoint }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const whole: View = { fromMs: 0, msPerPoint: fitting(durationMs, Math.max(1, width)), width };

  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (!element) return undefined;
    const seen = new ResizeObserver(() => setWidth(element.clientWidth));
    seen.observe(element);
    return () => seen.disconnect();
  }, []);

  useEffect(() => {
    const element = canvas.current;
    const ctx = element?.getContext('2d');
    if (!element || !ctx || width === 0) return;
    const view: View = { fromMs: 0, msPerPoint: fitting(durationMs, width), width };
    element.width = width * devicePixelRatio;
    element.height = HEIGHT * devicePixelRatio;
    ctx.scale(devicePixelRatio, devicePixelRatio);
    for (const { role, fromMs, untilMs } of lanes.length === 0 ? speech : []) {
      ctx.fillStyle = palette[role];
      const x = xOf(view, fromMs);
      ctx.fillRect(x, role === 'caller' ? 6 : 19, Math.max(1, xOf(view, untilMs) - x), 9);
    }
    lanes.slice(0, 2).forEach((lane, side) => {
      ctx.fillStyle = palette[side === 0 ? 'caller' : 'agent'];
      barsOf(lane, view, 2).forEach((value, n) => {
        const half = Math.max(0.5, value * 7);
        ctx.fillRect(n * 2, (side === 0 ? 9.5 : 24.5) - half, 1.5, 2 * half);
      });
    });
  }, [lanes, speech, durationMs, palette, width]);

  const place = useCallback(() => {
    const box = scroller.current;
    if (!box || !shown.current || !head.current || width === 0) return;
    const scale = fitting(durationMs, width);
    shown.current.style.transform = `translateX(${(box.scrollLeft * msPerPoint) / scale}px)`;
    shown.current.style.width = `${Math.max(6, (box.clientWidth * msPerPoint) / scale)}px`;
    head.current.style.transform = `translateX(${player.nowMs() / scale}px)`;
  }, [scroller, durationMs, width, msPerPoint, player]);
  useEffect(() => {
    place();
    const box = scroller.current;
    box?.addEventListener('scroll', place, { passive: true });
    const close = player.watch(place);
    return () => {
      box?.removeEventListener('scroll', place);
      close();
    };
  }, [place, scroller, player]);

  const look = (event: PointerEvent<HTMLDivElement>) => {
    const box = scroller.current;
    if (!box || (event.type === 'pointermove' && event.buttons !== 1)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const ms = (event.clientX - event.currentTarget.getBoundingClientRect().left) * whole.msPerPoint;
    box.scrollLeft = beginning(ms, box.clientWidth / 2, msPerPoint, durationMs, box.clientWidth) / msPerPoint;
  };
  return (
    <div className={classes['overview']} onPointerDown={look} onPointerMove={look} aria-hidden>
      <canvas ref={canvas} style={{ width, height: HEIGHT }} />
      <div ref={shown} className={classes['window']} />
      <div ref={head} className={classes['head']} />
    </div>
  );
}
