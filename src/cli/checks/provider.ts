import type { Config } from '../../config/load.ts';
import { systemClock, timeoutSignal } from '../../core/clock.ts';
import { errorText } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import { ChatFailure, type ChatFailureKind } from '../../engines/openai/chat-failure.ts';
import type { Provider, ServerSettings } from '../../engines/providers/provider.ts';
import { speechElsewhere } from '../../engines/speech-elsewhere.ts';
import { type Finding, fail, info, ok, warn } from './finding.ts';

const REACHED_WITHIN_MS = 10_000;

/** What mends each way in which a service does not answer. */
const mends = (name: string): Readonly<Partial<Record<ChatFailureKind, string>>> => ({
  unreachable: `Let this machine reach it, or correct engines.${name}.baseUrl.`,
  'refused-key': `Put a key that it takes, of an account that may be used, into the variable named in engines.${name}.apiKeyEnv.`,
  'no-model': `Correct engines.${name}.baseUrl: it must end where the paths of the API begin, usually in /v1.`,
  busy: 'It asks to be left alone: try again, or ask for more capacity there.',
  refused: `It does not take what is configured: correct the models in engines.${name}.`,
});

/** The settings of a provider, with its key. */
export function settingsOf({ engines }: Config, name: string): ServerSettings | undefined {
  return (engines as unknown as Readonly<Record<string, ServerSettings | undefined>>)[name];
}

/** One service: settings, what it gets, whether that is allowed, whether it answers. Nothing of anybody is sent. */
export async function checkProvider(config: Config, provider: Provider, logger: Logger): Promise<Finding[]> {
  const { name } = provider;
  const settings = settingsOf(config, name);
  if (!settings) {
    const mend = `Write engines.${name} into nidaa.yaml: config/nidaa.yaml and src/engines/providers/README.md show it.`;
    return [fail('settings', `engines.${name} is not there`, mend)];
  }
  return [
    ok('settings', `${settings.baseUrl}, ${keyed(settings)}`),
    ...uses(config, name),
    ...engines(provider, settings, logger),
    await reached(provider, settings),
  ];
}

function keyed({ apiKeyEnv, apiKey }: ServerSettings): string {
  return apiKey === undefined ? 'no key' : `the key in ${apiKeyEnv}`;
}

function uses({ engines: choice }: Config, name: string): Finding[] {
  const used = speechElsewhere(choice).filter((service) => service.name === name);
  const gets = used.map(({ setting, gets: what }) => `it gets ${what} (${setting})`).join('\n');
  const named =
    used.length > 0
      ? info('use', gets)
      : info('use', 'no engine names it', `Name ${name} in engines.stt or engines.tts.`);
  if (choice.speechPrivacy === 'remote') return [named, ok('speech privacy', 'remote: services may hear and speak')];
  const mend =
    'Write engines.speechPrivacy: remote, or speechPrivacy: remote in the files of the agents that may use it.';
  return [
    named,
    warn('speech privacy', 'local: it is used by agents whose own file allows it, and by nobody else', mend),
  ];
}

/** Whether its engines find what they need. They are made, and connect with nobody. */
function engines({ name, stt, tts }: Provider, settings: ServerSettings, logger: Logger): Finding[] {
  const deps = { clock: systemClock, logger, used: () => {} };
  const ears = stt?.(settings, deps);
  const voice = tts?.(settings, deps);
  const judged = (check: string, state: { readonly ok: boolean; readonly why?: string }): Finding =>
    state.ok
      ? ok(check, 'ready')
      : warn(check, state.why ?? '', `Complete engines.${name} where it is to be used for this.`);
  return [
    ...(ears
      ? [judged('ears, Arabic', ears.available('ar-SA')), judged('ears, English', ears.available('en-US'))]
      : []),
    ...(voice ? [judged('voice', voice.available())] : []),
  ];
}

async function reached({ name, reach }: Provider, settings: ServerSettings): Promise<Finding> {
  const limit = timeoutSignal(systemClock, REACHED_WITHIN_MS);
  const startMs = systemClock.nowMs();
  try {
    const told = await reach(settings, systemClock, limit.signal);
    return ok('service', [`answers, ${Math.round(systemClock.nowMs() - startMs)} ms`, ...told].join('\n'));
  } catch (error) {
    const mend =
      (error instanceof ChatFailure && mends(name)[error.kind]) ||
      `Compare engines.${name}.baseUrl with its documentation.`;
    return fail('service', limit.signal.aborted ? 'it does not answer' : errorText(error), mend);
  } finally {
    limit.cancel();
  }
}
