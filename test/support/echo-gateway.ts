import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callEnd } from '../../src/call/call-end.ts';
import type { CallRoute } from '../../src/call/call-router.ts';
import { dialRoute, type RoutedCall } from '../../src/call/dial-route.ts';
import type { DialOptions } from '../../src/call/dialer.ts';
import type { Leg } from '../../src/call/leg.ts';
import { systemClock } from '../../src/core/clock.ts';
import { randomToken } from '../../src/core/ids.ts';
import { createLogger, type Logger } from '../../src/core/logger.ts';
import type { EncryptionTerms } from '../../src/core/trunk.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import type { MediaEdge, OuterMedia } from '../../src/media/edge/media-edge.ts';
import type { MediaPlane, MediaPort, MediaStats } from '../../src/media/media-port.ts';
import { carriesAudio, RtpSession } from '../../src/media/rtp/rtp-session.ts';
import { SipServer } from '../../src/sip/server.ts';
import { uriHost } from '../../src/sip/sip-uri.ts';
import { EmbeddedSipServer } from '../../src/sip-server/embedded-server.ts';
import { openPlane } from './media-plane-fixture.ts';

const ECHO_MS = 10;

/** One call of the echo. */
export interface EchoCall {
  readonly port: MediaPort;
  leg: Leg | undefined;
  /** Of every exchange, in order. */
  readonly agreed: NegotiatedMedia[];
  stats: MediaStats | undefined; // once it is over
  outer: OuterMedia | undefined; // the same
  readonly keys: string[];
}

/** Signalling and media as the gateway has them, and an agent that says what it hears. */
export class EchoGateway {
  readonly calls: EchoCall[] = [];
  readonly refused: string[] = [];
  readonly #folder = mkdtempSync(join(tmpdir(), 'nidaa-echo-'));
  terms: EncryptionTerms = { encryption: 'allow', keysInClear: false };
  #log = '';
  readonly #logger: Logger;
  #sip!: SipServer;
  #server!: EmbeddedSipServer;
  #plane!: MediaPlane;
  readonly #echoing = setInterval(() => this.#echo(), ECHO_MS);

  private constructor(
    private readonly edge: MediaEdge | undefined,
    private readonly host: string,
  ) {
    const write = (line: string): void => {
      this.#log += line;
    };
    this.#logger = createLogger({ level: 'trace', redactPersonal: false }, { write });
  }

  /**
   * @param edge - what media goes through on its way outside.
   * @param host - where its SIP is.
   */
  static async open(edge?: MediaEdge, host = '127.0.0.1'): Promise<EchoGateway> {
    const gateway = new EchoGateway(edge, host);
    await gateway.#start();
    return gateway;
  }

  async #start(): Promise<void> {
    const control = { unixSocketPath: join(this.#folder, 'control.sock'), secret: randomToken() };
    this.#sip = new SipServer({
      connection: { mode: 'listen', ...control },
      ...{ clock: systemClock, logger: this.#logger, transferDomain: '' },
      policy: { isOurs: () => false, carries: carriesAudio },
      ...(this.edge && { edge: this.edge }),
      encryptionOf: () => this.terms,
      admit: (info) => ({ kind: 'admitted', info }),
      ...{ availability: () => undefined, onAnswered: () => undefined },
      onRefused: (_, end) => this.refused.push(end.detail ?? end.reason),
      onReplaces: () => undefined,
      onCall: (leg) => void this.#answer(leg),
    });
    await this.#sip.start();
    this.#server = await EmbeddedSipServer.start({
      ...{ host: this.host, port: 0, transports: ['udp', 'tcp'] },
      control: { mode: 'dial', ...control },
      logger: this.#logger,
    });
    this.#plane = await openPlane({ logger: this.#logger });
    await this.#sip.ready();
  }

  get uri(): string {
    return `sip:echo@${uriHost(this.host)}:${this.#server.listening[0]!.port}`;
  }
  /** Everything that was logged, personal data too. */
  get log(): string {
    return this.#log;
  }

  /** Calls somebody, and echoes, what comes before the answer too. Rejects with `DialError`. */
  dial(uri: string, more: Omit<DialOptions, 'uri' | 'from' | 'media'>): Promise<EchoCall> {
    return this.#dial((call) => this.#sip.dial({ uri, from: 'echo', ...more, ...call }));
  }

  /** The same along a route: one after the other, with one port. */
  dialAlong(attempts: CallRoute['attempts'], more: Partial<RoutedCall> = {}): Promise<EchoCall> {
    const deps = { dialer: this.#sip, clock: systemClock };
    return this.#dial((call) => dialRoute(deps, { attempts, release: () => undefined }, { ...more, ...call }));
  }

  async #dial(by: (call: Pick<RoutedCall, 'media' | 'onEarlyMedia'>) => Promise<Leg>): Promise<EchoCall> {
    const call = await this.openCall();
    const onEarlyMedia = (media: NegotiatedMedia): void => this.#configure(call, media);
    try {
      const leg = await by({ media: new RtpSession(call.port.local), onEarlyMedia });
      this.#adopt(call, leg, leg.media);
      return call;
    } catch (error) {
      call.stats = await call.port.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#echoing);
    await this.#sip.close();
    await this.#server.close();
    await this.#plane.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answer(leg: Leg): Promise<void> {
    const call = await this.openCall();
    call.leg = leg;
    leg.setHandlers(this.#handlers(call));
    call.port.expect();
    try {
      this.#adopt(call, leg, await leg.answer(new RtpSession(call.port.local)));
    } catch {
      await leg.hangup(callEnd('gateway', 'internal'));
    }
  }

  /** A call without signalling, that echoes. */
  async openCall(): Promise<EchoCall> {
    const keys: string[] = [];
    const port = await this.#plane.open({
      callId: 'call_echo',
      onEvent: (event) => event.type === 'dtmf' && keys.push(event.digit),
    });
    if (typeof port === 'string') throw new Error(`no port: ${port}`);
    const call: EchoCall = { port, leg: undefined, agreed: [], stats: undefined, outer: undefined, keys };
    this.calls.push(call);
    return call;
  }

  #adopt(call: EchoCall, leg: Leg, media: NegotiatedMedia | undefined): void {
    call.leg = leg;
    if (media) this.#configure(call, media);
    leg.setHandlers(this.#handlers(call));
  }

  #handlers(call: EchoCall): Parameters<Leg['setHandlers']>[0] {
    return {
      onMedia: (media) => this.#configure(call, media),
      onDtmf: () => undefined,
      onEnd: () =>
        void call.port.close().then(async (stats) => {
          call.outer = await call.leg?.outerMedia;
          call.stats = stats;
        }),
    };
  }

  #configure(call: EchoCall, media: NegotiatedMedia): void {
    call.agreed.push(media);
    call.port.configure(media);
  }

  #echo(): void {
    const frame = new Int16Array(800);
    for (const { port } of this.calls) {
      for (let count = port.read(frame); count > 0; count = port.read(frame)) port.write(frame.subarray(0, count));
    }
  }
}
