import type { Config } from '../../config/load.ts';
import { systemClock } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import { loadOnce } from '../../engines/providers/sherpa/load-once.ts';
import { findModel } from '../../engines/providers/sherpa/model-files.ts';
import type { ModelUse } from '../../engines/providers/sherpa/model-kinds.ts';
import type { ModelSetup } from '../../engines/providers/sherpa/process-protocol.ts';
import type { ModelChoice, SherpaSettings } from '../../engines/providers/sherpa/settings.ts';
import { type Finding, fail, info, ok } from '../checks/finding.ts';
import { modelLibrary } from '../checks/model-library.ts';

const LOAD_MS_MAX = 300_000;

interface ConfiguredModel {
  readonly at: string; // engines.sherpa.ears[0]
  readonly use: ModelUse | 'vad'; // a detector, as calls have it
  readonly choice: ModelChoice;
  readonly languages: readonly string[];
}

/** Every model that the configuration names: whether its files are there, and, where that is asked, whether it loads and what it takes. */
export async function checkModels({ engines }: Config, load: boolean): Promise<readonly Finding[]> {
  const settings = (engines as unknown as { readonly sherpa?: SherpaSettings }).sherpa;
  const models = settings ? configured(settings) : [];
  if (!settings || models.length === 0) {
    const mend = 'Write engines.sherpa into nidaa.yaml: config/nidaa.yaml shows it.';
    return [info('models', 'none is configured (engines.sherpa)', mend)];
  }
  const library = modelLibrary();
  const isThere = library.state === 'ok';
  const findings: Finding[] = [isThere ? library : { ...library, state: 'fail' }];
  for (const model of models) findings.push(await checked(model, settings, load && isThere));
  return findings;
}

function configured({ ears, voices, detector, turnEnd, vad }: SherpaSettings): readonly ConfiguredModel[] {
  const listed = (
    use: 'ears' | 'voices',
    choices: readonly (ModelChoice & { readonly languages: readonly string[] })[],
  ) =>
    choices.map(
      (choice, i): ConfiguredModel => ({
        ...{
          at: `engines.sherpa.${use}[${i}]`,
          use: use === 'ears' ? 'ears' : 'voice',
          choice,
          languages: choice.languages,
        },
      }),
    );
  return [
    ...listed('ears', ears),
    ...listed('voices', voices),
    ...(detector ? [{ at: 'engines.sherpa.detector', use: 'detector' as const, choice: detector, languages: [] }] : []),
    ...(vad ? [{ at: 'engines.sherpa.vad', use: 'vad' as const, choice: vad, languages: [] }] : []),
    ...(turnEnd ? [{ at: 'engines.sherpa.turnEnd', use: 'turn-end' as const, choice: turnEnd, languages: [] }] : []),
  ];
}

async function checked(
  { at, use, choice, languages }: ConfiguredModel,
  settings: SherpaSettings,
  load: boolean,
): Promise<Finding> {
  const found = findModel(choice, settings.modelsDir, use === 'vad' ? 'detector' : use);
  if (!found.ok) {
    const mend =
      found.missing.length > 0
        ? `Put the files there, or name them in ${at}.files.`
        : '`nidaa models install` puts models there; `nidaa models list` says which there are.';
    return fail(at, found.why, mend);
  }
  const { model } = found;
  const files = Object.keys(model.files).sort().join(', ');
  const what = `${choice.model}: ${model.kind} for ${languages.join(', ') || 'all'} (${files})`;
  if (!load || use === 'detector') return ok(at, what);
  return loaded(at, what, { use, model, threads: settings.threads, languages });
}

async function loaded(
  at: string,
  what: string,
  { languages, ...setup }: Omit<ModelSetup, 'language'> & { readonly languages: readonly string[] },
): Promise<Finding> {
  try {
    const language = languages.length === 1 ? languages[0]! : '';
    const { memoryMb, loadMs } = await loadOnce({ ...setup, language }, systemClock, LOAD_MS_MAX);
    return ok(at, `${what}\nloaded in ${(loadMs / 1000).toFixed(1)} s, ${memoryMb} MB`);
  } catch (error) {
    const mend =
      'Compare its kind and files with where it comes from; `nidaa models verify` says whether they changed.';
    return fail(at, `${what}\ndoes not load: ${errorText(error)}`, mend);
  }
}
