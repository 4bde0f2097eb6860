import type { RealtimeResult, RealtimeToken, SttSessionConfig } from '@soniox/node';
import type { WebSocket } from 'ws';
import { MULAW_DECODE } from '../../src/audio/g711.ts';
import type { Clock, Timer } from '../../src/core/clock.ts';
import { AudioTape } from './speech-service.ts';

/** What the service makes of one stretch, from one `finalize` to the next. */
export interface SonioxHeard {
  readonly text: string;
  /** Of each word, the last one's of all that follow. */
  readonly languages?: readonly string[];
  /**
   * - `whole`: all of it with the answer. - `early`: all was settled before; the answer has nothing else.
   * - `split`: it comes in two messages, the first of which ends in the middle of a word. - `twice`: the answer comes again.
   * - `unsettled`: words that may change came before, and there is no answer.
   */
  readonly as?: 'whole' | 'early' | 'split' | 'twice' | 'unsettled';
}

/** As it stands on the wire. */
export type SonioxStart = SttSessionConfig & { readonly api_key?: string };

export interface SonioxSetup {
  readonly clock: Clock;
  /** Why a session does not begin. */
  readonly judge: (start: SonioxStart) => SonioxError | undefined;
  /** What of it is heard; asked again for the same stretch when a connection was lost before it was answered. */
  readonly hears: (samples: Int16Array) => SonioxHeard;
  /** The stretch was answered. */
  readonly answered: () => void;
}

export interface SonioxError {
  readonly error_code: number;
  readonly error_type?: string;
}

/** Words of a stretch follow one another at this pace. */
export const SONIOX_WORD_MS = 200;
const PROGRESS_MS = 500;
const SETTLE_MS = 3_000;
/** Without audio or a sign of life. */
const IDLE_MS = 20_000;
const PIECE_LETTERS = 3;
const FORMATS: Readonly<Record<string, number>> = { mulaw: 1, pcm_s16le: 2 }; // bytes of a sample

