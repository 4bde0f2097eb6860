import { FRAME_MS, FRAME_SAMPLES, type PcmFrame, TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import { SpeechLevels } from '../audio/speech-levels.ts';
import type { Clock } from '../core/clock.ts';
import { OVER } from '../core/over.ts';
import type { SttHints, SttStream } from '../engines/stt/contract.ts';
import type { VadDetector } from '../engines/vad/contract.ts';
import type { CallerAudio } from '../media/media-port.ts';
import { CallerFrames } from './caller-frames.ts';
import { DueFinals, type Heard, type HeardStretch } from './due-finals.ts';
import type { Ears } from './ears.ts';
import { KeptSpeech, PRE_ROLL_FRAMES, PreRoll } from './kept-speech.ts';

/** Speech kept to be recognised again as one when the caller goes on after a pause: 20 s. Longer speech is not asked early. */
const KEPT_FRAMES_MAX = 1000;
/** A recogniser that failed is opened again this often in one call; after that the call goes on by keypad. */
const RECOGNISER_RESTARTS_MAX = 3;
/** Frames handled in one tick: after a stall of the main thread the rest waits for the next one. */
const FRAMES_PER_TICK = 50;

/**
 * What is plainly no voice is read so late: the first of several frames at once costs as much as all others. While the agent speaks
 * `Line` compares what is heard with what was played 200 ms before at most.
 */
const REST_MS = { alone: 480, beside: 160 } as const;
/** A floor that moved by less is the same floor: half of it is what a quiet frame is short of mattering. */
const BAND_STEP_DB = 0.5;

/** What may be the first sound of a word is so much louder than the line's noise, and not softer than words by more than that. */
const BEGINNING_DB = 12;
const BEGINNING_RANGE_DB = 35;
/** What is softer than its loudest sound by more is no part of a word over the agent's voice: what is left of its echo may be. */
const VOICE_RANGE_DB = 25;
/** A pause in which what was said over the agent's voice is asked for: if that interrupts, its end is not waited for. */
const EARLY_PAUSE_FRAMES = 8;

export interface SpeechInputHandlers {
  /** Clock time of the true onset; `resumed`: the stretch asked for by `speculate` goes on, its final no longer counts. */
  speechStart(atMs: number, resumed: boolean): void;
  speechEnd(atMs: number): void;
  /** It goes on after a pause inside it in which its final was asked for. */
  resumed(): void;
  interim(text: string): void;
  /** What `speculateEarly` asked for. @returns whether that is enough: then it is the final, unless more is said. */
  early(heard: Heard): boolean;
  final(heard: Heard): void;
  /**
   * Another one was opened in its place, or there is none any more: see `recognising`. `lost`: words that were said do not
   * come any more; what is being said is given to the new one.
   */
  recogniserFailed(error: unknown, lost: boolean): void;
}

interface OpenStretch extends HeardStretch {
  givenFrames: number; // of the kept ones, before its final was asked for
  replayed: boolean;
}

/**
 * What the caller says: media port -> frames -> voice activity -> recogniser. Only speech reaches the recogniser, with
 * its lead-in and the pauses inside it: a stretch is open from the onset until `settle`, which the turn taking calls
 * when the pause is long enough, so that a sentence with a breath in it is recognised as one.
 */
export class SpeechInput {
  readonly #frames: CallerFrames;
  #framesSeen = 0;
  #heardAtMs: number; // when the last frame came over the wire
  /** How long that was ago when it was read: jitter, and what the main thread was late. */
  lagMs = 0;
  #pausedFrames = 0; // without a sound of the voice that speaks
  #asked = 0; // how often its final was asked for in that pause
  readonly #preRoll: PreRoll;
  #stt: SttStream | undefined;
  #open: OpenStretch | undefined; // being given to the recogniser
  readonly #kept: KeptSpeech; // of the open stretch
  #speculated = false; // its final was asked for already
  readonly #due = new DueFinals();
  #early: Heard | undefined; // came while the stretch may still go on
  #restarts = 0;
  #muted = false;
  #readMs = Number.NEGATIVE_INFINITY;
  #quiet = false;
  readonly #told = { fromDb: 0, toDb: 0 }; // what is quiet, as the port knows it
  readonly #closing = new AbortController();
  #closed = false; // as the signal says, which takes longer to ask than a frame of silence to hear

  constructor(
    private readonly port: CallerAudio,
    private readonly vad: VadDetector,
    private readonly clock: Clock,
    private readonly ears: Ears,
    private readonly handlers: SpeechInputHandlers,
  ) {
    this.#heardAtMs = clock.nowMs();
    this.#frames = new CallerFrames(port, ears.hearingRateHz);
    const { length } = this.#frames.heard.samples;
    this.#preRoll = new PreRoll(PRE_ROLL_FRAMES + (vad.heldFrames ?? 0), length);
    this.#kept = new KeptSpeech(KEPT_FRAMES_MAX, length, ears.keptFrames);
    this.#attach(this.#another());
  }

  get speaking(): boolean {
    return this.vad.speaking;
  }
  /** Of the loudest frame since speech began last, dBFS. */
  loudestDb = Number.NEGATIVE_INFINITY;
  /** It may be that somebody begins to speak: there is a sound, not long enough yet. */
  get beginning(): boolean {
    return !this.vad.speaking && this.#sounds(BEGINNING_RANGE_DB);
  }
  #sounds(rangeDb: number): boolean {
    return this.vad.levelDb >= Math.max(this.vad.floorDb + BEGINNING_DB, this.loudestDb - rangeDb);
  }
  /** Of the last second. */
  readonly levels = new SpeechLevels();
  /** Of the frame heard last, dBFS. */
  get levelDb(): number {
    return this.vad.levelDb;
  }
  get recognising(): boolean {
    return this.#stt !== undefined;
  }
  /** What was said since the stretch began, its end where that is long; undefined where it is not kept. */
  sound(): PcmFrame | undefined {
    return this.#kept.end(this.#frames.heard.sampleRateHz);
  }
  /** Stretches given to the recogniser whose final has not come yet. */
  get pendingFinals(): number {
    return this.#due.wanted + (this.#early ? 1 : 0);
  }

  /** From now on what arrives is dropped unheard. What was said before is settled: its final still comes. */
  mute(): void {
    this.#muted = true;
    this.settle();
    this.vad.reset();
    this.#framesSeen = 0; // positions of the detector begin anew
    this.#preRoll.clear();
  }
  unmute(): void {
    this.#muted = false;
  }

  /**
   * Asks for the final of the open stretch while the pause may still turn out too short, so that it is there when the
   * turn is over. If the caller goes on, that final is forgotten and the whole stretch is recognised as one.
   */
  speculate(): void {
    if (!this.#open || this.#speculated || !this.#stt || this.#kept.full) return;
    this.#speculated = true;
    this.#flush(this.#open);
  }
  #flush(open: OpenStretch): void {
    open.givenFrames = this.#kept.frames;
    this.#due.ask(open);
    this.#stt?.flush();
  }

  /** The same in the first pause, and again while it lasts: whoever speaks may be in the middle of a word. */
  speculateEarly(): void {
    if (!this.vad.speaking || this.#pausedFrames < (this.#asked + 1) * EARLY_PAUSE_FRAMES) return;
    this.#asked += 1;
    this.speculate();
  }

  /** Ends the open stretch: its final follows, if it has not come yet. @returns false when there is nothing to wait for. */
  settle(): boolean {
    const open = this.#open;
    if (!open) return false;
    this.#open = undefined;
    this.#kept.clear();
    if (!this.#stt) return false;
    if (!this.#speculated) this.#flush(open);
    this.#speculated = false;
    queueMicrotask(() => this.#deliver());
    return true;
  }

  /** What was heard last was nobody's voice: the open stretch is dropped. @returns false when nothing was being said. */
  retract(): boolean {
    if (!this.vad.speaking && !this.#open) return false;
    this.vad.reset();
    this.#framesSeen = 0; // positions of the detector begin anew
    if (this.settle()) this.#forgetLast();
    return true;
  }
  /** The final asked for last is of no use any more. */
  #forgetLast(): void {
    if (this.#early) this.#early = undefined;
    else this.#due.forgetLast();
  }

  /** Finals still to come of stretches that ended are of no use any more. */
  forgetPending(): void {
    while (this.pendingFinals > 0) this.#forgetLast();
  }

  hint(hints: SttHints): void {
    this.#stt?.hint(hints);
  }

  /** Until when what comes may wait, unless it stirs: none of it is a voice, or could become one, and the recogniser waits for none. */
  restsUntilMs(agent: 'silent' | 'speaking'): number {
    if (!this.#quiet || this.#open || this.#hearsAll) return 0;
    return this.#readMs + (agent === 'silent' ? REST_MS.alone : REST_MS.beside);
  }

  /** Drains what arrived since the last tick. */
  tick(): void {
    const nowMs = this.clock.nowMs();
    this.#readMs = nowMs;
    let heard = false;
    for (let handled = 0; handled < FRAMES_PER_TICK && !this.#closed && this.#frames.read(); handled += 1) {
      if (this.#muted) continue;
      heard = true;
      this.#framesSeen += 1;
      this.#push(nowMs);
    }
    if (heard) this.#date(nowMs);
    this.#tellQuiet();
  }

  /** Of the frame that was read last. */
  #date(nowMs: number): void {
    this.#heardAtMs = this.port.heardAtMs ?? nowMs;
    this.lagMs = Math.max(0, nowMs - this.#heardAtMs);
  }

  #tellQuiet(): void {
    const band = this.vad.quietBand;
    this.#quiet = band !== undefined;
    if (!band) return;
    const told = this.#told;
    const movedDb = Math.max(Math.abs(band.toDb - told.toDb), Math.abs(band.fromDb - told.fromDb));
    if (movedDb < BAND_STEP_DB) return;
    told.fromDb = band.fromDb;
    told.toDb = band.toDb;
    this.port.quiet = told;
  }

  /** What was said last is not recognised any more. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#preRoll.clear();
    this.#kept.clear();
    try {
      this.#closing.abort(OVER);
    } finally {
      this.vad.close();
    }
  }

  #attach(stt: SttStream | undefined): void {
    this.#stt = stt;
    if (stt) void this.#listen(stt);
  }

  /** What is being said is given to the next one from its beginning, once: it may be what the last one died of. */
  #replay(open: OpenStretch): boolean {
    if (!this.#stt || open.replayed || this.#kept.full) return false;
    open.replayed = true;
    open.heard = undefined;
    open.appends = this.#appends;
    this.#give(0);
    if (this.#speculated) this.#flush(open);
    return true;
  }

  /** One that cannot even be opened is none. */
  #another(): SttStream | undefined {
    try {
      return this.ears.open(this.#closing.signal, this.#frames.heard.sampleRateHz);
    } catch (error) {
      queueMicrotask(() => this.handlers.recogniserFailed(error, false));
      return undefined;
    }
  }

  /** Also called for a stream that ended without being asked to: nothing would ever be heard of it again. */
  #onFailed(stt: SttStream, error: unknown): void {
    if (this.#closed || this.#stt !== stt) return;
    this.#restarts += 1;
    const open = this.#open;
    const asked = this.#due.wanted - (open && this.#speculated && !this.#early ? 1 : 0);
    this.#due.clear();
    this.#attach(this.#restarts > RECOGNISER_RESTARTS_MAX ? undefined : this.#another());
    const replayed = open !== undefined && (this.#early !== undefined || this.#replay(open));
    if (open && !replayed) this.#abandon();
    this.handlers.recogniserFailed(error, asked > 0 || (open !== undefined && !replayed));
  }

  #push(nowMs: number): void {
    const { frame, heard } = this.#frames;
    const change = this.vad.push(frame);
    if (change) this.#date(nowMs);
    this.levels.push(this.vad.levelDb);
    this.#pausedFrames = this.#sounds(VOICE_RANGE_DB) ? 0 : this.#pausedFrames + 1;
    if (this.#pausedFrames === 0) this.#asked = 0;
    if (change?.type === 'start') this.loudestDb = this.vad.levelDb;
    else if (this.vad.speaking) this.loudestDb = Math.max(this.loudestDb, this.vad.levelDb);
    const resumed = change?.type === 'start' && this.#speculated;
    if (change?.type === 'start' && !this.#open) this.#begin(change.atSample);
    else if (resumed) this.#resume();
    else if (this.#speculated && this.vad.speaking && this.#pausedFrames === 0) {
      this.#resume();
      this.handlers.resumed();
    }
    if (this.#open) this.#kept.push(heard.samples);
    else this.#preRoll.push(heard.samples);
    if (this.#hearsAll || (this.#open && !this.#speculated)) this.#stt?.write(heard);
    if (change?.type === 'start') this.handlers.speechStart(this.#timeOf(change.atSample), resumed);
    if (change?.type === 'end') {
      this.handlers.speechEnd(this.#timeOf(change.atSample));
      this.#deliver();
    }
  }

  #begin(atSample: number): void {
    this.#open = { givenFrames: 0, replayed: false, appends: this.#appends };
    const sinceOnset = this.#framesSeen - Math.ceil(atSample / FRAME_SAMPLES);
    for (const earlier of this.#preRoll.beforeOnset(sinceOnset)) this.#kept.push(earlier);
    this.#preRoll.clear();
    if (!this.#hearsAll) this.#give(0);
  }
  /** Nothing more is heard of the open stretch: the next one begins at the next onset. */
  #abandon(): void {
    this.#open = undefined;
    this.#speculated = false;
    this.#kept.clear();
  }

  #resume(): void {
    const open = this.#open;
    this.#speculated = false;
    this.#forgetLast();
    if (!open || this.#hearsAll) return;
    if (open.appends) return this.#give(open.givenFrames);
    open.heard = undefined;
    this.#give(0);
  }
  get #appends(): boolean {
    return (this.#stt?.feed ?? 'whole-stretches') !== 'whole-stretches';
  }
  get #hearsAll(): boolean {
    return this.#stt?.feed === 'everything';
  }

  #onEarly(heard: Heard): void {
    this.#early = heard;
    if (this.handlers.early(heard) || !this.#early) return;
    this.#resume();
  }

  /** A final that came early is one. */
  #deliver(): void {
    const early = this.#early;
    if (!early || this.#closed) return;
    this.#early = undefined;
    this.handlers.final(early);
  }

  /** The kept frames of the open stretch from `first` on. */
  #give(first: number): void {
    const { sampleRateHz } = this.#frames.heard;
    for (const samples of this.#kept.from(first)) this.#stt?.write({ samples, sampleRateHz });
  }

  /** Interims are of what was written since the last final. */
  #onInterim(text: string): void {
    const before = this.#open?.heard?.text ?? '';
    this.handlers.interim(before === '' ? text : `${before} ${text}`);
  }

  #onFinal({ text, confidence, language }: Heard): void {
    const isEarly = this.#speculated && this.vad.speaking && this.pendingFinals === 1;
    const heard = this.#due.take({ text, confidence, ...(language !== undefined && { language }) });
    if (!heard) return;
    if (isEarly) this.#onEarly(heard);
    else this.handlers.final(heard);
  }

  /** When a stream position came over the wire. */
  #timeOf(sample: number): number {
    return this.#heardAtMs - (this.#framesSeen * FRAME_MS - (sample / TELEPHONE_RATE_HZ) * 1000);
  }

  async #listen(stt: SttStream): Promise<void> {
    try {
      for await (const event of stt) {
        if (this.#closed || this.#stt !== stt) return;
        if (event.type === 'interim') this.#onInterim(event.text);
        else this.#onFinal(event);
      }
      this.#onFailed(stt, new Error('the recogniser ended'));
    } catch (error) {
      this.#onFailed(stt, error);
    }
  }
}
