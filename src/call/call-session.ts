import type { CallBook, CallSummary } from '../billing/contract.ts';
import type { Agent } from '../core/agent.ts';
import type { Clock } from '../core/clock.ts';
import type { DescriptorSupply } from '../core/descriptors.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { NegotiatedMedia } from '../media/description.ts';
import type { MediaEvent, MediaPlane, MediaPort, MediaStats } from '../media/media-port.ts';
import type { MediaSession } from '../media/media-session.ts';
import type { MusicLoop } from '../media/music-loop.ts';
import { afterTransfer, type CallEnd, callEnd, endByCallee } from './call-end.ts';
import { type CallParties, tellEnd } from './call-ended.ts';
import { CallMinutes } from './call-minutes.ts';
import type { LiveCall } from './call-registry.ts';
import type { CallRoute, CallRouter } from './call-router.ts';
import { type CallEvent, type CallState, leavingEvent, nextCallState } from './call-state.ts';
import type { CallTicker } from './call-ticker.ts';
import { CallTransfer, type CallTransferDeps } from './call-transfer.ts';
import type { ClosePath } from './close-path.ts';
import type { Conversation, ConversationDeps } from './conversation.ts';
import { dialRoute, type HostNotes, type RoutedCall } from './dial-route.ts';
import { type Dialer, holdDial } from './dialer.ts';
import { awaitsTransfer } from './floor.ts';
import { type KeyMeans, KeyPresses } from './key-presses.ts';
import { type Leg, LegError } from './leg.ts';
import { takeOverLeg } from './leg-takeover.ts';
import type { HearingParts } from './one-side.ts';
import { type Opening, passOver } from './opening.ts';
import { type Overheard, Overhearing } from './overheard.ts';

/** Digits kept for the record of one call. */
const DTMF_KEPT_MAX = 256;

export interface CallSessionDeps {
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
  readonly book: CallBook;
  readonly ticker: CallTicker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly maxCallMs: number;
  readonly transferTimeoutMs: number;
  readonly variables?: Readonly<Record<string, string>>; // of its agent, and what it brought along
  readonly musicOf: (name: string | undefined) => MusicLoop | undefined;
  /** What hearing one more side of the call takes. */
  readonly hearing: () => HearingParts;
  readonly recordingPath?: string; // where to record, below the data folder
  readonly recordingName?: string; // what the record calls it
  /** The part that a port's media takes in offer and answer. */
  readonly sessionOf: (port: MediaPort) => MediaSession;
  /** Listens to whoever answers before anything is said, on a call out. */
  readonly opening?: (port: MediaPort, nowMs: number) => Opening;
  readonly message?: string; // for a machine
  /** Makes the conversation once media flows. */
  readonly converse: (
    parts: Pick<ConversationDeps, 'port' | 'sink' | 'transfer' | 'end' | 'observer'> & { readonly logger: Logger },
  ) => Conversation;
}

/** One call from its first message to its end: leg, media port and conversation, and whoever is dialled into it. */
export class CallSession implements LiveCall {
  readonly id: string;
  readonly startedAt: Date;
  #state: CallState;
  #leg: Leg | undefined;
  #port: MediaPort | undefined;
  #quality: MediaStats | undefined;
  #opening: Opening | undefined; // of a call out
  #early = false; // heard before the answer
  #records = false;
  #conversation: Conversation | undefined; // until the end, or a bridge
  #transfer: CallTransfer | undefined; // of an answered call
  #log: ((said: Overheard) => void) | undefined;
  #answeredAtMs: number | undefined;
  #talkMs = 0;
  #dtmf = '';
  readonly #keys = new KeyPresses();
  readonly #minutes: CallMinutes;
  readonly #abort = new AbortController();

