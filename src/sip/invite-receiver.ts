import type { Admission, Admit } from '../call/admission.ts';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import type { Leg, LegInfo } from '../call/leg.ts';
import type { EncryptionTerms } from '../core/trunk.ts';
import { OpenQuestions, type Prove, proofOf } from './caller-proof.ts';
import type { SrfRequest, SrfResponse } from './drachtio.ts';
import { examineInvite, legInfoOf, senderFactsOf } from './incoming-call.ts';
import { SipLeg } from './leg.ts';
import type { LegContext } from './leg-context.ts';
import { type CommonPolicy, TAKE_ALL, takePolicy } from './leg-policy.ts';
import type { LivingLegs } from './living-legs.ts';
import { MergedRequests } from './merged-requests.ts';
import { isDialogOf, mayTakeOver, replacesIn } from './replaces.ts';
import { type Reply, sendReply, warning } from './request-replies.ts';
import type { SessionTimerPolicy } from './session-expires.ts';
import { refusalOf } from './status.ts';

/** What becomes of calls that come in, as far as others decide it. */
export interface InviteOptions {
  readonly policy: CommonPolicy;
  /** What holds for the media of a call that comes in; without it, whatever is offered is taken. */
  readonly encryptionOf?: (info: LegInfo) => EncryptionTerms;
  /** Terms of session timers, for a server that leaves them to us. */
  readonly sessionTimers?: SessionTimerPolicy;
  /** Domain for transfers to bare numbers; empty: the domain of the caller's From. */
  readonly transferDomain: string;
  /** A new call, not yet answered. Must answer, reject or hang up in the end. */
  readonly onCall: (leg: Leg) => void;
  /** A new call, not yet answered, that is to take the place of another's leg (RFC 3891). As `onCall`. */
  readonly onReplaces: (leg: Leg, replaced: Leg) => void;
  /** Policy before any work. What it says of the caller goes with the call. */
  readonly admit: Admit;
  /** What a new call would be told now (draining, busy); OPTIONS is answered alike (RFC 3261 §11.2). */
  readonly availability: () => CallEnd | undefined;
  /** A call refused here, before there was a leg. */
  readonly onRefused: (info: LegInfo, end: CallEnd) => void;
  /** Asks a caller who has to say it who he is; without it he is refused. */
  readonly prove?: Prove;
}

export interface InviteReceiverDeps {
  readonly options: InviteOptions;
  readonly context: LegContext;
  readonly legs: LivingLegs;
  /** The SIP server runs in this process (`legInfoOf`). */
  readonly isServerHere: boolean;
  readonly isClosing: () => boolean;
  /** An exception stopped the handling of a request that came a while ago. */
  readonly onFault: (error: unknown, req: SrfRequest, res: SrfResponse) => void;
}

type Admitted = Extract<Admission, { kind: 'admitted' }>;

/** Takes INVITEs in (RFC 3261 §13.3.1): who calls, whether there is room, what is offered; then it is a leg. */
export class InviteReceiver {
  readonly counters = { calls: 0, refused: 0, merged: 0 };
  readonly #merged: MergedRequests;
  readonly #questions: OpenQuestions;

  constructor(private readonly deps: InviteReceiverDeps) {
    const { clock } = deps.context;
    this.#questions = new OpenQuestions(clock);
    this.#merged = new MergedRequests(() => clock.nowMs());
  }

  receive(req: SrfRequest, res: SrfResponse): void {
    const { options, isServerHere, isClosing } = this.deps;
    const arrived = legInfoOf(req, isServerHere);
    if (isClosing()) {
      const shutdown = callEnd('gateway', 'shutdown');
      return this.#refuse(res, arrived, refusalOf(shutdown), shutdown);
    }
    const admission = options.admit(arrived, senderFactsOf(req, isServerHere));
    const { prove } = options;
    if (admission.kind === 'challenge' && prove) {
      return void this.#challenge(req, res, arrived, prove, admission.end);
    }
    if (admission.kind !== 'admitted') return this.#refuse(res, arrived, refusalOf(admission.end), admission.end);
    this.#take(req, res, admission);
  }

