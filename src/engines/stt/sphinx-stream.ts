import type { PcmFrame } from '../../audio/pcm.ts';
import type { Clock, Timer } from '../../core/clock.ts';
import { ServiceError } from '../../core/errors.ts';
import { Shortage } from '../../core/shortage.ts';
import type { SoundMean } from './cepstral-mean.ts';
import { PATIENT_FINAL_MS, type SttHints, type SttOptions, type SttStream } from './contract.ts';
import { EventChannel } from './event-channel.ts';
import type { RecognitionThread, StretchFinal, StretchRequest } from './recognition-thread.ts';
import { type Answer, believed, triedAgainBelow } from './second-try.ts';
import { StretchOutbox } from './stretch-outbox.ts';

/** Audio goes to the thread in pieces of 60 ms. */
const PIECE_SAMPLES = 480;
/** Audio under way to the thread: enough to keep it busy while it settles another stretch. */
const WINDOW_SAMPLES = 16_000;
/** Stretches of one stream that wait for their final; more means that nobody waits for answers. */
const PENDING_MAX = 16;
const SAMPLES_PER_MS = 8;

export interface SphinxStreamLimits {
  readonly queuedMsMax: number;
  /** From `flush()` to its final; the stream fails beyond it. */
  readonly finalMsMax: number;
}
/** What a stream needs of its engine. */
export interface SphinxStreamHost {
  readonly clock: Clock;
  readonly limits: SphinxStreamLimits;
  /** The thread for the next stretch, or undefined when none works. */
  threadFor(hints: SttHints): RecognitionThread | undefined;
  /** The thread for free speech, where there is one, the hints allow it as a second try, and there is time for one. */
  secondTry(hints: SttHints, sentences: readonly string[] | undefined): RecognitionThread | undefined;
  prepare(hints: SttHints): void;
  dropped(samples: number): void;
  ended(stream: SphinxStream): void;
}

/** The second try of a stretch that is over: what it says so far interests nobody any more. */
const FREE_SPEECH: StretchRequest = { hints: { phrases: [], expect: ['free'] }, interim: false };
/** A stretch of speech, from its first frame to its final. */
interface Stretch {
  readonly thread: RecognitionThread;
  id: number;
  readonly outbox: StretchOutbox;
  /** What was expected when it began. */
  readonly asked: SttHints;
  readonly startSample: number;
  endSample: number;
  timer: Timer | undefined;
  /** Heard while an earlier stretch had no final: not said yet. */
  interim: string | undefined;
  /** What it was before the second try. */
  first: Answer | undefined;
  /** The second try that hears it, too, as it is spoken, until it is known whether it is wanted. */
  beside: Stretch | undefined;
  answer: Answer | undefined;
}

/** One stream over the recognition threads. A stretch belongs to one thread; finals leave in the order of the flushes. */
export class SphinxStream implements SttStream {
  readonly #channel = new EventChannel();
  #hints: SttHints; // without its sentences, which are no thread's business but that of free speech
  #sentences: readonly string[] | undefined;
  readonly #account: string;
  #piece = new Int16Array(PIECE_SAMPLES);
  #pieceFill = 0;
  #position = 0; // samples written
  #current: Stretch | undefined;
  #pending: Stretch[] = [];
  #ended = false;
  #sound: SoundMean | undefined; // of the speaker, as far as words were understood

  constructor(
    readonly options: SttOptions,
    readonly host: SphinxStreamHost,
  ) {
    this.#account = options.account ?? '';
    const { sentences, ...hints } = options.hints ?? FREE_SPEECH.hints;
    this.#sentences = sentences;
    this.#hints = hints;
    host.prepare(hints);
  }

