import { type PcmFrame, TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ } from '../../../audio/pcm.ts';
import { wavFile } from '../../../audio/wav.ts';
import { ServiceError } from '../../../core/errors.ts';
import { sentence } from '../../../core/notice.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import type { RemoteStt, SttHints, SttOptions, SttStream } from '../../stt/contract.ts';
import { HttpService, publicError } from '../http-service.ts';
import { OpenStreams, type StreamLife } from '../open-streams.ts';
import type { ProviderDeps } from '../provider.ts';
import { type SpokenStretch, StretchRecorder } from '../stretch-recorder.ts';
import type { OpenaiSettings } from './settings.ts';
import { readTranscript, type Transcript } from './transcript.ts';
import { promptOf, recites } from './transcription-prompt.ts';

/** Audio of one stretch that is kept; beyond it the oldest goes. Whoever writes stretches ends them far sooner. */
const STRETCH_MS_MAX = 60_000;
/** Stretches of a stream that the service has not answered; the next one fails the stream. */
const STRETCHES_WAITING_MAX = 8;
/** The service refuses what is shorter; in so little there is no word. */
const STRETCH_MS_MIN = 100;
/** Models that know neither words nor times. */
const PLAIN_MODEL = /^gpt-/;
const NOTHING: Transcript = { text: '', confidence: 0 };

/**
 * Ears of any server with OpenAI's `audio/transcriptions`: each stretch of speech is one file, in wideband, because such
 * models were trained on that. The answer may be a stream or one body. Everything that is heard is sent once for each flush.
 *
 * @see OpenAI API reference, "Create transcription"
 */
export class OpenaiStt implements RemoteStt {
  readonly name = 'openai';
  readonly remote = true;
  readonly capabilities = {
    interim: false, // words come after the speech is over
    sampleRatesHz: [TELEPHONE_RATE_HZ, WIDEBAND_RATE_HZ],
    languages: ['ar-SA', 'en-US'],
    tellsApart: true,
  };
  readonly #service: HttpService;
  readonly #streams = new OpenStreams();
  /** Some servers take `json` only: found out by the first answer. */
  #detailed: boolean;
  #closed = false;

  constructor(
    private readonly settings: OpenaiSettings,
    private readonly deps: ProviderDeps,
  ) {
    this.#service = new HttpService(settings, deps.clock);
    this.#detailed = !PLAIN_MODEL.test(settings.transcriptionModel ?? '');
  }

  available(language: string): ReturnType<RemoteStt['available']> {
    if (this.#closed) return { ok: false, why: sentence('engine.recogniser-closed') };
    if (!this.settings.transcriptionModel)
      return { ok: false, why: sentence('engine.setting-not-set', { setting: 'engines.openai.transcriptionModel' }) };
    if (!/^(ar|en)\b/.test(language)) {
      return { ok: false, why: sentence('engine.not-for-language', { engine: 'openai', language }) };
    }
    return { ok: true };
  }

  warmUp({ language }: Parameters<NonNullable<RemoteStt['warmUp']>>[0]): void {
    if (this.available(language).ok) this.#service.warmUp('/models');
  }

  open(options: SttOptions, signal: AbortSignal): SttStream {
    const life = this.#streams.begin(this.available(options.language), signal);
    return new TranscriptionStream(options, life, (stretch, hints) =>
      this.#transcribe(stretch, options, hints, life.signal),
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#streams.close();
  }

  /** A connection that the server closed meanwhile, and one that is cut, are worth a second try: the audio is still there. */
  async #transcribe(
    stretch: SpokenStretch,
    options: SttOptions,
    hints: SttHints | undefined,
    signal: AbortSignal,
  ): Promise<Transcript> {
    const prompt = promptOf(hints);
    let retried = false;
    for (;;) {
      const detailed = this.#detailed;
      try {
        const heard = await this.#ask(stretch, options, prompt, detailed, signal);
        return recites(heard.text, hints) ? NOTHING : heard;
      } catch (error) {
        if (signal.aborted || !(error instanceof ChatFailure)) throw error;
        if (error.kind === 'refused' && detailed) this.#detailed = false;
        else if ((error.kind === 'unreachable' || error.kind === 'cut') && !retried) retried = true;
        else throw error;
      }
    }
  }

  async #ask(
    { samples, sampleRateHz }: SpokenStretch,
    { language, languages = [language], used }: SttOptions,
    prompt: string,
    detailed: boolean,
    signal: AbortSignal,
  ): Promise<Transcript> {
    const file = wavFile({ sampleRateHz, channels: 1 }, samples);
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)], { type: 'audio/wav' }), 'speech.wav');
    form.set('model', this.settings.transcriptionModel ?? '');
    if (languages.length < 2) form.set('language', language.slice(0, 2)); // else it tells by itself
    if (prompt !== '') form.set('prompt', prompt);
    form.set('response_format', detailed ? 'verbose_json' : 'json');
    if (detailed) for (const what of ['word', 'segment']) form.append('timestamp_granularities[]', what);
    else form.set('stream', 'true');
    const response = await this.#service.post('/audio/transcriptions', form, signal);
    const transcript = await readTranscript(response, signal);
    for (const told of [this.deps.used, used]) {
      told?.(this.name, 'requests', 1);
      told?.(this.name, 'audio-seconds', samples.length / sampleRateHz);
      if (transcript.tokens !== undefined) told?.(this.name, 'tokens', transcript.tokens);
    }
    return transcript;
  }
}

