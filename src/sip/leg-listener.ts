import type { CallEnd } from '../call/call-end.ts';
import type { LegHandlers } from '../call/leg.ts';
import type { NegotiatedMedia } from '../media/description.ts';

/** Who is told what a leg reports. The first end stands; it is told once, to whoever listens then, or begins to later. */
export class LegListener {
  #handlers: LegHandlers | undefined;
  #end: CallEnd | undefined; // from outside; our own ends are known to who made them
  #told = false;

  get end(): CallEnd | undefined {
    return this.#end;
  }

  listen(handlers: LegHandlers): void {
    this.#handlers = handlers;
    this.#tellEnd();
  }

  onMedia(media: NegotiatedMedia): void {
    this.#handlers?.onMedia(media);
  }

  onDtmf(digit: string, durationMs: number): void {
    this.#handlers?.onDtmf(digit, durationMs);
  }

  onEnd(end: CallEnd): void {
    this.#end ??= end;
    this.#tellEnd();
  }

  #tellEnd(): void {
    if (!this.#end || !this.#handlers || this.#told) return;
    this.#told = true;
    this.#handlers.onEnd(this.#end);
  }
}
