import type { LadderRecord, LadderStep } from '../../core/sip-ladder.ts';
import type { KeptMessage } from './kept-message.ts';

/** How much of a call is kept: its beginning, and how it ended. */
export const FIRST_STEPS_MAX = 150;
export const LAST_STEPS_MAX = 50;
const FIRST_CHARACTERS_MAX = 48 * 1024;
const LAST_CHARACTERS_MAX = 16 * 1024;
/** What a step is counted as, besides its texts. */
const STEP_CHARACTERS = 64;
const sizeOf = ({ line, text }: LadderStep): number => STEP_CHARACTERS + line.length + text.length;

/** Collects the messages of one call. */
export class Ladder {
  readonly #first: LadderStep[] = [];
  readonly #last: LadderStep[] = [];
  readonly #seen = new Set<string>(); // of the first steps
  #firstCharacters = 0;
  #lastCharacters = 0;
  #skipped = 0;
  #answered = false;
  callId: string | undefined;
  #over = false;

  constructor(
    readonly sipCallId: string,
    readonly startedAt: Date,
    readonly inbound: boolean,
  ) {}

  /** What it takes of memory, roughly. */
  get characters(): number {
    return this.#firstCharacters + this.#lastCharacters;
  }
  /** Nothing more has to come: it was refused, or a BYE was answered. */
  get over(): boolean {
    return this.#over;
  }

  add(message: KeptMessage, direction: 'in' | 'out', peer: string, at: Date): void {
    this.#follow(message);
    const key = `${direction}${message.line}\n${message.text}`;
    const again = this.#seen.has(key);
    const step: LadderStep = {
      ...{ at: at.toISOString(), direction, peer, line: message.line, text: again ? '' : message.text },
      ...(again && { again }),
    };
    if (this.#last.length > 0 || !this.#fits(sizeOf(step))) return this.#addLast(step);
    this.#firstCharacters += sizeOf(step);
    this.#first.push(step);
    this.#seen.add(key);
  }

  record(): LadderRecord {
    const { sipCallId, startedAt, inbound } = this;
    const last = this.#last.map((step, at) =>
      at === 0 && this.#skipped > 0 ? { ...step, skipped: this.#skipped } : step,
    );
    const { callId } = this;
    const whose = callId === undefined ? {} : { callId };
    return { ...whose, sipCallId, startedAt, inbound, answered: this.#answered, steps: [...this.#first, ...last] };
  }

  #fits(size: number): boolean {
    return this.#first.length < FIRST_STEPS_MAX && this.#firstCharacters + size <= FIRST_CHARACTERS_MAX;
  }

  #addLast(step: LadderStep): void {
    this.#last.push(step);
    this.#lastCharacters += sizeOf(step);
    while (this.#last.length > LAST_STEPS_MAX || this.#lastCharacters > LAST_CHARACTERS_MAX) {
      this.#lastCharacters -= sizeOf(this.#last.shift() as LadderStep);
      this.#skipped += 1;
    }
  }

  /** A challenge ends an attempt, and the next one goes on: whoever waits a moment after `over` sees both. */
  #follow({ method, status }: KeptMessage): void {
    if (status === undefined) {
      if (method === 'INVITE') this.#over = false;
      return;
    }
    if (status < 200) return;
    if (method === 'BYE') this.#over = true;
    else if (method === 'INVITE' && status < 300) this.#answered = true;
    else if (method === 'INVITE' && !this.#answered) this.#over = true;
  }
}
