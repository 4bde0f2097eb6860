import { socketUrl } from '../remote-socket.ts';

/** Of sessions that transcribe; those that name a model in it are conversations. */
export const realtimeUrl = (baseUrl: string): string =>
  socketUrl(baseUrl, '/realtime', new URLSearchParams({ intent: 'transcription' }));

export const bearer = (apiKey: string | undefined): Readonly<Record<string, string>> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
