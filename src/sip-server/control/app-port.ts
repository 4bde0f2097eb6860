import type { TransportName } from '../transport/flow.ts';

/** What a frame says about where its SIP message came from or went. */
export interface MessageOrigin {
  readonly source: 'network' | 'application';
  readonly bytes: number; // 0 for a message that never was on a wire
  readonly transport: TransportName | '';
  readonly address: string;
  readonly port: number;
}

/** A SIP message on its way up to the application. */
export interface UpFrame extends MessageOrigin {
  readonly text: string;
  readonly transactionId: string;
  readonly dialogId: string; // empty outside a dialog
  /** Our side of the flow: only on a new request, where srf turns it into `req.receivedOn`. */
  readonly local?: { readonly address: string; readonly port: number };
}

/** The answer to an application's `sip` frame. */
export type SentReply =
  | (MessageOrigin & {
      readonly ok: true;
      readonly kind: 'request' | 'response';
      readonly text: string; // the message as it went out
      readonly transactionId: string;
      readonly dialogId: string;
    })
  | { readonly ok: false; readonly reason: string };

/** The NOK of a command that failed inside. */
export const INTERNAL_FAULT = 'Server error: internal fault';

/** One connected, authenticated application, as the user agent sees it. */
export interface AppPort {
  readonly open: boolean;
  /** @returns false when the frame could not be sent (closed, or over the frame limit). */
  sendUp(frame: UpFrame): boolean;
  reply(commandId: string, reply: SentReply): void;
}
