import type { CallBook } from '../billing/contract.ts';
import type { Agent } from '../core/agent.ts';
import type { CallAnalysis } from '../core/call-analysis.ts';
import type { Clock } from '../core/clock.ts';
import type { DescriptorSupply } from '../core/descriptors.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import { analysisOf } from '../engines/after-call/analyse.ts';
import { CallTally } from '../engines/after-call/call-tally.ts';
import type { NoteTaking } from '../engines/reply/contract.ts';
import type { CallerAudio, MediaPlane, MediaPort } from '../media/media-port.ts';
import type { MediaSession } from '../media/media-session.ts';
import type { MusicLoop } from '../media/music-loop.ts';
import { afterTransfer, type CallEnd, callEnd } from './call-end.ts';
import type { CallParties } from './call-ended.ts';
import { type CallObserver, observers } from './call-observer.ts';
import type { CallRouter } from './call-router.ts';
import type { CallTicker, Ticking } from './call-ticker.ts';
import { BACK_KEY, CallTransfer, type CallTransferDeps } from './call-transfer.ts';
import type { ClosePath } from './close-path.ts';
import type { Conversation, ConversationDeps } from './conversation.ts';
import type { HostNotes } from './dial-route.ts';
import type { Dialer } from './dialer.ts';
import type { HearingParts } from './ears.ts';
import { awaitsTransfer } from './floor.ts';
import type { KeyMeans, KeyPresses } from './key-presses.ts';
import type { Leg } from './leg.ts';
import type { Opening } from './opening.ts';
import { type Overheard, Overhearing } from './overheard.ts';

export interface AnsweredCallDeps {
  readonly id: string;
  readonly parties: CallParties;
  readonly agent: Agent;
  /** How the call ends. */
  readonly path: ClosePath;
  readonly dialer: Dialer;
  readonly hosts?: HostNotes;
  readonly router: CallRouter;
  readonly media: MediaPlane;
  readonly descriptors: Pick<DescriptorSupply, 'take'>;
  readonly book: Pick<CallBook, 'turn' | 'transferred'>;
  readonly ticker: CallTicker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly transferTimeoutMs: number;
  readonly variables?: Readonly<Record<string, string>>; // of its agent, and what it brought along
  readonly musicOf: (name: string | undefined) => MusicLoop | undefined;
  /** What hearing one more side of the call takes. */
  readonly hearing: () => HearingParts;
  /** The part that a port's media takes in offer and answer. */
  readonly sessionOf: (port: MediaPort) => MediaSession;
  /** Listens to whoever answers before anything is said, on a call out. */
  readonly opening?: (port: MediaPort, nowMs: number) => Opening;
  readonly message?: string; // for a machine
  /** Whoever else follows the conversation. */
  readonly observe?: (callId: string, accountId: string) => CallObserver;
  /** Makes the conversation once media flows. */
  readonly converse: (
    parts: Pick<ConversationDeps, 'port' | 'sink' | 'transfer' | 'end' | 'observer' | 'answeredMs'> & {
      readonly logger: Logger;
    },
  ) => Conversation;
}

/** What of the call itself it has to do with. */
export interface AnsweredLine {
  readonly leg: () => Leg; // as it is now: another may take its place
  readonly port: MediaPort;
  readonly keys: KeyPresses;
  /** The end of the call. */
  readonly signal: AbortSignal;
  readonly isHeld: () => boolean;
  readonly go: (event: 'bridge' | 'part') => void;
  readonly guard: (act: () => void) => void;
  readonly end: (end: CallEnd) => void;
}

/** What goes on in a call from its answer to its end: who has the first word, the agent, and whoever the caller is put through to. */
export class AnsweredCall {
  readonly atMs: number;
  readonly transfer: CallTransfer;
  readonly opening: Opening | undefined; // of a call out
  #conversation: Conversation | undefined; // until the end, or a bridge for good
  #log: ((said: Overheard) => void) | undefined;
  #tally: CallTally | undefined;

