import { createResampler, type Resampler } from '../../../audio/resampler.ts';
import { ServiceError } from '../../../core/errors.ts';
import { sentence } from '../../../core/notice.ts';
import type { Voice } from '../../../core/voice.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { bodyOf } from '../../openai/response-body.ts';
import { TimeLimit } from '../../openai/time-limit.ts';
import type { RemoteTts, TtsRequest, TtsStream } from '../../tts/contract.ts';
import { HttpService, publicError } from '../http-service.ts';
import { PcmBody, rateOfType } from '../pcm-body.ts';
import type { ProviderDeps } from '../provider.ts';
import type { OpenaiSettings } from './settings.ts';

/** Of what the adapter makes of the same settings: another one is another sound. */
const REVISION = 1;
/** Nothing came for so long in the middle of a sentence: its caller hears silence. */
const STALL_MS = 3_000;
/** Ten minutes at 24 kHz. */
const BODY_BYTES_MAX = 32 * 1024 * 1024;
const SPEED_MIN = 0.25;
const SPEED_MAX = 4;
const SPOKEN = /[\p{L}\p{N}]/u;

/** What `openai` knows of a voice of the catalogue. */
interface VoiceAtOpenai {
  readonly voice: string;
  readonly instructions?: string;
}

/**
 * Speech of any server with OpenAI's `audio/speech`. One request a sentence, its sound passed on as it comes. Pitch is not
 * known to the API and is left out.
 *
 * @see OpenAI API reference, "Create speech"
 */
export class OpenaiTts implements RemoteTts {
  readonly name = 'openai';
  readonly remote = true;
  readonly #service: HttpService;
  #closed = false;

  constructor(
    private readonly settings: OpenaiSettings,
    private readonly deps: ProviderDeps,
  ) {
    this.#service = new HttpService(settings, deps.clock);
  }

  available(): ReturnType<RemoteTts['available']> {
    if (this.#closed) return { ok: false, why: sentence('engine.synthesiser-closed') };
    const { speechModel, speechVoice } = this.settings;
    if (!speechModel || !speechVoice)
      return {
        ok: false,
        why: sentence('engine.settings-not-set', { setting: 'engines.openai.speechModel', other: 'speechVoice' }),
      };
    return { ok: true };
  }

  soundOf(voice: Voice): string {
    const { baseUrl, speechModel } = this.settings;
    return JSON.stringify([REVISION, baseUrl, speechModel, this.#voiceOf(voice)]);
  }

  warmUp(): void {
    if (this.available().ok) this.#service.warmUp('/models');
  }

  async *synthesize(request: TtsRequest, signal: AbortSignal): TtsStream {
    if (this.#closed) throw new ServiceError('unavailable');
    if (signal.aborted || !SPOKEN.test(request.text)) return;
    const limit = new TimeLimit<'stalled'>(this.deps.clock, signal);
    try {
      const response = await this.#service.post('/audio/speech', this.#body(request), limit.signal);
      for (const used of [this.deps.used, request.used]) {
        used?.(this.name, 'requests', 1);
        used?.(this.name, 'characters', [...request.text].length);
      }
      yield* this.#samples(response, request.sampleRateHz, limit);
    } catch (error) {
      if (signal.aborted) return;
      const failure = limit.expired ? new ChatFailure('cut', 'no sound for too long') : error;
      throw publicError(failure, 'synthesis_failed');
    } finally {
      limit.close();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #voiceOf({ providers }: Voice): VoiceAtOpenai {
    const own = providers?.['openai'] as VoiceAtOpenai | undefined;
    return own ?? { voice: this.settings.speechVoice ?? '' };
  }

  #body({ text, voice, speed }: TtsRequest): string {
    return JSON.stringify({
      ...this.#voiceOf(voice),
      ...{ model: this.settings.speechModel, input: text, response_format: 'pcm' },
      ...(speed !== 1 && { speed: Math.min(SPEED_MAX, Math.max(SPEED_MIN, speed)) }),
    });
  }

  async *#samples(response: Response, sampleRateHz: number, limit: TimeLimit<'stalled'>): TtsStream {
    const type = response.headers.get('content-type') ?? '';
    if (/json|text\//i.test(type)) throw new ChatFailure('garbage', 'an answer that is no audio');
    const pcm = new PcmBody(rateOfType(type) ?? this.settings.speechRateHz);
    let resampler: Resampler | undefined;
    let total = 0;
    limit.start('stalled', STALL_MS);
    for await (const bytes of bodyOf(response, BODY_BYTES_MAX, limit.signal)) {
      limit.stop('stalled'); // whoever takes the samples may be slow
      const samples = pcm.push(bytes);
      resampler ??= samples.length > 0 ? createResampler(pcm.rateHz, sampleRateHz) : undefined;
      const chunk = resampler?.push(samples);
      total += samples.length;
      if (chunk && chunk.length > 0) yield chunk;
      limit.start('stalled', STALL_MS);
    }
    const last = pcm.end();
    if (total + last.length === 0) throw new ChatFailure('broken', 'no sound for a text with words');
    resampler ??= createResampler(pcm.rateHz, sampleRateHz);
    for (const tail of [resampler.push(last), resampler.flush()]) if (tail.length > 0) yield tail;
  }
}
