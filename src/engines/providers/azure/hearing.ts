import { type PcmFrame, TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import { wavHeader } from '../../../audio/wav.ts';
import type { Timer } from '../../../core/clock.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { lengthMs } from '../../stt/audio-times.ts';
import type { SttHints, SttOptions } from '../../stt/contract.ts';
import type { HearingEvents } from '../listen-stream.ts';
import type { SocketRequest } from '../remote-socket.ts';
import { sentAudio } from '../sent-audio.ts';
import { SocketHearing } from '../socket-hearing.ts';
import { StretchJoiner } from '../stretch-joiner.ts';
import { binaryMessage, newId, readTextMessage, SPEECH_CONFIG, textMessage } from './messages.ts';
import { readHypothesis, readPhrase } from './phrase.ts';
import { speechContext } from './speech-context.ts';

/** The service hangs up on who says nothing for minutes, and so do some on the way. */
const KEEP_ALIVE_MS = 7_000;
/** A turn that was begun or ended and of which nothing is said. */
const SILENT_MS = 3_000;
/** From the end of a turn's audio to its last word, whatever else is said meanwhile. */
const ANSWER_MS = 5_000;
/** After the last phrase of a turn that was ended, for the word that it is over. */
const UNENDED_MS = 1_000;

/** A stretch of speech, and what is yet to be sent of it while the one before is not answered. */
interface Turn {
  readonly requestId: string;
  readonly fromMs: number; // in what the connection was given
  readonly held: PcmFrame[];
  toMs: number | undefined; // once it was flushed
}

/**
 * One connection to the service that listens. A flush ends a turn; the service answers it with phrases and the turn's end, and only then
 * the next one begins.
 */
export class AzureHearing extends SocketHearing {
  readonly #turns: Turn[] = []; // the first one is spoken of with the service
  #joiner = new StretchJoiner();
  #unsettled = false; // words of the turn were heard that may still change
  #hints: SttHints | undefined;
  #due: Timer | undefined; // of the turn that was ended

  constructor(
    request: SocketRequest,
    private readonly options: SttOptions,
    hints: SttHints | undefined,
    events: HearingEvents,
  ) {
    super(request, KEEP_ALIVE_MS, events);
    this.#hints = hints;
  }

  write(frame: PcmFrame): void {
    let turn = this.#turns.at(-1);
    if (!turn || turn.toMs !== undefined) {
      const fromMs = this.times.givenMs - lengthMs(frame);
      turn = { requestId: newId(), fromMs, held: [], toMs: undefined };
      this.#turns.push(turn);
      if (turn === this.#turns[0]) this.#begin(turn);
    }
    if (turn === this.#turns[0]) this.#sendAudio(turn, frame);
    else turn.held.push({ ...frame, samples: frame.samples.slice() });
  }

  flush(): void {
    const turn = this.#turns.at(-1);
    if (!turn || turn.toMs !== undefined) return;
    turn.toMs = this.times.givenMs;
    if (turn === this.#turns[0]) this.#finish(turn);
  }

  /** From the next turn on. */
  hint(hints: SttHints): void {
    this.#hints = hints;
  }

  protected waitNoMore(): void {
    this.clock.clearTimer(this.#due);
  }

  protected onQuiet(): void {
    this.socket.ping();
  }

  protected override onOpen(): void {
    const head = { path: 'speech.config', requestId: newId(), contentType: 'application/json' };
    this.socket.send(textMessage(head, SPEECH_CONFIG, this.clock));
    super.onOpen();
  }

  #begin(turn: Turn): void {
    const { requestId } = turn;
    const { sampleRateHz } = this.options;
    const encoding = sampleRateHz === TELEPHONE_RATE_HZ ? 'mulaw' : 'pcm16';
    const context = { path: 'speech.context', requestId, contentType: 'application/json' };
    const audio = { path: 'audio', requestId, contentType: 'audio/x-wav' };
    this.socket.send(textMessage(context, speechContext(this.options, this.#hints), this.clock));
    this.socket.write(binaryMessage(audio, wavHeader({ channels: 1, sampleRateHz, encoding }, 0), this.clock));
    this.socket.expectMessage(SILENT_MS);
  }

  #sendAudio({ requestId }: Turn, frame: PcmFrame): void {
    const audio = sentAudio(frame);
    this.socket.write(binaryMessage({ path: 'audio', requestId }, audio, this.clock));
  }

  #finish({ requestId }: Turn): void {
    this.socket.write(binaryMessage({ path: 'audio', requestId }, undefined, this.clock));
    this.socket.expectMessage(SILENT_MS);
    const late = new ChatFailure('first-token-timeout', 'a turn without an answer');
    this.#expectAnswer(ANSWER_MS, () => this.socket.fail(late));
  }

  #expectAnswer(withinMs: number, otherwise: () => void): void {
    this.clock.clearTimer(this.#due);
    this.#due = this.clock.setTimer(withinMs, otherwise);
  }

  protected onText(text: string): boolean {
    const message = readTextMessage(text);
    if (!message) return false;
    const [turn] = this.#turns;
    if (!turn || message.requestId !== turn.requestId) return true; // of a turn that is over
    const body = message.body.toString();
    switch (message.path) {
      case 'speech.hypothesis':
      case 'speech.fragment':
        return this.#onHypothesis(turn, body);
      case 'speech.phrase':
        return this.#onPhrase(turn, body);
      case 'turn.end':
        this.#onTurnEnd(turn);
        return true;
      default:
        return true;
    }
  }

  #onHypothesis(turn: Turn, body: string): boolean {
    const words = readHypothesis(body);
    if (words === undefined) return false;
    this.#unsettled ||= words !== '';
    const text = this.#joiner.soFar(words);
    if (turn.toMs === undefined && text !== '') this.events.interim(text);
    return true;
  }

  #onPhrase(turn: Turn, body: string): boolean {
    const phrase = readPhrase(body, turn.fromMs);
    if (!phrase) return false;
    if (phrase instanceof ChatFailure) {
      this.socket.fail(phrase);
      return true;
    }
    this.#unsettled = false;
    const { settledMs } = this.#joiner;
    const isAgain = phrase.text !== '' && settledMs > 0 && phrase.endMs <= settledMs;
    if (!isAgain) this.#joiner.add(phrase);
    if (turn.toMs === undefined) return true;
    this.#expectAnswer(UNENDED_MS, () => this.#onTurnEnd(turn));
    return true;
  }

  /** A turn that the service ends by itself leaves what is said from then on unheard: another connection hears it all. */
  #onTurnEnd({ fromMs, toMs }: Turn): void {
    this.clock.clearTimer(this.#due);
    if (toMs === undefined || this.#unsettled)
      return this.socket.fail(new ChatFailure('cut', 'a turn that was ended too soon'));
    this.#joiner.ask({ fromMs, toMs });
    const answers = this.#joiner.answered();
    this.#joiner = new StretchJoiner();
    this.#turns.shift();
    this.#resume();
    for (const stretch of answers) this.events.answered(stretch);
  }

  #resume(): void {
    const [turn] = this.#turns;
    if (!turn) return;
    this.#begin(turn);
    for (const frame of turn.held.splice(0)) this.#sendAudio(turn, frame);
    if (turn.toMs !== undefined) this.#finish(turn);
  }
}
