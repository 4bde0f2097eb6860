import type { TextRunDeps } from '../agent-tests/text-run.ts';
import { loadLexicon } from '../config/lexicon.ts';
import { systemClock } from '../core/clock.ts';
import { useOwnWords } from '../language/own-words.ts';
import type { Settings } from './settings.ts';

/** What runs of text need of the configuration; its words are used from here on. @throws OperatorError for a lexicon with faults. */
export function textRunDeps({ config, logger }: Settings): TextRunDeps {
  const { noInputMs, maxNoInputs, backchannels } = config.conversation;
  const settings = { noInputMs, maxNoInputs, backchannels: [...backchannels.ar, ...backchannels.en] };
  useOwnWords(loadLexicon(config.paths.lexiconDir));
  return { clock: systemClock, logger, choice: config.engines, settings };
}
