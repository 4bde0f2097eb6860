import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { type CallEnd, callEnd } from '../call/call-end.ts';
import { DialError, type DialOptions, type RefusalText } from '../call/dialer.ts';
import type { LegInfo } from '../call/leg.ts';
import { randomToken } from '../core/ids.ts';
import { sentence } from '../core/notice.ts';
import { routeHeader } from './contact-header.ts';
import { ChallengeAnswers, DigestClient } from './digest.ts';
import type { SrfDialog, SrfIncomingResponse, SrfRequest } from './drachtio.ts';
import { EdgePassage, innerPolicy, outerAddressOf, profileOf } from './edge-passage.ts';
import { requestInDialog } from './in-dialog-request.ts';
import { SipLeg } from './leg.ts';
import type { LegContext } from './leg-context.ts';
import { hopTo } from './leg-policy.ts';
import { MediaExchange } from './media-exchange.ts';
import { OfferAnswer } from './offer-answer.ts';
import { ALLOW } from './request-replies.ts';
import { wishedTimer } from './session-expires.ts';
import { parseSipUri, uriHost } from './sip-uri.ts';
import { byeHeadersOf, endOfFailure, endOfProblem, endOfRefusal, headerText, refusalOfOffer } from './status.ts';
import { isRefusal, type OfferPolicy, withDtmf } from './stream-choice.ts';

/** Whether the SIP server stands in for a host that cannot be reached or says nothing (RFC 3261 §8.1.3.1): it has no address. */
const isMadeUp = ({ status, source_address: source }: SrfIncomingResponse): boolean =>
  !source && (status === 408 || status === 503);

function refusalText(refused: SrfIncomingResponse): RefusalText {
  const printable = (text: string): string => text.replace(/[^\u0020-\u007e]/g, ' ').slice(0, REFUSAL_CHARACTERS_MAX);
  const [reason, warning] = [refused.get('Reason'), refused.get('Warning')];
  return {
    phrase: printable(refused.reason ?? ''),
    ...(reason && { reason: printable(reason) }),
    ...(warning && { warning: printable(warning) }),
  };
}

const REFUSAL_CHARACTERS_MAX = 512;
export const RING_TIMEOUT_MS = 60_000;
/** After CANCEL the 487 comes within 64*T1 = 32 s; past this we go without it. */
const CANCEL_WAIT_MS = 5_000;
/** The offer is not acceptable: 415 and 488 to this one, 606 anywhere (RFC 3261 §21.4.13, §21.4.26, §21.6.4). */
const UNACCEPTABLE = new Set([415, 488, 606]);
const HEADERS_MAX = 32;
const RESERVED = new Set(
  'via from to call-id cseq contact content-length content-type route record-route max-forwards require authorization proxy-authorization'.split(
    ' ',
  ),
);

/**
 * Sends INVITE with our offer, answers a digest challenge, and waits for the final answer.
 * @returns the leg, confirmed, with `media` agreed. Rejects with `DialError` and with nothing else.
 */
export async function placeCall(options: DialOptions, context: LegContext, policy: OfferPolicy): Promise<SipLeg> {
  const attempt = new CallAttempt(options, context, policy);
  try {
    return await attempt.run();
  } catch (error) {
    void attempt.close();
    if (error instanceof DialError) throw error;
    context.logger.warn({ err: error }, 'outbound call failed');
    throw new DialError(callEnd('network', 'signalling-lost'), 0);
  }
}

type Outcome =
  | { readonly dialog: SrfDialog; readonly sent: SrfRequest }
  | { readonly refused: SrfIncomingResponse; readonly sent: SrfRequest }
  | { readonly failed: string };

class CallAttempt {
  readonly #session: OfferAnswer;
  readonly #exchange: MediaExchange;
  readonly #name: string | undefined; // of the next hop, where the media edge has to know what it stands for
  #offer = '';
  readonly #digest: DigestClient | undefined;
  #sent: SrfRequest | undefined;
  #early = false; // told
  #answered = false;
  #cancelled: CallEnd | undefined;
  #giveUp: (end: CallEnd) => void = () => undefined;

