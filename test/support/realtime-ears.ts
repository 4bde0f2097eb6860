import { OpenaiRealtimeStt } from '../../src/engines/providers/openai/realtime-stt.ts';
import type { OpenaiSettings } from '../../src/engines/providers/openai/settings.ts';
import { hearElsewhere } from '../../src/engines/speech-privacy.ts';
import type { SttEngine } from '../../src/engines/stt/contract.ts';
import type { SttService, SttStandIn } from '../conformance/stt-service.ts';
import { CONNECTED_PARTS, earFaults, KEY, parts, socketEars } from './ear-parts.ts';
import { type RealtimeFault, RealtimeTestServer } from './realtime-server.ts';
import { failing } from './service-sockets.ts';

/** @param early - a model that tells words before the stretch is whole, and is told nothing of what may be said. */
export function realtimeService(early: boolean): SttService {
  return {
    name: early ? 'openai, realtime, a model that streams' : 'openai, realtime',
    ...{ feed: 'new-speech', interim: early, words: false, wordStarts: () => [] },
    ...{ ways: ['twice', 'uncommitted', 'unsettled'], tellsLanguage: true, hintLimits: { count: 200, chars: 400 } },
    ...{ sessionMs: 11 * 60_000, watches: true, swaps: true },
    has: CONNECTED_PARTS.filter((part) => part !== 'told' || !early),
    start: () => startRealtime(early ? 'gpt-realtime-whisper' : 'gpt-4o-transcribe'),
  };
}

async function startRealtime(transcriptionModel: string): Promise<SttStandIn> {
  const { clock, log, deps } = parts();
  const server = await RealtimeTestServer.start();
  server.key = KEY;
  const settings: OpenaiSettings = { ...server.settings, transcriptionModel };
  const engineOf = (own: OpenaiSettings): SttEngine => hearElsewhere(new OpenaiRealtimeStt(own, deps));
  const { transcriptionModel: _, ...less } = settings;
  const fail = failing(server);
  const failAs =
    (...faults: RealtimeFault[]) =>
    (): void =>
      server.failNext(...faults);
  const error = (code: string, type = 'invalid_request_error', afterBytes = 0): RealtimeFault => ({
    ...{ type: 'error', afterBytes, of: { code, type, message: 'what was said' } },
  });
  const failed = (code: string, type: string): RealtimeFault => ({
    ...{ type: 'failed', afterBytes: 4_000, of: { code, type } },
  });
  const transcription = 'conversation.item.input_audio_transcription';
  const odd = [
    '{"type":"rate_limits.updated"}',
    `{"type":"${transcription}.completed","item_id":7,"transcript":"x"}`,
    `{"type":"${transcription}.completed","item_id":"item_0","transcript":7}`,
    `{"type":"${transcription}.delta","item_id":"item_0","delta":null}`,
    `{"type":"${transcription}.constructor","item_id":"item_0"}`,
    ...['{"type":7}', 'no JSON', '[]'],
  ];
  return {
    ...{ engine: engineOf(settings), clock, logged: () => log.text },
    ...socketEars(
      server,
      () => ({}),
      (to) => `${to.replace('http', 'ws')}/v1/realtime?intent=transcription`,
    ),
    keptAlive: () => server.listening.reduce((sum, { pings }) => sum + pings, 0),
    hangUp: () => server.hangUp(1001),
    told: () => {
      const { prompt } = server.listening.at(-1)?.sessions.at(-1)?.audio?.input?.transcription ?? {};
      return (prompt ?? '').split('. ').filter((phrase) => phrase !== '');
    },
    without: { setting: 'transcriptionModel', engine: engineOf(less) },
    faults: [
      ...earFaults('openai realtime', fail, odd),
      { name: 'a key that it does not know', set: failAs(error('invalid_api_key')), code: 'unavailable' },
      { name: 'nothing to pay with', set: failAs(error('insufficient_quota')), code: 'unavailable' },
      { name: 'too much at once', set: failAs(error('rate_limit_exceeded')), code: 'unavailable' },
      { name: 'no such model', set: failAs(error('model_not_found')), code: 'unavailable' },
      { name: 'a wrong session', set: failAs(error('invalid_value')), code: 'transcription_failed' },
      { name: 'its own fault', set: failAs(error('server_error', 'server_error')), code: 'transcription_failed' },
      { name: 'a session that is over', set: failAs(error('session_expired', 'x', 4_000)), code: undefined },
      { name: 'not transcribed', set: failAs(failed('x', 'server_error')), code: 'transcription_failed' },
      { name: 'not paid for', set: failAs(failed('insufficient_quota', 'x')), code: 'unavailable' },
    ],
  };
}
