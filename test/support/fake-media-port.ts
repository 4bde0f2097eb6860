import type { LevelBand } from '../../src/audio/level.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { NegotiatedMedia } from '../../src/media/description.ts';
import type { MediaBridge, MediaPort, MediaStats } from '../../src/media/media-port.ts';
import type { MusicLoop } from '../../src/media/music-loop.ts';
import { allocateQuietWatch, QuietWatch } from '../../src/media/plane/quiet-watch.ts';

/** A media port without a network: audio written is "played" as the clock moves, captured audio is what the test says. */
export class FakeMediaPort implements MediaPort {
  readonly local = { address: '127.0.0.1', port: 40_000 };
  readonly sampleRateHz = 8_000;
  readonly configured: NegotiatedMedia[] = [];
  talkStartedAtMs: number | undefined;
  /** How long what is read has waited since it came. */
  waitedMs = 0;
  closed = false;
  expecting = false;
  /** Whom its caller hears. */
  bridgedTo: FakeMediaPort | undefined;
  recordedTo: string | undefined;
  keysSent = '';
  music: MusicLoop | undefined;
  /** Of what is played, and all there were. */
  readonly gainsDb: number[] = [];
  writtenSamples = 0;
  #played = 0;
  #playFromMs = 0;
  #held = false;
  #captured: Int16Array[] = [];
  protected readonly watch = new QuietWatch(allocateQuietWatch());
  protected stirsSeen = 0;
  constructor(
    private readonly clock: Clock,
    private readonly queueSamples = 64_000,
  ) {}

  get playedSamples(): number {
    if (this.#held) return this.#played;
    const elapsed = Math.floor((this.clock.nowMs() - this.#playFromMs) / 20) * 160;
    return Math.min(this.writtenSamples, this.#played + Math.max(0, elapsed));
  }
  expect(): void {
    this.expecting = true;
  }
  configure(media: NegotiatedMedia): void {
    this.configured.push(media);
    const held = media.direction === 'recvonly' || media.direction === 'inactive';
    if (held === this.#held) return;
    this.#played = this.playedSamples; // on hold what is queued waits
    this.#playFromMs = this.clock.nowMs();
    this.#held = held;
    if (!held && this.writtenSamples > this.#played) this.talkStartedAtMs = this.clock.nowMs();
  }
  /** What the caller says: `ms` of loud or silent audio. */
  hear(ms: number, level: number): void {
    for (let i = 0; i < ms / 20; i += 1) {
      const frame = new Int16Array(160).fill(level);
      this.#captured.push(frame);
      this.watch.heard(frame);
    }
  }
  read(into: Int16Array): number {
    this.stirsSeen = this.watch.stirs;
    const frame = this.#captured.shift();
    if (!frame) return 0;
    into.set(frame);
    return frame.length;
  }
  set quiet(band: LevelBand | undefined) {
    this.watch.quiet = band;
  }
  get stirred(): boolean {
    return this.watch.stirs !== this.stirsSeen;
  }
  get heardAtMs(): number {
    return this.clock.nowMs() - this.waitedMs;
  }
  write(samples: Int16Array): number {
    const played = this.playedSamples;
    const wasEmpty = played >= this.writtenSamples;
    const taken = Math.min(samples.length, this.queueSamples - (this.writtenSamples - played));
    if (wasEmpty) {
      this.#played = played;
      this.#playFromMs = this.clock.nowMs();
      if (!this.#held) this.talkStartedAtMs = this.clock.nowMs();
    }
    this.writtenSamples += taken;
    return taken;
  }
  clear(): number {
    const played = this.playedSamples;
    const dropped = this.writtenSamples - played;
    this.writtenSamples = played;
    this.#played = played;
    return dropped;
  }
  setGain(gainDb: number): void {
    this.gainsDb.push(gainDb);
  }
  playMusic(music: MusicLoop | undefined): void {
    this.music = music;
  }
  sendDtmf(digits: string): void {
    this.keysSent += digits;
  }
  startRecording(path: string): void {
    this.recordedTo = path;
  }
  stats(): Promise<MediaStats> {
    return Promise.resolve({
      ...{ packetsSent: 1, packetsReceived: 1, packetsLost: 0, packetsLate: 0, packetsDuplicate: 0 },
      ...{ packetsConcealed: 0, packetsRejected: 0, jitterMs: 0, lossPercent: 0, mos: 4.4, codec: 'PCMU' },
    });
  }
  close(): Promise<MediaStats> {
    this.closed = true;
    part(this);
    return this.stats();
  }
}

/** Joins two fakes by the rules of a media plane. */
export function bridgeFakes(a: FakeMediaPort, b: FakeMediaPort): MediaBridge | undefined {
  if (a === b || [a, b].some(({ closed, bridgedTo }) => closed || bridgedTo)) return undefined;
  a.bridgedTo = b;
  b.bridgedTo = a;
  return {
    close: () => {
      if (a.bridgedTo === b) part(a);
    },
  };
}

function part(port: FakeMediaPort): void {
  if (port.bridgedTo) port.bridgedTo.bridgedTo = undefined;
  port.bridgedTo = undefined;
}