  constructor(
    private readonly deps: AnsweredCallDeps,
    private readonly line: AnsweredLine,
  ) {
    this.atMs = deps.clock.nowMs();
    this.transfer = new CallTransfer(this.#transferDeps());
    this.opening = deps.opening?.(line.port, this.atMs);
    if (deps.agent.definition.afterCall) this.#tally = new CallTally(deps.agent.definition);
  }

  /** Both sides can be heard. */
  begin(): void {
    const { path, ticker } = this.deps;
    const { opening } = this;
    if (opening) path.holds('conversation', () => opening.close());
    else this.#converse().greet();
    const ticking: Ticking = {
      rest: this.#conversation?.rest, // of a call out it is not known yet who answers it
      tick: () => (this.#conversation ? this.#conversation.tick() : this.#open()),
      broken: (error) => this.line.end(callEnd('gateway', 'internal', errorText(error))),
    };
    ticker.add(ticking);
    path.holds('ticker', () => ticker.remove(ticking));
  }

  /** Whoever the call was made with holds, or is back. */
  setHeld(isHeld: boolean): void {
    this.#conversation?.setHeld(isHeld);
    this.transfer.bridged?.callerHeld(isHeld);
  }

  /** A key that was not told before. Events and tones go over a bridge by themselves. */
  key(digit: string, means: KeyMeans): void {
    if (this.transfer.isThrough) {
      if (means === 'info') this.transfer.bridged?.press(digit);
      return;
    }
    this.line.keys.keep(digit, means, this.deps.clock.nowMs());
    if (digit === BACK_KEY && this.transfer.comeBack()) return;
    this.#conversation?.onDigit(digit);
  }

  /** Whoever looks on has the caller put through. @returns false where no agent talks. */
  sendTo(target: string): boolean {
    return this.#conversation?.sendTo(target) ?? false;
  }
  /** Whoever looks on has the agent say this. @returns false where none talks. */
  say(text: string): boolean {
    return this.#conversation?.sayNow(text) ?? false;
  }

  /** Whoever looks on has the agent know this. */
  note(text: string): NoteTaking | 'not-now' {
    const { state, notes } = this.#conversation ?? {};
    return !notes || state === 'closing' ? 'not-now' : notes.take(text);
  }

  /** Time is up: said if it can be said, and the end in any case. */
  endPolitely(end: CallEnd): void {
    this.transfer.giveUp(end);
    if (!this.#conversation || this.transfer.bridged) return this.line.end(end); // Nobody is there to say it.
    this.#conversation.endWith('timeUp', end);
  }

  /** The call ends. */
  close(end: CallEnd): void {
    this.transfer.close(end);
  }

  /** How the record names an end: a caller who was put through was transferred, whoever hung up after that. */
  recorded(end: CallEnd): CallEnd {
    return this.transfer.isThrough ? afterTransfer(end) : end;
  }

  /** What the agent wants to have written down of the call. */
  analysis(end: CallEnd): CallAnalysis | undefined {
    if (!this.#tally) return undefined;
    const { transfer, opening } = this;
    const { party, reason } = this.recorded(end);
    const ending = { party, reason, answeredBy: opening?.answeredBy ?? null, transfers: transfer.records };
    return analysisOf(this.deps.agent.definition, this.#tally, ending);
  }

  #converse(): Conversation {
    const { id, book, path, logger, converse } = this.deps;
    const { leg, port, keys, isHeld, end } = this.line;
    const observer = observers(leg().observer, this.deps.observe?.(id, this.deps.agent.accountId));
    const conversation = converse({
      ...{ port, logger, end, answeredMs: this.atMs, ...(observer && { observer }) },
      sink: (turn) => {
        book.turn(id, turn);
        this.#tally?.add(turn);
        observer?.({ type: 'turn', turn });
      },
      transfer: (order) => this.transfer.to(order),
    });
    this.#conversation = conversation;
    this.#log = (said) => conversation.overheard(said);
    path.holds('conversation', () => conversation.close());
    if (isHeld()) conversation.setHeld(true);
    for (const key of keys.kept) conversation.onDigit(key); // pressed before anybody listened
    return conversation;
  }

  /** Whoever answered has the first word, until it is known who that is. */
  #open(): void {
    const { clock, message } = this.deps;
    const how = this.opening?.tick(clock.nowMs());
    if (how === undefined) return;
    if (how === 'hangup') return this.line.end(callEnd('gateway', 'answering-machine'));
    const conversation = this.#converse();
    if (how === 'talk') conversation.greet(0);
    else conversation.leaveMessage(message, callEnd('agent', 'agent-hangup', sentence('end.message-left')));
  }

  #transferDeps(): CallTransferDeps {
    const { deps, line } = this;
    const { clock, agent, id, transferTimeoutMs } = deps;
    const { direction, from, to } = deps.parties;
    return {
      ...{ ...deps, ...line, callId: id, timeoutMs: transferTimeoutMs },
      ...{ accountId: agent.accountId, rules: agent.definition.transfer ?? {} },
      ...(agent.definition.transfer?.transcript === 'on' && { overhear: (...both) => this.#overhear(...both) }),
      sinceAnswerMs: () => Math.round(clock.nowMs() - this.atMs),
      synthesize: (...asked) => {
        if (!this.#conversation) throw new Error('there is no agent any more');
        return this.#conversation.synthesize(...asked);
      },
      tell: (text) => this.#conversation?.tell(text),
      told: (turn) => this.#conversation?.told(turn),
      from: direction === 'inbound' ? from : to,
      isWanted: () => this.#conversation !== undefined && awaitsTransfer(this.#conversation.state),
      through: (records) => deps.book.transferred(id, records),
      joined: (isForGood) => (isForGood ? this.#leaveTalk() : this.#conversation?.standAside()),
    };
  }

  #overhear(caller: CallerAudio, person: CallerAudio): Overhearing {
    const heard = (said: Overheard): void => this.line.guard(() => this.#log?.(said));
    return new Overhearing({ ...this.deps, heard }, caller, person);
  }

  /** Two people talk: nobody listens to them for the agent, and nothing is said in its name. */
  #leaveTalk(): void {
    const { path } = this.deps;
    this.#conversation = undefined;
    for (const step of ['ticker', 'conversation'] as const) void path.release(step, callEnd('agent', 'transferred'));
  }
}
