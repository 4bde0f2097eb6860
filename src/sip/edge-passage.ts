import { isIPv6 } from 'node:net';
import { type Clock, delay } from '../core/clock.ts';
import {
  type EdgeCall,
  type EdgeFailure,
  isEdgeFailure,
  type OuterMedia,
  type OuterProfile,
} from '../media/edge/media-edge.ts';
import type { Hop } from './leg-policy.ts';
import { isUnspecified } from './media-address.ts';
import { judgeOuter } from './outer-offer.ts';
import { isDescription, parseSdp } from './sdp.ts';
import { isRefusal, type OfferPolicy, type OfferRefusal, refusal } from './stream-choice.ts';

/** What came from outside, as it is inside. */
export interface Inward {
  readonly sdp: string;
  readonly address: string | undefined; // of the edge, where our media goes; undefined where none is named
}

/** Between us and the edge media is in the clear, whatever it is outside; what may be outside was judged before. */
export const innerPolicy = (policy: OfferPolicy): OfferPolicy => ({
  ...policy,
  encryption: 'none',
  mayCarryKeys: false,
});

/**
 * What a call of ours offers outside: what the other side must have, as far as it is known. Keys that may not be written into the
 * description, for it is not protected itself, are agreed by DTLS.
 */
export function profileOf(
  { encryption, mayCarryKeys }: OfferPolicy,
  { transport }: Hop,
  wantsDtls = false,
): OuterProfile {
  if (/^wss?$/i.test(transport)) return 'webrtc';
  if (wantsDtls && encryption !== 'none') return 'dtls';
  if (encryption === 'require') return mayCarryKeys ? 'sdes' : 'dtls';
  return encryption === 'allow' && mayCarryKeys ? 'osrtp' : 'rtp';
}

/** A call does not wait longer to learn what a name stands for; the SIP server asks again, and waits as it likes. */
const RESOLVE_MS_MAX = 2_000;

/**
 * Where a call of ours will be answered from, as far as it is known before: a name that has addresses of IPv6 alone is at one of those. Any
 * other name, and one that nobody can resolve in time, is taken for one of IPv4: empty. Never rejects.
 */
export async function outerAddressOf(
  host: string,
  addressesOf: (host: string) => Promise<readonly string[]>,
  clock: Clock,
): Promise<string> {
  const known = new AbortController();
  const late = delay(clock, RESOLVE_MS_MAX, known.signal).then((): readonly string[] => []);
  const addresses = await Promise.race([addressesOf(host).catch(() => []), late]);
  known.abort();
  return addresses.every((address) => isIPv6(address)) ? (addresses[0] ?? '') : '';
}

/** The way of the descriptions of one leg through the media edge. Nothing here rejects or throws. */
export class EdgePassage {
  constructor(
    private readonly call: EdgeCall,
    private readonly policy: OfferPolicy,
    /** Where the other side's SIP comes from; a caller's is known at once, a callee's with its first response. */
    public outerAddress: string,
    public profile?: OuterProfile,
  ) {}

  /** Why an offer from outside comes to nothing, without asking the edge. */
  judge(body: string): OfferRefusal | undefined {
    const judged = judgeOuter(body, this.outerAddress, this.policy);
    return isRefusal(judged) ? judged : undefined;
  }

  async inward(kind: 'offer' | 'answer', body: string): Promise<Inward | OfferRefusal> {
    const judged = judgeOuter(body, this.outerAddress, this.policy);
    if (isRefusal(judged)) return judged;
    const { sdp } = judged;
    const passed = await this.call[kind]({ from: 'outer', sdp, outerAddress: this.outerAddress });
    return isEdgeFailure(passed) ? refusalOfEdge(passed) : { sdp: passed, address: edgeAddress(passed) };
  }

  async outward(kind: 'offer' | 'answer', sdp: string): Promise<string | OfferRefusal> {
    const { outerAddress, profile } = this;
    const passed = await this.call[kind]({ from: 'inner', sdp, outerAddress, ...(profile && { profile }) });
    return isEdgeFailure(passed) ? refusalOfEdge(passed) : passed;
  }

  /** What a call of ours offers may be done without. */
  get isChoice(): boolean {
    return this.policy.encryption === 'allow' && (this.profile === 'osrtp' || this.profile === 'dtls');
  }
  rollback(): void {
    this.call.rollback();
  }
  /** The name of an instance that took the call and fell silent. */
  get lost(): string | undefined {
    return this.call.lost;
  }
  close(): Promise<OuterMedia | undefined> {
    return this.call.close();
  }
}

const refusalOfEdge = ({ failed, text }: EdgeFailure): OfferRefusal =>
  refusal(failed === 'away' ? 'away' : 'unacceptable', 399, text);

/** On hold by the unspecified address the one before stays. */
function edgeAddress(sdp: string): string | undefined {
  const description = parseSdp(sdp);
  if (!isDescription(description)) return undefined;
  const address = description.media.find(({ kind, port }) => kind === 'audio' && port !== 0)?.connection?.address;
  return address !== undefined && isUnspecified(address) ? undefined : address;
}
