import type { PcmFrame } from '../audio/pcm.ts';
import { type AudioTimes, lengthMs } from './stt/audio-times.ts';
import type { SttHints, SttStream } from './stt/contract.ts';

type Operation =
  | { readonly type: 'write'; readonly frame: PcmFrame; readonly ms: number; readonly atMs: number }
  | { readonly type: 'flush' }
  | { readonly type: 'hint'; readonly hints: SttHints }
  | { readonly type: 'end' };

/**
 * What a speaker did while no recogniser was there to hear it, to be played to the one that comes. Holds at most `maxMs`
 * of audio: the oldest goes first and is counted. Frames are copied.
 */
export class SttBacklog {
  readonly #operations: Operation[] = [];
  #heldMs = 0;
  #writtenMs = 0;
  droppedFrames = 0;

  constructor(readonly maxMs: number) {}

  get heldMs(): number {
    return this.#heldMs;
  }
  /** All that was ever written: where the next frame lies in the stream. */
  get writtenMs(): number {
    return this.#writtenMs;
  }

  write(frame: PcmFrame): void {
    const ms = lengthMs(frame);
    const atMs = this.#writtenMs;
    this.#operations.push({ type: 'write', frame: { ...frame, samples: frame.samples.slice() }, ms, atMs });
    this.#writtenMs += ms;
    this.#heldMs += ms;
    while (this.#heldMs > this.maxMs) this.#dropOldestFrame();
  }

  flush(): void {
    if (this.#operations.at(-1)?.type !== 'flush') this.#operations.push({ type: 'flush' });
  }

  /** Only the newest expectations matter to audio that follows. */
  hint(hints: SttHints): void {
    if (this.#operations.at(-1)?.type === 'hint') this.#operations.pop();
    this.#operations.push({ type: 'hint', hints });
  }

  end(): void {
    if (this.#operations.at(-1)?.type !== 'end') this.#operations.push({ type: 'end' });
  }

  /** @param times - told which audio of the stream that is. */
  replay(into: Pick<SttStream, 'write' | 'hint' | 'flush' | 'end'>, times: AudioTimes): void {
    for (const operation of this.#operations) {
      if (operation.type === 'write') {
        times.give(operation.ms, operation.atMs);
        into.write(operation.frame);
      }
      if (operation.type === 'hint') into.hint(operation.hints);
      if (operation.type === 'flush') into.flush();
      if (operation.type === 'end') into.end();
    }
  }

  clear(): void {
    this.#operations.length = 0;
    this.#heldMs = 0;
  }

  /** A final came: what it is about is not repeated any more, which is all up to the first pause after audio. */
  settled(): void {
    const spoken = this.#operations.findIndex(({ type }) => type === 'write');
    const pause = this.#operations.findIndex(({ type }, at) => at > spoken && (type === 'flush' || type === 'end'));
    const until = pause < 0 ? this.#operations.length : pause + (this.#operations[pause]?.type === 'flush' ? 1 : 0);
    const gone = this.#operations.splice(0, until);
    for (const operation of gone) if (operation.type === 'write') this.#heldMs -= operation.ms;
    this.#keepHints(gone);
  }

  /** With the frame goes what came before it, and a pause right after it; the newest hints before it still hold. */
  #dropOldestFrame(): void {
    const at = this.#operations.findIndex((operation) => operation.type === 'write');
    const gone = this.#operations.splice(0, at + 1);
    const oldest = gone.at(-1);
    if (oldest?.type === 'write') this.#heldMs -= oldest.ms;
    this.droppedFrames += 1;
    while (this.#operations[0]?.type === 'flush') this.#operations.shift();
    this.#keepHints(gone);
  }

  #keepHints(gone: readonly Operation[]): void {
    const hint = gone.findLast((operation) => operation.type === 'hint');
    if (hint && this.#operations[0]?.type !== 'hint') this.#operations.unshift(hint);
  }
}
