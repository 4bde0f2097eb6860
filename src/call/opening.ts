import { FRAME_SAMPLES, TELEPHONE_RATE_HZ } from '../audio/pcm.ts';
import type { VadDetector } from '../engines/vad/contract.ts';
import type { MediaPort } from '../media/media-port.ts';
import { type AnsweredBy, GREETING_END_MS, MachineDecision } from './machine/machine-decision.ts';

/** What becomes of a call that a machine takes. */
export type OnMachine = 'undetected' | 'hangup' | 'leave-message' | 'ignore';

/** How an agent's own call begins. */
export interface OpeningWish {
  /** The agent speaks after so much silence where nobody says anything; 0: at once. */
  readonly speakAfterMs: number;
  readonly onMachine: OnMachine;
}

/** `talk`: the conversation begins. `message`: the machine listens now. `hangup`: nobody is there to talk to. */
export type OpeningEnd = 'talk' | 'message' | 'hangup';

/** Whoever answers and does not stop talking is spoken to all the same. */
const LISTEN_MS_MAX = 5_000;
/** Without any audio from the other side the decision is made by the clock. */
const DECIDE_MS_MAX = 4_500;
/** Longest greeting of a machine that is waited for. */
const GREETING_MS_MAX = 60_000;
const FRAMES_PER_TICK_MAX = 50;

/**
 * From the answer to the agent's first word: whoever answered speaks first, and is judged by that. Reads the port in place of
 * the conversation, which begins after it.
 */
export class Opening {
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  #filled = 0;
  readonly #decision = new MachineDecision();
  #spoke = false;
  #end: OpeningEnd | undefined;

  /** @param nowMs - the moment of the answer. */
  constructor(
    private readonly port: Pick<MediaPort, 'read'>,
    private readonly vad: VadDetector,
    private readonly wish: OpeningWish,
    private readonly startMs: number,
  ) {}

  /** Who answered, where that was wanted and is known. */
  get answeredBy(): AnsweredBy | undefined {
    if (this.wish.onMachine === 'undetected') return undefined;
    return this.#decision.decided ?? (this.#end ? 'unknown' : undefined);
  }

  /** Called every 20 ms. @returns how it ends, once, at its end. */
  tick(nowMs: number): OpeningEnd | undefined {
    if (this.#end) return undefined;
    for (let frames = 0; frames < FRAMES_PER_TICK_MAX && this.#read(); frames += 1) this.#hear();
    this.#end = this.#judge(nowMs - this.startMs);
    if (this.#end) this.close();
    return this.#end;
  }

  close(): void {
    this.vad.close();
  }

  #read(): boolean {
    this.#filled += this.port.read(this.#frame.subarray(this.#filled));
    if (this.#filled < FRAME_SAMPLES) return false;
    this.#filled = 0;
    return true;
  }

  #hear(): void {
    const change = this.vad.push({ samples: this.#frame, sampleRateHz: TELEPHONE_RATE_HZ });
    this.#spoke ||= change?.type === 'end';
    const { levelDb, speaking } = this.vad;
    this.#decision.push({ samples: this.#frame, levelDb, speaking });
  }

  #judge(elapsedMs: number): OpeningEnd | undefined {
    const { onMachine } = this.wish;
    if (onMachine === 'undetected') return this.#mayTalk(elapsedMs) ? 'talk' : undefined;
    const decided = this.#decision.decided ?? (elapsedMs >= DECIDE_MS_MAX ? 'unknown' : undefined);
    if (decided === undefined) return undefined;
    if (decided !== 'machine' || onMachine === 'ignore') return 'talk';
    if (onMachine === 'hangup') return 'hangup';
    return this.#machineListens(elapsedMs) ? 'message' : undefined;
  }

  #mayTalk(elapsedMs: number): boolean {
    if (this.vad.speaking) return elapsedMs >= LISTEN_MS_MAX;
    return this.#spoke || elapsedMs >= this.wish.speakAfterMs;
  }

  #machineListens(elapsedMs: number): boolean {
    const { beep, silenceMs } = this.#decision;
    return beep === 'over' || silenceMs >= GREETING_END_MS || elapsedMs >= GREETING_MS_MAX;
  }
}

/** More frames than a port keeps. */
const KEPT_FRAMES_MAX = 1_000;

/** What a port has heard so far is of no use to anybody. */
export function passOver(port: Pick<MediaPort, 'read'>): void {
  const heard = new Int16Array(FRAME_SAMPLES);
  for (let frames = 0; frames < KEPT_FRAMES_MAX && port.read(heard) > 0; frames += 1);
}
