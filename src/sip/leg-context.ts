import type { Leg, LegInfo } from '../call/leg.ts';
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';
import type { MediaEdge } from '../media/edge/media-edge.ts';
import type { DigestClient } from './digest.ts';
import type { SrfClient, SrfDialog, SrfMessage, SrfRequest, SrfResponse } from './drachtio.ts';
import type { EdgePassage } from './edge-passage.ts';
import type { MediaExchange } from './media-exchange.ts';
import type { OfferAnswer } from './offer-answer.ts';
import type { SessionTimerPolicy } from './session-expires.ts';

/** What every leg of one server shares. */
export interface LegContext {
  readonly srf: SrfClient;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Terms of session timers where the server leaves them to us. */
  readonly sessionTimers: SessionTimerPolicy | undefined;
  readonly server: ServerTies;
  /** What media goes through on its way outside. */
  readonly edge?: MediaEdge;
  /** Of a host by name, which the media edge has to be told of before anybody has answered. */
  readonly addressesOf?: (host: string) => Promise<readonly string[]>;
  /** An INVITE of a call that goes by `callId` left. */
  onDialled?(callId: string, sipCallId: string): void;
  /** INVITE received to 200 sent, in milliseconds. */
  onAnswered(ms: number): void;
  /** The leg holds nothing any more. Idempotent. */
  onClosed(leg: Leg): void;
}

/** What a leg asks of the connection to the SIP server when that was lost. */
export interface ServerTies {
  /** False while the server is away. */
  isConnected(): boolean;
  /** Tells the server something as soon as it is back; never, where it forgets its dialogs with the connection. */
  whenBack(tell: () => void): void;
  /** What came by an earlier connection goes on over this one. */
  adopt(what: SrfDialog | SrfResponse): void;
  /** BYE in a dialog that only the server still knows. */
  bye(dialogId: string, headers: Record<string, string>): void;
}

/** Where a leg comes from. */
export type LegOrigin =
  /** A caller's INVITE; `reliable`: it takes only reliable provisional responses (RFC 3262), so it gets none. */
  | { readonly side: 'uas'; readonly req: SrfRequest; readonly res: SrfResponse; readonly reliable: boolean }
  /** A call we made, answered and acknowledged. */
  | {
      readonly side: 'uac';
      readonly dialog: SrfDialog;
      readonly exchange: MediaExchange;
      readonly digest?: DigestClient;
    };

/** Where the far end has told what it can do. */
export function peerOf(origin: LegOrigin, dialog: SrfDialog | undefined): SrfMessage | undefined {
  return origin.side === 'uas' ? origin.req : dialog?.res;
}

export interface LegOptions {
  readonly info: LegInfo;
  /** The session; a caller's offer has been taken by it already, unless there was none or it has to pass the media edge. */
  readonly session: OfferAnswer;
  /** Domain for transfer targets that are bare numbers. */
  readonly transferDomain: string;
  readonly origin: LegOrigin;
  /** Where there is a media edge: the way through it, and the caller's offer, which has to go that way first. */
  readonly passage?: EdgePassage;
  readonly offer?: string;
}
