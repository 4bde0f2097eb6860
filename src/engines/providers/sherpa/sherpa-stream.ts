import type { PcmFrame } from '../../../audio/pcm.ts';
import type { Clock, Timer } from '../../../core/clock.ts';
import { ServiceError } from '../../../core/errors.ts';
import { PATIENT_FINAL_MS, type SttHints, type SttOptions, type SttStream } from '../../stt/contract.ts';
import { StretchOutbox } from '../../stt/stretch-outbox.ts';
import type { StreamLife } from '../open-streams.ts';
import type { Job, ModelProcess } from './model-process.ts';
import type { FromModel, HeardText } from './process-protocol.ts';

/** Audio goes to the process in pieces of so long, so much of it is under way, and so much waits: the oldest goes first. */
const PIECE_MS = 60;
const WINDOW_MS = 2_000;
const QUEUED_MS_MAX = 60_000;
/** Flushes without an answer; the next one fails the stream. */
const WAITING_MAX = 8;
/** From flush to final. */
const FINAL_MS_MAX = 30_000;

interface Stretch {
  readonly job: Job;
  readonly outbox: StretchOutbox;
  readonly startSample: number;
  endSample: number;
  answer: HeardText | undefined;
  timer: Timer | undefined;
}

/** One stream of speech to a model. Each stretch is heard by itself; finals leave in the order of the flushes. */
export class SherpaStream implements SttStream {
  readonly feed = 'whole-stretches';
  readonly #rateHz: number;
  #piece: Int16Array;
  #filled = 0;
  #written = 0; // samples
  #current: Stretch | undefined;
  #waiting: Stretch[] = [];
  #ended = false;

  /** @param process - where the stretches are heard; without it `life` has failed already. */
  constructor(
    private readonly options: SttOptions,
    private readonly life: StreamLife,
    private readonly process: ModelProcess | undefined,
    private readonly clock: Clock,
  ) {
    this.#rateHz = options.sampleRateHz;
    this.#piece = new Int16Array(this.#samples(PIECE_MS));
    life.signal.addEventListener('abort', () => this.#release(), { once: true });
  }

  write(frame: PcmFrame): void {
    if (this.#isOver || frame.samples.length === 0) return;
    if (frame.sampleRateHz !== this.#rateHz) throw new RangeError('a frame of another sample rate');
    this.#current ??= this.#begin();
    if (!this.#current) return;
    this.#written += frame.samples.length;
    for (let at = 0; at < frame.samples.length; ) {
      const part = frame.samples.subarray(at, at + this.#piece.length - this.#filled);
      this.#piece.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === this.#piece.length) this.#sendPiece(this.#current);
    }
  }

  flush(): void {
    const stretch = this.#current;
    if (!stretch || this.#isOver) return;
    this.#current = undefined;
    this.#sendPiece(stretch);
    stretch.endSample = this.#written;
    this.#waiting.push(stretch);
    if (this.#waiting.length > WAITING_MAX) return this.#fail(new ServiceError('unavailable'));
    const limitMs = this.options.patient ? Math.max(FINAL_MS_MAX, PATIENT_FINAL_MS) : FINAL_MS_MAX;
    stretch.timer = this.clock.setTimer(limitMs, () =>
      this.#fail(new ServiceError('unavailable', '', { cause: new Error('recognition took too long') })),
    );
    stretch.outbox.finish();
  }

  /** No kind of model here takes phrases. */
  hint(_hints: SttHints): void {}

  end(): void {
    if (this.#isOver) return;
    this.flush();
    this.#ended = true;
    this.#settle();
  }

  [Symbol.asyncIterator]() {
    return this.life.channel[Symbol.asyncIterator]();
  }

  get #isOver(): boolean {
    return this.#ended || this.life.channel.done;
  }

  #samples(ms: number): number {
    return Math.round((ms * this.#rateHz) / 1000);
  }

  #begin(): Stretch | undefined {
    try {
      return this.#open(this.process!);
    } catch (error) {
      this.#fail(error as ServiceError);
      return undefined;
    }
  }

  #open(process: ModelProcess): Stretch {
    const job = process.open({
      told: (message) => this.#told(stretch, message),
      failed: (error) => this.#fail(error),
    });
    const send = (piece: Int16Array | 'finish'): void =>
      job.post(piece === 'finish' ? { type: 'finish' } : { type: 'audio', samples: piece });
    const stretch: Stretch = {
      ...{ job, startSample: this.#written, endSample: this.#written, answer: undefined, timer: undefined },
      outbox: new StretchOutbox(this.#samples(WINDOW_MS), this.#samples(QUEUED_MS_MAX), send),
    };
    job.post({ type: 'begin', interim: this.options.interim, rateHz: this.#rateHz });
    return stretch;
  }

  #sendPiece(stretch: Stretch): void {
    if (this.#filled > 0) stretch.outbox.push(this.#piece.slice(0, this.#filled));
    this.#filled = 0;
  }

  #told(stretch: Stretch, message: FromModel): void {
    if (message.type === 'taken') stretch.outbox.taken(message.samples);
    else if (message.type === 'interim') this.#interim(stretch, message.text);
    else if (message.type === 'final') {
      stretch.answer = message;
      this.#settle();
    } else if (message.type === 'failed') {
      this.#fail(new ServiceError('transcription_failed', '', { cause: new Error(message.why) }));
    }
  }

  /** Of the oldest stretch without a final: no interim overtakes one. */
  #interim(stretch: Stretch, text: string): void {
    if ((this.#waiting[0] ?? this.#current) === stretch) this.life.channel.push({ type: 'interim', text });
  }

  /** Says the finals that are due. */
  #settle(): void {
    for (let first = this.#waiting[0]; first?.answer; first = this.#waiting[0]) {
      this.#waiting.shift();
      this.clock.clearTimer(first.timer);
      if (!this.#say(first, first.answer)) return this.life.done();
    }
    if (!this.#ended || this.#waiting.length > 0) return;
    this.life.channel.finish();
    this.life.done();
  }

  #say({ startSample, endSample }: Stretch, { text, confidence, language, words }: HeardText): boolean {
    const [startMs, endMs] = [startSample, endSample].map((at) => (at * 1000) / this.#rateHz) as [number, number];
    const within = (ms: number): number => Math.min(endMs, startMs + ms);
    const placed = words?.map((word) => ({
      ...{ text: word.text, startMs: within(word.startMs), endMs: within(word.endMs) },
    }));
    return this.life.channel.push({
      ...{ type: 'final', text, confidence, startMs, endMs },
      language: language ?? this.options.language,
      ...(placed && { words: placed }),
    });
  }

  #fail(error: ServiceError): void {
    this.life.channel.fail(error); // does nothing once it was aborted
    this.life.done();
  }

  #release(): void {
    const open = this.#current ? [...this.#waiting, this.#current] : this.#waiting;
    this.#current = undefined;
    this.#waiting = [];
    for (const { job, timer } of open) {
      this.clock.clearTimer(timer);
      job.drop();
    }
  }
}
