import type { PcmFrame } from '../../audio/pcm.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import type { ChatFailure, ChatFailureKind } from '../openai/chat-failure.ts';
import { type AudioTimes, lengthMs } from '../stt/audio-times.ts';
import type { SttFeed, SttHints, SttOptions, SttStream } from '../stt/contract.ts';
import { SttBacklog } from '../stt-backlog.ts';
import { publicError } from './http-service.ts';
import type { StreamLife } from './open-streams.ts';
import type { JoinedStretch } from './stretch-joiner.ts';

/** Speech that was not answered, kept for another connection. */
const KEPT_MS = 60_000;
/** Waits before a connection is made again for what was said. */
const RETRY_MS = [200, 500, 1_000] as const;
/** Flushes that are not answered; the next one fails the stream. */
const WAITING_MAX = 8;
/** Worth another connection at once; after all else somebody else should hear. */
const PASSING: ReadonlySet<ChatFailureKind> = new Set(['cut', 'unreachable']);

export interface HearingEvents {
  opened(): void;
  /** Words that may still change, of what was not answered. */
  interim(text: string): void;
  /** In the order of the flushes. */
  answered(stretch: JoinedStretch): void;
  ended(failure: ChatFailure): void;
}

/** One connection to a service that listens; what is written before it is open is the stream's to keep. */
export interface Hearing {
  /** Of what was sent over it: told of audio before it is written. */
  readonly times: AudioTimes;
  readonly openedAtMs: number;
  readonly isOpen: boolean;
  write(frame: PcmFrame): void;
  flush(): void;
  /** Of services that can be told more than once what may be said. */
  hint?(hints: SttHints): void;
  /** Everything was said: the service is told so. */
  close(): void;
  destroy(): void;
}

export interface ListenParts {
  readonly clock: Clock;
  readonly feed: SttFeed;
  /** A connection that is older is given up between two stretches rather than in the middle of one. */
  readonly sessionMsMax: number;
  /** One more connection, for what may be said now. */
  readonly connect: (hints: SttHints | undefined, events: HearingEvents) => Hearing;
  /** Seconds of audio that the service was sent and has answered. */
  readonly answered?: (seconds: number) => void;
  /** Seconds for which a connection stood, since the last time. */
  readonly stood?: (seconds: number) => void;
}

/**
 * Speech on its way to the service, over one connection or, where that breaks, the next: what was not answered is sent again, so
 * that nothing is lost and nothing is heard twice. Times are those of the audio written, whatever connection they were told over.
 */
export class ListenStream implements SttStream {
  readonly feed: SttFeed;
  readonly #backlog = new SttBacklog(KEPT_MS);
  #hearing: Hearing | undefined;
  #hints: SttHints | undefined;
  #interim = '';
  #hasAudio = false; // since the last flush
  #waiting = 0; // flushes without an answer
  #ended = false;
  #failures = 0; // since the last answer
  #retry: Timer | undefined;
  #standsFromMs: number | undefined; // the connection, as far as it was not told

