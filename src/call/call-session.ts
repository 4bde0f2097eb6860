import type { CallBook, CallSummary } from '../billing/contract.ts';
import type { Agent } from '../core/agent.ts';
import type { Clock, Timer } from '../core/clock.ts';
import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import type { Metrics } from '../core/metrics.ts';
import type { NegotiatedMedia } from '../media/description.ts';
import type { MediaEvent, MediaPort, MediaStats } from '../media/media-port.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import type { LiveCall } from './call-registry.ts';
import { type CallEvent, type CallState, nextCallState } from './call-state.ts';
import type { CallTicker } from './call-ticker.ts';
import type { Conversation, ConversationDeps } from './conversation.ts';
import { type Leg, LegError } from './leg.ts';

const MINUTE_MS = 60_000;
/** Digits kept for the record of one call. */
const DTMF_KEPT_MAX = 256;

export interface CallSessionDeps {
  readonly id: string;
  readonly agent: Agent;
  readonly leg: Leg;
  readonly book: CallBook;
  readonly ticker: CallTicker;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly maxCallMs: number;
  readonly transferTimeoutMs: number;
  readonly recordingPath?: string; // where to record, below the data folder
  readonly recordingName?: string; // what the record calls it
  /** Makes the conversation once media flows. */
  readonly converse: (
    parts: Pick<ConversationDeps, 'port' | 'sink' | 'transfer' | 'end'> & { readonly logger: Logger },
  ) => Conversation;
  readonly onEnded: (session: CallSession) => void;
}

/** One answered or answering call: owns the leg, the media port and the conversation, and the one way they all end. */
export class CallSession implements LiveCall {
  readonly id: string;
  readonly startedAt: Date;
  #state: CallState = 'offered';
  #end: CallEnd | undefined;
  #closing: Promise<void> | undefined;
  #port: MediaPort | undefined;
  #conversation: Conversation | undefined;
  #answeredAtMs: number | undefined;
  #minutes = 1;
  #minuteTimer: Timer | undefined;
  #limitTimer: Timer | undefined;
  #dtmf = '';
  readonly #tick = (): void => this.#conversation?.tick();
  readonly #abort = new AbortController();

