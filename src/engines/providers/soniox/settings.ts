import { Type } from '@sinclair/typebox';
import { missingKeyOf, type SettingsOf } from '../provider.ts';

/** `engines.soniox`. `baseUrl` names another region: `https://stt-rt.eu.soniox.com`. */
export const sonioxSettings = Type.Object({
  baseUrl: Type.String({
    ...{ pattern: '^https?://', expected: 'an http(s) address' },
    default: 'https://stt-rt.soniox.com',
  }),
  apiKeyEnv: Type.Optional(
    Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$', expected: 'the name of an environment variable' }),
  ),
  transcriptionModel: Type.String({
    ...{ pattern: '^[a-z0-9][a-z0-9.-]{0,99}$', expected: 'the name of a model' },
    default: 'stt-rt-v5',
  }),
});
export type SonioxSettings = SettingsOf<typeof sonioxSettings>;

export function missingKey(settings: SonioxSettings): string | undefined {
  return missingKeyOf('soniox', 'soniox.com', settings);
}

export const LISTEN_PATH = '/transcribe-websocket';

/** With the connection and nowhere else: the service refuses keys in its first message from 15 January 2027. */
export function authorization({ apiKey }: SonioxSettings): Readonly<Record<string, string>> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}