  constructor(private readonly deps: CallSessionDeps) {
    const { id, clock, path, parties } = deps;
    this.id = id;
    this.startedAt = clock.utc();
    this.#state = parties.direction === 'inbound' ? 'offered' : 'dialling';
    this.#minutes = new CallMinutes({
      ...{ ...deps, callId: id },
      timeUp: (end) => this.#endPolitely(end),
      failed: (end) => void this.close(end),
    });
    path.holds('timers', (end) => this.#leave(end));
    path.holds('metrics', (end) => this.#measure(end));
    path.holds('summary', (end) => this.#summarise(end));
  }

  get sipCallId(): string {
    return this.deps.parties.sipCallId;
  }
  get accountId(): string {
    return this.deps.agent.accountId;
  }
  get agentId(): string {
    return this.deps.agent.id;
  }
  get state(): CallState {
    return this.#state;
  }

  /** The leg of whoever called us, or was called by us, reports to the call from now on. */
  attach(leg: Leg): void {
    const out = this.deps.parties.direction === 'outbound';
    this.#leg = leg;
    leg.setHandlers({
      onMedia: (media) => this.#guard(() => this.#onMedia(media)),
      onDtmf: (digit) => this.#guard(() => this.#onInfoDigit(digit)),
      onEnd: (end) => void this.close(out ? endByCallee(end) : end),
    });
  }

  /** The port belongs to the call from now on. */
  take(port: MediaPort): void {
    this.#port = port;
    this.deps.path.holds('media', async () => {
      this.#quality = await port.close();
    });
  }

  /** Answers and starts the conversation. Any failure on the way closes the call; never throws. */
  async answer(leg: Leg, port: MediaPort): Promise<void> {
    const { path, sessionOf } = this.deps;
    if (path.end) return;
    this.#go('answer');
    await this.#establish('answering failed', async () => {
      port.expect();
      await leg.answer(sessionOf(port));
      if (!path.end) this.#begin('ack', leg, port);
    });
  }

  /** Calls somebody by `route`, which stays taken, and starts the conversation when they answer. Any failure on the way closes the call; never throws. */
  async dial(port: MediaPort, route: CallRoute, order: Omit<RoutedCall, 'media' | 'signal'>): Promise<void> {
    const { path, sessionOf } = this.deps;
    if (path.end) return;
    await this.#establish('dialling failed', async () => {
      const onEarlyMedia = (media: NegotiatedMedia): void => this.#guard(() => this.#onEarlyMedia(port, media));
      const call = { ...order, callId: this.id, onEarlyMedia, media: sessionOf(port) };
      const leg = await holdDial({ path, step: 'signalling' }, (signal) =>
        dialRoute(this.deps, route, { ...call, signal }),
      );
      if (path.end) return;
      this.attach(leg); // An end that came meanwhile is told here.
      if (path.end) return;
      this.#begin('answered', leg, port);
    });
  }

  /** Whoever the call was made with, or was dialled into it, is replaced by another (RFC 3891); what was said goes on. */
  async takeOver(replaced: Leg, next: Leg): Promise<boolean> {
    const { path, sessionOf, logger } = this.deps;
    const port = this.#port;
    if (path.end || this.#answeredAtMs === undefined || !port) return false;
    if (replaced !== this.#leg) return (await this.#transfer?.takeOver(replaced, next)) ?? false;
    const attach = (leg: Leg): void => {
      path.holds('signalling', (end) => leg.hangup(end));
      this.attach(leg);
      if (leg.media && !path.end) this.#guard(() => this.#onMedia(leg.media!));
    };
    await takeOverLeg({ replaced, next, port, sessionOf, logger, over: () => path.end, attach });
    return true;
  }

  onMediaEvent(event: MediaEvent): void {
    // The bridge passes these on by itself.
    if (event.type === 'dtmf') {
      this.#guard(() => (this.#transfer?.isThrough ? undefined : this.#onDigit(event.digit, event.means ?? 'event')));
    } else if (event.type === 'keys') this.#guard(() => this.#leg?.press?.(event.digits));
    else if (event.type === 'timeout') void this.close(callEnd('network', 'media-timeout'));
    else if (event.type === 'failed') void this.close(callEnd('gateway', 'media-failed', event.reason));
  }

  close(end: CallEnd): Promise<void> {
    return this.deps.path.close(end);
  }

  /** What the record keeps of the call. */
  summary(end: CallEnd): CallSummary {
    const { clock, recordingName } = this.deps;
    const answered = this.#answeredAtMs !== undefined;
    const transfers = this.#transfer?.records ?? [];
    return {
      ...{ endedAt: clock.utc(), answered, talkMs: this.#talkMs },
      ...{ end: this.#recorded(end), dtmf: this.#dtmf },
      ...(this.#quality && { quality: { ...this.#quality } }),
      ...(this.#opening?.answeredBy && { answeredBy: this.#opening.answeredBy }),
      ...(answered && recordingName && { recording: recordingName }),
      ...(transfers.length > 0 && { transfers }),
    };
  }

  async #establish(failure: string, how: () => Promise<void>): Promise<void> {
    try {
      await how();
    } catch (error) {
      const known = error instanceof LegError;
      if (!known) this.deps.logger.error({ error: errorText(error) }, failure);
      await this.close(known ? error.end : callEnd('gateway', 'internal', errorText(error)));
    }
  }

  /** Both sides can be heard: from here on it is talk, and costs. */
  #begin(event: CallEvent, leg: Leg, port: MediaPort): void {
    const { id, deps } = this;
    const { media } = leg; // as it is by now: a hold may have followed the answer at once
    if (!media) throw new Error('answered without media');
    const { book, clock, path, ticker } = deps;
    this.#go(event);
    this.#answeredAtMs = clock.nowMs();
    book.answered(id, clock.utc());
    const transfer = new CallTransfer(this.#transferDeps(port));
    this.#transfer = transfer;
    this.#onMedia(media);
    if (this.#early) passOver(port); // What came before the answer was recorded, and is no word of whoever answered.
    this.#record(port);
    this.#minutes.start();
    const opening = deps.opening?.(port, clock.nowMs());
    this.#opening = opening;
    if (opening) path.holds('conversation', () => opening.close());
    else this.#converse(port, transfer).greet();
    const ticking = {
      tick: (): void => (this.#conversation ? this.#conversation.tick() : this.#open(port, transfer)),
      broken: (error: unknown): void => void this.close(callEnd('gateway', 'internal', errorText(error))),
    };
    ticker.add(ticking);
    path.holds('ticker', () => ticker.remove(ticking));
  }

  #converse(port: MediaPort, transfer: CallTransfer): Conversation {
    const { id, deps } = this;
    const { observer } = this.#leg ?? {};
    const conversation = deps.converse({
      ...{ port, logger: deps.logger, ...(observer && { observer }) },
      sink: (turn) => {
        deps.book.turn(id, turn);
        observer?.({ type: 'turn', turn });
      },
      transfer: (order) => transfer.to(order),
      end: (end) => void this.close(end),
    });
    this.#conversation = conversation;
    this.#log = (said) => conversation.overheard(said);
    deps.path.holds('conversation', () => conversation.close());
    if (this.#state === 'held') conversation.setHeld(true);
    for (const key of this.#dtmf) conversation.onDigit(key); // pressed before anybody listened
    return conversation;
  }

  /** Whoever answered has the first word, until it is known who that is. */
  #open(port: MediaPort, transfer: CallTransfer): void {
    const { clock, message } = this.deps;
    const how = this.#opening?.tick(clock.nowMs());
    if (how === undefined) return;
    if (how === 'hangup') return void this.close(callEnd('gateway', 'answering-machine'));
    const conversation = this.#converse(port, transfer);
    if (how === 'talk') conversation.greet(0);
    else conversation.leaveMessage(message, callEnd('agent', 'agent-hangup', 'a message was left'));
  }

  /** The first step of closing: nothing of the call's own doing happens any more. */
  #leave(end: CallEnd): void {
    this.#talkMs = this.#minutes.stop();
    this.#go(leavingEvent(this.#state, end));
    this.#abort.abort();
    this.#transfer?.close(end);
  }

  #measure(end: CallEnd): void {
    const { metrics } = this.deps;
    const { party, reason } = this.#recorded(end);
    metrics.callsEnded.inc({ party, reason });
    if (this.#talkMs > 0) metrics.callSeconds.observe(this.#talkMs / 1000);
  }

  #summarise(end: CallEnd): void {
    this.#go('released');
    tellEnd(this.deps, this.summary(end));
  }

  /** Time is up: said if it can be said, and the end in any case. */
  #endPolitely(end: CallEnd): void {
    this.#transfer?.giveUp(end);
    if (!this.#conversation || this.#transfer?.bridged) return void this.close(end); // Nobody is there to say it.
    this.#guard(() => this.#conversation?.endWith('timeUp', end), end);
  }

  #onMedia(media: NegotiatedMedia): void {
    if (this.deps.path.end) return;
    this.#port?.configure(media);
    const held = media.direction === 'recvonly' || media.direction === 'inactive';
    this.#go(held ? 'hold' : 'resume');
    this.#conversation?.setHeld(held);
    this.#transfer?.bridged?.callerHeld(held);
  }

  /** What comes before the answer is heard, and not talked to. */
  #onEarlyMedia(port: MediaPort, media: NegotiatedMedia): void {
    if (this.#state !== 'dialling' || this.deps.path.end) return;
    this.#early = true;
    port.configure({ ...media, direction: 'recvonly' });
    this.#record(port);
  }

  #record(port: MediaPort): void {
    if (this.deps.recordingPath && !this.#records) port.startRecording(this.deps.recordingPath);
    this.#records = true;
  }

  #onInfoDigit(digit: string): void {
    const { bridged } = this.#transfer ?? {};
    if (bridged) bridged.press(digit);
    else this.#onDigit(digit, 'info');
  }

  #onDigit(digit: string, means: KeyMeans): void {
    if (!this.#keys.isNew(digit, means, this.deps.clock.nowMs())) return;
    if (this.#dtmf.length < DTMF_KEPT_MAX) this.#dtmf += digit;
    this.#conversation?.onDigit(digit);
  }

  #transferDeps(port: MediaPort): CallTransferDeps {
    const { id, deps } = this;
    const { direction, from, to } = deps.parties;
    return {
      ...{
        ...deps,
        callId: id,
        leg: () => this.#leg!,
        port,
        signal: this.#abort.signal,
        timeoutMs: deps.transferTimeoutMs,
      },
      ...{ accountId: this.accountId, rules: deps.agent.definition.transfer ?? {} },
      ...(deps.agent.definition.transfer?.transcript === 'on' && { overhear: (...both) => this.#overhear(...both) }),
      sinceAnswerMs: () => Math.round(deps.clock.nowMs() - (this.#answeredAtMs ?? 0)),
      synthesize: (...asked) => {
        if (!this.#conversation) throw new Error('there is no agent any more');
        return this.#conversation.synthesize(...asked);
      },
      tell: (text) => this.#conversation?.tell(text),
      told: (turn) => this.#conversation?.told(turn),
      from: direction === 'inbound' ? from : to,
      isWanted: () => this.#conversation !== undefined && awaitsTransfer(this.#conversation.state),
      go: (event) => this.#go(event),
      joined: (isForGood) => (isForGood ? this.#leaveTalk() : this.#conversation?.standAside()),
      guard: (act) => this.#guard(act),
      end: (end) => void this.close(end),
    };
  }

  #overhear(caller: MediaPort, person: MediaPort): Overhearing {
    const heard = (said: Overheard): void => this.#guard(() => this.#log?.(said));
    return new Overhearing({ ...this.deps, heard }, caller, person);
  }

  /** Two people talk: nobody listens to them for the agent, and nothing is said in its name. */
  #leaveTalk(): void {
    const { path } = this.deps;
    this.#conversation = undefined;
    for (const step of ['ticker', 'conversation'] as const) void path.release(step, callEnd('agent', 'transferred'));
  }

  /** How the record names an end: a caller who was put through was transferred, whoever hung up after that. */
  #recorded(end: CallEnd): CallEnd {
    return this.#transfer?.isThrough ? afterTransfer(end) : end;
  }

  /** What came from a timer, a thread or the network and throws is the fault of this call: it ends, and no other. */
  #guard(act: () => void, end?: CallEnd): void {
    try {
      act();
    } catch (error) {
      this.deps.logger.error({ error: errorText(error) }, 'a call failed');
      void this.close(end ?? callEnd('gateway', 'internal', errorText(error)));
    }
  }

  #go(event: CallEvent): void {
    this.#state = nextCallState(this.#state, event) ?? this.#state;
  }
}
