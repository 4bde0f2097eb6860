import { FRAME_MS, TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { Language } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import { OVER } from '../core/over.ts';
import type { SpeechMark, TtsChunk, TtsStream } from '../engines/tts/contract.ts';
import type { AgentAudio } from './line.ts';
import { type SpokenPiece, splitAtHeard } from './transcript.ts';

/** Synthesised audio waiting for room in the media port; beyond it synthesis is not read further (back-pressure). */
const PENDING_SAMPLES_MAX = 2 * TELEPHONE_RATE_HZ;
/** What was written plays for seconds: more is not needed any sooner. */
const REST_MS = 160;
/**
 * Sentences of one utterance waiting for synthesis; beyond it whoever writes them waits (back-pressure). What was said of an
 * utterance is kept to its end: that is bounded by the length of the call.
 */
export const SENTENCES_WAITING_MAX = 50;

export interface SpeechOutputHandlers {
  /** First audio of the utterance came from the synthesiser. */
  firstAudio(atMs: number): void;
  /** First packet of the utterance left. */
  firstPacket(atMs: number): void;
  /** Everything was said and played, after `finish`. */
  done(): void;
  failed(error: unknown): void;
}

export interface HeardOfUtterance {
  readonly heard: string;
  readonly unheard: string;
  readonly heardMs: number;
}

/** Text to audio at the telephone rate, normalised and in the right voice. */
export type Synthesize = (text: string, language: Language, signal: AbortSignal) => TtsStream;

interface Piece {
  readonly text: string;
  readonly language: Language;
  startSample: number; // media position of its first sample, -1 before
  synthesised: number; // samples made of it so far
  complete: boolean; // all of them
  readonly marks: SpeechMark[]; // of its words, where the synthesiser gives them
}

/**
 * One thing the agent says, from the first sentence to the last sample played. Sentences are synthesised in order while
 * earlier ones play. An utterance is used once; `cut` ends it at any moment and tells what was heard.
 */
export class Utterance {
  readonly #abort = new AbortController();
  readonly #pieces: Piece[] = []; // all of it, in order
  #begun = 0; // pieces given to the synthesiser so far
  #pending: Int16Array[] = [];
  #pendingOwner: Piece[] = [];
  #pendingSamples = 0;
  #room: (() => void) | undefined; // lets synthesis go on
  #turn: (() => void) | undefined; // lets the writer go on
  #synthesising = false;
  #finished = false;
  #ended = false;
  #firstAudio = false;
  #firstAudioMs = 0;
  #firstPacket = false;
  /** Until then `pump` would find nothing to do: what is written plays, and whatever else comes ends the rest. */
  restsUntilMs = 0;
  /** Characters given to the synthesiser: what is charged. */
  characters = 0;

  constructor(
    private readonly port: AgentAudio,
    private readonly synthesize: Synthesize,
    private readonly clock: Clock,
    private readonly handlers: SpeechOutputHandlers,
  ) {}

  /** Queues a sentence. @returns what to wait for before the next one, or undefined when there is room for it. */
  say(text: string, language: Language): Promise<void> | undefined {
    if (this.#abort.signal.aborted || text.trim() === '') return undefined;
    this.#pieces.push({ text, language, startSample: -1, synthesised: 0, complete: false, marks: [] });
    this.restsUntilMs = 0;
    if (!this.#synthesising) void this.#run();
    if (this.#waiting < SENTENCES_WAITING_MAX) return undefined;
    return new Promise((resolve) => {
      this.#turn = resolve;
    });
  }

  /** No more sentences: `done` follows when all is played (at once for an empty utterance). */
  finish(): void {
    this.#finished = true;
    this.restsUntilMs = 0;
  }

  /** Moves audio to the wire queue and notices the end; called every 20 ms, at `restsUntilMs` and whenever audio arrives. */
  pump(): void {
    if (this.#ended) return;
    while (this.#pending.length > 0) {
      const chunk = this.#pending[0]!;
      const piece = this.#pendingOwner[0]!;
      if (piece.startSample < 0) piece.startSample = this.port.writtenSamples;
      const taken = this.port.write(chunk);
      this.#pendingSamples -= taken;
      if (taken < chunk.length) {
        this.#pending[0] = chunk.subarray(taken);
        break;
      }
      this.#pending.shift();
      this.#pendingOwner.shift();
    }
    if (this.#pendingSamples < PENDING_SAMPLES_MAX) this.#makeRoom();
    this.#noticeFirstPacket();
    if (this.#finished && !this.#synthesising && this.#pending.length === 0 && this.#allPlayed()) {
      this.#ended = true;
      this.handlers.done();
    } else this.#rest();
  }

  /** No longer than until its last sample: what follows an utterance follows at once. */
  #rest(): void {
    if (!this.#firstPacket) return;
    const leftMs = ((this.port.writtenSamples - this.port.playedSamples) * 1000) / TELEPHONE_RATE_HZ;
    this.restsUntilMs = this.clock.nowMs() + Math.min(REST_MS, leftMs - FRAME_MS);
  }

  /** Nothing more is made of it: what exists is played, then `done` follows. */
  leaveOff(): void {
    this.#stop();
    this.#synthesising = false; // whether the engine heeds the signal or not
    this.finish();
  }

  /**
   * Stops at once: synthesis aborted, queued audio dropped.
   * @returns the text the caller heard, and the rest.
   */
  cut(): HeardOfUtterance {
    const wasEnded = this.#ended;
    this.#ended = true;
    this.#stop();
    this.#pending = [];
    this.#pendingOwner = [];
    const heard = this.heard();
    if (!wasEnded) this.port.clear();
    return heard;
  }

  /** The text the caller heard so far, and the rest. */
  heard(): HeardOfUtterance {
    const played = this.port.playedSamples;
    const first = this.#pieces.find((piece) => piece.startSample >= 0);
    const heardMs = first ? (Math.max(0, played - first.startSample) * 1000) / TELEPHONE_RATE_HZ : 0;
    return { ...splitAtHeard(this.#pieces.map((piece) => this.#progress(piece, played))), heardMs };
  }

  #progress(piece: Piece, played: number): SpokenPiece {
    const playedSamples =
      piece.startSample < 0 ? 0 : Math.max(0, Math.min(piece.synthesised, played - piece.startSample));
    const { text, synthesised: synthesisedSamples, complete, marks } = piece;
    const heardChars = charsHeard(marks, (playedSamples * 1000) / TELEPHONE_RATE_HZ);
    return { text, synthesisedSamples, playedSamples, complete, ...(heardChars !== undefined && { heardChars }) };
  }

  #allPlayed(): boolean {
    return this.port.playedSamples >= this.port.writtenSamples;
  }

  #noticeFirstPacket(): void {
    const startSample = this.#pieces.find((piece) => piece.startSample >= 0)?.startSample;
    if (this.#firstPacket || startSample === undefined || this.port.playedSamples <= startSample) return;
    const startedAt = this.port.talkStartedAtMs;
    if (startedAt === undefined) return;
    this.#firstPacket = true;
    // Behind other words it began when it was their turn, not when those did.
    const sinceMs = ((this.port.playedSamples - startSample) * 1000) / TELEPHONE_RATE_HZ;
    this.handlers.firstPacket(startedAt < this.#firstAudioMs ? this.clock.nowMs() - sinceMs : startedAt);
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort;
    this.#synthesising = true;
    try {
      for (let piece = this.#next(); piece; piece = this.#next()) {
        this.characters += [...piece.text].length;
        for await (const chunk of this.synthesize(piece.text, piece.language, signal)) {
          if (signal.aborted) return;
          this.#accept(chunk, piece);
          if (this.#pendingSamples >= PENDING_SAMPLES_MAX) await this.#waitForRoom();
          if (signal.aborted) return;
        }
        if (signal.aborted) return; // an engine that was told to stop ends without an error
        piece.complete = true;
      }
    } catch (error) {
      if (!signal.aborted) this.handlers.failed(error);
    } finally {
      this.#synthesising = false;
      this.restsUntilMs = 0;
    }
  }

  get #waiting(): number {
    return this.#pieces.length - this.#begun;
  }

  #next(): Piece | undefined {
    const piece = this.#pieces[this.#begun];
    if (piece) this.#begun += 1;
    if (this.#waiting < SENTENCES_WAITING_MAX) this.#turn?.();
    return piece;
  }

  /** Nobody waits for anything any more. */
  #stop(): void {
    this.#abort.abort(OVER);
    this.#makeRoom();
    this.#turn?.();
  }

  #accept(chunk: TtsChunk, piece: Piece): void {
    if (!this.#firstAudio) {
      this.#firstAudio = true;
      this.#firstAudioMs = this.clock.nowMs();
      this.handlers.firstAudio(this.#firstAudioMs);
    }
    piece.synthesised += chunk.length;
    if (chunk.marks) piece.marks.push(...chunk.marks);
    this.#pending.push(chunk);
    this.#pendingOwner.push(piece);
    this.#pendingSamples += chunk.length;
    this.pump();
  }

  #waitForRoom(): Promise<void> {
    return new Promise((resolve) => {
      this.#room = resolve;
    });
  }
  #makeRoom(): void {
    this.#room?.();
    this.#room = undefined;
  }
}

/** The end of the last word that the next one follows: a word is heard when it is over. Undefined without marks. */
function charsHeard(marks: readonly SpeechMark[], playedMs: number): number | undefined {
  if (marks.length === 0) return undefined;
  const next = marks.findIndex(({ atMs }) => atMs > playedMs);
  return next < 0 ? (marks.at(-2)?.charEnd ?? 0) : next < 2 ? 0 : marks[next - 2]!.charEnd;
}
