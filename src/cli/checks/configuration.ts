import { loadAgents } from '../../config/agents.ts';
import { loadLexicon } from '../../config/lexicon.ts';
import { type Config, type LoadOptions, loadConfig } from '../../config/load.ts';
import { loadPrices } from '../../config/prices.ts';
import { loadTrunks } from '../../config/trunks.ts';
import { checkDefaultVoices, loadVoices, type VoiceCatalogue } from '../../config/voices.ts';
import { errorText } from '../../core/errors.ts';
import type { OwnWords } from '../../language/own-words.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export interface ConfigurationFindings {
  readonly findings: readonly Finding[];
  /** Undefined when the main file cannot be used: nothing else can be judged then. */
  readonly config: Config | undefined;
}

/** The configuration files: each problem with its file, line and field. */
export function checkConfiguration(env: LoadOptions['env']): ConfigurationFindings {
  let config: Config;
  try {
    config = loadConfig({ env });
  } catch (error) {
    const mend = 'Mend each line named above; the shipped config/nidaa.yaml explains every key.';
    return { findings: [fail('configuration', problemsOf(error), mend)], config: undefined };
  }
  const { paths } = config;
  const findings: Finding[] = [ok('configuration', paths.configFile)];
  for (const warning of config.warnings) {
    findings.push(warn('configuration', warning, 'Change it, or leave it where it is meant.'));
  }
  const voices = attempt(findings, 'voices', paths.voicesFile, () => {
    const catalogue = loadVoices(paths.voicesFile);
    checkDefaultVoices(config, catalogue);
    return catalogue;
  });
  if (voices)
    findings.push(ok('voices', `${voices.list.length} in ${paths.voicesFile}`), ...agentFindings(config, voices));
  const words = attempt(findings, 'lexicon', paths.lexiconDir, () => loadLexicon(paths.lexiconDir));
  if (words) findings.push(ok('lexicon', `${rowsOf(words)} rows of your own in ${paths.lexiconDir}`));
  if (attempt(findings, 'prices', paths.pricesFile, () => loadPrices(paths.pricesFile))) {
    findings.push(ok('prices', paths.pricesFile));
  }
  const trunks = attempt(findings, 'trunks', paths.trunksDir, () => loadTrunks(paths.trunksDir, env));
  if (trunks && trunks.length > 0) {
    findings.push(ok('trunks', trunks.map(({ definition }) => definition.name).join(', ')));
  }
  return { findings, config };
}

function rowsOf({ pronunciations, names, neverNames, products, stopWords }: OwnWords): number {
  const { ar, en } = pronunciations;
  return ar.size + en.size + names.length + neverNames.length + products.length + stopWords.length;
}

function agentFindings({ paths }: Config, voices: VoiceCatalogue): Finding[] {
  const findings: Finding[] = [];
  const agents = attempt(findings, 'agents', paths.agentsDir, () => loadAgents(paths.agentsDir, voices));
  if (!agents) return findings;
  const names = agents.map(({ number, definition }) => `${number} ${definition.name}`).join(', ');
  return agents.length > 0
    ? [ok('agents', names)]
    : [
        warn(
          'agents',
          `no agent file in ${paths.agentsDir}`,
          'Put one there, or make agents by the API: without one no call is answered.',
        ),
      ];
}

function attempt<T>(findings: Finding[], check: string, where: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    findings.push(fail(check, problemsOf(error), `Mend what is named above in ${where}.`));
    return undefined;
  }
}

/** The listed problems without the headline above them. */
function problemsOf(error: unknown): string {
  const [first = '', ...lines] = errorText(error).split('\n');
  return lines.length === 0 ? first : lines.map((line) => line.trim()).join('\n');
}
