import { Type } from '@sinclair/typebox';
import { missingKeyOf, type SettingsOf } from '../provider.ts';

const model = Type.String({ pattern: '^[a-z0-9][a-z0-9_.-]{0,99}$', expected: 'the name of a model' });
/** Of the library of voices: letters and digits. */
const voice = Type.String({ pattern: '^[A-Za-z0-9]{8,64}$', expected: 'the id of a voice' });

/** `engines.elevenlabs`. `baseUrl` names another region: `https://api.eu.residency.elevenlabs.io/v1`. */
export const elevenlabsSettings = Type.Object({
  baseUrl: Type.String({
    ...{ pattern: '^https?://', expected: 'an http(s) address' },
    default: 'https://api.elevenlabs.io/v1',
  }),
  apiKeyEnv: Type.Optional(
    Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$', expected: 'the name of an environment variable' }),
  ),
  transcriptionModel: Type.String({ ...model, default: 'scribe_v2_realtime' }),
  speechModel: Type.String({ ...model, default: 'eleven_turbo_v2_5' }),
  speechVoice: Type.Optional(voice),
  /** The service is told to keep nothing, which it takes of accounts with such a contract only. */
  zeroRetention: Type.Boolean({ default: false }),
});
export type ElevenlabsSettings = SettingsOf<typeof elevenlabsSettings>;

/** `providers.elevenlabs` of a voice: instead of `speechVoice`, and of `speechModel`. */
export const elevenlabsVoice = Type.Object({ voice, model: Type.Optional(model) });

export function missingKey(settings: ElevenlabsSettings): string | undefined {
  return missingKeyOf('elevenlabs', 'elevenlabs.io', settings);
}

export function keyHeader(apiKey: string): Readonly<Record<string, string>> {
  return { 'xi-api-key': apiKey };
}
