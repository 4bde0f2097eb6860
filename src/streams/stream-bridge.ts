import type { LevelBand } from '../audio/level.ts';
import { FRAME_SAMPLES, samplesOf, TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { CallTicker, Ticking } from '../call/call-ticker.ts';
import type { CallerAudio, MediaBridge, MediaPlane, MediaPort } from '../media/media-port.ts';
import { SampleRing } from './sample-ring.ts';
import { StreamPort } from './stream-port.ts';

/** More than this waiting is delay that two people would notice: it is left out. */
const QUEUED_MS_MAX = 600;
/** Frames taken in one tick: after a stall of the main thread the rest waits for the next one. */
const FRAMES_PER_TICK = 10;
/** As for bridges inside the media plane: louder than this is a sound of the other side. */
const SOUND_PEAK = 512;
/** Of what nobody listens to the last of it stays, as in a port. */
const UNHEARD_SAMPLES_MAX = 2 * TELEPHONE_RATE_HZ;

/** The media plane, with bridges between its ports and streams. Those have their audio on this thread, where it is joined. */
export function withStreamBridges(plane: MediaPlane, ticker: CallTicker): MediaPlane {
  const joined = new Map<MediaPort, StreamBridge>();
  return {
    open: (options) => plane.open(options),
    load: () => plane.load(),
    close: () => plane.close(),
    bridge: (a, b) => {
      if (!(a instanceof StreamPort) && !(b instanceof StreamPort)) return plane.bridge(a, b);
      if (a === b || joined.has(a) || joined.has(b) || isClosed(a) || isClosed(b)) return undefined;
      const bridge = new StreamBridge(a, b, ticker, () => {
        joined.delete(a);
        joined.delete(b);
      });
      joined.set(a, bridge);
      joined.set(b, bridge);
      return bridge;
    },
  };
}

const isClosed = (port: MediaPort): boolean => port instanceof StreamPort && port.closed;

/** What was carried to the other side, for whoever writes it down. */
class Carried implements CallerAudio {
  readonly #samples = new SampleRing(UNHEARD_SAMPLES_MAX);
  heardAtMs: number | undefined;
  quiet: LevelBand | undefined;
  readonly stirred = true;

  keep(samples: Int16Array, heardAtMs: number | undefined): void {
    this.#samples.skip(this.#samples.queued + samples.length - UNHEARD_SAMPLES_MAX);
    this.#samples.write(samples);
    this.heardAtMs = heardAtMs;
  }

  read(into: Int16Array): number {
    return this.#samples.read(into);
  }
}

/** What one says is written to the other, every 20 ms. */
class StreamBridge implements MediaBridge, Ticking {
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #ears = new Map<MediaPort, Carried>();
  #parted = false;

  constructor(
    private readonly a: MediaPort,
    private readonly b: MediaPort,
    private readonly ticker: CallTicker,
    private readonly onParted: () => void,
  ) {
    ticker.add(this);
  }

  tick(): void {
    if (isClosed(this.a) || isClosed(this.b)) return this.close();
    this.#carry(this.a, this.b);
    this.#carry(this.b, this.a);
  }

  broken(): void {
    this.close();
  }

  earOf(port: MediaPort): CallerAudio | undefined {
    if (this.#parted || (port !== this.a && port !== this.b)) return undefined;
    const ear = this.#ears.get(port) ?? new Carried();
    this.#ears.set(port, ear);
    return ear;
  }

  close(): void {
    if (this.#parted) return;
    this.#parted = true;
    this.ticker.remove(this);
    this.onParted();
  }

  #carry(from: MediaPort, to: MediaPort): void {
    for (let n = 0; n < FRAMES_PER_TICK; n += 1) {
      const count = from.read(this.#frame);
      if (count === 0) return;
      const samples = this.#frame.subarray(0, count);
      this.#ears.get(from)?.keep(samples, from.heardAtMs);
      if (to instanceof StreamPort && to.hasMusic && !isSound(samples)) continue; // music while the other side holds
      if (to.writtenSamples - to.playedSamples > samplesOf(QUEUED_MS_MAX, to.sampleRateHz)) to.clear();
      to.write(samples);
    }
  }
}

const isSound = (samples: Int16Array): boolean => samples.some((sample) => sample > SOUND_PEAK || sample < -SOUND_PEAK);
