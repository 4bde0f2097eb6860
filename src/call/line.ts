import { EchoEstimator } from '../audio/echo-estimator.ts';
import { GainRamp } from '../audio/gain-ramp.ts';
import type { LevelBand } from '../audio/level.ts';
import { FRAME_SAMPLES, TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { CallerAudio, MediaPort } from '../media/media-port.ts';
import { Rest } from './rest.ts';

/** What the agent's speech needs of a port. */
export type AgentAudio = Pick<MediaPort, 'write' | 'clear' | 'writtenSamples' | 'playedSamples' | 'talkStartedAtMs'>;

/** Speech that was played while nothing was heard is not waited for beyond this: what is heard then is not its echo. */
const UNHEARD_SAMPLES_MAX = 1600;

/**
 * Both directions of one call's audio, as the conversation has them: what the agent says goes through here to the port, and
 * what comes back of it is silence by the time it is read.
 */
export class Line implements AgentAudio, CallerAudio {
  readonly #echo = new EchoEstimator();
  readonly #heard = new Int16Array(FRAME_SAMPLES);
  readonly #heardWide: Int16Array | undefined;
  readonly #sent = new Int16Array(FRAME_SAMPLES);
  #filled = 0;
  /** Written and not yet compared with what was heard; positions are those of the port. */
  #speech: { readonly samples: Int16Array; readonly at: number }[] = [];
  #comparedSamples: number;
  #known = false;
  #gainDb = 0;
  readonly #ramp = new GainRamp(TELEPHONE_RATE_HZ);
  /** Of the call that talks over this line. */
  readonly rest: Rest;
  /** An echo was found: what was heard until now may have been it. */
  onEchoFound = (): void => {};

  constructor(private readonly port: MediaPort) {
    this.#comparedSamples = port.playedSamples;
    this.rest = new Rest(port);
    if (port.isWideband) this.#heardWide = new Int16Array(2 * FRAME_SAMPLES);
  }

  get isWideband(): boolean {
    return this.#heardWide !== undefined;
  }

  get writtenSamples(): number {
    return this.port.writtenSamples;
  }
  get playedSamples(): number {
    return this.port.playedSamples;
  }
  get heardAtMs(): number | undefined {
    return this.port.heardAtMs;
  }
  get talkStartedAtMs(): number | undefined {
    return this.port.talkStartedAtMs;
  }
  set quiet(band: LevelBand | undefined) {
    this.port.quiet = band;
  }
  get stirred(): boolean {
    return this.port.stirred;
  }

  /** Keeps a reference to `samples` until they were played. */
  write(samples: Int16Array): number {
    const at = this.port.writtenSamples;
    const taken = this.port.write(samples);
    if (taken > 0) this.#speech.push({ samples: samples.subarray(0, taken), at });
    return taken;
  }

  clear(): number {
    const dropped = this.port.clear();
    const end = this.port.writtenSamples;
    this.#speech = this.#speech
      .filter(({ at }) => at < end)
      .map(({ samples, at }) => ({ samples: samples.subarray(0, end - at), at }));
    return dropped;
  }

  /** Softer, or as written again: what comes back is softer, too. */
  setGain(gainDb: number): void {
    this.#gainDb = gainDb;
    this.port.setGain(gainDb);
  }

  /** The caller's next 20 ms, or nothing yet. @param into - room for a frame. @param wide - room for one in wideband. */
  read(into: Int16Array, wide?: Int16Array): number {
    this.#filled += this.#readHeard(this.#filled);
    if (this.#filled < FRAME_SAMPLES) return 0;
    this.#filled = 0;
    if (this.#echo.push(this.#heard, this.#readSent())) {
      into.fill(0, 0, FRAME_SAMPLES);
      wide?.fill(0, 0, 2 * FRAME_SAMPLES);
    } else {
      into.set(this.#heard);
      if (this.#heardWide) wide?.set(this.#heardWide);
    }
    const known = this.#echo.echo !== undefined;
    const found = known && !this.#known;
    this.#known = known;
    if (found) this.onEchoFound();
    return FRAME_SAMPLES;
  }

  #readHeard(filled: number): number {
    if (filled === 0) return this.port.read(this.#heard, this.#heardWide);
    return this.port.read(this.#heard.subarray(filled), this.#heardWide?.subarray(2 * filled));
  }

  /** What was played beside the frame that was heard; undefined where that was nothing. */
  #readSent(): Int16Array | undefined {
    const played = this.port.playedSamples;
    if (played - this.#comparedSamples > UNHEARD_SAMPLES_MAX) this.#comparedSamples = played - FRAME_SAMPLES;
    const from = this.#comparedSamples;
    const count = Math.max(0, Math.min(FRAME_SAMPLES, played - from));
    const [first] = this.#speech;
    if (!first || count === 0) {
      this.#ramp.apply(this.#sent, 0, this.#gainDb);
      this.#comparedSamples += count;
      return undefined;
    }
    this.#sent.fill(0);
    for (const { samples, at } of this.#speech) {
      if (at >= from + count) break;
      const skip = Math.max(0, from - at);
      if (skip < samples.length) this.#sent.set(samples.subarray(skip, from + count - at), Math.max(0, at - from));
    }
    this.#ramp.apply(this.#sent, count, this.#gainDb);
    this.#comparedSamples += count;
    while (this.#speech[0] && this.#speech[0].at + this.#speech[0].samples.length <= this.#comparedSamples) {
      this.#speech.shift();
    }
    return this.#sent;
  }
}

/** What waits in the port was said to somebody else. */
export function skipHeard(port: Pick<CallerAudio, 'read'>): void {
  const skipped = new Int16Array(FRAME_SAMPLES);
  while (port.read(skipped) > 0);
}
