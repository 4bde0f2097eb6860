import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/load.ts';
import { errorText } from '../../core/errors.ts';
import { openSecretBox, SECRET_KEY_FILE } from '../../store/secrets.ts';
import { callersText, strangersOf } from '../../trunks/strangers.ts';
import { type Finding, fail, info, ok, warn } from './finding.ts';

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

/** What passwords in the database are sealed with. */
export function checkSecretKey({ dataDir: dataFolder, secretKey }: Config): Finding[] {
  const check = 'secret key';
  const file = join(dataFolder, SECRET_KEY_FILE);
  if (!secretKey && !existsSync(file)) return [info(check, `${file} will be made at the first start`)];
  try {
    openSecretBox({ secretKey, dataFolder, make: false });
    return [ok(check, secretKey ? 'NIDAA_SECRET_KEY' : file)];
  } catch (error) {
    return [fail(check, errorText(error), 'The gateway does not start without its key.')];
  }
}
