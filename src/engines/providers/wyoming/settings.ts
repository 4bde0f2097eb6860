import { Type } from '@sinclair/typebox';
import type { SettingsOf } from '../provider.ts';

const PORT = '(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})';
const address = {
  pattern: `^tcp://([A-Za-z0-9._-]+|\\[[0-9a-fA-F:.]+\\]):${PORT}$`,
  expected: 'an address like tcp://127.0.0.1:10300',
};
const name = Type.String({
  pattern: '^[^\\s"\\\\]{1,100}$',
  expected: 'the name of a model or voice, as the server lists it',
});

/** `engines.wyoming`: servers of your own network. The protocol knows neither keys nor encryption. */
export const wyomingSettings = Type.Object({
  /** Of the server that hears, and of the one that speaks where that has no address of its own. */
  baseUrl: Type.String(address),
  speechUrl: Type.Optional(Type.String(address)),
  /** The server tells words while they are spoken (`supports_transcript_streaming`). */
  streams: Type.Boolean({ default: false }),
  /** Without them the servers choose. */
  transcriptionModel: Type.Optional(name),
  speechVoice: Type.Optional(name),
});
export type WyomingSettings = SettingsOf<typeof wyomingSettings>;

/** `providers.wyoming` of a voice: instead of `speechVoice`. */
export const wyomingVoice = Type.Object({ name, speaker: Type.Optional(name) });

export const speechUrlOf = ({ baseUrl, speechUrl }: WyomingSettings): string => speechUrl ?? baseUrl;
