import { type PcmFrame, TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import type { Timer } from '../../../core/clock.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { lengthMs } from '../../stt/audio-times.ts';
import type { HearingEvents } from '../listen-stream.ts';
import type { SocketRequest } from '../remote-socket.ts';
import { sentAudio } from '../sent-audio.ts';
import { SocketHearing } from '../socket-hearing.ts';
import { StretchJoiner } from '../stretch-joiner.ts';
import { type HeardWords, readScribeMessage } from './scribe-messages.ts';

/** Audio of one message: the service wants pieces of 0.1 to 1 s. */
const PIECE_MS = 100;
/** A line on which nobody speaks is kept by so much silence, so often. */
const KEEP_ALIVE_MS = 5_000;
const SILENCE_MS = 100;
/** The service refuses to settle less than 0.3 s: a short word is made longer by silence. */
const COMMIT_MS_MIN = 400;
/** From the connection to the word that it has begun. */
const START_MS = 3_000;
/** A flush that is not answered. */
const ANSWER_MS = 3_000;
/** Speech without any message: the service says nothing about its first two seconds, nor about noise. */
const UNHEARD_MS = 6_000;
/** Words and times come right after the text, or never. */
const WORDS_MS = 400;
/** Of words that the service has not settled. */
const UNSETTLED_CONFIDENCE = 0.5;
const SILENT_MULAW = 0xff;
const NO_WORDS: HeardWords = { words: [], confidence: 0.8 };

/** One connection to ElevenLabs' Scribe. Audio goes out in pieces, and every commit is answered once. */
export class ScribeHearing extends SocketHearing {
  readonly #joiner = new StretchJoiner();
  #started = false;
  #piece: Uint8Array[] = []; // not sent so far
  #pieceMs = 0;
  #askedMs = 0; // of what was given, up to the last flush
  #partial = ''; // of what was not answered
  #unanswered: Timer | undefined;
  #text: string | undefined; // settled, its words are to come
  #words: Timer | undefined;
  /** What was answered last, to know it when it comes again. */
  #last: { readonly text: string; readonly startMs?: number; readonly wordsDue: boolean } | undefined;

  constructor(
    request: SocketRequest,
    private readonly sampleRateHz: number,
    events: HearingEvents,
  ) {
    super(request, KEEP_ALIVE_MS, events);
    this.socket.expectMessage(START_MS);
  }

  override get isOpen(): boolean {
    return this.#started && super.isOpen;
  }

  write(frame: PcmFrame): void {
    this.#piece.push(sentAudio(frame));
    this.#pieceMs += lengthMs(frame);
    if (this.#pieceMs >= PIECE_MS) this.#send(false);
    this.socket.expectMessage(UNHEARD_MS);
  }

  flush(): void {
    const { givenMs: toMs } = this.times;
    this.#joiner.ask({ fromMs: this.#askedMs, toMs });
    const shortMs = COMMIT_MS_MIN - (toMs - this.#askedMs);
    if (shortMs > 0) this.#piece.push(this.#silence(shortMs));
    this.#askedMs = this.times.givenMs;
    this.#send(true);
    this.#mindUnanswered();
  }

  /** Until the service says so, it has not begun. */
  protected override onOpen(): void {}

  #send(commit: boolean): void {
    this.socket.write(this.#chunk(Buffer.concat(this.#piece), commit));
    this.#piece = [];
    this.#pieceMs = 0;
  }

  #chunk(audio: Buffer, commit: boolean): string {
    const fields = { audio_base_64: audio.toString('base64'), commit, sample_rate: this.sampleRateHz };
    return JSON.stringify({ message_type: 'input_audio_chunk', ...fields });
  }

  protected onQuiet(): void {
    if (!this.#started) return;
    if (this.#piece.length > 0) return this.#send(false);
    this.socket.send(this.#chunk(this.#silence(SILENCE_MS), false));
  }

  /** That nobody said, for the service alone. */
  #silence(ms: number): Buffer {
    this.times.fill(ms);
    const samples = Math.round((ms * this.sampleRateHz) / 1000);
    return this.sampleRateHz === TELEPHONE_RATE_HZ ? Buffer.alloc(samples, SILENT_MULAW) : Buffer.alloc(samples * 2);
  }

  protected onText(message: string): boolean {
    const said = readScribeMessage(message);
    switch (said?.type) {
      case 'started':
        if (!this.#started) {
          this.#started = true;
          this.events.opened();
        }
        break;
      case 'partial':
        this.#onPartial(said.text);
        break;
      case 'committed':
        this.#onCommitted(said.text);
        break;
      case 'words':
        this.#onWords(said.text, said.heard);
        break;
      case 'nothing':
        if (this.#joiner.waiting > 0) this.#settle('', NO_WORDS);
        break;
      case 'failed':
        this.socket.fail(said.failure);
        break;
    }
    return said !== undefined;
  }

  #onPartial(text: string): void {
    this.#partial = text;
    const soFar = this.#joiner.soFar(text);
    if (this.#joiner.waiting === 0 && soFar !== '') this.events.interim(soFar);
  }

  #onCommitted(text: string): void {
    this.#text = text;
    this.#words ??= this.clock.setTimer(WORDS_MS, () => this.#settle(this.#text ?? '', NO_WORDS, true));
  }

  #onWords(text: string, heard: HeardWords): void {
    const last = this.#last;
    const startMs = heard.words[0]?.startMs;
    const isLate = last?.wordsDue === true && last.text === text;
    const isRepeated = isLate || (last?.text === text && last.startMs !== undefined && last.startMs === startMs);
    if (!isRepeated) return this.#settle(text, heard);
    this.#last = { text, ...(startMs !== undefined && { startMs }), wordsDue: false };
    this.#waitForNoWords();
  }

  /** The service has settled what it was given up to the first commit that waits, or, unasked, all of it. */
  #settle(text: string, { words, confidence, language }: HeardWords, wordsDue = false): void {
    this.#waitForNoWords();
    const { first } = this.#joiner;
    const startMs = words[0]?.startMs;
    this.#last = { text, ...(startMs !== undefined && { startMs }), wordsDue };
    this.#partial = '';
    this.#joiner.add({
      ...{ text, words, confidence: text === '' ? 0 : confidence, startMs: first?.fromMs ?? this.#askedMs },
      ...{ endMs: first?.toMs ?? this.times.givenMs, ...(language !== undefined && { language }) },
    });
    if (first) this.#answer();
  }

  #answer(): void {
    this.clock.clearTimer(this.#unanswered);
    this.#unanswered = undefined;
    for (const stretch of this.#joiner.answered()) this.events.answered(stretch);
    if (this.#joiner.waiting > 0) this.#mindUnanswered();
  }

  /** A service that heard words and does not settle them is not heard out. */
  #mindUnanswered(): void {
    this.#unanswered ??= this.clock.setTimer(ANSWER_MS, () => {
      this.#unanswered = undefined;
      const heard = this.#partial;
      if (heard === '') return this.socket.fail(new ChatFailure('first-token-timeout', 'what was said is not settled'));
      this.#settle(heard, { words: [], confidence: UNSETTLED_CONFIDENCE });
      this.socket.fail(new ChatFailure('cut', 'what was said is not settled'));
    });
  }

  #waitForNoWords(): void {
    this.clock.clearTimer(this.#words);
    this.#words = undefined;
    this.#text = undefined;
  }

  protected waitNoMore(): void {
    this.#waitForNoWords();
    this.clock.clearTimer(this.#unanswered);
    this.#unanswered = undefined;
  }
}
