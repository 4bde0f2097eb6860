import { NO_MEDIA_STATS } from '../../../dist/media/media-port.js';

const FRAME_MS = 20;
const FRAME_SAMPLES = 160;
const FIRST_PORT = 20_000;
const LAST_PORT = 59_998;

/** A port without a network: what the agent says is played by the clock, and the caller never makes a sound. */
class SilentPort {
  sampleRateHz = 8_000;
  quiet;
  stirred = false;
  heardAtMs = undefined;
  talkStartedAtMs = undefined;
  writtenSamples = 0;
  #played = 0;
  #sinceMs = 0;
  #held = false;

  constructor(plane, address, port) {
    this.plane = plane;
    this.local = { address, port };
  }

  get playedSamples() {
    if (this.#held) return this.#played;
    const frames = Math.floor((performance.now() - this.#sinceMs) / FRAME_MS);
    return Math.min(this.writtenSamples, this.#played + frames * FRAME_SAMPLES);
  }

  expect() {}
  configure({ direction }) {
    this.#played = this.playedSamples; // on hold what is queued waits
    this.#sinceMs = performance.now();
    this.#held = direction === 'recvonly' || direction === 'inactive';
  }
  read() {
    return 0;
  }
  write(samples) {
    const played = this.playedSamples;
    if (played === this.writtenSamples) {
      this.#played = played;
      this.#sinceMs = performance.now();
      this.talkStartedAtMs = this.#sinceMs;
    }
    const taken = Math.min(samples.length, this.plane.queueSamples - (this.writtenSamples - played));
    this.writtenSamples += taken;
    return taken;
  }
  clear() {
    const played = this.playedSamples;
    const dropped = this.writtenSamples - played;
    this.writtenSamples = played;
    this.#played = played;
    return dropped;
  }
  setGain() {}
  playMusic() {}
  sendDtmf() {}
  startRecording() {}
  async stats() {
    return NO_MEDIA_STATS;
  }
  async close() {
    this.plane.ports.delete(this);
    return NO_MEDIA_STATS;
  }
}

/** In the place of the media plane (`MediaPlane`): ports, and nothing that is sent or heard. */
export async function silentPlane({ sip, media }) {
  const ports = new Set();
  let next = FIRST_PORT;
  const plane = { ports, queueSamples: media.playoutQueueMs * 8 };
  const capacity = media.callsPerWorker;
  return {
    async open({ localAddress }) {
      if (ports.size >= capacity) return 'overloaded';
      const port = new SilentPort(plane, localAddress ?? sip.host, next);
      next = next === LAST_PORT ? FIRST_PORT : next + 2;
      ports.add(port);
      return port;
    },
    bridge: () => undefined,
    load: () => ({
      ...{ calls: ports.size, capacity, tickLatenessP99Ms: 0, lateTicks: 0, cpuPercent: 0 },
      ...{ portsFree: capacity - ports.size, threads: 1, threadsDown: 0, recording: { ok: true } },
    }),
    close: async () => undefined,
  };
}
