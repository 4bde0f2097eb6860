import type { TransferOutcome } from '../call/leg.ts';
import type { Clock, Timer } from '../core/clock.ts';
import type { SrfDialog, SrfIncomingResponse, SrfMessage, SrfRequest } from './drachtio.ts';
import { parseNameAddress } from './sip-uri.ts';
import { headerText } from './status.ts';

/** From the accepted REFER to its outcome: a target may ring this long before we call it failed. */
export const TRANSFER_OUTCOME_MS = 60_000;
/** From the accepted REFER to its first NOTIFY, which must come at once (RFC 3515 §2.4.4). */
export const TRANSFER_FIRST_NOTIFY_MS = 10_000;

/** The status line of a `message/sipfrag` body (RFC 3420), or undefined. Never throws. */
export function parseSipfrag(body: string): { readonly status: number; readonly reason: string } | undefined {
  const match = /^\s*SIP\/2\.0[ \t]+([1-6][0-9]{2})(?:[ \t]+([^\r\n]{0,200}))?/.exec(body.slice(0, 512));
  return match ? { status: Number(match[1]), reason: headerText(match[2] ?? '') } : undefined;
}

/** Refer-To, and who asks for it (RFC 3892). */
export function referHeaders(uri: string, { local }: SrfDialog): Record<string, string> {
  const self = /<[^>]+>/.exec(local.contact)?.[0] ?? `<${local.uri}>`;
  return { 'Refer-To': `<${uri}>`, 'Referred-By': self };
}

/**
 * Where whoever is referred takes the place of our own dialog: its remote target, with the dialog as the far end knows it, whose
 * local tag is our remote one (RFC 3891 §3, §4). Undefined where the dialog is not known well enough.
 */
export function replacingUri({ sip, res }: SrfDialog): string | undefined {
  const contact = parseNameAddress(res.get('Contact') ?? '');
  const target = /<([^<>?]+)>/.exec(res.get('Contact') ?? '')?.[1];
  const { callId, localTag, remoteTag } = sip;
  if (!contact.uri || !target || !localTag || !remoteTag) return undefined;
  return `${target}?Replaces=${encodeURIComponent(`${callId};to-tag=${remoteTag};from-tag=${localTag}`)}`;
}

/** Whether `Supported` names Replaces (RFC 3891 §6.2). */
export const namesReplaces = (supported: string | undefined): boolean =>
  /(^|[\s,])replaces([\s,]|$)/i.test((supported ?? '').slice(0, 512));

/**
 * What a peer says that does not take transfers, whoever the target: 405 and 501 (RFC 3261 §21), and 603 by its policy. A peer
 * that has to ask its user first answers 202 and declines in a NOTIFY (RFC 3515 §2.4.2). Every other refusal speaks of this
 * one request, and so perhaps of its target, which is not to be dialled around it.
 */
const UNSUPPORTED: readonly number[] = [405, 501, 603];
/** The peer has not named REFER among what it takes. */
export const REFER_NOT_ALLOWED: TransferOutcome = {
  ...{ ok: false, status: 0, reason: 'the peer does not allow REFER', unsupported: true },
};

/** Whether a REFER may be tried, by the `Allow` of the peer; one that says nothing may take it (RFC 3261 §20.5). */
export const mayTakeRefer = (allow: string | undefined): boolean =>
  allow === undefined || allow.trim() === '' || /(^|[\s,])REFER([\s,]|$)/.test(allow);

/**
 * One REFER on its way (RFC 3515), from its answer to the end of the implicit subscription. `norefersub` is not asked
 * for: the outcome is what matters. Pure but for the clock; the leg carries requests in and out.
 */
export class Transfer {
  readonly outcome: Promise<TransferOutcome>;
  #settle: (outcome: TransferOutcome) => void = () => undefined;
  #done = false;
  #accepted = false;
  #lastStatus = 0;
  #timer: Timer | undefined;

