import { randomInt } from 'node:crypto';
import { CODECS } from '../codec/codecs.ts';
import { LineNoise } from '../codec/comfort-noise.ts';
import type { NegotiatedMedia } from '../description.ts';
import { keySending } from '../dtmf/key-way.ts';
import type { MusicLoop } from '../music-loop.ts';
import type { LaneReader } from '../plane/bridge-lane.ts';
import { type CallAudioMemory, PlayoutLevels, TalkClock } from '../plane/call-audio.ts';
import { PcmRing } from '../plane/pcm-ring.ts';
import { Playout } from '../rtp/playout.ts';
import type { RemoteEndpoint, Source } from '../rtp/remote-endpoint.ts';
import { RtpSendStream } from '../rtp/rtp-stream.ts';
import { OutgoingAudio } from './outgoing-audio.ts';

/** Requests to send keys that may wait for the speech in front of them. */
const MAX_WAITING_KEYS = 32;

export interface SenderHandlers {
  send(datagram: Buffer, bytes: number, target: Source): void;
  /** Keys that signalling is to send now. */
  onKeys(digits: string): void;
}

/** Everything between the playout ring and a datagram: one call of `slot` for each packet time. */
export class CallSender {
  /** The sequence begins in the lower half: with SRTP the first packets lost around a wrap would hide it (RFC 3711 §3.3.1). */
  readonly stream = new RtpSendStream(randomInt(2 ** 32), randomInt(2 ** 15), randomInt(2 ** 32));
  #playout: Playout | undefined;
  #media: NegotiatedMedia | undefined;
  #mayTalk = false;
  readonly #ring: PcmRing;
  readonly #audio: OutgoingAudio;
  readonly sampleRateHz: number;
  readonly #talk: TalkClock;
  readonly #noise: LineNoise | undefined;
  readonly #waitingKeys: { readonly digits: string; readonly after: number }[] = [];

  constructor(
    memory: CallAudioMemory,
    readonly remote: RemoteEndpoint,
    readonly handlers: SenderHandlers,
    comfortNoiseDb?: number, // dBov; none where it is absent
  ) {
    this.#ring = new PcmRing(memory.playout);
    this.sampleRateHz = memory.sampleRateHz;
    this.#audio = new OutgoingAudio(this.#ring, new PlayoutLevels(memory.levels), memory.sampleRateHz);
    this.#talk = new TalkClock(memory.talk);
    if (comfortNoiseDb !== undefined) this.#noise = new LineNoise(comfortNoiseDb, memory.sampleRateHz);
  }

  configure(media: NegotiatedMedia): void {
    this.#media = media;
    this.#mayTalk = media.direction === 'sendrecv' || media.direction === 'sendonly';
    const { payloadType, ptimeMs, dtmfPayloadType } = media;
    const format = { codec: CODECS[media.codec], payloadType, ptimeMs, dtmfPayloadType };
    if (this.#playout) this.#playout.configure(format);
    else this.#playout = new Playout(this.stream, format, this.sampleRateHz);
  }

  /** The next packet is the first of another stream. */
  renew(): void {
    this.stream.renew(randomInt(2 ** 32), randomInt(2 ** 15));
  }

  /** Packet time; 20 before `configure`. */
  get ptimeMs(): number {
    return this.#playout?.ptimeMs ?? 20;
  }

  /** Keys to send once the samples written before ring position `after` have left. */
  sendKeys(digits: string, after: number): void {
    if (this.#waitingKeys.length < MAX_WAITING_KEYS) this.#waitingKeys.push({ digits, after });
  }

  /** What another caller says is heard, too; undefined: no longer. */
  join(lane: LaneReader | undefined): void {
    this.#audio.lane = lane;
  }

  /** Music while nobody says anything; undefined: none. */
  play(music: MusicLoop | undefined): void {
    this.#audio.play(music);
  }

  /**
   * One packet slot. On hold, and with nowhere to send, the media time moves on and queued speech waits; an address
   * that has not proved itself gets silence.
   *
   * @param missedSlots - slots that passed unused before this one.
   * @returns the samples that left, for the recording; undefined when no packet did.
   */
  slot(nowMs: number, missedSlots: number): Int16Array | undefined {
    const playout = this.#playout;
    if (!playout) return undefined;
    if (missedSlots > 0) playout.skip(missedSlots);
    const target = this.#mayTalk ? this.remote.nextTarget(nowMs) : undefined;
    if (!target) {
      playout.skip();
      return undefined;
    }
    if (target.proven && (this.#audio.lane || this.#waitingKeys.length > 0)) this.#startKeys(playout);
    const epoch = this.#talk.epoch;
    this.#audio.agentSamples = 0;
    const slot = target.proven ? playout.next(this.#audio, this.#lineNoise) : playout.next(undefined);
    this.handlers.send(playout.datagram, slot.bytes, target);
    if (this.#audio.agentSamples > 0) this.#talk.sent(epoch, nowMs);
    return slot.samples;
  }

  /** Another caller's line has its own. */
  get #lineNoise(): LineNoise | undefined {
    return this.#audio.lane ? undefined : this.#noise;
  }

  #startKeys(playout: Playout): void {
    const { lane } = this.#audio;
    if (lane && playout.dtmf.idle) this.#sendNow(playout, lane.key() ?? '');
    const next = this.#waitingKeys[0];
    if (!next || ((this.#ring.readPosition - next.after) | 0) < 0) return;
    this.#waitingKeys.shift();
    this.#sendNow(playout, next.digits);
  }

  #sendNow(playout: Playout, digits: string): void {
    const how = this.#media && keySending(this.#media);
    if (digits === '' || how === 'none') return;
    if (how === 'info') this.handlers.onKeys(digits);
    else playout.dtmf.enqueue(digits);
  }
}
