import type { PcmFrame } from '../../../audio/pcm.ts';
import type { Timer } from '../../../core/clock.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import type { HearingEvents } from '../listen-stream.ts';
import type { SocketRequest } from '../remote-socket.ts';
import { sentAudio } from '../sent-audio.ts';
import { SocketHearing } from '../socket-hearing.ts';
import type { AskedStretch } from '../stretch-joiner.ts';
import { heardTokens, textOf } from './heard-tokens.ts';
import { FINALIZED, readTokens, type Token } from './token-messages.ts';

/** The service hangs up after 20 s without audio or this. */
const KEEP_ALIVE_MS = 5_000;
/** A flush that is not answered. */
const ANSWER_MS = 3_000;
/** Speech without any message: noise may be nothing to tell of. */
const UNHEARD_MS = 6_000;
/** Of words that the service has not settled. */
const UNSETTLED_CONFIDENCE = 0.5;
/** Of one stretch. */
const TOKENS_MAX = 5_000;
/** Ends the audio. As binary it would be audio of no length. */
const END = '';

/** One session of Soniox. What it settles between two `<fin>` is the answer to one flush. */
export class SonioxHearing extends SocketHearing {
  readonly #asked: AskedStretch[] = []; // flushes that were not answered: `ListenStream` limits them
  #askedMs = 0; // of what was given, up to the last flush
  #settled: Token[] = []; // since the last `<fin>`
  #pending: readonly Token[] = []; // after them, and may change
  #unanswered: Timer | undefined;

  /** @param start - the first message. */
  constructor(
    request: SocketRequest,
    private readonly start: string,
    events: HearingEvents,
  ) {
    super(request, KEEP_ALIVE_MS, events);
  }

  write(frame: PcmFrame): void {
    this.socket.expectMessage(UNHEARD_MS);
    this.socket.write(sentAudio(frame));
  }

  flush(): void {
    this.#asked.push({ fromMs: this.#askedMs, toMs: this.times.givenMs });
    this.#askedMs = this.times.givenMs;
    this.socket.send('{"type":"finalize"}');
    this.#mindUnanswered();
  }

  protected override onOpen(): void {
    this.socket.send(this.start);
    super.onOpen();
  }

  protected onQuiet(): void {
    this.socket.send('{"type":"keepalive"}');
  }

  protected override leave(): void {
    this.socket.send(END);
  }

  protected onText(message: string): boolean {
    const said = readTokens(message, this.clock.utc());
    if (said instanceof ChatFailure) this.socket.fail(said);
    else if (said) this.#onTokens(said);
    return said !== undefined;
  }

  #onTokens(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.text === FINALIZED) this.#answer(this.#settled);
      else if (token.settled && this.#settled.length < TOKENS_MAX) this.#settled.push(token);
    }
    this.#pending = tokens.filter(({ text, settled }) => !settled && text !== FINALIZED);
    const soFar = textOf([...this.#settled, ...this.#pending]);
    if (this.#asked.length === 0 && soFar !== '') this.events.interim(soFar);
  }

  /** One that nobody asked for, or that comes twice, answers nothing. */
  #answer(tokens: readonly Token[], confidenceMax = 1): void {
    const stretch = this.#asked.shift();
    if (!stretch) return;
    this.waitNoMore();
    this.#settled = [];
    const { confidence, ...heard } = heardTokens(tokens, stretch.fromMs);
    this.events.answered({ ...stretch, ...heard, confidence: Math.min(confidence, confidenceMax) });
    if (this.#asked.length > 0) this.#mindUnanswered();
  }

  /** A service that heard words and does not settle them is not heard out. */
  #mindUnanswered(): void {
    this.#unanswered ??= this.clock.setTimer(ANSWER_MS, () => {
      const heard = [...this.#settled, ...this.#pending];
      const isNothing = textOf(heard) === '';
      if (!isNothing) this.#answer(heard, UNSETTLED_CONFIDENCE);
      this.socket.fail(new ChatFailure(isNothing ? 'first-token-timeout' : 'cut', 'what was said is not settled'));
    });
  }

  protected waitNoMore(): void {
    this.clock.clearTimer(this.#unanswered);
    this.#unanswered = undefined;
  }
}
