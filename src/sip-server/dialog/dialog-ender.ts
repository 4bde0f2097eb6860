import { formatReason } from '../message/header-values.ts';
import type { SipHeader } from '../message/sip-message.ts';
import type { Dialog } from './dialog.ts';
import { withVia } from './outbound-attempts.ts';
import { frameText, sentOn, type UaContext } from './ua-context.ts';

const NO_BODY = Buffer.alloc(0);
/** srf knows a BYE of the server's own making by this transaction id. */
const UNSOLICITED = 'unsolicited';

/** Ends dialogs from our side (RFC 3261 §15). */
export class DialogEnder {
  constructor(private readonly context: UaContext) {}

  /**
   * BYE with a Reason, at once or, while our 2xx waits for its ACK, after that. The application is told when the BYE is
   * decided, not when it leaves: it must not go on talking to a call that is over.
   */
  release(dialog: Dialog, text: string, tellApp: boolean): void {
    if (dialog.state !== 'confirmed') return;
    const headers = [{ name: 'Reason', value: formatReason({ protocol: 'SIP', cause: 200, text }) }];
    this.#sendBye(dialog, headers, tellApp);
  }

  #sendBye(dialog: Dialog, headers: readonly SipHeader[], tellApp: boolean): void {
    const cseq = dialog.nextCSeq();
    dialog.clientInvite?.cancelForBye();
    dialog.apply('localBye');
    if (tellApp) this.tell(dialog, headers, cseq);
    this.afterAck(dialog, () => {
      const bye = dialog.request('BYE', cseq, headers, NO_BODY);
      this.context.hops.forDialog(dialog, (flow) => {
        if (!flow) return this.gone(dialog);
        const done = (): void => this.gone(dialog);
        const sent = this.context.layer.request(withVia(this.context, bye, flow), flow, {
          onResponse: (response) => {
            if (response.status >= 200) done();
          },
          onTimeout: done,
          onTransportError: done,
        });
        if (!sent) done();
      });
    });
  }

  /** A UAS may not send BYE between its 2xx and the ACK (§15): runs `send` now or when the ACK came or was given up. */
  afterAck(dialog: Dialog, send: () => void): void {
    const waits = dialog.role === 'uas' && dialog.serverInvite?.isNew && dialog.serverInvite.answered;
    if (waits) dialog.heldBye = send;
    else send();
  }

  gone(dialog: Dialog): void {
    if (!dialog.apply('byeAnswered')) dialog.apply('lost');
  }

  /** Tells the application of the end of a dialog, in the form of a BYE that the server makes. */
  tell(dialog: Dialog, headers: readonly SipHeader[], cseq = dialog.nextCSeq()): void {
    const { flow } = dialog;
    const text = frameText(withVia(this.context, dialog.request('BYE', cseq, headers, NO_BODY), flow));
    dialog.app.sendUp({
      ...sentOn(flow, Buffer.byteLength(text)),
      text,
      transactionId: UNSOLICITED,
      dialogId: dialog.id,
    });
  }
}
