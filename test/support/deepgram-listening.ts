import type { Deepgram } from '@deepgram/sdk';
import type { WebSocket } from 'ws';
import { MULAW_DECODE } from '../../src/audio/g711.ts';
import type { Clock, Timer } from '../../src/core/clock.ts';
import { AudioTape } from './speech-service.ts';

/** What the service makes of one stretch, from one `Finalize` to the next. */
export interface Heard {
  readonly text: string;
  readonly languages?: readonly string[];
  /**
   * - `whole`: all words with the answer to the flush. - `early`: all were settled before; the answer has none.
   * - `twice`: the answer comes again. - `unanswered`: words are settled, and the flush is not answered.
   * - `ignored`: nothing is said at all. - `ended`: of Flux, which took the turn for over just before.
   */
  readonly as?: 'whole' | 'early' | 'twice' | 'unanswered' | 'ignored' | 'ended';
}

export interface ListenSetup {
  readonly query: URLSearchParams;
  readonly clock: Clock;
  /** What of it is heard; asked again for the same stretch when a connection was lost before it was answered. */
  readonly hears: (samples: Int16Array) => Heard;
  /** The stretch was answered. */
  readonly answered: () => void;
}

/** Words of a stretch that is still being spoken come at this pace. */
export const WORD_MS = 200;
const INTERIM_MS = 500;
const SETTLE_MS = 3_000;
const IDLE_MS = 10_000;
const QUIET = 50;

/** One `listen` connection, in the order of events of the service's documentation. */
export class DeepgramListening extends AudioTape {
  readonly controls: string[] = [];
  readonly #rateHz: number;
  readonly #isMulaw: boolean;
  #samples: number[] = []; // of the stretch
  #stretchMs = 0; // where it began
  #settledMs = 0;
  #interimMs = 0;
  #wordsSettled = 0; // of the stretch
  #quietMs = 0;
  #idle: Timer | undefined;

