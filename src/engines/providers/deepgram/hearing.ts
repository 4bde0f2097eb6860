import { encodeMulaw } from '../../../audio/g711.ts';
import { type PcmFrame, TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { AudioTimes } from '../../stt/audio-times.ts';
import { RemoteSocket, type SocketRequest } from '../remote-socket.ts';
import { type JoinedStretch, StretchJoiner } from '../stretch-joiner.ts';
import { type Results, readListenMessage } from './listen-messages.ts';

/** The service hangs up after 10 s without audio or this. */
const KEEP_ALIVE_MS = 4_000;
/** Where nothing is left to be settled a flush may not be answered at all. */
const UNANSWERED_MS = 400;
/** The service settles in steps. */
const SETTLED_STEP_MS = 100;
/** In less there is hardly a word. */
const SHORT_MS = 500;
/** Of speech that is sent without any message coming back. */
const SILENT_MS = 3_000;
const GARBAGE_MAX = 20;

export interface HearingEvents {
  opened(): void;
  /** Words that may still change, of what was not answered. */
  interim(text: string): void;
  /** In the order of the flushes. */
  answered(stretch: JoinedStretch): void;
  ended(failure: ChatFailure): void;
}

/** One connection to the service that listens; what is written before it is open is the caller's to keep. */
export class Hearing {
  /** Of what was sent over it. */
  readonly times = new AudioTimes();
  readonly openedAtMs: number;
  readonly #joiner = new StretchJoiner();
  readonly #socket: RemoteSocket;
  readonly #clock: Clock;
  #askedMs = 0; // of what was sent, up to the last flush
  #garbage = 0;
  #keepAlive: Timer | undefined;
  #sent = false; // audio, since the last look
  #silent: Timer | undefined;
  #unanswered: Timer | undefined;

  constructor(
    request: SocketRequest,
    private readonly events: HearingEvents,
  ) {
    this.#clock = request.clock;
    this.openedAtMs = this.#clock.nowMs();
    this.#socket = new RemoteSocket(request, {
      opened: () => {
        this.#keep();
        events.opened();
      },
      text: (message) => this.#onText(message),
      bytes: () => this.#onGarbage(),
      ended: (failure) => this.#end(failure),
    });
  }

  get isOpen(): boolean {
    return this.#socket.isOpen;
  }
  get waiting(): number {
    return this.#joiner.waiting;
  }

  /** `times` was told of it. */
  write({ samples, sampleRateHz }: PcmFrame): void {
    this.#sent = true;
    this.#expectMessage();
    this.#socket.send(sampleRateHz === TELEPHONE_RATE_HZ ? encodeMulaw(samples) : littleEndian(samples));
  }

  flush(): void {
    this.#joiner.ask({ fromMs: this.#askedMs, toMs: this.times.givenMs });
    this.#askedMs = this.times.givenMs;
    this.#expectMessage();
    this.#socket.send('{"type":"Finalize"}');
    this.#mindUnanswered();
  }

  /** Everything was said: the service is told so. */
  close(): void {
    this.#stop();
    this.#socket.send('{"type":"CloseStream"}');
    this.#socket.close();
  }

  destroy(): void {
    this.#stop();
    this.#socket.destroy();
  }

  #onText(message: string): void {
    this.#clock.clearTimer(this.#silent);
    this.#silent = undefined;
    const results = readListenMessage(message);
    if (results === 'garbage') this.#onGarbage();
    else if (results !== 'other') this.#onResults(results);
  }

  #onResults(results: Results): void {
    if (!results.settled) {
      const text = this.#joiner.soFar(results.text);
      if (this.#joiner.waiting === 0 && text !== '') this.events.interim(text);
      return;
    }
    this.#joiner.add(results);
    if (results.answers) this.#answer();
    else if (this.#joiner.waiting > 0) this.#mindUnanswered();
    else if (results.text !== '') this.events.interim(this.#joiner.soFar(''));
  }

  #answer(): void {
    this.#clock.clearTimer(this.#unanswered);
    this.#unanswered = undefined;
    const answers = this.#joiner.waiting === 0 ? [] : this.#joiner.answered();
    for (const stretch of answers) this.events.answered(stretch);
    if (this.#joiner.waiting > 0) this.#mindUnanswered();
  }

  #mindUnanswered(): void {
    const { first, settledMs } = this.#joiner;
    if (!first || this.#unanswered) return;
    const isSettled = settledMs >= first.toMs - SETTLED_STEP_MS;
    if (!isSettled && first.toMs - first.fromMs > SHORT_MS) return;
    this.#unanswered = this.#clock.setTimer(UNANSWERED_MS, () => this.#answer());
  }

  #onGarbage(): void {
    this.#garbage += 1;
    if (this.#garbage <= GARBAGE_MAX) return;
    this.#socket.destroy();
    this.#end(new ChatFailure('garbage', 'too many messages cannot be read'));
  }

  #expectMessage(): void {
    this.#silent ??= this.#clock.setTimer(SILENT_MS, () => {
      this.#socket.destroy();
      this.#end(new ChatFailure('first-token-timeout', 'no message about what was said'));
    });
  }

  #keep(): void {
    this.#keepAlive = this.#clock.setTimer(KEEP_ALIVE_MS, () => {
      if (!this.#sent) this.#socket.send('{"type":"KeepAlive"}');
      this.#sent = false;
      this.#keep();
    });
  }

  #end(failure: ChatFailure): void {
    this.#stop();
    this.events.ended(failure);
  }

  #stop(): void {
    for (const timer of [this.#keepAlive, this.#silent, this.#unanswered]) this.#clock.clearTimer(timer);
  }
}

function littleEndian(samples: Int16Array): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  for (let i = 0; i < samples.length; i += 1) bytes.writeInt16LE(samples[i]!, i * 2);
  return bytes;
}
