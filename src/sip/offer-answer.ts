import type { AudioDescription, NegotiatedMedia } from '../media/description.ts';
import type { AudioAnswer, OfferedKeys, RemoteAudio } from '../media/media-session.ts';
import { writeCrypto } from './sdes.ts';
import { isDescription, parseSdp, type SdpMediaOut, type SessionDescription, writeSdp } from './sdp.ts';
import {
  isRefusal,
  KEYS_IN_CLEAR,
  malformed,
  type OfferPolicy,
  type OfferRefusal,
  type PassedStream,
  passStreams,
  refusal,
  withKeys,
} from './stream-choice.ts';

/**
 * Whose turn it is (RFC 3264 §4). An offer that meets another one is glare: absent here, 491 on the wire.
 *
 *   stable --sendOffer--> local-offer --receiveAnswer--> stable
 *   stable --receiveOffer--> remote-offer --sendAnswer--> stable
 */
export const OFFER_ANSWER_TRANSITIONS = {
  stable: { sendOffer: 'local-offer', receiveOffer: 'remote-offer' },
  'local-offer': { receiveAnswer: 'stable', rollback: 'stable' }, // rollback: refused, timed out, no answer in the ACK
  'remote-offer': { sendAnswer: 'stable', rollback: 'stable' }, // rollback: we refused it
} as const;

export type OfferAnswerState = keyof typeof OFFER_ANSWER_TRANSITIONS;
export type OfferAnswerEvent = 'sendOffer' | 'receiveAnswer' | 'receiveOffer' | 'sendAnswer' | 'rollback';

/** The state after `event`, or undefined where the two sides would talk across each other. */
export function nextOfferAnswerState(state: OfferAnswerState, event: OfferAnswerEvent): OfferAnswerState | undefined {
  return (OFFER_ANSWER_TRANSITIONS[state] as Partial<Record<OfferAnswerEvent, OfferAnswerState>>)[event];
}

export interface Answer {
  readonly sdp: string;
  readonly media: NegotiatedMedia;
}

export interface OfferAnswerOptions {
  readonly sessionId: string; // decimal; ours for the life of the dialog
  readonly signallingAddress: string;
  readonly policy: OfferPolicy;
  /**
   * A first offer of ours may leave the choice between encrypted media and media in the clear: not in the answer to an INVITE, where
   * whoever cannot read it has no way to say so.
   */
  readonly mayOfferChoice?: boolean;
}

/** The peer's description, while it is answered or while its answer to ours is judged. */
interface Pending {
  readonly description: SessionDescription;
  readonly passed: readonly PassedStream[]; // none: the stream in use was switched off
}

/**
 * The session of one dialog: our description with its version, the peer's, and what both agreed. No I/O and no decisions
 * about media: those come from its `MediaSession`. What the network sends is a value or a refusal; calling out of turn is
 * our own mistake and throws.
 */
export class OfferAnswer {
  #state: OfferAnswerState = 'stable';
  #media: NegotiatedMedia | undefined;
  #mediaBefore: NegotiatedMedia | undefined;
  #pending: Pending | undefined;
  #version = 0;
  #lastStreams = '';
  #lastSdp = '';
  #slots: readonly SdpMediaOut[] = []; // our m-lines so far: a later offer repeats them (RFC 3264 §8)
  #audioIndex = 0;
  #mayOfferChoice: boolean;
  #lastAddress = '';
  #offered: AudioDescription | undefined;

  /** Where the peer's SIP comes from; a caller's is known at once, a callee's with its first response. */
  signallingAddress: string;

  constructor(private readonly options: OfferAnswerOptions) {
    this.signallingAddress = options.signallingAddress;
    this.#mayOfferChoice = options.mayOfferChoice === true;
  }

