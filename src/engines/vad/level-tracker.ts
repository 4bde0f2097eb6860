/** Full scale of 16-bit audio. */
const FULL_SCALE = 32_768;
/** What a frame without any signal is called. */
export const SILENCE_DB = -96;
/** At or below this a frame is digital silence (suppressed by the sender), which says nothing about the line's noise. */
const DIGITAL_SILENCE_DB = -85;
/** The floor never counts as lower than this, so that the first idle noise after digital silence is not speech. */
export const FLOOR_MIN_DB = -62;
/** Assumed before anything was heard: low enough to hear a caller who speaks first. */
const FLOOR_START_DB = -55;
/** The floor is the quietest frame of the last eight quarters of a second: speech has a gap in every two seconds. */
const WINDOWS = 8;
const FRAMES_PER_WINDOW = 12;
/** Half a second that stays within this range is noise, or a tone: speech moves more. */
const STEADY_FRAMES = 25;
const STEADY_RANGE_DB = 6;
/** How far the quietest frame of steady noise lies under its mean. */
const FLOOR_BIAS_DB = 1.5;
/** Pole of the DC blocker: -3 dB at 13 Hz. */
const DC_POLE = 0.99;
/** Onset is located in pieces of 5 ms. */
export const PIECE_SAMPLES = 40;
const PIECES_PER_FRAME = 4;
/** How far before its first voiced frame speech may have begun: what WebRTC detection takes to react. */
const BACKTRACK_PIECES = 12;

/** Level and noise floor of one stream of 20 ms frames, free of DC. Pure; 1 KB of state. */
export class LevelTracker {
  levelDb = SILENCE_DB;
  floorDb = FLOOR_START_DB;
  readonly #minima = new Float64Array(WINDOWS).fill(Number.POSITIVE_INFINITY);
  #window = 0;
  #framesInWindow = 0;
  #framesLearned = 0;
  #steadyFrames = 0;
  #steadyMinDb = 0;
  #steadyMaxDb = 0;
  #dcIn = 0;
  #dcOut = 0;
  /** Energies of the latest pieces, newest last. */
  readonly #pieces = new Float64Array(BACKTRACK_PIECES + PIECES_PER_FRAME);

  /** @param samples - 160 samples, 8 kHz. */
  push(samples: Int16Array): void {
    this.#pieces.copyWithin(0, PIECES_PER_FRAME);
    let frameEnergy = 0;
    for (let piece = 0; piece < PIECES_PER_FRAME; piece += 1) {
      const energy = this.#pieceEnergy(samples, piece * PIECE_SAMPLES);
      frameEnergy += energy;
      this.#pieces[BACKTRACK_PIECES + piece] = energy;
    }
    this.levelDb = decibels(frameEnergy / (PIECES_PER_FRAME * PIECE_SAMPLES));
    this.#learnFloor();
  }

  /** Samples between the first piece over `thresholdDb` of an unbroken run and the end of the latest frame. */
  samplesSinceOnset(thresholdDb: number): number {
    let first = this.#pieces.length;
    for (let i = this.#pieces.length - 1; i >= 0; i -= 1) {
      if (decibels((this.#pieces[i] as number) / PIECE_SAMPLES) >= thresholdDb) first = i;
      else if (i < BACKTRACK_PIECES) break;
    }
    return (this.#pieces.length - first) * PIECE_SAMPLES;
  }

  reset(): void {
    this.levelDb = SILENCE_DB;
    this.floorDb = FLOOR_START_DB;
    this.#minima.fill(Number.POSITIVE_INFINITY);
    this.#pieces.fill(0);
    this.#window = 0;
    this.#framesInWindow = 0;
    this.#framesLearned = 0;
    this.#steadyFrames = 0;
    this.#dcIn = 0;
    this.#dcOut = 0;
  }

  #pieceEnergy(samples: Int16Array, offset: number): number {
    let energy = 0;
    for (let i = offset; i < offset + PIECE_SAMPLES; i += 1) {
      const input = samples[i] ?? 0;
      this.#dcOut = input - this.#dcIn + DC_POLE * this.#dcOut;
      this.#dcIn = input;
      energy += this.#dcOut * this.#dcOut;
    }
    return energy;
  }

  #learnFloor(): void {
    if (this.levelDb <= DIGITAL_SILENCE_DB) return;
    this.#framesLearned += 1;
    if (this.levelDb < (this.#minima[this.#window] ?? 0)) this.#minima[this.#window] = this.levelDb;
    this.#framesInWindow += 1;
    if (this.#framesInWindow === FRAMES_PER_WINDOW) {
      this.#framesInWindow = 0;
      this.#window = (this.#window + 1) % WINDOWS;
      this.#minima[this.#window] = this.levelDb;
    }
    let quietestDb = Number.POSITIVE_INFINITY;
    for (let i = 0; i < WINDOWS; i += 1) quietestDb = Math.min(quietestDb, this.#minima[i] as number);
    const learned = quietestDb + FLOOR_BIAS_DB;
    // Until two seconds were heard the quietest frame may still be speech: the floor may only sink.
    const trusted = this.#framesLearned >= WINDOWS * FRAMES_PER_WINDOW;
    if (this.#isSteady()) this.floorDb = this.#steadyMinDb + FLOOR_BIAS_DB;
    else this.floorDb = trusted ? learned : Math.min(learned, this.floorDb);
    this.floorDb = Math.max(FLOOR_MIN_DB, this.floorDb);
  }

  /** Follows the run of frames that stay within `STEADY_RANGE_DB` of each other. */
  #isSteady(): boolean {
    if (this.#steadyFrames === 0) this.#steadyMinDb = this.#steadyMaxDb = this.levelDb;
    this.#steadyMinDb = Math.min(this.#steadyMinDb, this.levelDb);
    this.#steadyMaxDb = Math.max(this.#steadyMaxDb, this.levelDb);
    this.#steadyFrames = this.#steadyMaxDb - this.#steadyMinDb > STEADY_RANGE_DB ? 0 : this.#steadyFrames + 1;
    return this.#steadyFrames >= STEADY_FRAMES;
  }
}

function decibels(meanSquare: number): number {
  if (meanSquare <= 0) return SILENCE_DB;
  return Math.max(SILENCE_DB, 10 * Math.log10(meanSquare / (FULL_SCALE * FULL_SCALE)));
}