type Transcribe = (stretch: SpokenStretch, hints: SttHints | undefined) => Promise<Transcript>;

class TranscriptionStream implements SttStream {
  readonly feed = 'whole-stretches';
  readonly #recorder: StretchRecorder;
  #hints: SttHints | undefined;
  #waiting = 0;
  #answered: Promise<void> = Promise.resolve(); // finals go out in the order of their stretches
  #ended = false;

  constructor(
    options: SttOptions,
    private readonly life: StreamLife,
    private readonly transcribe: Transcribe,
  ) {
    this.#recorder = new StretchRecorder(options.sampleRateHz, WIDEBAND_RATE_HZ, STRETCH_MS_MAX);
    this.#hints = options.hints;
  }

  write(frame: PcmFrame): void {
    if (!this.#ended && !this.life.channel.done) this.#recorder.write(frame.samples);
  }

  flush(): void {
    if (this.#ended || this.life.channel.done) return;
    const stretch = this.#recorder.take();
    if (!stretch) return;
    if (this.#waiting >= STRETCHES_WAITING_MAX) return this.#fail(new ServiceError('unavailable'));
    this.#waiting += 1;
    const tooShort = stretch.endMs - stretch.startMs < STRETCH_MS_MIN;
    const answer = tooShort ? Promise.resolve(NOTHING) : this.transcribe(stretch, this.#hints);
    answer.catch(() => {}); // whose turn it is hears of it below
    this.#answered = this.#answered.then(() => this.#deliver(stretch, answer));
  }

  hint(hints: SttHints): void {
    this.#hints = hints;
  }

  end(): void {
    if (this.#ended) return;
    this.flush();
    this.#ended = true;
    void this.#answered.then(() => {
      this.life.channel.finish();
      this.life.done();
    });
  }

  [Symbol.asyncIterator]() {
    return this.life.channel[Symbol.asyncIterator]();
  }

  async #deliver(stretch: SpokenStretch, answer: Promise<Transcript>): Promise<void> {
    try {
      const { text, confidence, language, words } = await answer;
      this.#waiting -= 1;
      const { startMs, endMs } = stretch;
      const placed = words?.map((word) => ({
        text: word.text,
        startMs: Math.min(endMs, startMs + word.startMs),
        endMs: Math.min(endMs, startMs + word.endMs),
      }));
      const known = { ...(language && { language }), ...(placed && { words: placed }) };
      this.life.channel.push({ type: 'final', text, confidence, startMs, endMs, ...known });
    } catch (error) {
      this.#fail(publicError(error, 'transcription_failed'));
    }
  }

  #fail(error: Error): void {
    this.life.channel.fail(error); // does nothing once it was aborted
    this.life.done();
  }
}
