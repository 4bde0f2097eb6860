import type { Mark } from './marks.ts';
import type { Palette } from './palette.ts';
import { ROWS } from './rows.ts';

const MIDDLE = ROWS.marks.y + ROWS.marks.height / 2;
const COLOUR = {
  ...({ answer: 'good', interruption: 'bad', key: 'caller', tool: 'quiet' } as const),
  ...({ transfer: 'person', hangup: 'quiet' } as const),
};

/** Each kind has a shape of its own, so that its colour is not the only sign. */
export function paintMark(ctx: CanvasRenderingContext2D, palette: Palette, mark: Mark, x: number): void {
  const { kind, what, isBad } = mark;
  const colour = palette[isBad ? 'bad' : COLOUR[kind]];
  ctx.fillStyle = colour;
  ctx.strokeStyle = colour;
  if (kind === 'key') return paintKey(ctx, palette, what, x);
  if (kind === 'tool') return paintDiamond(ctx, x);
  ctx.lineWidth = 1.25;
  ctx.setLineDash(kind === 'interruption' ? [3, 3] : []);
  ctx.beginPath();
  ctx.moveTo(x, ROWS.caller.y);
  ctx.lineTo(x, ROWS.agentWords.y);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.lineWidth = 1;
  ctx.beginPath();
  if (kind === 'interruption') triangle(ctx, x);
  else if (kind === 'answer') ctx.arc(x, MIDDLE, 4.5, 0, 2 * Math.PI);
  else if (kind === 'transfer') arrow(ctx, x);
  else ctx.rect(x - 3.5, MIDDLE - 3.5, 7, 7);
  ctx.fill();
}

const KEYS_MAX = 12;

/** Several keys are a pill that begins at the first. */
function paintKey(ctx: CanvasRenderingContext2D, palette: Palette, keys: string, x: number): void {
  ctx.font = `600 11px ${palette.font}`;
  const text = keys.length > KEYS_MAX ? `${keys.slice(0, KEYS_MAX)}…` : keys;
  const width = Math.max(18, ctx.measureText(text).width + 11);
  ctx.beginPath();
  ctx.roundRect(x - 9, MIDDLE - 9, width, 18, 9);
  ctx.fill();
  ctx.fillStyle = palette.surface;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x - 9 + width / 2, MIDDLE + 0.5);
}

function paintDiamond(ctx: CanvasRenderingContext2D, x: number): void {
  ctx.beginPath();
  ctx.moveTo(x, MIDDLE - 6);
  ctx.lineTo(x + 6, MIDDLE);
  ctx.lineTo(x, MIDDLE + 6);
  ctx.lineTo(x - 6, MIDDLE);
  ctx.fill();
}

function triangle(ctx: CanvasRenderingContext2D, x: number): void {
  const y = ROWS.caller.y;
  ctx.moveTo(x - 5, y);
  ctx.lineTo(x + 5, y);
  ctx.lineTo(x, y + 8);
}

function arrow(ctx: CanvasRenderingContext2D, x: number): void {
  ctx.moveTo(x, MIDDLE - 6);
  ctx.lineTo(x + 9, MIDDLE);
  ctx.lineTo(x, MIDDLE + 6);
}
