import { expect } from 'vitest';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import { silentLogger } from '../../src/core/logger.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import type { MediaSession } from '../../src/media/media-session.ts';
import { carriesAudio, RtpSession } from '../../src/media/rtp/rtp-session.ts';
import type { DigestClient } from '../../src/sip/digest.ts';
import type { SrfRequest } from '../../src/sip/drachtio.ts';
import { SipLeg } from '../../src/sip/leg.ts';
import type { LegContext } from '../../src/sip/leg-context.ts';
import { MediaExchange } from '../../src/sip/media-exchange.ts';
import { OfferAnswer } from '../../src/sip/offer-answer.ts';
import type { OfferPolicy } from '../../src/sip/stream-choice.ts';
import { makeOffer, takeAnswer } from './decided-offers.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeDialog, type FakeMessage, FakeResponse, FakeSrf, fakeRequest, settle } from './fake-srf.ts';
import { sdpText } from './sdp-texts.ts';

export const local = { address: '198.51.100.5', port: 20_000 };
/** Takes plain RTP from anywhere but `local`. */
export const openPolicy: OfferPolicy = {
  encryption: 'none',
  mayCarryKeys: true,
  isOurs: ({ address, port }) => address === local.address && port === local.port,
  carries: carriesAudio,
};
/** Media that decides at once. */
export const plain = new RtpSession(local);
export const end = callEnd('agent', 'agent-hangup');
export const sdpBody = (body: string) => ({ body, headers: { 'Content-Type': 'application/sdp' } });
/** A description that would have our media sent to ourselves. */
export const wired = sdpText({
  session: [`c=IN IP4 ${local.address}`],
  media: [`m=audio ${local.port} RTP/AVP 0`],
});
export const held = sdpText({ media: ['m=audio 4000 RTP/AVP 0', 'a=sendonly'] });

interface Heard {
  readonly media: NegotiatedMedia[];
  readonly digits: string[];
  readonly ends: CallEnd[];
}
export interface RigCall {
  readonly leg: SipLeg;
  readonly req: FakeMessage & SrfRequest;
  readonly res: FakeResponse;
  readonly heard: Heard;
}

const INFO = {
  sipCallId: 'c',
  from: 'alice',
  to: '2000',
  called: '2000',
  sourceAddress: '192.0.2.10:5070',
  transport: 'udp',
  variables: {},
};

/** One leg with everything around it under the test's hand. */
export class LegRig {
  readonly clock = new FakeClock();
  readonly srf = new FakeSrf();
  readonly dialog = new FakeDialog();
  closed = 0;
  /** The connection to the SIP server, and what was left for the time after. */
  connected = true;
  readonly leftBehind: (() => void)[] = [];
  readonly adopted: object[] = [];
  readonly byes: { dialogId: string; headers: Record<string, string> }[] = [];
  /** Credentials of the calls we make. */
  digest: DigestClient | undefined;
  readonly context: LegContext = {
    srf: this.srf,
    clock: this.clock,
    logger: silentLogger,
    sessionTimers: undefined,
    server: {
      isConnected: () => this.connected,
      whenBack: (tell) => this.leftBehind.push(tell),
      adopt: (what) => this.adopted.push(what),
      bye: (dialogId, headers) => this.byes.push({ dialogId, headers }),
    },
    onAnswered: () => undefined,
    onClosed: () => {
      this.closed += 1;
    },
  };

  /** A call that came in and waits; without `offer` the INVITE had none. */
  incoming(options: { offer?: string; reliable?: boolean; allow?: string } = {}): RigCall {
    const { offer = sdpText(), reliable = false, allow } = options;
    const session = new OfferAnswer({ sessionId: '7', signallingAddress: '192.0.2.10', policy: openPolicy });
    if (offer) expect(session.receiveOffer(offer)).toBeUndefined();
    const headers = {
      'Content-Type': 'application/sdp',
      CSeq: '1 INVITE',
      ...(allow !== undefined && { Allow: allow }),
    };
    const req = fakeRequest({ body: offer, headers });
    const res = new FakeResponse();
    const leg = new SipLeg(
      { info: INFO, session, transferDomain: 'pbx.example.com', origin: { side: 'uas', req, res, reliable } },
      this.context,
    );
    const heard: Heard = { media: [], digits: [], ends: [] };
    leg.setHandlers({
      onMedia: (media) => heard.media.push(media),
      onDtmf: (digit, ms) => heard.digits.push(`${digit}/${ms}`),
      onEnd: (reason) => heard.ends.push(reason),
    });
    return { leg, req, res, heard };
  }

  /** A call of ours that was answered. */
  outgoing(): SipLeg {
    const session = new OfferAnswer({
      ...{ sessionId: '7', signallingAddress: '192.0.2.10', policy: openPolicy },
    });
    makeOffer(session, local);
    takeAnswer(session, sdpText());
    const { dialog, digest } = this;
    const exchange = new MediaExchange(session, plain, this.clock);
    const origin = { side: 'uac', dialog, exchange, ...(digest && { digest }) } as const;
    return new SipLeg({ info: INFO, session, transferDomain: '', origin }, this.context);
  }

  /** An answered, acknowledged call. */
  async talking(
    options: { offer?: string; ack?: string; media?: MediaSession; allow?: string } = {},
  ): Promise<RigCall & { media: NegotiatedMedia }> {
    const call = this.incoming(options);
    const answered = call.leg.answer(options.media ?? plain);
    await settle();
    this.srf.uas[0]?.done(null, this.dialog);
    this.dialog.emit(
      'ack',
      fakeRequest({
        ...{ method: 'ACK', body: options.ack ?? '' },
        headers: { CSeq: '1 ACK', 'Content-Type': 'application/sdp' },
      }),
    );
    return { ...call, media: await answered };
  }
}
