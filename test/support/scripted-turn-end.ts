import type { TurnEndParts } from '../../src/call/turn-end-watch.ts';
import type { PauseNote } from '../../src/core/turn-details.ts';
import type { TurnEndModel, TurnSound } from '../../src/engines/turn-end/contract.ts';
import type { FakeClock } from './fake-clock.ts';

/** Says of each pause what the test wants, so long after it was asked; of no more than it has answers it says nothing, ever. */
export class ScriptedTurnEnd implements TurnEndModel {
  readonly name = 'scripted';
  readonly complete = 0.5;
  readonly why = undefined;
  readonly asked: TurnSound[] = [];
  /** When, on the clock of the test. */
  readonly askedMs: number[] = [];
  readonly left: number[] = []; // those nobody waited for any more, by their number
  readonly settled: PauseNote[] = [];
  clock: FakeClock | undefined;

  constructor(
    private readonly answers: (number | Error)[],
    private readonly afterMs = 40,
  ) {}

  /** For the rig of a conversation. */
  readonly parts =
    (acts: boolean) =>
    (clock: FakeClock): TurnEndParts => {
      this.clock = clock;
      return { model: this, acts, settled: (pause) => this.settled.push(pause) };
    };

  warmUp(): void {}

  judge(sound: TurnSound, signal: AbortSignal): Promise<number> {
    const at = this.asked.push(sound) - 1;
    this.askedMs.push(this.clock!.nowMs());
    const answer = this.answers[at];
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        this.left.push(at);
        reject(new Error('nobody waits'));
      });
      if (answer === undefined) return;
      this.clock!.setTimer(this.afterMs, () => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
  }

  async close(): Promise<void> {}
}