  /** Nobody is asked any more. */
  close(): void {
    this.#questions.close();
  }

  /** Who calls may be somebody who is known, and has to say it. Never rejects. */
  async #challenge(req: SrfRequest, res: SrfResponse, arrived: LegInfo, prove: Prove, stranger: CallEnd) {
    const { options, isServerHere, isClosing, onFault } = this.deps;
    try {
      this.#questions.answered(arrived.sipCallId);
      const outcome = await proofOf(req, prove);
      if (!outcome) return;
      if ('reply' in outcome) {
        const { reply, end } = outcome;
        if (end) return this.#refuse(res, arrived, reply, end);
        this.#questions.asked(arrived.sipCallId, () => options.onRefused(arrived, stranger));
        return this.#send(res, reply);
      }
      if (isClosing()) return this.#send(res, { status: 503, headers: {} });
      const admission = options.admit(arrived, { ...senderFactsOf(req, isServerHere), ...outcome.proof });
      if (admission.kind === 'admitted') this.#take(req, res, admission);
      else this.#refuse(res, arrived, refusalOf(admission.end), admission.end);
    } catch (error) {
      onFault(error, req, res);
    }
  }

  #take(req: SrfRequest, res: SrfResponse, { info, dtmf }: Admitted): void {
    const { options, context, legs } = this.deps;
    const unavailable = options.availability();
    if (unavailable) return this.#refuse(res, info, refusalOf(unavailable), unavailable);
    if (this.#merged.isCopy(req)) {
      this.counters.merged += 1;
      return this.#send(res, { status: 482, headers: {} });
    }
    const { policy: common, encryptionOf = () => TAKE_ALL, sessionTimers } = options;
    const call = examineInvite(req, takePolicy(common, dtmf, encryptionOf(info), req), sessionTimers, context.edge);
    if ('status' in call) return this.#refuse(res, info, call, call.end ?? callEnd('caller', 'bad-offer'));
    const replaced = this.#replacedBy(req, info);
    if (replaced && 'status' in replaced) return this.#refuse(res, info, replaced, callEnd('gateway', 'not-allowed'));
    const { session, reliable, fromDomain, passage, offer } = call;
    const transferDomain = options.transferDomain || fromDomain;
    const way = { ...(passage && { passage }), ...(offer !== undefined && { offer }) };
    const origin = { side: 'uas', req, res, reliable } as const;
    const leg = new SipLeg({ info, session, transferDomain, origin, ...way }, context);
    this.counters.calls += 1;
    this.#merged.remember(req);
    legs.add(leg);
    if (replaced) options.onReplaces(leg, replaced);
    else options.onCall(leg);
  }

  /** The leg of a call that is up, where the INVITE asks to take its place and may (RFC 3891 §3); or the refusal. */
  #replacedBy(req: SrfRequest, info: LegInfo): SipLeg | Reply | undefined {
    const wanted = replacesIn(req);
    if (!wanted) return undefined;
    if (wanted === 'malformed') return { status: 400, headers: warning('The Replaces header cannot be read') };
    const leg = this.deps.legs.list().find(({ dialog }) => dialog && isDialogOf(wanted, dialog));
    // Also said to who may not: that there is such a call is nobody else's business.
    if (!leg || !mayTakeOver(info, leg.info)) {
      return { status: 481, headers: warning('There is no such call to be replaced') };
    }
    return wanted.earlyOnly ? { status: 486, headers: warning('The call to be replaced is answered') } : leg;
  }

  #refuse(res: SrfResponse, info: LegInfo, refusal: { status: number; headers: object }, end: CallEnd): void {
    this.counters.refused += 1;
    this.#send(res, { status: refusal.status, headers: { ...refusal.headers } });
    this.deps.options.onRefused(info, end);
  }

  #send(res: SrfResponse, reply: Reply): void {
    sendReply(res, reply, this.deps.context.logger);
  }
}
