import { LogMel, MEL_BANDS } from '../../../audio/log-mel.ts';
import { WIDEBAND_RATE_HZ } from '../../../audio/pcm.ts';
import { createResampler } from '../../../audio/resampler.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { errorText } from '../../../core/errors.ts';
import type { ModelFiles } from './model-files.ts';
import { loadOneValueModel, type OneValueModel } from './one-value-model.ts';
import type { ModelWork, Say, ToModel } from './process-protocol.ts';

/** What smart-turn was trained on; of a longer turn the end, of a shorter one silence before it. */
const SECONDS = 8;
/** More are never asked for at once: see `SherpaTurnEnd`. */
const WAITING_MAX = 64;

/** @throws Error where it is no such model. */
export function loadSmartTurn({ files }: ModelFiles, threads: number): OneValueModel {
  const shape = [1, MEL_BANDS, SECONDS * 100];
  const model = loadOneValueModel(files['model']!, { name: 'input_features', shape }, threads);
  // What it takes is set up by the first turn; where it does not run at all, that is known before a call asks it.
  model.run(new Float32Array(MEL_BANDS * SECONDS * 100));
  return model;
}

type Turn = Extract<ToModel, { readonly type: 'judge' }>;

/** Judges turns, one after the other. */
export class TurnEndWork implements ModelWork {
  readonly #features = new LogMel(SECONDS);
  readonly #waiting = new Map<number, Turn>();
  #next: Timer | undefined;

  constructor(
    private readonly model: OneValueModel,
    private readonly say: Say,
    private readonly clock: Clock,
  ) {}

  handle(message: ToModel): void {
    if (message.type === 'drop') this.#waiting.delete(message.id);
    if (message.type !== 'judge') return;
    if (this.#waiting.size >= WAITING_MAX)
      return this.say({ type: 'failed', id: message.id, why: 'too many wait to be judged' });
    this.#waiting.set(message.id, message);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#waiting.size === 0) return;
    this.#next ??= this.clock.setTimer(0, () => {
      this.#next = undefined;
      const [turn] = this.#waiting.values();
      if (turn) this.#judge(turn);
      this.#schedule(); // after the messages that came meanwhile: whoever went on is not judged
    });
  }

  #judge({ id, samples, rateHz }: Turn): void {
    this.#waiting.delete(id);
    try {
      // Late by less than a millisecond; the end of it is silence.
      const wide = createResampler(rateHz, WIDEBAND_RATE_HZ).push(samples);
      const complete = this.model.run(this.#features.of(wide));
      if (!(complete >= 0 && complete <= 1)) throw new Error(`${complete} is no probability`);
      this.say({ type: 'judged', id, complete });
    } catch (error) {
      this.say({ type: 'failed', id, why: errorText(error) });
    }
  }
}
