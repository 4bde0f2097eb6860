import type { AppPort } from '../control/app-port.ts';
import { addressesOf } from '../message/header-values.ts';
import { formatNameAddr, parseNameAddr } from '../message/name-addr.ts';
import { header, type SipHeader, type SipMessage, type SipRequest } from '../message/sip-message.ts';
import { parseSipUri } from '../message/sip-uri.ts';
import type { Flow } from '../transport/flow.ts';
import { type DialogEvent, type DialogState, nextDialogState } from './dialog-state.ts';
import type { SessionTimer } from './session-timer.ts';

export interface DialogIdentity {
  readonly role: 'uas' | 'uac';
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  /** Method of the request that made it: what ends it differs. */
  readonly usage: string;
}

/** From/To values with their tags, and where requests go. */
export interface DialogSetup extends DialogIdentity {
  readonly localAddress: string;
  readonly remoteAddress: string;
  readonly localContact: string;
  readonly routeSet: readonly string[];
  readonly remoteTarget: string;
  readonly localCSeq: number; // last number used, 0 for none yet
  readonly remoteCSeq: number; // last number seen, -1 for none yet
  readonly flow: Flow;
  readonly app: AppPort;
}

/** The last session description we sent, repeated by refreshing re-INVITEs. */
export interface LocalDescription {
  readonly contentType: string;
  readonly body: Buffer;
}

/** What a dialog needs of the INVITE it received. */
export interface ServerInvite {
  readonly cseq: number;
  readonly isNew: boolean; // false for a re-INVITE
  /** A final answer was given. */
  readonly answered: boolean;
  /** Its 2xx made the offer, which the ACK answers: until then none other may be made. */
  readonly awaitsAnswer: boolean;
  acknowledge(ack: SipRequest, flow: Flow, bytes: number): void;
  /** The dialog ends under it: an unanswered one gets 487 (§15.1.2), repetition of a 2xx stops. */
  abandon(): void;
}

/** What a dialog needs of the INVITE it sent. */
export interface ClientInvite {
  /** CANCEL, because a BYE follows. */
  cancelForBye(): void;
}

/** One dialog: RFC 3261 §12. Holds numbers and routes; sends nothing itself. */
export class Dialog {
  readonly role: 'uas' | 'uac';
  readonly callId: string;
  readonly localTag: string;
  readonly remoteTag: string;
  readonly usage: string;
  readonly localAddress: string;
  readonly remoteAddress: string;
  readonly app: AppPort;
  localContact: string;
  routeSet: readonly string[];
  remoteTarget: string;
  localCSeq: number;
  remoteCSeq: number;
  /** The peer asked for `rport`: it listens where it sends from (RFC 3581). */
  peerIsSymmetric = false;
  /** Where the peer was last heard: in-dialog requests go there when there is no route set and Contact does not fit. */
  flow: Flow;
  localDescription: LocalDescription | undefined;
  /** Methods of the peer's last Allow; undefined when it never said. */
  allow: ReadonlySet<string> | undefined;
  /** The INVITE of the peer that is unanswered, or whose 2xx waits for its ACK. */
  serverInvite: ServerInvite | undefined;
  /** The one before, when the peer sent the next without waiting for its ACK to arrive: the ACK may still come. */
  earlierInvite: ServerInvite | undefined;
  /** Our own INVITE, until its final answer. */
  clientInvite: ClientInvite | undefined;
  /** Our BYE, held back until the ACK of our 2xx. */
  heldBye: (() => void) | undefined;
  /** Our BYE was challenged: the application may send it once more. */
  awaitsByeRetry = false;
  /** Ours, by a next hop that may lead to the public internet alone: so does what its peer says of the way. */
  publicOnly = false;
  /** RSeq of the peer's last reliable provisional answer. */
  lastRseq: number | undefined;
  /** UPDATE with an offer, not yet answered. */
  localUpdatePending = false;
  remoteUpdatePending = false;
  /** What was agreed last about refreshing, undefined without session timers. */
  sessionTimer: SessionTimer | undefined;
  onState: ((state: DialogState) => void) | undefined;
  #state: DialogState = 'early';

