import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SenderFacts } from '../../src/call/admission.ts';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import type { Leg, LegInfo } from '../../src/call/leg.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { randomToken } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/logger.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import { RtpSession } from '../../src/media/rtp/rtp-session.ts';
import { SipLeg } from '../../src/sip/leg.ts';
import { SipServer, type SipServerConnection, type SipServerOptions } from '../../src/sip/server.ts';
import { type EmbeddedServerOptions, EmbeddedSipServer } from '../../src/sip-server/embedded-server.ts';
import { openPolicy } from './leg-rig.ts';
import { sdpText } from './sdp-texts.ts';
import { UdpCaller } from './udp-caller.ts';
import { until } from './until.ts';

export const local = { address: '127.0.0.1', port: 20_000 };
export const plain = new RtpSession(local);
export const loopback = (...media: string[]) => sdpText({ session: ['c=IN IP4 127.0.0.1'], media });
export const offer = loopback('m=audio 4000 RTP/AVP 0 101', 'a=rtpmap:101 telephone-event/8000');
export const hungUp = callEnd('agent', 'agent-hangup');

/** The signalling path as it runs: a phone, the embedded SIP server, the control protocol, drachtio-srf, legs. */
export class SignallingRig {
  readonly legs: Leg[] = [];
  readonly heard = { media: [] as NegotiatedMedia[], digits: [] as string[], ends: [] as CallEnd[] };
  handle: (leg: Leg) => void = (leg) => void leg.answer(plain).catch(() => undefined);
  /** What was known of who called, for each INVITE. */
  readonly senders: SenderFacts[] = [];
  admit: (info: LegInfo) => CallEnd | undefined = () => undefined;
  readonly #folder = mkdtempSync(join(tmpdir(), 'nidaa-sip-'));
  server!: SipServer;
  embedded!: EmbeddedSipServer;
  phone!: UdpCaller;
  /** Starts the SIP server anew after `embedded.close()`, where the application looks for it. */
  restart!: () => Promise<EmbeddedSipServer>;

  /** `clock`: that of the application. */
  constructor(
    private readonly clock: Clock,
    private readonly ours: Partial<SipServerOptions> = {},
  ) {}

  /** `listen`: the SIP server dials our Unix socket; `connect`: we dial it over TCP, as with a drachtio-server. */
  static async open(
    mode: SipServerConnection['mode'],
    clock: Clock = systemClock,
    more: Partial<EmbeddedServerOptions> = {},
    ours: Partial<SipServerOptions> = {},
  ): Promise<SignallingRig> {
    const rig = new SignallingRig(clock, ours);
    const secret = randomToken();
    const unixSocketPath = join(rig.#folder, 'control.sock');
    if (mode === 'listen') {
      rig.server = rig.#application({ mode, unixSocketPath, secret });
      await rig.server.start();
      rig.restart = () => startEmbedded({ mode: 'dial', unixSocketPath, secret }, more);
      rig.embedded = await rig.restart();
    } else {
      rig.embedded = await startEmbedded({ mode: 'listen-tcp', host: '127.0.0.1', port: 0, secret }, more);
      const port = rig.embedded.controlPort;
      rig.restart = () => startEmbedded({ mode: 'listen-tcp', host: '127.0.0.1', port, secret }, more);
      rig.server = rig.#application({ mode, host: '127.0.0.1', port, secret });
      await rig.server.start();
    }
    await rig.server.ready();
    rig.phone = await rig.newPhone();
    return rig;
  }

  newPhone(): Promise<UdpCaller> {
    return new UdpCaller(this.embedded.listening[0]?.port ?? 0).open();
  }

  /** A call that is up, and its leg. */
  async talking(): Promise<SipLeg> {
    await this.phone.call(offer);
    const leg = this.legs[0];
    if (!(leg instanceof SipLeg)) throw new Error('no leg was made');
    await until(() => leg.state === 'confirmed');
    return leg;
  }

  async close(): Promise<void> {
    this.phone.answerByes();
    await this.server.close();
    await this.embedded.close();
    this.phone.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #application(connection: SipServerConnection): SipServer {
    return new SipServer({
      connection,
      clock: this.clock,
      logger: silentLogger,
      policy: openPolicy,
      transferDomain: '',
      admit: (info, sender) => {
        this.senders.push(sender);
        const end = this.admit(info);
        return end ? { kind: 'refused', end } : { kind: 'admitted', info };
      },
      availability: () => undefined,
      onRefused: () => undefined,
      onAnswered: () => undefined,
      onReplaces: () => undefined,
      onCall: (leg) => {
        this.legs.push(leg);
        leg.setHandlers({
          onMedia: (media) => this.heard.media.push(media),
          onDtmf: (digit, ms) => this.heard.digits.push(`${digit}/${ms}`),
          onEnd: (end) => this.heard.ends.push(end),
        });
        this.handle(leg);
      },
      ...this.ours,
    });
  }
}

function startEmbedded(
  control: EmbeddedServerOptions['control'],
  more: Partial<EmbeddedServerOptions> = {},
): Promise<EmbeddedSipServer> {
  return EmbeddedSipServer.start({
    host: '127.0.0.1',
    port: 0,
    transports: ['udp', 'tcp'],
    control,
    logger: silentLogger,
    timerBase: { t1Ms: 20, t2Ms: 160, t4Ms: 200 }, // an answer is waited for 1.28 s instead of 32 s
    ...more,
  });
}
