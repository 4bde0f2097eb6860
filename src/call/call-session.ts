import type { CallBook, CallSummary } from '../billing/contract.ts';
import type { Agent } from '../core/agent.ts';
import { type Clock, delay, type Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { NegotiatedMedia } from '../media/description.ts';
import type { MediaEvent, MediaPort, MediaStats } from '../media/media-port.ts';
import type { MediaSession } from '../media/media-session.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import type { LiveCall } from './call-registry.ts';
import { type CallEvent, type CallState, nextCallState } from './call-state.ts';
import type { CallTicker } from './call-ticker.ts';
import type { ClosePath } from './close-path.ts';
import type { Conversation, ConversationDeps } from './conversation.ts';
import { type Leg, LegError, type TransferOutcome } from './leg.ts';

const MINUTE_MS = 60_000;
/** Digits kept for the record of one call. */
const DTMF_KEPT_MAX = 256;

export interface CallSessionDeps {
  readonly id: string;
  readonly agent: Agent;
  readonly leg: Leg;
  /** How the call ends; the leg is on it already. */
  readonly path: ClosePath;
  readonly book: CallBook;
  readonly ticker: CallTicker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly maxCallMs: number;
  readonly transferTimeoutMs: number;
  readonly recordingPath?: string; // where to record, below the data folder
  readonly recordingName?: string; // what the record calls it
  /** The part that a port's media takes in offer and answer. */
  readonly sessionOf: (port: MediaPort) => MediaSession;
  /** Makes the conversation once media flows. */
  readonly converse: (
    parts: Pick<ConversationDeps, 'port' | 'sink' | 'transfer' | 'end'> & { readonly logger: Logger },
  ) => Conversation;
}

/** One answered or answering call: leg, media port and conversation, from the answer to the end. */
export class CallSession implements LiveCall {
  readonly id: string;
  readonly startedAt: Date;
  #state: CallState = 'offered';
  #port: MediaPort | undefined;
  #quality: MediaStats | undefined;
  #conversation: Conversation | undefined;
  #answeredAtMs: number | undefined;
  #talkMs = 0;
  #minutes = 1;
  #minuteTimer: Timer | undefined;
  #limitTimer: Timer | undefined;
  #dtmf = '';
  readonly #abort = new AbortController();

  constructor(private readonly deps: CallSessionDeps) {
    const { id, clock, leg, path } = deps;
    this.id = id;
    this.startedAt = clock.utc();
    path.holds('timers', (end) => this.#leave(end));
    path.holds('metrics', (end) => this.#measure(end));
    path.holds('summary', (end) => this.#summarise(end));
    leg.setHandlers({
      onMedia: (media) => this.#guard(() => this.#onMedia(media)),
      onDtmf: (digit) => this.#guard(() => this.#onDigit(digit)),
      onEnd: (end) => void this.close(end),
    });
  }

  get sipCallId(): string {
    return this.deps.leg.info.sipCallId;
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

  /** The port belongs to the call from now on. */
  take(port: MediaPort): void {
    this.#port = port;
    this.deps.path.holds('media', async () => {
      this.#quality = await port.close();
    });
  }

  /** Answers and starts the conversation. Any failure on the way closes the call; never throws. */
  async answer(port: MediaPort): Promise<void> {
    const { leg, logger, path, sessionOf } = this.deps;
    if (path.end) return;
    this.#go('answer');
    try {
      const media = await leg.answer(sessionOf(port));
      if (!path.end) this.#begin(port, media);
    } catch (error) {
      const known = error instanceof LegError;
      if (!known) logger.error({ error: errorText(error) }, 'answering failed');
      await this.close(known ? error.end : callEnd('gateway', 'internal', errorText(error)));
    }
  }

  onMediaEvent(event: MediaEvent): void {
    if (event.type === 'dtmf') this.#guard(() => this.#onDigit(event.digit));
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
    return {
      ...{ endedAt: clock.utc(), answered, talkMs: this.#talkMs, end, dtmf: this.#dtmf },
      ...(this.#quality && { quality: { ...this.#quality } }),
      ...(answered && recordingName && { recording: recordingName }),
    };
  }

  /** The ACK came: from here on it is talk, and costs. */
  #begin(port: MediaPort, media: NegotiatedMedia): void {
    const { id, deps } = this;
    const { book, clock, path, ticker } = deps;
    this.#go('ack');
    this.#answeredAtMs = clock.nowMs();
    book.answered(id, clock.utc());
    const conversation = deps.converse({
      port,
      logger: deps.logger,
      sink: (turn) => book.turn(id, turn),
      transfer: (target) => this.#transfer(target),
      end: (end) => void this.close(end),
    });
    this.#conversation = conversation;
    path.holds('conversation', () => conversation.close());
    this.#onMedia(media);
    if (deps.recordingPath) port.startRecording(deps.recordingPath);
    this.#startTimers();
    const ticking = {
      tick: (): void => conversation.tick(),
      broken: (error: unknown): void => void this.close(callEnd('gateway', 'internal', errorText(error))),
    };
    ticker.add(ticking);
    path.holds('ticker', () => ticker.remove(ticking));
    conversation.greet();
  }

  /** The first step of closing: nothing of the call's own doing happens any more. */
  #leave(end: CallEnd): void {
    const { clock } = this.deps;
    const answered = this.#answeredAtMs !== undefined;
    if (answered) this.#talkMs = Math.round(clock.nowMs() - this.#answeredAtMs!);
    const theirs = end.party === 'caller' || end.reason === 'signalling-lost';
    const unanswered = this.#state === 'offered';
    this.#go(theirs ? (unanswered ? 'cancel' : 'bye') : unanswered ? 'reject' : 'hangup');
    this.#abort.abort();
    clock.clearTimer(this.#minuteTimer);
    clock.clearTimer(this.#limitTimer);
  }

  #measure({ party, reason }: CallEnd): void {
    const { metrics } = this.deps;
    metrics.callsEnded.inc({ party, reason });
    if (this.#talkMs > 0) metrics.callSeconds.observe(this.#talkMs / 1000);
  }

  #summarise(end: CallEnd): void {
    this.#go('released');
    const { agent, leg, logger } = this.deps;
    const { answered, talkMs, dtmf, quality } = this.summary(end);
    logger.info(
      {
        ...{ agent: agent.id, party: end.party, reason: end.reason, detail: end.detail, answered, talkMs },
        ...{ dtmfCount: dtmf.length, quality },
        pii: { from: leg.info.from, to: leg.info.called },
      },
      'call ended',
    );
  }

  #startTimers(): void {
    const { clock, maxCallMs } = this.deps;
    this.#limitTimer = clock.setTimer(maxCallMs, () => this.#endPolitely(callEnd('gateway', 'max-duration')));
    this.#awaitMinute();
  }

  #awaitMinute(): void {
    const { clock } = this.deps;
    const dueMs = this.#answeredAtMs! + this.#minutes * MINUTE_MS;
    this.#minuteTimer = clock.setTimer(dueMs - clock.nowMs(), () => void this.#startMinute());
  }

  async #startMinute(): Promise<void> {
    const { book, logger, path } = this.deps;
    try {
      const credit = await book.startMinute(this.id, this.#minutes);
      if (path.end) return;
      if (credit === 'insufficient-credit') return this.#endPolitely(callEnd('gateway', 'credit-exhausted'));
      this.#minutes += 1;
      this.#awaitMinute();
    } catch (error) {
      logger.error({ error: errorText(error) }, 'a minute could not be charged');
      await this.close(callEnd('gateway', 'internal', 'charging failed'));
    }
  }

  /** Time is up: said if it can be said, and the end in any case. */
  #endPolitely(end: CallEnd): void {
    this.#guard(() => this.#conversation!.endWith('timeUp', end), end);
  }

  #onMedia(media: NegotiatedMedia): void {
    if (this.deps.path.end) return;
    this.#port?.configure(media);
    const held = media.direction === 'recvonly' || media.direction === 'inactive';
    this.#go(held ? 'hold' : 'resume');
    this.#conversation?.setHeld(held);
  }

  #onDigit(digit: string): void {
    if (this.#dtmf.length < DTMF_KEPT_MAX) this.#dtmf += digit;
    this.#conversation?.onDigit(digit);
  }

  /** Given up after `transferTimeoutMs`, and at the end of the call. */
  async #transfer(target: string): Promise<boolean> {
    const { clock, leg, logger, transferTimeoutMs } = this.deps;
    const over = new AbortController();
    const waited = delay(clock, transferTimeoutMs, AbortSignal.any([over.signal, this.#abort.signal]));
    const late = waited.then((): TransferOutcome => ({ ok: false, status: 0, reason: 'given up' }));
    try {
      const outcome = await Promise.race([leg.transfer(target, over.signal), late]);
      logger.info({ ok: outcome.ok, status: outcome.status, reason: outcome.reason }, 'transfer');
      if (outcome.ok) await this.close(callEnd('agent', 'transferred'));
      return outcome.ok;
    } finally {
      over.abort();
    }
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
