import type { TextRunDeps } from '../agent-tests/text-run.ts';
import { systemClock } from '../core/clock.ts';
import type { Settings } from './settings.ts';

/** What runs of text need of the configuration. */
export function textRunDeps({ config, logger }: Settings): TextRunDeps {
  const { noInputMs, maxNoInputs, backchannels } = config.conversation;
  const settings = { noInputMs, maxNoInputs, backchannels: [...backchannels.ar, ...backchannels.en] };
  return { clock: systemClock, logger, choice: config.engines, settings };
}
