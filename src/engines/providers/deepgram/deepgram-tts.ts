import { decodeMulaw } from '../../../audio/g711.ts';
import { TELEPHONE_RATE_HZ } from '../../../audio/pcm.ts';
import { createResampler } from '../../../audio/resampler.ts';
import type { Timer } from '../../../core/clock.ts';
import { ServiceError } from '../../../core/errors.ts';
import type { Voice } from '../../../core/voice.ts';
import { ChatFailure } from '../../openai/chat-failure.ts';
import { TimeLimit } from '../../openai/time-limit.ts';
import type { RemoteTts, TtsRequest, TtsStream } from '../../tts/contract.ts';
import { publicError } from '../http-service.ts';
import { PcmBody } from '../pcm-body.ts';
import type { ProviderDeps } from '../provider.ts';
import { socketUrl } from '../remote-socket.ts';
import { ServiceRest } from '../service-rest.ts';
import { authorization, type DeepgramSettings, ERROR_HEADER, missingKey } from './settings.ts';
import { Speaking } from './speaking.ts';

/** Of what the adapter makes of the same settings: another one is another sound. */
const REVISION = 1;
/** Nothing came for so long in the middle of a sentence: its caller hears silence. */
const STALL_MS = 3_000;
/** Connections that wait for a next sentence, and how long. */
const IDLE_MAX = 4;
const IDLE_MS = 20_000;
/** For all but the telephone. */
const WIDE_RATE_HZ = 24_000;
const SPEED_MIN = 0.7;
const SPEED_MAX = 1.5;
const SPOKEN = /[\p{L}\p{N}]/u;

/**
 * Speech of Deepgram, over connections that are kept from one sentence to the next. For the telephone it comes as mu-law. Pitch is
 * not known to the API and is left out. A voice speaks one language; there is none for Arabic.
 *
 * @see Deepgram API reference, "Text to speech WebSocket" (`/v1/speak`)
 */
export class DeepgramTts implements RemoteTts {
  readonly name = 'deepgram';
  readonly remote = true;
  readonly #rest: ServiceRest;
  readonly #idle: { readonly url: string; readonly speaking: Speaking }[] = []; // used last, last
  readonly #busy = new Set<Speaking>();
  #sweep: Timer | undefined;
  #closed = false;

  constructor(
    private readonly settings: DeepgramSettings,
    private readonly deps: ProviderDeps,
  ) {
    this.#rest = new ServiceRest(deps.clock);
  }

