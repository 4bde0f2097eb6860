import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callEnd } from '../call/call-end.ts';
import type { DialCredentials, Dialer, DialOptions } from '../call/dialer.ts';
import type { Leg } from '../call/leg.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { errorText, OperatorError } from '../core/errors.ts';
import { newId, randomToken } from '../core/ids.ts';
import type { Logger } from '../core/logger.ts';
import type { EncryptionTerms } from '../core/trunk.ts';
import type { SttStream } from '../engines/stt/contract.ts';
import type { VadEngine } from '../engines/vad/contract.ts';
import { createVadEngine } from '../engines/vad/vad-engines.ts';
import type { MediaPlane, MediaPort } from '../media/media-port.ts';
import { createMediaPlane } from '../media/plane/media-plane.ts';
import { carriesAudio, RtpSession } from '../media/rtp/rtp-session.ts';
import { SipServer } from '../sip/server.ts';
import { EmbeddedSipServer } from '../sip-server/embedded-server.ts';
import { bindFault } from './checks/port-holders.ts';
import { type CallerReport, SyntheticCaller, type SyntheticCallerOptions } from './synthetic-caller.ts';

export interface PhoneOptions {
  /** Own address: SIP and audio are bound to it and it goes into SDP. */
  readonly address: string;
  readonly logger: Logger;
  readonly clock?: Clock;
  /** UDP ports that a gateway on this machine keeps for its calls: it refuses a caller that names one of them. */
  readonly avoid?: { readonly min: number; readonly max: number };
}

export interface PhoneCall extends SyntheticCallerOptions {
  readonly uri: string; // sip:1000@127.0.0.1:5060
  readonly from: string;
  readonly nextHop?: string;
  readonly credentials?: DialCredentials;
  /** `X-*` and the like, of the INVITE. */
  readonly headers?: Readonly<Record<string, string>>;
  /** SRTP, and whether its keys may be readable on the way; media in the clear where it is left out. */
  readonly encryption?: EncryptionTerms;
  /** Opened when the media port is there; ended by the call. */
  readonly stt?: SttStream;
}

export interface PhoneReport extends CallerReport {
  readonly audioFrom?: string; // ip:port of the first packet that was accepted
}

const RTP_PORTS = 64; // two a call; freed ones rest before they are used again
const RTP_RANGE = { min: 24_000, max: 31_900 } as const;
const BEYOND = { min: 49_152, max: 65_400 } as const;
const RANGE_TRIES = 50;
const QUEUE_MS = 20_000;
const CALLS_MAX = 30;
const RTP_TIMEOUT_MS = 30_000;
const JITTER = { minMs: 20, maxMs: 200 } as const;
/** Quick to open, so that the first sound counts; 300 ms of silence end a stretch. */
const VAD = { startMs: 80, hangoverMs: 300, minLevelDb: 8 } as const;

/** A phone of our own: SIP and audio like the gateway's, on free ports, for calls out. */
export class Phone {
  #closing: Promise<void> | undefined;

  private constructor(
    private readonly sip: Dialer & { close(): Promise<void> },
    private readonly server: EmbeddedSipServer,
    private readonly media: MediaPlane,
    private readonly vad: VadEngine,
    private readonly folder: string,
    private readonly clock: Clock,
  ) {}

