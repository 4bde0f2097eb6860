import { useEffect, useRef } from 'react';
import type { LevelHub } from './level-hub.ts';
import classes from './level-strip.module.css';

/** Colours as a canvas needs them. */
export interface StripColours {
  readonly caller: string;
  readonly agent: string;
  readonly line: string;
}
interface Props {
  readonly hub: LevelHub;
  readonly callId: string;
  readonly colours: StripColours | undefined;
  readonly columns: number;
  readonly height: number;
}

/** Of a column and the room beside it, in CSS pixels. */
const STEP = 3;

/**
 * How loud both sides were in the last seconds: the caller above the line, the agent below, a column each tenth of a second,
 * the newest at the right. Drawn past React; what is there moves on by a copy, so that each time costs two rectangles.
 */
export function LevelStrip({ hub, callId, colours, columns, height }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext('2d', { alpha: true });
    if (!context || !colours) return undefined;
    const step = Math.max(2, Math.round(STEP * devicePixelRatio)); // Whole pixels: copies of copies would blur.
    const size = { width: step * columns, height: Math.round(height * devicePixelRatio) };
    context.canvas.width = size.width;
    context.canvas.height = size.height;
    const middle = Math.floor(size.height / 2);
    const bar = Math.max(1, Math.round((step * 2) / 3));
    const column = (x: number, caller: number, agent: number): void => {
      const [up, down] = [Math.round(caller * (middle - 1)), Math.round(agent * (middle - 1))];
      context.fillStyle = colours.line;
      context.fillRect(x, middle, step, 1);
      context.fillStyle = colours.caller;
      if (up > 0) context.fillRect(x, middle - up, bar, up);
      context.fillStyle = colours.agent;
      if (down > 0) context.fillRect(x, middle + 1, bar, down);
    };
    for (let n = 0; n < columns; n += 1) column(n * step, 0, 0);
    return hub.watch(callId, (caller, agent) => {
      context.globalCompositeOperation = 'copy'; // what was there is taken away by the copy
      context.drawImage(context.canvas, -step, 0);
      context.globalCompositeOperation = 'source-over';
      column(size.width - step, caller, agent);
    });
  }, [hub, callId, colours, columns, height]);
  return (
    <canvas
      ref={canvas}
      className={classes['strip']}
      style={{ inlineSize: STEP * columns, blockSize: height }}
      aria-hidden
    />
  );
}
