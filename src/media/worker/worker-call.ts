import { FRAME_MS } from '../../audio/pcm.ts';
import type { NegotiatedMedia } from '../description.ts';
import type { DatagramHandler, MediaSocket } from '../io/media-io.ts';
import type { MediaEvent, MediaStats, QualityTimeline } from '../media-port.ts';
import { type LaneEnds, LaneReader, LaneWriter } from '../plane/bridge-lane.ts';
import { type CallAudioMemory, CaptureClock } from '../plane/call-audio.ts';
import { LevelMeter } from '../plane/level-meter.ts';
import type { MediaWorkerData } from '../plane/media-protocol.ts';
import { PcmRing, type PcmRingMemory } from '../plane/pcm-ring.ts';
import { QuietWatch } from '../plane/quiet-watch.ts';
import { RecordingTap } from '../recording/recording-tap.ts';
import type { FormerStream } from '../rtp/latching.ts';
import { estimateMos } from '../rtp/mos.ts';
import { canonicalAddress, RemoteEndpoint, type Source } from '../rtp/remote-endpoint.ts';
import { RtcpSession } from '../rtp/rtcp-session.ts';
import { looksLikeRtcp } from '../rtp/rtp-packet.ts';
import type { UnprovenBudget } from '../rtp/unproven-budget.ts';
import type { SrtpImplementation } from '../srtp/contract.ts';
import { CallReceiver } from './call-receiver.ts';
import { type CallKeys, CallSecurity } from './call-security.ts';
import { CallSender } from './call-sender.ts';
import { EarlyDatagrams } from './early-datagrams.ts';
import { QualityLog, type QualityReading } from './quality-log.ts';
import { WHEEL_SLOTS, type WheelPeriod } from './tick-wheel.ts';

/** After a long stall this much of the caller's backlog is passed on in one tick. */
const MAX_FRAMES_PER_TICK = 50;
const HOUSEKEEPING_MS = 500;
/** Of what the caller said before the ACK was seen so much is heard; of the room for what waits, the rest is for the present. */
const EARLY_AUDIO_MS = 1_500;

/** Opens the RTCP port next to the RTP port, where RTCP is not muxed; tells nothing where it cannot be had. Throws nothing. */
export type OpenRtcp = (port: number, onDatagram: DatagramHandler, opened: (socket: MediaSocket) => void) => void;

export interface WorkerCallDeps {
  readonly settings: Pick<MediaWorkerData, 'rtpTimeoutMs' | 'jitter' | 'cname' | 'comfortNoiseDb'>;
  readonly unproven: UnprovenBudget;
  readonly srtp: SrtpImplementation;
  /** Streams of earlier calls on this port. */
  readonly former: readonly FormerStream[];
  readonly now: () => number; // monotonicMs
  readonly utcMs: () => number;
  readonly onEvent: (event: MediaEvent) => void;
  readonly openRtcp: OpenRtcp;
}

/** One call on its media thread: a socket, a receiver, a sender, RTCP, and the wheel's ticks that drive them. */
export class WorkerCall {
  readonly remote: RemoteEndpoint;
  readonly receiver: CallReceiver;
  readonly sender: CallSender;
  readonly #security: CallSecurity;
  readonly #rtcp: RtcpSession;
  #rtcpSocket: MediaSocket | undefined;
  #rtcpSource: Source | undefined; // where the peer's RTCP came from
  #media: NegotiatedMedia | undefined;
  readonly #capture: PcmRing;
  readonly #captured: CaptureClock;
  readonly #watch: QuietWatch;
  readonly #meter: LevelMeter;
  readonly #frame: Int16Array;
  #tap: RecordingTap | undefined;
  #listened: RecordingTap | undefined;
  #lane: LaneWriter | undefined; // to the other caller
  #early: EarlyDatagrams | undefined; // between our answer and `configure`
  #suite: string | undefined; // the one agreed last
  #fromText = ''; // who sent the last datagram, as the system writes it
  #from: Source = { address: '', port: 0 };
  #lastTick: number | undefined;
  #tickedAtMs = 0;
  #sendDueMs = 0;
  #receiveDueMs = 0;
  #housekeepingAtMs = 0;
  readonly #quality = new QualityLog();
  #closed = false;
  readonly #now: () => number; // of its own: `deps` has another shape for every call, which makes each look at it slow