  get state(): OfferAnswerState {
    return this.#state;
  }
  /** The outcome of the last complete exchange. */
  get media(): NegotiatedMedia | undefined {
    return this.#media;
  }
  /** Our last description as sent, empty before the first. */
  get localSdp(): string {
    return this.#lastSdp;
  }
  /** Our open offer, once it is made. */
  get offered(): AudioDescription | undefined {
    return this.#offered;
  }
  /** What is to be said of keys in an offer of ours: what holds stays; a first one has keys unless policy speaks against it. */
  get keysToOffer(): OfferedKeys | OfferRefusal {
    const { encryption, mayCarryKeys } = this.options.policy;
    if (this.#media) return this.#media.srtp ?? 'none';
    if (encryption === 'require') return mayCarryKeys ? 'new' : KEYS_IN_CLEAR;
    return encryption === 'allow' && mayCarryKeys && this.#mayOfferChoice ? 'new' : 'none';
  }
  /** What media is to answer or accept; undefined where the peer switched its stream off, and there is nothing to ask. */
  get remote(): RemoteAudio | undefined {
    const streams = this.#pending?.passed.map(({ audio }) => audio) ?? [];
    if (streams.length === 0) return undefined;
    return { streams, signallingAddress: this.signallingAddress, previous: this.#media };
  }

  /**
   * Takes the peer's offer.
   * @returns undefined when it can be answered; 'glare' when an offer is open; else why not (the state stays).
   */
  receiveOffer(body: string): OfferRefusal | 'glare' | undefined {
    const next = nextOfferAnswerState(this.#state, 'receiveOffer');
    if (!next) return 'glare';
    const description = parseSdp(body);
    if (!isDescription(description)) return malformed(description);
    const passed = passStreams(description, this.signallingAddress, this.options.policy);
    // Port 0 on a stream in use: some phones hold that way. Only an established session can lose its stream.
    const switchedOff = this.#media !== undefined && description.media.some((m) => m.kind === 'audio' && m.port === 0);
    if (isRefusal(passed) && !switchedOff) return passed;
    this.#state = next;
    this.#pending = { description, passed: isRefusal(passed) ? [] : passed };
    return undefined;
  }

  /** @param decided - media's answer; undefined where the stream was switched off. */
  sendAnswer(decided: AudioAnswer | undefined): Answer {
    const next = nextOfferAnswerState(this.#state, 'sendAnswer');
    const { description, passed } = this.#pending ?? {};
    const before = this.#media;
    if (!next || !description || !(decided ?? before)) throw new Error(`no answer may be sent in state ${this.#state}`);
    const taken = decided && passed?.[decided.index];
    this.rollback();
    this.#state = next;
    const streams = description.media.map(
      (stream, index): SdpMediaOut =>
        decided && taken?.index === index
          ? streamOut(decided.local, stream.protocol)
          : { kind: stream.kind, port: 0, protocol: stream.protocol, formats: stream.formats, attributes: [] },
    );
    this.#audioIndex = taken?.index ?? this.#audioIndex;
    const media = this.#agree(decided?.media ?? { ...before!, direction: 'inactive' });
    return { sdp: this.#describe(streams, decided?.local.endpoint.address), media };
  }

  /** An offer of ours is being made; nobody else may offer now. */
  openOffer(): void {
    const next = nextOfferAnswerState(this.#state, 'sendOffer');
    if (!next) throw new Error(`no offer may be sent in state ${this.#state}`);
    this.#state = next;
    this.#offered = undefined;
  }

  /** Everything media can do; for a re-INVITE without an offer, and for calls we make. */
  sendOffer(description: AudioDescription): string {
    const local = withKeys(description, this.options.policy);
    if (this.#state !== 'local-offer') throw new Error(`no offer was opened in state ${this.#state}`);
    this.#offered = local;
    const streams = this.#slots.map((slot) => ({ ...slot, port: 0, attributes: [] as readonly string[] }));
    const protocol = this.#slots[this.#audioIndex]?.protocol ?? (local.crypto ? 'RTP/SAVP' : 'RTP/AVP');
    streams[this.#audioIndex] = streamOut(local, protocol);
    const isChoice = this.#slots.length === 0 && local.crypto && this.options.policy.encryption === 'allow';
    if (isChoice) streams.push(streamOut(inTheClear(local), 'RTP/AVP'));
    return this.#describe(streams, local.endpoint.address);
  }

  /** Our open offer leaves the choice between encrypted media and media in the clear. */
  get isChoice(): boolean {
    return this.#state === 'local-offer' && this.#slots.length > 1 && this.#offered?.crypto !== undefined;
  }

  /** The other side cannot read a choice: what is offered from now on is in the clear, from the start. */
  withdrawChoice(): void {
    this.rollback();
    this.#slots = [];
    this.#mayOfferChoice = false;
  }

  /** Takes the answer to our offer, for media to accept. On a refusal the offer is rolled back; what was agreed stays. */
  receiveAnswer(body: string): OfferRefusal | undefined {
    if (this.#state !== 'local-offer') throw new Error(`no answer is due in state ${this.#state}`);
    const description = parseSdp(body);
    const passed = this.#passed(description);
    if (isDescription(description) && !isRefusal(passed)) {
      this.#pending = { description, passed: passed.slice(0, 1) }; // where two are answered, the better one is used
      return undefined;
    }
    this.rollback();
    const refused = isDescription(description) && description.media.every((stream) => stream.port === 0);
    if (refused) return refusal('unacceptable', 304, 'The audio stream was refused');
    return isRefusal(passed) ? passed : undefined;
  }

  /**
   * What the answer to our offer will say, as a provisional response tells it (RFC 3261 §13.2.1). Nothing changes by that.
   * @returns undefined where it cannot be used, or no answer is due.
   */
  previewAnswer(body: string): RemoteAudio | undefined {
    if (this.#state !== 'local-offer') return undefined;
    const passed = this.#passed(parseSdp(body));
    if (isRefusal(passed)) return undefined;
    const streams = passed.slice(0, 1).map(({ audio }) => audio);
    return { streams, signallingAddress: this.signallingAddress, previous: undefined };
  }

  /** Media accepted the answer. */
  acceptAnswer(media: NegotiatedMedia): NegotiatedMedia {
    const next = nextOfferAnswerState(this.#state, 'receiveAnswer');
    if (!next) throw new Error(`no answer is due in state ${this.#state}`);
    this.#audioIndex = this.#pending?.passed[0]?.index ?? this.#audioIndex;
    this.rollback();
    this.#state = next;
    return this.#agree(media);
  }

  /** The exchange failed or was refused: both sides keep what they had (RFC 3264 §8). */
  rollback(): void {
    this.#state = 'stable';
    this.#pending = undefined;
  }

  /** Our answer never left: what was agreed before it holds. */
  withdrawAnswer(): void {
    this.#media = this.#mediaBefore;
  }

  /** The streams of an answer that policy lets pass. */
  #passed(description: ReturnType<typeof parseSdp>): readonly PassedStream[] | OfferRefusal {
    const keysOffered = (index: number): boolean =>
      this.#slots[index]?.attributes.some((attribute) => attribute.startsWith('crypto:')) === true;
    if (!isDescription(description)) return malformed(description);
    return passStreams(description, this.signallingAddress, this.options.policy, keysOffered);
  }

  #agree(agreed: NegotiatedMedia): NegotiatedMedia {
    const { dtmf } = this.options.policy;
    const media = dtmf === undefined ? agreed : { ...agreed, dtmf };
    this.#mediaBefore = this.#media;
    this.#media = media;
    return media;
  }

  /** `o=` rises by one exactly when the rest changes (RFC 3264 §8). `address`: the one before, where none is given. */
  #describe(streams: readonly SdpMediaOut[], address = this.#lastAddress): string {
    const text = JSON.stringify([address, streams]);
    if (text !== this.#lastStreams) this.#version += 1;
    this.#lastStreams = text;
    this.#lastAddress = address;
    this.#slots = streams;
    const { sessionId } = this.options;
    this.#lastSdp = writeSdp({ sessionId, sessionVersion: String(this.#version), address }, streams);
    return this.#lastSdp;
  }
}

const inTheClear = ({ crypto: _, ...plain }: AudioDescription): AudioDescription => plain;

function streamOut(local: AudioDescription, protocol: string): SdpMediaOut {
  const { formats, ptimeMs, maxPtimeMs, direction, rtcpMux, endpoint } = local;
  const attributes = formats.flatMap(({ name, clockRateHz, channels, payloadType }) => {
    const isDtmf = name === 'TELEPHONE-EVENT';
    const encoding = `${isDtmf ? 'telephone-event' : name}/${clockRateHz}${channels > 1 ? `/${channels}` : ''}`;
    return [`rtpmap:${payloadType} ${encoding}`, ...(isDtmf ? [`fmtp:${payloadType} 0-15`] : [])];
  });
  if (ptimeMs !== undefined) attributes.push(`ptime:${ptimeMs}`);
  if (maxPtimeMs !== undefined) attributes.push(`maxptime:${maxPtimeMs}`);
  attributes.push(direction);
  if (rtcpMux) attributes.push('rtcp-mux');
  for (const crypto of local.crypto ?? []) attributes.push(writeCrypto(crypto));
  const payloadTypes = formats.map(({ payloadType }) => String(payloadType));
  return { kind: 'audio', port: endpoint.port, protocol, formats: payloadTypes, attributes };
}
