import { isLoopback } from '../core/address-filter.ts';
import type { Strangers } from './call-admission.ts';

/** What settings say of callers. */
export interface CallerSettings {
  readonly host: string; // that SIP is listened on
  readonly anonymous: boolean | 'auto';
  readonly allowedSources: readonly string[];
}

/** Who gets in that is neither a trunk nor a phone. */
export function strangersOf({ host, anonymous }: CallerSettings): Strangers {
  const onLoopback = isLoopback(host);
  if (anonymous === true) return onLoopback ? 'loopback' : 'anonymous';
  return anonymous === 'auto' && onLoopback ? 'loopback' : 'refused';
}

/** The same for people. */
export function callersText(settings: CallerSettings): string {
  const { allowedSources } = settings;
  if (allowedSources.length > 0)
    return `whoever calls from ${allowedSources.join(', ')} (sip.allowedSources), and nobody else`;
  switch (strangersOf(settings)) {
    case 'refused':
      return 'trunks and registered phones; everybody else gets 403';
    case 'loopback':
      return 'every program of this machine';
    case 'anonymous':
      return 'EVERYBODY who reaches this address (sip.anonymous: true)';
  }
}
