import { Type } from '@sinclair/typebox';
import { missingKeyOf, type SettingsOf } from '../provider.ts';
import { socketUrl } from '../remote-socket.ts';

const VENDOR_DOMAINS = ['microsoft.com', 'azure.com', 'azure.us', 'azure.cn'];

/** `engines.azure`: a region of the service, or a container of your own at another address. */
export const azureSettings = Type.Object({
  /** Of the ears. The voice of a region is beside it, at `tts.` instead of `stt.`; a container has both. */
  baseUrl: Type.String({ pattern: '^https?://', expected: 'an http(s) address' }),
  apiKeyEnv: Type.Optional(
    Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$', expected: 'the name of an environment variable' }),
  ),
});
/** Of the voice; that of the ears depends on the call. */
const SPEAK_PATH = '/tts/cognitiveservices/websocket/v1';
export type AzureSettings = SettingsOf<typeof azureSettings>;

/** `providers.azure` of a voice: instead of the one of its language and gender. */
export const azureVoice = Type.Object({
  name: Type.String({
    pattern: '^[a-z]{2,3}-[A-Za-z]{2,4}(-[A-Za-z]+)?-[A-Za-z0-9:]{1,80}$',
    expected: 'the name of a voice, like ar-SA-ZariyahNeural',
  }),
});

/** The service's own addresses want a key; one at home may not. @returns what is missing. */
export function missingKey(settings: AzureSettings): string | undefined {
  const told = VENDOR_DOMAINS.map((domain) => missingKeyOf('azure', domain, settings));
  return told.find((what) => what !== undefined);
}

/** `wss://uaenorth.stt.speech.microsoft.com/...` */
export function hearingUrl({ baseUrl }: AzureSettings, path: string, query: URLSearchParams): string {
  return socketUrl(baseUrl, path, query);
}

/** `wss://uaenorth.tts.speech.microsoft.com/...` */
export function speakingUrl({ baseUrl }: AzureSettings): string {
  return socketUrl(baseUrl.replace(/\.stt\.speech\./i, '.tts.speech.'), SPEAK_PATH);
}

/** @param connectionId - 32 hexadecimal digits, by which the vendor finds a connection. */
export function requestHeaders({ apiKey }: AzureSettings, connectionId: string): Readonly<Record<string, string>> {
  return { 'x-connectionid': connectionId, ...(apiKey !== undefined && { 'ocp-apim-subscription-key': apiKey }) };
}
