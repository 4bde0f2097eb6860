import type { Direction, MediaEndpoint, NegotiatedMedia } from '../media/description.ts';
import { isDescription, parseSdp, type SdpMediaOut, type SessionDescription, writeSdp } from './sdp.ts';
import {
  COMFORT_NOISE_PAYLOAD_TYPE,
  chooseStream,
  isRefusal,
  malformed,
  mirrorDirection,
  narrowDirection,
  type OfferPolicy,
  type OfferRefusal,
  refusal,
  STATIC_PAYLOAD_TYPES,
  type StreamChoice,
  toNegotiatedMedia,
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
}

interface PendingOffer {
  readonly description: SessionDescription;
  readonly choice: StreamChoice | undefined; // undefined: the stream in use was switched off
}

const DTMF_PAYLOAD_TYPE = 101; // what we offer; an answer uses the peer's number
const PTIME_MAX_MS = 60;

/**
 * The session of one dialog: our description with its version, the peer's, and what both agreed. No I/O: the leg
 * carries the texts. What the network sends is a value or a refusal; calling out of turn is our own mistake and throws.
 */
export class OfferAnswer {
  #state: OfferAnswerState = 'stable';
  #media: NegotiatedMedia | undefined;
  #mediaBefore: NegotiatedMedia | undefined;
  #pending: PendingOffer | undefined;
  #version = 0;
  #lastStreams = '';
  #lastSdp = '';
  #slots: readonly SdpMediaOut[] = []; // our m-lines so far: a later offer repeats them (RFC 3264 §8)
  #audioIndex = 0;
  #offered: Direction = 'sendrecv';

  /** Where the peer's SIP comes from; a caller's is known at once, a callee's with its first response. */
  signallingAddress: string;

