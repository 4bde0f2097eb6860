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
  readonly srtpSuite: string | undefined;
  readonly packets: { readonly received: number; readonly sent: number };
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
  const mos = number('mos');
  if (mos === undefined) return undefined;
  return {
    ...{ mos, lossPercent: number('lossPercent') ?? 0, jitterMs: number('jitterMs') ?? 0 },
    ...{ roundTripMs: number('roundTripMs'), remoteLossPercent: number('remoteLossPercent') },
    ...{ codec: text('codec'), srtpSuite: text('srtpSuite') },
    packets: { received: number('packetsReceived') ?? 0, sent: number('packetsSent') ?? 0 },
  };
}

/** ITU-T G.107 annex B: from 4.03 on users are satisfied, below 3.6 many are not. */
export const mosGrade = (mos: number): Grade => (mos >= 4.03 ? 'good' : mos >= 3.6 ? 'slow' : 'bad');
