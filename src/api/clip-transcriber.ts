import type { SttEngine, SttEvent, SttHints } from '../engines/stt/contract.ts';

/** Recognisers keep about ten seconds; a piece of a clip stays below that, so that nothing is dropped. */
const PIECE_SECONDS_MAX = 9;
const PIECE_SECONDS_MIN = 3;
const WINDOW_SECONDS = 0.02;
/** The quietest stretch of this length is where a clip is cut. */
const PAUSE_WINDOWS = 10;
const FRAME_SECONDS = 0.1;

export interface ClipText {
  readonly text: string;
  readonly confidence: number; // 0..1, 3 decimals; 0 when nothing was recognised
}

/** Where a clip is cut so that no piece is longer than a recogniser takes at once: in the quietest moments. */
export function cutPoints(samples: Int16Array, sampleRateHz: number): number[] {
  const windowSize = Math.round(sampleRateHz * WINDOW_SECONDS);
  const levels = energies(samples, windowSize);
  const max = Math.round(PIECE_SECONDS_MAX / WINDOW_SECONDS);
  const min = Math.round(PIECE_SECONDS_MIN / WINDOW_SECONDS);
  const cuts: number[] = [];
  for (let from = 0; levels.length - from > max; ) {
    const at = quietest(levels, from + min, from + max);
    cuts.push(at * windowSize);
    from = at;
  }
  return cuts;
}

function energies(samples: Int16Array, size: number): Float64Array {
  const levels = new Float64Array(Math.floor(samples.length / size));
  for (let window = 0; window < levels.length; window += 1) {
    let sum = 0;
    for (let i = window * size; i < (window + 1) * size; i += 1) sum += samples[i]! * samples[i]!;
    levels[window] = sum;
  }
  return levels;
}

/** The middle of the quietest stretch in [from, to). */
function quietest(levels: Float64Array, from: number, to: number): number {
  let best = to - 1;
  let bestSum = Number.POSITIVE_INFINITY;
  for (let start = from; start + PAUSE_WINDOWS < to; start += 1) {
    let sum = 0;
    for (let i = start; i < start + PAUSE_WINDOWS; i += 1) sum += levels[i]!;
    if (sum >= bestSum) continue;
    bestSum = sum;
    best = start + PAUSE_WINDOWS / 2;
  }
  return best;
}

/**
 * Recognises a whole clip: piece by piece, the next one when the last is settled. Failures are those of the recogniser;
 * aborting ends it with what was recognised so far.
 */
export async function transcribeClip(
  engine: SttEngine,
  clip: {
    readonly samples: Int16Array;
    readonly sampleRateHz: number;
    readonly language: string;
    readonly account?: string;
    readonly hints?: SttHints;
  },
  signal: AbortSignal,
): Promise<ClipText> {
  const { samples, sampleRateHz, language, account, hints } = clip;
  const stream = engine.open(
    {
      ...{ language, sampleRateHz, interim: false, patient: true },
      ...(account !== undefined && { account }),
      ...(hints && { hints }),
    },
    signal,
  );
  const events = stream[Symbol.asyncIterator]();
  const frameSize = Math.round(sampleRateHz * FRAME_SECONDS);
  const finals: Extract<SttEvent, { type: 'final' }>[] = [];
  const bounds = [0, ...cutPoints(samples, sampleRateHz), samples.length];
  try {
    for (let piece = 1; piece < bounds.length && !signal.aborted; piece += 1) {
      for (let at = bounds[piece - 1]!; at < bounds[piece]!; at += frameSize) {
        stream.write({ samples: samples.subarray(at, Math.min(at + frameSize, bounds[piece]!)), sampleRateHz });
      }
      stream.flush();
      const final = await nextFinal(events);
      if (!final) break;
      finals.push(final);
    }
    stream.end();
    for (let late = await nextFinal(events); late; late = await nextFinal(events)) finals.push(late);
  } finally {
    await events.return?.();
  }
  return joined(finals);
}

async function nextFinal(events: AsyncIterator<SttEvent>): Promise<Extract<SttEvent, { type: 'final' }> | undefined> {
  for (;;) {
    const next = await events.next();
    if (next.done) return undefined;
    if (next.value.type === 'final') return next.value;
  }
}

/** The texts in order; the confidence is their mean, weighted by how long each was. */
function joined(finals: readonly Extract<SttEvent, { type: 'final' }>[]): ClipText {
  const heard = finals.filter((final) => final.text.trim() !== '');
  const lengthOf = (final: (typeof heard)[number]): number => Math.max(1, final.endMs - final.startMs);
  const total = heard.reduce((sum, final) => sum + lengthOf(final), 0);
  const weighted = heard.reduce((sum, final) => sum + final.confidence * lengthOf(final), 0);
  const confidence = total === 0 ? 0 : Math.min(1, Math.max(0, weighted / total));
  return {
    text: heard.map((final) => final.text.trim()).join(' '),
    confidence: Math.round(confidence * 1000) / 1000,
  };
}
