import { GainRamp } from '../../audio/gain-ramp.ts';
import { clampSample } from '../../audio/half-band.ts';
import type { MusicLoop } from '../music-loop.ts';
import type { LaneReader } from '../plane/bridge-lane.ts';
import type { PlayoutLevels } from '../plane/call-audio.ts';
import type { PcmRing } from '../plane/pcm-ring.ts';
import type { SampleSource } from '../rtp/playout.ts';
import { MusicReader } from './music-reader.ts';

/** Louder than this is sound of the other side's own, -36 dBFS: a phone that holds may play music itself. */
const SOUND_PEAK = 512;
/** For so long after it the other side's sound is heard on, whatever its pauses. */
const SOUND_PACKETS = 50;

/** What the caller is to hear: the agent, the other caller of a bridge, music to wait by. One does not wait for the other. */
export class OutgoingAudio implements SampleSource {
  /** In the packet read last. */
  agentSamples = 0;
  lane: LaneReader | undefined;
  #music: MusicReader | undefined;
  #soundPackets = 0; // the other side is heard for so many more, in the place of music
  #other = new Int16Array(0);
  readonly #ramp: GainRamp;
  #isQuiet = true;

  constructor(
    readonly agent: PcmRing,
    readonly levels: PlayoutLevels,
    readonly sampleRateHz: number,
  ) {
    this.#ramp = new GainRamp(sampleRateHz);
  }

  /** Music while there is neither the agent nor a sound of the other side; undefined: none. */
  play(music: MusicLoop | undefined): void {
    if (music === this.#music?.loop) return;
    this.#music = music && new MusicReader(music, this.sampleRateHz);
    this.#soundPackets = 0;
  }

  /** Fills `into` from its start. @returns samples filled: all of them with music or another caller on the line. */
  read(into: Int16Array): number {
    this.agentSamples = this.agent.read(into);
    if (this.agentSamples > 0) this.#level(into);
    else this.#isQuiet = true;
    if (!this.lane && !this.#music) return this.agentSamples;
    if (this.agentSamples === 0) return this.#background(into) ? into.length : 0;
    if (this.#other.length !== into.length) this.#other = new Int16Array(into.length);
    if (!this.lane?.hear(this.#other)) return this.agentSamples; // no music under the agent's words
    into.fill(0, this.agentSamples);
    for (let i = 0; i < into.length; i += 1) into[i] = clampSample((into[i] as number) + (this.#other[i] as number));
    return into.length;
  }

  /** After a pause the agent is as loud as he should be, at once. */
  #level(into: Int16Array): void {
    const { gainDb } = this.levels;
    if (this.#isQuiet) this.#ramp.apply(into, 0, gainDb);
    this.#isQuiet = false;
    this.#ramp.apply(into, this.agentSamples, gainDb);
  }

  /** @returns false where there is nothing to be heard. */
  #background(into: Int16Array): boolean {
    const isHeard = this.lane?.hear(into) ?? false;
    if (!this.#music) return isHeard;
    if (isHeard && into.some((sample) => sample > SOUND_PEAK || sample < -SOUND_PEAK)) {
      this.#soundPackets = SOUND_PACKETS;
    }
    this.#soundPackets -= 1;
    if (this.#soundPackets < 0) {
      this.#soundPackets = 0;
      this.#music.read(into);
    }
    return true;
  }
}
