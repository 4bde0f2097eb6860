import type { Gap } from './answer-times.ts';
import type { FittedTexts } from './fitted-texts.ts';
import { joinedKeys, type Mark } from './marks.ts';
import { paintMark } from './paint-marks.ts';
import type { Palette } from './palette.ts';
import { HEIGHT, ROWS } from './rows.ts';
import { endOf, hasTenths, ticksOf, type View, xOf } from './time-axis.ts';
import { barsOf, firstBarX, type Lane } from './waveform.ts';
import type { Words } from './words.ts';

/** A stretch in which one side speaks. */
export interface Speech {
  readonly turn: number;
  readonly role: 'caller' | 'agent' | 'person';
  readonly fromMs: number;
  readonly untilMs: number;
}

/** All that is drawn of a call. */
export interface Scene {
  readonly durationMs: number;
  readonly lanes: readonly Lane[]; // caller, agent; none without a recording
  readonly gaps: readonly Gap[];
  readonly marks: readonly Mark[];
  readonly words: { readonly caller: readonly Words[]; readonly other: readonly Words[] };
  readonly speech: readonly Speech[];
  readonly palette: Palette;
  readonly clock: (ms: number, digits?: number) => string;
  /** What each gap took, in words. */
  readonly gapLabels: readonly string[];
  readonly texts: FittedTexts;
}

const [BAR, STEP] = [2, 3];
const WORDS_ROOM_MIN = 22;
const TINT = 0.13;
const KEY_POINTS = 19;
/** No figure is narrower: one that comes sooner after another has no room, and need not be measured. */
const LABEL_HALF = 12;

export interface Cursor {
  readonly headMs: number;
  readonly hoverX: number | undefined;
  readonly activeTurn: number | undefined;
}

/** Draws what is in sight. Takes no more time for a long call than for a short one. */
export function paintTimeline(ctx: CanvasRenderingContext2D, scene: Scene, view: View, cursor: Cursor): void {
  ctx.clearRect(0, 0, view.width, HEIGHT);
  paintAxis(ctx, scene, view);
  paintGaps(ctx, scene, view);
  paintSpeech(ctx, scene, view, cursor);
  paintWave(ctx, scene, view, 0);
  paintWave(ctx, scene, view, 1);
  paintWords(ctx, scene, view, cursor);
  for (const mark of joinedKeys(scene.marks, KEY_POINTS * view.msPerPoint)) {
    const x = xOf(view, mark.atMs);
    if (x > -20 && x < view.width + 20) paintMark(ctx, scene.palette, mark, x);
  }
  paintCursor(ctx, scene, view, cursor);
}

function paintAxis(ctx: CanvasRenderingContext2D, { palette, clock, durationMs }: Scene, view: View): void {
  const digits = hasTenths(view) ? 1 : 0;
  ctx.font = `11px ${palette.font}`;
  ctx.textBaseline = 'middle';
  ctx.direction = 'ltr';
  for (const { ms, isMajor } of ticksOf(view)) {
    const x = Math.round(xOf(view, ms)) + 0.5;
    ctx.strokeStyle = palette.line;
    ctx.beginPath();
    ctx.moveTo(x, isMajor ? ROWS.caller.y : ROWS.axis.y);
    ctx.lineTo(x, ROWS.axis.y + (isMajor ? 6 : 3));
    ctx.stroke();
    if (!isMajor) continue;
    ctx.fillStyle = palette.quiet;
    const text = clock(ms, digits);
    const half = ctx.measureText(text).width / 2;
    ctx.textAlign = 'center';
    // Whole also at both ends of the call; elsewhere it moves out of sight as the lanes do.
    const isLast = ms + half * view.msPerPoint > durationMs;
    ctx.fillText(text, ms === 0 ? Math.max(half, x) : isLast ? Math.min(view.width - half, x) : x, ROWS.axis.y + 14);
  }
}

function paintGaps(ctx: CanvasRenderingContext2D, { gaps, gapLabels, palette }: Scene, view: View): void {
  ctx.font = `600 11px ${palette.font}`;
  ctx.textAlign = 'center';
  let labelledTo = Number.NEGATIVE_INFINITY;
  for (const [n, { fromMs, untilMs, grade }] of gaps.entries()) {
    if (untilMs < view.fromMs || fromMs > endOf(view)) continue;
    const [x, end] = [xOf(view, fromMs), xOf(view, untilMs)];
    ctx.globalAlpha = 0.2;
    ctx.fillStyle = palette[grade];
    ctx.fillRect(x, ROWS.caller.y, Math.max(2, end - x), ROWS.agentWords.y - ROWS.caller.y);
    ctx.globalAlpha = 1;
    const text = gapLabels[n]!;
    if ((x + end) / 2 < labelledTo + LABEL_HALF) continue;
    const half = ctx.measureText(text).width / 2;
    const middle = Math.min(view.width - half, Math.max(half, (x + end) / 2));
    if (middle - half < labelledTo + 6) continue;
    ctx.fillText(text, middle, ROWS.figures.y + 11);
    labelledTo = middle + half;
  }
}