  write(frame: PcmFrame): void {
    if (this.#ended || this.#channel.done) return;
    if (frame.sampleRateHz !== this.options.sampleRateHz) throw new RangeError('a frame of another sample rate');
    this.#current ??= this.#begin();
    if (!this.#current) return;
    for (let offset = 0; offset < frame.samples.length; ) {
      const part = frame.samples.subarray(offset, offset + PIECE_SAMPLES - this.#pieceFill);
      this.#piece.set(part, this.#pieceFill);
      this.#pieceFill += part.length;
      offset += part.length;
      if (this.#pieceFill === PIECE_SAMPLES) this.#sendPiece(this.#current);
    }
    this.#position += frame.samples.length;
  }

  flush(): void {
    const stretch = this.#current;
    if (!stretch || this.#channel.done) return;
    this.#current = undefined;
    this.#sendPiece(stretch);
    stretch.endSample = this.#position;
    this.host.dropped(stretch.outbox.droppedSamples);
    this.#pending.push(stretch);
    if (this.#pending.length > PENDING_MAX) return this.fail(new ServiceError('unavailable'));
    const { finalMsMax } = this.host.limits;
    const limitMs = this.options.patient ? Math.max(finalMsMax, PATIENT_FINAL_MS) : finalMsMax;
    stretch.timer = this.host.clock.setTimer(limitMs, () =>
      this.fail(new ServiceError('unavailable', '', { cause: new Error('recognition took too long') })),
    );
    stretch.outbox.finish();
  }

  hint({ sentences, ...hints }: SttHints): void {
    if (this.#ended || this.#channel.done) return;
    this.#sentences = sentences;
    this.#hints = hints;
    this.host.prepare(hints);
  }

  end(): void {
    if (this.#ended || this.#channel.done) return;
    this.flush();
    this.#ended = true;
    this.#settle();
  }

  abort(): void {
    this.#release();
    this.#channel.abort();
  }

  fail(error: ServiceError): void {
    this.#release();
    this.#channel.fail(error);
  }

  [Symbol.asyncIterator]() {
    const reader = this.#channel[Symbol.asyncIterator]();
    return {
      next: () => reader.next(),
      return: () => {
        this.abort();
        return Promise.resolve({ value: undefined, done: true as const });
      },
    };
  }

  #begin(): Stretch | undefined {
    const thread = this.host.threadFor(this.#hints);
    if (!thread) {
      this.fail(new ServiceError('unavailable'));
      return undefined;
    }
    const { interim } = this.options;
    const hints = this.#hints;
    const again = this.host.secondTry(hints, this.#sentences);
    const of = { startSample: this.#position, asked: hints, first: undefined };
    // Where anything may be said a sentence is as likely as a phrase: what hears it does so from its beginning.
    const isOpen = this.#sentences !== undefined && hints.expect.includes('free');
    const beside = again && isOpen ? this.#open(again, { ...FREE_SPEECH, sentences: this.#sentences }, of) : undefined;
    const keepBelow = again && !beside ? triedAgainBelow(hints, this.#sentences !== undefined) : undefined;
    const stretch = this.#open(thread, { hints, interim, keepBelow, sound: this.#sound }, of);
    if (stretch) stretch.beside = beside;
    else {
      beside?.thread.drop(beside.id);
      this.fail(new ServiceError('unavailable'));
    }
    return stretch;
  }

  #open(
    thread: RecognitionThread,
    request: StretchRequest,
    { startSample, asked, first }: Pick<Stretch, 'startSample' | 'asked' | 'first'>,
  ): Stretch | undefined {
    const stretch: Stretch = {
      thread,
      id: 0,
      asked,
      startSample,
      endSample: startSample,
      timer: undefined,
      interim: undefined,
      first,
      beside: undefined,
      answer: undefined,
      outbox: new StretchOutbox(WINDOW_SAMPLES, this.host.limits.queuedMsMax * SAMPLES_PER_MS, (piece) =>
        piece === 'finish' ? thread.finish(stretch.id, this.#account) : thread.audio(stretch.id, piece),
      ),
    };
    const id = thread.begin(request, {
      taken: (samples) => stretch.outbox.taken(samples),
      interim: (text) => this.#heard(stretch, text),
      final: (final) => this.#answered(stretch, final),
      failed: (why, short) => {
        if (this.#leaves(stretch)) return;
        const cause = short ? new Shortage(why) : new Error(why);
        this.fail(new ServiceError(why === 'closed' || short ? 'unavailable' : 'transcription_failed', '', { cause }));
      },
    });
    if (id === undefined) return undefined;
    stretch.id = id;
    return stretch;
  }

  #sendPiece(stretch: Stretch): void {
    if (this.#pieceFill === 0) return;
    const whole = this.#pieceFill === PIECE_SAMPLES;
    stretch.beside?.outbox.push(this.#piece.slice(0, this.#pieceFill));
    stretch.outbox.push(whole ? this.#piece : this.#piece.slice(0, this.#pieceFill));
    if (whole) this.#piece = new Int16Array(PIECE_SAMPLES); // the old one was handed over
    this.#pieceFill = 0;
  }

  #heard(stretch: Stretch, text: string): void {
    stretch.interim = text;
    this.#sayInterim();
  }

  /** What the oldest stretch without a final says so far: interims never overtake a final. */
  #sayInterim(): void {
    const oldest = this.#pending[0] ?? this.#current;
    if (oldest?.interim === undefined) return;
    this.#channel.push({ type: 'interim', text: oldest.interim });
    oldest.interim = undefined;
  }

  #answered(stretch: Stretch, { text, confidence, samples, sound }: StretchFinal): void {
    this.#sound = sound ?? this.#sound;
    const heard = { text, confidence };
    const answer = stretch.first ? believed(stretch.first, heard, stretch.asked) : heard;
    if (this.#isHeardBeside(stretch, answer)) return;
    const second = samples && this.host.secondTry(stretch.asked, this.#sentences);
    if (second && this.#tryAgain(stretch, answer, second, samples)) return;
    stretch.answer = answer;
    this.#settle();
  }

  /** The second try that heard the stretch ends with it: what it found is waited for, or nobody wants it. */
  #isHeardBeside(stretch: Stretch, first: Answer): boolean {
    const { beside, asked } = stretch;
    if (!beside) return false;
    stretch.beside = undefined;
    const isWanted = first.text === '' || first.confidence < (triedAgainBelow(asked, true) ?? 0);
    if (isWanted && this.#replace(stretch, beside)) {
      beside.first = first;
      beside.outbox.finish();
      return true;
    }
    beside.thread.drop(beside.id);
    return false;
  }

  /** In the order of the finals. @returns false where nobody waits for it any more. */
  #replace(stretch: Stretch, again: Stretch): boolean {
    const index = this.#pending.indexOf(stretch);
    if (index < 0) return false;
    again.endSample = stretch.endSample;
    again.timer = stretch.timer;
    this.#pending[index] = again;
    return true;
  }

  /** A second try that hears no more before it is wanted: the stretch goes on without. */
  #leaves(beside: Stretch): boolean {
    const first = this.#unsettled.find((one) => one.beside === beside);
    if (first) first.beside = undefined;
    return first !== undefined;
  }

  /** Nothing of the grammar was said, or hardly, and free speech is welcome too. */
  #tryAgain(stretch: Stretch, first: Answer, thread: RecognitionThread, samples: Int16Array): boolean {
    const { startSample, asked } = stretch;
    const request = { ...FREE_SPEECH, sentences: this.#sentences };
    const again = this.#open(thread, request, { startSample, asked, first });
    if (!again || !this.#replace(stretch, again)) return false;
    thread.audio(again.id, samples);
    thread.finish(again.id, this.#account);
    return true;
  }

  /** Sends the finals that are due, in order. */
  #settle(): void {
    for (let first = this.#pending[0]; first?.answer; first = this.#pending[0]) {
      this.#pending.shift();
      this.host.clock.clearTimer(first.timer);
      const taken = this.#channel.push({
        type: 'final',
        text: first.answer.text,
        confidence: first.answer.confidence,
        language: this.options.language,
        startMs: first.startSample / SAMPLES_PER_MS,
        endMs: first.endSample / SAMPLES_PER_MS,
      });
      if (!taken) return this.#release();
    }
    if (!this.#ended || this.#pending.length > 0) return this.#sayInterim();
    this.#release();
    this.#channel.finish();
  }

  get #unsettled(): readonly Stretch[] {
    return this.#current ? [...this.#pending, this.#current] : this.#pending;
  }

  #release(): void {
    this.#ended = true;
    for (const stretch of this.#unsettled) {
      this.host.clock.clearTimer(stretch.timer);
      stretch.thread.drop(stretch.id);
      stretch.beside?.thread.drop(stretch.beside.id);
    }
    this.#pending = [];
    this.#current = undefined;
    this.host.ended(this);
  }
}
