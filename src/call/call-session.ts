import type { CallBook, CallSummary } from '../billing/contract.ts';
import { errorText } from '../core/errors.ts';
import type { Metrics } from '../core/metrics.ts';
import { OVER } from '../core/over.ts';
import type { ServiceUse } from '../core/service-use.ts';
import type { NoteTaking } from '../engines/reply/contract.ts';
import type { NegotiatedMedia } from '../media/description.ts';
import type { MediaEvent, MediaPort, MediaStats, QualityTimeline } from '../media/media-port.ts';
import { AnsweredCall, type AnsweredCallDeps, type AnsweredLine } from './answered-call.ts';
import { type CallEnd, callEnd, endByCallee } from './call-end.ts';
import { tellEnd } from './call-ended.ts';
import { CallMinutes } from './call-minutes.ts';
import type { LiveCall } from './call-registry.ts';
import type { CallRoute } from './call-router.ts';
import { type CallEvent, type CallState, leavingEvent, nextCallState } from './call-state.ts';
import type { CallTrace } from './call-trace.ts';
import { dialRoute, type RoutedCall } from './dial-route.ts';
import { holdDial } from './dialer.ts';
import { type KeyMeans, KeyPresses } from './key-presses.ts';
import { holdsUs, type Leg, LegError, mediaTimeout } from './leg.ts';
import { TAKEN, takeOverLeg } from './leg-takeover.ts';
import { passOver } from './opening.ts';

export interface CallSessionDeps extends AnsweredCallDeps {
  readonly book: CallBook;
  readonly metrics: Metrics;
  readonly trace?: CallTrace;
  readonly maxCallMs: number;
  readonly recordingPath?: string; // where to record, below the data folder
  readonly recordingName?: string; // what the record calls it
  readonly used: ServiceUse; // of this call
  readonly isReadAfter?: boolean; // somebody looks at what was said when it is over
}

