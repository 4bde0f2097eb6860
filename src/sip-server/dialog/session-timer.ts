import { hasToken, parseMinSe, parseSessionExpires } from '../message/header-values.ts';
import { header, type SipHeader, type SipMessage, type SipRequest } from '../message/sip-message.ts';
import type { SessionTimerSettings } from './ua-context.ts';

/** The smallest Session-Expires anybody may ask for (RFC 4028 §4). */
export const MIN_SESSION_SECONDS = 90;

/** What both sides agreed on. */
export interface SessionTimer {
  readonly seconds: number;
  readonly weRefresh: boolean;
}

/** Too small an interval in a request, answered 422 with our Min-SE; undefined when acceptable (§6). */
export function tooSmall(request: SipRequest, settings: SessionTimerSettings): readonly SipHeader[] | undefined {
  const asked = sessionExpires(request);
  const least = Math.max(MIN_SESSION_SECONDS, settings.minSeconds);
  // Without `Supported: timer` the header came from a proxy, and a 422 would reach a client that cannot react.
  if (!asked || asked.seconds >= least || !hasToken(request, 'Supported', 'timer')) return undefined;
  return [{ name: 'Min-SE', value: String(least) }];
}

/**
 * The UAS side (§9): what a 2xx to `request` says and what then holds.
 *
 * @param own - headers the application set on its 2xx; its Session-Expires wins over ours.
 */
export function answerSessionTimer(
  request: SipRequest,
  own: readonly SipHeader[],
  settings: SessionTimerSettings,
): { readonly timer: SessionTimer | undefined; readonly headers: readonly SipHeader[] } {
  const asked = sessionExpires(request);
  const peerKnows = hasToken(request, 'Supported', 'timer');
  const ownText = own.find((h) => h.name === 'Session-Expires')?.value;
  const chosen = ownText === undefined ? undefined : parseSessionExpires(ownText);
  if (chosen) {
    const timer = { seconds: chosen.seconds, weRefresh: chosen.refresher !== 'uac' };
    return { timer, headers: [] };
  }
  if (settings.sessionSeconds === 0 && !asked) return { timer: undefined, headers: [] };
  // A peer that does not know session timers never asks to be watched; a proxy that does is served by us alone.
  if (!asked && !peerKnows) return { timer: undefined, headers: [] };
  const least = Math.max(MIN_SESSION_SECONDS, settings.minSeconds, minSe(request));
  const wanted = asked?.seconds ?? settings.sessionSeconds;
  const limited = settings.sessionSeconds > 0 ? Math.min(wanted, settings.sessionSeconds) : wanted;
  const seconds = Math.max(least, limited);
  const refresher = !peerKnows ? 'uas' : (asked?.refresher ?? 'uac');
  const headers: SipHeader[] = [{ name: 'Session-Expires', value: `${seconds};refresher=${refresher}` }];
  if (refresher === 'uac') headers.push({ name: 'Require', value: 'timer' });
  return { timer: { seconds, weRefresh: refresher === 'uas' }, headers };
}

/** The UAC side (§7.2): what a 2xx to our request agreed on. Nothing said means no session timer. */
export function acceptedSessionTimer(response: SipMessage): SessionTimer | undefined {
  const value = sessionExpires(response);
  if (!value) return undefined;
  return { seconds: Math.max(MIN_SESSION_SECONDS, value.seconds), weRefresh: value.refresher !== 'uas' };
}

/** Headers of an INVITE or UPDATE of ours that asks for session timers, less what the application already set. */
export function offerSessionTimer(
  own: readonly SipHeader[],
  settings: SessionTimerSettings,
  seconds = settings.sessionSeconds,
  refresher?: 'uac' | 'uas',
): readonly SipHeader[] {
  if (settings.sessionSeconds === 0 || own.some((h) => h.name === 'Session-Expires')) return [];
  const headers: SipHeader[] = [];
  const supports = own.some((h) => h.name === 'Supported' && /(^|[\s,])timer([\s,]|$)/i.test(h.value));
  if (!supports) headers.push({ name: 'Supported', value: 'timer' });
  const role = refresher ? `;refresher=${refresher}` : '';
  headers.push({ name: 'Session-Expires', value: `${seconds}${role}` });
  if (settings.minSeconds > MIN_SESSION_SECONDS) headers.push({ name: 'Min-SE', value: String(settings.minSeconds) });
  return headers;
}

/** The refresher sends at half the interval (§10). */
export function refreshDelayMs(timer: SessionTimer): number {
  return timer.seconds * 500;
}

/**
 * When a session ends that nobody refreshed (§10): who waits for the other's refresh gives up min(32 s, a third of the
 * interval) before the end; who refreshes has until the end for it.
 */
export function expiryDelayMs(timer: SessionTimer): number {
  const wholeMs = timer.seconds * 1_000;
  return timer.weRefresh ? wholeMs : wholeMs - Math.min(32_000, wholeMs / 3);
}

/** Refreshes sent for one interval; whoever refuses that many does not mean to go on. */
export const REFRESH_TRIES_MAX = 8;

/** What becomes of a refused refresh: again at once (`raise`, `by-invite`), after a while, or not. */
export type RefreshStep = 'raise' | 'by-invite' | 'soon' | 'later' | 'lost' | 'stop';

export interface RefusedRefresh {
  readonly status: number; // 300 and above; 408 after silence, 503 where it could not be sent
  readonly byUpdate: boolean;
  /** A Min-SE above what was asked, for the first time in this round: only then is there something to ask better. */
  readonly raises: boolean;
}

/** RFC 4028 §7.3 and §10, RFC 3261 §12.2.1.2, §14.1. */
export function refreshStep({ status, byUpdate, raises }: RefusedRefresh): RefreshStep {
  if (status === 422 && raises) return 'raise';
  if ((status === 405 || status === 501) && byUpdate) return 'by-invite';
  if (status === 491) return 'soon';
  if (status === 408 || status === 481) return 'lost';
  if (status === 401 || status === 407) return 'stop'; // The same request would be challenged again.
  return 'later';
}

/** Min-SE of a 422 or of a request, 0 when absent or unreadable. */
export function minSe(message: SipMessage): number {
  const value = header(message, 'Min-SE');
  return value === undefined ? 0 : (parseMinSe(value) ?? 0);
}

function sessionExpires(message: SipMessage): ReturnType<typeof parseSessionExpires> {
  const value = header(message, 'Session-Expires');
  return value === undefined ? undefined : parseSessionExpires(value);
}
