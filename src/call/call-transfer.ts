import type { Language, TransferRules } from '../core/agent.ts';
import type { MusicLoop } from '../media/music-loop.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import type { Leg } from './leg.ts';
import { PHRASES } from './phrases.ts';
import { TransferAttempt, type TransferAttemptDeps } from './transfer-attempt.ts';
import { PHRASE_OF_CAUSE, type TransferCause, type TransferRecord, type TransferResult } from './transfer-outcome.ts';
import { mayComeBack } from './transfer-state.ts';

/** What the record of one call keeps of its transfers. */
const TRANSFERS_KEPT_MAX = 16;
/** By this key who waits for a person comes back to the agent. */
export const BACK_KEY = '*';
/** Who waits for longer is told so, once. */
export const BACK_TOLD_MS = 10_000;
/** Nobody waits for more people than that. */
const TARGETS_MAX = 8;

export interface CallTransferDeps extends Omit<TransferAttemptDeps, 'music' | 'joined'> {
  readonly rules: TransferRules;
  readonly musicOf: (name: string | undefined) => MusicLoop | undefined;
  readonly timeoutMs: number; // of each target, where the rules name no other
  /** Both talk: the agent is done here, or comes back afterwards. */
  readonly joined: (isForGood: boolean) => void;
  /** So is the record, of all who were tried. */
  readonly through: (records: readonly TransferRecord[]) => void;
  /** The caller hears this, while somebody else is tried. */
  readonly tell: (text: string) => void;
  readonly end: (end: CallEnd) => void;
}

/** A wish for a person, as the agent has it. */
export interface TransferOrder {
  readonly target: string;
  readonly language: Language;
  /** What the person is told; the rules say whether they are. */
  readonly handover: string | undefined;
}

/**
 * A caller is put through to a person: by REFER, and we are out of it; or by a second leg of the same call. One target after
 * another, one at a time.
 */
export class CallTransfer {
  #attempt: TransferAttempt | undefined;
  #isBridgedForGood = false;
  readonly #records: TransferRecord[] = [];

  constructor(private readonly deps: CallTransferDeps) {}

  /** Both talk. */
  get bridged(): TransferAttempt | undefined {
    return this.#attempt?.state === 'joined' ? this.#attempt : undefined;
  }
  /** Both talk, or did, and there is no agent any more. */
  get isThrough(): boolean {
    return this.#isBridgedForGood || this.#attempt?.isTogether === true;
  }
  /** Who was tried so far. */
  get records(): readonly TransferRecord[] {
    const last = this.#attempt?.record;
    return last ? [...this.#records, last] : this.#records;
  }

  /** @returns what came of it, once the agent has to do with it again, or never will. Never rejects. */
  async to(order: TransferOrder): Promise<TransferResult> {
    if (this.#attempt) return { moved: false, cause: 'failed' }; // one at a time
    const told = this.deps.clock.setTimer(BACK_TOLD_MS, () => this.#tellOfBack(order.language));
    try {
      return await this.#toOneOf(order);
    } finally {
      this.deps.clock.clearTimer(told);
    }
  }

  async #toOneOf(order: TransferOrder): Promise<TransferResult> {
    let cause: TransferCause = 'failed';
    for (const [n, target] of targetsFrom(this.deps.rules, order.target).entries()) {
      if (!this.deps.isWanted()) break;
      if (n > 0) this.#tellNext(cause, order.language);
      const attempt = this.#begin(target, order);
      await attempt.run();
      if (attempt.state === 'gone') this.deps.end(callEnd('agent', 'transferred'));
      const result = attempt.state === 'joined' ? await this.#together(attempt) : undefined;
      if (attempt.state !== 'unmet') this.deps.logger.info({ outcome: attempt.record.outcome }, 'caller and person');
      if (result) return result;
      if (attempt.state === 'gone') return { moved: true };
      cause = attempt.cause;
      if (attempt.state === 'over') break;
      this.#keep();
      if (cause === 'came-back') break;
    }
    return { moved: false, cause };
  }

  /** Who has not answered yet is not waited for any more. */
  giveUp(end: CallEnd): void {
    if (!this.bridged) this.#attempt?.giveUp(end);
  }

  /** The caller waits no longer. @returns false where there is nothing to come back from. */
  comeBack(): boolean {
    return this.#attempt?.comeBack() ?? false;
  }

  /** Another takes the place of the person. */
  async takeOver(replaced: Leg, next: Leg): Promise<boolean> {
    return (await this.#attempt?.takeOver(replaced, next)) ?? false;
  }

  /** The call ends. */
  close(end: CallEnd): void {
    this.#attempt?.giveUp(end);
  }

  #begin(target: string, { language, handover }: TransferOrder): TransferAttempt {
    const { rules, timeoutMs, musicOf, joined, ...deps } = this.deps;
    const isForGood = rules.afterPerson !== 'return';
    const attempt = new TransferAttempt(
      {
        ...deps,
        music: musicOf(rules.music),
        joined: () => {
          this.#isBridgedForGood = isForGood;
          joined(isForGood);
        },
      },
      {
        ...{ target, language, mode: rules.mode ?? 'blind', accept: rules.accept ?? 'answer' },
        handover: handover ?? PHRASES.callerWaits[language],
        timeoutMs: rules.ringSeconds === undefined ? timeoutMs : rules.ringSeconds * 1000,
      },
    );
    this.#attempt = attempt;
    return attempt;
  }

  /** They talk, until the person leaves or the call ends. */
  async #together(attempt: TransferAttempt): Promise<TransferResult> {
    this.deps.through(this.records);
    await attempt.settled;
    if (attempt.state !== 'left') return { moved: true };
    if (this.#isBridgedForGood) {
      this.deps.end(attempt.end ?? callEnd('callee', 'callee-hangup'));
      return { moved: true };
    }
    this.#keep();
    return { moved: false, cause: 'person-left' };
  }

  #tellNext(cause: TransferCause, language: Language): void {
    this.deps.tell(`${PHRASES[PHRASE_OF_CAUSE[cause]][language]} ${PHRASES.nextPerson[language]}`);
  }

  #tellOfBack(language: Language): void {
    if (this.#attempt && mayComeBack(this.#attempt.state)) this.deps.tell(PHRASES.backByKey[language]);
  }

  /** What is over makes room for the next. */
  #keep(): void {
    const record = this.#attempt?.record;
    this.#attempt = undefined;
    if (record && this.#records.length < TRANSFERS_KEPT_MAX) this.#records.push(record);
  }
}

/** The list goes on from the target that is meant; one that is not in it stands alone. */
export function targetsFrom({ targets = [] }: TransferRules, target: string): readonly string[] {
  const at = targets.indexOf(target);
  return at < 0 ? [target] : targets.slice(at, at + TARGETS_MAX);
}
