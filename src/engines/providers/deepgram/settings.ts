import { Type } from '@sinclair/typebox';
import { missingKeyOf, type SettingsOf } from '../provider.ts';

const model = Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,99}$', expected: 'the name of a model' });

/** `engines.deepgram`: the service itself, or one of your own premises at another address. */
export const deepgramSettings = Type.Object({
  baseUrl: Type.String({
    ...{ pattern: '^https?://', expected: 'an http(s) address' },
    default: 'https://api.deepgram.com/v1',
  }),
  apiKeyEnv: Type.Optional(
    Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$', expected: 'the name of an environment variable' }),
  ),
  transcriptionModel: Type.String({ ...model, default: 'nova-3' }),
  /** A voice is a model; the last two letters of its name are its language. */
  speechModel: Type.String({ ...model, default: 'aura-2-thalia-en' }),
});
export type DeepgramSettings = SettingsOf<typeof deepgramSettings>;

/** `providers.deepgram` of a voice: instead of `speechModel`. */
export const deepgramVoice = Type.Object({ model });

/** The service's own address wants a key; one at home may not. @returns what is missing. */
export function missingKey(settings: DeepgramSettings): string | undefined {
  return missingKeyOf('deepgram', 'deepgram.com', settings);
}

/** Models that tell of turns: another address, and English alone. */
export const isFlux = ({ transcriptionModel }: DeepgramSettings): boolean => transcriptionModel.startsWith('flux-');

/** `.../v2` of `.../v1`. */
export const fluxUrl = ({ baseUrl }: DeepgramSettings): string => baseUrl.replace(/\/v1\/?$/, '/v2');

export function authorization({ apiKey }: DeepgramSettings): Readonly<Record<string, string>> {
  return apiKey === undefined ? {} : { authorization: `Token ${apiKey}` };
}

/** Where a refused handshake says why. */
export const ERROR_HEADER = 'dg-error';
