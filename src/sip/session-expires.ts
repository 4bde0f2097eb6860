import type { SrfMessage } from './drachtio.ts';
import { type Reply, SUPPORTED } from './request-replies.ts';

/**
 * Session timers (RFC 4028) with a server that leaves their terms to the application: what is asked, refused and agreed.
 * Refreshing and watching what was agreed is the server's part, but where the peer may want credentials (`session-refresh.ts`).
 */
export interface SessionTimerPolicy {
  readonly sessionSeconds: number; // what we ask for, and at most agree to
  readonly minSeconds: number; // what we refuse to go below, 90 at least (§4)
}

export interface TimerTerms {
  readonly seconds: number;
  readonly refresher: 'uac' | 'uas' | undefined;
}

/** What a message says of session timers, undefined when nothing or nothing readable. */
export function timerIn(message: SrfMessage): TimerTerms | undefined {
  const match = /^\s*([0-9]{1,9})\s*(?:;(.{0,256}))?$/.exec(message.get('Session-Expires') ?? '');
  if (!match) return undefined;
  const refresher = /(?:^|;)\s*refresher\s*=\s*(ua[cs])\s*(?:;|$)/i.exec(match[2] ?? '')?.[1]?.toLowerCase();
  return { seconds: Number(match[1]), refresher: refresher as TimerTerms['refresher'] };
}

/** `Min-SE` of a 422 or of a request, 0 when it is absent or unreadable. */
export function leastSeconds(message: SrfMessage): number {
  const digits = /^\s*([0-9]{1,9})\b/.exec(message.get('Min-SE') ?? '')?.[1];
  return digits === undefined ? 0 : Number(digits);
}
const knowsTimers = (message: SrfMessage): boolean =>
  /(^|[\s,])timer([\s,]|$)/i.test((message.get('Supported') ?? '').slice(0, 512));

/** The refusal of an INVITE or UPDATE that asks for too short a session, or undefined (§6). */
export function refusalOfTimer(request: SrfMessage, policy: SessionTimerPolicy | undefined): Reply | undefined {
  const asked = policy && timerIn(request);
  // Without `Supported: timer` a proxy asked, and a 422 would reach a client that cannot react.
  if (!asked || asked.seconds >= policy.minSeconds || !knowsTimers(request)) return undefined;
  return { status: 422, headers: { 'Min-SE': String(policy.minSeconds) } };
}

/** What our 2xx to `request` says (§9). The refresher is always named: servers disagree on what an unnamed one means. */
export function agreedTimer(request: SrfMessage, policy: SessionTimerPolicy | undefined): Record<string, string> {
  const asked = timerIn(request);
  const peerKnows = knowsTimers(request);
  if (!policy || (!asked && (!peerKnows || request.get('Session-Expires') !== undefined))) return {};
  const least = Math.max(policy.minSeconds, leastSeconds(request));
  const seconds = Math.max(least, Math.min(asked?.seconds ?? policy.sessionSeconds, policy.sessionSeconds));
  const refresher = peerKnows ? (asked?.refresher ?? 'uac') : 'uas';
  return {
    'Session-Expires': `${seconds};refresher=${refresher}`,
    ...(refresher === 'uac' && { Require: 'timer' }),
  };
}

/**
 * What our INVITE asks for (§7.1).
 * @param refused - the 422 to an earlier one, whose Min-SE is then asked for.
 */
export function wishedTimer(policy: SessionTimerPolicy | undefined, refused?: SrfMessage): Record<string, string> {
  if (!policy) return {};
  const least = Math.max(policy.minSeconds, refused ? leastSeconds(refused) : 0);
  const seconds = Math.max(policy.sessionSeconds, least);
  return { Supported: SUPPORTED, 'Session-Expires': String(seconds), 'Min-SE': String(least) };
}
