import { type Clock, delay } from '../core/clock.ts';
import type { SrfIncomingResponse } from './drachtio.ts';

/** A dialog that outlived its connection is asked after this often. */
export const WATCH_EVERY_MS = 5_000;

export interface DialogWatch {
  readonly clock: Clock;
  /** Asks the peer, through the dialog, whether it is still there. */
  readonly ask: () => Promise<SrfIncomingResponse | undefined>;
  readonly isConnected: () => boolean;
  /** False when somebody else watches by now, or there is nothing left to watch. */
  readonly isWanted: () => boolean;
  readonly onGone: () => void;
}

/**
 * Watches a dialog whose incoming requests the SIP server no longer passes to us: a BYE of the peer is answered 481 there,
 * and is noticed here by the server's having forgotten the dialog.
 */
export async function watchDialog({ clock, ask, isConnected, isWanted, onGone }: DialogWatch): Promise<void> {
  while (isWanted() && isConnected()) {
    const res = await ask();
    const gone = res ? res.status === 481 || res.status === 408 : isConnected();
    if (gone) return onGone();
    await delay(clock, WATCH_EVERY_MS);
  }
}
