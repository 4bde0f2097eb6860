import type { WebSocket } from 'ws';
import { MULAW_DECODE } from '../../src/audio/g711.ts';
import type { Clock, Timer } from '../../src/core/clock.ts';
import type { ScribeChunk, ScribeError, ScribeMessage, ScribeWord } from './scribe-messages.ts';
import { AudioTape } from './speech-service.ts';

/** What the service makes of one stretch, from one commit to the next. */
export interface ScribeHeard {
  readonly text: string;
  readonly language?: string; // as the service writes it
  /**
   * - `whole`: the text, and the same with words. - `twice`: both come again; `again`: before the answer to the next commit.
   * - `wordless`: the text alone. - `late`: its words come before the answer to the next commit.
   * - `unsettled`: words that may change came before, and the commit is not answered. - `throttled`: it was too little to hear.
   */
  readonly as?: 'whole' | 'twice' | 'again' | 'wordless' | 'late' | 'unsettled' | 'throttled';
}

export interface ScribeSetup {
  readonly query: URLSearchParams;
  readonly clock: Clock;
  /** What of it is heard; asked again for the same stretch when a connection was lost before it was answered. */
  readonly hears: (samples: Int16Array) => ScribeHeard;
  /** The stretch was answered. */
  readonly answered: () => void;
}

/** Words of a stretch follow one another at this pace. */
export const SCRIBE_WORD_MS = 200;
const PARTIAL_MS = 500;
/** A commit of less is refused. */
const COMMIT_MS_MIN = 300;
/** Without any audio. */
const IDLE_MS = 15_000;
const CHUNK_BYTES_MAX = 100_000;
const QUIET = 50;

