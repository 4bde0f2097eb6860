import type { Clock } from '../core/clock.ts';
import type { PauseNote } from '../core/turn-details.ts';
import type { TurnEndModel, TurnSound } from '../engines/turn-end/contract.ts';
import { type FloorState, speaks } from './floor.ts';

/** An answer that takes longer decides nothing any more: by then the pause is judged without it. */
export const JUDGED_WITHIN_MS = 150;
/**
 * Whoever speaks again so soon after the turn was taken as over had not finished: nobody has understood the answer by then. Later it is
 * an answer to the answer.
 */
export const CUT_WITHIN_MS = 1_000;
const PAUSES_MAX = 20;
/** The turn was taken as over, and nothing of an answer is heard yet. */
const UNHEARD: ReadonlySet<FloorState> = new Set(['endpointing', 'excusing', 'thinking']);

/** A model that judges by the sound, and what is done with what it finds. */
export interface TurnEndParts {
  readonly model: TurnEndModel;
  /** Whether it moves the end of the turn, or is only compared with what comes. */
  readonly acts: boolean;
  /** Told of each pause when it is known what it was. Must not throw. */
  readonly settled: (pause: PauseNote) => void;
}
export type SoundsLike = 'complete' | 'incomplete';

/** One pause, from the question to the truth. */
class Pause {
  probability: number | undefined;
  failed = false;
  tookMs: number | undefined; // to the answer
  overMs: number | undefined; // when the turn was taken as over
  voiceMs: number | undefined; // of the caller, over the answer
  truth: PauseNote['truth'] | undefined;
  readonly leaving = new AbortController();
  constructor(
    readonly endMs: number, // of what was said before it
    readonly askedMs: number,
    public language: string,
    readonly complete: number, // from when on it is that
  ) {}

  get said(): PauseNote['said'] {
    if (this.failed) return 'failed';
    if (this.probability === undefined || (this.tookMs ?? 0) > JUDGED_WITHIN_MS) return 'late';
    return this.probability >= this.complete ? 'complete' : 'incomplete';
  }

  get note(): PauseNote {
    const { language, said, probability, tookMs, overMs, askedMs } = this;
    const known = tookMs !== undefined && !this.failed;
    return {
      ...{ language, said, truth: this.truth ?? 'over' },
      ...(probability !== undefined && { probability: Math.round(probability * 100) / 100 }),
      ...(known && { ms: Math.round(tookMs) }),
      ...(known && overMs !== undefined && { waited: Math.max(0, Math.round(overMs - askedMs - tookMs)) }),
    };
  }
}

/**
 * Has every pause of a caller judged by its sound, and follows what the pause turned out to be:
 *
 *   asked --voice--> went-on
 *   asked --over--> answered --voice before the answer is heard, or an interruption that began in time--> cut
 *                   answered --the next pause, or the end--> over
 *   asked --drop--> nothing: it was no turn
 */
export class TurnEndWatch {
  #pause: Pause | undefined;
  #ofTurn: PauseNote[] = []; // that were none of its end

  constructor(
    private readonly parts: TurnEndParts,
    private readonly clock: Clock,
    private readonly language: () => string,
  ) {}

  /** There is a pause: asks about it, once. @param endMs - of what was said. @param sound - asked for where it is needed. */
  paused(endMs: number, sound: () => TurnSound | undefined): void {
    if (this.#pause?.endMs === endMs) return;
    if (this.#pause?.overMs === undefined) this.#settle(undefined);
    else this.#past('over');
    const { model } = this.parts;
    const heard = sound();
    if (!heard) return;
    const pause = new Pause(endMs, this.clock.nowMs(), this.language(), model.complete);
    this.#pause = pause;
    const answered = (found: () => void): void => {
      if (pause.truth !== undefined) return;
      pause.tookMs = this.clock.nowMs() - pause.askedMs;
      found();
    };
    model.judge(heard, pause.leaving.signal).then(
      (probability) =>
        answered(() => {
          pause.probability = probability;
        }),
      () =>
        answered(() => {
          pause.failed = true;
        }),
    );
  }

  /** What it found of the pause that lasts; undefined where it decides nothing. */
  get says(): SoundsLike | undefined {
    const said = this.parts.acts && this.#pause ? this.#pause.said : undefined;
    return said === 'complete' || said === 'incomplete' ? said : undefined;
  }

  /** The pause was long enough. Said again where its words were still to come. */
  over(): void {
    if (this.#pause) this.#pause.overMs ??= this.clock.nowMs();
  }

  /** The caller speaks again, or for the first time. @param state - of the floor until then. */
  voice(state: FloorState, atMs: number): void {
    const pause = this.#pause;
    if (!pause) return;
    if (pause.overMs === undefined) this.#goesOn('went-on');
    else if (speaks(state)) pause.voiceMs = atMs;
    else if (UNHEARD.has(state)) this.#goesOn('cut');
  }

  /** What they said over the answer interrupts it. */
  interrupts(): void {
    const { overMs, voiceMs } = this.#pause ?? {};
    if (overMs === undefined || voiceMs === undefined) return;
    this.#past(voiceMs - overMs <= CUT_WITHIN_MS ? 'cut' : 'over');
  }

  /** It was no turn. */
  drop(): void {
    this.#settle(undefined);
    this.#ofTurn = [];
  }

  /** Pauses of the turn so far but the last; the last, which changes until it is known what it was. For the record. */
  ofTurn(): { readonly pauses?: readonly PauseNote[]; readonly pause?: () => PauseNote } {
    const pause = this.#pause;
    const pauses = this.#ofTurn;
    if (pause) pause.language = this.language(); // of its last words, which came since
    return { ...(pauses.length > 0 && { pauses }), ...(pause && { pause: () => pause.note }) };
  }

  close(): void {
    const { overMs = Number.POSITIVE_INFINITY } = this.#pause ?? {};
    // Of who left at once it is not known.
    this.#settle(this.clock.nowMs() - overMs >= CUT_WITHIN_MS ? 'over' : undefined);
  }

  /** It was the end of a turn: what comes is of another one. */
  #past(truth: 'over' | 'cut'): void {
    this.#settle(truth);
    this.#ofTurn = [];
  }

  #goesOn(truth: 'went-on' | 'cut'): void {
    const note = this.#settle(truth);
    if (note) this.#ofTurn = [...this.#ofTurn, note].slice(-PAUSES_MAX);
  }

  #settle(truth: PauseNote['truth'] | undefined): PauseNote | undefined {
    const pause = this.#pause;
    if (!pause) return undefined;
    this.#pause = undefined;
    pause.leaving.abort();
    if (truth === undefined) return undefined;
    pause.truth = truth;
    const { note } = pause;
    this.parts.settled(note);
    return note;
  }
}