const rowOf = (role: Speech['role']) => (role === 'caller' ? ROWS.caller : ROWS.agent);

/** Who speaks when: a tint below the waveform, and all there is without one. */
function paintSpeech(ctx: CanvasRenderingContext2D, scene: Scene, view: View, { activeTurn }: Cursor): void {
  const isAlone = scene.lanes.length === 0;
  for (const { turn, role, fromMs, untilMs } of scene.speech) {
    if (untilMs < view.fromMs || fromMs > endOf(view)) continue;
    const { y, height } = rowOf(role);
    const x = xOf(view, fromMs);
    const inset = isAlone ? 14 : 2;
    ctx.globalAlpha = turn === activeTurn ? TINT * 2 : isAlone ? 0.55 : TINT;
    ctx.fillStyle = scene.palette[role];
    ctx.beginPath();
    ctx.roundRect(x, y + inset, Math.max(3, xOf(view, untilMs) - x), height - 2 * inset, 6);
    ctx.fill();
  }
  ctx.globalAlpha = 1;
}

function paintWave(ctx: CanvasRenderingContext2D, scene: Scene, view: View, side: 0 | 1): void {
  const lane = scene.lanes[side];
  const { y, height } = side === 0 ? ROWS.caller : ROWS.agent;
  const middle = y + height / 2;
  ctx.fillStyle = scene.palette[side === 0 ? 'caller' : 'agent'];
  if (!lane) return;
  const bars = barsOf(lane, view, STEP);
  const first = firstBarX(view, STEP);
  ctx.beginPath();
  for (let n = 0; n < bars.length; n += 1) {
    const half = Math.max(0.5, bars[n]! * (height / 2 - 4));
    ctx.rect(first + n * STEP, middle - half, BAR, 2 * half);
  }
  ctx.fill();
}

function paintWords(ctx: CanvasRenderingContext2D, scene: Scene, view: View, { activeTurn }: Cursor): void {
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const [lane, row] of [
    [scene.words.caller, ROWS.callerWords],
    [scene.words.other, ROWS.agentWords],
  ] as const) {
    for (const { turn, role, text, fromMs, untilMs } of lane) {
      if (untilMs < view.fromMs || fromMs > endOf(view)) continue;
      const x = Math.max(2, xOf(view, fromMs)); // what began before stays readable
      const room = Math.min(view.width, xOf(view, untilMs)) - x - 10;
      if (room < WORDS_ROOM_MIN) continue;
      const isActive = turn === activeTurn;
      ctx.font = `${isActive ? '600 ' : ''}12px ${scene.palette.font}`;
      ctx.direction = ARABIC.test(text) ? 'rtl' : 'ltr';
      ctx.fillStyle = isActive ? scene.palette.text : scene.palette[role];
      ctx.fillText(scene.texts.fit(text, ctx.font, room), x, row.y + row.height / 2);
    }
  }
  ctx.direction = 'ltr';
}

const ARABIC = /^[^\p{L}]*\p{Script=Arabic}/u;
function paintCursor(ctx: CanvasRenderingContext2D, scene: Scene, view: View, { headMs, hoverX }: Cursor): void {
  const { palette, clock } = scene;
  if (hoverX !== undefined) {
    ctx.fillStyle = palette.quiet;
    ctx.globalAlpha = 0.6;
    ctx.fillRect(Math.round(hoverX), ROWS.caller.y, 1, ROWS.axis.y - ROWS.caller.y);
    ctx.globalAlpha = 1;
    paintPill(ctx, palette, clock(view.fromMs + hoverX * view.msPerPoint, 1), hoverX, view.width);
  }
  const x = xOf(view, headMs);
  if (x < -6 || x > view.width + 6) return;
  ctx.fillStyle = palette.text;
  ctx.fillRect(Math.round(x) - 0.75, ROWS.caller.y - 4, 1.5, ROWS.axis.y - ROWS.caller.y + 4);
  ctx.beginPath();
  ctx.arc(x, ROWS.caller.y - 4, 4.5, 0, 2 * Math.PI);
  ctx.fill();
}

function paintPill(ctx: CanvasRenderingContext2D, palette: Palette, text: string, x: number, width: number): void {
  ctx.font = `11px ${palette.font}`;
  const room = ctx.measureText(text).width + 12;
  const start = Math.min(width - room, Math.max(0, x - room / 2));
  ctx.fillStyle = palette.text;
  ctx.beginPath();
  ctx.roundRect(start, ROWS.axis.y + 4, room, 18, 9);
  ctx.fill();
  ctx.fillStyle = palette.surface;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, start + 6, ROWS.axis.y + 13.5);
}