  constructor(
    private readonly options: DialOptions,
    private readonly context: LegContext,
    policy: OfferPolicy,
  ) {
    const { credentials, media, dtls, dtmf, nextHop, uri } = options;
    const outer = withDtmf(policy, dtmf);
    const hop = hopTo(nextHop ?? uri);
    const profile = profileOf(outer, hop, dtls);
    const passage =
      context.edge && new EdgePassage(context.edge.open(), outer, isIP(hop.host) ? hop.host : '', profile);
    this.#name = context.edge && !isIP(hop.host) ? hop.host : undefined;
    this.#session = new OfferAnswer({
      sessionId: String(randomInt(1, 2 ** 40)),
      signallingAddress: '',
      policy: passage ? innerPolicy(outer) : outer,
      mayOfferChoice: true,
    });
    this.#exchange = new MediaExchange(this.#session, media, context.clock, passage);
    this.#digest = credentials && new DigestClient(credentials, () => randomToken(16));
  }

  /** It came to nothing. */
  close(): Promise<unknown> {
    return this.#exchange.close();
  }

  async run(): Promise<SipLeg> {
    const { uri, signal, ringTimeoutMs = RING_TIMEOUT_MS } = this.options;
    if (!parseSipUri(uri) || uri.includes('|')) {
      throw new DialError(callEnd('gateway', 'no-such-number', sentence('end.no-uri')), 0);
    }
    if (signal?.aborted) throw new DialError(callEnd('gateway', 'cancelled'), 0);
    const abort = (): void => this.#cancel(callEnd('gateway', 'cancelled'));
    const timer = this.context.clock.setTimer(ringTimeoutMs, () =>
      this.#cancel(callEnd('network', 'no-answer', sentence('end.unanswered'))),
    );
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const { addressesOf, clock } = this.context;
      if (this.#name && addressesOf)
        this.#exchange.signallingAddress = await outerAddressOf(this.#name, addressesOf, clock);
      const offer = await this.#exchange.offer('sendrecv');
      if (typeof offer !== 'string') throw new DialError(refusalOfOffer(offer).end, 0);
      if (this.#cancelled) throw new DialError(this.#cancelled, 0);
      this.#offer = offer;
      const outcome = await Promise.race([this.#negotiate(), this.#abandoned()]);
      return await this.#conclude(outcome);
    } finally {
      this.context.clock.clearTimer(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /**
   * INVITE, again with credentials when challenged, and in the clear when a choice is not understood. The second carries the
   * dialog's identifiers and the next CSeq.
   */
  async #negotiate(): Promise<Outcome> {
    let answers = new ChallengeAnswers(this.#digest);
    const { sessionTimers } = this.context;
    const wished = wishedTimer(sessionTimers);
    let timer = wished;
    let headers: Record<string, string> = { ...this.#headers(), ...timer };
    for (;;) {
      const outcome = await this.#invite(headers);
      if (!('refused' in outcome) || this.#cancelled) return outcome;
      const { refused, sent } = outcome;
      const sequence = Number.parseInt(sent.get('CSeq') ?? '', 10);
      if (!Number.isSafeInteger(sequence)) return outcome;
      // Once: a server that finds the interval it named too small is not met halfway for ever.
      if (refused.status === 422 && timer === wished && sessionTimers) timer = wishedTimer(sessionTimers, refused);
      else if (await this.#offersPlain(refused.status)) answers = new ChallengeAnswers(this.#digest);
      else if (!answers.take(refused, { method: 'INVITE', uri: sent.uri, body: this.#offer })) return outcome;
      headers = {
        ...this.#headers(),
        ...timer,
        'Call-ID': sent.get('Call-ID') ?? '',
        From: sent.get('From') ?? '',
        CSeq: `${sequence + 1} INVITE`,
        ...answers.headers,
      };
    }
  }

  /** Some phones refuse an offer of two streams as a whole, where they would take either (seen with linphone 5.1): once, then. */
  async #offersPlain(status: number): Promise<boolean> {
    if (!UNACCEPTABLE.has(status) || !this.#exchange.isChoice) return false;
    this.#exchange.withdrawChoice();
    const offer = await this.#exchange.offer('sendrecv');
    if (typeof offer !== 'string') return false;
    this.#offer = offer;
    return true;
  }

  #invite(headers: Record<string, string>): Promise<Outcome> {
    const { callId, nextHop, uri, onProgress } = this.options;
    return new Promise((resolve) => {
      let sent: SrfRequest | undefined;
      const options = { localSdp: this.#offer, headers, ...(nextHop === undefined ? {} : { proxy: nextHop }) };
      const progress = {
        cbRequest: (_error: unknown, req?: SrfRequest): void => {
          sent = req;
          this.#sent = req;
          if (callId !== undefined) this.context.onDialled?.(callId, req?.get('Call-ID') ?? '');
          if (this.#cancelled) this.#sendCancel();
        },
        cbProvisional: (res: SrfIncomingResponse): void => {
          onProgress?.(res.status, headerText(res.reason));
          void this.#hearEarly(res);
        },
      };
      this.context.srf.createUAC(uri, options, progress, (error, dialog) => {
        if (dialog && sent) this.#onAnswered(dialog);
        if (dialog && sent) resolve({ dialog, sent });
        else if (error?.res && sent) resolve({ refused: error.res, sent });
        else resolve({ failed: headerText(error instanceof Error ? error.message : String(error)) });
      });
    });
  }

  /** A 18x with a description: what comes from there may be heard. Of several branches the first is. */
  async #hearEarly({ status, body, source_address: source }: SrfIncomingResponse): Promise<void> {
    const { onEarlyMedia } = this.options;
    if (!onEarlyMedia || this.#early || status < 180 || !body) return;
    this.#early = true;
    this.#exchange.signallingAddress = source;
    const media = await this.#exchange.preview(body);
    if (media && !this.#cancelled && !this.#answered) onEarlyMedia(media);
  }

  /** Nobody waits any more, or a 200 won against our CANCEL: the call is ended at once. */
  #onAnswered(dialog: SrfDialog): void {
    this.#answered = true;
    if (!this.#cancelled) return;
    const bye = { method: 'BYE', headers: byeHeadersOf(this.#cancelled) };
    void requestInDialog(dialog, bye, this.context.clock, this.#digest).then(() => {
      this.context.srf.removeDialog(dialog);
    });
  }

  async #conclude(outcome: Outcome): Promise<SipLeg> {
    if (this.#cancelled) throw new DialError(this.#cancelled, 'refused' in outcome ? outcome.refused.status : 0);
    if ('failed' in outcome) throw new DialError(endOfFailure(outcome.failed), 0);
    if ('refused' in outcome) {
      const { refused } = outcome;
      if (isMadeUp(refused)) {
        throw new DialError(endOfProblem(refused.status === 408 ? 'silent' : 'unreachable'), refused.status);
      }
      const redirect = refused.status >= 300 && refused.status < 400 ? refused.get('Contact') : undefined;
      throw new DialError(
        endOfRefusal(refused.status, refused.reason, refused.get('Reason')),
        refused.status,
        redirect,
        refusalText(refused),
      );
    }
    const { dialog, sent } = outcome;
    this.#exchange.signallingAddress = dialog.res.source_address;
    const exchange = this.#exchange;
    const origin = { side: 'uac', dialog, exchange, ...(this.#digest && { digest: this.#digest }) } as const;
    const transferDomain = parseSipUri(this.options.uri)?.hostPort ?? '';
    // The leg listens to its dialog from now on, while media may still think about the answer.
    const leg = new SipLeg(
      { info: this.#info(dialog, sent), session: this.#session, transferDomain, origin },
      this.context,
    );
    const media = await exchange.accept(dialog.remote.sdp ?? '');
    if (!isRefusal(media)) return leg;
    const { end } = refusalOfOffer(media);
    void leg.hangup(end);
    throw new DialError(end, 200);
  }

  #info(dialog: SrfDialog, sent: SrfRequest): LegInfo {
    const called = parseSipUri(this.options.uri)?.user ?? '';
    return {
      sipCallId: sent.get('Call-ID') ?? dialog.sip.callId,
      from: this.options.from,
      to: called,
      called,
      sourceAddress: `${uriHost(dialog.res.source_address)}:${dialog.res.source_port}`,
      transport: dialog.res.protocol,
      variables: {},
    };
  }

  /** Resolves only after a CANCEL that nobody answered. */
  #abandoned(): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#giveUp = () => {
        this.context.clock.setTimer(CANCEL_WAIT_MS, () => resolve({ failed: 'no answer to CANCEL' }));
      };
    });
  }

  #cancel(end: CallEnd): void {
    if (this.#cancelled) return;
    this.#cancelled = end;
    this.#giveUp(end);
    if (this.#sent) this.#sendCancel();
  }

  #sendCancel(): void {
    try {
      this.#sent?.cancel(() => undefined);
    } catch (error) {
      this.context.logger.debug({ err: error }, 'CANCEL could not be sent');
    }
  }

  #headers(): Record<string, string> {
    const { from, fromDomain = 'localhost', displayName, sipCallId, headers = {} } = this.options;
    const route = routeHeader(this.options.route ?? []);
    const user = encodeURIComponent(from).replaceAll('%2B', '+');
    const display = displayName === undefined ? '' : `"${displayName.replace(/[\u0000-\u001f"\\\u007f]/g, ' ')}" `;
    const own: Record<string, string> = {
      From: `${display}<sip:${user}@${fromDomain}>`,
      Contact: `<sip:${user}@localhost>`,
      Allow: ALLOW,
      Supported: 'replaces',
      ...(route !== '' && { Route: route }),
      ...(sipCallId !== undefined && { 'Call-ID': sipCallId }),
    };
    for (const [name, value] of Object.entries(headers).slice(0, HEADERS_MAX)) {
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(name) || RESERVED.has(name.toLowerCase())) continue;
      own[name] = value.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 1024);
    }
    return own;
  }
}
