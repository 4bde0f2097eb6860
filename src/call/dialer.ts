import type { DtmfWay, MediaEncryption } from '../core/trunk.ts';
import type { NegotiatedMedia } from '../media/description.ts';
import type { MediaSession } from '../media/media-session.ts';
import type { CallEnd } from './call-end.ts';
import type { ClosePath, CloseStep } from './close-path.ts';
import { type Leg, LegError } from './leg.ts';

/** Who we are to whoever challenges a call of ours (RFC 7616). */
export interface DialCredentials {
  readonly username: string;
  readonly password: string;
  /** Answer challenges of this realm only, so that a stranger cannot collect hashes; undefined answers any. */
  readonly realm?: string;
}

/** A call to be made. */
export interface DialOptions {
  /** Request-URI: `sip:bob@example.com;transport=tcp`. */
  readonly uri: string;
  /** Makes our offer and takes the answer. */
  readonly media: MediaSession;
  /** User part of From and Contact. */
  readonly from: string;
  /** Host part of From; ours where it is left out. */
  readonly fromDomain?: string;
  /** Our id of the call that it is part of: whose SIP messages these are. */
  readonly callId?: string;
  /** Call-ID of the INVITE, where it has to be known before; unique in the world. */
  readonly sipCallId?: string;
  readonly displayName?: string;
  /** Send to this URI instead; the Request-URI stays (an outbound proxy or trunk address). */
  readonly nextHop?: string;
  /** Proxies that the call is to pass, topmost first: `<sip:edge.example.net;lr>`. Not by a real drachtio-server. */
  readonly route?: readonly string[];
  readonly credentials?: DialCredentials;
  /** Further headers: `X-*`, `User-to-User`, `P-Asserted-Identity`. Those that the dialog needs cannot be set. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What our offer says of encryption; media in the clear where it is left out. */
  readonly encryption?: MediaEncryption;
  /** Keys may go through signalling that is not encrypted; not where it is left out. */
  readonly keysInClear?: boolean;
  /** Encrypted media has its keys by DTLS, where there is a media edge. */
  readonly dtls?: boolean;
  /** How keys reach the other side; as RFC 4733 events where it is left out. */
  readonly dtmf?: DtmfWay;
  /** Aborting cancels a call that is not answered yet. */
  readonly signal?: AbortSignal;
  /** CANCEL when nobody answers. */
  readonly ringTimeoutMs?: number;
  /** Every provisional response: 100 where the SIP server passes it on, 180, 183 ... */
  readonly onProgress?: (status: number, reason: string) => void;
  /** What is heard before the answer, as a provisional response describes it (RFC 3960): once at most. */
  readonly onEarlyMedia?: (media: NegotiatedMedia) => void;
}

/** Makes calls. Implemented by `sip/server.ts`. */
export interface Dialer {
  /** @returns the answered leg, its media agreed. Rejects with `DialError` and with nothing else. */
  dial(options: DialOptions): Promise<Leg>;
  /** Our address as that target reaches it; undefined where its host is a name. */
  localAddressTo(uri: string): string | undefined;
}

/**
 * Dials, with the end of it on the close path from the first moment: CANCEL while it rings, BYE once it is answered, and BYE
 * too for an answer that comes after all.
 */
export function dialOn(
  { path, step }: { readonly path: ClosePath; readonly step: CloseStep },
  dialer: Dialer,
  options: Omit<DialOptions, 'signal'>,
): Promise<Leg> {
  return holdDial({ path, step }, (signal) => dialer.dial({ ...options, signal }));
}

/** The same for whatever way of dialling, such as along a route. `dial` gives up when its signal aborts. */
export function holdDial(
  { path, step }: { readonly path: ClosePath; readonly step: CloseStep },
  dial: (signal: AbortSignal) => Promise<Leg>,
): Promise<Leg> {
  const cancel = new AbortController();
  const dialled = dial(cancel.signal);
  path.holds(step, async (end) => {
    cancel.abort();
    const leg = await dialled.catch(() => undefined); // Why it was not answered is told to who dialled.
    await leg?.hangup(end);
  });
  return dialled;
}

/** What a refusal says of itself: phrase of the status line, `Reason` (RFC 3326) and `Warning` (RFC 3261 §20.43), printable. */
export interface RefusalText {
  readonly phrase: string;
  readonly reason?: string;
  readonly warning?: string;
}

/** Why a call was not answered. `status` is the SIP status, 0 where there is none; redirections are not followed. */
export class DialError extends LegError {
  constructor(
    end: CallEnd,
    readonly status: number,
    /** `Contact` of a 3xx, unverified: following it is a decision about money. */
    readonly redirect: string | undefined = undefined,
    readonly text: RefusalText | undefined = undefined,
  ) {
    super(end);
    this.name = 'DialError';
  }
}