  available(): ReturnType<RemoteTts['available']> {
    if (this.#closed) return { ok: false, why: 'the synthesiser is closed' };
    const missing = missingKey(this.settings);
    return missing ? { ok: false, why: missing } : this.#rest.available();
  }

  canSpeak(voice: Voice): boolean {
    const [, language] = /-([a-z]{2})$/.exec(this.#modelOf(voice)) ?? [];
    return language === undefined || voice.language.startsWith(language);
  }

  soundOf(voice: Voice): string {
    return JSON.stringify([REVISION, this.settings.baseUrl, this.#modelOf(voice)]);
  }

  warmUp(): void {
    if (!this.available().ok || this.#idle.length > 0 || this.#busy.size > 0) return;
    const url = this.#url(this.settings.speechModel, TELEPHONE_RATE_HZ, 1);
    this.#keep(url, this.#connect(url));
  }

  async *synthesize(request: TtsRequest, signal: AbortSignal): TtsStream {
    const { text, voice, sampleRateHz, speed } = request;
    if (this.#closed) throw new ServiceError('unavailable');
    if (signal.aborted || !SPOKEN.test(text)) return;
    if (!this.canSpeak(voice)) throw new ServiceError('unknown_voice', voice.id); // no sign of a sick service
    const state = this.#rest.available();
    if (!state.ok) throw new ServiceError('unavailable', '', { cause: new Error(state.why) });
    const rateHz = sampleRateHz === TELEPHONE_RATE_HZ ? TELEPHONE_RATE_HZ : WIDE_RATE_HZ;
    const url = this.#url(this.#modelOf(voice), rateHz, speed);
    for (const used of [this.deps.used, request.used]) {
      used?.(this.name, 'requests', 1);
      used?.(this.name, 'characters', [...text].length);
    }
    try {
      yield* this.#spoken(url, request, rateHz, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ChatFailure) this.#rest.after(error);
      throw publicError(error, 'synthesis_failed');
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.deps.clock.clearTimer(this.#sweep);
    for (const { speaking } of this.#idle.splice(0)) speaking.close();
    for (const speaking of [...this.#busy]) speaking.destroy();
  }

  #modelOf({ providers }: Voice): string {
    const own = providers?.['deepgram'] as { readonly model: string } | undefined;
    return own?.model ?? this.settings.speechModel;
  }

  #url(model: string, rateHz: number, speed: number): string {
    const encoding = rateHz === TELEPHONE_RATE_HZ ? 'mulaw' : 'linear16';
    const query = new URLSearchParams({ model, encoding, sample_rate: String(rateHz), mip_opt_out: 'true' });
    if (speed !== 1) query.set('speed', String(Math.min(SPEED_MAX, Math.max(SPEED_MIN, speed))));
    return socketUrl(this.settings.baseUrl, '/speak', query);
  }

  /** A connection that was kept and has died meanwhile is worth another one, as long as nothing was heard. */
  async *#spoken(url: string, request: TtsRequest, rateHz: number, signal: AbortSignal): TtsStream {
    const kept = this.#take(url);
    if (kept) {
      let heard = false;
      try {
        for await (const chunk of this.#sound(url, kept, request, rateHz, signal)) {
          heard = true;
          yield chunk;
        }
        return;
      } catch (error) {
        if (heard || signal.aborted || !(error instanceof ChatFailure) || error.kind !== 'cut') throw error;
      }
    }
    yield* this.#sound(url, this.#connect(url), request, rateHz, signal);
  }

  async *#sound(url: string, speaking: Speaking, request: TtsRequest, rateHz: number, signal: AbortSignal): TtsStream {
    const limit = new TimeLimit<'stalled'>(this.deps.clock, signal);
    const onAbort = (): void => speaking.destroy();
    limit.signal.addEventListener('abort', onAbort, { once: true });
    this.#busy.add(speaking);
    let complete = false;
    try {
      limit.start('stalled', STALL_MS);
      yield* samplesOf(speaking.say(request.text), rateHz, request.sampleRateHz, limit);
      complete = true;
    } catch (error) {
      throw limit.expired ? new ChatFailure('first-token-timeout', 'no sound for too long') : error;
    } finally {
      limit.signal.removeEventListener('abort', onAbort);
      limit.close();
      this.#busy.delete(speaking);
      if (complete && !this.#closed && !signal.aborted) this.#keep(url, speaking);
      else speaking.destroy();
    }
  }

  #connect(url: string): Speaking {
    const headers = authorization(this.settings);
    return new Speaking({ url, headers, errorHeader: ERROR_HEADER, clock: this.deps.clock });
  }

  #take(url: string): Speaking | undefined {
    const at = this.#idle.findLastIndex((entry) => entry.url === url && entry.speaking.usable);
    return at < 0 ? undefined : this.#idle.splice(at, 1)[0]?.speaking;
  }

  #keep(url: string, speaking: Speaking): void {
    const entry = { url, speaking };
    speaking.onLost = () => {
      const at = this.#idle.indexOf(entry);
      if (at >= 0) this.#idle.splice(at, 1);
    };
    this.#idle.push(entry);
    while (this.#idle.length > IDLE_MAX) this.#idle.shift()?.speaking.close();
    this.#sweep ??= this.deps.clock.setTimer(IDLE_MS, () => this.#sweepIdle());
  }

  #sweepIdle(): void {
    this.#sweep = undefined;
    const nowMs = this.deps.clock.nowMs();
    while (this.#idle[0] && nowMs - this.#idle[0].speaking.idleSinceMs >= IDLE_MS) this.#idle.shift()!.speaking.close();
    if (this.#idle.length > 0) this.#sweep = this.deps.clock.setTimer(IDLE_MS, () => this.#sweepIdle());
  }
}

/** @throws ChatFailure where nothing came at all. */
async function* samplesOf(
  sound: AsyncIterable<Buffer>,
  rateHz: number,
  wantedHz: number,
  limit: TimeLimit<'stalled'>,
): TtsStream {
  const pcm = new PcmBody(rateHz);
  const resampler = rateHz === wantedHz ? undefined : createResampler(rateHz, wantedHz);
  let heard = false;
  for await (const bytes of sound) {
    limit.stop('stalled'); // whoever takes the samples may be slow
    const samples = rateHz === TELEPHONE_RATE_HZ ? decodeMulaw(bytes) : pcm.push(bytes);
    const chunk = resampler ? resampler.push(samples) : samples;
    heard ||= samples.length > 0;
    if (chunk.length > 0) yield chunk;
    limit.start('stalled', STALL_MS);
  }
  if (!heard) throw new ChatFailure('broken', 'no sound for a text with words');
  const tail = resampler?.flush();
  if (tail && tail.length > 0) yield tail;
}