/** One call from its first message to its end: its leg, its media port, and all that goes on once it is answered. */
export class CallSession implements LiveCall {
  readonly id: string;
  readonly startedAt: Date;
  #state: CallState;
  #leg: Leg | undefined;
  #port: MediaPort | undefined;
  #quality: MediaStats | undefined;
  #timeline: QualityTimeline | undefined;
  #early = false; // heard before the answer
  #recordsSinceMs: number | undefined;
  #answered: AnsweredCall | undefined;
  #talkMs = 0;
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
      timeUp: (end) => this.#guard(() => this.#answered?.endPolitely(end), end),
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
      onDtmf: (digit) => this.#guard(() => this.#onKey(digit, 'info')),
      onEnd: (end) => void this.close(out ? endByCallee(end) : end),
    });
  }

  /** The port belongs to the call from now on. */
  take(port: MediaPort): void {
    this.#port = port;
    this.deps.path.holds('media', async () => {
      const { timeline, ...quality } = await port.close();
      this.#quality = quality;
      this.#timeline = timeline;
      this.#quality = { ...quality, ...(await this.#leg?.outerMedia) };
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
    if (path.end || !this.#answered || !port) return false;
    if (replaced !== this.#leg) return this.#answered.transfer.takeOver(replaced, next);
    const attach = (leg: Leg): void => {
      path.holds('signalling', (end) => leg.hangup(end));
      this.attach(leg);
      if (leg.media && !path.end) this.#guard(() => this.#onMedia(leg.media!));
    };
    const over = (): CallEnd | undefined => path.end ?? (replaced === this.#leg ? undefined : TAKEN);
    await takeOverLeg({ replaced, next, port, sessionOf, logger, over, attach });
    return true;
  }

  onMediaEvent(event: MediaEvent): void {
    if (event.type === 'dtmf') this.#guard(() => this.#onKey(event.digit, event.means ?? 'event'));
    else if (event.type === 'keys') this.#guard(() => this.#leg?.press?.(event.digits));
    else if (event.type === 'timeout') void this.close(mediaTimeout(this.#leg));
    else if (event.type === 'failed') void this.close(callEnd('gateway', 'media-failed', event.reason));
  }

  async sendTo(target: string): Promise<'begun' | 'not-now' | CallEnd> {
    const { router, agent, parties, variables, path } = this.deps;
    if (!this.#answered || path.end) return 'not-now';
    const from = parties.direction === 'inbound' ? parties.from : parties.to;
    const route = await router.route({ accountId: agent.accountId, target, from, ...(variables && { variables }) });
    if ('reason' in route) return route;
    route.release(); // Only asked whether it may be called: who is sent there takes a line then.
    return this.#talk((answered) => answered.sendTo(target)) ? 'begun' : 'not-now';
  }

  say(text: string): boolean {
    return this.#talk((answered) => answered.say(text));
  }

  note(text: string): NoteTaking | 'not-now' {
    let taking: NoteTaking | 'not-now' = 'not-now';
    this.#talk((answered) => {
      taking = answered.note(text);
      return true;
    });
    return taking;
  }

  levels(): ReturnType<NonNullable<LiveCall['levels']>> {
    return this.deps.path.end ? undefined : this.#port?.levels?.();
  }

  listen(): ReturnType<NonNullable<LiveCall['listen']>> {
    return this.deps.path.end ? undefined : this.#port?.listen?.();
  }

  close(end: CallEnd): Promise<void> {
    return this.deps.path.close(end);
  }

  /** What the record keeps of the call. */
  summary(end: CallEnd): CallSummary {
    const { clock, recordingName, used } = this.deps;
    const { opening, transfer } = this.#answered ?? {};
    const transfers = transfer?.records ?? [];
    const analysis = this.#answered?.analysis(end);
    return {
      ...{ endedAt: clock.utc(), answered: this.#answered !== undefined, talkMs: this.#talkMs },
      ...{ end: this.#recorded(end), dtmf: this.#keys.kept },
      ...(this.#keys.presses.length > 0 && { keys: this.#keptKeys() }),
      ...(this.#quality && { quality: { ...this.#quality } }),
      ...(this.#timeline && this.#answered && { qualityOverTime: sinceAnswer(this.#timeline, this.#answered.atMs) }),
      ...(opening?.answeredBy && { answeredBy: opening.answeredBy }),
      ...(this.#recordsSinceMs !== undefined && recordingName && { recording: recordingName }),
      ...(transfers.length > 0 && { transfers }),
      ...(used.totals && { services: used.totals }),
      ...(analysis && { analysis, analysisState: this.deps.isReadAfter ? 'pending' : 'ready' }),
    };
  }

  /** Keys that came before the answer were pressed at its moment. */
  #keptKeys(): NonNullable<CallSummary['keys']> {
    const answeredMs = this.#answered?.atMs ?? Number.POSITIVE_INFINITY;
    return this.#keys.presses.map(({ key, means, atMs }) => ({
      ...{ key, means, atMs: Math.max(0, Math.round(atMs - answeredMs)) },
    }));
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
    this.#go(event);
    const answered = new AnsweredCall(deps, this.#line(port));
    this.#answered = answered;
    deps.book.answered(id, deps.clock.utc(), Math.round(answered.atMs - (this.#recordsSinceMs ?? answered.atMs)));
    this.#onMedia(media);
    if (this.#early) passOver(port); // What came before the answer was recorded, and is no word of whoever answered.
    this.#record(port);
    this.#minutes.start();
    answered.begin();
  }

  #line(port: MediaPort): AnsweredLine {
    return {
      leg: () => this.#leg!,
      ...{ port, keys: this.#keys, signal: this.#abort.signal },
      isHeld: () => this.#state === 'held',
      go: (event) => this.#go(event),
      guard: (act) => this.#guard(act),
      end: (end) => void this.close(end),
    };
  }

  /** The first step of closing: nothing of the call's own doing happens any more. */
  #leave(end: CallEnd): void {
    this.#talkMs = this.#minutes.stop();
    this.#go(leavingEvent(this.#state, end));
    this.#abort.abort(OVER);
    this.#answered?.close(end);
  }

  #measure(end: CallEnd): void {
    const { metrics } = this.deps;
    const { party, reason } = this.#recorded(end);
    metrics.callsEnded.inc({ party, reason });
    if (this.#talkMs > 0) metrics.callSeconds.observe(this.#talkMs / 1000);
  }

  #summarise(end: CallEnd): void {
    this.#go('released');
    const summary = this.summary(end);
    tellEnd({ ...this.deps, startedAt: this.startedAt }, summary);
    this.deps.trace?.end(summary);
  }

  #onMedia(media: NegotiatedMedia): void {
    if (this.deps.path.end) return;
    this.#port?.configure(media);
    const isHeld = holdsUs(media);
    this.#go(isHeld ? 'hold' : 'resume');
    this.#answered?.setHeld(isHeld);
  }

  /** What comes before the answer is heard, and not talked to. */
  #onEarlyMedia(port: MediaPort, media: NegotiatedMedia): void {
    if (this.#state !== 'dialling' || this.deps.path.end) return;
    this.#early = true;
    port.configure({ ...media, direction: 'recvonly' });
    this.#record(port);
  }

  #record(port: MediaPort): void {
    const { recordingPath, clock } = this.deps;
    if (this.#recordsSinceMs !== undefined) return;
    if (recordingPath) port.startRecording(recordingPath);
    this.#recordsSinceMs = clock.nowMs();
  }

  #onKey(digit: string, means: KeyMeans): void {
    const nowMs = this.deps.clock.nowMs();
    if (!this.#keys.isNew(digit, means, nowMs)) return;
    if (this.#answered) this.#answered.key(digit, means);
    else this.#keys.keep(digit, means, nowMs);
  }

  #recorded(end: CallEnd): CallEnd {
    return this.#answered?.recorded(end) ?? end;
  }

  #talk(act: (answered: AnsweredCall) => boolean): boolean {
    let done = false;
    this.#guard(() => {
      done = this.#answered !== undefined && !this.deps.path.end && act(this.#answered);
    });
    return done;
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

/** What came before the answer has a time below zero. */
const sinceAnswer = ({ fromMs, ...timeline }: QualityTimeline, answeredMs: number): CallSummary['qualityOverTime'] => ({
  fromMs: Math.round(fromMs - answeredMs),
  ...timeline,
});
