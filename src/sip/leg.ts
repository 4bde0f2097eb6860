import { type CallEnd, callEnd } from '../call/call-end.ts';
import { type Leg, LegError, type LegHandlers, type LegInfo, type TransferOutcome } from '../call/leg.ts';
import type { Logger } from '../core/logger.ts';
import type { Direction, NegotiatedMedia } from '../media/description.ts';
import type { OuterMedia } from '../media/edge/media-edge.ts';
import type { MediaSession } from '../media/media-session.ts';
import { type DialogEvents, listenToDialog, type OtherMethod } from './dialog-events.ts';
import { watchDialog } from './dialog-watch.ts';
import type { SrfDialog, SrfRequest, SrfResponse } from './drachtio.ts';
import { FinalAnswer } from './final-answer.ts';
import { InDialogOffers } from './in-dialog-offers.ts';
import { leaveBehind } from './left-behind.ts';
import { type LegContext, type LegOptions, peerOf } from './leg-context.ts';
import { LegListener } from './leg-listener.ts';
import { type LegEvent, type LegState, nextLegState } from './leg-state.ts';
import { MediaExchange } from './media-exchange.ts';
import { OwnRequests } from './own-requests.ts';
import { replyInDialog, sendReply, warning } from './request-replies.ts';
import { targetUri } from './sip-uri.ts';
import { byeHeadersOf, endOfBye, type Refusal, refusalOf, refusalOfOffer } from './status.ts';
import { isRefusal, type OfferRefusal } from './stream-choice.ts';
import { LegTransfers, namesReplaces, referHeaders, replacingUri } from './transfer.ts';

/** `hangup` waits this long for the BYE to be answered; the server goes on repeating it meanwhile. */
export const BYE_WAIT_MS = 4_000;

/** Our own hanging up, while the call was still being answered. */
const UNANSWERED = callEnd('gateway', 'cancelled');

/** One SIP dialog, ours as UAS or UAC. States in `leg-state.ts`; nothing the network sends throws. */
export class SipLeg implements Leg {
  readonly info: LegInfo;
  #state: LegState = 'trying';
  readonly #listener = new LegListener();
  #dialog: SrfDialog | undefined;
  #exchange: MediaExchange | undefined;
  readonly #answer: FinalAnswer;
  #hangupWish: CallEnd | undefined;
  readonly #transfers: LegTransfers;
  #watch: symbol | undefined;
  readonly #requests: OwnRequests;
  readonly #offers: InDialogOffers;
  readonly press = (digits: string): void => this.#requests.press(digits);
  #outerMedia: Promise<OuterMedia | undefined> | undefined;
  readonly #released: Promise<void>;
  #release: () => void = () => undefined;
  readonly #startedMs: number;
  readonly #log: Logger;