  constructor(setup: DialogSetup) {
    this.role = setup.role;
    this.callId = setup.callId;
    this.localTag = setup.localTag;
    this.remoteTag = setup.remoteTag;
    this.usage = setup.usage;
    this.localAddress = setup.localAddress;
    this.remoteAddress = setup.remoteAddress;
    this.localContact = setup.localContact;
    this.routeSet = setup.routeSet;
    this.remoteTarget = setup.remoteTarget;
    this.localCSeq = setup.localCSeq;
    this.remoteCSeq = setup.remoteCSeq;
    this.flow = setup.flow;
    this.app = setup.app;
  }

  get state(): DialogState {
    return this.#state;
  }
  /** The name the application knows it by: Call-ID and From tag of the request that made it. */
  get id(): string {
    return dialogId(this.callId, this.role === 'uac' ? this.localTag : this.remoteTag);
  }

  /** @returns false where the event means nothing. */
  apply(event: DialogEvent): boolean {
    const next = nextDialogState(this.#state, event);
    if (next === undefined) return false;
    const changed = next !== this.#state;
    this.#state = next;
    if (changed) this.onState?.(next);
    return true;
  }

  /** An offer of ours is open: no other may be made or taken (RFC 3264 §4, RFC 3311 §5.2). */
  get offerOpen(): boolean {
    const inConfirmed = this.clientInvite !== undefined && this.#state === 'confirmed';
    return this.localUpdatePending || inConfirmed || this.serverInvite?.awaitsAnswer === true;
  }

  nextCSeq(): number {
    this.localCSeq += 1;
    return this.localCSeq;
  }

  /** Contact of a target refresh request or of its answer (§12.2); an unreadable one is ignored. */
  refreshTarget(message: SipMessage): void {
    const target = contactUri(message);
    if (target !== undefined) this.remoteTarget = target;
    this.noteAllow(message);
  }

  /** While early, the route set follows the latest answer; a 2xx settles it (§13.2.2.4). */
  refreshRoutes(response: SipMessage): void {
    this.routeSet = recordedRoutes(response, 'uac');
    this.refreshTarget(response);
  }

  noteAllow(message: SipMessage): void {
    const methods = message.headers.filter((h) => h.name === 'Allow').map((h) => h.value.toUpperCase());
    if (methods.length > 0) this.allow = new Set(methods);
  }

  /**
   * A request inside the dialog (§12.2.1.1), without Via: that depends on the flow. A first route without `lr` is a
   * strict router and becomes the Request-URI.
   */
  request(method: string, cseq: number, extra: readonly SipHeader[], body: Buffer): SipRequest {
    const { uri, routes } = this.#target();
    return {
      kind: 'request',
      method,
      uri,
      headers: [
        ...routes.map((value) => ({ name: 'Route', value })),
        { name: 'Max-Forwards', value: '70' },
        { name: 'From', value: this.localAddress },
        { name: 'To', value: this.remoteAddress },
        { name: 'Call-ID', value: this.callId },
        { name: 'CSeq', value: `${cseq} ${method}` },
        ...extra,
      ],
      body,
    };
  }

  #target(): { uri: string; routes: readonly string[] } {
    const [first, ...rest] = this.routeSet;
    if (first === undefined) return { uri: this.remoteTarget, routes: [] };
    const uri = parseNameAddr(first)?.uri ?? '';
    const parsed = parseSipUri(uri);
    if (!parsed || parsed.params.has('lr')) return { uri: this.remoteTarget, routes: this.routeSet };
    return { uri, routes: [...rest, `<${this.remoteTarget}>`] };
  }
}

export function dialogId(callId: string, fromTag: string): string {
  return `${callId};from-tag=${fromTag}`;
}

/** The URI of the first Contact. */
export function contactUri(message: SipMessage): string | undefined {
  const value = header(message, 'Contact');
  return value === undefined ? undefined : parseNameAddr(value)?.uri;
}

/** Record-Route as a route set: in order for the UAS, reversed for the UAC (§12.1). Unreadable ones make it empty. */
export function recordedRoutes(message: SipMessage, role: 'uas' | 'uac'): readonly string[] {
  const values = (addressesOf(message, 'Record-Route') ?? []).map(formatNameAddr);
  return role === 'uas' ? values : values.toReversed();
}