  constructor(private readonly deps: CallSessionDeps) {
    this.id = deps.id;
    this.startedAt = deps.clock.utc();
    deps.leg.setHandlers({
      onMedia: (media) => this.#onMedia(media),
      onDtmf: (digit) => this.#onDigit(digit),
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

  /** Answers with `port` and starts the conversation. Any failure on the way closes the call; never throws. */
  async answer(port: MediaPort): Promise<void> {
    this.#port = port;
    if (this.#end) return void (await port.close()); // Cancelled while the port was being opened.
    this.#go('answer');
    const { leg, book, clock, deps } = { ...this.deps, deps: this.deps };
    try {
      const media = await leg.answer(port.local);
      if (this.#end) return;
      this.#go('ack');
      this.#answeredAtMs = clock.nowMs();
      book.answered(this.id, clock.utc());
      port.configure(media);
      if (deps.recordingPath) port.startRecording(deps.recordingPath);
      this.#conversation = deps.converse({
        port,
        logger: deps.logger,
        sink: (turn) => book.turn(this.id, turn),
        transfer: (target) => this.#transfer(target),
        end: (end) => void this.close(end),
      });
      this.#startTimers();
      deps.ticker.add(this.#tick);
      this.#conversation.greet();
    } catch (error) {
      const known = error instanceof LegError;
      if (!known) deps.logger.error({ error: errorText(error) }, 'answering failed');
      await this.close(known ? error.end : callEnd('gateway', 'internal', errorText(error)));
    }
  }

  onMediaEvent(event: MediaEvent): void {
    if (event.type === 'dtmf') this.#onDigit(event.digit);
    else if (event.type === 'timeout') void this.close(callEnd('network', 'media-timeout'));
    else if (event.type === 'failed') void this.close(callEnd('gateway', 'media-failed', event.reason));
  }

  /** The one close path: the first reason given stands; every later call waits for the same end. */
  close(end: CallEnd): Promise<void> {
    this.#end ??= end;
    this.#closing ??= this.#close(this.#end);
    return this.#closing;
  }

  async #close(end: CallEnd): Promise<void> {
    const { deps } = this;
    const answered = this.#answeredAtMs !== undefined;
    const talkMs = answered ? Math.round(deps.clock.nowMs() - this.#answeredAtMs!) : 0;
    const theirs = end.party === 'caller' || end.reason === 'signalling-lost';
    this.#go(theirs ? (answered ? 'bye' : 'cancel') : answered ? 'hangup' : 'reject');
    this.#abort.abort();
    deps.clock.clearTimer(this.#minuteTimer);
    deps.clock.clearTimer(this.#limitTimer);
    deps.ticker.remove(this.#tick);
    this.#conversation?.close();
    await this.#quietly('hangup', deps.leg.hangup(end));
    const quality = await this.#quietly('media close', this.#port?.close());
    this.#go('released');
    this.#state = 'ended';
    await this.#finish(end, answered, talkMs, quality);
    deps.onEnded(this);
  }

  async #finish(end: CallEnd, answered: boolean, talkMs: number, quality: MediaStats | undefined): Promise<void> {
    const { deps } = this;
    const summary: CallSummary = {
      ...{ endedAt: deps.clock.utc(), answered, talkMs, end, dtmf: this.#dtmf },
      ...(quality && { quality: { ...quality } }),
      ...(answered && deps.recordingName && { recording: deps.recordingName }),
    };
    await this.#quietly('finish', deps.book.finish(this.id, summary));
    deps.metrics.callsEnded.inc({ party: end.party, reason: end.reason });
    if (talkMs > 0) deps.metrics.callSeconds.observe(talkMs / 1000);
    deps.logger.info(
      {
        ...{ agent: deps.agent.id, party: end.party, reason: end.reason, detail: end.detail, answered, talkMs },
        ...{ dtmfCount: this.#dtmf.length, quality },
        pii: { from: deps.leg.info.from, to: deps.leg.info.called },
      },
      'call ended',
    );
  }

  #startTimers(): void {
    const { clock, maxCallMs } = this.deps;
    this.#limitTimer = clock.setTimer(maxCallMs, () =>
      this.#conversation?.endWith('timeUp', callEnd('gateway', 'max-duration')),
    );
    const nextMinute = (): void => {
      const dueMs = this.#answeredAtMs! + this.#minutes * MINUTE_MS;
      this.#minuteTimer = clock.setTimer(dueMs - clock.nowMs(), () => void startMinute());
    };
    const startMinute = async (): Promise<void> => {
      const credit = await this.deps.book.startMinute(this.id, this.#minutes);
      if (this.#end) return;
      if (credit === 'insufficient-credit') {
        return this.#conversation?.endWith('timeUp', callEnd('gateway', 'credit-exhausted'));
      }
      this.#minutes += 1;
      nextMinute();
    };
    nextMinute();
  }

  #onMedia(media: NegotiatedMedia): void {
    if (this.#end) return;
    this.#port?.configure(media);
    const held = media.direction === 'recvonly' || media.direction === 'inactive';
    this.#go(held ? 'hold' : 'resume');
    this.#conversation?.setHeld(held);
  }

  #onDigit(digit: string): void {
    if (this.#dtmf.length < DTMF_KEPT_MAX) this.#dtmf += digit;
    this.#conversation?.onDigit(digit);
  }

  async #transfer(target: string): Promise<boolean> {
    const timeout = AbortSignal.timeout(this.deps.transferTimeoutMs);
    const outcome = await this.deps.leg.transfer(target, AbortSignal.any([timeout, this.#abort.signal]));
    this.deps.logger.info({ ok: outcome.ok, status: outcome.status, reason: outcome.reason }, 'transfer');
    if (outcome.ok) await this.close(callEnd('agent', 'transferred'));
    return outcome.ok;
  }

  /** Closing goes on whatever one part of it does. */
  async #quietly<T>(what: string, work: Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await work;
    } catch (error) {
      this.deps.logger.error({ what, error: errorText(error) }, 'a step of closing failed');
      return undefined;
    }
  }

  #go(event: CallEvent): void {
    this.#state = nextCallState(this.#state, event) ?? this.#state;
  }
}