/** One session of realtime transcription, in the order of messages of the service's documentation. */
export class ScribeListening extends AudioTape {
  /** Pieces of audio that were nothing but silence, which is not kept. */
  silences = 0;
  commits = 0;
  readonly #rateHz: number;
  readonly #isMulaw: boolean;
  #chunks = 0;
  #ms = 0; // of all audio
  #samples: number[] = []; // that are not silence, since the last commit
  #speechAtMs = 0; // where those begin
  #uncommittedMs = 0;
  #partialMs = 0;
  #again: () => void = () => {};
  #idle: Timer | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly setup: ScribeSetup,
  ) {
    super();
    const format = setup.query.get('audio_format') ?? 'pcm_16000';
    this.#isMulaw = format.startsWith('ulaw');
    this.#rateHz = Number(format.split('_')[1]);
    socket.on('close', () => setup.clock.clearTimer(this.#idle));
  }

  begin(): void {
    const { query } = this.setup;
    this.#mindIdle();
    this.#say({
      ...{ message_type: 'session_started', session_id: '7b1c0e5400004000800000000000000a' },
      config: {
        ...{ sample_rate: this.#rateHz, language_code: query.get('language_code'), commit_strategy: 'manual' },
        ...{ model_id: query.get('model_id') ?? '', keyterms: query.getAll('keyterms') },
        include_timestamps: query.get('include_timestamps') === 'true',
      },
    });
  }

  take(data: Buffer): void {
    this.#mindIdle();
    const chunk = JSON.parse(data.toString('utf8')) as Partial<ScribeChunk>;
    const { message_type: type, audio_base_64: base64, commit, sample_rate: rateHz, previous_text: before } = chunk;
    if (type !== 'input_audio_chunk' || typeof base64 !== 'string' || typeof commit !== 'boolean')
      return this.fail('input_error');
    if (rateHz !== this.#rateHz || (before !== undefined && this.#chunks > 0)) return this.fail('input_error');
    const audio = Buffer.from(base64, 'base64');
    if (audio.length > CHUNK_BYTES_MAX) return this.fail('chunk_size_exceeded');
    this.#chunks += 1;
    this.#onAudio(audio);
    if (commit) this.#commit();
  }

  override keep(data: Buffer): void {
    const { audio_base_64: base64 } = JSON.parse(data.toString('utf8')) as ScribeChunk;
    this.pieces.push(Buffer.from(base64, 'base64'));
  }

  fail(type: ScribeError['message_type']): void {
    this.#say({ message_type: type, error: `refused: ${this.setup.query}` });
    if (type !== 'commit_throttled') this.socket.close(1000);
  }

  #onAudio(audio: Buffer): void {
    const samples = [...this.#decoded(audio)];
    const ms = (samples.length * 1000) / this.#rateHz;
    const isSilent = samples.every((sample) => Math.abs(sample) < QUIET);
    if (isSilent && samples.length > 0) this.silences += 1;
    if (!isSilent) {
      this.pieces.push(audio);
      if (this.#samples.length === 0) this.#speechAtMs = this.#ms;
      for (const sample of samples) this.#samples.push(sample);
    }
    this.#ms += ms;
    this.#uncommittedMs += ms;
    if (isSilent || this.#spokenMs - this.#partialMs < PARTIAL_MS) return;
    this.#partialMs = this.#spokenMs;
    const said = this.#heard()
      .text.split(' ')
      .slice(0, Math.floor(this.#spokenMs / SCRIBE_WORD_MS));
    if (said.join('') === '') return;
    this.#say({ message_type: 'partial_transcript', text: said.join(' ') });
  }

  get #spokenMs(): number {
    return (this.#samples.length * 1000) / this.#rateHz;
  }

  *#decoded(data: Buffer): Iterable<number> {
    if (this.#isMulaw) for (const code of data) yield MULAW_DECODE[code]!;
    else for (let at = 0; at + 1 < data.length; at += 2) yield data.readInt16LE(at);
  }

  #heard(): ScribeHeard {
    return this.setup.hears(Int16Array.from(this.#samples));
  }

  #commit(): void {
    this.commits += 1;
    if (this.#uncommittedMs < COMMIT_MS_MIN) return this.fail('commit_throttled');
    const heard = this.#heard();
    const { as = 'whole' } = heard;
    const startMs = this.#speechAtMs;
    const words = (): void => this.#sayWords(heard, startMs);
    const both = (): void => {
      this.#sayText(heard);
      words();
    };
    this.#again();
    this.#again = as === 'again' ? both : as === 'late' ? words : () => {};
    if (as === 'throttled') this.fail('commit_throttled');
    else if (as === 'wordless' || as === 'late') this.#sayText(heard);
    else if (as !== 'unsettled') both();
    if (as === 'twice') both();
    this.setup.answered();
    this.#samples = [];
    this.#uncommittedMs = 0;
    this.#partialMs = 0;
  }

  #sayText({ text }: ScribeHeard): void {
    this.#say({ message_type: 'committed_transcript', text });
  }

  #sayWords({ text, language }: ScribeHeard, startMs: number): void {
    if (this.setup.query.get('include_timestamps') !== 'true') return;
    this.#say({
      ...{ message_type: 'committed_transcript_with_timestamps', text, words: this.#words(text, startMs) },
      language_code: language ?? this.setup.query.get('language_code'),
    });
  }

  #words(text: string, startMs: number): ScribeWord[] {
    const words = text.split(' ').filter((word) => word !== '');
    return words.flatMap((word, i): ScribeWord[] => {
      const start = (startMs + i * SCRIBE_WORD_MS) / 1000;
      const end = start + (SCRIBE_WORD_MS - 20) / 1000;
      const spacing = { text: ' ', start: end, end: end + 0.02, type: 'spacing' as const };
      return [...(i > 0 ? [spacing] : []), { text: word, start, end, type: 'word', logprob: -0.03 }];
    });
  }

  #say(message: ScribeMessage): void {
    this.socket.send(JSON.stringify(message));
  }

  #mindIdle(): void {
    this.setup.clock.clearTimer(this.#idle);
    this.#idle = this.setup.clock.setTimer(IDLE_MS, () => this.fail('insufficient_audio_activity'));
  }
}
