import { FRAME_MS } from '../../audio/pcm.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import type { SttEngine, SttStream } from '../../engines/stt/contract.ts';
import { hearingRate } from '../../engines/stt/hearing-rate.ts';
import type { VadEngine } from '../../engines/vad/contract.ts';
import { DEFAULT_VAD_OPTIONS } from '../../engines/vad/vad-engines.ts';
import { AudioIntake } from './audio-intake.ts';
import type { StartRequest } from './frames.ts';
import { Pace } from './pace.ts';
import type { SessionMeter } from './session-meter.ts';
import { SpeechCutter, type Stretch } from './speech-cutter.ts';

/** Audio that waits to be heard; beyond it nothing more should be read, below the second figure it may be again. */
export const BUFFER_MS_MAX = 10_000;
export const BUFFER_MS_RESUME = 5_000;

export interface HearingDeps {
  readonly clock: Clock;
  readonly engine: SttEngine;
  readonly vad: VadEngine;
  readonly accountId: string;
  readonly meter: SessionMeter;
  /** How much waits now. */
  readonly onBuffered: (bufferedMs: number) => void;
  /** The minute that begins cannot be paid. */
  readonly onCreditExhausted: () => void;
  readonly onEnded: () => void; // the recogniser was told that nothing more comes
}

/**
 * The audio of a session from its bytes to the recogniser: no faster than `Pace` lets it through, and no further than
 * the minutes that are held.
 */
export class Hearing {
  readonly stt: SttStream;
  readonly #intake: AudioIntake;
  readonly #cutter: SpeechCutter;
  readonly #pace: Pace;
  #timer: Timer | undefined;
  #holding = false;
  #inputEnded = false;
  #ended = false;

  constructor(
    start: StartRequest,
    private readonly deps: HearingDeps,
    signal: AbortSignal,
  ) {
    const { engine, vad, clock, accountId } = deps;
    const sampleRateHz = hearingRate(engine, start.sampleRateHz);
    const { language } = start;
    this.stt = engine.open({ language, sampleRateHz, interim: true, account: accountId, patient: true }, signal);
    this.#intake = new AudioIntake(start.encoding, start.sampleRateHz, sampleRateHz);
    this.#cutter = new SpeechCutter(vad.open(DEFAULT_VAD_OPTIONS), this.stt, sampleRateHz);
    this.#pace = new Pace(clock.nowMs());
  }

  /** What is charged: all that came once it was heard to the end, else what was heard. */
  get audioMs(): number {
    return Math.min(this.#cutter.heardMs, this.#intake.receivedMs);
  }
  get bufferedMs(): number {
    return this.#intake.bufferedMs;
  }
  /** The recogniser was told that nothing more comes. */
  get ended(): boolean {
    return this.#ended;
  }

  push(bytes: Buffer): void {
    this.#intake.push(bytes);
    this.#hear();
  }

  /** Nothing more comes: hears what waits, then asks for the last final. */
  finish(): void {
    this.#inputEnded = true;
    this.#intake.flush();
    this.#hear();
  }

  /** Forgets what waits and asks for the last final now. */
  cut(): void {
    this.#inputEnded = true;
    this.#intake.clear();
    this.#hear();
  }

  /** Where the stretch lay that a final is about. */
  settled(): Stretch {
    return this.#cutter.settled();
  }

  /** Idempotent; the recogniser's stream ends by its signal. */
  close(): void {
    this.#ended = true;
    this.deps.clock.clearTimer(this.#timer);
    this.#intake.clear();
    this.#cutter.close();
  }

  /** Hears what may be heard now; arranges to go on where time or money is in the way. */
  #hear(): void {
    if (this.#ended) return;
    while (this.#intake.bufferedMs > 0 && !this.#holding && this.#mayHear()) {
      this.#cutter.push(this.#intake.take()!);
    }
    this.deps.meter.note(this.audioMs);
    this.deps.onBuffered(this.#intake.bufferedMs);
    if (!this.#inputEnded || this.#intake.bufferedMs > 0) return;
    this.#ended = true;
    this.#cutter.end();
    this.deps.onEnded();
  }

  #mayHear(): boolean {
    const audioMs = Math.min(this.#cutter.heardMs + FRAME_MS, this.#intake.receivedMs);
    if (!this.deps.meter.covers(audioMs)) {
      this.#hold(audioMs);
      return false;
    }
    const waitMs = this.#pace.ask(this.deps.clock.nowMs(), FRAME_MS);
    if (waitMs === 0) return true;
    this.#timer ??= this.deps.clock.setTimer(waitMs, () => {
      this.#timer = undefined;
      this.#hear();
    });
    return false;
  }

  #hold(audioMs: number): void {
    this.#holding = true;
    void this.deps.meter.hold(audioMs, this.deps.onCreditExhausted).then((outcome) => {
      this.#holding = false;
      if (outcome === 'ok') this.#hear();
      else this.deps.onCreditExhausted();
    });
  }
}