  constructor(
    private readonly options: SttOptions,
    private readonly life: StreamLife,
    private readonly parts: ListenParts,
  ) {
    this.feed = parts.feed;
    this.#hints = options.hints;
    if (life.channel.done) return;
    life.signal.addEventListener('abort', () => this.#stop(), { once: true });
    this.#connect();
  }

  write(frame: PcmFrame): void {
    if (this.#isOver || frame.samples.length === 0) return;
    const atMs = this.#backlog.writtenMs;
    this.#hasAudio = true;
    this.#backlog.write(frame);
    if (!this.#hearing) return this.#connect();
    if (!this.#hearing.isOpen) return;
    this.#hearing.times.give(lengthMs(frame), atMs);
    this.#hearing.write(frame);
  }

  flush(): void {
    if (this.#isOver || !this.#hasAudio) return;
    this.#hasAudio = false;
    if (this.#waiting >= WAITING_MAX) return this.#fail(new ServiceError('unavailable'));
    this.#waiting += 1;
    this.#backlog.flush();
    if (this.#hearing?.isOpen) this.#hearing.flush();
  }

  /** The service is told at once where it can be, else when it is connected with the next time. */
  hint(hints: SttHints): void {
    this.#hints = hints;
    this.#hearing?.hint?.(hints);
  }

  end(): void {
    if (this.#isOver) return;
    this.flush();
    this.#ended = true;
    if (this.#waiting === 0) this.#finish();
  }

  [Symbol.asyncIterator]() {
    return this.life.channel[Symbol.asyncIterator]();
  }

  get #isOver(): boolean {
    return this.#ended || this.life.channel.done;
  }

  #connect(): void {
    if (this.#hearing || this.#retry) return;
    const hearing: Hearing = this.parts.connect(this.#hints, {
      opened: () => {
        this.#standsFromMs = this.parts.clock.nowMs();
        const { write, flush } = { write: hearing.write.bind(hearing), flush: hearing.flush.bind(hearing) };
        this.#backlog.replay({ write, flush, hint: () => {}, end: () => {} }, hearing.times);
      },
      interim: (text) => this.#onInterim(text),
      answered: (stretch) => this.#onAnswered(hearing, stretch),
      ended: (failure) => this.#onEnded(failure),
    });
    this.#hearing = hearing;
  }

  #onInterim(text: string): void {
    if (!this.options.interim || text === this.#interim) return;
    this.#interim = text;
    this.life.channel.push({ type: 'interim', text });
  }

  #onAnswered(hearing: Hearing, { fromMs, toMs, text, confidence, words, language }: JoinedStretch): void {
    const { times } = hearing;
    this.#interim = '';
    this.#failures = 0;
    this.#waiting -= 1;
    this.#backlog.settled();
    this.parts.answered?.((toMs - fromMs) / 1000);
    this.#tellStood();
    const placed = times.placed({
      ...{ type: 'final', text, confidence, startMs: fromMs, endMs: toMs },
      language: language ?? this.options.language.slice(0, 2),
      ...(words.length > 0 && { words }),
    });
    if (!this.life.channel.push(placed)) return this.life.done();
    if (this.#ended && this.#waiting === 0) this.#finish();
    else if (this.#backlog.heldMs === 0 && this.parts.clock.nowMs() - hearing.openedAtMs > this.parts.sessionMsMax) {
      this.#lose();
      hearing.close();
    }
  }

  /** What was said and not answered is sent again. Where that is nothing, who speaks next connects. */
  #onEnded(failure: ChatFailure): void {
    this.#lose();
    if (failure.kind === 'cut' && this.#backlog.heldMs === 0) return;
    const retryMs = PASSING.has(failure.kind) ? RETRY_MS[this.#failures] : undefined;
    if (retryMs === undefined) return this.#fail(publicError(failure, 'transcription_failed'));
    this.#failures += 1;
    this.#retry = this.parts.clock.setTimer(retryMs, () => {
      this.#retry = undefined;
      this.#connect();
    });
  }

  #finish(): void {
    const hearing = this.#hearing;
    this.#lose();
    hearing?.close();
    this.life.channel.finish();
    this.life.done();
  }

  #fail(error: Error): void {
    this.life.channel.fail(error);
    this.life.done();
  }

  #stop(): void {
    this.parts.clock.clearTimer(this.#retry);
    this.#hearing?.destroy();
    this.#lose();
  }

  #lose(): void {
    this.#tellStood();
    this.#standsFromMs = undefined;
    this.#hearing = undefined;
  }

  #tellStood(): void {
    if (this.#standsFromMs === undefined) return;
    const nowMs = this.parts.clock.nowMs();
    this.parts.stood?.((nowMs - this.#standsFromMs) / 1000);
    this.#standsFromMs = nowMs;
  }
}
