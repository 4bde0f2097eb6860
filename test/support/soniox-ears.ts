import type { SonioxSettings } from '../../src/engines/providers/soniox/settings.ts';
import { SonioxStt } from '../../src/engines/providers/soniox/soniox-stt.ts';
import { hearElsewhere } from '../../src/engines/speech-privacy.ts';
import type { SttEngine } from '../../src/engines/stt/contract.ts';
import type { SttService, SttStandIn } from '../conformance/stt-service.ts';
import { CONNECTED_PARTS, earFaults, KEY, parts, socketEars } from './ear-parts.ts';
import { failing } from './service-sockets.ts';
import { SONIOX_WORD_MS, type SonioxError } from './soniox-listening.ts';
import { type SonioxFault, SonioxTestServer } from './soniox-server.ts';

export const sonioxService: SttService = {
  ...{ name: 'soniox', feed: 'new-speech', interim: true, words: true },
  wordStarts: (words) => Array.from({ length: words }, (_, i) => i * SONIOX_WORD_MS),
  ...{ ways: ['early', 'split', 'twice', 'unsettled'], tellsLanguage: true, hintLimits: { count: 100, chars: 4_000 } },
  ...{ sessionMs: 121 * 60_000, watches: true, has: CONNECTED_PARTS },
  start: startSoniox,
};

async function startSoniox(): Promise<SttStandIn> {
  const { clock, log, deps } = parts();
  const server = await SonioxTestServer.start();
  server.key = KEY;
  const engineOf = (settings: SonioxSettings): SttEngine => hearElsewhere(new SonioxStt(settings, deps));
  const fail = failing(server);
  const failAs =
    (...faults: SonioxFault[]) =>
    (): void =>
      server.failNext(...faults);
  const error = (status: number, type: string, afterBytes = 4_000): SonioxFault => ({
    ...{ type: 'error', afterBytes, of: { error_code: status, error_type: type } satisfies SonioxError },
  });
  const odd = [
    '{"type":"news","error_code":null}',
    '{"tokens":7}',
    '{"tokens":[7,{"text":7},{"text":"","is_final":true},{"text":"<end>","is_final":true}]}',
    ...['{}', 'no JSON', '[]'],
  ];
  return {
    ...{ engine: engineOf(server.settings), clock, logged: () => log.text },
    ...socketEars(server, (language) => ({ languages: [language] })),
    keptAlive: () => server.listening.flatMap(({ controls }) => controls).filter((one) => one === 'keepalive').length,
    hangUp: () => server.hangUp(1001),
    told: () => server.listening.at(-1)?.start?.context?.terms ?? [],
    without: {
      setting: 'engines.soniox.apiKeyEnv',
      engine: engineOf({ ...server.settings, baseUrl: 'https://stt-rt.soniox.com', apiKey: '' }),
    },
    faults: [
      ...earFaults('soniox', fail, odd),
      { name: 'a key that it does not know', set: failAs(error(401, 'unauthenticated', 0)), code: 'unavailable' },
      { name: 'nothing to pay with', set: failAs(error(402, 'project_budget_exhausted', 0)), code: 'unavailable' },
      { name: 'too many at once', set: failAs(error(429, 'limit_exceeded', 0)), code: 'unavailable' },
      { name: 'a wrong start', set: failAs(error(400, 'invalid_request', 0)), code: 'transcription_failed' },
      { name: 'its own fault', set: failAs(error(500, 'internal_error')), code: 'transcription_failed' },
      { name: 'a session that cannot go on', set: failAs(error(503, 'service_unavailable')), code: undefined },
      { name: 'a session that was too long', set: failAs(error(413, 'max_duration_reached')), code: undefined },
      { name: 'a session without audio', set: failAs(error(408, 'request_timeout')), code: undefined },
    ],
  };
}
