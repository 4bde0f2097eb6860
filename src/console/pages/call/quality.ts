import type { Grade } from './answer-times.ts';

/** What was measured of the media of a call. */
export interface Quality {
  readonly mos: number;
  readonly lossPercent: number;
  readonly jitterMs: number;
  readonly roundTripMs: number | undefined;
  /** What the other side says of our packets. */
  readonly remoteLossPercent: number | undefined;
  readonly codec: string | undefined;
  /** Of the outer side, where a media edge speaks to that. */
  readonly srtpSuite: string | undefined;
  readonly packets: { readonly received: number; readonly sent: number };
  /** Between a media edge and whoever called, where RTCP told it: the rest is between the edge and the gateway then. */
  readonly outer: Pick<Quality, 'mos' | 'lossPercent' | 'jitterMs' | 'roundTripMs'> | undefined;
}

/** Undefined where nothing was measured: a call that was not answered. */
export function qualityOf(told: Readonly<Record<string, number | string>> | null): Quality | undefined {
  const number = (name: string): number | undefined => {
    const value = told?.[name];
    return typeof value === 'number' ? value : undefined;
  };
  const text = (name: string): string | undefined => {
    const value = told?.[name];
    return typeof value === 'string' && value !== 'none' ? value : undefined;
  };
  const [mos, outerMos] = [number('mos'), number('outerMos')];
  if (mos === undefined) return undefined;
  return {
    ...{ mos, lossPercent: number('lossPercent') ?? 0, jitterMs: number('jitterMs') ?? 0 },
    ...{ roundTripMs: number('roundTripMs'), remoteLossPercent: number('remoteLossPercent') },
    ...{ codec: text('codec'), srtpSuite: text('outerSuite') ?? text('srtpSuite') },
    packets: { received: number('packetsReceived') ?? 0, sent: number('packetsSent') ?? 0 },
    outer:
      outerMos === undefined
        ? undefined
        : {
            ...{ mos: outerMos, lossPercent: number('outerLossPercent') ?? 0, jitterMs: number('outerJitterMs') ?? 0 },
            roundTripMs: number('outerRoundTripMs'),
          },
  };
}

/** ITU-T G.107 annex B: from 4.03 on users are satisfied, below 3.6 many are not. */
export const mosGrade = (mos: number): Grade => (mos >= 4.03 ? 'good' : mos >= 3.6 ? 'slow' : 'bad');

/** Figures of stretches of equal length, null where nothing came. */
export interface QualityOverTime {
  readonly from_ms: number;
  readonly every_ms: number;
  readonly loss_percent: readonly (number | null)[];
  readonly jitter_ms: readonly (number | null)[];
  readonly mos: readonly (number | null)[];
}

export interface QualityStrip {
  /** Lines of MOS, broken where nothing came: `x,y` as shares of the room, from above. */
  readonly lines: readonly (readonly (readonly [number, number])[])[];
  /** Stretches in which something was lost: where, how wide and high, as shares. */
  readonly losses: readonly {
    readonly x: number;
    readonly width: number;
    readonly height: number;
    readonly percent: number;
  }[];
  readonly worst: { readonly mos: number; readonly atMs: number };
  readonly untilMs: number;
}

const [MOS_MIN, MOS_MAX] = [1, 4.5];
/** A loss of so many per cent is as high as the room: more is no more telling. */
const LOSS_TOP = 20;

/** Undefined where there is less than two stretches: nothing to draw over time. */
export function qualityStrip(told: QualityOverTime | null): QualityStrip | undefined {
  const count = told?.mos.length ?? 0;
  if (!told || count < 2) return undefined;
  const lines: [number, number][][] = [[]];
  let worst: { mos: number; atMs: number } | undefined;
  for (const [n, mos] of told.mos.entries()) {
    if (mos === null) {
      lines.push([]);
      continue;
    }
    lines.at(-1)!.push([(n + 0.5) / count, 1 - (mos - MOS_MIN) / (MOS_MAX - MOS_MIN)]);
    if (!worst || mos < worst.mos) worst = { mos, atMs: told.from_ms + n * told.every_ms };
  }
  if (!worst) return undefined;
  const losses = told.loss_percent.flatMap((percent, n) =>
    percent ? [{ x: n / count, width: 1 / count, height: Math.min(1, percent / LOSS_TOP), percent }] : [],
  );
  return {
    ...{ lines: lines.filter((line) => line.length > 0), losses, worst },
    untilMs: told.from_ms + count * told.every_ms,
  };
}
