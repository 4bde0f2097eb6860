import type { Clock } from '../core/clock.ts';
import type { SttHints } from '../engines/stt/contract.ts';
import type { CallerAudio } from '../media/media-port.ts';
import { earsOf, type HearingParts } from './ears.ts';
import { SpeechInput } from './speech-input.ts';

/** Silence after which what was said is one thing. */
const PAUSE_MS = 700;

/** One thing that somebody said. Times are those of the clock. */
export interface Said {
  readonly text: string;
  readonly confidence: number; // 0..1
  readonly startMs: number;
  readonly endMs: number;
}
type Stretch = Pick<Said, 'startMs' | 'endMs'>;

/** Hears what somebody says where nobody else listens, piece by piece; nothing where there is no recogniser. */
export class OneSide {
  readonly #input: SpeechInput;
  #startMs: number | undefined;
  #endMs: number | undefined;
  /** Whose words are still to come, in order; no more than the recogniser owes. */
  readonly #settled: Stretch[] = [];

  constructor(
    port: CallerAudio,
    private readonly clock: Clock,
    parts: HearingParts,
    hints: SttHints,
    said: (said: Said) => void,
  ) {
    const ears = earsOf(parts, () => hints);
    this.#input = new SpeechInput(port, parts.vad, clock, ears, {
      speechStart: (atMs) => {
        this.#startMs ??= atMs;
        this.#endMs = undefined;
      },
      speechEnd: (atMs) => {
        this.#endMs = atMs;
      },
      resumed: () => undefined,
      interim: () => undefined,
      early: () => false,
      final: ({ text, confidence }) => {
        const stretch = this.#settled.shift();
        if (stretch && text.trim() !== '') said({ text, confidence, ...stretch });
      },
      recogniserFailed: () => {
        this.#settled.length = 0; // what it owed does not come any more
      },
    });
  }

  /** Called every 20 ms. */
  tick(): void {
    this.#input.tick();
    const [startMs, endMs] = [this.#startMs, this.#endMs];
    if (startMs === undefined || endMs === undefined || this.clock.nowMs() - endMs < PAUSE_MS) return;
    this.#startMs = undefined;
    this.#endMs = undefined;
    if (this.#input.settle()) this.#settled.push({ startMs, endMs });
  }

  /** Idempotent. */
  close(): void {
    this.#input.close();
  }
}
