import { littleEndian, type PcmFrame, TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import { createResampler, type Resampler } from '../../../audio/resampler.ts';
import type { Timer } from '../../../core/clock.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import type { SttHints, SttOptions } from '../../stt/contract.ts';
import type { HearingEvents } from '../listen-stream.ts';
import type { SocketRequest } from '../remote-socket.ts';
import { sentAudio } from '../sent-audio.ts';
import { SocketHearing } from '../socket-hearing.ts';
import type { AskedStretch } from '../stretch-joiner.ts';
import { REALTIME_PCM_HZ, type RealtimeEvent, readRealtime, sessionUpdate } from './realtime-messages.ts';
import { recites } from './transcription-prompt.ts';

const KEEP_ALIVE_MS = 5_000;
/** A flush that is not answered: such models begin when the stretch is whole. */
const ANSWER_MS = 4_000;
/** Of words that the service has not settled. */
const UNSETTLED_CONFIDENCE = 0.5;
/** The service refuses what is shorter: silence is put behind it. */
const STRETCH_MS_MIN = 100;
/** Items of which something is remembered, and letters of one. */
const ITEMS_MAX = 16;
const TEXT_CHARS_MAX = 10_000;
const MULAW_SILENCE = 0xff;

interface Asked extends AskedStretch {
  item?: string;
  answer?: { readonly text: string; readonly confidence: number };
}

export interface RealtimeParts {
  readonly model: string;
  readonly options: SttOptions;
  readonly hints: SttHints | undefined;
}

/** One transcription session of OpenAI's realtime API. What it hears from one commit to the next is the answer to one flush. */
export class RealtimeHearing extends SocketHearing {
  #asked: Asked[] = []; // flushes that were not answered: `ListenStream` limits them
  #askedMs = 0; // of what was given, up to the last flush
  readonly #soFar = new Map<string, string>(); // of items that were not answered
  readonly #done = new Set<string>();
  #hints: SttHints | undefined;
  #resampler: Resampler | undefined; // of the open stretch, where samples are sent
  #unanswered: Timer | undefined;

  constructor(
    request: SocketRequest,
    private readonly parts: RealtimeParts,
    events: HearingEvents,
  ) {
    super(request, KEEP_ALIVE_MS, events);
    this.#hints = parts.hints;
  }

  write(frame: PcmFrame): void {
    if (this.#isMulaw) return this.#append(sentAudio(frame));
    this.#resampler ??= createResampler(frame.sampleRateHz, REALTIME_PCM_HZ);
    this.#append(littleEndian(this.#resampler.push(frame.samples)));
  }

  flush(): void {
    const toMs = this.times.givenMs;
    const missingMs = STRETCH_MS_MIN - (toMs - this.#askedMs);
    if (this.#resampler) this.#append(littleEndian(this.#resampler.flush()));
    this.#resampler = undefined;
    if (missingMs > 0) this.#append(this.#silence(missingMs));
    this.#asked.push({ fromMs: this.#askedMs, toMs });
    this.#askedMs = toMs;
    this.socket.send('{"type":"input_audio_buffer.commit"}');
    this.#mindUnanswered();
  }

  hint(hints: SttHints): void {
    const before = this.#session();
    this.#hints = hints;
    if (this.isOpen && this.#session() !== before) this.socket.send(this.#session());
  }

  protected override onOpen(): void {
    this.socket.send(this.#session());
    super.onOpen();
  }

  protected onQuiet(): void {
    this.socket.ping();
  }

  protected onText(message: string): boolean {
    const said = readRealtime(message, this.clock.utc());
    if (said instanceof ChatFailure) this.socket.fail(said);
    else if (said) this.#onEvent(said);
    return said !== undefined;
  }

  protected waitNoMore(): void {
    this.clock.clearTimer(this.#unanswered);
    this.#unanswered = undefined;
  }

  get #isMulaw(): boolean {
    return this.parts.options.sampleRateHz === TELEPHONE_RATE_HZ;
  }

  #session(): string {
    return sessionUpdate(this.parts.model, this.parts.options, this.#hints);
  }

  #append(audio: Uint8Array): void {
    if (audio.length === 0) return;
    const text = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength).toString('base64');
    this.socket.write(`{"type":"input_audio_buffer.append","audio":"${text}"}`);
  }

  #silence(ms: number): Uint8Array {
    const samples = Math.ceil((ms * (this.#isMulaw ? TELEPHONE_RATE_HZ : REALTIME_PCM_HZ)) / 1000);
    return this.#isMulaw ? new Uint8Array(samples).fill(MULAW_SILENCE) : new Uint8Array(2 * samples);
  }

  #onEvent(event: RealtimeEvent): void {
    if (event.type === 'nothing') this.#settle(this.#next(), { text: '', confidence: 0 });
    if (event.type === 'committed') this.#ofItem(event.item);
    if (event.type === 'delta') this.#onDelta(event.item, event.text);
    if (event.type !== 'completed') return;
    const { item, confidence } = event;
    const asked = this.#ofItem(item);
    this.#soFar.delete(item);
    this.#remember(item);
    this.#settle(asked, { confidence, text: recites(event.text, this.#hints) ? '' : event.text });
  }

  /** Whose answer an item is: the first flush that has none yet, where the service says no more. It may come twice. */
  #ofItem(item: string): Asked | undefined {
    if (this.#done.has(item)) return undefined;
    const own = this.#asked.find((asked) => asked.item === item) ?? this.#next();
    if (own) own.item = item;
    return own;
  }

  #next(): Asked | undefined {
    return this.#asked.find((asked) => asked.item === undefined && asked.answer === undefined);
  }

  #onDelta(item: string, text: string): void {
    if (this.#done.has(item)) return;
    const soFar = ((this.#soFar.get(item) ?? '') + text).slice(0, TEXT_CHARS_MAX);
    if (!this.#soFar.has(item) && this.#soFar.size >= ITEMS_MAX) return;
    this.#soFar.set(item, soFar);
    if (this.#asked.length === 0 && soFar.trim() !== '') this.events.interim(soFar.trim());
  }

  #remember(item: string): void {
    this.#done.add(item);
    for (const oldest of this.#done) {
      if (this.#done.size <= ITEMS_MAX) break;
      this.#done.delete(oldest);
    }
  }

  /** Items may be done in another order than they were committed in. */
  #settle(asked: Asked | undefined, answer: NonNullable<Asked['answer']>): void {
    if (!asked) return;
    asked.answer = answer;
    for (let first = this.#asked[0]; first?.answer; first = this.#asked[0]) {
      this.#asked.shift();
      this.waitNoMore();
      this.events.answered({
        ...{ fromMs: first.fromMs, toMs: first.toMs, ...first.answer, words: [] },
        ...languageIn(first.answer.text),
      });
    }
    if (this.#asked.length > 0) this.#mindUnanswered();
  }

  /** A service that heard words and does not settle them is not heard out. */
  #mindUnanswered(): void {
    this.#unanswered ??= this.clock.setTimer(ANSWER_MS, () => {
      const first = this.#asked[0];
      const text = (this.#soFar.get(first?.item ?? '') ?? '').trim();
      if (text !== '') this.#settle(first, { text, confidence: UNSETTLED_CONFIDENCE });
      this.socket.fail(new ChatFailure(text === '' ? 'first-token-timeout' : 'cut', 'what was said is not settled'));
    });
  }
}

/** The service tells no language: the letters do. English words in an Arabic sentence are part of it. */
function languageIn(text: string): { readonly language?: string } {
  if (/\p{Script=Arabic}/u.test(text)) return { language: 'ar' };
  return /\p{Script=Latin}/u.test(text) ? { language: 'en' } : {};
}
