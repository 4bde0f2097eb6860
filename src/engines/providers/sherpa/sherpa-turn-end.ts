import { ServiceError } from '../../../core/errors.ts';
import type { TurnEndModel, TurnSound } from '../../turn-end/contract.ts';
import { ModelOf, type SherpaDeps } from './model-choice.ts';
import type { Job } from './model-process.ts';
import type { SherpaSettings, TurnEndSettings } from './settings.ts';

/**
 * Turns are judged one after the other, in 60 to 75 ms of processor each: what comes third is answered too late to decide anything, and
 * would make those after it late, too.
 */
const WAITING_MAX = 2;

/** The end of turns by a model on this machine's disk: `engines.sherpa.turnEnd`. */
export class SherpaTurnEnd implements TurnEndModel {
  readonly name: string;
  readonly complete: number;
  readonly #model: ModelOf<TurnEndSettings>;
  #waiting = 0;

  constructor(own: TurnEndSettings, settings: SherpaSettings, deps: SherpaDeps) {
    this.name = own.model;
    this.complete = own.complete;
    this.#model = new ModelOf(own, 'turn-end', settings, deps);
  }

  get why(): string | undefined {
    return this.#model.why;
  }

  warmUp(): void {
    this.#model.warmUp();
  }

  async judge({ samples, sampleRateHz }: TurnSound, signal: AbortSignal): Promise<number> {
    const process = this.#model.process();
    if (typeof process === 'string') throw unavailable(process);
    if (this.#waiting >= WAITING_MAX) throw unavailable('too many wait to be judged');
    if (signal.aborted) throw unavailable('nobody waits for it');
    this.#waiting += 1;
    let job: Job | undefined;
    let drop = (): void => {};
    try {
      return await new Promise<number>((resolve, reject) => {
        job = process.open({
          told: (message) => {
            if (message.type === 'judged') resolve(message.complete);
            else if (message.type === 'failed') reject(unavailable(message.why));
          },
          failed: reject,
        });
        drop = () => {
          job?.drop();
          reject(unavailable('nobody waits for it'));
        };
        signal.addEventListener('abort', drop, { once: true });
        job.post({ type: 'judge', samples, rateHz: sampleRateHz });
      });
    } finally {
      this.#waiting -= 1;
      signal.removeEventListener('abort', drop);
    }
  }

  close(): Promise<void> {
    return this.#model.close();
  }
}

const unavailable = (why: string): ServiceError => new ServiceError('unavailable', '', { cause: new Error(why) });
