import { littleEndian, type PcmFrame, WIDEBAND_RATE_HZ } from '../../../audio/pcm.ts';
import { createResampler, type Resampler } from '../../../audio/resampler.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { AudioTimes } from '../../stt/audio-times.ts';
import type { Hearing, HearingEvents } from '../listen-stream.ts';
import type { AskedStretch } from '../stretch-joiner.ts';
import { EventSocket, type EventSocketRequest } from './event-socket.ts';
import type { WyomingEvent } from './events.ts';

/** Audio of one event. */
const PIECE_MS = 100;
const FORMAT = { rate: WIDEBAND_RATE_HZ, width: 2, channels: 1 } as const;
/** Servers tell none. */
const CONFIDENCE = 0.8;
const TEXT_CHARS_MAX = 10_000;

/** What a server is to hear with. */
export interface Transcribe {
  readonly name?: string;
  readonly language: string; // two letters
}

/** A stretch of speech and the connection that it goes over. */
interface Spoken {
  readonly socket: EventSocket;
  asked?: AskedStretch;
  soFar: string;
  heard?: { readonly text: string; readonly language?: string };
}

/**
 * Ears of a Wyoming server. Servers hear one stretch a connection, from `transcribe` to `transcript`, and many hang up then: each stretch
 * has one of its own, so that the next one may begin while the last is still being understood. The first is made at once.
 */
export class WyomingHearing implements Hearing {
  readonly times = new AudioTimes();
  readonly openedAtMs: number;
  #isOpen = false;
  #ready: Spoken | undefined; // connected, nothing said
  #spoken: Spoken | undefined; // is being said
  readonly #asked: Spoken[] = []; // was said, in order: `ListenStream` limits them
  #askedMs = 0; // of what was given, up to the last flush
  #resampler: Resampler | undefined;
  #piece: Int16Array[] = []; // not sent so far
  #pieceSamples = 0;

  constructor(
    private readonly request: EventSocketRequest,
    private readonly transcribe: Transcribe,
    private readonly events: HearingEvents,
  ) {
    this.openedAtMs = request.clock.nowMs();
    this.#ready = this.#connect();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  write({ samples, sampleRateHz }: PcmFrame): void {
    if (!this.#spoken) this.#begin();
    this.#resampler ??= createResampler(sampleRateHz, WIDEBAND_RATE_HZ);
    this.#push(this.#resampler.push(samples));
    if (this.#pieceSamples * 1000 >= PIECE_MS * WIDEBAND_RATE_HZ) this.#sendPiece();
  }

  flush(): void {
    const spoken = this.#spoken;
    if (!spoken) return;
    if (this.#resampler) this.#push(this.#resampler.flush());
    this.#sendPiece();
    this.#resampler = undefined;
    this.#spoken = undefined;
    spoken.asked = { fromMs: this.#askedMs, toMs: this.times.givenMs };
    this.#askedMs = this.times.givenMs;
    this.#asked.push(spoken);
    spoken.socket.send('audio-stop');
    this.#answer();
  }

  close(): void {
    this.destroy();
  }

  destroy(): void {
    this.#isOpen = false;
    for (const { socket } of this.#all()) socket.destroy();
  }

  #all(): Spoken[] {
    return [this.#ready, this.#spoken, ...this.#asked].filter((spoken) => spoken !== undefined);
  }

  #connect(): Spoken {
    const spoken: Spoken = {
      soFar: '',
      socket: new EventSocket(this.request, {
        opened: () => this.#onOpened(),
        event: (event) => this.#onEvent(spoken, event),
        ended: (failure) => this.#onEnded(spoken, failure),
      }),
    };
    return spoken;
  }

  #onOpened(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.events.opened();
  }

  #begin(): void {
    this.#spoken = this.#ready ?? this.#connect();
    this.#ready = undefined;
    this.#spoken.socket.send('transcribe', this.transcribe);
    this.#spoken.socket.send('audio-start', FORMAT);
  }

  #push(samples: Int16Array): void {
    this.#piece.push(samples);
    this.#pieceSamples += samples.length;
  }

  #sendPiece(): void {
    if (this.#pieceSamples === 0) return;
    this.#spoken?.socket.send(
      'audio-chunk',
      FORMAT,
      Buffer.concat(this.#piece.map((samples) => littleEndian(samples))),
    );
    this.#piece = [];
    this.#pieceSamples = 0;
  }

  #onEvent(spoken: Spoken, { type, data }: WyomingEvent): void {
    const { text, language } = data;
    if (type === 'error') return this.#fail(new ChatFailure('broken', 'an error of the server'));
    if (type !== 'transcript' && type !== 'transcript-chunk') return;
    if (typeof text !== 'string') return this.#fail(new ChatFailure('garbage', 'a transcript without a text'));
    if (type === 'transcript-chunk') {
      spoken.soFar = `${spoken.soFar}${text}`.slice(0, TEXT_CHARS_MAX);
      if (this.#asked.length === 0 && spoken.soFar.trim() !== '') this.events.interim(spoken.soFar.trim());
      return;
    }
    const isTold = typeof language === 'string' && /^[a-z]{2}\b/i.test(language);
    spoken.heard ??= {
      text: text.replace(/\s+/g, ' ').trim().slice(0, TEXT_CHARS_MAX),
      ...(isTold && { language: language.slice(0, 2).toLowerCase() }),
    };
    this.#answer();
  }

  /** In the order in which it was asked, whichever server is first. */
  #answer(): void {
    for (let first = this.#asked[0]; first?.heard && first.asked; first = this.#asked[0]) {
      this.#asked.shift();
      first.socket.destroy();
      const confidence = first.heard.text === '' ? 0 : CONFIDENCE;
      this.events.answered({ ...first.asked, ...first.heard, confidence, words: [] });
    }
  }

  /** A connection that was not needed yet, or that has answered, may end. */
  #onEnded(spoken: Spoken, failure: ChatFailure): void {
    if (this.#isOpen && spoken === this.#ready) this.#ready = undefined;
    else if (!spoken.heard) this.#fail(failure);
  }

  #fail(failure: ChatFailure): void {
    this.destroy();
    this.events.ended(failure);
  }
}
