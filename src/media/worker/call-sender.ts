import { randomInt } from 'node:crypto';
import { CODECS } from '../codec/codecs.ts';
import type { NegotiatedMedia } from '../description.ts';
import { type CallAudioMemory, TalkClock } from '../plane/call-audio.ts';
import { PcmRing } from '../plane/pcm-ring.ts';
import { Playout } from '../rtp/playout.ts';
import type { RemoteEndpoint, Source } from '../rtp/remote-endpoint.ts';
import { RtpSendStream } from '../rtp/rtp-stream.ts';

/** Requests to send keys that may wait for the speech in front of them. */
const MAX_WAITING_KEYS = 32;

export type SendDatagram = (datagram: Buffer, bytes: number, target: Source) => void;

/** Everything between the playout ring and a datagram: one call of `slot` for each packet time. */
export class CallSender {
  readonly stream = new RtpSendStream(randomInt(2 ** 32), randomInt(2 ** 16), randomInt(2 ** 32));
  #playout: Playout | undefined;
  #media: NegotiatedMedia | undefined;
  readonly #ring: PcmRing;
  readonly #sampleRateHz: number;
  readonly #talk: TalkClock;
  readonly #waitingKeys: { readonly digits: string; readonly after: number }[] = [];

  constructor(
    memory: CallAudioMemory,
    readonly remote: RemoteEndpoint,
    readonly send: SendDatagram,
  ) {
    this.#ring = new PcmRing(memory.playout);
    this.#sampleRateHz = memory.sampleRateHz;
    this.#talk = new TalkClock(memory.talk);
  }

  configure(media: NegotiatedMedia): void {
    this.#media = media;
    const { payloadType, ptimeMs, dtmfPayloadType } = media;
    const format = { codec: CODECS[media.codec], payloadType, ptimeMs, dtmfPayloadType };
    if (this.#playout) this.#playout.configure(format);
    else this.#playout = new Playout(this.stream, format, this.#sampleRateHz);
  }

  /** Packet time; 20 before `configure`. */
  get ptimeMs(): number {
    return this.#playout?.ptimeMs ?? 20;
  }

  /** Keys to send once the samples written before ring position `after` have left. */
  sendKeys(digits: string, after: number): void {
    if (this.#waitingKeys.length < MAX_WAITING_KEYS) this.#waitingKeys.push({ digits, after });
  }

  /**
   * One packet slot. On hold, and with nowhere to send, the media time moves on and queued speech waits; an address
   * that has not proved itself gets silence.
   *
   * @param missedSlots - slots that passed unused before this one.
   * @returns the agent samples that left, for the recording; undefined when no packet did.
   */
  slot(nowMs: number, missedSlots: number): Int16Array | undefined {
    const playout = this.#playout;
    if (!playout) return undefined;
    if (missedSlots > 0) playout.skip(missedSlots);
    const target = this.#mayTalk() ? this.remote.nextTarget(nowMs) : undefined;
    if (!target) {
      playout.skip();
      return undefined;
    }
    if (target.proven) this.#startKeys(playout);
    const epoch = this.#talk.epoch;
    const slot = playout.next(target.proven ? this.#ring : undefined);
    this.send(playout.datagram, slot.bytes, target);
    if (slot.talking && !playout.dtmf.busy) this.#talk.sent(epoch, nowMs);
    return slot.samples;
  }

  #mayTalk(): boolean {
    return this.#media?.direction === 'sendrecv' || this.#media?.direction === 'sendonly';
  }

  #startKeys(playout: Playout): void {
    const next = this.#waitingKeys[0];
    if (!next || ((this.#ring.readPosition - next.after) | 0) < 0) return;
    this.#waitingKeys.shift();
    playout.dtmf.enqueue(next.digits);
  }
}
