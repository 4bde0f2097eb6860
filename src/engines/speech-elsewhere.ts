import type { Provider, ServerSettings } from './providers/provider.ts';
import { PROVIDERS } from './providers/providers.ts';
import type { SpeechChoice } from './speech-set.ts';

/** A service that is named in the configuration, and what it is sent. */
export interface SpeechService {
  readonly name: string;
  readonly host: string; // host:port of its address; of one without settings its name
  readonly setting: string; // engines.stt.ar
  readonly gets: string;
}

const HEARS = 'the audio of callers';
const SPEAKS = 'what agents say, with the names and numbers in it';

/** Every service that hears or speaks where `speechPrivacy` is `remote`. */
export function speechElsewhere(choice: SpeechChoice): readonly SpeechService[] {
  const places = [
    ...(['ar', 'en'] as const).map((at) => ({ setting: `engines.stt.${at}`, names: choice.stt[at], gets: HEARS })),
    { setting: 'engines.tts', names: choice.tts, gets: SPEAKS },
  ];
  return places.flatMap(({ setting, names, gets }) =>
    PROVIDERS.filter(({ name, stt, tts }) => names.includes(name) && (gets === HEARS ? stt : tts)).map((provider) => ({
      ...{ name: provider.name, setting, gets },
      host: hostOf(choice, provider, gets === SPEAKS),
    })),
  );
}

/** One sentence for each service: who gets what. */
export function speechSentences(choice: SpeechChoice): readonly string[] {
  return speechElsewhere(choice).map(({ name, host, setting, gets }) => `${name} at ${host} gets ${gets} (${setting})`);
}

function hostOf(choice: SpeechChoice, { name, speechUrl }: Provider, speaks: boolean): string {
  const settings = (choice as unknown as Readonly<Record<string, ServerSettings | undefined>>)[name];
  if (!settings) return name;
  const url = (speaks && speechUrl?.(settings)) || settings.baseUrl;
  return URL.canParse(url) ? new URL(url).host : name;
}