  constructor(
    readonly socket: MediaSocket,
    memory: CallAudioMemory,
    readonly deps: WorkerCallDeps,
  ) {
    const { settings, now, onEvent } = deps;
    const { sampleRateHz } = memory;
    this.#now = now;
    this.remote = new RemoteEndpoint(deps.unproven);
    this.#security = new CallSecurity(deps.srtp);
    const { former } = deps;
    this.receiver = new CallReceiver({ ...settings, sampleRateHz, former, security: this.#security }, this.remote, {
      onKey: (key, means) => {
        if (means === 'event') this.#lane?.press(key.digit);
        onEvent({ type: 'dtmf', ...key, means });
      },
      onLatched: (source) => {
        this.#settleSocket();
        onEvent({ type: 'latched', ...source });
      },
    });
    const send = (datagram: Buffer, bytes: number, target: Source): void => {
      const protectedBytes = this.#security.protectRtp(datagram, bytes);
      if (protectedBytes > 0) socket.send(datagram, protectedBytes, target);
    };
    const onKeys = (digits: string): void => onEvent({ type: 'keys', digits });
    this.sender = new CallSender(memory, this.remote, { send, onKeys }, settings.comfortNoiseDb);
    this.#capture = new PcmRing(memory.capture);
    this.#captured = new CaptureClock(memory.heard);
    this.#watch = new QuietWatch(memory.quiet);
    this.#meter = new LevelMeter(memory.meter);
    this.#frame = new Int16Array(this.receiver.frameSamples);
    this.#rtcp = new RtcpSession(this.sender.stream, this.receiver.stream, settings.cname, now());
  }

  /** How often `onTick` must come for the agreed packet time. */
  get period(): WheelPeriod {
    return this.sender.ptimeMs % WHEEL_SLOTS === 0 ? 20 : 10;
  }

