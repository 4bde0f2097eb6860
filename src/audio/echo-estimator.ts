import { BLOCK, HISTORY, LAGS, LagSearch, NEWEST } from './lag-search.ts';
import { FRAME_SAMPLES } from './pcm.ts';

/** Both signals are compared at 2 kHz: the pitch and the first formant of speech, which every telephone brings back. */
const DECIMATION = FRAME_SAMPLES / BLOCK;
const SAMPLES_PER_MS = 2;
/** Takes the slope out of speech, so that a vowel does not look like every other vowel. */
const PRE_EMPHASIS = 0.9;
/** Of one frame to the next: a window of about 300 ms. */
const FORGET = Math.exp(-20 / 300);
/** Heard frames below this hold nothing to explain: mean square of -56 dBFS. */
const QUIET = 32_768 ** 2 * 10 ** (-56 / 10);
/** Less was sent, lately: there is nothing it could be the echo of. */
const SENT_QUIET = 32_768 ** 2 * 10 ** (-60 / 10);
/** The lags around the found one that are followed: a room has more than one way. */
const NEAR_LAGS = 6;
/** The share of what is heard that follows what was sent: beyond it louder frames are echo too, when they go on. */
const COHERENT = 0.4;
const LOUDER_FRAMES = 4;
/** Somebody who speaks has quiet moments, in which the echo could be all there is: 120 ms of them are theirs. */
const VOICE_KEPT_FRAMES = 6;
/** Over the seconds since it was found: below it, it was something else. */
const LOST = 0.1;
const LOST_FORGET = Math.exp(-20 / 1500);
const LOST_AFTER_FRAMES = 40;
/** A frame of more energy than the echo can have, by 6 dB, holds something else, too. */
const MARGIN = 4;
/** Energies of what was sent are kept in pieces of 5 ms. */
const PIECE = 40;
const PIECES = FRAME_SAMPLES / PIECE;
const PIECES_PER_LAG = PIECE / DECIMATION;
/** What a room adds: by how many pieces the sound may come before its time and after it, and how much of it there is. */
const SPREAD = [
  ...[-2, -1, 0, 1, 2].map((pieces) => ({ pieces, share: 1 })),
  ...[4, 6, 8].map((pieces) => ({ pieces, share: 0.3 })),
  ...[12, 16].map((pieces) => ({ pieces, share: 0.08 })),
];
const KEPT_PIECES = Math.ceil(LAGS / PIECES_PER_LAG) + PIECES + 17;
/** After so many frames without a sample that was sent nothing is kept but zeros. */
const FORGOTTEN_FRAMES = Math.ceil(Math.max(HISTORY / BLOCK, KEPT_PIECES / PIECES)) + 1;
/** How fast the loss follows the line: about a second. */
const LOSS_FORGET = 0.98;

const SILENCE = new Int16Array(FRAME_SAMPLES);

/** The echo of a line, as far as it is known. */
export interface Echo {
  readonly delayMs: number;
  /** Of its energy against what was sent; 20 is a tenth of the amplitude. */
  readonly lossDb: number;
}

/**
 * Tells our own voice that comes back from somebody else's: correlates what is heard with what was sent and, once the delay
 * is known, compares each frame with the energy that the echo can have there. Pure; 20 ms of 8 kHz audio at a time, in step.
 *
 * Costs next to nothing where nothing was sent for a while, 3 us a frame while nothing is heard, 13 us while an echo is looked for, 6 us
 * once it is found.
 * A voice that is not 6 dB louder than the echo is taken for it, as long as the agent speaks.
 */
