import { ServiceError } from '../../core/errors.ts';
import { EventChannel } from '../stt/event-channel.ts';

/** What a stream of a recogniser is made with. */
export interface StreamLife {
  /** Failed already where no stream may be opened. */
  readonly channel: EventChannel;
  /** Aborts when nobody waits for anything any more. */
  readonly signal: AbortSignal;
  /** Nothing more comes of it. Idempotent. */
  readonly done: () => void;
}

/** The streams that a recogniser has open: each ends by itself, with its signal, or with the recogniser. */
export class OpenStreams {
  readonly #open = new Map<EventChannel, () => void>();

  begin(state: { readonly ok: true } | { readonly ok: false; readonly why: string }, signal: AbortSignal): StreamLife {
    const channel = new EventChannel();
    const work = new AbortController();
    const onAbort = (): void => {
      channel.abort();
      done();
    };
    const done = (): void => {
      this.#open.delete(channel);
      signal.removeEventListener('abort', onAbort);
      work.abort();
    };
    if (!state.ok) {
      channel.fail(new ServiceError('unavailable', '', { cause: new Error(state.why) }));
      work.abort();
    } else if (signal.aborted) onAbort();
    else {
      this.#open.set(channel, done);
      signal.addEventListener('abort', onAbort, { once: true });
    }
    return { channel, signal: work.signal, done };
  }

  /** The recogniser is closed: whoever still listens hears `unavailable`. */
  close(): void {
    for (const [channel, done] of [...this.#open]) {
      channel.fail(new ServiceError('unavailable'));
      done();
    }
  }
}