  constructor(private readonly options: OfferAnswerOptions) {
    this.signallingAddress = options.signallingAddress;
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

  /**
   * Takes the peer's offer.
   * @returns undefined when it can be answered; 'glare' when our own is open; else why not (the state stays).
   */
  receiveOffer(body: string): OfferRefusal | 'glare' | undefined {
    const next = nextOfferAnswerState(this.#state, 'receiveOffer');
    if (!next) return 'glare';
    const description = parseSdp(body);
    if (!isDescription(description)) return malformed(description);
    const choice = chooseStream(description, this.signallingAddress, this.options.policy);
    // Port 0 on a stream in use: some phones hold that way. Only an established session can lose its stream.
    const switchedOff = this.#media !== undefined && description.media.some((m) => m.kind === 'audio' && m.port === 0);
    if (isRefusal(choice) && !switchedOff) return choice;
    this.#state = next;
    this.#pending = { description, choice: isRefusal(choice) ? undefined : choice };
    return undefined;
  }

  /** Answers the pending offer. */
  createAnswer(local: MediaEndpoint): Answer {
    const next = nextOfferAnswerState(this.#state, 'sendAnswer');
    if (!next || !this.#pending) throw new Error(`no answer may be sent in state ${this.#state}`);
    const { choice, description } = this.#pending;
    this.rollback();
    this.#state = next;
    const direction = choice ? mirrorDirection(choice.stream.direction, choice.held) : 'inactive';
    const streams = description.media.map(
      (stream, index): SdpMediaOut =>
        choice && index === choice.index
          ? answerStream(choice, direction, local)
          : { kind: stream.kind, port: 0, protocol: stream.protocol, formats: stream.formats, attributes: [] },
    );
    this.#audioIndex = choice?.index ?? this.#audioIndex;
    const media = this.#agree(choice, direction);
    return { sdp: this.#describe(local, streams), media };
  }

  /** Our offer with everything we can do; for a re-INVITE without one, and for calls we make. */
  createOffer(local: MediaEndpoint, direction: Direction = 'sendrecv'): string {
    const next = nextOfferAnswerState(this.#state, 'sendOffer');
    if (!next) throw new Error(`no offer may be sent in state ${this.#state}`);
    this.#state = next;
    this.#offered = direction;
    const streams = this.#slots.map((slot) => ({ ...slot, port: 0, attributes: [] as readonly string[] }));
    streams[this.#audioIndex] = offerStream(local, direction);
    return this.#describe(local, streams);
  }

  /** Takes the answer to our offer. On a refusal the offer is rolled back; what was agreed before stays. */
  receiveAnswer(body: string): NegotiatedMedia | OfferRefusal {
    if (this.#state !== 'local-offer') throw new Error(`no answer is due in state ${this.#state}`);
    this.#state = 'stable';
    const description = parseSdp(body);
    if (!isDescription(description)) return malformed(description);
    const choice = chooseStream(description, this.signallingAddress, this.options.policy);
    if (isRefusal(choice)) {
      const refused = description.media.every((stream) => stream.port === 0);
      return refused ? refusal('unacceptable', 304, 'The audio stream was refused') : choice;
    }
    return this.#agree(choice, narrowDirection(this.#offered, mirrorDirection(choice.stream.direction, choice.held)));
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

  #agree(choice: StreamChoice | undefined, direction: Direction): NegotiatedMedia {
    const before = this.#media;
    this.#mediaBefore = before;
    if (choice) this.#media = toNegotiatedMedia(choice, direction, this.signallingAddress, before?.remote);
    else if (before) this.#media = { ...before, direction: 'inactive' };
    if (!this.#media) throw new Error('a first offer without audio was taken');
    return this.#media;
  }

  /** `o=` rises by one exactly when the rest changes (RFC 3264 §8). */
  #describe(local: MediaEndpoint, streams: readonly SdpMediaOut[]): string {
    const text = JSON.stringify([local.address, streams]);
    if (text !== this.#lastStreams) this.#version += 1;
    this.#lastStreams = text;
    this.#slots = streams;
    const { sessionId } = this.options;
    const origin = { sessionId, sessionVersion: String(this.#version), address: local.address };
    this.#lastSdp = writeSdp(origin, streams);
    return this.#lastSdp;
  }
}

function answerStream(choice: StreamChoice, direction: Direction, local: MediaEndpoint): SdpMediaOut {
  const formats = [choice.payloadType];
  const attributes = [`rtpmap:${choice.payloadType} ${choice.codec}/8000`];
  if (choice.dtmfPayloadType !== undefined) {
    formats.push(choice.dtmfPayloadType);
    attributes.push(`rtpmap:${choice.dtmfPayloadType} telephone-event/8000`, `fmtp:${choice.dtmfPayloadType} 0-15`);
  }
  if (choice.comfortNoisePayloadType !== undefined) {
    formats.push(choice.comfortNoisePayloadType);
    attributes.push(`rtpmap:${choice.comfortNoisePayloadType} CN/8000`);
  }
  attributes.push(`ptime:${choice.ptimeMs}`, `maxptime:${PTIME_MAX_MS}`, direction);
  if (choice.stream.rtcpMux) attributes.push('rtcp-mux');
  const { protocol } = choice.stream;
  return { kind: 'audio', port: local.port, protocol, formats: formats.map(String), attributes };
}

function offerStream(local: MediaEndpoint, direction: Direction): SdpMediaOut {
  const { PCMU, PCMA } = STATIC_PAYLOAD_TYPES;
  return {
    kind: 'audio',
    port: local.port,
    protocol: 'RTP/AVP',
    formats: [PCMU, PCMA, DTMF_PAYLOAD_TYPE, COMFORT_NOISE_PAYLOAD_TYPE].map(String),
    attributes: [
      `rtpmap:${PCMU} PCMU/8000`,
      `rtpmap:${PCMA} PCMA/8000`,
      `rtpmap:${DTMF_PAYLOAD_TYPE} telephone-event/8000`,
      `fmtp:${DTMF_PAYLOAD_TYPE} 0-15`,
      `rtpmap:${COMFORT_NOISE_PAYLOAD_TYPE} CN/8000`,
      'ptime:20',
      `maxptime:${PTIME_MAX_MS}`,
      direction,
      'rtcp-mux',
    ],
  };
}
