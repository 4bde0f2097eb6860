import type { TransferRules } from '../core/agent.ts';
import { delay } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import { sentence } from '../core/notice.ts';
import type { CallerAudio, MediaPort } from '../media/media-port.ts';
import type { MusicLoop } from '../media/music-loop.ts';
import { Briefing, type BriefingDeps, type BriefingOrder } from './briefing.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import { holdsUs, type Leg, type TransferOutcome } from './leg.ts';
import { SecondLeg, type SecondLegDeps } from './second-leg.ts';
import { causeOfEnd, causeOfRefer, type TransferCause, type TransferRecord } from './transfer-outcome.ts';
import {
  isSettled,
  isTelling,
  mayComeBack,
  nextTransferState,
  type TransferEvent,
  type TransferState,
} from './transfer-state.ts';

export interface TransferAttemptDeps extends SecondLegDeps, BriefingDeps {
  /** Of the caller, as it is now. */
  readonly leg: () => Leg;
  readonly port: MediaPort;
  /** What the caller hears meanwhile. */
  readonly music: MusicLoop | undefined;
  /** Whom the target sees calling. */
  readonly from: string;
  /** The agent still waits to leave: nothing else has been decided about the call. */
  readonly isWanted: () => boolean;
  readonly go: (event: 'bridge' | 'part') => void;
  /** Both talk: the agent has nothing to do here for now. */
  readonly joined: () => void;
  /** Writes down what the two say; absent where nobody does. */
  readonly overhear?: (caller: CallerAudio, person: CallerAudio) => { close(): void };
  readonly sinceAnswerMs: () => number;
}

export interface TransferAttemptOrder extends BriefingOrder {
  readonly target: string;
  readonly mode: NonNullable<TransferRules['mode']>;
  readonly timeoutMs: number; // of the REFER, and of ringing after it
}

type Times = { -readonly [K in 'startedMs' | 'answeredMs' | 'joinedMs' | 'endedMs']?: number };

/** One target: states in `transfer-state.ts`, what they mean is here. Its second leg is on the close path of the call. */
export class TransferAttempt {
  #state: TransferState = 'begun';
  #by: TransferRecord['by'] = 'refer';
  #cause: TransferCause = 'failed';
  #detail: string | undefined;
  #end: CallEnd | undefined; // of the second leg
  #hasHanded = false;
  #briefing: Briefing | undefined;
  #overhearing: { close(): void } | undefined;
  #deadlineMs = 0;
  readonly #times: Times = {};
  readonly #second: SecondLeg;
  readonly #over = new AbortController();
  readonly #met: Promise<void>;
  readonly #settled: Promise<void>;
  #meet: () => void = () => undefined;
  #settle: () => void = () => undefined;

