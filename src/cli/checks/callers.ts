import type { Config } from '../../config/load.ts';
import { callersText, strangersOf } from '../../trunks/strangers.ts';
import { type Finding, info, ok, warn } from './finding.ts';

/** Who may call in, as the settings decide it. */
export function checkCallers({ sip }: Config): Finding[] {
  const text = callersText(sip);
  if (sip.allowedSources.length > 0) return [ok('callers', text)];
  switch (strangersOf(sip)) {
    case 'loopback':
      return [ok('callers', text)];
    case 'refused':
      return [info('callers', text, '`nidaa trunk add` names a carrier or exchange, `nidaa phone create` a phone.')];
    case 'anonymous':
      return [
        warn(
          'callers',
          text,
          'Leave sip.anonymous at auto, and name who may call: `nidaa trunk add`, `nidaa phone create`.',
        ),
      ];
  }
}