  constructor(
    private readonly options: LegOptions,
    private readonly context: LegContext,
  ) {
    this.info = options.info;
    this.#startedMs = context.clock.nowMs();
    this.#log = context.logger.child({ sipCallId: options.info.sipCallId });
    this.#released = new Promise((resolve) => {
      this.#release = resolve;
    });
    const { origin } = options;
    this.#transfers = new LegTransfers(context.clock);
    this.#answer = new FinalAnswer(context);
    this.#requests = new OwnRequests({
      ...{ context, origin, dialog: () => this.dialog },
      reinvite: async () => (await this.reoffer('sendrecv')) !== undefined,
      onDialogGone: () => this.#fail(callEnd('network', 'signalling-lost')),
    });
    this.#offers = new InDialogOffers({
      ...{ clock: context.clock, ownsCallId: origin.side === 'uac' },
      sessionTimers: context.sessionTimers,
      isUp: () => this.#state === 'confirmed',
      isOver: () => this.#state === 'terminated',
      send: (res, reply, body, sent) => this.#send(res, reply, body, sent),
      invite: (dialog, body) => this.#requests.invite(dialog, body),
      onMedia: (media) => this.#listener.onMedia(media),
      onDialogGone: () => this.#fail(callEnd('network', 'signalling-lost')),
    });
    if (origin.side === 'uas') {
      origin.req.on('cancel', () => this.#guard(() => this.#finish('cancel', callEnd('caller', 'cancelled'))));
    } else {
      this.#exchange = origin.exchange;
      this.#go('decide');
      this.#go('accept');
      this.#attach(origin.dialog);
      this.#go('confirm');
      this.#requests.keepSession(origin.dialog);
    }
  }

  get state(): LegState {
    return this.#state;
  }
  get media(): NegotiatedMedia | undefined {
    return this.options.session.media;
  }

  /** What the outer side was, once it is over. */
  get outerMedia(): Promise<OuterMedia | undefined> | undefined {
    return this.#outerMedia;
  }
  get edgeLost(): string | undefined {
    return this.#exchange?.edgeLost;
  }

  setHandlers(handlers: LegHandlers): void {
    this.#guard(() => this.#listener.listen(handlers));
  }

  ring(): void {
    const { origin } = this.options;
    if (origin.side !== 'uas' || origin.reliable || !this.#go('ring')) return;
    this.#send(origin.res, { status: 180, headers: {} });
  }

  /** Both this promise and `onEnd` report a call that failed while being answered. */
  async answer(media: MediaSession): Promise<NegotiatedMedia> {
    const { origin, session } = this.options;
    if (origin.side === 'uac' && this.media && this.#state === 'confirmed') return this.media;
    if (origin.side === 'uac' || !this.#go('decide')) {
      throw new LegError(this.#listener.end ?? callEnd('gateway', 'internal', 'answered in a wrong state'));
    }
    const { passage, offer } = this.options;
    const exchange = new MediaExchange(session, media, this.context.clock, passage);
    this.#exchange = exchange;
    // The INVITE had no offer: ours goes out, its answer comes in the ACK.
    const late = session.state !== 'remote-offer' && offer === undefined;
    const decided = await (late ? exchange.offer('sendrecv') : exchange.answer(offer));
    // Cancelled, or hung up by us, while media decided.
    if (nextLegState(this.#state, 'accept') === undefined) throw new LegError(this.#listener.end ?? UNANSWERED);
    if (typeof decided === 'object' && isRefusal(decided)) {
      const refused = refusalOfOffer(decided);
      await this.#refuse(refused);
      throw new LegError(refused.end);
    }
    this.#go('accept');
    if (late) this.#offers.awaitAnswer(origin.req, exchange);
    return this.#answer.send(
      origin.req,
      origin.res,
      typeof decided === 'string' ? decided : decided.sdp,
      (error, dialog) => this.#guard(() => this.#onAnswerSent(error, dialog)),
    );
  }

  async reject(end: CallEnd): Promise<void> {
    await this.#refuse(refusalOf(end));
  }

  async hangup(end: CallEnd): Promise<void> {
    if (nextLegState(this.#state, 'refuse')) return this.reject(end);
    if (this.#state === 'accepted') this.#hangupWish ??= end;
    else if (this.#state === 'confirmed' || this.#state === 'detached') this.#bye(end);
    await this.#released;
  }

  /** Answered and acknowledged. */
  get dialog(): SrfDialog | undefined {
    return this.#state === 'confirmed' ? this.#dialog : undefined;
  }
  get takesReplaces(): boolean {
    return namesReplaces(peerOf(this.options.origin, this.#dialog)?.get('Supported'));
  }

  async transfer(target: string, signal: AbortSignal, replaced?: Leg): Promise<TransferOutcome> {
    const { dialog } = this;
    const other = replaced instanceof SipLeg ? replaced.dialog : undefined;
    if (!dialog) return { ok: false, status: 0, reason: 'the call is not up' };
    const uri = other ? replacingUri(other) : targetUri(target, this.options.transferDomain);
    const refer = (to: string) => this.#requests.send(dialog, 'REFER', referHeaders(to, dialog));
    return this.#transfers.run(peerOf(this.options.origin, dialog), uri, refer, signal);
  }

  /**
   * Our own re-INVITE (hold, resume).
   * @returns what was agreed, or undefined when it was refused or the call ended; what was agreed before then stays.
   */
  reoffer(direction: Direction): Promise<NegotiatedMedia | undefined> {
    if (!this.#dialog || !this.#exchange) return Promise.resolve(undefined);
    return this.#offers.offer(this.#dialog, this.#exchange, direction);
  }

  /** The SIP server is away and may come back. A call that is up goes on meanwhile; any other is over. */
  cut(): void {
    this.#guard(() => {
      if (this.#go('cut')) this.#transfers.cut();
      else this.lost();
    });
  }

  /** The SIP server is back: a dialog that it still knows goes on, under watch, for what the peer sends may not reach us. */
  async back(): Promise<void> {
    const dialog = this.#dialog;
    if (!dialog || !this.#go('restore')) return;
    const { clock, server } = this.context;
    const watch = Symbol('watch');
    this.#watch = watch;
    server.adopt(dialog);
    await watchDialog({
      ...{ clock, isConnected: () => server.isConnected() },
      ask: () => this.#requests.send(dialog, 'OPTIONS', {}),
      isWanted: () => this.#state === 'confirmed' && this.#watch === watch,
      onGone: () =>
        this.#guard(() => this.#finish('lost', callEnd('network', 'signalling-lost', 'forgotten meanwhile'))),
    });
  }

  /** The connection to the SIP server is gone, and with it this dialog. */
  lost(): void {
    this.#guard(() => this.#finish('lost', callEnd('network', 'signalling-lost')));
  }

  #onAnswerSent(error: unknown, dialog: SrfDialog | undefined): void {
    const { clock, srf, onAnswered } = this.context;
    if (dialog && this.#state !== 'accepted') {
      // A CANCEL was told to us, yet the 200 went out: nobody wants this dialog.
      void this.#requests.send(dialog, 'BYE', {}).then(() => srf.removeDialog(dialog));
    } else if (dialog) {
      onAnswered(clock.nowMs() - this.#startedMs);
      this.#attach(dialog);
      this.#answer.awaitAck(() => {
        const end = callEnd('network', 'ack-timeout');
        void this.#requests.send(dialog, 'BYE', byeHeadersOf(end));
        this.#finish('lost', end);
      });
    } else if (this.#state === 'accepted') {
      const text = error instanceof Error ? error.message : String(error);
      const cancelled = /unknown transaction|487/i.test(text);
      if (cancelled) this.#finish('cancel', callEnd('caller', 'cancelled'));
      else this.#finish('lost', callEnd('network', 'signalling-lost', text));
    }
  }

  #attach(dialog: SrfDialog): void {
    this.#dialog = dialog;
    const events: DialogEvents = {
      onAck: (req) => this.#onAck(req),
      onDestroy: (req) => this.#finish('bye', endOfBye(req.get('Reason'), req.source === 'application')),
      onOffer: (req, res) => this.#onOffer(req, res),
      onNotify: (req, res) => this.#onNotify(req, res),
      onRequest: (method, req, res) => this.#onRequest(method, req, res),
    };
    listenToDialog(dialog, events, (handle, res) => this.#guard(handle, res));
  }

  #onAck(req: SrfRequest): void {
    if (this.#state === 'terminated' || !this.#exchange) return;
    const first = this.#go('confirm');
    if (first) this.#answer.acknowledged();
    const settled = this.#offers.acknowledge(req, this.#exchange);
    if (settled) void settled.then((media) => this.#guard(() => this.#onSettled(first, media)));
    else if (first) this.#onSettled(first, this.media);
  }

  /** An ACK completed an exchange: the first one, whose answer may have been due in it, or a later late offer. */
  #onSettled(first: boolean, media: NegotiatedMedia | OfferRefusal | undefined): void {
    if (this.#state === 'terminated') return;
    const failed = !media || isRefusal(media);
    if (!first) {
      if (!failed) this.#listener.onMedia(media);
      return;
    }
    if (failed) {
      const end = media ? refusalOfOffer(media).end : callEnd('caller', 'bad-offer', 'no answer in the ACK');
      return this.#fail(end);
    }
    this.#answer.settle(media);
    if (this.#hangupWish) this.#bye(this.#hangupWish);
  }

  #onOffer(req: SrfRequest, res: SrfResponse): void {
    const dialog = this.#dialog;
    const exchange = this.#exchange;
    if (!dialog || !exchange || this.#state === 'terminated') return this.#send(res, { status: 481, headers: {} });
    this.#offers.receive(req, res, dialog, exchange).catch((error: unknown) => this.#failed(error, res));
  }

  #onNotify(req: SrfRequest, res: SrfResponse): void {
    this.#send(res, { status: this.#transfers.onNotify(req), headers: {} });
  }

  #onRequest(method: OtherMethod, req: SrfRequest, res: SrfResponse): void {
    const reply = replyInDialog(method, req.get('Content-Type') ?? '', req.body ?? '');
    this.#send(res, reply);
    if (reply.dtmf) this.#listener.onDtmf(reply.dtmf.digit, reply.dtmf.durationMs);
  }

  async #refuse(refusal: Refusal): Promise<void> {
    const { origin } = this.options;
    if (origin.side !== 'uas' || !this.#go('refuse')) return;
    await new Promise<void>((resolve) => {
      const timer = this.context.clock.setTimer(BYE_WAIT_MS, resolve);
      this.#send(origin.res, refusal, undefined, () => {
        this.context.clock.clearTimer(timer);
        resolve();
      });
    });
    this.#close();
  }

  #bye(end: CallEnd): void {
    const dialog = this.#dialog;
    if (!dialog || !this.#go('hangup')) return;
    this.#transfers.onDialogGone();
    const timer = this.context.clock.setTimer(BYE_WAIT_MS, () => this.#close());
    void this.#requests.send(dialog, 'BYE', byeHeadersOf(end)).then((res) => {
      if (!res) this.#leaveBehind(end);
      this.context.clock.clearTimer(timer);
      this.#close();
      this.context.srf.removeDialog(dialog);
    });
  }

  /** Ours to end, but for a fault of the other side: BYE, and reported like an end from outside. */
  #fail(end: CallEnd): void {
    this.#bye(end);
    this.#report(end);
  }

  /** Ended from outside. */
  #finish(event: LegEvent, end: CallEnd): void {
    if (!this.#go(event)) return;
    this.#transfers.onDialogGone();
    if (event === 'lost') this.#leaveBehind(end);
    if (this.#dialog && event !== 'bye') this.context.srf.removeDialog(this.#dialog);
    this.#report(end);
    this.#close();
  }

  #leaveBehind(end: CallEnd): void {
    const { origin } = this.options;
    const unanswered = origin.side === 'uas' && !origin.res.finalResponseSent ? origin.res : undefined;
    leaveBehind(this.context.server, end, { dialog: this.#dialog, unanswered }, (res, reply) => this.#send(res, reply));
  }

  #report(end: CallEnd): void {
    this.#answer.fail(end);
    this.#listener.onEnd(end);
  }

  /** Idempotent: a BYE that is answered late was given up before. */
  #close(): void {
    this.#answer.acknowledged();
    this.#requests.close();
    this.#offers.close();
    this.#outerMedia ??= this.#exchange?.close();
    this.#release();
    this.context.onClosed(this);
  }

  #go(event: LegEvent): boolean {
    const next = nextLegState(this.#state, event);
    if (next) this.#state = next;
    return next !== undefined;
  }

  #send(res: SrfResponse, reply: Refusal, body?: string, sent?: (error: unknown) => void): void {
    sendReply(res, reply, this.#log, { body, sent });
  }

  /** An exception must not reach the library: it would end the connection to the SIP server, and every call with it. */
  #guard(handle: () => void, res?: SrfResponse): void {
    try {
      handle();
    } catch (error) {
      this.#failed(error, res);
    }
  }

  #failed(error: unknown, res: SrfResponse | undefined): void {
    this.#log.error({ err: error }, 'leg handler failed');
    if (res && !res.finalResponseSent) this.#send(res, { status: 500, headers: warning('Internal error') });
  }
}
