import { reach } from '../api/client.ts';
import { type StereoPiece, WavStream } from './wav-stream.ts';

/** What waits before it is played: a piece comes each tenth of a second, and some are late. */
const STORE_S = 0.25;
/** More waits only where the device stood still: what was missed is left out. */
const STORE_S_MAX = 1.5;
/** The caller to one ear and the agent to the other, but not quite: one ear alone tires. */
const SPREAD = 0.7;

/**
 * Plays a call that goes on. Needs no audio worklet, which browsers give to safe origins only.
 *
 * @param address - of `listenToCall`.
 * @param signal - ends it.
 * @returns when the call is over, or it was ended. @throws ApiError.
 */
export async function listenTo(address: string, signal: AbortSignal, onSound: () => void): Promise<void> {
  let player: StereoPlayer | undefined;
  try {
    const answer = await reach(address, { signal });
    const wav = new WavStream();
    const reader = answer.body!.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const piece = wav.push(value);
      if (!piece) continue;
      if (!player) onSound();
      player ??= new StereoPlayer(piece.rateHz);
      player.play(piece);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    player?.close();
  }
}

/** At the rate of the call, so that only the device's own resampling is between: pieces meet without a seam. */
class StereoPlayer {
  readonly #context: AudioContext;
  readonly #ears: readonly StereoPannerNode[];
  #nextS = 0;

  constructor(rateHz: number) {
    this.#context = new AudioContext({ sampleRate: rateHz });
    this.#ears = [-SPREAD, SPREAD].map((pan) => {
      const ear = new StereoPannerNode(this.#context, { pan });
      ear.connect(this.#context.destination);
      return ear;
    });
    void this.#context.resume();
  }

  play({ rateHz, channels }: StereoPiece): void {
    const nowS = this.#context.currentTime;
    if (this.#nextS <= nowS) this.#nextS = nowS + STORE_S;
    if (this.#nextS > nowS + STORE_S_MAX) return;
    for (const [side, samples] of channels.entries()) {
      const buffer = new AudioBuffer({ length: samples.length, numberOfChannels: 1, sampleRate: rateHz });
      buffer.copyToChannel(samples, 0);
      const source = new AudioBufferSourceNode(this.#context, { buffer });
      source.connect(this.#ears[side]!);
      source.start(this.#nextS);
    }
    this.#nextS += channels[0].length / rateHz;
  }

  close(): void {
    if (this.#context.state !== 'closed') void this.#context.close();
  }
}
