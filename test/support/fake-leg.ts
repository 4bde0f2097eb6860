import type { CallEnd } from '../../src/call/call-end.ts';
import type { Leg, LegError, LegHandlers, LegInfo, TransferOutcome } from '../../src/call/leg.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import type { MediaSession } from '../../src/media/media-session.ts';

export const MEDIA: NegotiatedMedia = {
  remote: { address: '127.0.0.1', port: 50_000 },
  ...{ signallingAddress: '127.0.0.1', codec: 'PCMU', payloadType: 0, ptimeMs: 20, dtmfPayloadType: 101 },
  ...{ direction: 'sendrecv', rtcpMux: false, remoteRtcpPort: 50_001 },
};

/** A leg that does what the test says. */
export class FakeLeg implements Leg {
  readonly info: LegInfo;
  handlers: LegHandlers | undefined;
  readonly log: string[] = [];
  answerError: LegError | undefined;
  /** Undefined: none comes. */
  transferOutcome: TransferOutcome | undefined = { ok: true, status: 200, reason: 'OK' };
  transferSignal: AbortSignal | undefined;
  /** Who took part in it for media. */
  session: MediaSession | undefined;
  /** What the first offer/answer agrees. */
  media = MEDIA;
  /** An end that came before anybody listened. */
  endedBefore: CallEnd | undefined;
  constructor(called = '1000') {
    this.info = {
      ...{ sipCallId: 'abc@phone', from: '+966500000001', to: called, called },
      ...{ sourceAddress: '127.0.0.1:5070', transport: 'udp', variables: { name: 'Noura' } },
    };
  }
  setHandlers(handlers: LegHandlers): void {
    this.handlers = handlers;
    if (this.endedBefore) handlers.onEnd(this.endedBefore);
  }
  ring(): void {
    this.log.push('ring');
  }
  async answer(media: MediaSession): Promise<NegotiatedMedia> {
    this.session = media;
    this.log.push('answer');
    if (this.answerError) throw this.answerError;
    return this.media;
  }
  async reject(end: CallEnd): Promise<void> {
    this.log.push(`reject ${end.reason}`);
  }
  /** Its far end takes an INVITE with Replaces. */
  takesReplaces = false;
  async transfer(target: string, signal: AbortSignal, replaced?: Leg): Promise<TransferOutcome> {
    this.log.push(`${replaced ? 'transfer, replacing,' : 'transfer'} ${target}`);
    this.transferSignal = signal;
    return this.transferOutcome ?? new Promise(() => {});
  }
  async hangup(end: CallEnd): Promise<void> {
    this.log.push(`hangup ${end.reason}`);
  }
}