  /** @param keys - of SRTP; without them media is in the clear. */
  configure(media: NegotiatedMedia, keys?: CallKeys): void {
    this.#media = media;
    if (this.#security.configure(keys, this.deps.now())) this.sender.renew();
    this.#suite = keys?.send.suite;
    const wasLocked = this.remote.locked;
    this.receiver.configure(media, this.deps.now());
    this.sender.configure(media);
    if (wasLocked && !this.remote.locked) this.#rtcpSource = undefined;
    this.#settleSocket();
    if (!media.rtcpMux && !this.#rtcpSocket) this.#openRtcp();
    if (this.#early) this.#hearEarly(this.#early);
  }

  /**
   * Our answer goes out: from now on the caller may talk (RFC 3264 §6.1), though who that is and whether there is a call at all
   * is known with the ACK only. Until then nothing is believed, sent or told; what comes waits for `configure`.
   */
  expect(): void {
    if (!this.#media) this.#early ??= new EarlyDatagrams();
  }

  /** One datagram of the RTP port. */
  onDatagram(datagram: Buffer, address: string, port: number, atMs: number): void {
    const from = this.#sourceOf(address, port);
    if (looksLikeRtcp(datagram)) this.#onRtcp(datagram, from.address, port, atMs, true);
    else if (this.#early) this.#early.hold(datagram, from, atMs);
    else this.receiver.receive(datagram, from, atMs);
  }

  /** Who it was the last time is who it is nearly always: addresses are read once. */
  #sourceOf(address: string, port: number): Source {
    if (this.#from.port === port && this.#fromText === address) return this.#from;
    this.#fromText = address;
    this.#from = { address: canonicalAddress(address), port };
    return this.#from;
  }

  /** The wheel was left and joined again, with another period. */
  restartTicks(): void {
    this.#lastTick = undefined;
  }

  /** What the caller hears depends on now, what is heard of the caller on when the tick was due: packets came as if it were in time. */
  onTick(tick: number, dueMs: number): void {
    const nowMs = this.#now();
    const elapsedMs = this.#lastTick === undefined ? this.period : tick - this.#lastTick;
    this.#lastTick = tick;
    this.#tickedAtMs = dueMs;
    this.#sendTick(elapsedMs, nowMs);
    this.#receiveTick(elapsedMs, dueMs);
    if (nowMs >= this.#housekeepingAtMs) this.#housekeeping(nowMs);
  }

  record(ring: PcmRingMemory | undefined): void {
    this.#tap = ring && new RecordingTap(new PcmRing(ring), this.#frame.length);
  }

  /** The same for somebody who listens. */
  listen(ring: PcmRingMemory | undefined): void {
    this.#listened = ring && new RecordingTap(new PcmRing(ring), this.#frame.length);
  }

  /** Joins the call to the one at the other ends of `lanes`; undefined: parts it. */
  join(lanes: LaneEnds | undefined): void {
    this.#lane = lanes && new LaneWriter(lanes.to);
    this.sender.join(lanes && new LaneReader(lanes.from, this.sender.sampleRateHz));
  }

  stats(): MediaStats {
    const { stream, jitter, rejected } = this.receiver;
    const { remote } = this.#rtcp;
    const { forged, replayed } = this.#security.counters;
    const expected = stream.expected;
    const percent = (count: number): number => (expected === 0 ? 0 : (count * 100) / expected);
    const roundTripMs = remote?.roundTripMs;
    return {
      packetsSent: this.sender.stream.packets,
      packetsReceived: stream.received,
      packetsLost: stream.lost,
      packetsLate: jitter.counters.late,
      packetsDuplicate: stream.duplicates + jitter.counters.duplicate,
      packetsConcealed: jitter.counters.concealed,
      packetsRejected: rejected,
      jitterMs: stream.jitterMs,
      lossPercent: percent(stream.lost),
      mos: estimateMos({
        delayMs: this.#delayMs,
        lossPercent: percent(stream.lost + jitter.counters.late),
      }),
      ...(remote ? { remoteLossPercent: remote.lossPercent, remoteJitterMs: remote.jitterMs } : {}),
      ...(roundTripMs === undefined ? {} : { roundTripMs }),
      codec: this.#media?.codec ?? 'none',
      ...(this.#suite && { srtpSuite: this.#suite, packetsForged: forged, packetsReplayed: replayed }),
    };
  }

  timeline(): QualityTimeline | undefined {
    return this.#quality.timeline();
  }

  /** Says goodbye by RTCP and frees the sockets, every one of them whatever the others throw. Idempotent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#tap = undefined;
    this.#listened = undefined;
    try {
      if (this.sender.stream.packets > 0) this.#sendRtcp(this.deps.now(), true);
    } finally {
      try {
        this.#security.close();
        this.#rtcpSocket?.close();
      } finally {
        this.socket.close();
      }
    }
  }

  #sendTick(elapsedMs: number, nowMs: number): void {
    const { ptimeMs } = this.sender;
    this.#sendDueMs += elapsedMs;
    if (this.#sendDueMs < ptimeMs) return;
    const slots = Math.floor(this.#sendDueMs / ptimeMs);
    this.#sendDueMs -= slots * ptimeMs;
    const said = this.sender.slot(nowMs, slots - 1);
    if (!said) return;
    this.#tap?.said(said);
    this.#listened?.said(said);
    this.#meter.said(said);
  }

  /** Nothing is captured before the call is configured: a reader that starts at the answer hears nothing from before it. */
  #receiveTick(elapsedMs: number, dueMs: number): void {
    if (!this.#media) return;
    this.#receiveDueMs += elapsedMs;
    for (let frames = 0; this.#receiveDueMs >= FRAME_MS; frames += 1) {
      this.#receiveDueMs -= FRAME_MS;
      if (frames < MAX_FRAMES_PER_TICK) this.#hear(dueMs - this.#receiveDueMs);
    }
  }

  #hear(atMs: number, isKept = true): void {
    this.receiver.frame(this.#frame, atMs);
    if (!isKept) return;
    this.#tap?.heard(this.#frame);
    this.#listened?.heard(this.#frame);
    this.#meter.heard(this.#frame);
    if (this.receiver.isEvent) this.#frame.fill(0); // The event goes over the bridge, and its tone would be the key again.
    this.#lane?.say(this.#frame);
    if (this.receiver.isKey) this.#frame.fill(0); // Nobody is to take the tone of a key for speech.
    this.#captured.captured(atMs - this.receiver.jitter.waitedMs, this.#keep);
    this.#watch.heard(this.#frame);
  }

  readonly #keep = (): void => {
    // A reader that stalled for seconds gets the present, not a backlog that it would trail behind for good.
    if (this.#capture.free < this.#frame.length) this.#capture.clear();
    this.#capture.write(this.#frame);
  };

  /** What waited is judged and heard as it came, frame by frame: words at their pace, keys in their order. */
  #hearEarly({ waiting, dropped }: EarlyDatagrams): void {
    this.#early = undefined;
    this.receiver.rejected += dropped;
    const [first] = waiting;
    if (!first) return;
    const lastMs = this.#tickedAtMs; // the frame after it is that of the next tick
    let frameMs = lastMs - FRAME_MS * (Math.ceil((lastMs - first.atMs) / FRAME_MS) - 1);
    const hearBefore = (untilMs: number): void => {
      for (; frameMs < untilMs && frameMs <= lastMs; frameMs += FRAME_MS) {
        this.#hear(frameMs, frameMs > lastMs - EARLY_AUDIO_MS);
      }
    };
    for (const { datagram, from, atMs } of waiting) {
      hearBefore(atMs);
      this.receiver.receive(datagram, from, atMs);
    }
    hearBefore(Number.POSITIVE_INFINITY);
  }

  #housekeeping(nowMs: number): void {
    this.#housekeepingAtMs = nowMs + HOUSEKEEPING_MS;
    if (this.receiver.timeout.expired(nowMs)) this.deps.onEvent({ type: 'timeout' });
    this.#settleSocket();
    if (this.#media) this.#quality.look(nowMs, this.#reading);
    if (this.#media && this.#rtcp.due(nowMs)) this.#sendRtcp(nowMs, false);
  }

  readonly #reading = (): QualityReading => {
    const { stream, jitter } = this.receiver;
    return {
      ...{ expected: stream.expected, missing: stream.lost + jitter.counters.late, jitterMs: stream.jitterMs },
      delayMs: this.#delayMs,
    };
  };

  /** Mouth to ear, one way. */
  get #delayMs(): number {
    return (this.#rtcp.remote?.roundTripMs ?? 0) / 2 + this.receiver.jitter.targetMs + FRAME_MS;
  }

  #settleSocket(): void {
    const { latching } = this.receiver;
    this.socket.connect(latching.mayConnect(this.deps.now()) ? this.remote.locked : undefined);
  }

  #openRtcp(): void {
    const onDatagram: DatagramHandler = (datagram, address, port, atMs) =>
      this.#onRtcp(datagram, canonicalAddress(address), port, atMs, false);
    this.deps.openRtcp(this.socket.localPort + 1, onDatagram, (socket) => {
      if (this.#closed || this.#rtcpSocket) socket.close();
      else this.#rtcpSocket = socket;
    });
  }

  /** Only from the host that is locked in; on the RTP port also only from its port. */
  #onRtcp(datagram: Buffer, address: string, port: number, atMs: number, muxed: boolean): void {
    const { locked } = this.remote;
    if (!locked || locked.address !== address || (muxed && locked.port !== port)) {
      this.receiver.rejected += 1;
      return;
    }
    const report = this.#security.openRtcp(datagram, atMs);
    if (!report) {
      this.receiver.rejected += 1;
      return;
    }
    if (!muxed) this.#rtcpSource = { address, port };
    const { now, utcMs } = this.deps;
    this.#rtcp.receive(report, atMs, utcMs() - (now() - atMs));
  }

  #sendRtcp(nowMs: number, bye: boolean): void {
    const { locked } = this.remote;
    if (!locked || !this.#media) return; // reports about nobody, to an unproven address, help no one
    const datagram = this.#security.protectRtcp(this.#rtcp.build(nowMs, this.deps.utcMs(), bye));
    if (!datagram) return;
    if (this.#media.rtcpMux) {
      this.socket.send(datagram, datagram.length, locked);
      return;
    }
    const described = locked.address === canonicalAddress(this.#media.remote.address);
    const target =
      this.#rtcpSource ?? (described ? { address: locked.address, port: this.#media.remoteRtcpPort } : undefined);
    if (target && target.port > 0) this.#rtcpSocket?.send(datagram, datagram.length, target);
  }
}