  /** @throws OperatorError when the address is not ours or no ports are free. */
  static async open({ address, logger, clock = systemClock, avoid }: PhoneOptions): Promise<Phone> {
    const rtpPort = await freeRtpRange(address, avoid);
    const folder = mkdtempSync(join(tmpdir(), 'nidaa-call-'));
    const control = { unixSocketPath: join(folder, 'sip.sock'), secret: randomToken(32) };
    const sip = new SipServer({
      connection: { mode: 'listen', ...control },
      ...{
        clock,
        logger,
        policy: { isOurs: () => false, carries: carriesAudio },
        encryptionOf: () => ({ encryption: 'none', keysInClear: false }),
        transferDomain: '',
      },
      onCall: (leg) => void leg.reject(callEnd('gateway', 'not-allowed')),
      onReplaces: (leg) => void leg.reject(callEnd('gateway', 'not-allowed')),
      admit: () => ({ kind: 'refused', end: callEnd('gateway', 'not-allowed') }), // It calls, and is not called.
      ...{ availability: () => undefined, onRefused: () => undefined, onAnswered: () => undefined },
    });
    const opened: { close(): Promise<void> }[] = [sip];
    try {
      await sip.start();
      const settings = { host: address, port: 0, transports: ['udp', 'tcp'], logger, clock } as const;
      const server = await EmbeddedSipServer.start({ ...settings, control: { mode: 'dial', ...control } });
      opened.push(server);
      const media = await createMediaPlane({
        ...{ bindAddress: address, advertiseAddress: address, portMin: rtpPort, portMax: rtpPort + RTP_PORTS - 1 },
        ...{ workers: 1, callsPerWorker: CALLS_MAX, queueMs: QUEUE_MS, rtpTimeoutMs: RTP_TIMEOUT_MS },
        ...{ jitter: JITTER, maxLatenessP99Ms: 50, maxCpuPercent: 100, logger, clock },
      });
      opened.push(media);
      await sip.ready();
      return new Phone(sip, server, media, await createVadEngine('combined'), folder, clock);
    } catch (error) {
      for (const part of opened.reverse()) await part.close();
      rmSync(folder, { recursive: true, force: true });
      throw new OperatorError(`Cannot call from ${address}: ${errorText(error)}`, { cause: error });
    }
  }

  /** Places one call and performs it to its end. */
  async call({
    uri,
    from,
    nextHop,
    credentials,
    headers,
    encryption,
    stt,
    ...options
  }: PhoneCall): Promise<PhoneReport> {
    let audioFrom: string | undefined;
    const port = await this.media.open({
      callId: newId('call'),
      onEvent: (event) => {
        if (event.type === 'latched') audioFrom = `${event.address}:${event.port}`;
      },
    });
    if (typeof port === 'string') throw new OperatorError(`No audio port for the call: ${port}`);
    const caller = new SyntheticCaller(
      {
        ...{ port, clock: this.clock, vad: this.vad.open(VAD), ...(stt && { stt }) },
        dial: (at) =>
          this.dial(at, {
            ...{ uri, from, ...(nextHop !== undefined && { nextHop }), ...(credentials && { credentials }) },
            ...(headers && { headers }),
            ...{ ...encryption, ...(options.signal && { signal: options.signal }) },
          }),
      },
      options,
    );
    const report = await caller.run();
    return { ...report, ...(audioFrom !== undefined && { audioFrom }) };
  }

  /** Sends the INVITE; @returns the leg, with `port` set to what was agreed. Rejects with `DialError`. */
  async dial(port: Pick<MediaPort, 'local' | 'configure'>, options: Omit<DialOptions, 'media'>): Promise<Leg> {
    const leg = await this.sip.dial({ ...options, media: new RtpSession(port.local) });
    if (leg.media) port.configure(leg.media);
    return leg;
  }

  /** Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.sip.close();
    await Promise.all([this.server.close(), this.media.close()]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The start of a run of UDP ports that look free: its first, middle and last ones can be had. */
async function freeRtpRange(address: string, avoid: PhoneOptions['avoid']): Promise<number> {
  let fault: string | undefined;
  for (let attempt = 0; attempt < RANGE_TRIES; attempt += 1) {
    const start = freeOf(avoid);
    const probes = [start, start + RTP_PORTS / 2, start + RTP_PORTS - 1];
    const faults = await Promise.all(probes.map((port) => bindFault('udp', address, port)));
    fault = faults.find((each) => each !== undefined);
    if (fault === undefined) return start;
    if (fault === 'EADDRNOTAVAIL') throw new OperatorError(`${address} is no address of this machine.`);
  }
  throw new OperatorError(`No free UDP ports for audio on ${address}: ${fault}`);
}

/** An even start outside of `avoid`; where that covers everything, past both. */
function freeOf(avoid: PhoneOptions['avoid']): number {
  const below = { min: RTP_RANGE.min, max: Math.min(RTP_RANGE.max, (avoid?.min ?? 65_536) - RTP_PORTS) };
  const above = { min: Math.max(RTP_RANGE.min, (avoid?.max ?? 0) + 1), max: RTP_RANGE.max };
  const room = [below, above].filter(({ min, max }) => max - min >= 4);
  const { min, max } = room[randomInt(0, Math.max(room.length, 1))] ?? BEYOND;
  return 2 * randomInt(Math.ceil(min / 2), Math.floor(max / 2));
}
