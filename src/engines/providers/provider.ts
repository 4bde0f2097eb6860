import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Language } from '../../core/agent.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { sentence } from '../../core/notice.ts';
import type { TellUse } from '../../core/service-use.ts';
import type { RemoteStt, SttEngine } from '../stt/contract.ts';
import type { RemoteTts, TtsEngine } from '../tts/contract.ts';
import type { TurnEndModel } from '../turn-end/contract.ts';
import type { VoiceModel } from '../vad/contract.ts';

export interface ProviderDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told what each request to the service took of it; beside it whoever asked is told (`used` of stream or sentence). */
  readonly used: TellUse;
}

/** What every `engines.<name>` section has. The key is read from the environment when the configuration is loaded. */
export interface ServerSettings {
  readonly baseUrl: string;
  readonly apiKeyEnv?: string;
  readonly apiKey?: string;
}

/**
 * A service that hears or speaks. Its folder holds all that is known of it; `providers.ts` lists them, and nothing else names
 * one: settings, keys, checks, voices and engines follow from that row.
 */
export interface Provider {
  /** Of its section under `engines`, and of its engines in `engines.stt` and `engines.tts`. */
  readonly name: string;
  /** Shape of `engines.<name>`, with the keys of `ServerSettings`. */
  readonly settings: TObject;
  /** Shape of `providers.<name>` of a voice of the catalogue. */
  readonly voice?: TSchema;
  /** Settings that an engine cannot do without, by where it is named: `stt`, `tts`, `reply`, `document`. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  readonly stt?: (settings: ServerSettings, deps: ProviderDeps) => RemoteStt;
  readonly tts?: (settings: ServerSettings, deps: ProviderDeps) => RemoteTts;
  /** Of the server that speaks, where that is not the one at `baseUrl`. */
  readonly speechUrl?: (settings: ServerSettings) => string;
  /**
   * Whether the service is there and takes the key and what is configured of it; nothing of callers or agents is sent, and nothing
   * costs anything. @returns what it told of itself, a line each. @throws ChatFailure.
   */
  readonly reach: (settings: ServerSettings, clock: Clock, signal: AbortSignal) => Promise<readonly string[]>;
}

/** Settings as the schema has them, with the key. */
export type SettingsOf<S extends TSchema> = Static<S> & { readonly apiKey?: string };

/** A provider whose engines take the settings of its own schema: the configuration was checked against it. */
export function provider<S extends TObject>(row: {
  readonly name: string;
  readonly settings: S;
  readonly voice?: TSchema;
  readonly needs: Provider['needs'];
  readonly stt?: (settings: SettingsOf<S>, deps: ProviderDeps) => RemoteStt;
  readonly tts?: (settings: SettingsOf<S>, deps: ProviderDeps) => RemoteTts;
  readonly speechUrl?: (settings: SettingsOf<S>) => string;
  readonly reach: (settings: SettingsOf<S>, clock: Clock, signal: AbortSignal) => Promise<readonly string[]>;
}): Provider {
  const { stt, tts, reach, speechUrl, ...rest } = row;
  return {
    ...rest,
    reach: (settings, clock, signal) => reach(settings as unknown as SettingsOf<S>, clock, signal),
    ...(stt && { stt: (settings, deps) => stt(settings as unknown as SettingsOf<S>, deps) }),
    ...(tts && { tts: (settings, deps) => tts(settings as unknown as SettingsOf<S>, deps) }),
    ...(speechUrl && { speechUrl: (settings) => speechUrl(settings as unknown as SettingsOf<S>) }),
  };
}

/** Where an engine is named in the configuration. */
export type EngineUse =
  | { readonly capability: 'stt'; readonly language: Language }
  | { readonly capability: 'tts' }
  | { readonly capability: 'turn-end' }
  | { readonly capability: 'vad' };

/** What every section of a local provider has once the configuration is read. */
export interface LocalSettings {
  /** Folder of installed models. */
  readonly modelsDir: string;
}
export type LocalDeps = Pick<ProviderDeps, 'clock' | 'logger'>;

/** Models on this machine that hear or speak: nothing leaves it, and nobody is asked. `providers.ts` lists them. */
export interface LocalProvider {
  /** Of its section under `engines`, and of its engines in `engines.stt` and `engines.tts`. */
  readonly name: string;
  /** Shape of `engines.<name>`. */
  readonly settings: TObject;
  /** Shape of `providers.<name>` of a voice of the catalogue. */
  readonly voice?: TSchema;
  /** What the section has to have to be named there; undefined where it has it. */
  readonly lacks: (settings: LocalSettings | undefined, use: EngineUse) => string | undefined;
  readonly stt: (settings: LocalSettings, deps: LocalDeps) => SttEngine;
  readonly tts: (settings: LocalSettings, deps: LocalDeps) => TtsEngine;
  /** Where it judges the end of turns; used as soon as it lacks nothing for that. */
  readonly turnEnd?: (settings: LocalSettings, deps: LocalDeps) => TurnEndModel;
  /** Where it judges whether there is a voice; likewise. */
  readonly vad?: (settings: LocalSettings, deps: LocalDeps) => VoiceModel;
}

/** A local provider whose engines take the settings of its own schema: the configuration was checked against it. */
export function localProvider<S extends TObject>(row: {
  readonly name: string;
  readonly settings: S;
  readonly voice?: TSchema;
  readonly lacks: (settings: (Static<S> & LocalSettings) | undefined, use: EngineUse) => string | undefined;
  readonly stt: (settings: Static<S> & LocalSettings, deps: LocalDeps) => SttEngine;
  readonly tts: (settings: Static<S> & LocalSettings, deps: LocalDeps) => TtsEngine;
  readonly turnEnd?: (settings: Static<S> & LocalSettings, deps: LocalDeps) => TurnEndModel;
  readonly vad?: (settings: Static<S> & LocalSettings, deps: LocalDeps) => VoiceModel;
}): LocalProvider {
  type Own = Static<S> & LocalSettings;
  const { turnEnd, vad, ...rest } = row;
  return {
    ...rest,
    lacks: (settings, use) => row.lacks(settings as Own | undefined, use),
    stt: (settings, deps) => row.stt(settings as Own, deps),
    tts: (settings, deps) => row.tts(settings as Own, deps),
    ...(turnEnd && { turnEnd: (settings, deps) => turnEnd(settings as Own, deps) }),
    ...(vad && { vad: (settings, deps) => vad(settings as Own, deps) }),
  };
}

/** A vendor's own address wants a key; a server of one's own may not. @returns what is missing. */
export function missingKeyOf(name: string, domain: string, { baseUrl, apiKey }: ServerSettings): string | undefined {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const isVendor = host === domain || host.endsWith(`.${domain}`);
  return isVendor && !apiKey ? sentence('engine.setting-not-set', { setting: `engines.${name}.apiKeyEnv` }) : undefined;
}
