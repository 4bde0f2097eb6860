import type { PcmFrame } from '../../../audio/pcm.ts';
import type { Timer } from '../../../core/clock.ts';
import type { HearingEvents } from '../listen-stream.ts';
import type { SocketRequest } from '../remote-socket.ts';
import { sentAudio } from '../sent-audio.ts';
import { SocketHearing } from '../socket-hearing.ts';
import { StretchJoiner } from '../stretch-joiner.ts';
import { type Results, readListenMessage } from './listen-messages.ts';

/** The service hangs up after 10 s without audio or this. */
const KEEP_ALIVE_MS = 4_000;
/** Where nothing is left to be settled a flush may not be answered at all. */
const UNANSWERED_MS = 400;
/** The service settles in steps. */
const SETTLED_STEP_MS = 100;
/** In less there is hardly a word: what is not answered by then was none. Longer than an answer takes from afar. */
const SHORT_MS = 500;
const SHORT_ANSWER_MS = 1_500;
/** Of speech that is sent without any message coming back. */
const SILENT_MS = 3_000;

/** One connection to Deepgram's `listen`. */
export class DeepgramHearing extends SocketHearing {
  readonly #joiner = new StretchJoiner();
  #askedMs = 0; // of what was sent, up to the last flush
  #unanswered: Timer | undefined;

  constructor(request: SocketRequest, events: HearingEvents) {
    super(request, KEEP_ALIVE_MS, events);
  }

  write(frame: PcmFrame): void {
    this.socket.expectMessage(SILENT_MS);
    this.socket.write(sentAudio(frame));
  }

  flush(): void {
    this.#joiner.ask({ fromMs: this.#askedMs, toMs: this.times.givenMs });
    this.#askedMs = this.times.givenMs;
    this.socket.expectMessage(SILENT_MS);
    this.socket.send('{"type":"Finalize"}');
    this.#mindUnanswered();
  }

  protected onQuiet(): void {
    this.socket.send('{"type":"KeepAlive"}');
  }

  protected override leave(): void {
    this.socket.send('{"type":"CloseStream"}');
  }

  protected onText(message: string): boolean {
    const results = readListenMessage(message);
    if (results === 'garbage') return false;
    if (results !== 'other') this.#onResults(results);
    return true;
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
    this.waitNoMore();
    const answers = this.#joiner.waiting === 0 ? [] : this.#joiner.answered();
    for (const stretch of answers) this.events.answered(stretch);
    if (this.#joiner.waiting > 0) this.#mindUnanswered();
  }

  #mindUnanswered(): void {
    const { first, settledMs } = this.#joiner;
    if (!first) return;
    const isSettled = settledMs >= first.toMs - SETTLED_STEP_MS;
    if (!isSettled && (this.#unanswered || first.toMs - first.fromMs > SHORT_MS)) return;
    this.clock.clearTimer(this.#unanswered);
    this.#unanswered = this.clock.setTimer(isSettled ? UNANSWERED_MS : SHORT_ANSWER_MS, () => this.#answer());
  }

  protected waitNoMore(): void {
    this.clock.clearTimer(this.#unanswered);
    this.#unanswered = undefined;
  }
}