export class EchoEstimator {
  readonly #sent = new Float32Array(HISTORY);
  readonly #heard = new Float32Array(BLOCK);
  readonly #sentPieces = new Float64Array(KEPT_PIECES); // energies, newest last
  #silentFrames = 0; // in a row, in which nothing was sent
  #sentBefore = 0;
  #heardBefore = 0;
  #search: LagSearch | undefined;
  #lag: number | undefined;
  #ratio = { heard: 0, expected: 0 }; // of frames taken for echo
  #louder = 0; // frames in a row
  #voiceKept = 0;
  #coherence = new Coherence(0, FORGET);
  #proof = new Coherence(0, LOST_FORGET);

  /** What is known of it; undefined until it was heard. */
  get echo(): Echo | undefined {
    if (this.#lag === undefined) return undefined;
    return { delayMs: this.#lag / SAMPLES_PER_MS, lossDb: -10 * Math.log10(this.#energyRatio) };
  }
  get #energyRatio(): number {
    return this.#ratio.heard / this.#ratio.expected;
  }

  /**
   * @param heard - 160 samples. @param sent - what left meanwhile; undefined where that was nothing.
   * @returns whether `heard` is loud enough to matter and our own voice explains all of it.
   */
  push(heard: Int16Array, sent: Int16Array | undefined): boolean {
    this.#silentFrames = sent ? 0 : this.#silentFrames + 1;
    if (this.#silentFrames > FORGOTTEN_FRAMES && this.#search === undefined) {
      this.#heardBefore = meanOf(heard, FRAME_SAMPLES - DECIMATION);
      return false;
    }
    this.#keep(sent ?? SILENCE);
    const energy = energyOf(heard, 0, FRAME_SAMPLES);
    this.#heardBefore = decimate(heard, this.#heard, 0, this.#heardBefore);
    const matters = energy >= QUIET * FRAME_SAMPLES && this.#loudestSent() >= SENT_QUIET * FRAME_SAMPLES;
    const own = matters && this.#isEcho(energy);
    // What is not explained may be an echo that comes by another way.
    const found = this.#look(energy, matters && !own);
    return own || (found && this.#isEcho(energy));
  }

  #keep(sent: Int16Array): void {
    this.#sent.copyWithin(0, BLOCK);
    this.#sentBefore = decimate(sent, this.#sent, NEWEST, this.#sentBefore);
    this.#sentPieces.copyWithin(0, PIECES);
    for (let i = 0; i < PIECES; i += 1) {
      this.#sentPieces[KEPT_PIECES - PIECES + i] = energyOf(sent, i * PIECE, (i + 1) * PIECE);
    }
  }

  #loudestSent(): number {
    let loudest = 0;
    for (let i = 0; i < KEPT_PIECES; i += 1) loudest = Math.max(loudest, this.#sentPieces[i] as number);
    return loudest * PIECES;
  }

  /** The energy that an echo without loss would have in this frame. */
  #expected(lag: number): number {
    const base = KEPT_PIECES - PIECES - Math.round(lag / PIECES_PER_LAG);
    let most = 0;
    for (const { pieces, share } of SPREAD) {
      let energy = 0;
      for (let i = 0; i < PIECES; i += 1) energy += this.#sentPieces[base - pieces + i] ?? 0;
      most = Math.max(most, energy * share);
    }
    return most;
  }

