import { errorText } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { sentence } from '../core/notice.ts';
import type { MediaPort } from '../media/media-port.ts';
import type { MediaSession } from '../media/media-session.ts';
import { type CallEnd, callEnd } from './call-end.ts';
import { type Leg, LegError, type LegHandlers } from './leg.ts';

/** What comes of a leg that is being replaced waits: its end is told again to whoever listens next. */
const NOBODY: LegHandlers = { onMedia: () => undefined, onDtmf: () => undefined, onEnd: () => undefined };
const REPLACED = callEnd('gateway', 'transferred', sentence('end.replaced'));
/** Of two that take the place of one leg at once, the first that is up has it. */
export const TAKEN = callEnd('gateway', 'cancelled', sentence('end.another-faster'));

export interface Takeover {
  readonly replaced: Leg;
  readonly next: Leg; // not yet answered
  /** Why the new one is not needed any more. */
  readonly over: () => CallEnd | undefined;
  readonly port: MediaPort;
  readonly sessionOf: (port: MediaPort) => MediaSession;
  readonly logger: Logger;
  /** The leg counts from now on, the new one or again the old one. */
  readonly attach: (leg: Leg) => void;
}

/**
 * Answers a leg on the port of another and puts it into that one's place, which gets a BYE once the new one is up (RFC 3891 §3).
 * @returns false where it could not be answered: everything is as before. Never rejects.
 */
export async function takeOverLeg(order: Takeover): Promise<boolean> {
  const { replaced, next, over, port, sessionOf, attach, logger } = order;
  replaced.setHandlers(NOBODY);
  try {
    await next.answer(sessionOf(port));
  } catch (error) {
    if (!(error instanceof LegError)) logger.error({ error: errorText(error) }, 'a leg could not be replaced');
    void next.hangup(error instanceof LegError ? error.end : callEnd('gateway', 'internal'));
    if (!over()) attach(replaced);
    return false;
  }
  const end = over();
  logger.info({ ended: end !== undefined }, 'a leg was replaced');
  if (end) void next.hangup(end);
  else attach(next);
  void replaced.hangup(REPLACED);
  return true;
}
