import type { CallerAudio } from '../media/media-port.ts';

/**
 * Until when a call has nothing to do unless something stirs on its line. Kept in one place, for it is asked 50 times a second for every
 * call: what a conversation is made of lies in twenty, which have left the caches by then.
 */
export class Rest {
  /** By `Clock.nowMs`. Set after each look at the call. */
  untilMs = 0;

  constructor(private readonly port: Pick<CallerAudio, 'stirred'>) {}

  /** Something has happened beside the line: the next tick looks at the call. */
  wake(): void {
    this.untilMs = 0;
  }

  isOver(nowMs: number): boolean {
    return nowMs >= this.untilMs || this.port.stirred;
  }
}