  constructor(
    private readonly socket: WebSocket,
    private readonly setup: ListenSetup,
  ) {
    super();
    this.#rateHz = Number(setup.query.get('sample_rate') ?? 16_000);
    this.#isMulaw = setup.query.get('encoding') === 'mulaw';
    this.#mindIdle();
    socket.on('close', () => setup.clock.clearTimer(this.#idle));
  }

  take(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.#onAudio(data);
    const { type } = JSON.parse(data.toString('utf8')) as { type: string };
    this.controls.push(type);
    this.#mindIdle();
    if (type === 'Finalize') this.#finalize();
    if (type === 'CloseStream') this.#close();
  }

  get #nowMs(): number {
    return this.#stretchMs + (this.#samples.length * 1000) / this.#rateHz;
  }

  #onAudio(data: Buffer): void {
    this.pieces.push(data);
    this.#mindIdle();
    for (const sample of this.#decoded(data)) {
      this.#samples.push(sample);
      this.#quietMs = Math.abs(sample) < QUIET ? this.#quietMs + 1000 / this.#rateHz : 0;
    }
    const endpointing = Number(this.setup.query.get('endpointing') ?? 10);
    const nowMs = this.#nowMs;
    if (this.#quietMs >= endpointing && nowMs - this.#settledMs > endpointing + INTERIM_MS) this.#settle(true);
    else if (nowMs - this.#settledMs >= SETTLE_MS) this.#settle(false);
    else if (nowMs - this.#interimMs >= INTERIM_MS) {
      this.#interimMs = nowMs;
      const { words, languages } = this.#words('so far');
      if (this.setup.query.get('interim_results') === 'true') this.#send(words, {}, languages);
    }
  }

  #decoded(data: Buffer): Iterable<number> {
    if (this.#isMulaw) return Array.from(data, (code) => MULAW_DECODE[code]!);
    return Array.from({ length: data.length >> 1 }, (_, i) => data.readInt16LE(i * 2));
  }

  #finalize(): void {
    const heard = this.setup.hears(Int16Array.from(this.#samples));
    const { as = 'whole' } = heard;
    const nothing = this.#samples.length === 0;
    if (!nothing && (as === 'early' || as === 'unanswered')) {
      const { words, languages } = this.#words('all');
      this.#send(words, { is_final: true, speech_final: true }, languages);
      this.#settledMs = this.#nowMs;
    }
    const rest = as === 'whole' || as === 'twice' ? this.#words('all') : { words: [] };
    const answer = (): void => this.#send(rest.words, { is_final: true, from_finalize: true }, rest.languages);
    if (as !== 'unanswered' && as !== 'ignored') answer();
    if (as === 'twice') answer();
    if (!nothing) this.setup.answered();
    this.#stretchMs = this.#nowMs;
    this.#settledMs = this.#nowMs;
    this.#samples = [];
    this.#wordsSettled = 0;
    this.#quietMs = 0;
  }

  #settle(speechFinal: boolean): void {
    const { words, languages } = this.#words('so far');
    this.#send(words, { is_final: true, speech_final: speechFinal }, languages);
    this.#wordsSettled += words.length;
    this.#settledMs = this.#nowMs;
    this.#interimMs = this.#nowMs;
    this.#quietMs = 0;
  }

  /** Words that are not settled; of the last one's end the stretch's own. */
  #words(which: 'so far' | 'all') {
    const { text, languages } = this.setup.hears(Int16Array.from(this.#samples));
    const all = text.split(' ').filter((word) => word !== '');
    const due = Math.floor((this.#nowMs - this.#stretchMs) / WORD_MS);
    const words = all.slice(this.#wordsSettled, which === 'all' ? undefined : due).map((written, i) => {
      const start = Math.min(this.#nowMs, this.#stretchMs + (this.#wordsSettled + i) * WORD_MS);
      const end = Math.min(this.#nowMs, start + WORD_MS);
      const word = written.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
      return { word, start: start / 1000, end: end / 1000, confidence: 0.97, punctuated_word: written };
    });
    return { words, ...(languages && { languages: [...languages] }) };
  }

  #send(
    words: Deepgram.listen.ListenV1Results.Channel.Alternatives.Item.Words.Item[],
    flags: { is_final?: boolean; speech_final?: boolean; from_finalize?: boolean },
    languages?: string[],
  ): void {
    const transcript = words.map(({ punctuated_word, word }) => punctuated_word ?? word).join(' ');
    const alternative = { transcript, confidence: words.length > 0 ? 0.97 : 0, words };
    const results = {
      ...{ type: 'Results', channel_index: [0, 1] },
      ...{ start: this.#settledMs / 1000, duration: (this.#nowMs - this.#settledMs) / 1000 },
      ...{ is_final: false, speech_final: false, from_finalize: false, ...flags },
      channel: { alternatives: [{ ...alternative, ...(languages && { languages }) }] },
      metadata: {
        ...{ request_id: '7b1c0e54-0000-4000-8000-000000000001', model_uuid: '7b1c0e54-0000-4000-8000-000000000002' },
        model_info: { name: 'general-nova-3', version: '2026-01-01.0', arch: 'nova-3' },
      },
    } satisfies Deepgram.listen.ListenV1Results;
    this.socket.send(JSON.stringify(results));
  }

  #close(): void {
    const metadata = {
      ...{ type: 'Metadata', transaction_key: 'deprecated', request_id: '7b1c0e54-0000-4000-8000-000000000001' },
      ...{ sha256: '0'.repeat(64), created: '2026-01-01T00:00:00.000Z', duration: this.#nowMs / 1000, channels: 1 },
    } satisfies Deepgram.listen.ListenV1Metadata;
    this.socket.send(JSON.stringify(metadata));
    this.socket.close(1000);
  }

  #mindIdle(): void {
    this.setup.clock.clearTimer(this.#idle);
    this.#idle = this.setup.clock.setTimer(IDLE_MS, () => this.socket.close(1011, 'NET-0001'));
  }
}