  constructor(
    private readonly deps: TransferAttemptDeps,
    private readonly order: TransferAttemptOrder,
  ) {
    this.#met = new Promise((resolve) => {
      this.#meet = resolve;
    });
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#second = new SecondLeg(deps, {
      ended: (end) => deps.guard(() => this.#onPersonGone(end)),
      key: (digit) => isTelling(this.#state) && this.#briefing?.key(digit),
      held: (isHeld) => this.#personHeld(isHeld),
    });
  }

  get state(): TransferState {
    return this.#state;
  }
  /** Both talk, or did so to the end of the call. */
  get isTogether(): boolean {
    return this.#state === 'joined' || (this.#state === 'over' && this.#times.joinedMs !== undefined);
  }
  get cause(): TransferCause {
    return this.#cause;
  }
  /** Why the second leg is over. */
  get end(): CallEnd | undefined {
    return this.#end;
  }
  get record(): TransferRecord {
    const { target } = this.order;
    const { startedMs = 0, ...times } = this.#times;
    const detail = this.#detail;
    return { target, by: this.#by, outcome: this.#outcome, ...(detail && { detail }), startedMs, ...times };
  }

  /** Resolves when both talk, or will not. Never rejects. */
  run(): Promise<void> {
    const { deps, order } = this;
    this.#times.startedMs = deps.sinceAnswerMs();
    this.#deadlineMs = deps.clock.nowMs() + order.timeoutMs;
    if (!deps.isWanted()) this.#go('over');
    else if (order.mode === 'blind') this.#go('refer');
    else this.#go('dial');
    return this.#met;
  }

  /** Resolves when nothing more comes of it; for who talk, when one of them has left. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  /** The caller wants the agent again. @returns false where it is too late, or there is nobody to leave. */
  comeBack(): boolean {
    if (!mayComeBack(this.#state)) return false;
    const end = callEnd('caller', 'cancelled', sentence('end.caller-came-back'));
    this.#cause = 'came-back';
    this.#detail = end.detail;
    this.#end ??= end;
    return this.#go('back');
  }

  /** The end of the call, or of the wish. Idempotent. */
  giveUp(end: CallEnd): void {
    this.#end ??= end;
    this.#go('over');
  }

  /** @returns false where it is not the person's leg. */
  takeOver(replaced: Leg, next: Leg): Promise<boolean> {
    return this.#second.takeOver(replaced, next);
  }

  /** A key of the caller's that did not come as audio does. */
  press(digit: string): void {
    this.#second.press(digit);
  }
  /** The caller holds, or is back: what the person hears meanwhile. */
  callerHeld(isHeld: boolean): void {
    this.#second.port?.playMusic(isHeld ? this.deps.music : undefined);
  }

  /** The same of the person. Before they are joined the caller hears music whatever the person's phone does. */
  #personHeld(isHeld: boolean): void {
    if (this.#state === 'joined') this.deps.port.playMusic(isHeld ? this.deps.music : undefined);
  }

  get #outcome(): TransferRecord['outcome'] {
    if (this.#state === 'gone') return 'transferred';
    if (this.#times.joinedMs !== undefined) return 'joined';
    return this.#state === 'unmet' ? this.#cause : 'cancelled';
  }

  /** @returns false where the event means nothing any more. */
  #go(event: TransferEvent): boolean {
    const next = nextTransferState(this.#state, event);
    if (!next) return false;
    const before = this.#state;
    this.#state = next;
    if (isTelling(before) && !isTelling(next)) this.#briefing?.stop();
    this.#enter(next);
    return true;
  }

  #enter(state: TransferState): void {
    const { port, music, sinceAnswerMs } = this.deps;
    if (state === 'referring' || state === 'ringing') port.playMusic(music);
    if (state === 'referring') void this.#refer();
    else if (state === 'ringing') void this.#dial();
    else if (state === 'whispering') this.#tell();
    else if (state === 'deciding') this.#briefing?.decide();
    else if (state === 'joining') this.#join();
    else if (state === 'handing') void this.#hand();
    else if (state === 'joined') this.#begin();
    if (!isSettled(state)) return;
    this.#times.endedMs = sinceAnswerMs();
    this.#over.abort();
    this.#overhearing?.close();
    port.playMusic(undefined);
    // At the end of the call the close path gives the second leg back, and what it is told of is that end.
    const end = state === 'gone' ? callEnd('agent', 'transferred') : (this.#end ?? callEnd('gateway', 'cancelled'));
    if (!this.deps.path.end) this.#second.giveUp(end);
    this.#meet();
    this.#settle();
  }

  #begin(): void {
    const { deps } = this;
    const [caller, person] = [deps.leg().media, this.#second.leg?.media];
    if (caller) this.callerHeld(holdsUs(caller)); // One may have held before there was anybody to hear it.
    if (person) this.#personHeld(holdsUs(person));
    const ears = this.#second.earsWith(deps.port);
    if (ears) this.#overhearing = deps.overhear?.(...ears);
    this.#meet();
  }

  #unmet(cause: TransferCause, end: CallEnd): void {
    if (nextTransferState(this.#state, 'unmet') === undefined) return;
    this.#cause = cause;
    this.#detail = end.detail;
    this.#end ??= end;
    this.#go('unmet');
  }

  async #refer(): Promise<void> {
    const outcome = await this.#referred(this.order.timeoutMs);
    const { ok, status, reason } = outcome;
    this.deps.logger.info({ ok, status, reason }, 'transfer');
    this.#detail = reason;
    if (ok) this.#go('referred');
    else if (outcome.unsupported) this.#go('dial');
    else this.#unmet(causeOfRefer(outcome), callEnd('network', 'no-answer', `${status} ${reason}`));
  }

  /** Given up after `timeoutMs`, and at the end of the call. */
  async #referred(timeoutMs: number, replaced?: Leg): Promise<TransferOutcome> {
    const { clock, leg, signal } = this.deps;
    const over = new AbortController();
    const waited = delay(clock, timeoutMs, AbortSignal.any([over.signal, this.#over.signal, signal]));
    const late = waited.then((): TransferOutcome => ({ ok: false, status: 0, reason: 'given up' }));
    try {
      return await Promise.race([leg().transfer(this.order.target, over.signal, replaced), late]);
    } finally {
      over.abort();
    }
  }

  async #dial(): Promise<void> {
    const { deps, order } = this;
    this.#by = 'bridge';
    const { target } = order;
    const { from, leg } = deps;
    const { localAddress } = leg().info;
    const failure = await this.#second.dial({ target, from, localAddress, deadlineMs: this.#deadlineMs });
    deps.logger.info({ ok: !failure, reason: failure?.reason, detail: failure?.detail }, 'second leg');
    if (failure) return this.#unmet(causeOfEnd(failure), failure);
    if (!deps.isWanted()) return void this.#go('over');
    if (this.#go('answered')) this.#times.answeredMs = deps.sinceAnswerMs();
  }

  /** The person is on the line. Who was sent on at once is not announced. */
  #tell(): void {
    const { port } = this.#second;
    if (this.order.mode === 'blind' || !port) return void this.#go('accepted');
    this.#briefing = new Briefing(this.deps, port, this.order, {
      said: () => this.#go('said'),
      accepted: () => this.#go('accepted'),
      declined: () => this.#unmet('declined', callEnd('callee', 'agent-hangup', sentence('end.declined-by-key'))),
      late: () => this.#unmet('not-accepted', callEnd('callee', 'no-answer', sentence('end.no-key'))),
    });
    this.#briefing.tell();
  }

  #join(): void {
    const { deps } = this;
    if (!deps.isWanted()) return void this.#go('over');
    if (this.#mayHand()) return void this.#go('hand');
    deps.port.playMusic(undefined);
    deps.go('bridge');
    let isJoined = false;
    try {
      isJoined = this.#second.join(deps.port);
    } catch (error) {
      deps.logger.error({ error: errorText(error) }, 'two legs could not be joined');
    }
    if (!isJoined) {
      deps.go('part');
      return this.#unmet('failed', callEnd('gateway', 'media-failed', sentence('end.not-joined')));
    }
    this.#times.joinedMs = deps.sinceAnswerMs();
    deps.joined();
    this.#go('joined');
  }

  /** Both sides can be left to each other. */
  #mayHand(): boolean {
    const isAble = this.deps.leg().takesReplaces === true && this.#second.leg?.takesReplaces === true;
    return this.order.mode === 'attended' && isAble && !this.#hasHanded;
  }

  async #hand(): Promise<void> {
    this.#hasHanded = true;
    const outcome = await this.#referred(this.order.timeoutMs, this.#second.leg);
    const { ok, status, reason } = outcome;
    this.deps.logger.info({ ok, status, reason }, 'transfer to each other');
    if (!ok) return this.#onKept();
    this.#by = 'replaces';
    this.#go('referred');
  }

  #onKept(): void {
    this.#cause = 'hung-up'; // where the person has gone meanwhile
    this.#go('kept');
  }

  #onPersonGone(end: CallEnd): void {
    const { state } = this;
    if (state === 'handing' || state === 'joined') {
      this.#end ??= end;
      if (state === 'joined') this.deps.go('part');
      this.#go('personLeft');
    } else this.#unmet(end.party === 'callee' ? 'hung-up' : 'failed', end);
  }
}
