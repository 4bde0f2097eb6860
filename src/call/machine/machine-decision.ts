import { FRAME_MS } from '../../audio/pcm.ts';
import { BeepDetector, type BeepState } from './beep-detector.ts';

/** Who answered. `unknown` is treated as a person: whoever is silent or says something in between is not hung up on. */
export type AnsweredBy = 'human' | 'machine' | 'unknown';

/**
 * What tells a person from a machine, in milliseconds of audio since the answer. Tuned on the first of the two sets of
 * `scripts/bench/amd`; README.md has the figures.
 */
export interface MachineRules {
  /** Nobody has said anything. */
  readonly silenceMs: number;
  /** A pause that ends a greeting. */
  readonly pauseMs: number;
  /** A greeting that is over is a person's up to here ... */
  readonly humanMs: number;
  /** ... and a machine's from here on; between the two how fast it was said decides. */
  readonly machineMs: number;
  /** Syllables a second; machines are read out. */
  readonly machineRate: number;
  /** Speech without such a pause that still goes on; less of it when the time is up. */
  readonly talkMs: number;
  readonly lateTalkMs: number;
  /** The decision is made by then. */
  readonly decideMs: number;
}

export const MACHINE_RULES: MachineRules = {
  ...{ silenceMs: 2_500, pauseMs: 700, humanMs: 1_900, machineMs: 2_700, machineRate: 5.2 },
  ...{ talkMs: 3_300, lateTalkMs: 1_700, decideMs: 4_000 },
};

/** A greeting of a machine ends with so much silence, where no beep ends it. */
export const GREETING_END_MS = 1_800;
/** Between two syllables the level falls so far, and rises again. */
const DIP_DB = 4;
/** Voices behind whoever answered are so much softer. */
const FOREGROUND_DB = 13;
/** Noise alone keeps within so much; speech does not. */
const CONTRAST_DB = 9;
/** Speech, with the pauses between its words, is so much louder than the pause after it. */
const STANDS_OUT_DB = 6;
/** Frames of one voice: a click is shorter. */
const ONSET_FRAMES = 3;
const HISTORY_MS = 65_000;

/** What one frame of 20 ms is like. */
export interface HeardFrame {
  readonly samples: Int16Array; // 160, 8 kHz
  readonly levelDb: number; // dBFS
  /** The detector of voice activity is in speech. */
  readonly speaking: boolean;
}

/** The speech of whoever answered, as far as it is known by now. */
interface Greeting {
  readonly ms: number; // from its first word to its last
  readonly silenceMs: number; // since then
  readonly standsOut: boolean;
  readonly syllables: number;
}

/**
 * Decides who answered by what is heard, and finds the end of a machine's greeting. Pure: time is counted in frames, and memory is
 * bounded by the longest greeting that is waited for.
 */
export class MachineDecision {
  readonly #beep = new BeepDetector();
  /** Of every frame; silence is `NOTHING`. What was speech is judged anew with each, by what turned out to be loud. */
  readonly #levels: number[] = [];
  #ms = 0;
  #lastToneMs = 0;
  #decided: AnsweredBy | undefined;
  #greeting: Greeting | undefined;

  constructor(private readonly rules: MachineRules = MACHINE_RULES) {}

  get decided(): AnsweredBy | undefined {
    return this.#decided;
  }
  get beep(): BeepState {
    return this.#beep.state;
  }
  /** Silence since whoever answered spoke last, or since the answer. */
  get silenceMs(): number {
    return Math.min(this.#greeting?.silenceMs ?? this.#ms, this.#ms - this.#lastToneMs);
  }

  /** @returns the decision, once it is made. */
  push({ samples, levelDb, speaking }: HeardFrame): AnsweredBy | undefined {
    this.#ms += FRAME_MS;
    const isTone = this.#beep.push(samples);
    if (this.#beep.state === 'sounding') this.#lastToneMs = this.#ms;
    if (this.#ms <= HISTORY_MS) this.#levels.push(speaking && !isTone ? levelDb : Math.min(levelDb, 0) - UNVOICED_DB);
    this.#greeting = this.#ms <= HISTORY_MS ? greetingOf(this.#levels) : undefined;
    this.#decided ??= this.#decide();
    return this.#decided;
  }

  #decide(): AnsweredBy | undefined {
    const { rules } = this;
    const greeting = this.#greeting;
    if (this.#beep.state !== 'none') return 'machine';
    if (!greeting) return this.#ms >= rules.silenceMs ? 'unknown' : undefined;
    if (greeting.silenceMs >= rules.pauseMs && greeting.standsOut) return this.#whose(greeting);
    if (greeting.ms >= rules.talkMs) return 'machine';
    if (this.#ms < rules.decideMs) return undefined;
    return greeting.ms >= rules.lateTalkMs ? 'machine' : 'unknown';
  }

  #whose({ ms, syllables }: Greeting): AnsweredBy {
    const { humanMs, machineMs, machineRate } = this.rules;
    if (ms <= humanMs) return 'human';
    if (ms >= machineMs) return 'machine';
    return (syllables * 1000) / ms >= machineRate ? 'machine' : 'human';
  }
}

/** Frames without speech are kept as so much softer, out of the way of those with. */
const UNVOICED_DB = 200;

function greetingOf(levels: readonly number[]): Greeting | undefined {
  let topDb = Number.NEGATIVE_INFINITY;
  let floorDb = Number.POSITIVE_INFINITY;
  for (const level of levels) {
    topDb = Math.max(topDb, level);
    floorDb = Math.min(floorDb, level > -UNVOICED_DB ? level : level + UNVOICED_DB);
  }
  if (topDb - floorDb < CONTRAST_DB) return undefined;
  const thresholdDb = topDb - FOREGROUND_DB;
  let [onset, end, run] = [-1, -1, 0];
  for (let frame = 0; frame < levels.length; frame += 1) {
    run = (levels[frame] as number) >= thresholdDb ? run + 1 : 0;
    if (run < ONSET_FRAMES) continue;
    if (onset < 0) onset = frame - run + 1;
    end = frame;
  }
  if (onset < 0) return undefined;
  return {
    ms: (end - onset + 1) * FRAME_MS,
    silenceMs: (levels.length - 1 - end) * FRAME_MS,
    standsOut: standsOut(levels, onset, end),
    syllables: syllablesOf(levels, onset, end, thresholdDb - FOREGROUND_DB),
  };
}

/** Whether what was taken for speech is louder than what came after it: the first moments of a noise are not. */
function standsOut(levels: readonly number[], onset: number, end: number): boolean {
  const after = levels.length - 1 - end;
  if (after < ONSET_FRAMES) return true;
  const levelOf = (from: number, count: number): number => {
    let sum = 0;
    for (let frame = from; frame < from + count; frame += 1) {
      const level = levels[frame] as number;
      sum += level > -UNVOICED_DB ? level : level + UNVOICED_DB;
    }
    return sum / count;
  };
  return levelOf(onset, end - onset + 1) - levelOf(end + 1, after) >= STANDS_OUT_DB;
}

/** A syllable is a rise and a fall of the level. */
function syllablesOf(levels: readonly number[], from: number, to: number, leastDb: number): number {
  let [count, rises, turnDb] = [0, true, leastDb];
  for (let frame = from; frame <= to; frame += 1) {
    const level = Math.max(leastDb, levels[frame] as number);
    turnDb = rises ? Math.max(turnDb, level) : Math.min(turnDb, level);
    if (Math.abs(level - turnDb) < DIP_DB) continue;
    if (rises) count += 1;
    rises = !rises;
    turnDb = level;
  }
  return rises ? count + 1 : count; // the last one has no fall yet
}
