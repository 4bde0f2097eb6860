/**
 * Audio of one stretch on its way to a recognition thread: at most `windowSamples` are under way at once, the rest waits
 * here, and above `queuedSamplesMax` the oldest of it is dropped and counted. Pure: `send` is called by `push` and `taken`.
 */
export class StretchOutbox {
  #queue: Int16Array[] = [];
  #queuedSamples = 0;
  #underWay = 0;
  #finishing = false;
  #finished = false;
  droppedSamples = 0;

  constructor(
    readonly windowSamples: number,
    readonly queuedSamplesMax: number,
    readonly send: (piece: Int16Array | 'finish') => void,
  ) {}

  get queuedSamples(): number {
    return this.#queuedSamples;
  }

  /** Takes `piece` over. Nothing more is taken after `finish`. */
  push(piece: Int16Array): void {
    if (this.#finishing || piece.length === 0) return;
    this.#queue.push(piece);
    this.#queuedSamples += piece.length;
    this.#pump();
    while (this.#queuedSamples > this.queuedSamplesMax) {
      const oldest = this.#queue.shift();
      if (!oldest) return;
      this.#queuedSamples -= oldest.length;
      this.droppedSamples += oldest.length;
    }
  }

  /** The thread worked through `samples`. */
  taken(samples: number): void {
    this.#underWay = Math.max(0, this.#underWay - samples);
    this.#pump();
  }

  /** Says 'finish' once everything queued was sent. */
  finish(): void {
    this.#finishing = true;
    this.#pump();
  }

  #pump(): void {
    while (this.#queue.length > 0 && this.#underWay < this.windowSamples) {
      const piece = this.#queue.shift();
      if (!piece) break;
      this.#queuedSamples -= piece.length;
      this.#underWay += piece.length;
      this.send(piece);
    }
    if (!this.#finishing || this.#finished || this.#queue.length > 0) return;
    this.#finished = true;
    this.send('finish');
  }
}
