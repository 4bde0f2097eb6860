import { FRAME_SAMPLES, samplesOf } from '../audio/pcm.ts';
import type { CallTicker, Ticking } from '../call/call-ticker.ts';
import type { MediaBridge, MediaPlane, MediaPort } from '../media/media-port.ts';
import { StreamPort } from './stream-port.ts';

/** More than this waiting is delay that two people would notice: it is left out. */
const QUEUED_MS_MAX = 600;
/** Frames taken in one tick: after a stall of the main thread the rest waits for the next one. */
const FRAMES_PER_TICK = 10;
/** As for bridges inside the media plane: louder than this is a sound of the other side. */
const SOUND_PEAK = 512;

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

/** What one says is written to the other, every 20 ms. */
class StreamBridge implements MediaBridge, Ticking {
  readonly #frame = new Int16Array(FRAME_SAMPLES);
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
      if (to instanceof StreamPort && to.hasMusic && !isSound(samples)) continue; // music while the other side holds
      if (to.writtenSamples - to.playedSamples > samplesOf(QUEUED_MS_MAX, to.sampleRateHz)) to.clear();
      to.write(samples);
    }
  }
}

const isSound = (samples: Int16Array): boolean => samples.some((sample) => sample > SOUND_PEAK || sample < -SOUND_PEAK);
