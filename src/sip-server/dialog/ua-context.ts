import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import type { AppPort, MessageOrigin } from '../control/app-port.ts';
import type { FaultBarrier } from '../fault-barrier.ts';
import { serializeSipMessage } from '../message/serialize-message.ts';
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../message/sip-message.ts';
import type { TimerBase } from '../transaction/timers.ts';
import type { TransactionLayer } from '../transaction/transaction-layer.ts';
import type { Flow } from '../transport/flow.ts';
import type { CallerWindows } from './caller-windows.ts';
import type { Dialog } from './dialog.ts';
import type { DialogStore } from './dialog-store.ts';
import type { HopFinder } from './hop-finder.ts';
import type { LocalAddresses } from './local-addresses.ts';

/** Something an application names by a transaction id: a request it received, or one it sent. */
export interface AppTransaction {
  readonly id: string; // UUID
  readonly app: AppPort;
  /** An INVITE that has no dialog yet, and so is a call that nobody else counts. */
  readonly isBeginning?: boolean;
  /** The application answers it. */
  respond?(commandId: string, message: SipResponse): void;
  /** The application cancels it. */
  cancel?(commandId: string, message: SipRequest): void;
  /** The application is gone. */
  appLost(): void;
}

export interface SessionTimerSettings {
  /** Session-Expires we ask for or accept at most, in seconds; 0 turns session timers off. */
  readonly sessionSeconds: number;
  readonly minSeconds: number; // 90 or more (RFC 4028 §4)
}

export interface UaSettings {
  /** For `Server` and `User-Agent`; empty sends neither. */
  readonly serverName: string;
  readonly sessionTimers: SessionTimerSettings;
}

/** What the parts of the user agent share. */
export interface UaContext {
  readonly barrier: FaultBarrier;
  readonly clock: Clock; // the barrier's
  readonly logger: Logger;
  readonly settings: UaSettings;
  readonly timerBase: TimerBase;
  readonly layer: TransactionLayer;
  readonly dialogs: DialogStore;
  readonly local: LocalAddresses;
  readonly hops: HopFinder;
  readonly callers: CallerWindows;
  readonly transactions: Map<string, AppTransaction>;
  /** Ends a dialog from our side: BYE with this Reason, and the application is told by an unsolicited BYE. */
  release(dialog: Dialog, reason: string, tellApp?: boolean): void;
}

/** What a frame says of a message that came in on `flow`. */
export function fromNetwork(flow: Flow, bytes: number): MessageOrigin {
  const { transport, remoteAddress: address, remotePort: port } = flow;
  return { source: 'network', bytes, transport, address, port };
}

/** What a frame says of a message we sent on `flow`. */
export function sentOn(flow: Flow, bytes: number): MessageOrigin {
  return { ...fromNetwork(flow, bytes), source: 'application' };
}

/** A message nobody sent: the made-up answer where none came. */
export const MADE_UP: MessageOrigin = { source: 'network', bytes: 0, transport: '', address: '', port: 0 };

/** The text of a message for a frame: canonical names, CRLF, true Content-Length. */
export function frameText(message: SipMessage): string {
  return serializeSipMessage(message).toString('utf8');
}

/** Tells the application that its message left, with the whole of it: srf builds its Request or Response from that. */
export function confirmSent(
  app: AppPort,
  commandId: string,
  message: SipMessage,
  flow: Flow,
  transactionId: string,
  dialogId = '',
): void {
  const text = frameText(message);
  const origin = sentOn(flow, Buffer.byteLength(text));
  app.reply(commandId, { ...origin, ok: true, kind: message.kind, text, transactionId, dialogId });
}

/**
 * srf joins repeated headers with commas and then cannot tell two challenges apart, so only the first of each kind goes
 * up (RFC 8760 §2.4: the topmost is the one the server likes best).
 */
export function withOneChallenge(response: SipResponse): SipResponse {
  const seen = new Set<string>();
  const headers = response.headers.filter(({ name }) => {
    if (name !== 'WWW-Authenticate' && name !== 'Proxy-Authenticate') return true;
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
  return headers.length === response.headers.length ? response : { ...response, headers };
}

/** `User-Agent` or `Server`, unless the message has one or the operator wants none. */
export function identityHeader(
  context: { readonly settings: UaSettings },
  name: 'User-Agent' | 'Server',
  headers: readonly SipHeader[],
): readonly SipHeader[] {
  const { serverName } = context.settings;
  if (serverName === '' || headers.some((h) => h.name === name)) return [];
  return [{ name, value: serverName }];
}