  #isEcho(energy: number): boolean {
    const lag = this.#lag;
    if (lag === undefined) return false;
    const expected = this.#expected(lag);
    const coherent = this.#coherence.push(this.#heard, this.#sent) >= COHERENT;
    this.#louder = energy > expected * this.#energyRatio * MARGIN ? this.#louder + 1 : 0;
    // Somebody who begins to speak takes the coherence away within three frames; a line that got louder does not.
    if (this.#louder > 0) this.#voiceKept = coherent ? 0 : VOICE_KEPT_FRAMES;
    else if (this.#voiceKept > 0) this.#voiceKept -= 1;
    if (this.#louder > 0 && !(coherent && this.#louder > LOUDER_FRAMES)) return false;
    if (this.#voiceKept > 0 && !coherent) return false;
    this.#ratio.heard = this.#ratio.heard * LOSS_FORGET + energy;
    this.#ratio.expected = this.#ratio.expected * LOSS_FORGET + expected;
    const share = this.#proof.push(this.#heard, this.#sent);
    if (this.#proof.frames < LOST_AFTER_FRAMES || share >= LOST) return true;
    this.#lag = undefined; // what only happened to be no louder
    return false;
  }

  /** @param unexplained - the frame takes part in the search; one that does not passes. @returns whether an echo was found. */
  #look(energy: number, unexplained: boolean): boolean {
    if (!unexplained && this.#search === undefined) return false;
    this.#search ??= new LagSearch();
    const lag = this.#search.push(unexplained ? this.#heard : undefined, this.#sent);
    if (lag === undefined) return false;
    const weight = Math.max(energy, QUIET * FRAME_SAMPLES); // The frame that completes the search may be a quiet one.
    this.#ratio = { heard: this.#search.energyRatio(lag) * weight, expected: weight };
    this.#coherence = new Coherence(lag, FORGET);
    this.#proof = new Coherence(lag, LOST_FORGET);
    this.#lag = lag;
    this.#search = undefined;
    return unexplained;
  }
}

/** How much of what is heard follows what was sent, around one lag, forgetting. */
class Coherence {
  frames = 0;
  readonly #first: number;
  readonly #products = new Float64Array(2 * NEAR_LAGS + 1);
  #heard = 0;
  #sent = 0;
  constructor(
    lag: number,
    readonly forget: number,
  ) {
    this.#first = Math.max(0, Math.min(LAGS - 2 * NEAR_LAGS, lag - NEAR_LAGS));
  }

  /** @returns the share of the energy, 0..1, of the best lag. */
  push(heard: Float32Array, sent: Float32Array): number {
    this.frames += 1;
    this.#heard = this.#heard * this.forget + squares(heard, 0);
    this.#sent = this.#sent * this.forget + squares(sent, NEWEST - this.#first - NEAR_LAGS);
    let most = 0;
    for (let near = 0; near < this.#products.length; near += 1) {
      const from = NEWEST - this.#first - near;
      const product = (this.#products[near] as number) * this.forget + dot(heard, sent, from);
      this.#products[near] = product;
      most = Math.max(most, product * product);
    }
    return most / (this.#heard * this.#sent + 1);
  }
}

function energyOf(samples: Int16Array, from: number, to: number): number {
  let energy = 0;
  for (let i = from; i < to; i += 1) energy += (samples[i] as number) * (samples[i] as number);
  return energy;
}

function squares(samples: Float32Array, from: number): number {
  let energy = 0;
  for (let i = from; i < from + BLOCK; i += 1) energy += (samples[i] as number) * (samples[i] as number);
  return energy;
}

/** `heard` against the block of `sent` at `from`; four sums, so that one multiplication need not wait for the other. */
function dot(heard: Float32Array, sent: Float32Array, from: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = 0; i < BLOCK; i += 4) {
    a += (heard[i] as number) * (sent[from + i] as number);
    b += (heard[i + 1] as number) * (sent[from + i + 1] as number);
    c += (heard[i + 2] as number) * (sent[from + i + 2] as number);
    d += (heard[i + 3] as number) * (sent[from + i + 3] as number);
  }
  return a + b + c + d;
}

function meanOf(samples: Int16Array, from: number): number {
  let sum = 0;
  for (let i = from; i < from + DECIMATION; i += 1) sum += samples[i] as number;
  return sum / DECIMATION;
}

/** Every four samples become one, in `into` from `at` on. @returns the last one, for the next call. */
function decimate(samples: Int16Array, into: Float32Array, at: number, before: number): number {
  let last = before;
  for (let i = 0; i < BLOCK; i += 1) {
    const from = i * DECIMATION;
    const mean = meanOf(samples, from);
    into[at + i] = mean - PRE_EMPHASIS * last;
    last = mean;
  }
  return last;
}