/** One session of realtime transcription, in the order of messages of the service's documentation. */
export class SonioxListening extends AudioTape {
  start: SonioxStart | undefined;
  readonly controls: string[] = [];
  #samples: number[] = []; // of the stretch
  #stretchMs = 0; // where it began
  #settled = 0; // tokens of the stretch
  #toldMs = 0;
  #idle: Timer | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly setup: SonioxSetup,
  ) {
    super();
    this.#mindIdle();
    socket.on('close', () => setup.clock.clearTimer(this.#idle));
  }

  take(data: Buffer, isBinary: boolean): void {
    this.#mindIdle();
    if (!this.start) return this.#begin(data, isBinary);
    if (isBinary) return this.#onAudio(data);
    if (data.length === 0) return this.#end();
    const { type } = JSON.parse(data.toString('utf8')) as { type?: string };
    this.controls.push(type ?? '');
    if (type === 'finalize') this.#finalize();
    else if (type !== 'keepalive') this.fail({ error_code: 400, error_type: 'invalid_request' });
  }

  fail(error: SonioxError): void {
    this.#write({ tokens: [], ...error, error_message: `refused: ${JSON.stringify(this.start)}` });
    this.socket.close(1000);
  }

  #begin(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.fail({ error_code: 400, error_type: 'invalid_request' });
    this.start = JSON.parse(data.toString('utf8')) as SonioxStart;
    const error = this.setup.judge(this.start);
    if (error) this.fail(error);
  }

  get #rateHz(): number {
    return this.start?.sample_rate ?? 16_000;
  }
  get #nowMs(): number {
    return this.#stretchMs + (this.#samples.length * 1000) / this.#rateHz;
  }

  #onAudio(data: Buffer): void {
    this.pieces.push(data);
    if (FORMATS[this.start?.audio_format ?? ''] === 1) for (const code of data) this.#samples.push(MULAW_DECODE[code]!);
    else for (let at = 0; at + 1 < data.length; at += 2) this.#samples.push(data.readInt16LE(at));
    if (this.#nowMs - this.#toldMs < PROGRESS_MS) return;
    this.#toldMs = this.#nowMs;
    const due = this.#tokens().filter(({ start_ms: startMs }) => startMs! + SONIOX_WORD_MS <= this.#nowMs);
    const old = due.filter(({ start_ms: startMs }) => startMs! + SETTLE_MS <= this.#nowMs);
    this.#tell(due.slice(this.#settled, old.length), due.slice(Math.max(old.length, this.#settled)));
  }

  /** Words in pieces, a space before each but the first. */
  #tokens(): RealtimeToken[] {
    const { text, languages = [this.start?.language_hints?.[0] ?? 'en'] } = this.#heard();
    const words = text.split(' ').filter((word) => word !== '');
    return words.flatMap((word, n) => {
      const language = languages[n] ?? languages.at(-1);
      const spaced = n === 0 ? word : ` ${word}`;
      const startMs = Math.min(this.#nowMs, this.#stretchMs + n * SONIOX_WORD_MS);
      const endMs = Math.min(this.#nowMs, startMs + SONIOX_WORD_MS);
      const head = spaced.slice(0, PIECE_LETTERS);
      const pieces = [head, spaced.slice(head.length)].filter((piece) => piece !== '');
      return pieces.map((piece): RealtimeToken => {
        const times = { start_ms: Math.round(startMs), end_ms: Math.round(endMs) };
        return { text: piece, ...times, confidence: 0.97, is_final: false, language };
      });
    });
  }

  #heard(): SonioxHeard {
    return this.setup.hears(Int16Array.from(this.#samples));
  }

  #finalize(): void {
    const { as = 'whole' } = this.#heard();
    const rest = this.#tokens().slice(this.#settled);
    if (as === 'early') this.#tell(rest, []);
    if (as === 'split') this.#tell(rest.slice(0, 1), rest.slice(1));
    const left = { early: [], split: rest.slice(1), whole: rest, twice: rest, unsettled: [] }[as];
    if (as !== 'unsettled') this.#tell(left, [], ['<fin>']);
    if (as === 'twice') this.#tell([], [], ['<fin>']);
    if (this.#samples.length > 0) this.setup.answered();
    this.#stretchMs = this.#nowMs;
    this.#toldMs = this.#nowMs;
    this.#samples = [];
    this.#settled = 0;
  }

  #end(): void {
    this.#tell(this.#tokens().slice(this.#settled), []);
    this.#write({ tokens: [], ...this.#progress(), finished: true } satisfies RealtimeResult);
    this.socket.close(1000);
  }

  #tell(settled: readonly RealtimeToken[], pending: readonly RealtimeToken[], marks: readonly string[] = []): void {
    this.#settled += settled.length;
    const final = settled.map((token) => ({ ...token, is_final: true }));
    const ends = marks.map((text): RealtimeToken => ({ text, confidence: 1, is_final: true }));
    this.#write({ tokens: [...final, ...ends, ...pending], ...this.#progress() } satisfies RealtimeResult);
  }

  #progress(): Pick<RealtimeResult, 'final_audio_proc_ms' | 'total_audio_proc_ms'> {
    return { final_audio_proc_ms: Math.round(this.#stretchMs), total_audio_proc_ms: Math.round(this.#nowMs) };
  }

  #write(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  #mindIdle(): void {
    this.setup.clock.clearTimer(this.#idle);
    this.#idle = this.setup.clock.setTimer(IDLE_MS, () => {
      this.fail({ error_code: 408, error_type: 'request_timeout' });
    });
  }
}

/** Why the service would not begin with it, whoever sends it. */
export function startProblem(start: SonioxStart): SonioxError | undefined {
  const {
    model,
    audio_format: format,
    sample_rate: rateHz,
    num_channels: channels,
    language_hints: hints = [],
  } = start;
  const isRaw = FORMATS[format ?? ''] !== undefined && rateHz !== undefined && channels === 1;
  const areHints = new Set(hints).size === hints.length && hints.every((hint) => /^[a-z]{2}$/.test(hint));
  const isShort = JSON.stringify(start.context ?? '').length <= 10_000;
  if (typeof model === 'string' && /^stt-rt-/.test(model) && isRaw && areHints && isShort) return undefined;
  return { error_code: 400, error_type: 'invalid_request' };
}
