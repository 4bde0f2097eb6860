import { cseqOf } from '../message/header-values.ts';
import { serializeSipMessage } from '../message/serialize-message.ts';
import type { SipHeader, SipRequest } from '../message/sip-message.ts';
import type { Flow } from '../transport/flow.ts';
import type { Dialog } from './dialog.ts';
import { withVia } from './outbound-attempts.ts';
import type { UaContext } from './ua-context.ts';

const CREDENTIALS: ReadonlySet<string> = new Set(['Authorization', 'Proxy-Authorization']);

/**
 * The ACKs of the 2xx of one INVITE, one per fork, kept to answer copies of the 2xx with (RFC 3261 §13.2.2.4). They live
 * as long as the INVITE transaction hands copies up: 64*T1 (RFC 6026 timer M).
 */
export class SuccessAcks {
  readonly #stored = new Map<string, { readonly bytes: Buffer; readonly flow: Flow }>();
  readonly #begun = new Set<string>();

  constructor(private readonly context: UaContext) {}

  has(remoteTag: string): boolean {
    return this.#begun.has(remoteTag);
  }

  /** Sends the stored ACK again. @returns false when there is none for this fork. */
  repeat(remoteTag: string): boolean {
    const stored = this.#stored.get(remoteTag);
    if (stored && !stored.flow.closed) stored.flow.send(stored.bytes);
    return this.#begun.has(remoteTag);
  }

  /**
   * Sends the ACK of a fork: number and credentials of the INVITE, a branch of its own, through the dialog's route set.
   *
   * @param onSent - after it left; not called when the peer cannot be reached.
   */
  send(
    dialog: Dialog,
    invite: SipRequest,
    headers: readonly SipHeader[],
    body: Buffer,
    onSent: (ack: SipRequest, flow: Flow) => void,
  ): void {
    this.#begun.add(dialog.remoteTag);
    const credentials = invite.headers.filter(({ name }) => CREDENTIALS.has(name));
    const own = headers.filter(({ name }) => !CREDENTIALS.has(name));
    const bare = dialog.request('ACK', cseqOf(invite)?.number ?? 1, [...credentials, ...own], body);
    this.context.hops.forDialog(dialog, (flow) => {
      if (!flow) return;
      const ack = withVia(this.context, bare, flow);
      const bytes = serializeSipMessage(ack);
      this.#stored.set(dialog.remoteTag, { bytes, flow });
      flow.send(bytes);
      onSent(ack, flow);
    });
  }
}