  constructor(private readonly clock: Clock) {
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get done(): boolean {
    return this.#done;
  }

  /** Sends the REFER and waits for what comes of it. Never rejects. */
  async run(refer: () => Promise<SrfIncomingResponse | undefined>, signal: AbortSignal): Promise<TransferOutcome> {
    const abort = (): void => this.finish(false, 0, 'aborted');
    if (signal.aborted) abort();
    else {
      signal.addEventListener('abort', abort, { once: true });
      void refer().then((res) => {
        this.onAnswer(res && { status: res.status, reason: res.reason, referSub: res.get('Refer-Sub') });
      });
    }
    const outcome = await this.outcome;
    signal.removeEventListener('abort', abort);
    return outcome;
  }

  /** The answer to the REFER, or undefined when it could not be sent. `referSub` is the `Refer-Sub` header. */
  onAnswer(response: { status: number; reason: string; referSub: string | undefined } | undefined): void {
    if (this.#done) return;
    if (!response) return this.finish(false, 0, 'the REFER could not be sent');
    if (response.status >= 300) {
      return this.finish(false, response.status, headerText(response.reason), UNSUPPORTED.includes(response.status));
    }
    this.#accepted = true;
    // RFC 4488: a peer that will not report. It took the call over as far as anybody can know.
    if (response.referSub?.trim().toLowerCase() === 'false') return this.finish(true, response.status, 'accepted');
    if (this.#timer) return; // a NOTIFY was faster than the answer
    this.#wait(TRANSFER_FIRST_NOTIFY_MS, 'no NOTIFY came');
  }

  /** A NOTIFY of the subscription. @returns the status to answer it with. */
  onNotify(event: string, subscriptionState: string, body: string): number {
    if (event.split(';', 1)[0]?.trim().toLowerCase() !== 'refer') return 489;
    if (this.#done) return 200;
    const first = this.#lastStatus === 0;
    const progress = parseSipfrag(body);
    if (progress) this.#lastStatus = progress.status;
    if (progress && progress.status >= 200) {
      this.finish(progress.status < 300, progress.status, progress.reason);
    } else if (/^\s*terminated/i.test(subscriptionState)) {
      this.finish(false, 0, 'the peer stopped reporting before the outcome');
    } else if (first) {
      this.#wait(TRANSFER_OUTCOME_MS, 'no outcome in time');
    }
    return 200;
  }

  /**
   * The dialog ended. A peer that took the REFER and hangs up has gone to the target: that is how many phones do it,
   * and nothing can be done for the call any more.
   */
  onDialogGone(): void {
    this.finish(this.#accepted, 0, this.#accepted ? 'the peer left after accepting' : 'the call ended first');
  }

  finish(ok: boolean, status: number, reason: string, unsupported = false): void {
    if (this.#done) return;
    this.#done = true;
    this.clock.clearTimer(this.#timer);
    this.#settle({ ok, status, reason, ...(unsupported && { unsupported }) });
  }

  #wait(ms: number, otherwise: string): void {
    this.clock.clearTimer(this.#timer);
    this.#timer = this.clock.setTimer(ms, () => this.finish(false, 0, otherwise));
  }
}

/** The REFERs of one leg, one at a time. */
export class LegTransfers {
  #current: Transfer | undefined;
  constructor(private readonly clock: Clock) {}

  /** @param peer - where the far end has told what it takes. @param uri - undefined where the target is none. */
  run(
    peer: SrfMessage | undefined,
    uri: string | undefined,
    refer: (uri: string) => Promise<SrfIncomingResponse | undefined>,
    signal: AbortSignal,
  ): Promise<TransferOutcome> {
    if (!uri) return Promise.resolve({ ok: false, status: 0, reason: 'the target is no SIP URI or number' });
    if (!mayTakeRefer(peer?.get('Allow'))) return Promise.resolve(REFER_NOT_ALLOWED);
    if (this.#current && !this.#current.done) {
      return Promise.resolve({ ok: false, status: 491, reason: 'a transfer is running' });
    }
    this.#current = new Transfer(this.clock);
    return this.#current.run(() => refer(uri), signal);
  }

  /** @returns the status to answer it with. */
  onNotify(req: SrfRequest): number {
    return this.#current?.onNotify(req.get('Event') ?? '', req.get('Subscription-State') ?? '', req.body ?? '') ?? 481;
  }

  /** The connection to the SIP server is gone: nothing more is heard. */
  cut(): void {
    this.#current?.finish(false, 0, 'the SIP server is away');
  }
  onDialogGone(): void {
    this.#current?.onDialogGone();
  }
}
