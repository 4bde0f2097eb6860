import type { Deepgram } from '@deepgram/sdk';
import type { WebSocket } from 'ws';
import { MULAW_DECODE } from '../../src/audio/g711.ts';
import { type ListenSetup, WORD_MS } from './deepgram-listening.ts';
import { AudioTape } from './speech-service.ts';

const UPDATE_MS = 250;
const QUIET = 50;
/** Silence after which it takes a turn for over, and then knows it is. */
const EAGER_MS = 160;
const END_MS = 800;

type Event = Deepgram.listen.ListenV2TurnInfo['event'];

/** One `listen` connection of Flux, by the state machine of its documentation. What is told of one turn is asked for from a test. */
export class FluxListening extends AudioTape {
  readonly controls: string[] = [];
  /** Longer than a frame: they keep the connection, or ask how far it has heard. */
  silences = 0;
  readonly #rateHz: number;
  #samples: number[] = []; // of the turn, with the silence before it
  #turnMs = 0; // where they begin
  #toldMs = 0;
  #quietMs = 0;
  #state: 'initial' | 'ongoing' | 'awaiting' = 'initial';
  #sequence = 0;
  #turn = 0;

  constructor(
    private readonly socket: WebSocket,
    private readonly setup: ListenSetup,
  ) {
    super();
    this.#rateHz = Number(setup.query.get('sample_rate') ?? 16_000);
    this.#say({ type: 'Connected', request_id: REQUEST } satisfies Omit<
      Deepgram.listen.ListenV2Connected,
      'sequence_id'
    >);
  }

  take(data: Buffer, isBinary: boolean): void {
    if (isBinary) return this.#onAudio(data);
    const { type } = JSON.parse(data.toString('utf8')) as { type: string };
    this.controls.push(type);
    if (type === 'ForceEndTurn') this.#force();
    if (type === 'CloseStream') this.socket.close(1000);
  }

  /** Of sound, so far. */
  get #heardMs(): number {
    return ((this.#samples.length - this.#loudAt) * 1000) / this.#rateHz;
  }
  get #nowMs(): number {
    return this.#turnMs + (this.#samples.length * 1000) / this.#rateHz;
  }
  /** The first sound of it. */
  get #loudAt(): number {
    return Math.max(
      0,
      this.#samples.findIndex((sample) => Math.abs(sample) >= QUIET),
    );
  }
  get #heard() {
    return this.setup.hears(Int16Array.from(this.#samples));
  }

  #onAudio(data: Buffer): void {
    const samples = this.#decoded(data);
    const isQuiet = samples.every((sample) => Math.abs(sample) < QUIET);
    if (isQuiet && samples.length > this.#rateHz / 50) this.silences += 1;
    else this.pieces.push(data);
    for (const sample of samples) {
      this.#samples.push(sample);
      this.#hear(Math.abs(sample) >= QUIET);
    }
    if (this.#nowMs - this.#toldMs < UPDATE_MS) return;
    this.#tell('Update');
  }

  #hear(isLoud: boolean): void {
    this.#quietMs = isLoud ? 0 : this.#quietMs + 1000 / this.#rateHz;
    if (this.#state === 'initial' && isLoud && this.#heardMs >= WORD_MS && this.#heard.text !== '') {
      this.#go('ongoing', 'StartOfTurn');
    } else if (this.#state === 'awaiting' && isLoud) this.#go('ongoing', 'TurnResumed');
    else if (this.#state === 'ongoing' && this.#quietMs >= EAGER_MS && this.setup.query.has('eager_eot_threshold')) {
      this.#go('awaiting', 'EagerEndOfTurn');
    } else if (this.#state !== 'initial' && this.#quietMs >= END_MS) this.#end('model');
  }

  #go(state: 'ongoing' | 'awaiting', event: Event): void {
    this.#state = state;
    this.#tell(event);
  }

  #force(): void {
    if (this.#samples.length === 0) return;
    const { text, as = 'whole' } = this.#heard;
    if (as === 'ignored') return;
    if (text === '') return this.#next();
    if (this.#state === 'initial') this.#go('ongoing', 'StartOfTurn');
    this.#end(as === 'ended' ? 'model' : 'manual', as === 'twice');
  }

  #end(trigger: string, twice = false): void {
    this.#state = 'initial';
    this.#tell('EndOfTurn', trigger);
    if (twice) this.#tell('EndOfTurn', trigger);
    this.#next();
  }

  /** Another turn begins, sooner or later. */
  #next(): void {
    this.#turn += 1;
    this.#turnMs = this.#nowMs;
    this.#samples = [];
    this.#quietMs = 0;
    this.setup.answered();
  }

  #decoded(data: Buffer): number[] {
    if (this.setup.query.get('encoding') === 'mulaw') return Array.from(data, (code) => MULAW_DECODE[code]!);
    return Array.from({ length: data.length >> 1 }, (_, i) => data.readInt16LE(i * 2));
  }

  #tell(event: Event, trigger?: string): void {
    const isTurn = this.#state !== 'initial' || event === 'EndOfTurn';
    const all = isTurn ? this.#heard.text.split(' ').filter((word) => word !== '') : [];
    const saidMs = this.#turnMs + (this.#loudAt * 1000) / this.#rateHz;
    const due = Math.floor((this.#nowMs - saidMs) / WORD_MS);
    const isWhole = event === 'EndOfTurn' || this.#state === 'awaiting';
    const words = all.slice(0, isWhole ? undefined : due).map((word, i) => {
      const start = Math.min(this.#nowMs, saidMs + i * WORD_MS) / 1000;
      return { word, confidence: 0.97, start, end: Math.min(this.#nowMs / 1000, start + WORD_MS / 1000) };
    });
    this.#toldMs = this.#nowMs;
    this.#say({
      ...{ type: 'TurnInfo', request_id: REQUEST, event, turn_index: this.#turn, words },
      ...{ audio_window_start: this.#turnMs / 1000, audio_window_end: this.#nowMs / 1000 },
      ...{ transcript: words.map(({ word }) => word).join(' '), end_of_turn_confidence: isWhole ? 0.9 : 0.1 },
      ...(trigger !== undefined && { trigger }),
    } satisfies Omit<Deepgram.listen.ListenV2TurnInfo, 'sequence_id'>);
  }

  #say(message: object): void {
    this.socket.send(JSON.stringify({ ...message, sequence_id: this.#sequence }));
    this.#sequence += 1;
  }
}

const REQUEST = '7b1c0e54-0000-4000-8000-000000000005';
