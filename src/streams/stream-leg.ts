import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { CallObserver } from '../call/call-observer.ts';
import { type Leg, LegError, type LegHandlers, type LegInfo, type TransferOutcome } from '../call/leg.ts';
import type { NegotiatedMedia } from '../media/description.ts';
import type { MediaPort, MediaPortOptions, MediaRefusal } from '../media/media-port.ts';

/** What a leg asks of its connection. */
export interface LegLine {
  /** The port of the call, which the connection moves. */
  open(options: MediaPortOptions): MediaPort;
  /** The call is answered: audio may flow. */
  answered(callId: string): void;
  /** Our side ends or refuses the call. Idempotent. */
  hangup(end: CallEnd): void;
  readonly observer: CallObserver;
}

/** Nothing of it is negotiated: it says of a stream what other parts of a call want to know of RTP. */
const STREAM_MEDIA: NegotiatedMedia = {
  remote: { address: '0.0.0.0', port: 0 },
  ...{ signallingAddress: '0.0.0.0', codec: 'PCMU', payloadType: 0, ptimeMs: 20 },
  ...{ direction: 'sendrecv', rtcpMux: true, remoteRtcpPort: 0 },
};

const NO_TRANSFER: TransferOutcome = { ok: false, status: 0, reason: 'a stream takes no REFER', unsupported: true };

/** The caller's side of a call that comes over a WebSocket. */
export class StreamLeg implements Leg {
  media: NegotiatedMedia | undefined;
  #handlers: LegHandlers | undefined;
  #end: CallEnd | undefined;
  #told = false;
  #keys = ''; // pressed before anybody listened
  #callId = '';

  constructor(
    readonly info: LegInfo,
    private readonly line: LegLine,
  ) {}

  get observer(): CallObserver {
    return this.line.observer;
  }

  setHandlers(handlers: LegHandlers): void {
    this.#handlers = handlers;
    this.#tellEnd();
    for (const digit of this.#keys.split('')) this.pressed(digit);
    this.#keys = '';
  }

  ring(): void {} // A stream is connected, or it is not.

  async openMedia(options: MediaPortOptions): Promise<MediaPort | MediaRefusal> {
    this.#callId = options.callId;
    return this.line.open(options);
  }

  async answer(): Promise<NegotiatedMedia> {
    if (this.#end) throw new LegError(this.#end);
    this.media = STREAM_MEDIA;
    this.line.answered(this.#callId);
    return STREAM_MEDIA;
  }

  async reject(end: CallEnd): Promise<void> {
    this.line.hangup(end);
  }

  async transfer(): Promise<TransferOutcome> {
    return NO_TRANSFER;
  }

  async hangup(end: CallEnd): Promise<void> {
    this.#told = true; // it is the call's own end
    this.line.hangup(end);
  }

  /** A key of the caller. */
  pressed(digit: string): void {
    if (this.#handlers) this.#handlers.onDtmf(digit, 100);
    else if (this.#keys.length < KEYS_MAX) this.#keys += digit;
  }

  /** The far end is no more. Only the first is told. */
  ended(end: CallEnd): void {
    this.#end ??= end;
    this.#tellEnd();
  }

  #tellEnd(): void {
    if (this.#told || !this.#end || !this.#handlers) return;
    this.#told = true;
    this.#handlers.onEnd(this.#end);
  }
}

const KEYS_MAX = 32;
export const CALLER_HUNG_UP = callEnd('caller', 'caller-hangup');
