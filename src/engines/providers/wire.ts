import { channel } from 'node:diagnostics_channel';

/** One thing that went to a service or came from it. */
export interface WireMessage {
  /** Which connection or request of this process. */
  readonly line: number;
  readonly direction: 'sent' | 'received';
  readonly kind: 'open' | 'request' | 'response' | 'message' | 'close';
  /** Address, status or code, without headers: a key is in them. */
  readonly about?: string;
  readonly data?: string | Uint8Array;
}

const WIRE = channel('nidaa.service-wire');
let lines = 0;

/** A number for a new connection or request. */
export function newLine(): number {
  lines += 1;
  return lines;
}

export const isWatched = (): boolean => WIRE.hasSubscribers;

/** Nothing is made where nobody listens. */
export function tellWire(make: () => WireMessage): void {
  if (WIRE.hasSubscribers) WIRE.publish(make());
}

/** @returns ends it. */
export function onWire(listener: (message: WireMessage) => void): () => void {
  const receive = (message: unknown): void => listener(message as WireMessage);
  WIRE.subscribe(receive);
  return () => void WIRE.unsubscribe(receive);
}
