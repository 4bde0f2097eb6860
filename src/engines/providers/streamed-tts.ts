import { decodeMulaw } from '../../audio/g711.ts';
import { TELEPHONE_RATE_HZ } from '../../audio/pcm.ts';
import { createResampler } from '../../audio/resampler.ts';
import { ServiceError } from '../../core/errors.ts';
import { sentence } from '../../core/notice.ts';
import type { Voice } from '../../core/voice.ts';
import { ChatFailure } from '../openai/chat-failure.ts';
import { type RemoteTts, type SpeechMark, type TtsRequest, type TtsStream, withMarks } from '../tts/contract.ts';
import { publicError } from './http-service.ts';
import { PcmBody } from './pcm-body.ts';
import type { ProviderDeps } from './provider.ts';
import type { Sound } from './sound-queue.ts';
import { type SpeakingConnection, SpeakingConnections } from './speaking-connections.ts';

/** For all but the telephone, for which sound comes as mu-law. */
const WIDE_RATE_HZ = 24_000;
const SPOKEN = /[\p{L}\p{N}]/u;

/** What a voice that speaks over kept connections has of its own. */
export interface SpeakingService<Sentence> {
  readonly name: string;
  /** A setting that it cannot do without and does not have. */
  readonly missing: string | undefined;
  readonly canSpeak: (voice: Voice) => boolean;
  /** All that shapes the sound of a voice beside the request. */
  readonly soundOf: (voice: Voice) => readonly unknown[];
  /** Where a sentence is said, and what is sent. At `TELEPHONE_RATE_HZ` mu-law is wanted, else 16-bit samples. */
  readonly sentence: (request: TtsRequest, rateHz: number) => { readonly address: string; readonly sentence: Sentence };
  /** Where most sentences are said. */
  readonly usualAddress: string;
  readonly connect: (address: string) => SpeakingConnection<Sentence>;
}

/** Speech of a service over connections that are kept from one sentence to the next. */
export class StreamedTts<Sentence> implements RemoteTts {
  readonly name: string;
  readonly remote = true;
  readonly #connections: SpeakingConnections<Sentence>;
  #closed = false;

  constructor(
    private readonly service: SpeakingService<Sentence>,
    private readonly deps: ProviderDeps,
  ) {
    this.name = service.name;
    this.#connections = new SpeakingConnections(deps.clock, service.connect);
  }

  available(): ReturnType<RemoteTts['available']> {
    if (this.#closed) return { ok: false, why: sentence('engine.synthesiser-closed') };
    return this.service.missing ? { ok: false, why: this.service.missing } : { ok: true };
  }

  canSpeak(voice: Voice): boolean {
    return this.service.canSpeak(voice);
  }

  soundOf(voice: Voice): string {
    return JSON.stringify(this.service.soundOf(voice));
  }

  warmUp(): void {
    if (this.available().ok) this.#connections.warmUp(this.service.usualAddress);
  }

  async *synthesize(request: TtsRequest, signal: AbortSignal): TtsStream {
    const { text, voice, sampleRateHz } = request;
    if (this.#closed) throw new ServiceError('unavailable');
    if (signal.aborted || !SPOKEN.test(text)) return;
    if (!this.canSpeak(voice)) throw new ServiceError('unknown_voice', voice.id); // no sign of a sick service
    const rateHz = sampleRateHz === TELEPHONE_RATE_HZ ? TELEPHONE_RATE_HZ : WIDE_RATE_HZ;
    const { address, sentence } = this.service.sentence(request, rateHz);
    for (const used of [this.deps.used, request.used]) {
      used?.(this.name, 'requests', 1);
      used?.(this.name, 'characters', [...text].length);
    }
    try {
      yield* samplesOf(this.#connections.say(address, sentence, signal), rateHz, sampleRateHz);
    } catch (error) {
      if (signal.aborted) return;
      throw publicError(error, 'synthesis_failed');
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#connections.close();
  }
}

/** @throws ChatFailure where nothing came at all. */
async function* samplesOf(sounds: AsyncIterable<Sound>, rateHz: number, wantedHz: number): TtsStream {
  let pcm = new PcmBody(rateHz);
  let resampler = rateHz === wantedHz ? undefined : createResampler(rateHz, wantedHz);
  const marks: SpeechMark[] = [];
  let total = 0;
  /** With the marks that it reaches: a word is told of no sooner than it sounds. */
  const marked = (chunk: Int16Array): Int16Array => {
    total += chunk.length;
    const reachedMs = (total * 1000) / wantedHz;
    const due = marks.findIndex(({ atMs }) => atMs > reachedMs);
    return withMarks(chunk, marks.splice(0, due < 0 ? marks.length : due));
  };
  let ownHz: number | undefined; // of a service that speaks as it likes
  for await (const { bytes, marks: told = [], rateHz: toldHz } of sounds) {
    marks.push(...told);
    if (toldHz !== undefined && ownHz === undefined) {
      ownHz = toldHz;
      pcm = new PcmBody(ownHz, 'none');
      resampler = createResampler(ownHz, wantedHz);
    }
    const isMulaw = ownHz === undefined && rateHz === TELEPHONE_RATE_HZ;
    const samples = isMulaw ? decodeMulaw(bytes) : pcm.push(bytes);
    const chunk = resampler ? resampler.push(samples) : samples;
    if (chunk.length > 0) yield marked(chunk);
  }
  const tail = resampler?.flush();
  if (total === 0) throw new ChatFailure('broken', 'no sound for a text with words');
  if (tail && tail.length > 0) yield marked(tail);
}
